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

// Begin adds to b the statements that open a transaction bound to tenant.
func (c *Conn) Begin(b *Batch, tenant uuid.UUID) {
	b.Exec("BEGIN")
	c.bind(b, RoleApp)
	b.Exec("SET LOCAL app.tenant_id = '" + tenant.String() + "'")
}

// BeginRead is Begin for a transaction that only reads.
func (c *Conn) BeginRead(b *Batch, tenant uuid.UUID) {
	b.Exec("BEGIN READ ONLY")
	c.bind(b, RoleApp)
	b.Exec("SET LOCAL app.tenant_id = '" + tenant.String() + "'")
}

func (c *Conn) bind(b *Batch, role string) {
	if c.pool.setRole || role != RoleApp {
		b.Exec("SET LOCAL ROLE " + role)
	}
}

// Adopt returns the transaction that a batch with Begin has opened on c.
func (c *Conn) Adopt(tenant uuid.UUID) *Tx {
	return &Tx{conn: c, tenant: tenant, now: c.pool.clock.Now()}
}

// SendAsync runs b in a transaction of its own, bound to tenant, whose commit
// does not wait for the disk: for writes that a crash may undo without harm.
func (c *Conn) SendAsync(ctx context.Context, tenant uuid.UUID, b *Batch) error {
	var whole Batch
	c.Begin(&whole, tenant)
	whole.Exec("SET LOCAL synchronous_commit = off")
	whole.steps = append(whole.steps, b.steps...)
	whole.Exec("COMMIT")
	return c.Send(ctx, &whole)
}
