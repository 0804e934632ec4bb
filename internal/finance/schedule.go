package finance

import (
	"time"

	"fatureihoje/internal/civil"
)

// Frequencies of a rule.
const (
	Weekly     = "weekly"
	Biweekly   = "biweekly"
	Monthly    = "monthly"
	Bimonthly  = "bimonthly"
	Quarterly  = "quarterly"
	Semiannual = "semiannual"
	Yearly     = "yearly"
)

// What a rule does with a date on which banks are closed.
const (
	BusinessNone     = "none"
	BusinessNext     = "next"
	BusinessPrevious = "previous"
)

// MaxOccurrences is how many occurrences a rule may count, and how many are made
// at once.
const MaxOccurrences = 600

// lastYear is the last of which dates can be written.
const lastYear = 2200

// step is the distance between two occurrences: in days, or in months.
func step(frequency string) (days, months int) {
	switch frequency {
	case Weekly:
		return 7, 0
	case Biweekly:
		return 14, 0
	case Bimonthly:
		return 0, 2
	case Quarterly:
		return 0, 3
	case Semiannual:
		return 0, 6
	case Yearly:
		return 0, 12
	}
	return 0, 1
}

// dateOf is the date of occurrence n, counted from 1, of a series that begins at
// first. It is reckoned from the beginning, never from the occurrence before: in
// a short month the last day stands in for the anchor day, and the next month
// has the anchor day again (31 January, 28 February, 31 March).
func dateOf(frequency string, first civil.Date, day, n int) civil.Date {
	days, months := step(frequency)
	if days > 0 {
		return first.AddDays(days * (n - 1))
	}
	// January has every day that a month can have.
	anchor := civil.Date{Year: first.Year, Month: time.January, Day: day}
	return civil.MonthlyOccurrence(anchor, int(first.Month-time.January)+months*(n-1))
}

// firstDate is the first date on the day that is not before start.
func firstDate(frequency string, start civil.Date, day int) civil.Date {
	if d := dateOf(frequency, start, day, 1); !d.Before(start) {
		return d
	}
	return dateOf(frequency, start, day, 2)
}

// date is the date of the rule's occurrence n; false when the rule ends before.
func (r *Rule) date(n int) (civil.Date, bool) {
	if r.Count != nil && n > *r.Count {
		return civil.Date{}, false
	}
	d := dateOf(r.Frequency, r.FirstDate, r.day(), n)
	if d.Year > lastYear || r.EndDate != nil && d.After(*r.EndDate) {
		return civil.Date{}, false
	}
	return d, true
}

// day is the day of the month on which the rule falls.
func (r *Rule) day() int {
	if r.DueDay != nil {
		return *r.DueDay
	}
	return r.StartDate.Day
}

// due moves a date on which banks are closed to where the rule wants it.
func (r *Rule) due(d civil.Date) civil.Date {
	move := 0
	switch r.BusinessDay {
	case BusinessNext:
		move = 1
	case BusinessPrevious:
		move = -1
	}
	for move != 0 && !isBusinessDay(d) {
		d = d.AddDays(move)
	}
	return d
}
