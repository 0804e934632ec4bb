package idempotency_test

import (
	"context"
	"testing"

	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/testkit"
)

const fillKeys = `
INSERT INTO idempotency_keys (tenant_id, id, space_id, key, method, path, fingerprint_version, fingerprint, parts, state, fence, request_id, reserved_until, expires_at)
SELECT $1, gen_random_uuid(), gen_random_uuid(), n::text, 'POST', '/', 1, '', '', $2, gen_random_uuid(), '', now(), now() + $3::interval
FROM generate_series(1, $4::int) n`

func TestSweep_DeletesAllThatExpiredAndNothingElse(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t) // a sweep is over all tenants
	srv := testkit.New(t, testkit.WithDatabase(d))
	a, b := srv.Tenant(t), srv.Tenant(t)
	d.Exec(t, fillKeys, a.ID, "done", "-1 second", 2_500)
	d.Exec(t, fillKeys, b.ID, "in_flight", "-1 second", 500)
	d.Exec(t, fillKeys, b.ID, "failed", "-1 day", 10)
	d.Exec(t, fillKeys, a.ID, "done", "1 hour", 7)
	d.Exec(t, fillKeys, b.ID, "undecided", "-1 day", 5)

	deleted, err := idempotency.Sweep(context.Background(), srv.Pool())
	if err != nil {
		t.Fatal(err)
	}

	left := testkit.Column[string](t, d, "SELECT state || ' ' || count(*) FROM idempotency_keys GROUP BY state ORDER BY 1")
	if deleted != 3_010 || len(left) != 2 || left[0] != "done 7" || left[1] != "undecided 5" {
		t.Errorf("deleted %d, left %v", deleted, left)
	}
}

// TestSweep_SeesOnlyWhatItMayDelete: the policy itself keeps the cleaner from a
// key that is alive, whatever its statement says.
func TestSweep_SeesOnlyWhatItMayDelete(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t)
	tenant := testkit.New(t, testkit.WithDatabase(d)).Tenant(t)
	d.Exec(t, fillKeys, tenant.ID, "done", "-1 second", 3)
	d.Exec(t, fillKeys, tenant.ID, "done", "1 hour", 7)
	d.Exec(t, fillKeys, tenant.ID, "undecided", "-1 day", 5)
	conn := d.Connect(t)

	var n int64
	if _, err := conn.Exec(context.Background(), "SET ROLE fh_sweeper"); err != nil {
		t.Fatal(err)
	}
	if err := conn.QueryRow(context.Background(), "SELECT count(*) FROM idempotency_keys").Scan(&n); err != nil {
		t.Fatal(err)
	}

	if n != 3 {
		t.Errorf("the sweeper sees %d rows", n)
	}
}

func TestSweep_NeverTakesAKeyThatIsClaimedMeanwhile(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithDatabase(testkit.NewDatabase(t)))
	key, idem := srv.Tenant(t).Key(t), testkit.NewKey()
	key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)

	for n := range int64(20) {
		key.Backdate(t, idem, "24 hours")
		swept := testkit.Async(func() error {
			_, err := idempotency.Sweep(context.Background(), srv.Pool())
			return err
		})
		first := key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
		if err := swept(); err != nil {
			t.Fatal(err)
		}
		wantClients(t, key, n+2)
		key.Post(t, "/clients", ana(), testkit.Key(idem)).WantReplayOf(t, first)
	}
}
