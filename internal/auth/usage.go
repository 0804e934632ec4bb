package auth

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/db"
)

// Usage keeps when and from where each API key was last used, in memory, and
// writes it in batches: authentication reads the key's row and writes nothing.
type Usage struct {
	clock clock.Clock
	mu    sync.Mutex
	seen  map[keyOf]sighting
}

type keyOf struct{ tenant, id uuid.UUID }

type sighting struct {
	at time.Time
	ip string
}

// NewUsage returns an empty record.
func NewUsage(c clock.Clock) *Usage { return &Usage{clock: c, seen: map[keyOf]sighting{}} }

// Saw notes a use of an API key.
func (u *Usage) Saw(tenant, id uuid.UUID, ip string) {
	now := u.clock.Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	u.seen[keyOf{tenant, id}] = sighting{now, ip}
}

// Flush writes what was noted, a transaction for each tenant. What could not be
// written is kept for the next time.
func (u *Usage) Flush(ctx context.Context, pool *db.Pool) error {
	var firstErr error
	for tenant, keys := range u.take() {
		err := pool.InTenant(ctx, tenant, func(_ context.Context, tx *db.Tx) error {
			for id, s := range keys {
				tx.Later(usageStatement, tenant, id, s.at, s.ip)
			}
			return nil
		})
		if err == nil {
			continue
		}
		u.putBack(tenant, keys)
		if firstErr == nil {
			firstErr = err
		}
	}
	return firstErr
}

func (u *Usage) take() map[uuid.UUID]map[uuid.UUID]sighting {
	u.mu.Lock()
	taken := u.seen
	u.seen = map[keyOf]sighting{}
	u.mu.Unlock()
	byTenant := map[uuid.UUID]map[uuid.UUID]sighting{}
	for k, s := range taken {
		if byTenant[k.tenant] == nil {
			byTenant[k.tenant] = map[uuid.UUID]sighting{}
		}
		byTenant[k.tenant][k.id] = s
	}
	return byTenant
}

func (u *Usage) putBack(tenant uuid.UUID, keys map[uuid.UUID]sighting) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for id, s := range keys {
		if k := (keyOf{tenant, id}); u.seen[k].at.Before(s.at) {
			u.seen[k] = s
		}
	}
}

var usageStatement = db.Statement{Name: "api_key_usage", SQL: `
INSERT INTO api_key_usage (tenant_id, id, last_used_at, last_ip) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, id) DO UPDATE SET last_used_at = excluded.last_used_at, last_ip = excluded.last_ip`}
