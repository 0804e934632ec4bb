package requestlog

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
)

// maxQueued is how many requests wait to be written: some seconds of a busy
// process, in a few megabytes.
const maxQueued = 8192

// maxBatch is how many rows one statement writes.
const maxBatch = 1000

// Log takes what the API has answered and writes it in batches.
type Log struct {
	queue   chan httpapi.Exchange
	dropped atomic.Int64
	told    atomic.Int64 // how many of the dropped the log has told of
	log     *slog.Logger
}

// NewLog returns an empty log. Flush writes what it was told.
func NewLog(log *slog.Logger) *Log {
	return &Log{queue: make(chan httpapi.Exchange, maxQueued), log: log}
}

// Observe takes one exchange. It never waits: with a full queue, the exchange
// is dropped and counted.
func (l *Log) Observe(x httpapi.Exchange) {
	select {
	case l.queue <- x:
	default:
		l.dropped.Add(1)
	}
}

// Dropped is how many exchanges were not written: the queue was full, or the
// database refused them.
func (l *Log) Dropped() int64 { return l.dropped.Load() }

// Flush writes what is queued, a transaction for each tenant and batch. While
// the database is away the rows stay queued, as far as there is room.
func (l *Log) Flush(ctx context.Context, pool *db.Pool) error {
	var errs []error
	for tenant, rows := range byTenant(l.take()) {
		for batch := range slices.Chunk(rows, maxBatch) {
			errs = append(errs, l.write(ctx, pool, tenant, batch))
		}
	}
	l.tell(ctx)
	return errors.Join(errs...)
}

// take empties the queue, as it is now.
func (l *Log) take() []httpapi.Exchange {
	taken := make([]httpapi.Exchange, 0, len(l.queue))
	for range cap(taken) {
		select {
		case x := <-l.queue:
			taken = append(taken, x)
		default:
			return taken
		}
	}
	return taken
}

func byTenant(all []httpapi.Exchange) map[uuid.UUID][]httpapi.Exchange {
	groups := map[uuid.UUID][]httpapi.Exchange{}
	for _, x := range all {
		tenant := x.Credential.TenantID()
		groups[tenant] = append(groups[tenant], x)
	}
	return groups
}

// write stores a tenant's rows. Their loss in a crash harms nobody, so the
// commit does not wait for the disk.
func (l *Log) write(ctx context.Context, pool *db.Pool, tenant uuid.UUID, rows []httpapi.Exchange) error {
	err := insert(ctx, pool, tenant, rows)
	if err == nil {
		return nil
	}
	if !db.Unavailable(err) {
		l.dropped.Add(int64(len(rows)))
		return err
	}
	for _, x := range rows {
		l.Observe(x)
	}
	return err
}

// tell warns once of each run of losses.
func (l *Log) tell(ctx context.Context) {
	all := l.dropped.Load()
	if lost := all - l.told.Swap(all); lost > 0 {
		l.log.WarnContext(ctx, "requests were served but not logged", "lost", lost)
	}
}
