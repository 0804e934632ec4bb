package dashboard

import (
	"encoding/csv"
	"net/http"
	"strings"
	"unicode/utf8"
)

// maxExported bounds one file; the API's pages are read one by one.
const maxExported = 20_000

// export sends the whole list, with its filters, as a file that a Brazilian
// spreadsheet opens by a double click: UTF-8 with its mark, semicolons, CRLF.
func (res resource) export(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	query := res.query(v)
	query.Del("cursor")
	query.Set("limit", "100")
	first, err := get[list[object]](v, res.list, nil, query)
	if err != nil {
		return nil, err
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+strings.TrimPrefix(res.path, "/")+`.csv"`)
	out := csv.NewWriter(v.w)
	out.Comma, out.UseCRLF = ';', true
	_, _ = v.w.Write([]byte("\ufeff"))
	attributes := append(append([]attribute{plain("Id", "id")}, res.columns...), res.facts...)
	writeRow(out, attributes, func(a attribute) string { return a.label })
	for n, page := 0, first; ; {
		for _, o := range page.Data {
			writeRow(out, attributes, func(a attribute) string { return a.cell(v, o) })
		}
		n += len(page.Data)
		if page.NextCursor == nil || n >= maxExported {
			break
		}
		query.Set("cursor", *page.NextCursor)
		if page, err = get[list[object]](v, res.list, nil, query); err != nil {
			out.Flush()
			panic(http.ErrAbortHandler) // the headers have left: a cut file must not look whole
		}
	}
	out.Flush()
	return nil, errAnswered
}

func writeRow(out *csv.Writer, attributes []attribute, cell func(attribute) string) {
	row, seen := []string{}, map[string]bool{}
	for _, a := range attributes {
		if seen[a.label] {
			continue
		}
		seen[a.label] = true
		text := cell(a)
		if !a.number() {
			text = harmless(text)
		}
		row = append(row, text)
	}
	_ = out.Write(row) // a browser that has gone asks again
}

// harmless keeps a spreadsheet from taking a text for a formula.
func harmless(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) && text != "" {
		return "'" + text
	}
	return text
}
