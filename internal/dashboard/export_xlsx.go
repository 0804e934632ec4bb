package dashboard

import (
	"math"
	"strconv"
	"time"

	"github.com/xuri/excelize/v2"
)

// xlsxTable is a workbook of one sheet. It keeps amounts, numbers and dates as
// such, and every text as a text: none is a formula. It is sent when it is whole.
type xlsxTable struct {
	v      *visit
	name   string
	file   *excelize.File
	stream *excelize.StreamWriter
	row    int
	styles map[kind]int
	title  int
	sent   bool
}

const sheetName = "Lista"

func newXLSX(v *visit, name string) (*xlsxTable, error) {
	t := &xlsxTable{v: v, name: name, file: excelize.NewFile(), styles: map[kind]int{}}
	err := t.file.SetSheetName(t.file.GetSheetName(0), sheetName)
	if err == nil {
		err = t.defineStyles()
	}
	if err == nil {
		t.stream, err = t.file.NewStreamWriter(sheetName)
	}
	return t, err
}

func (t *xlsxTable) defineStyles() (err error) {
	for k, format := range map[kind]string{kindCents: "#,##0.00", kindDay: "dd/mm/yyyy", kindInstant: "dd/mm/yyyy hh:mm"} {
		if t.styles[k], err = t.file.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
			return err
		}
	}
	t.title, err = t.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	return err
}

func (t *xlsxTable) begin(titles []attribute) error {
	for i, a := range titles {
		if err := t.stream.SetColWidth(i+1, i+1, columnWidth(a)); err != nil {
			return err
		}
	}
	if err := t.stream.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	row := make([]any, len(titles))
	for i, a := range titles {
		row[i] = excelize.Cell{StyleID: t.title, Value: a.heading()}
	}
	return t.write(row)
}

// columnWidth is in characters.
func columnWidth(a attribute) float64 {
	switch a.kind {
	case kindCents, kindNumber, kindDay:
		return 14
	case kindInstant:
		return 18
	case kindText:
	}
	return 28
}

func (t *xlsxTable) write(row []any) error {
	if t.row == excelize.TotalRows {
		return errTooLong
	}
	t.row++
	at, err := excelize.CoordinatesToCellName(1, t.row)
	if err != nil {
		return err
	}
	return t.stream.SetRow(at, row)
}

func (t *xlsxTable) add(cells []cell) error {
	row := make([]any, len(cells))
	for i, c := range cells {
		row[i] = excelize.Cell{StyleID: t.styles[c.kind], Value: c.xlsx()}
	}
	return t.write(row)
}

// xlsx is the value of a cell. A number that a spreadsheet could not hold
// exactly stays a text.
func (c cell) xlsx() any {
	switch c.kind {
	case kindCents:
		if n, err := strconv.ParseInt(c.raw, 10, 64); err == nil && n < 1<<53 && n > -1<<53 {
			return math.Round(float64(n)) / 100
		}
	case kindNumber:
		if f, err := strconv.ParseFloat(c.raw, 64); err == nil && strconv.FormatFloat(f, 'f', -1, 64) == c.raw {
			return f
		}
	case kindDay, kindInstant:
		y, m, d := c.at.Date() // a cell has no zone: what the company's clocks show
		return time.Date(y, m, d, c.at.Hour(), c.at.Minute(), c.at.Second(), 0, time.UTC)
	case kindText:
	}
	return c.text
}

func (t *xlsxTable) begun() bool { return t.sent }

func (t *xlsxTable) close() { _ = t.file.Close() } // only its temporary files are lost

func (t *xlsxTable) end() error {
	if err := t.stream.Flush(); err != nil {
		return err
	}
	t.sent = true
	t.v.attach(t.name+".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
	return t.file.Write(t.v.w)
}
