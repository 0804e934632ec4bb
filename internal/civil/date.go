package civil

import (
	"cmp"
	"time"
)

// Date is a day of the Gregorian calendar. Dates are equal under ==. The zero
// value is no date: it is before all others, and neither text nor a column
// takes it.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// The years Parse accepts: no birthday is earlier and no due date later.
const (
	minYear = 1900
	maxYear = 2200
)

// Parse reads YYYY-MM-DD, and only that: no time, no sign, no single digits. It
// reports ErrFormat, ErrDay for a day that does not exist, as 2026-02-29, or
// ErrRange for a year outside 1900 to 2200.
func Parse(s string) (Date, error) {
	if !isWritten(s) {
		return Date{}, ErrFormat
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, ErrDay
	}
	d := dateIn(t)
	if d.Year < minYear || d.Year > maxYear {
		return Date{}, ErrRange
	}
	return d, nil
}

// DateOf is the date on the wall calendar of loc at the instant t.
func DateOf(t time.Time, loc *time.Location) Date { return dateIn(t.In(loc)) }

// String returns YYYY-MM-DD.
func (d Date) String() string { return d.utc().Format(time.DateOnly) }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return d.utc().Weekday() }

// AddDays is the date n days later, or earlier for a negative n.
func (d Date) AddDays(n int) Date { return dateIn(d.utc().AddDate(0, 0, n)) }

// AddMonths is the same day n months later, or the last day of that month if it
// is shorter. Adding one month twice may differ from adding two: dates that
// recur are computed with MonthlyOccurrence.
func (d Date) AddMonths(n int) Date {
	first := dateIn(time.Date(d.Year, d.Month+time.Month(n), 1, 0, 0, 0, 0, time.UTC))
	first.Day = min(d.Day, first.lastDay())
	return first
}

// MonthlyOccurrence is the n-th monthly recurrence of anchor, which is itself
// number 0. It is computed from the anchor, never from the occurrence before, so
// that a day survives the short months: 31 January, 28 February, 31 March.
func MonthlyOccurrence(anchor Date, n int) Date { return anchor.AddMonths(n) }

// Before says whether d is earlier than other.
func (d Date) Before(other Date) bool { return d.Compare(other) < 0 }

// After says whether d is later than other.
func (d Date) After(other Date) bool { return d.Compare(other) > 0 }

// Compare is -1, 0 or 1 as d is earlier than, equal to or later than other.
func (d Date) Compare(other Date) int {
	return cmp.Or(
		cmp.Compare(d.Year, other.Year),
		cmp.Compare(d.Month, other.Month),
		cmp.Compare(d.Day, other.Day),
	)
}

// utc is midnight of the day in UTC, where every day has 24 hours and one
// midnight: good for reckoning with days, not for the instants of a tenant.
func (d Date) utc() time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)
}

// lastDay is how many days the month of d has.
func (d Date) lastDay() int {
	return time.Date(d.Year, d.Month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// exists says whether d is a day of the calendar, which the zero value is not.
func (d Date) exists() bool { return dateIn(d.utc()) == d }

func dateIn(t time.Time) Date {
	year, month, day := t.Date()
	return Date{Year: year, Month: month, Day: day}
}

// isWritten says whether s has the digits and hyphens of YYYY-MM-DD.
func isWritten(s string) bool {
	if len(s) != len(time.DateOnly) {
		return false
	}
	for i := range len(s) {
		hyphen := i == 4 || i == 7
		if hyphen != (s[i] == '-') || !hyphen && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}
