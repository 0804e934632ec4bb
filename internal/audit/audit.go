// Package audit is the append-only record of who did what, when and from where.
//
// A row is written in the transaction of the change that it tells of, so there
// is no change without its row and no row without its change.
package audit

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/origin"
)

// Event is one change. Details hold what a reader needs to understand it, and
// never a secret or the content of a person's documents.
type Event struct {
	Action     string // such as client.created
	Resource   string // such as client
	ResourceID uuid.UUID
	Details    map[string]any
}

// Record queues the event's row; it is written with the commit of tx.
func Record(ctx context.Context, tx *db.Tx, e Event) {
	from := origin.From(ctx)
	details, err := json.Marshal(e.Details)
	if err != nil || e.Details == nil {
		details = []byte("{}")
	}
	tx.Later(insertEvent, tx.TenantID(), id.New(), tx.Now(), from.Type, nullable(from.ID), from.Name,
		e.Action, e.Resource, nullable(e.ResourceID), string(details), from.RequestID, from.IP)
}

func nullable(u uuid.UUID) *uuid.UUID {
	if u == uuid.Nil {
		return nil
	}
	return &u
}
