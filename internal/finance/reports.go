package finance

import (
	"context"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// The longest time that a cash flow covers.
const (
	MaxDays   = 366
	MaxMonths = 36
)

// Groups of a cash flow.
const (
	ByDay   = "day"
	ByMonth = "month"
)

// CashFlow is what came in and went out of all accounts together, day by day or
// month by month of the company's calendar. Transfers are neither. Sums may be
// above the limit of one amount, and balances below zero.
type CashFlow struct {
	From, To civil.Date
	Group    string
	Total    Period // of the whole time
	Periods  []Period
}

// Period is one line of a cash flow. What is realised is paid in the period;
// what is projected is pending and due in it. The projected balances add to the
// real ones all that is due up to then, what is overdue before the whole time
// included.
type Period struct {
	From, To                  civil.Date
	Opening, In, Out, Closing int64
	ProjectedOpening          int64
	ProjectedIn, ProjectedOut int64
	ProjectedClosing          int64
}

// CashFlow reports on the days from one to the other, both included.
func (s *Service) CashFlow(ctx context.Context, r db.Reader, from, to civil.Date, group string) (*CashFlow, error) {
	periods, err := divide(from, to, group)
	if err != nil {
		return nil, err
	}
	sums, err := sumFlow(ctx, r, flowQuery{periods: periods, zone: auth.CallerFrom(ctx).Location()})
	if err != nil {
		return nil, err
	}
	return flowOf(periods, sums, group), nil
}

// divide cuts a time into days or months; the first and the last month may be
// parts of one.
func divide(from, to civil.Date, group string) ([]Period, error) {
	if to.Before(from) {
		return nil, problem.Invalid(problem.Field{Pointer: "?to", Code: "before_start", Detail: problem.T(
			"O fim é antes do início.", "The end is before the start.")})
	}
	limit := MaxDays
	if group == ByMonth {
		limit = MaxMonths
	}
	var periods []Period
	for start := from; !start.After(to); {
		if len(periods) == limit {
			return nil, problem.Invalid(problem.Field{Pointer: "?to", Code: "too_long", Detail: problem.Tf(
				"O período vai até %d dias, ou %d meses com group=month.", "The time is up to %d days, or %d months with group=month.", MaxDays, MaxMonths)})
		}
		next := start.AddDays(1)
		if group == ByMonth {
			next = civil.Date{Year: start.Year, Month: start.Month, Day: 1}.AddMonths(1)
		}
		end := next.AddDays(-1)
		if end.After(to) {
			end = to
		}
		periods = append(periods, Period{From: start, To: end})
		start = next
	}
	return periods, nil
}

// flowSums are the sums of a cash flow's statement: of each period, of what
// comes after the last, and of what was pending before the first.
type flowSums struct {
	balance       int64 // of all accounts, now
	paid, pending []inOut
}

// inOut is what came in and went out. Index 0 is before the first period, and
// the last after the last.
type inOut struct{ in, out int64 }

func (f inOut) net() int64 { return f.in - f.out }

// flowOf reckons the balances: the opening one is the balance now less all that
// moved since.
func flowOf(periods []Period, sums flowSums, group string) *CashFlow {
	balance := sums.balance
	for _, moved := range sums.paid[1:] {
		balance -= moved.net()
	}
	projected := balance + sums.pending[0].net()
	last := len(periods) - 1
	flow := &CashFlow{From: periods[0].From, To: periods[last].To, Group: group, Periods: periods}
	flow.Total = Period{From: flow.From, To: flow.To, Opening: balance, ProjectedOpening: projected}
	for i := range periods {
		p, paid, pending := &periods[i], sums.paid[i+1], sums.pending[i+1]
		p.Opening, p.In, p.Out = balance, paid.in, paid.out
		p.ProjectedOpening, p.ProjectedIn, p.ProjectedOut = projected, pending.in, pending.out
		balance += paid.net()
		projected += paid.net() + pending.net()
		p.Closing, p.ProjectedClosing = balance, projected
		flow.Total.In += p.In
		flow.Total.Out += p.Out
		flow.Total.ProjectedIn += p.ProjectedIn
		flow.Total.ProjectedOut += p.ProjectedOut
	}
	flow.Total.Closing, flow.Total.ProjectedClosing = balance, projected
	return flow
}

// Receivables is the income that is pending, by how long it is overdue. What is
// due today is upcoming.
type Receivables struct {
	AsOf     civil.Date
	Overdue  Sum
	Upcoming Sum
	Bands    []Band
}

// Sum is how many transactions there are, and what they add up to.
type Sum struct {
	Count int64
	Cents int64
}

// Band is the income that is overdue by a number of days.
type Band struct {
	FromDays int
	ToDays   *int // nil: without an end
	Sum
}

// bandDays is how long a band is.
const bandDays = 30

// Receivables reports as of the company's today.
func (s *Service) Receivables(ctx context.Context, r db.Reader) (*Receivables, error) {
	day := today(ctx, r)
	sums, err := sumReceivables(ctx, r, day)
	if err != nil {
		return nil, err
	}
	report := &Receivables{AsOf: day, Upcoming: sums[0]}
	for i, sum := range sums[1:] {
		band := Band{FromDays: bandDays*i + 1, Sum: sum}
		if to := bandDays * (i + 1); i+1 < len(sums)-1 {
			band.ToDays = &to
		}
		report.Bands = append(report.Bands, band)
		report.Overdue.Count += sum.Count
		report.Overdue.Cents += sum.Cents
	}
	return report, nil
}

// flowQuery is what the statement of a cash flow is asked.
type flowQuery struct {
	periods []Period
	zone    *time.Location
}

// bounds are the beginnings of the periods and the end of the last.
func (q flowQuery) bounds() []civil.Date {
	var days []civil.Date
	for _, p := range q.periods {
		days = append(days, p.From)
	}
	return append(days, q.periods[len(q.periods)-1].To.AddDays(1))
}
