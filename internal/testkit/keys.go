package testkit

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Stored is the row of an idempotency key in the space of a credential.
type Stored struct {
	State     string
	Replays   int64
	Conflicts int64
	Stored    bool // the body is
}

// Stored reads the row of one of the client's keys; nil where there is none.
func (c *Client) Stored(t testing.TB, key string) *Stored {
	t.Helper()
	rows, err := c.Server.Database.pool.Query(context.Background(),
		`SELECT state, replays, conflicts, body IS NOT NULL AS stored FROM idempotency_keys WHERE tenant_id = $1 AND space_id = $2 AND key = $3`,
		c.Tenant.ID, c.space, key)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[Stored])
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// State is the state of one of the client's keys; "absent" where there is none.
func (c *Client) State(t testing.TB, key string) string {
	t.Helper()
	if s := c.Stored(t, key); s != nil {
		return s.State
	}
	return "absent"
}

// Backdate moves a key's times into the past, as if it had been claimed that
// much earlier.
func (c *Client) Backdate(t testing.TB, key, interval string) {
	t.Helper()
	n := c.Server.Database.Exec(t, `UPDATE idempotency_keys SET first_seen_at = first_seen_at - $4::interval, claimed_at = claimed_at - $4::interval,
		reserved_until = reserved_until - $4::interval, expires_at = expires_at - $4::interval
		WHERE tenant_id = $1 AND space_id = $2 AND key = $3`, c.Tenant.ID, c.space, key, interval)
	if n != 1 {
		t.Fatalf("testkit: no row of the key %q", key)
	}
}

// RandomID is an id that no record has.
func RandomID() string { return uuid.Must(uuid.NewV7()).String() }

// NewKey is an idempotency key that no other test uses.
func NewKey() string { return uuid.NewString() }
