package crm

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/catalog"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/db"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/problem"
)

// Service holds the rules of leads, tasks and appointments.
type Service struct {
	clients *clients.Service
	catalog *catalog.Service
}

// NewService returns the service.
func NewService(c *clients.Service, cat *catalog.Service) *Service {
	return &Service{clients: c, catalog: cat}
}

// reference is a record that another one names in a member of its body.
type reference struct {
	pointer     string
	before, now *uuid.UUID
}

// isNew reports that the reference was not there before: only then must what it
// names still be in use.
func (r reference) isNew() bool {
	return opt.Replaced(r.before, r.now)
}

// checkAssignee adds to f that a new assignee is not an active member.
func checkAssignee(ctx context.Context, r db.Reader, ref reference, f *problem.Fields) error {
	if !ref.isNew() {
		return nil
	}
	return f.Collect(auth.Assignable(ctx, r, *ref.now, ref.pointer))
}

// checkClient adds to f that a client that is newly referred to cannot be.
func (s *Service) checkClient(ctx context.Context, tx *db.Tx, ref reference, f *problem.Fields) error {
	if !ref.isNew() {
		return nil
	}
	return f.Collect(s.clients.Referable(ctx, tx, *ref.now, ref.pointer))
}
