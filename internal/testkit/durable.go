package testkit

import (
	"context"
	"testing"

	"fatureihoje/internal/testkit/postgres"
)

// NewDurableDatabase makes a database on a PostgreSQL of its own that loses no
// commit, whatever is killed. Both are removed when the test ends.
func NewDurableDatabase(t testing.TB) *Database {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	server, err := postgres.Start(ctx, postgres.Durable)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Remove(); err != nil {
			t.Errorf("testkit: %v", err)
		}
	})
	return NewDatabaseOn(t, server.URL)
}

// AwaitUp waits until a database whose processes were killed has recovered.
func (d *Database) AwaitUp(t testing.TB) {
	t.Helper()
	Eventually(t, "the database has recovered", func() bool {
		d.pool.Reset()
		return d.pool.Ping(context.Background()) == nil
	})
}
