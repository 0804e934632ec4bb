package requestlog

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// Service reads the log. Owners and admins see all of it, a member the requests
// of the API keys that represent that member.
type Service struct{ keys *auth.Keys }

// NewService returns the service.
func NewService(keys *auth.Keys) *Service { return &Service{keys} }

// visible returns the API keys whose requests the caller sees; nil: all.
func (s *Service) visible(ctx context.Context, r db.Reader) ([]uuid.UUID, error) {
	if auth.CallerFrom(ctx).Member.Has(auth.Manage) {
		return nil, nil
	}
	own, err := s.keys.Spaces(ctx, r)
	return append([]uuid.UUID{}, own...), err
}

// List returns a page of requests, by their time.
func (s *Service) List(ctx context.Context, r db.Reader, f Filter) (_ page.Result[Entry], err error) {
	if f.apiKeys, err = s.visible(ctx, r); err != nil {
		return page.Result[Entry]{}, err
	}
	return list(ctx, r, f)
}

// Get returns the newest request with an id, which the client may have given.
func (s *Service) Get(ctx context.Context, r db.Reader, requestID string) (_ *Entry, err error) {
	f := Filter{RequestID: requestID}
	if f.apiKeys, err = s.visible(ctx, r); err != nil {
		return nil, err
	}
	return first(ctx, r, f)
}

// maxOfKey is how many requests of one idempotency key are told.
const maxOfKey = 100

// OfKey returns the requests that came with an idempotency key of a space since
// it was first seen, oldest first, and at most a hundred. The caller has been
// let see the key.
func (s *Service) OfKey(ctx context.Context, r db.Reader, space uuid.UUID, key string, since time.Time) ([]Entry, error) {
	const skew = 5 * time.Minute // the key's row goes by the database's clock, the log by the process's
	return ofKey(ctx, r, space, key, since.Add(-skew), maxOfKey)
}

// Usage is what the last day and the last month have seen.
type Usage struct {
	LastDay   Counts // 24 hours
	LastMonth Counts // 30 days
	Days      []Day  // of the month, each, oldest first
}

// Day is one calendar day in the company's time zone.
type Day struct {
	Date civil.Date
	Counts
}

const daysOfUsage = 30

// Usage counts from the hourly sums, so that it costs the same for a tenant
// with a million requests a day.
func (s *Service) Usage(ctx context.Context, r db.Reader) (*Usage, error) {
	visible, err := s.visible(ctx, r)
	if err != nil {
		return nil, err
	}
	zone := auth.CallerFrom(ctx).Location()
	first := civil.DateOf(r.Now(), zone).AddDays(1 - daysOfUsage)
	rows, err := hours(ctx, r, visible, first.In(zone))
	if err != nil {
		return nil, err
	}
	u := &Usage{Days: make([]Day, daysOfUsage)}
	place := map[civil.Date]int{}
	for i := range u.Days {
		u.Days[i].Date = first.AddDays(i)
		place[u.Days[i].Date] = i
	}
	dayAgo := r.Now().Add(-24 * time.Hour)
	for _, h := range rows {
		if i, ok := place[civil.DateOf(h.Hour, zone)]; ok {
			u.Days[i].Counts = u.Days[i].plus(h.Counts)
		}
		u.LastMonth = u.LastMonth.plus(h.Counts)
		if h.Hour.After(dayAgo.Add(-time.Hour)) {
			u.LastDay = u.LastDay.plus(h.Counts)
		}
	}
	return u, nil
}
