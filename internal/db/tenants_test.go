package db_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"fatureihoje/internal/testkit"
)

// inhabited is the package's database with two tenants that have rows in many tables.
func inhabited(t *testing.T) (d *testkit.Database, a, b *testkit.Tenant) {
	t.Helper()
	srv := testkit.New(t)
	inhabit := func() *testkit.Tenant {
		tenant := srv.Tenant(t)
		key := tenant.Key(t)
		client := key.Post(t, "/clients", testkit.M{"name": "Ana", "addresses": []testkit.M{
			{"postal_code": "01310-100", "street": "Av. Paulista", "city": "São Paulo", "state": "SP"},
		}}, testkit.Key(testkit.NewKey())).Want(t, 201)
		key.Get(t, "/clients/"+client.ID()).Want(t, 200)
		tenant.Session(t)
		if err := srv.App.Usage.Flush(context.Background(), srv.Pool()); err != nil {
			t.Fatal(err)
		}
		return tenant
	}
	return srv.Database, inhabit(), inhabit()
}

// asServer runs f in a transaction of the server's role, under a tenant's
// setting unless it is empty. Nothing is committed.
func asServer(t *testing.T, d *testkit.Database, tenant string, f func(pgx.Tx)) {
	t.Helper()
	ctx := context.Background()
	tx, err := d.Connect(t).Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, "SET LOCAL ROLE fh_app"); err != nil {
		t.Fatal(err)
	}
	if tenant != "" {
		if _, err := tx.Exec(ctx, "SET LOCAL app.tenant_id = '"+tenant+"'"); err != nil {
			t.Fatal(err)
		}
	}
	f(tx)
}

// readable are the business tables that the server's role may read, with rows.
func readable(t *testing.T, d *testkit.Database) []string {
	t.Helper()
	tables := slices.DeleteFunc(businessTables(), func(table string) bool {
		return testkit.Value[int64](t, d, "SELECT count(*) FROM "+table) == 0
	})
	if len(tables) < 8 {
		t.Fatalf("only %v have rows", tables)
	}
	return tables
}

func count(t *testing.T, tx pgx.Tx, where string, args ...any) (n int64) {
	t.Helper()
	if err := tx.QueryRow(context.Background(), "SELECT count(*) FROM "+where, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRowSecurity_ShowsNoRowWithoutATenant(t *testing.T) {
	t.Parallel()
	d, _, _ := inhabited(t)
	for _, setting := range []string{"", "00000000-0000-0000-0000-000000000000"} {
		asServer(t, d, setting, func(tx pgx.Tx) {
			for _, table := range readable(t, d) {
				if n := count(t, tx, table); n != 0 {
					t.Errorf("%s shows %d rows under the tenant %q", table, n, setting)
				}
			}
		})
	}
}

func TestRowSecurity_ShowsATenantItsOwnRowsOnly(t *testing.T) {
	t.Parallel()
	d, a, _ := inhabited(t)
	asServer(t, d, a.ID.String(), func(tx pgx.Tx) {
		for _, table := range readable(t, d) {
			all, own := count(t, tx, table), count(t, tx, table+" WHERE tenant_id = $1", a.ID)
			if own == 0 || all != own {
				t.Errorf("%s shows %d rows, %d of them its own", table, all, own)
			}
		}
	})
}

func TestRowSecurity_RefusesARowOfAnotherTenant(t *testing.T) {
	t.Parallel()
	d, a, b := inhabited(t)
	for _, table := range readable(t, d) {
		row := testkit.Value[string](t, d, "SELECT to_jsonb(x)::text FROM "+table+" x WHERE tenant_id = $1 LIMIT 1", b.ID)
		row = strings.Replace(row, `"id": "`, `"id": "`+uuid.NewString()+`", "was": "`, 1)

		asServer(t, d, a.ID.String(), func(tx pgx.Tx) {
			_, err := tx.Exec(context.Background(), "INSERT INTO "+table+" SELECT * FROM jsonb_populate_record(NULL::"+table+", $1::jsonb)", row)
			if state := sqlState(err); state != "42501" {
				t.Errorf("%s took a row of another tenant: %v", table, err)
			}
		})
	}
}

func TestRowSecurity_ChangesNoRowOfAnotherTenant(t *testing.T) {
	t.Parallel()
	d, a, b := inhabited(t)
	for _, table := range readable(t, d) {
		for _, change := range []string{"UPDATE " + table + " SET tenant_id = tenant_id", "DELETE FROM " + table} {
			asServer(t, d, a.ID.String(), func(tx pgx.Tx) {
				tag, err := tx.Exec(context.Background(), change+" WHERE tenant_id = $1", b.ID)
				if sqlState(err) != "42501" && (err != nil || tag.RowsAffected() != 0) {
					t.Errorf("%s: %d rows, %v", change, tag.RowsAffected(), err)
				}
			})
		}
	}
}

// TestForeignKeys_RefuseAnotherTenantsRow goes behind row-level security, as the
// checks of foreign keys do: the owner itself cannot store such a reference.
func TestForeignKeys_RefuseAnotherTenantsRow(t *testing.T) {
	t.Parallel()
	d, a, b := inhabited(t)
	conn := d.Connect(t)
	for change, owner := range map[string]string{
		"UPDATE client_addresses SET client_id = (SELECT id FROM clients WHERE tenant_id = $2) WHERE tenant_id = $1": "client_addresses_client_id_fkey",
		"UPDATE api_keys SET member_id = (SELECT id FROM members WHERE tenant_id = $2) WHERE tenant_id = $1":         "api_keys_member_id_fkey",
		"UPDATE sessions SET member_id = (SELECT id FROM members WHERE tenant_id = $2) WHERE tenant_id = $1":         "sessions_member_id_fkey",
	} {
		_, err := conn.Exec(context.Background(), change, a.ID, b.ID)
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || pg.Code != "23503" || pg.ConstraintName != owner {
			t.Errorf("%s: %v", change, err)
		}
	}
}

func sqlState(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}
