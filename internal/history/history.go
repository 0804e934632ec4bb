// Package history keeps every change of a record's status: which action moved
// it from where to where, when, why, and by whom.
package history

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/origin"
	"fatureihoje/internal/page"
)

// Change is one step of a record's status.
type Change struct {
	Resource   string // such as client
	ResourceID uuid.UUID
	Action     string
	From       string // empty where the record was made
	To         string
	Reason     string
}

// Entry is a change as it is read back.
type Entry struct {
	ID        uuid.UUID
	At        time.Time
	Action    string
	From      *string
	To        string
	Reason    *string
	ActorType string
	ActorID   *uuid.UUID
	ActorName string
}

// Record queues the change's row; it is written with the commit of tx.
func Record(ctx context.Context, tx *db.Tx, c Change) {
	by := origin.From(ctx)
	tx.Later(insertChange, tx.TenantID(), id.New(), c.Resource, c.ResourceID, tx.Now(), c.Action,
		orNull(c.From), c.To, orNull(c.Reason), by.Type, orNullID(by.ID), by.Name)
}

// List returns one page of a record's changes, in the order that p asks for.
func List(ctx context.Context, r db.Reader, resource string, resourceID uuid.UUID, p page.Request) (page.Result[Entry], error) {
	return list(ctx, r, resource, resourceID, p)
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orNullID(u uuid.UUID) *uuid.UUID {
	if u == uuid.Nil {
		return nil
	}
	return &u
}
