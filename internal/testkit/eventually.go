package testkit

import (
	"sync"
	"testing"
	"time"
)

// waitLimit is how long a test waits for what must happen; a slow machine gets
// there, a defect does not.
const waitLimit = 20 * time.Second

// Eventually waits for what another process or goroutine does.
func Eventually(t testing.TB, what string, happened func() bool) {
	t.Helper()
	deadline := time.NewTimer(waitLimit)
	defer deadline.Stop()
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for !happened() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("did not happen within %s: %s", waitLimit, what)
		}
	}
}

// AtOnce runs f n times at the same moment and returns the results in order.
// f runs outside the test's goroutine: it may report errors, not stop the test.
func AtOnce[T any](n int, f func(i int) T) []T {
	results := make([]T, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			results[i] = f(i)
		})
	}
	close(start)
	all.Wait()
	return results
}

// Async runs f in the background; the result is waited for.
func Async[T any](f func() T) (result func() T) {
	done := make(chan T, 1)
	go func() { done <- f() }()
	return sync.OnceValue(func() T { return <-done })
}
