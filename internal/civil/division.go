package civil

import "time"

// The longest time that a report covers.
const (
	MaxDays   = 366
	MaxMonths = 36
)

// Groups of a report.
const (
	ByDay   = "day"
	ByMonth = "month"
)

// Period is the days from one to the other, both included.
type Period struct{ From, To Date }

// Division is a time cut into days or months; the first and the last month may
// be parts of one.
type Division struct {
	Group   string // ByDay or ByMonth
	Periods []Period
}

// Divide cuts a time. It reports ErrBeforeStart for one that ends before it
// starts, or ErrTooLong for one of more than MaxDays days or MaxMonths months.
func Divide(whole Period, group string) (Division, error) {
	if whole.To.Before(whole.From) {
		return Division{}, ErrBeforeStart
	}
	limit := MaxDays
	if group == ByMonth {
		limit = MaxMonths
	}
	d := Division{Group: group}
	for start := whole.From; !start.After(whole.To); {
		if len(d.Periods) == limit {
			return Division{}, ErrTooLong
		}
		next := start.AddDays(1)
		if group == ByMonth {
			next = Date{Year: start.Year, Month: start.Month, Day: 1}.AddMonths(1)
		}
		end := next.AddDays(-1)
		if end.After(whole.To) {
			end = whole.To
		}
		d.Periods = append(d.Periods, Period{From: start, To: end})
		start = next
	}
	return d, nil
}

// Whole is the time that was divided.
func (d Division) Whole() Period {
	return Period{From: d.Periods[0].From, To: d.Periods[len(d.Periods)-1].To}
}

// Bounds are the beginnings of the periods, and the day after the last.
func (d Division) Bounds() []Date {
	days := make([]Date, 0, len(d.Periods)+1)
	for _, p := range d.Periods {
		days = append(days, p.From)
	}
	return append(days, d.Whole().To.AddDays(1))
}

// Instants are the first instants of the Bounds in loc.
func (d Division) Instants(loc *time.Location) []time.Time {
	var instants []time.Time
	for _, day := range d.Bounds() {
		instants = append(instants, day.In(loc))
	}
	return instants
}
