package finance

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fatureihoje/internal/civil"
)

func day(t testing.TB, text string) civil.Date {
	t.Helper()
	d, err := civil.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func ruleOf(t testing.TB, frequency, start string) *Rule {
	t.Helper()
	r := &Rule{Frequency: frequency, StartDate: day(t, start), BusinessDay: BusinessNone, NextNumber: 1}
	r.FirstDate = firstDate(frequency, r.StartDate, r.day())
	r.settle()
	return r
}

func datesOf(list []Transaction) []string {
	var dates []string
	for _, t := range list {
		dates = append(dates, t.DueDate.String())
	}
	return dates
}

func TestRule_KeepsItsAnchorDay(t *testing.T) {
	t.Parallel()
	dueDay := 31
	for _, c := range []struct {
		frequency, start string
		dueDay           *int
		want             []string
	}{
		{Monthly, "2026-01-31", nil, []string{"2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"}},
		{Monthly, "2026-01-30", nil, []string{"2026-01-30", "2026-02-28", "2026-03-30"}},
		{Monthly, "2026-01-29", nil, []string{"2026-01-29", "2026-02-28", "2026-03-29"}},
		{Monthly, "2028-01-29", nil, []string{"2028-01-29", "2028-02-29", "2028-03-29"}},
		{Monthly, "2026-02-10", &dueDay, []string{"2026-02-28", "2026-03-31", "2026-04-30"}},
		{Monthly, "2026-04-30", &dueDay, []string{"2026-04-30", "2026-05-31", "2026-06-30"}},
		{Bimonthly, "2026-12-31", nil, []string{"2026-12-31", "2027-02-28", "2027-04-30"}},
		{Quarterly, "2026-11-30", nil, []string{"2026-11-30", "2027-02-28", "2027-05-30"}},
		{Semiannual, "2026-08-31", nil, []string{"2026-08-31", "2027-02-28", "2027-08-31", "2028-02-29"}},
		{Yearly, "2028-02-29", nil, []string{"2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"}},
		{Weekly, "2026-12-28", nil, []string{"2026-12-28", "2027-01-04"}},
		{Biweekly, "2028-02-15", nil, []string{"2028-02-15", "2028-02-29", "2028-03-14"}},
	} {
		r := ruleOf(t, c.frequency, c.start)
		r.DueDay, r.Count = c.dueDay, new(len(c.want))
		r.FirstDate = firstDate(r.Frequency, r.StartDate, r.day())
		r.settle()
		if got := datesOf(r.take(day(t, "2200-01-01"))); !slices.Equal(got, c.want) {
			t.Errorf("%s from %s: %v", c.frequency, c.start, got)
		}
	}
}

func TestRule_DueDayBeforeTheStartBeginsAPeriodLater(t *testing.T) {
	t.Parallel()
	if got := firstDate(Monthly, day(t, "2026-01-20"), 10); got != day(t, "2026-02-10") {
		t.Errorf("the first date is %s", got)
	}
	if got := firstDate(Yearly, day(t, "2026-12-31"), 1); got != day(t, "2027-12-01") {
		t.Errorf("the first date is %s", got)
	}
}

func TestRule_EndsWithItsCountOrItsDate(t *testing.T) {
	t.Parallel()
	far := day(t, "2200-12-31")
	counted, dated, exact := ruleOf(t, Monthly, "2026-01-31"), ruleOf(t, Weekly, "2026-01-01"), ruleOf(t, Weekly, "2026-01-01")
	counted.Count = new(12)
	dated.EndDate = new(day(t, "2026-01-21"))
	exact.EndDate = new(day(t, "2026-01-22"))

	if n := len(counted.take(far)); n != 12 || counted.NextDate != nil {
		t.Errorf("12 times: %d", n)
	}
	if n := len(dated.take(far)); n != 3 {
		t.Errorf("to the day before the fourth: %d", n)
	}
	if n := len(exact.take(far)); n != 4 {
		t.Errorf("to the day of the fourth: %d", n)
	}
	if n := len(ruleOf(t, Weekly, "2026-01-01").take(far)); n != MaxOccurrences {
		t.Errorf("without an end: %d at once", n)
	}
}

func TestRule_MovesToABusinessDay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ date, next, previous string }{
		{"2026-11-28", "2026-11-30", "2026-11-27"}, // a Saturday
		{"2026-12-25", "2026-12-28", "2026-12-24"}, // Natal, a Friday
		{"2027-01-01", "2027-01-04", "2026-12-31"}, // New Year, a Friday
		{"2026-02-16", "2026-02-18", "2026-02-13"}, // Carnival: Monday, and Tuesday after it
		{"2026-04-03", "2026-04-06", "2026-04-02"}, // Good Friday
		{"2026-06-04", "2026-06-05", "2026-06-03"}, // Corpus Christi
		{"2026-11-20", "2026-11-23", "2026-11-19"}, // Consciência Negra, a Friday
		{"2023-11-20", "2023-11-20", "2023-11-20"}, // not yet national
		{"2026-12-31", "2026-12-31", "2026-12-31"}, // a day like another
	} {
		for rule, want := range map[string]string{BusinessNone: c.date, BusinessNext: c.next, BusinessPrevious: c.previous} {
			r := &Rule{BusinessDay: rule}
			if got := r.due(day(t, c.date)).String(); got != want {
				t.Errorf("%s %s: %s, not %s", c.date, rule, got, want)
			}
		}
	}
}

func TestEaster_OfKnownYears(t *testing.T) {
	t.Parallel()
	for _, want := range []string{
		"1900-04-15", "1943-04-25", "1961-04-02", "2000-04-23", "2008-03-23", "2011-04-24", "2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28",
		"2038-04-25", "2100-03-28", "2200-04-06",
	} {
		if got := easter(day(t, want).Year); got.String() != want {
			t.Errorf("Easter of %s: %s", want, got)
		}
	}
}

func TestRule_YearsOfOccurrencesNeverDrift(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		frequency := rapid.SampledFrom([]string{Weekly, Biweekly, Monthly, Bimonthly, Quarterly, Semiannual, Yearly}).Draw(rt, "frequency")
		start := civil.Date{Year: 1970, Month: 1, Day: 1}.AddDays(rapid.IntRange(0, 40_000).Draw(rt, "start"))
		r := &Rule{Frequency: frequency, StartDate: start, BusinessDay: BusinessNone, NextNumber: 1}
		days, months := step(frequency)
		if days == 0 && rapid.Bool().Draw(rt, "has a day") {
			r.DueDay = new(rapid.IntRange(1, 31).Draw(rt, "day"))
		}
		r.FirstDate = firstDate(frequency, start, r.day())
		r.settle()

		made := r.take(start.AddDays(4_000))

		if made[0].DueDate.Before(start) {
			rt.Fatalf("begins before its start: %v", made[0].DueDate)
		}
		for i := 1; i < len(made); i++ {
			before, d := made[i-1].DueDate, made[i].DueDate
			if days > 0 {
				if before.AddDays(days) != d {
					rt.Fatalf("%v then %v", before, d)
				}
				continue
			}
			gap := (d.Year-before.Year)*12 + int(d.Month) - int(before.Month)
			last := civil.Date{Year: d.Year, Month: d.Month, Day: 1}.AddMonths(1).AddDays(-1)
			if gap != months || d.Day != min(r.day(), last.Day) {
				rt.Fatalf("%v then %v", before, d)
			}
		}
	})
}

func TestBusinessDay_IsAtMostFiveDaysAway(t *testing.T) {
	t.Parallel()
	for d := (civil.Date{Year: 2020, Month: time.January, Day: 1}); d.Year < 2060; d = d.AddDays(1) {
		for _, rule := range []string{BusinessNext, BusinessPrevious} {
			moved := (&Rule{BusinessDay: rule}).due(d)
			if !isBusinessDay(moved) || moved.After(d.AddDays(5)) || moved.Before(d.AddDays(-5)) {
				t.Fatalf("%s %s: %s", d, rule, moved)
			}
		}
	}
}
