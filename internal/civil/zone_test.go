package civil_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"fatureihoje/internal/civil"
)

func TestIn_IsTheFirstInstantOfTheDay(t *testing.T) {
	tests := []struct{ name, zone, date, want string }{
		{"ordinary day", "America/Sao_Paulo", "2026-03-01", "2026-03-01T00:00:00-03:00"},
		{"UTC", "UTC", "2026-03-01", "2026-03-01T00:00:00Z"},
		{"midnight skipped", "America/Sao_Paulo", "2018-11-04", "2018-11-04T01:00:00-02:00"},
		{"day before midnight is skipped", "America/Sao_Paulo", "2018-11-03", "2018-11-03T00:00:00-03:00"},
		{"midnight turned back to 23:00", "America/Sao_Paulo", "2018-02-18", "2018-02-18T00:00:00-03:00"},
		{"day with 25 hours", "America/Sao_Paulo", "2018-02-17", "2018-02-17T00:00:00-02:00"},
		{"01:00 turned back to midnight", "America/Havana", "2018-11-04", "2018-11-04T00:00:00-04:00"},
		{"00:01 turned back to 23:01", "America/St_Johns", "2010-11-07", "2010-11-07T00:00:00-02:30"},
		{"midnight skipped, east", "Asia/Beirut", "2022-03-27", "2022-03-27T01:00:00+03:00"},
		{"last of a leap year beyond the zone's table", "Europe/London", "2072-12-31", "2072-12-31T00:00:00Z"},
		{"day left out", "Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00"},
		{"day before one left out", "Pacific/Apia", "2011-12-29", "2011-12-29T00:00:00-10:00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := parse(t, tt.date).In(zone(t, tt.zone))
			if got.Format(time.RFC3339) != tt.want {
				t.Errorf("got %s, want %s", got.Format(time.RFC3339), tt.want)
			}
		})
	}
}

func TestIn_DividesTimeIntoDays(t *testing.T) {
	zones := []string{
		"America/Sao_Paulo", "America/Manaus", "America/Noronha", "America/Rio_Branco",
		"UTC", "Europe/London", "America/Havana", "America/St_Johns", "Asia/Beirut", "Australia/Lord_Howe",
	}
	rapid.Check(t, func(t *rapid.T) {
		loc := zone(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		d := drawDate(t, "d")

		start := d.In(loc)

		if got := civil.DateOf(start, loc); got != d {
			t.Fatalf("starts at %s, on %s", start, got)
		}
		if got := civil.DateOf(start.Add(-1), loc); !got.Before(d) {
			t.Fatalf("starts at %s, but a nanosecond earlier is %s already", start, got)
		}
		if next := d.AddDays(1).In(loc); !next.After(start) {
			t.Fatalf("starts at %s, the next day at %s", start, next)
		}
	})
}

func TestDateOf_ReadsTheTenantsCalendar(t *testing.T) {
	lateOnTheLastOfTheMonth := time.Date(2026, time.April, 1, 1, 0, 0, 0, time.UTC)

	if got := civil.DateOf(lateOnTheLastOfTheMonth, zone(t, "America/Sao_Paulo")); got != parse(t, "2026-03-31") {
		t.Errorf("got %s", got)
	}
	if got := civil.DateOf(lateOnTheLastOfTheMonth, time.UTC); got != parse(t, "2026-04-01") {
		t.Errorf("got %s", got)
	}
}

func zone(t interface{ Fatal(...any) }, name string) *time.Location {
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}
