package clock_test

import (
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fatureihoje/internal/clock"
)

var (
	_ clock.Clock = clock.System{}
	_ clock.Clock = (*clock.Fake)(nil)
)

func TestSystem_TellsThePresentAsPostgresKeepsIt(t *testing.T) {
	before := time.Now().Add(-clock.Precision)
	got := clock.System{}.Now()
	after := time.Now()

	if got.Before(before) || got.After(after) {
		t.Errorf("got %s, not between %s and %s", got, before, after)
	}
	checkNormal(t, got)
}

func TestFake_StandsStillUntilMoved(t *testing.T) {
	start := time.Date(2026, time.March, 1, 9, 0, 0, 123_456_789, time.FixedZone("", -3*60*60))
	fake := clock.NewFake(start)

	first, second := fake.Now(), fake.Now()
	if want := time.Date(2026, time.March, 1, 12, 0, 0, 123_456_000, time.UTC); first != want || second != want {
		t.Errorf("stands at %s, then %s, want %s", first, second, want)
	}

	fake.Advance(time.Hour)
	if got := fake.Now().Sub(first); got != time.Hour {
		t.Errorf("advanced by %s", got)
	}

	fake.Set(start.Add(-24 * time.Hour))
	if got := fake.Now(); got != first.Add(-24*time.Hour) {
		t.Errorf("set to %s", got)
	}
}

func TestFake_LosesNoConcurrentAdvance(t *testing.T) {
	start := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	fake := clock.NewFake(start)

	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			fake.Advance(time.Second)
			fake.Now()
		})
	}
	group.Wait()

	if got := fake.Now().Sub(start); got != 50*time.Second {
		t.Errorf("advanced by %s", got)
	}
}

func TestFake_IsAlwaysNormal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fake := clock.NewFake(time.Unix(0, rapid.Int64().Draw(t, "start")))
		checkNormal(t, fake.Now())
		fake.Advance(time.Duration(rapid.Int64Range(-1e18, 1e18).Draw(t, "by")))
		checkNormal(t, fake.Now())
		fake.Set(time.Unix(0, rapid.Int64().Draw(t, "to")))
		checkNormal(t, fake.Now())
	})
}

func checkNormal(t interface{ Errorf(string, ...any) }, got time.Time) {
	if got.Location() != time.UTC || got != got.Round(0).Truncate(clock.Precision) {
		t.Errorf("%s is not UTC in whole microseconds without a monotonic reading", got)
	}
}
