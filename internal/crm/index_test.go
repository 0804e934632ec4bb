package crm_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"fatureihoje/internal/config"
	"fatureihoje/internal/db"
	"fatureihoje/internal/testkit"
)

// manyRows is what a busy company has after some years.
const manyRows = 20_000

// The database counts for itself how the statements of the server, under its
// own role and row-level security, read the tables.
func TestReads_AreAnsweredFromAnIndex(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t)
	srv := testkit.New(t, testkit.WithDatabase(d), testkit.WithConfig(func(c *config.Config) { c.DBPool = 1 }))
	key := srv.Tenant(t).Key(t)
	member, client := key.Tenant.Member(t).ID.String(), makeClient(t, key)
	lead := fillTables(t, d, key.Tenant, member, client)
	appointment := makeAppointment(t, key, testkit.M{"assignee_member_id": member}, at("14:00", "15:00")).Want(t, 201).ID()

	newest := "&created_from=2026-01-10T00:00:00Z"
	for _, c := range []struct {
		table, path string
		most        int64 // rows that may be read
	}{
		{"leads", "/leads", 60},
		{"leads", "/leads?sort=updated_at&order=asc", 60},
		{"leads", "/leads?status=lost", 60},
		{"leads", "/leads?external_id=none", 0},
		{"leads", "/leads?created_to=2025-01-01T00:00:00Z", 0},
		{"leads", "/leads?assignee_member_id=" + member, 60},
		{"leads", "/leads?assignee_member_id=" + member + "&status=lost", 3000},
		{"leads", "/leads?q=nome1234", 60},
		{"leads", "/leads?q=empresa+nome1234", 60},
		{"leads", "/leads?q=ninguem", 60},
		{"leads", "/leads?q=nome123", 120},
		{"leads", "/leads?status=new&q=nome123" + newest, 120},
		{"leads", "/leads/" + lead, 1},
		{"tasks", "/tasks", 60},
		{"tasks", "/tasks?sort=updated_at", 60},
		{"tasks", "/tasks?status=done", 60},
		{"tasks", "/tasks?assignee_member_id=" + member, 60},
		{"tasks", "/tasks?client_id=" + client, 60},
		{"tasks", "/tasks?lead_id=" + lead, 60},
		{"tasks", "/tasks?due_from=2026-01-02T00:00:00Z&due_to=2026-01-02T12:00:00Z", 3000},
		{"tasks", "/tasks?overdue=true", 3000},
		{"tasks", "/tasks?overdue=false", 3000},
		{"appointments", "/appointments", 60},
		{"appointments", "/appointments?sort=starts_at&order=asc", 60},
		{"appointments", "/appointments?status=cancelled&sort=starts_at", 60},
		{"appointments", "/appointments?assignee_member_id=" + member + "&sort=starts_at", 60},
		{"appointments", "/appointments?client_id=" + client + "&sort=starts_at", 60},
		{"appointments", "/appointments?starts_from=2026-01-02T00:00:00Z&starts_to=2026-01-03T00:00:00Z&sort=starts_at", 300},
		{"appointments", "PATCH /appointments/" + appointment, 100},
	} {
		before, tokens := readsOf(t, d, c.table), readsOf(t, d, "search_tokens")
		if path, patch := strings.CutPrefix(c.path, "PATCH "); patch {
			key.Patch(t, path, at("16:00", "17:00")).Want(t, 200)
		} else {
			key.Get(t, c.path).Want(t, 200)
		}
		flushReads(t, srv)

		var got reads
		testkit.Eventually(t, "the reads of "+c.path+" are counted", func() bool {
			got = readsOf(t, d, c.table)
			return got.scans > before.scans || strings.Contains(c.path, "q=") && readsOf(t, d, "search_tokens").scans > tokens.scans
		})
		if n := got.sequential - before.sequential; n != 0 {
			t.Errorf("%s: %d sequential scans of %s", c.path, n, c.table)
		}
		if n := got.rows - before.rows; n > c.most {
			t.Errorf("%s: read %d rows of %s, want at most %d", c.path, n, c.table, c.most)
		}
	}
	if n := readsOf(t, d, "search_tokens").sequential; n != 0 {
		t.Errorf("%d sequential scans of search_tokens", n)
	}
}

// flushReads has the server's one connection tell what it has read; left alone
// it tells some seconds later.
func flushReads(t testing.TB, srv *testkit.Server) {
	t.Helper()
	err := srv.Pool().Read(t.Context(), uuid.Nil, func(ctx context.Context, r db.Reader) error {
		return r.Gorm(ctx).Exec("SELECT pg_stat_force_next_flush()").Error
	})
	if err != nil {
		t.Fatal(err)
	}
}

// reads are the database's counts of how a table was read.
type reads struct{ scans, sequential, rows int64 }

func readsOf(t testing.TB, d *testkit.Database, table string) reads {
	t.Helper()
	count := func(expression string) int64 {
		return testkit.Value[int64](t, d, fmt.Sprintf("SELECT (%s)::bigint FROM pg_stat_user_tables WHERE relname = $1", expression), table)
	}
	return reads{count("seq_scan + idx_scan"), count("seq_scan"), count("seq_tup_read + idx_tup_fetch")}
}

// fillTables gives the tenant many leads, tasks and appointments, one in twenty
// of them the member's and the client's, and as many to another tenant. It
// returns a lead.
func fillTables(t testing.TB, d *testkit.Database, tenant *testkit.Tenant, member, client string) (lead string) {
	t.Helper()
	other := uuid.New()
	d.Exec(t, "INSERT INTO tenants (id, name, created_at, updated_at) VALUES ($1, 'Outra', now(), now())", other)
	for _, owner := range []struct {
		tenant         uuid.UUID
		member, client *string
	}{{tenant.ID, &member, &client}, {other, nil, nil}} {
		d.Exec(t, `INSERT INTO leads (tenant_id, id, name, notes, status, lost_reason, assignee_member_id, created_at, updated_at, version)
			SELECT $1::uuid, md5($1::uuid::text || n)::uuid, 'Pessoa ' || n, repeat('nota ', 120), CASE WHEN n % 10 = 0 THEN 'lost' ELSE 'new' END, CASE WHEN n % 10 = 0 THEN 'x' END,
			       CASE WHEN n % 20 = 0 THEN $2::uuid END, at, at, 1
			FROM (SELECT n, timestamptz '2026-01-01Z' + n * interval '1 minute' AS at FROM generate_series(1, $3) n) s`, owner.tenant, owner.member, manyRows)
		d.Exec(t, `INSERT INTO search_tokens (tenant_id, resource, token, id)
			SELECT $1::uuid, 'lead', word, md5($1::uuid::text || n)::uuid FROM generate_series(1, $2) n, unnest(ARRAY['pessoa', 'nome' || n, 'empresa']) word`,
			owner.tenant, manyRows)
		d.Exec(t, `INSERT INTO tasks (tenant_id, id, title, priority, status, done_at, due_at, assignee_member_id, client_id, lead_id, created_at, updated_at, version)
			SELECT $1::uuid, gen_random_uuid(), 'Tarefa ' || n, 'normal', CASE WHEN n % 10 = 0 THEN 'open' ELSE 'done' END, CASE WHEN n % 10 <> 0 THEN at END,
			       timestamptz '2026-01-01Z' + (n * 7919 % $4) * interval '1 minute',
			       CASE WHEN n % 20 = 0 THEN $2::uuid END, CASE WHEN n % 20 = 0 THEN $3::uuid END,
			       CASE WHEN n % 20 = 1 THEN md5($1::uuid::text || 1)::uuid END, at, at, 1
			FROM (SELECT n, timestamptz '2026-01-01Z' + n * interval '1 minute' AS at FROM generate_series(1, $4) n) s`,
			owner.tenant, owner.member, owner.client, manyRows)
		d.Exec(t, `INSERT INTO appointments (tenant_id, id, title, status, starts_at, ends_at, assignee_member_id, client_id, created_at, updated_at, version)
			SELECT $1::uuid, gen_random_uuid(), 'Visita ' || n, CASE WHEN n % 10 = 0 THEN 'scheduled' ELSE 'cancelled' END, at, at + interval '10 minutes',
			       CASE WHEN n % 20 = 0 THEN $2::uuid END, CASE WHEN n % 20 = 0 THEN $3::uuid END, at, at, 1
			FROM (SELECT n, timestamptz '2026-01-01Z' + n * interval '15 minutes' AS at FROM generate_series(1, $4) n) s`,
			owner.tenant, owner.member, owner.client, manyRows)
	}
	d.Exec(t, "ANALYZE leads, tasks, appointments, search_tokens")
	return testkit.Value[string](t, d, "SELECT md5($1::uuid::text || 1)::uuid::text", tenant.ID)
}
