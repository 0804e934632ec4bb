package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/problem"
)

// limiter is a token bucket for each key, in this process.
type limiter struct {
	rate  rate.Limit
	burst int
	name  string
	clock clock.Clock

	mu sync.Mutex
	// Two generations bound the memory: when the young one is full it becomes
	// the old one, and what was not seen since is forgotten. A forgotten bucket
	// starts full, as it would be by then.
	young, old map[string]*rate.Limiter
}

// maxBuckets is the size of one generation.
const maxBuckets = 20_000

type limitRate struct {
	rate  rate.Limit
	burst int
	name  string
}

func perSecond(n int) limitRate { return limitRate{rate.Limit(n), 2 * n, `"requests";q=%d;w=1`} }

func perMinute(n int) limitRate { return limitRate{rate.Limit(n) / 60, n, `"sign_in";q=%d;w=60`} }

// newLimiter returns nil, which limits nothing, for a rate of zero.
func newLimiter(r limitRate, c clock.Clock) *limiter {
	if r.rate == 0 {
		return nil
	}
	return &limiter{rate: r.rate, burst: r.burst, name: r.name, clock: c, young: map[string]*rate.Limiter{}}
}

func (l *limiter) bucket(key string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b, ok := l.young[key]; ok {
		return b
	}
	b, ok := l.old[key]
	if !ok {
		b = rate.NewLimiter(l.rate, l.burst)
	}
	if len(l.young) >= maxBuckets {
		l.old, l.young = l.young, map[string]*rate.Limiter{}
	}
	l.young[key] = b
	return b
}

// limit counts the request and says so in its headers, or refuses it. A refused
// request never touches its idempotency key.
func (x *exchange) limit(l *limiter, key string) error {
	if l == nil {
		return nil
	}
	now := l.clock.Now()
	b := l.bucket(key)
	allowed := b.AllowN(now, 1)
	left := b.TokensAt(now)
	reset := time.Duration(math.Max(0, 1-left) / float64(l.rate) * float64(time.Second))
	h := x.w.Header()
	h.Set("RateLimit-Policy", fmt.Sprintf(l.name, l.quota()))
	h.Set("RateLimit", fmt.Sprintf(`%s;r=%d;t=%d`, l.name[:strings.IndexByte(l.name, ';')], int(math.Max(0, left)), int(math.Ceil(reset.Seconds()))))
	if allowed {
		return nil
	}
	return &problem.Error{Code: problem.RateLimited, RetryAfter: max(reset, time.Second)}
}

func (l *limiter) quota() int {
	if l.rate >= 1 {
		return int(l.rate)
	}
	return l.burst
}

// clientAddress returns how a request's client is told: the peer, or, where the
// peer is a trusted proxy, the last address in X-Forwarded-For that is not one.
func clientAddress(trusted []netip.Prefix) func(*http.Request) string {
	isTrusted := func(addr netip.Addr) bool {
		for _, p := range trusted {
			if p.Contains(addr) {
				return true
			}
		}
		return false
	}
	return func(r *http.Request) string {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil {
			return r.RemoteAddr
		}
		addr := peer.Addr().Unmap()
		hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		for i := len(hops) - 1; i >= 0 && isTrusted(addr); i-- {
			hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
			if err != nil {
				break
			}
			addr = hop.Unmap()
		}
		return addr.String()
	}
}
