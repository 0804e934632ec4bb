package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"fatureihoje/internal/problem"
)

// sheet is a list as a file has it: a row for each record of a route.
type sheet struct {
	name       string // of the file, without its ending
	route      string
	query      url.Values
	attributes []attribute
}

// table is a kind of file that takes a sheet.
type table interface {
	// begin writes the row of titles.
	begin(titles []attribute) error
	// add writes a record's row. Its error is errTooLong, or the client has gone.
	add(cells []cell) error
	// end finishes the file.
	end() error
	// begun reports that some of it has left: what goes wrong from then on must
	// break the connection, since a cut file must not look whole.
	begun() bool
	// close gives back what the file holds here, finished or not.
	close()
}

// errTooLong is a list that its kind of file cannot hold.
var errTooLong = errors.New("too many rows for this kind of file")

// cell is what an attribute shows of a record, with its number or time where it
// has one, so that a spreadsheet can reckon with it.
type cell struct {
	kind kind
	text string
	raw  string    // the member as the API has it, of cents and numbers
	at   time.Time // of days and instants
}

// The parameter that chooses the kind of file; without it, CSV.
const (
	formatParam = "formato"
	formatXLSX  = "xlsx"
)

// export sends the whole list, with its filters, as a file.
func (res resource) export(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	return v.export(sheet{
		name: strings.TrimPrefix(res.path, "/"), route: res.list, query: res.query(v),
		attributes: once(append(append([]attribute{plain("Id", "id")}, res.columns...), res.facts...)),
	})
}

// once leaves out an attribute that is there already, under the same label.
func once(all []attribute) []attribute {
	var kept []attribute
	seen := map[string]bool{}
	for _, a := range all {
		if !seen[a.label] {
			seen[a.label] = true
			kept = append(kept, a)
		}
	}
	return kept
}

// pageWritten is how long a page of an export may take to be read and written.
const pageWritten = time.Minute

// export reads a sheet page by page, so that its length costs no memory here.
func (v *visit) export(s sheet) (*reply, error) {
	file, err := v.newTable(s.name)
	if err != nil {
		return nil, err
	}
	defer file.close()
	switch err := v.fill(file, s); {
	case err == nil:
		return nil, errAnswered
	case file.begun():
		panic(http.ErrAbortHandler)
	case errors.Is(err, errTooLong):
		return nil, &problem.Error{Code: problem.InvalidRequest, Reason: "too_long", Detail: problem.T(
			"A lista tem mais linhas do que uma planilha do Excel comporta. Use os filtros para dividi-la, ou exporte em CSV.",
			"The list has more rows than an Excel sheet holds. Narrow it by the filters, or export CSV.")}
	default:
		return nil, err
	}
}

func (v *visit) newTable(name string) (table, error) {
	if v.r.URL.Query().Get(formatParam) == formatXLSX {
		return newXLSX(v, name)
	}
	return newCSV(v, name), nil
}

func (v *visit) fill(file table, s sheet) error {
	s.query.Set("limit", maxChoices)
	for s.query.Del("cursor"); ; {
		page, err := get[list[object]](v, s.route, nil, s.query)
		if err != nil {
			return err
		}
		_ = http.NewResponseController(v.w).SetWriteDeadline(v.d.conf.Clock.Now().Add(pageWritten)) // where it cannot be moved, the server's holds
		if s.query.Get("cursor") == "" {
			if err := file.begin(s.attributes); err != nil {
				return err
			}
		}
		if err := v.addPage(file, s.attributes, page.Data); err != nil {
			return err
		}
		if page.NextCursor == nil {
			return file.end()
		}
		s.query.Set("cursor", *page.NextCursor)
	}
}

func (v *visit) addPage(file table, attributes []attribute, records []object) error {
	if err := v.learnNames(attributes, records); err != nil {
		return err
	}
	for _, o := range records {
		cells := make([]cell, len(attributes))
		for i, a := range attributes {
			cells[i] = v.cellOf(a, o)
		}
		if err := file.add(cells); err != nil {
			return err
		}
	}
	return nil
}

func (v *visit) cellOf(a attribute, o object) cell {
	c := cell{kind: a.kind, text: a.cell(v, o), raw: o.text(a.member)}
	var err error
	switch a.kind {
	case kindInstant:
		c.at, err = time.Parse(time.RFC3339, c.raw)
		c.at = c.at.In(v.zone())
	case kindDay:
		c.at, err = time.Parse(time.DateOnly, c.raw)
	case kindText, kindCents, kindNumber:
	}
	if err != nil || c.raw == "" {
		c.kind = kindText // nothing, or something else than expected: as it is shown
	}
	return c
}
