package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Conn is the one connection that a request holds from its first statement to
// its last. It is used by one goroutine at a time.
type Conn struct {
	pool *Pool
	sql  *sql.Conn
}

// cleanupTimeout bounds the rollback of a transaction whose request has ended.
const cleanupTimeout = 5 * time.Second

// Release gives the connection back. A transaction that is still open is
// rolled back; a connection that cannot do even that is thrown away.
func (c *Conn) Release() {
	ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
	defer cancel()
	_ = c.Rollback(ctx) // a connection in doubt is refused by the driver at its next use
	_ = c.sql.Close()
}

// Rollback ends the open transaction, if there is one.
func (c *Conn) Rollback(ctx context.Context) error {
	return c.raw(func(conn *pgx.Conn) error {
		if conn.IsClosed() || conn.PgConn().TxStatus() == 'I' {
			return nil
		}
		_, err := conn.PgConn().Exec(ctx, "ROLLBACK").ReadAll()
		return err
	})
}

func (c *Conn) raw(f func(*pgx.Conn) error) error {
	return c.sql.Raw(func(driver any) error {
		std, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("unexpected driver %T", driver)
		}
		return f(std.Conn())
	})
}

// Send runs the statements of a batch in one round trip, in order. The first
// that fails ends the batch: none after it runs, and an open transaction stays
// open, aborted.
func (c *Conn) Send(ctx context.Context, b *Batch) error {
	err := c.raw(func(conn *pgx.Conn) error { return b.run(ctx, conn, c.pool.prepare) })
	if err != nil && (errors.Is(err, sql.ErrConnDone) || ctx.Err() != nil) {
		return errors.Join(ErrUnavailable, err)
	}
	return err
}

// Statements that open and close transactions.
var (
	beginStatement     = Statement{"begin", "BEGIN"}
	beginReadStatement = Statement{"begin_read", "BEGIN READ ONLY"}
	commitStatement    = Statement{"commit", "COMMIT"}
	rollbackStatement  = Statement{"rollback", "ROLLBACK"}
	asyncStatement     = Statement{"async", "SET LOCAL synchronous_commit = off"}
	appStatement       = Statement{"as_app", "SET LOCAL ROLE " + RoleApp}
	sweepStatement     = Statement{"as_sweeper", "SET LOCAL ROLE " + RoleSweep}
)

// Begin adds to b the statements that open a transaction bound to tenant.
func (c *Conn) Begin(b *Batch, tenant uuid.UUID) { c.begin(b, beginStatement, tenant) }

// BeginRead is Begin for a transaction that only reads.
func (c *Conn) BeginRead(b *Batch, tenant uuid.UUID) { c.begin(b, beginReadStatement, tenant) }

func (c *Conn) begin(b *Batch, s Statement, tenant uuid.UUID) {
	b.Exec(s)
	c.takeRole(b)
	b.Exec(bindTo(tenant.String()))
}

// bindTo makes the transaction see one tenant. The tenant stands in the text:
// set_config would not reach the workers of a distributed engine. It is an id's
// own spelling, so there is nothing to escape.
func bindTo(tenant string) Statement {
	return Statement{SQL: "SET LOCAL app.tenant_id = '" + tenant + "'"}
}

func (c *Conn) takeRole(b *Batch) {
	if c.pool.setRole {
		b.Exec(appStatement)
	}
}

// Async adds to b that the open transaction's commit does not wait for the disk.
func (b *Batch) Async() { b.Exec(asyncStatement) }

// LockTimeout adds to b that no statement of the open transaction waits for a
// lock longer than limit; one that would have to is Unavailable.
func (b *Batch) LockTimeout(limit time.Duration) {
	b.Exec(Statement{SQL: fmt.Sprintf("SET LOCAL lock_timeout = %d", limit.Milliseconds())})
}

// Commit adds to b the end of the open transaction.
func (b *Batch) Commit() { b.Exec(commitStatement) }

// Adopt returns the transaction that a batch with Begin has opened on c.
func (c *Conn) Adopt(tenant uuid.UUID) *Tx {
	return &Tx{conn: c, tenant: tenant, now: c.pool.clock.Now()}
}

// SendAsync runs b in a transaction of its own, bound to tenant, whose commit
// does not wait for the disk: for writes that a crash may undo without harm.
func (c *Conn) SendAsync(ctx context.Context, tenant uuid.UUID, b *Batch) error {
	var whole Batch
	c.Begin(&whole, tenant)
	whole.Async()
	whole.steps = append(whole.steps, b.steps...)
	whole.Commit()
	return c.Send(ctx, &whole)
}
