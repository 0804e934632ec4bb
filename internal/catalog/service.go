package catalog

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/history"
)

// Service holds the rules of products, variations and services; those of the
// categories are in Categories.
type Service struct{}

// NewService returns the service.
func NewService() *Service { return &Service{} }

// life is the status of one record, which an action leads on.
type life struct {
	resource string
	id       uuid.UUID
	status   *string
}

// act leads the status on, and keeps the change in the record's history.
func (l life) act(ctx context.Context, tx *db.Tx, action string) error {
	to, err := statuses().Next(action, *l.status)
	if err != nil {
		return err
	}
	history.Record(ctx, tx, history.Change{Resource: l.resource, ResourceID: l.id, Action: action, From: *l.status, To: to})
	*l.status = to
	return nil
}

// record queues the audit row of what was done to a record, such as created.
func record(ctx context.Context, tx *db.Tx, resource, done string, id uuid.UUID) {
	audit.Record(ctx, tx, audit.Event{Action: resource + "." + done, Resource: resource, ResourceID: id})
}
