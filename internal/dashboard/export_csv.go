package dashboard

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf8"
)

// csvTable is a file that a Brazilian spreadsheet opens by a double click: UTF-8
// with its mark, semicolons, decimal commas, CRLF.
type csvTable struct {
	v       *visit
	name    string
	csv     *csv.Writer
	started bool
}

func newCSV(v *visit, name string) *csvTable {
	out := csv.NewWriter(v.w)
	out.Comma, out.UseCRLF = ';', true
	return &csvTable{v: v, name: name, csv: out}
}

// attach makes the answer a file that the browser keeps.
func (v *visit) attach(name, kind string) {
	v.w.Header().Set("Content-Type", kind)
	v.w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}

func (t *csvTable) begin(titles []attribute) error {
	t.started = true
	t.v.attach(t.name+".csv", "text/csv; charset=utf-8")
	if _, err := io.WriteString(t.v.w, "\ufeff"); err != nil {
		return err
	}
	row := make([]string, len(titles))
	for i, a := range titles {
		row[i] = harmless(a.heading())
	}
	return t.csv.Write(row)
}

// heading is an attribute's title in a file, with the unit of its numbers.
func (a attribute) heading() string {
	if a.kind == kindCents {
		return a.label + " (R$)"
	}
	return a.label
}

func (t *csvTable) add(cells []cell) error {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = c.csv()
	}
	return t.csv.Write(row)
}

func (c cell) csv() string {
	switch c.kind {
	case kindCents:
		return strings.ReplaceAll(reaisOnly(c.raw), ".", "")
	case kindNumber:
		return decimal(c.raw)
	case kindText, kindDay, kindInstant:
	}
	return harmless(c.text)
}

func (t *csvTable) begun() bool { return t.started }

func (*csvTable) close() {}

func (t *csvTable) end() error {
	t.csv.Flush()
	return t.csv.Error()
}

// harmless keeps a spreadsheet from taking a text for a formula.
func harmless(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) && text != "" {
		return "'" + text
	}
	return text
}
