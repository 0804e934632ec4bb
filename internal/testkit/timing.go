package testkit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/clock"
)

// Timed is something whose time must tell nothing.
type Timed struct {
	Name string
	Do   func()
}

// alikeWithin is how many times as long the slowest may take as the quickest. A
// password hash that one of them lacks is ten times the rest of a request.
const alikeWithin = 2

// WantAlikeInTime does all of kinds in turn, a number of times, and reports an
// error if one takes half the time of another or less. The turns spread what
// else the machine does over all kinds; and as load only adds, it takes both
// the medians and the quickest of each to differ.
func WantAlikeInTime(t testing.TB, tries int, kinds ...Timed) {
	t.Helper()
	took := make([][]time.Duration, len(kinds))
	for range tries {
		for i, kind := range kinds {
			began := clock.System{}.Now()
			kind.Do()
			took[i] = append(took[i], clock.System{}.Now().Sub(began))
		}
	}
	var quickest, medians []time.Duration
	var report strings.Builder
	for i, kind := range kinds {
		slices.Sort(took[i])
		quickest, medians = append(quickest, took[i][0]), append(medians, took[i][tries/2])
		fmt.Fprintf(&report, "\n%s: quickest %s, median %s", kind.Name, took[i][0], took[i][tries/2])
	}
	if differ(quickest) && differ(medians) {
		t.Errorf("the time tells them apart:%s", report.String())
	}
}

func differ(all []time.Duration) bool { return slices.Max(all) > alikeWithin*slices.Min(all) }
