package civil_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fatureihoje/internal/civil"
)

var (
	_ driver.Valuer = civil.Date{}
	_ sql.Scanner   = (*civil.Date)(nil)
)

func TestDate_SurvivesJSONAndColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDate(t, "d")
		body, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		column, err := d.Value()
		if err != nil {
			t.Fatal(err)
		}

		var fromJSON, fromColumn civil.Date
		errJSON, errColumn := json.Unmarshal(body, &fromJSON), fromColumn.Scan(column)

		if string(body) != `"`+d.String()+`"` || fromJSON != d || fromColumn != d || errJSON != nil || errColumn != nil {
			t.Fatalf("%s: %s, %s, %v, %v", d, body, fromColumn, errJSON, errColumn)
		}
	})
}

func TestScan_TakesTheDateAsItReads(t *testing.T) {
	want := parse(t, "2026-03-01")
	saoPaulo := zone(t, "America/Sao_Paulo")
	for _, src := range []any{
		"2026-03-01",
		[]byte("2026-03-01"),
		time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2026, time.March, 1, 0, 0, 0, 0, saoPaulo),
	} {
		var got civil.Date
		if err := got.Scan(src); err != nil || got != want {
			t.Errorf("%v: got %s, %v", src, got, err)
		}
	}
}

func TestScan_RefusesWhatIsNoDate(t *testing.T) {
	for _, src := range []any{nil, 20260301, "infinity", "2026-02-30"} {
		var got civil.Date
		if err := got.Scan(src); err == nil {
			t.Errorf("%v: got %s", src, got)
		}
	}
}

func TestDate_WritesNoDayThatDoesNotExist(t *testing.T) {
	for _, d := range []civil.Date{{}, {Year: 2026, Month: time.February, Day: 30}} {
		_, errText := d.MarshalText()
		_, errValue := d.Value()
		if !errors.Is(errText, civil.ErrDay) || !errors.Is(errValue, civil.ErrDay) {
			t.Errorf("%#v: %v, %v", d, errText, errValue)
		}
	}
}

func TestUnmarshalText_KeepsTheOldDateOnError(t *testing.T) {
	d := parse(t, "2026-03-01")
	if err := d.UnmarshalText([]byte("2026-02-30")); err == nil || d != parse(t, "2026-03-01") {
		t.Errorf("got %s, %v", d, err)
	}
}
