package clients_test

import (
	"testing"

	"github.com/google/uuid"

	"fatureihoje/internal/testkit"
)

// manyClients fills a tenant, with words and an address for each client.
const manyClients = `
WITH made AS (
    INSERT INTO clients (tenant_id, id, kind, name, name_sort, document, email, email_key, phone, tags, status, created_at, updated_at, version)
    SELECT $1, gen_random_uuid(), 'person', 'Nome' || n % 400 || ' ' || n, 'nome' || n % 400 || ' ' || n, lpad(n::text, 11, '0'), n || '@x.com', n || '@x.com', '+5511' || n, '{}',
        CASE n % 20 WHEN 0 THEN 'archived' ELSE 'active' END,
        now() - make_interval(secs => n), now() - make_interval(secs => n), 1
    FROM generate_series(1, $2::int) n
    RETURNING tenant_id, id, name_sort, document, email_key
), words AS (
    INSERT INTO search_tokens (tenant_id, resource, token, id)
    SELECT DISTINCT tenant_id, 'client', w, id FROM made, unnest(string_to_array(name_sort, ' ') || document || split_part(email_key, '@', 1)) w
)
INSERT INTO client_addresses (tenant_id, id, client_id, kind, postal_code, street, city, state, created_at, updated_at, version)
SELECT tenant_id, gen_random_uuid(), id, 'other', '01310100', 'Av. Paulista', 'São Paulo', 'SP', now(), now(), 1 FROM made`

// TestQueries_AreAnsweredFromIndexes runs the requests themselves, so the
// statements, the role and its policies are the program's own, and then asks
// PostgreSQL how it has read the tables.
func TestQueries_AreAnsweredFromIndexes(t *testing.T) {
	t.Parallel()
	key, id := ofManyClients(t)
	paths := []string{
		"/clients", "/clients?limit=100&order=asc", "/clients?sort=name", "/clients?sort=updated_at", "/clients?status=active", "/clients?status=archived",
		"/clients?document=529.982.247-25", "/clients?email=77@X.com", "/clients?external_id=x", "/clients?tag=vip", "/clients?created_from=2026-01-01T00:00:00Z",
		"/clients?q=1234", "/clients?q=nome7+1234", "/clients?q=nobody", "/clients?q=nome177", "/clients/" + id, "/clients/" + id + "/addresses", "/clients/" + id + "/history",
	}

	if wholeReads(t, key, paths...) == nil {
		return
	}
	for _, path := range paths { // each alone, to say which
		for _, table := range wholeReads(t, key, path) {
			t.Errorf("%s: %s was read whole (%d rows)", path, table.Name, table.SeqRows)
		}
	}
}

// ofManyClients returns a key of a company with many clients, in a database of
// its own, and the id of one of them.
func ofManyClients(t *testing.T) (key *testkit.Client, id string) {
	t.Helper()
	d := testkit.NewDatabase(t)
	srv := testkit.New(t, testkit.WithDatabase(d))
	tenant, other := srv.Tenant(t), srv.Tenant(t)
	key = tenant.Key(t)
	for id, n := range map[uuid.UUID]int{tenant.ID: 20_000, other.ID: 4_000} {
		d.Exec(t, manyClients, id, n)
	}
	d.Exec(t, "VACUUM ANALYZE clients, client_addresses, search_tokens")
	id = testkit.Value[string](t, d, "SELECT max(id::text) FROM clients WHERE tenant_id = $1", tenant.ID)
	srv.Stop()
	d.Reconnect(t)
	return key, id
}

func TestIDs_AreReadByThePrimaryKey(t *testing.T) {
	t.Parallel()
	key, id := ofManyClients(t)
	d := key.Server.Database
	const scans = "SELECT coalesce(sum(idx_scan), 0)::bigint FROM pg_stat_user_indexes WHERE relname = 'clients' AND (indexrelname = 'clients_pkey') = $1"
	byKey, byOther := testkit.Value[int64](t, d, scans, true), testkit.Value[int64](t, d, scans, false)
	ids := id
	for range 99 {
		ids += "," + testkit.RandomID()
	}

	whole := wholeReads(t, key, "/clients?limit=100&ids="+ids, "/clients?ids="+id, "/clients?sort=name&order=asc&ids="+ids)

	if n := testkit.Value[int64](t, d, scans, true); len(whole) > 0 || n == byKey {
		t.Errorf("read whole: %v; the primary key was asked %d times", whole, n-byKey)
	}
	if n := testkit.Value[int64](t, d, scans, false); n != byOther {
		t.Errorf("another index was asked %d times", n-byOther)
	}
}

// tableReads is how often a table was read whole, and how many rows that gave.
type tableReads struct {
	Name              string
	SeqScans, SeqRows int64
}

// wholeReads makes requests of a server of its own, whose connections report to
// the statistics when they end, and returns the tables that were read whole.
func wholeReads(t *testing.T, key *testkit.Client, paths ...string) []tableReads {
	t.Helper()
	d := key.Server.Database
	before := tableStats(t, d)
	srv := testkit.New(t, testkit.WithDatabase(d))
	for _, path := range paths {
		key.On(srv).Get(t, path).Want(t, 200)
	}
	srv.Stop()
	d.AwaitNoOther(t)
	var whole []tableReads
	for i, after := range tableStats(t, d) {
		if n := after.SeqScans - before[i].SeqScans; n > 0 {
			whole = append(whole, tableReads{after.Name, n, after.SeqRows - before[i].SeqRows})
		}
	}
	return whole
}

func tableStats(t *testing.T, d *testkit.Database) []tableReads {
	t.Helper()
	return testkit.Rows[tableReads](t, d, `SELECT relname::text, seq_scan, seq_tup_read FROM pg_stat_user_tables
		WHERE relname IN ('clients', 'client_addresses', 'search_tokens', 'status_history') ORDER BY 1`)
}
