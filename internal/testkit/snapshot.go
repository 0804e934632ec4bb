package testkit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Snapshot is the content of every table of one tenant.
type Snapshot map[string]TableState

// TableState is a table's content: the number of its rows and their checksum.
type TableState struct {
	Rows int64
	Sum  string
}

// uncounted are the columns that a repetition may change: its counters.
const uncounted = `ARRAY['replays', 'conflicts']`

// Snapshot reads every table that has a tenant_id, partitions as their parent.
func (tenant *Tenant) Snapshot(t testing.TB) Snapshot {
	t.Helper()
	d := tenant.server.Database
	var parts []string
	for _, table := range tenantTables(t, d) {
		parts = append(parts, fmt.Sprintf(
			`SELECT '%[1]s', count(*), md5(coalesce(string_agg(r::text, E'\n' ORDER BY r::text), '')) FROM (SELECT to_jsonb(x) - %[2]s AS r FROM %[1]s x WHERE tenant_id = $1) s`,
			table, uncounted))
	}
	rows, err := d.pool.Query(context.Background(), strings.Join(parts, " UNION ALL "), tenant.ID)
	if err != nil {
		t.Fatalf("testkit: snapshot: %v", err)
	}
	state := Snapshot{}
	var table string
	var s TableState
	if _, err := pgx.ForEachRow(rows, []any{&table, &s.Rows, &s.Sum}, func() error { state[table] = s; return nil }); err != nil {
		t.Fatalf("testkit: snapshot: %v", err)
	}
	return state
}

func tenantTables(t testing.TB, d *Database) []string {
	t.Helper()
	return Column[string](t, d, `SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`)
}

// Changes lists the tables that differ from an earlier snapshot, with how many
// rows each gained.
func (s Snapshot) Changes(before Snapshot) []string {
	var changes []string
	for table, state := range s {
		if was := before[table]; was != state {
			changes = append(changes, fmt.Sprintf("%s: %+d rows", table, state.Rows-was.Rows))
		}
	}
	slices.Sort(changes)
	return changes
}

// WantSame stops the test if anything has changed since an earlier snapshot, in
// any table but those that are named.
func (s Snapshot) WantSame(t testing.TB, before Snapshot, but ...string) {
	t.Helper()
	changes := slices.DeleteFunc(s.Changes(before), func(change string) bool {
		table, _, _ := strings.Cut(change, ":")
		return slices.Contains(but, table)
	})
	if len(changes) > 0 {
		t.Fatalf("changed: %s", strings.Join(changes, ", "))
	}
}
