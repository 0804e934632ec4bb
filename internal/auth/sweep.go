package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

// Retention is how long a session, an invitation and a password reset are kept
// after their end, to answer who was in and who was asked. No list shows them.
const Retention = 30 * 24 * time.Hour

// sweepBatch is how many rows are looked up, and deleted, at once.
const sweepBatch = 1_000

// Swept is how many rows of each kind a sweep has deleted.
type Swept struct{ Sessions, Invitations, Resets int64 }

// Sum is how many rows were deleted.
func (s Swept) Sum() int64 { return s.Sessions + s.Invitations + s.Resets }

// Sweep deletes the sessions, invitations and password resets that ended longer
// ago than Retention, in small batches, until none is left. Many processes may
// run it, and it may stop at any point. A company whose rows cannot be deleted
// does not keep the others' from it.
func Sweep(ctx context.Context, pool *db.Pool) (swept Swept, err error) {
	var errs [3]error
	swept.Sessions, errs[0] = sweepTenants(ctx, pool, sessionsSweep())
	swept.Invitations, errs[1] = sweepTenants(ctx, pool, invitationsSweep())
	swept.Resets, errs[2] = sweepResets(ctx, pool)
	return swept, errors.Join(errs[:]...)
}

// sweepTenants reads what is due of all companies, and deletes it company by
// company.
func sweepTenants(ctx context.Context, pool *db.Pool, s endedRows) (deleted int64, err error) {
	var errs []error
	for last := (endedRow{}); ; {
		due, err := dueAfter(ctx, pool, s, last)
		if err != nil {
			return deleted, errors.Join(append(errs, err)...)
		}
		for tenant, ids := range byTenant(due) {
			n, err := deleteOf(ctx, pool, s, tenant, ids)
			deleted += n
			if err != nil {
				errs = append(errs, fmt.Errorf("tenant %s: %w", tenant, err))
			}
		}
		if len(due) < sweepBatch || ctx.Err() != nil {
			return deleted, errors.Join(errs...)
		}
		last = due[len(due)-1]
	}
}

func byTenant(due []endedRow) map[uuid.UUID][]uuid.UUID {
	all := map[uuid.UUID][]uuid.UUID{}
	for _, row := range due {
		all[row.TenantID] = append(all[row.TenantID], row.ID)
	}
	return all
}

func dueAfter(ctx context.Context, pool *db.Pool, s endedRows, last endedRow) (due []endedRow, err error) {
	err = pool.Sweep(ctx, func(ctx context.Context, tx *db.Tx) error {
		due, err = s.due(ctx, tx, last, sweepBatch)
		return err
	})
	return due, err
}

func deleteOf(ctx context.Context, pool *db.Pool, s endedRows, tenant uuid.UUID, ids []uuid.UUID) (n int64, err error) {
	err = pool.InTenant(ctx, tenant, func(ctx context.Context, tx *db.Tx) error {
		n, err = s.delete(ctx, tx, ids)
		return err
	})
	return n, err
}

// sweepResets deletes password resets, which belong to no company.
func sweepResets(ctx context.Context, pool *db.Pool) (deleted int64, err error) {
	for {
		var n int64
		err := pool.Global(ctx, func(ctx context.Context, tx *db.Tx) error {
			n, err = deleteResets(ctx, tx, sweepBatch)
			return err
		})
		if err != nil {
			return deleted, err
		}
		deleted += n
		if n < sweepBatch || ctx.Err() != nil {
			return deleted, nil
		}
	}
}
