package dashboard

import (
	"net/url"
	"time"
)

func queryOf(name, value string) string { return url.Values{name: {value}}.Encode() }

type counts struct {
	Calls     int64 `json:"calls"`
	Errors    int64 `json:"errors"`
	Replays   int64 `json:"replays"`
	Conflicts int64 `json:"conflicts"`
	Avoided   int64 `json:"duplicates_avoided"`
}

type usage struct {
	Day   counts `json:"last_24_hours"`
	Month counts `json:"last_30_days"`
	Days  []struct {
		Date string `json:"date"`
		counts
	} `json:"days"`
}

func home(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	u, err := get[usage](v, "getUsage", nil, nil)
	if err != nil {
		return nil, err
	}
	keys, err := get[list[apiKey]](v, "listApiKeys", nil, url.Values{"living": {"true"}, "limit": {"1"}})
	if err != nil {
		return nil, err
	}
	m, err := v.month(me)
	if err != nil {
		return nil, err
	}
	return show("Início", "/", homeBody(v, me, u, len(keys.Data) > 0, m))
}

// month is the business at a glance, as far as a person may see it.
type month struct {
	sales             *sum // sold this month; nil: not theirs to see
	money             bool // the rest may be seen
	received, paid    int64
	receivable, late  sum
	flow              []flowMonth
	begins, stillOpen bool // there is something to show
}

type sum struct {
	Count int64 `json:"count"`
	Cents int64 `json:"total_cents"`
}

type flowMonth struct {
	From string `json:"from"`
	In   int64  `json:"in_cents"`
	Out  int64  `json:"out_cents"`
}

// month reads the reports that the person may see.
func (v *visit) month(me *profile) (*month, error) {
	m := &month{}
	if me.may("sales:read") {
		if err := v.sold(m); err != nil {
			return nil, err
		}
	}
	if me.may("finance:read") {
		m.money = true
		if err := v.moved(m); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// months are the first day of a month some months ago and the last day of this one.
func (v *visit) months(ago int) url.Values {
	today := v.today()
	first := today.AddDate(0, 0, 1-today.Day())
	return url.Values{
		"from": {first.AddDate(0, -ago, 0).Format(time.DateOnly)}, "to": {first.AddDate(0, 1, -1).Format(time.DateOnly)}, "group": {"month"},
	}
}

func (v *visit) sold(m *month) error {
	sold, err := get[struct {
		Count int64 `json:"count"`
		Total int64 `json:"total_cents"`
	}](v, "reportSales", nil, v.months(0))
	m.sales = &sum{sold.Count, sold.Total}
	m.begins = sold.Count > 0
	return err
}

// moved reads the cash flow of twelve months, this one the last, and what is to come.
func (v *visit) moved(m *month) error {
	flow, err := get[struct {
		Periods []flowMonth `json:"periods"`
	}](v, "reportCashFlow", nil, v.months(11))
	if err != nil {
		return err
	}
	open, err := get[struct {
		Overdue  sum `json:"overdue"`
		Upcoming sum `json:"upcoming"`
	}](v, "reportReceivables", nil, nil)
	if err != nil {
		return err
	}
	m.flow, m.receivable, m.late = flow.Periods, open.Upcoming, open.Overdue
	for _, f := range m.flow {
		m.received, m.paid = f.In, f.Out // the last one's
		m.begins = m.begins || f.In != 0 || f.Out != 0
	}
	m.stillOpen = open.Upcoming.Count+open.Overdue.Count > 0
	return nil
}

// drawing is the chart of the months.
func (m *month) drawing() flowDrawing {
	d := flowDrawing{name: "Entradas e saídas, em reais, por mês", summary: "Entradas e saídas dos últimos doze meses"}
	for _, f := range m.flow {
		d.bars = append(d.bars, flowBar{
			label: monthOf(f.From), cameIn: f.In, wentOut: f.Out,
			title: monthOf(f.From) + ": entrou " + moneyText(f.In) + ", saiu " + moneyText(f.Out),
		})
	}
	return d
}

func monthOf(date string) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return []string{"jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"}[t.Month()-1]
}

// column is one day of a chart, in the chart's own units.
type column struct {
	x, width      float64
	height, saved float64 // of the calls; of the duplicates avoided
	y, savedY     float64
	label, title  string
}

// The size of the chart's drawing.
const (
	chartWidth  = 720
	chartHeight = 200
	chartLeft   = 44
	chartRight  = 12
	chartBottom = 24
	chartTop    = 10
)

// chart turns the days into columns and its axis into marks.
func chart(u usage) (columns []column, marks []mark) {
	top := int64(1)
	for _, d := range u.Days {
		top = max(top, d.Calls)
	}
	top = roundUp(top)
	plot := float64(chartHeight - chartBottom - chartTop)
	step := float64(chartWidth-chartLeft-chartRight) / float64(max(len(u.Days), 1))
	for i, d := range u.Days {
		scale := func(n int64) float64 { return float64(n) / float64(top) * plot }
		c := column{
			x: chartLeft + float64(i)*step + step*0.15, width: step * 0.7, height: scale(d.Calls), saved: scale(d.Avoided),
			title: day(d.Date) + ": " + count(d.Calls, "chamada", "chamadas") + ", " + count(d.Avoided, "duplicidade evitada", "duplicidades evitadas") + ", " + count(d.Errors, "erro", "erros"),
		}
		c.y, c.savedY = chartTop+plot-c.height, chartTop+plot-c.saved
		if (len(u.Days)-1-i)%7 == 0 {
			c.label = day(d.Date)
		}
		columns = append(columns, c)
	}
	for _, part := range []int64{0, 1, 2} {
		n := top * part / 2
		marks = append(marks, mark{y: chartTop + plot - float64(n)/float64(top)*plot, text: number(n)})
	}
	return columns, marks
}

type mark struct {
	y    float64
	text string
}

// roundUp returns the next number of the form 2, 4, 10, 20, 40, 100…
func roundUp(n int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, step := range []int64{2, 4, 10} {
			if n <= step*unit {
				return step * unit
			}
		}
	}
}

func day(date string) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return t.Format("02/01")
}
