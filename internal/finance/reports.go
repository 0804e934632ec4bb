package finance

import (
	"context"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
)

// CashFlow is what came in and went out of all accounts together, day by day or
// month by month of the company's calendar. Transfers are neither. Sums may be
// above the limit of one amount, and balances below zero.
type CashFlow struct {
	civil.Period
	Group   string
	Total   Period // of the whole time
	Periods []Period
}

// Period is one line of a cash flow. What is realised is paid in the period;
// what is projected is pending and due in it. The projected balances add to the
// real ones all that is due up to then, what is overdue before the whole time
// included.
type Period struct {
	civil.Period
	Opening, In, Out, Closing int64
	ProjectedOpening          int64
	ProjectedIn, ProjectedOut int64
	ProjectedClosing          int64
}

// CashFlow reports on a time.
func (s *Service) CashFlow(ctx context.Context, r db.Reader, d civil.Division) (*CashFlow, error) {
	sums, err := sumFlow(ctx, r, d, auth.CallerFrom(ctx).Location())
	if err != nil {
		return nil, err
	}
	return flowOf(d, sums), nil
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
func flowOf(d civil.Division, sums flowSums) *CashFlow {
	balance := sums.balance
	for _, moved := range sums.paid[1:] {
		balance -= moved.net()
	}
	projected := balance + sums.pending[0].net()
	flow := &CashFlow{Period: d.Whole(), Group: d.Group, Periods: make([]Period, len(d.Periods))}
	flow.Total = Period{Period: flow.Period, Opening: balance, ProjectedOpening: projected}
	for i := range flow.Periods {
		p, paid, pending := &flow.Periods[i], sums.paid[i+1], sums.pending[i+1]
		p.Period = d.Periods[i]
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
