package auth

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/text"
)

// attempts slows down who tries passwords of one account, from however many
// addresses. It counts e-mails that nobody has too, so that being slowed tells
// nothing about an account.
type attempts struct {
	perMinute int // 0: not slowed
	clock     clock.Clock

	mu sync.Mutex
	// Two generations bound the memory: when the young one is full it becomes
	// the old one, and what was not seen since is forgotten.
	young, old map[string]*rate.Limiter
}

// maxAccounts is the size of one generation.
const maxAccounts = 20_000

func newAttempts(perMinute int, c clock.Clock) *attempts {
	return &attempts{perMinute: perMinute, clock: c, young: map[string]*rate.Limiter{}}
}

// take counts one attempt on the account of an e-mail, or refuses it.
func (a *attempts) take(email string) error {
	if a.perMinute == 0 {
		return nil
	}
	now := a.clock.Now()
	r := a.account(text.NormalizeEmail(email)).ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	r.CancelAt(now)
	return &problem.Error{Code: problem.RateLimited, RetryAfter: max(wait, time.Second), Detail: problem.T(
		"Tentativas demais para esta conta. Espere o tempo de Retry-After e tente de novo.",
		"Too many attempts on this account. Wait for Retry-After and try again.")}
}

func (a *attempts) account(email string) *rate.Limiter {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l, ok := a.young[email]; ok {
		return l
	}
	l, ok := a.old[email]
	if !ok {
		l = rate.NewLimiter(rate.Limit(a.perMinute)/60, a.perMinute)
	}
	if len(a.young) >= maxAccounts {
		a.old, a.young = a.young, map[string]*rate.Limiter{}
	}
	a.young[email] = l
	return l
}
