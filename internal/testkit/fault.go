package testkit

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A fault strikes one request, at a point of its life. It is a trigger in the
// test's database, so the program under test knows nothing of it, and it strikes
// every route alike: a write records itself in the audit log, and a POST with a
// key completes it.

// Point is where a fault strikes. AtClaim and AtCompletion go by the
// idempotency key, InTransaction by the X-Request-Id, so that it can tell one
// attempt at a key from the next.
type Point string

// The points, in the order in which a request meets them.
const (
	AtClaim       Point = "claim"       // before the key's row is there
	InTransaction Point = "transaction" // after the handler, before the key is touched again
	AtCompletion  Point = "completion"  // at the last statement before the commit
)

// Kind is what a fault does.
type Kind string

// The kinds of fault.
const (
	// Refuses fails the statement with an error that nobody foresaw: a 500.
	Refuses Kind = "refuses"
	// EndsConnection ends the database's process in the middle of the statement.
	EndsConnection Kind = "ends"
	// Holds keeps the statement waiting until the fault is lifted.
	Holds Kind = "holds"
)

// Fault is an armed fault.
type Fault struct {
	d    *Database
	key  string
	hold *pgx.Conn // of a fault that holds: it has the lock that the statement waits for
	lift sync.Once
}

// Strike arms a fault for an idempotency key or a request id of the test's own,
// until it is lifted or the test ends.
func (d *Database) Strike(t testing.TB, key string, at Point, kind Kind) *Fault {
	t.Helper()
	d.installFaults(t)
	f := &Fault{d: d, key: key}
	if kind == Holds {
		f.hold = d.Connect(t)
		if _, err := f.hold.Exec(context.Background(), "SELECT pg_advisory_lock(hashtextextended($1, 0))", key); err != nil {
			t.Fatalf("testkit: hold: %v", err)
		}
	}
	d.Exec(t, "INSERT INTO testkit.faults (key, point, kind) VALUES ($1, $2, $3)", key, string(at), string(kind))
	t.Cleanup(func() { f.Lift(t) })
	return f
}

// Disarm lets the requests to come pass. What the fault holds, it goes on
// holding until it is lifted.
func (f *Fault) Disarm(t testing.TB) {
	t.Helper()
	f.d.Exec(t, "DELETE FROM testkit.faults WHERE key = $1", f.key)
}

// Lift ends the fault; a statement that it holds goes on.
func (f *Fault) Lift(t testing.TB) {
	t.Helper()
	f.lift.Do(func() {
		f.Disarm(t)
		if f.hold != nil {
			_ = f.hold.Close(context.Background())
		}
	})
}

// heldSQL finds the processes that wait for a holding fault's lock.
const heldSQL = `
SELECT l.pid FROM pg_locks l
WHERE l.locktype = 'advisory' AND NOT l.granted AND l.objsubid = 1
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (l.classid::bigint << 32) | l.objid::bigint = hashtextextended($1, 0)`

// AwaitHeld waits until n statements wait at the fault, and returns the
// database's processes that run them.
func (f *Fault) AwaitHeld(t testing.TB, n int) []int32 {
	t.Helper()
	var pids []int32
	Eventually(t, "the request reaches the fault", func() bool {
		pids = Column[int32](t, f.d, heldSQL, f.key)
		return len(pids) == n
	})
	return pids
}

// Terminate ends processes of the database, as an administrator would.
func (d *Database) Terminate(t testing.TB, pids ...int32) {
	t.Helper()
	d.Exec(t, "SELECT pg_terminate_backend(p) FROM unnest($1::int[]) p", pids)
}

// AwaitWaiting waits until n statements of other connections wait for the locks
// that conn holds, and returns their processes.
func (d *Database) AwaitWaiting(t testing.TB, conn *pgx.Conn, n int) []int32 {
	t.Helper()
	var pids []int32
	Eventually(t, "a statement waits for the lock", func() bool {
		pids = Column[int32](t, d, "SELECT pid FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))", int32(conn.PgConn().PID()))
		return len(pids) >= n
	})
	return pids
}

// Lock opens a transaction that has run a statement, such as SELECT … FOR
// UPDATE, and holds its locks until release.
func (d *Database) Lock(t testing.TB, sql string, args ...any) (conn *pgx.Conn, release func()) {
	t.Helper()
	conn = d.Connect(t)
	ctx := context.Background()
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		t.Fatalf("testkit: lock: %v", err)
	}
	if _, err := conn.Exec(ctx, sql, args...); err != nil {
		t.Fatalf("testkit: lock: %s: %v", sql, err)
	}
	return conn, sync.OnceFunc(func() { _, _ = conn.Exec(ctx, "ROLLBACK") })
}

// installFaults adds the trigger to this database, once.
func (d *Database) installFaults(t testing.TB) {
	t.Helper()
	d.faults.Do(func() {
		_, d.faultsErr = d.pool.Exec(context.Background(), faultsSQL)
	})
	if d.faultsErr != nil {
		t.Fatalf("testkit: install the faults: %v", d.faultsErr)
	}
}

const faultsSQL = `
CREATE SCHEMA testkit;
CREATE TABLE testkit.faults (key text PRIMARY KEY, point text NOT NULL, kind text NOT NULL);
CREATE FUNCTION testkit.strike() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    struck text := CASE TG_ARGV[0] WHEN 'transaction' THEN to_jsonb(NEW) ->> 'request_id' ELSE to_jsonb(NEW) ->> 'key' END;
    kind text;
BEGIN
    SELECT f.kind INTO kind FROM testkit.faults f WHERE f.key = struck AND f.point = TG_ARGV[0];
    CASE
        WHEN kind = 'refuses' THEN RAISE EXCEPTION 'a fault of the test';
        WHEN kind = 'ends' THEN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(60);
        WHEN kind = 'holds' THEN PERFORM pg_advisory_xact_lock_shared(hashtextextended(struck, 0));
        ELSE NULL;
    END CASE;
    RETURN NEW;
END $$;
CREATE TRIGGER strike_claim BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION testkit.strike('claim');
CREATE TRIGGER strike_transaction BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION testkit.strike('transaction');
CREATE TRIGGER strike_completion BEFORE UPDATE ON idempotency_keys FOR EACH ROW WHEN (NEW.state = 'done') EXECUTE FUNCTION testkit.strike('completion');
`
