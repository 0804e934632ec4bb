package main

import (
	"strings"
	"testing"
	"time"
)

// Three findings as govulncheck prints them: one called (first seen as merely
// imported), one imported, one only required.
const output = `
{"config":{"protocol_version":"v1.0.0","go_version":"go1.26.0"}}
{"osv":{"id":"GO-2021-0113","summary":"Out-of-bounds read in golang.org/x/text/language"}}
{"finding":{"osv":"GO-2021-0113","fixed_version":"v0.3.7","trace":[{"module":"golang.org/x/text","version":"v0.3.6","package":"golang.org/x/text/language"}]}}
{"finding":{"osv":"GO-2021-0113","fixed_version":"v0.3.7","trace":[
  {"module":"golang.org/x/text","version":"v0.3.6","package":"golang.org/x/text/language","function":"Parse"},
  {"module":"toy","package":"toy","function":"main"}]}}
{"finding":{"osv":"GO-2022-1059","trace":[{"module":"golang.org/x/text","version":"v0.3.6","package":"golang.org/x/text/language"}]}}
{"finding":{"osv":"GO-2020-0015","trace":[{"module":"golang.org/x/text","version":"v0.3.6"}]}}
`

var today = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func reportOf(t *testing.T, allowList string) (bool, string) {
	t.Helper()
	found, err := readScan(strings.NewReader(output))
	if err != nil {
		t.Fatal(err)
	}
	exceptions, err := parseExceptions(strings.NewReader(allowList))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	passed := report(&text, found, exceptions, today)
	return passed, text.String()
}

func TestReport_FailsOnACalledVulnerabilityAndShowsTheWay(t *testing.T) {
	passed, text := reportOf(t, "")

	if passed {
		t.Error("passed")
	}
	for _, want := range []string{"GO-2021-0113: Out-of-bounds", "v0.3.7", "toy.main", "2 in code that nothing calls"} {
		if !strings.Contains(text, want) {
			t.Errorf("report lacks %q:\n%s", want, text)
		}
	}
}

func TestReport_PassesWhatTheAllowListExcuses(t *testing.T) {
	passed, text := reportOf(t, "GO-2021-0113 2026-11-30 parses constants only")

	if !passed {
		t.Errorf("failed:\n%s", text)
	}
}

func TestReport_FailsOnAnExpiredLineEvenIfNothingCallsIt(t *testing.T) {
	passed, text := reportOf(t, "GO-2021-0113 2026-12-31 fine\nGO-2020-0015 2026-11-29 was fine")

	if passed || !strings.Contains(text, "GO-2020-0015: excused until 2026-11-29 only") {
		t.Errorf("passed = %v:\n%s", passed, text)
	}
}

func TestReport_NamesALineThatIsNoLongerNeeded(t *testing.T) {
	passed, text := reportOf(t, "GO-2021-0113 2026-12-31 fine\nGO-2020-0015 2026-12-31 was called once")

	if !passed || !strings.Contains(text, "GO-2020-0015: excused, but nothing calls it any more") {
		t.Errorf("passed = %v:\n%s", passed, text)
	}
}

func TestReadScan_RefusesOutputThatProvesNothing(t *testing.T) {
	for _, empty := range []string{"", `{"progress":{"message":"Fetching"}}`, "not JSON"} {
		if _, err := readScan(strings.NewReader(empty)); err == nil {
			t.Errorf("accepted %q", empty)
		}
	}
}
