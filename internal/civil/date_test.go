package civil_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fatureihoje/internal/civil"
)

func TestParse(t *testing.T) {
	tests := []struct {
		in   string
		want civil.Date
		err  error
	}{
		{"2026-03-01", civil.Date{Year: 2026, Month: time.March, Day: 1}, nil},
		{"2024-02-29", civil.Date{Year: 2024, Month: time.February, Day: 29}, nil},
		{"2000-02-29", civil.Date{Year: 2000, Month: time.February, Day: 29}, nil},
		{"1900-01-01", civil.Date{Year: 1900, Month: time.January, Day: 1}, nil},
		{"2200-12-31", civil.Date{Year: 2200, Month: time.December, Day: 31}, nil},
		{"1899-12-31", civil.Date{}, civil.ErrRange},
		{"2201-01-01", civil.Date{}, civil.ErrRange},
		{"0000-01-01", civil.Date{}, civil.ErrRange},
		{"9999-12-31", civil.Date{}, civil.ErrRange},
		{"2026-02-29", civil.Date{}, civil.ErrDay},
		{"1900-02-29", civil.Date{}, civil.ErrDay},
		{"2026-04-31", civil.Date{}, civil.ErrDay},
		{"2026-13-01", civil.Date{}, civil.ErrDay},
		{"2026-00-01", civil.Date{}, civil.ErrDay},
		{"2026-01-00", civil.Date{}, civil.ErrDay},
		{"", civil.Date{}, civil.ErrFormat},
		{"2026-3-1", civil.Date{}, civil.ErrFormat},
		{"2026-03-1 ", civil.Date{}, civil.ErrFormat},
		{"01/03/2026", civil.Date{}, civil.ErrFormat},
		{"20260301", civil.Date{}, civil.ErrFormat},
		{"2026-03-01T00:00:00Z", civil.Date{}, civil.ErrFormat},
		{" 2026-03-01", civil.Date{}, civil.ErrFormat},
		{"+026-03-01", civil.Date{}, civil.ErrFormat},
		{"-026-03-01", civil.Date{}, civil.ErrFormat},
		{"２026-03-1", civil.Date{}, civil.ErrFormat},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, err := civil.Parse(tt.in)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("got %v, %v, want %v, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestMonthlyOccurrence_KeepsTheAnchorDay(t *testing.T) {
	tests := map[string][]string{
		"2026-01-31": {"2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31", "2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31", "2027-01-31"},
		"2028-01-31": {"2028-01-31", "2028-02-29", "2028-03-31"},
		"2026-01-30": {"2026-01-30", "2026-02-28", "2026-03-30"},
		"2026-01-29": {"2026-01-29", "2026-02-28", "2026-03-29"},
		"2026-12-15": {"2026-12-15", "2027-01-15"},
	}
	for anchor, want := range tests {
		for n, date := range want {
			if got := civil.MonthlyOccurrence(parse(t, anchor), n); got != parse(t, date) {
				t.Errorf("%s, number %d: got %s, want %s", anchor, n, got, date)
			}
		}
	}
}

func TestMonthlyOccurrence_SkipsNoMonthAndDoublesNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		anchor, n := drawDate(t, "anchor"), rapid.IntRange(-500, 500).Draw(t, "n")

		got, next := civil.MonthlyOccurrence(anchor, n), civil.MonthlyOccurrence(anchor, n+1)

		if months(got)-months(anchor) != n || months(next)-months(got) != 1 {
			t.Fatalf("%s, %s, %s", anchor, got, next)
		}
		if got.Day > anchor.Day || got.Day < anchor.Day && got.AddDays(1).Month == got.Month {
			t.Fatalf("%s becomes %s", anchor, got)
		}
	})
}

func TestAddMonths_CrossesYearsBothWays(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		want string
	}{
		{"2026-01-31", -1, "2025-12-31"},
		{"2026-03-31", -1, "2026-02-28"},
		{"2024-02-29", 12, "2025-02-28"},
		{"2024-02-29", -48, "2020-02-29"},
		{"2026-05-10", 0, "2026-05-10"},
		{"2026-11-30", 3, "2027-02-28"},
	}
	for _, tt := range tests {
		if got := parse(t, tt.in).AddMonths(tt.n); got != parse(t, tt.want) {
			t.Errorf("%s, %d months: got %s, want %s", tt.in, tt.n, got, tt.want)
		}
	}
}

func TestDate_ReadsBackItsOwnText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDate(t, "d")

		again, err := civil.Parse(d.String())

		if again != d || err != nil {
			t.Fatalf("%s became %s, %v", d, again, err)
		}
	})
}

func TestAddDays_OrdersAndUndoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := drawDate(t, "d"), rapid.IntRange(-100_000, 100_000).Draw(t, "n")

		moved := d.AddDays(n)

		if moved.AddDays(-n) != d {
			t.Fatalf("%s, %d days: %s, and back %s", d, n, moved, moved.AddDays(-n))
		}
		if moved.After(d) != (n > 0) || moved.Before(d) != (n < 0) || moved.Compare(d) != -d.Compare(moved) {
			t.Fatalf("%s against %s, %d days apart", moved, d, n)
		}
		if want := (int(d.Weekday()) + n%7 + 7) % 7; int(moved.Weekday()) != want {
			t.Fatalf("%s is a %s", moved, moved.Weekday())
		}
	})
}

func TestWeekday(t *testing.T) {
	if got := parse(t, "2026-03-01").Weekday(); got != time.Sunday {
		t.Errorf("got %s", got)
	}
}

// months counts the months from year 0.
func months(d civil.Date) int { return d.Year*12 + int(d.Month) }

func drawDate(t *rapid.T, label string) civil.Date {
	first := civil.Date{Year: 1900, Month: time.January, Day: 1}
	return first.AddDays(rapid.IntRange(0, 109_937).Draw(t, label+", days from 1900-01-01"))
}

func parse(t interface{ Fatal(...any) }, s string) civil.Date {
	d, err := civil.Parse(s)
	if err != nil {
		t.Fatal(s, err)
	}
	return d
}
