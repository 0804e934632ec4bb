package audit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// Entry is an event as it is read back.
type Entry struct {
	ID         uuid.UUID
	At         time.Time
	ActorType  string
	ActorID    *uuid.UUID
	ActorName  string
	Action     string
	Resource   string
	ResourceID *uuid.UUID
	Details    map[string]any
	RequestID  string
	IP         string
}

// Filter selects events of a list; zero values select all. The range includes
// its beginning and excludes its end.
type Filter struct {
	From, To   *time.Time
	Action     string
	Resource   string
	ResourceID uuid.UUID
	ActorID    uuid.UUID
	Page       page.Request
}

// List returns a page of the tenant's events.
func List(ctx context.Context, r db.Reader, f Filter) (page.Result[Entry], error) {
	return list(ctx, r, f)
}
