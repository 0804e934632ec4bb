// Package clock tells the time, for real or as a test says. No other package of
// the project calls time.Now, so a test can stand at any instant without a sleep.
package clock

import (
	"sync"
	"time"
)

// Precision is PostgreSQL's: an instant read from a Clock comes back from the
// database equal to itself.
const Precision = time.Microsecond

// A Clock tells the present instant in UTC, truncated to Precision. It has no
// monotonic reading, so differences follow adjustments of the wall clock.
type Clock interface {
	Now() time.Time
}

// System is the clock of the machine.
type System struct{}

// Now is the present instant.
func (System) Now() time.Time { return normal(time.Now()) }

// Fake is a clock that stands still until a test moves it. It is safe for
// concurrent use; a Fake must not be copied.
type Fake struct {
	mu  sync.Mutex
	now time.Time
}

// NewFake returns a clock that stands at t.
func NewFake(t time.Time) *Fake { return &Fake{now: normal(t)} }

// Now is the instant at which the test left the clock.
func (f *Fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// Set moves the clock to t, which may be in its past.
func (f *Fake) Set(t time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = normal(t)
}

// Advance moves the clock by d, back if d is negative.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = normal(f.now.Add(d))
}

// normal also drops the monotonic reading, as Truncate does.
func normal(t time.Time) time.Time { return t.UTC().Truncate(Precision) }
