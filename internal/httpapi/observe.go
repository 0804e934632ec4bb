package httpapi

import (
	"time"

	"fatureihoje/internal/auth"
)

// Exchange is a request to the public API that carried an API key of the right
// form, and the answer that it got. Nobody has vouched for the key: it may be
// one that never existed.
type Exchange struct {
	At         time.Time
	Duration   time.Duration
	Credential auth.Credential
	Method     string
	Route      string // the route's template, "" where no route has the path
	Path       string
	Query      string // as it was sent
	Status     int
	Code       string // the problem's, "" for none
	Key        string // the idempotency key, "" without one
	Replayed   bool
	RequestID  string
	IP         string
	UserAgent  string
}

// observe tells Config.Observe of the answer that was just given. It is on the
// path of every request: it copies what is there, and works nothing out.
func (x *exchange) observe(status int) {
	if x.api.conf.Observe == nil || x.credential == nil || x.credential.Kind() != auth.KindAPIKey {
		return
	}
	seen := Exchange{
		At: x.began, Duration: x.api.conf.Clock.Now().Sub(x.began), Credential: x.credential,
		Method: x.r.Method, Path: x.r.URL.Path, Query: x.r.URL.RawQuery,
		Status: status, Code: x.code, Key: x.key, Replayed: x.replayed,
		RequestID: x.requestID, IP: x.ip, UserAgent: x.r.UserAgent(),
	}
	if x.route != nil {
		seen.Route = x.route.Path
	}
	x.api.conf.Observe(seen)
}
