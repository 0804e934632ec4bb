package idempotency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fatureihoje/internal/db"
)

const (
	sweepBatch = 2_000
	// sweepPause between full batches keeps the cleaner from taking the disk
	// from the requests.
	sweepPause = 200 * time.Millisecond
)

// Sweep deletes the keys whose retention has ended, in small batches, until
// none is left. Many processes may run it. A key that expired runs again
// whether or not it was swept: expiry is part of the claim.
func Sweep(ctx context.Context, pool *db.Pool) (deleted int64, err error) {
	for {
		n, err := sweepOnce(ctx, pool)
		deleted += n
		if err != nil || n < sweepBatch {
			return deleted, err
		}
		if err := pause(ctx, sweepPause); err != nil {
			return deleted, nil //nolint:nilerr // stopped between batches: nothing is half done
		}
	}
}

func sweepOnce(ctx context.Context, pool *db.Pool) (n int64, err error) {
	err = pool.Sweep(ctx, func(ctx context.Context, tx *db.Tx) error {
		n, err = deleteExpired(ctx, tx, sweepBatch)
		return err
	})
	if err != nil {
		return n, fmt.Errorf("sweep idempotency keys: %w", err)
	}
	return n, nil
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return errors.New("stopped")
	case <-timer.C:
		return nil
	}
}
