package main

import (
	"strings"
	"testing"
	"time"
)

func TestParseExceptions_ReadsLinesAndSkipsComments(t *testing.T) {
	const list = `
# a comment
GO-2026-1234 2026-12-31 only parses our own files
`

	got, err := parseExceptions(strings.NewReader(list))
	if err != nil {
		t.Fatal(err)
	}

	if len(got) != 1 || got["GO-2026-1234"].reason != "only parses our own files" {
		t.Errorf("got %+v", got)
	}
}

func TestParseExceptions_RefusesWhatItCannotHold(t *testing.T) {
	tests := map[string]string{
		"no reason":       "GO-2026-1234 2026-12-31",
		"no date":         "GO-2026-1234 because we say so",
		"unknown ID form": "CVE-2026-1234 2026-12-31 a reason",
		"the same twice":  "GO-2026-1234 2026-12-31 one\nGO-2026-1234 2027-12-31 two",
	}
	for name, list := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := parseExceptions(strings.NewReader(list)); err == nil {
				t.Errorf("accepted as %+v", got)
			}
		})
	}
}

func TestExpired_HoldsThroughTheLastDay(t *testing.T) {
	e := exception{lastDay: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)}

	if e.expired(time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)) {
		t.Error("expired during its last day")
	}
	if !e.expired(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("still valid after its last day")
	}
}
