package sales

import (
	"context"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/money"
)

// Report is what was sold, day by day or month by month of the company's
// calendar, by the moment of the sale. Cancelled sales do not count. Sums may be
// above the limit of one amount.
type Report struct {
	civil.Period
	Group   string
	Total   Sum
	Periods []PeriodSum
}

// PeriodSum is what was sold in a period.
type PeriodSum struct {
	civil.Period
	Sum
}

// Sum is how many sales there are, what they add up to, and what of that is
// paid by now, whenever it was paid.
type Sum struct {
	Count       int64
	Total, Paid money.Cents
}

// Balance is what is still to be paid.
func (s Sum) Balance() money.Cents { return s.Total - s.Paid }

// Average is what a sale comes to; 0 without one.
func (s Sum) Average() money.Cents { return money.Average(s.Total, s.Count) }

// Report reports on a time; every period of it is there.
func (s *Service) Report(ctx context.Context, r db.Reader, d civil.Division) (*Report, error) {
	sums, err := sumSales(ctx, r, d, auth.CallerFrom(ctx).Location())
	if err != nil {
		return nil, err
	}
	report := &Report{Period: d.Whole(), Group: d.Group, Periods: make([]PeriodSum, len(d.Periods))}
	for i, period := range d.Periods {
		report.Periods[i] = PeriodSum{period, sums[i]}
		report.Total.Count += sums[i].Count
		report.Total.Total += sums[i].Total
		report.Total.Paid += sums[i].Paid
	}
	return report, nil
}
