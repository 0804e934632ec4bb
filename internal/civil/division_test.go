package civil_test

import (
	"errors"
	"testing"
	"time"

	"fatureihoje/internal/civil"
)

func TestDivide_CutsIntoTheCalendarsPeriods(t *testing.T) {
	for _, c := range []struct{ from, to, group, want string }{
		{"2026-02-27", "2026-03-01", civil.ByDay, "2026-02-27..2026-02-27 2026-02-28..2026-02-28 2026-03-01..2026-03-01"},
		{"2026-01-15", "2026-03-05", civil.ByMonth, "2026-01-15..2026-01-31 2026-02-01..2026-02-28 2026-03-01..2026-03-05"},
		{"2026-12-31", "2026-12-31", civil.ByMonth, "2026-12-31..2026-12-31"},
	} {
		d, err := civil.Divide(civil.Period{From: parse(t, c.from), To: parse(t, c.to)}, c.group)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, p := range d.Periods {
			if i > 0 {
				got += " "
			}
			got += p.From.String() + ".." + p.To.String()
		}
		if got != c.want || d.Whole() != (civil.Period{From: parse(t, c.from), To: parse(t, c.to)}) {
			t.Errorf("%s to %s by %s: %s", c.from, c.to, c.group, got)
		}
		if bounds := d.Bounds(); len(bounds) != len(d.Periods)+1 || bounds[len(d.Periods)] != d.Whole().To.AddDays(1) {
			t.Errorf("the bounds are %v", bounds)
		}
	}
}

func TestDivide_RefusesATimeThatIsNone(t *testing.T) {
	for _, c := range []struct {
		from, to, group string
		want            error
	}{
		{"2026-01-02", "2026-01-01", civil.ByDay, civil.ErrBeforeStart},
		{"2026-01-01", "2027-01-01", civil.ByDay, nil},
		{"2026-01-01", "2027-01-02", civil.ByDay, civil.ErrTooLong},
		{"2026-01-31", "2028-12-01", civil.ByMonth, nil},
		{"2026-01-31", "2029-01-01", civil.ByMonth, civil.ErrTooLong},
		{"1900-01-01", "2200-12-31", civil.ByDay, civil.ErrTooLong},
	} {
		if _, err := civil.Divide(civil.Period{From: parse(t, c.from), To: parse(t, c.to)}, c.group); !errors.Is(err, c.want) {
			t.Errorf("%s to %s by %s: %v", c.from, c.to, c.group, err)
		}
	}
}

func TestDivision_BeginsWhereTheZonesDaysDo(t *testing.T) {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	d, err := civil.Divide(civil.Period{From: parse(t, "2018-11-03"), To: parse(t, "2018-11-04")}, civil.ByDay)
	if err != nil {
		t.Fatal(err)
	}

	for i, want := range []string{"2018-11-03T03:00:00Z", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"} { // summer time skipped a midnight
		if got := d.Instants(zone)[i].UTC().Format(time.RFC3339); got != want {
			t.Errorf("bound %d: want %s, got %s", i, want, got)
		}
	}
}
