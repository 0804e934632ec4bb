package idempotency

import (
	"context"
	"sync"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

// Counters counts replays and conflicts in memory, so that a repetition writes
// nothing itself. Counts of a process that dies before its next flush are lost.
type Counters struct {
	mu     sync.Mutex
	counts map[keyRef]count
}

type keyRef struct{ tenant, id uuid.UUID }

type count struct{ replays, conflicts int64 }

func newCounters() *Counters { return &Counters{counts: map[keyRef]count{}} }

func (c *Counters) replay(tenant, id uuid.UUID)   { c.add(tenant, id, count{replays: 1}) }
func (c *Counters) conflict(tenant, id uuid.UUID) { c.add(tenant, id, count{conflicts: 1}) }

func (c *Counters) add(tenant, id uuid.UUID, n count) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ref := keyRef{tenant, id}
	was := c.counts[ref]
	c.counts[ref] = count{was.replays + n.replays, was.conflicts + n.conflicts}
}

// Flush adds the counts to their rows, a transaction for each tenant. Counts
// that could not be written are kept for the next flush.
func (c *Counters) Flush(ctx context.Context, pool *db.Pool) error {
	var firstErr error
	for tenant, refs := range c.takeAll() {
		err := pool.InTenant(ctx, tenant, func(_ context.Context, tx *db.Tx) error {
			for ref, n := range refs {
				tx.Later(countStatement, tenant, ref.id, n.replays, n.conflicts)
			}
			return nil
		})
		if err == nil {
			continue
		}
		for ref, n := range refs {
			c.add(ref.tenant, ref.id, n)
		}
		if firstErr == nil {
			firstErr = err
		}
	}
	return firstErr
}

func (c *Counters) takeAll() map[uuid.UUID]map[keyRef]count {
	c.mu.Lock()
	taken := c.counts
	c.counts = map[keyRef]count{}
	c.mu.Unlock()
	byTenant := map[uuid.UUID]map[keyRef]count{}
	for ref, n := range taken {
		if byTenant[ref.tenant] == nil {
			byTenant[ref.tenant] = map[keyRef]count{}
		}
		byTenant[ref.tenant][ref] = n
	}
	return byTenant
}
