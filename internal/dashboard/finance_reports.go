package dashboard

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"fatureihoje/internal/problem"
)

// cashSums are what came in and went out in a time, and the balances around it;
// and the same of what is open and due in it. All in cents.
type cashSums struct {
	From             string `json:"from"`
	To               string `json:"to"`
	Opening          int64  `json:"opening_cents"`
	In               int64  `json:"in_cents"`
	Out              int64  `json:"out_cents"`
	Closing          int64  `json:"closing_cents"`
	ProjectedOpening int64  `json:"projected_opening_cents"`
	ProjectedIn      int64  `json:"projected_in_cents"`
	ProjectedOut     int64  `json:"projected_out_cents"`
	ProjectedClosing int64  `json:"projected_closing_cents"`
}

type cashFlow struct {
	cashSums
	Group   string     `json:"group"`
	Periods []cashSums `json:"periods"`
}

// flowAsked is what the page of the cash flow is asked for.
type flowAsked struct{ from, to, group string }

const (
	byDay   = "day"
	byMonth = "month"
)

func groups() []choice { return []choice{{byDay, "Por dia"}, {byMonth, "Por mês"}} }

func (a flowAsked) query() url.Values {
	return url.Values{"from": {a.from}, "to": {a.to}, "group": {a.group}}
}

func (a flowAsked) page() string { return cashFlowAt + "?" + a.query().Encode() }

// monthsFrom is the time of some months, of which the first is a number of
// months away from this one.
func (v *visit) monthsFrom(away, count int, group string) flowAsked {
	now := v.today()
	first := now.AddDate(0, away, 1-now.Day())
	return flowAsked{first.Format(time.DateOnly), first.AddDate(0, count, -1).Format(time.DateOnly), group}
}

// flowShortcuts are the times that are asked for most.
func (v *visit) flowShortcuts() []choice {
	return []choice{
		{v.monthsFrom(0, 1, byDay).page(), "Este mês"},
		{v.monthsFrom(-1, 1, byDay).page(), "Mês passado"},
		{v.monthsFrom(0, 3, byMonth).page(), "Próximos 3 meses"},
		{v.monthsFrom(-11, 12, byMonth).page(), "Últimos 12 meses"},
	}
}

func cashFlowPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	asked, query := v.monthsFrom(0, 1, byDay), v.r.URL.Query()
	for name, into := range map[string]*string{"from": &asked.from, "to": &asked.to, "group": &asked.group} {
		if query.Has(name) {
			*into = query.Get(name)
		}
	}
	flow, err := get[cashFlow](v, "reportCashFlow", nil, asked.query())
	if problem.Is(err, problem.Forbidden) || err != nil && !v.refused(err) {
		return nil, err
	}
	return show("Fluxo de caixa", cashFlowAt, cashFlowBody(v, asked, flow))
}

// periodName is a time of the flow: a day, or a month with its year.
func (f cashFlow) periodName(p cashSums) string {
	if f.Group == byMonth {
		return monthOf(p.From) + "/" + p.From[:min(len(p.From), 4)]
	}
	return brazilianDate(p.From)
}

// maxLabels is how many names of times fit below a chart.
const maxLabels = 12

// drawing is the chart of the flow.
func (f cashFlow) drawing() flowDrawing {
	d := flowDrawing{name: "Entradas e saídas, em reais", summary: f.summary(), tells: true}
	apart := (len(f.Periods) + maxLabels - 1) / maxLabels
	for i, p := range f.Periods {
		b := flowBar{
			cameIn: p.In, toCome: p.ProjectedIn, wentOut: p.Out, toGo: p.ProjectedOut,
			title: f.periodName(p) + ": entrou " + moneyText(p.In) + ", saiu " + moneyText(p.Out) + "; a entrar " + moneyText(p.ProjectedIn) + ", a sair " + moneyText(p.ProjectedOut),
		}
		if i%apart == 0 {
			b.label = f.shortName(p)
		}
		d.bars = append(d.bars, b)
	}
	return d
}

func (f cashFlow) shortName(p cashSums) string {
	if f.Group == byMonth {
		return monthOf(p.From) + "/" + p.From[min(len(p.From), 2):min(len(p.From), 4)]
	}
	return day(p.From)
}

// summary is the flow in a sentence.
func (f cashFlow) summary() string {
	return "De " + brazilianDate(f.From) + " a " + brazilianDate(f.To) + ": entraram " + moneyText(f.In) + " e saíram " + moneyText(f.Out) +
		"; ainda a entrar " + moneyText(f.ProjectedIn) + " e a sair " + moneyText(f.ProjectedOut) + "."
}

// moving are the times in which anything comes or goes: in the others the
// balances stay.
func (f cashFlow) moving() []cashSums {
	return slices.DeleteFunc(slices.Clone(f.Periods), func(p cashSums) bool { return !p.moves() })
}

// moves reports that anything comes or goes in the time.
func (p cashSums) moves() bool {
	return p.In != 0 || p.Out != 0 || p.ProjectedIn != 0 || p.ProjectedOut != 0
}

// paid and due are the transactions that a sum of the time is of.
func (p cashSums) paid(kind string) string {
	return transactionsBy("type", kind, "status", "paid", "paid_from", p.From, "paid_to", p.To)
}

func (p cashSums) due(kind string) string {
	return transactionsBy("type", kind, "status", "pending", "due_from", p.From, "due_to", p.To, sortParam, dueSoonest)
}

// band is what is overdue by a number of days.
type band struct {
	sum
	From int  `json:"from_days"`
	To   *int `json:"to_days"`
}

type receivables struct {
	AsOf     string `json:"as_of"`
	Overdue  sum    `json:"overdue"`
	Upcoming sum    `json:"upcoming"`
	Bands    []band `json:"bands"`
}

// name is how late the band is, in words.
func (b band) name() string {
	if b.To == nil {
		return "Mais de " + count(int64(b.From-1), "dia", "dias")
	}
	return strconv.Itoa(b.From) + " a " + count(int64(*b.To), "dia", "dias")
}

// overdue is the list of what is overdue in a band.
func (r receivables) overdueIn(b band) string {
	pairs := []string{"type", kindIncome, "status", "overdue", "due_to", r.daysAgo(b.From), sortParam, dueSoonest}
	if b.To != nil {
		pairs = append(pairs, "due_from", r.daysAgo(*b.To))
	}
	return transactionsBy(pairs...)
}

func (r receivables) daysAgo(days int) string {
	t, err := time.Parse(time.DateOnly, r.AsOf)
	if err != nil {
		return ""
	}
	return t.AddDate(0, 0, -days).Format(time.DateOnly)
}

func (r receivables) overdueAll() string {
	return transactionsBy("type", kindIncome, "status", "overdue", sortParam, dueSoonest)
}

func (r receivables) upcomingAll() string {
	return transactionsBy("type", kindIncome, "status", "pending", "due_from", r.AsOf, sortParam, dueSoonest)
}

// share is how much of all that is overdue is in the band, of a hundred.
func (r receivables) share(b band) int64 {
	if r.Overdue.Cents == 0 {
		return 0
	}
	return max(b.Cents*100/r.Overdue.Cents, min(b.Cents, 1)) // what is little is seen too
}

func receivablesPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	r, err := get[receivables](v, "reportReceivables", nil, nil)
	if err != nil {
		return nil, err
	}
	late, err := v.receivableTable("Atrasados há mais tempo", r.overdueAll(), url.Values{"status": {"overdue"}})
	if err != nil {
		return nil, err
	}
	next, err := v.receivableTable("Próximos a vencer", r.upcomingAll(), url.Values{"status": {"pending"}, "due_from": {r.AsOf}})
	if err != nil {
		return nil, err
	}
	return show("A receber", receivablesAt, receivablesBody(v, r, []tableOf{late, next}))
}

// receivableTable are the first transactions of a list, with their clients.
func (v *visit) receivableTable(title, all string, query url.Values) (tableOf, error) {
	res := transactionPages()
	res.columns = slices.Insert(without(res.columns, "Tipo", "Conta"), 1, clientName())
	query["type"], query["sort"], query["order"], query["limit"] = []string{kindIncome}, []string{"due_date"}, []string{"asc"}, []string{maxRelated}
	found, err := get[list[object]](v, res.list, nil, query)
	if err != nil {
		return tableOf{}, err
	}
	return tableOf{title: title, res: res, records: found.Data, all: all}, v.learnNames(res.columns, found.Data)
}
