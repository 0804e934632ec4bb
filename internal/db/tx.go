package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// Reader is a transaction that a store may read through: a *Tx, or the
// read-only transaction of a GET.
type Reader interface {
	// TenantID is the tenant whose rows the transaction sees.
	TenantID() uuid.UUID
	// Now is the transaction's instant; it does not move.
	Now() time.Time
	// Gorm returns a fresh gorm session inside the transaction.
	Gorm(ctx context.Context) *gorm.DB

	sealed()
}

// Tx is a transaction bound to one tenant.
type Tx struct {
	conn   *Conn
	tenant uuid.UUID
	now    time.Time
	later  Batch
	after  []func()

	unwritten bool // the queue holds rows that a query must see

	increases []increase
}

// TenantID is the tenant that every row of the transaction belongs to.
func (t *Tx) TenantID() uuid.UUID { return t.tenant }

// Now is the transaction's instant: everything written in it carries the same.
func (t *Tx) Now() time.Time { return t.now }

// Gorm returns a fresh gorm session on the transaction's connection. Rows that
// wait in the queue are written first, so that the session sees them; their
// refusal is the session's error.
func (t *Tx) Gorm(ctx context.Context) *gorm.DB {
	session := t.conn.pool.gorm.Session(&gorm.Session{NewDB: true, Context: ctx})
	session.Statement.ConnPool = t.conn.sql
	if t.unwritten {
		_ = session.AddError(t.flush(ctx))
	}
	return session
}

// flush writes what is queued.
func (t *Tx) flush(ctx context.Context) error {
	t.unwritten = false
	b := Batch{steps: t.later.steps}
	t.later.steps = nil
	return t.conn.Send(ctx, &b)
}

// Later queues a write whose result nobody in the transaction reads. It travels
// with the commit, and costs no round trip of its own; if it fails, so does the
// commit.
func (t *Tx) Later(s Statement, args ...any) {
	t.later.Query(s, args, nil)
}

func (t *Tx) sealed() {}

// Commit sends what was queued with Later and Increase, then extra, then COMMIT,
// in one round trip. When a statement before the COMMIT is refused, nothing is
// committed and its error comes back. When the connection is lost the outcome
// is not known, and the error is ErrOutcomeUnknown.
func (t *Tx) Commit(ctx context.Context, extra *Batch) error {
	b := Batch{steps: t.queued()}
	if extra != nil {
		b.steps = append(b.steps, extra.steps...)
	}
	b.Commit()
	err := t.conn.Send(ctx, &b)
	if err == nil {
		for _, f := range t.after {
			f()
		}
		return nil
	}
	if refused(err) || errors.Is(err, errNotSent) && !Unavailable(err) {
		return err
	}
	return errors.Join(ErrOutcomeUnknown, err)
}

// Rehearse is a Commit that leaves nothing: what was queued is sent, so that the
// database refuses what it would refuse, and ROLLBACK travels behind it in the
// same round trip. What AfterCommit was given is never called. After a refusal
// the transaction is open, aborted, until the connection is released.
func (t *Tx) Rehearse(ctx context.Context) error {
	b := Batch{steps: t.queued()}
	b.Exec(rollbackStatement)
	return t.conn.Send(ctx, &b)
}

// Rollback undoes the transaction.
func (t *Tx) Rollback(ctx context.Context) error { return t.conn.Rollback(ctx) }

// attempts is how often a transaction is tried when the database asks for that
// (a deadlock, a failed serialisation).
const attempts = 3

// InTenant runs fn in a transaction bound to tenant and commits it when fn
// returns nil. fn may run more than once, so it changes nothing but the database.
func (p *Pool) InTenant(ctx context.Context, tenant uuid.UUID, fn func(context.Context, *Tx) error) error {
	return p.attempt(ctx, func(conn *Conn, b *Batch) { conn.Begin(b, tenant) }, tenant, fn)
}

// Global runs fn in a transaction that names no tenant: only the tables that
// stand outside the tenants (sign-ins, companies) have rows in it.
func (p *Pool) Global(ctx context.Context, fn func(context.Context, *Tx) error) error {
	begin := func(conn *Conn, b *Batch) {
		b.Exec(beginStatement)
		conn.takeRole(b)
	}
	return p.attempt(ctx, begin, uuid.Nil, fn)
}

// Sweep runs fn under the role that sees what is due of all tenants.
func (p *Pool) Sweep(ctx context.Context, fn func(context.Context, *Tx) error) error {
	begin := func(conn *Conn, b *Batch) {
		b.Exec(beginStatement)
		b.Exec(sweepStatement)
		b.Async() // a sweep that is lost is done again
	}
	return p.attempt(ctx, begin, uuid.Nil, fn)
}

// Read runs fn in a read-only transaction bound to tenant.
func (p *Pool) Read(ctx context.Context, tenant uuid.UUID, fn func(context.Context, Reader) error) error {
	begin := func(conn *Conn, b *Batch) { conn.BeginRead(b, tenant) }
	return p.attempt(ctx, begin, tenant, func(ctx context.Context, tx *Tx) error { return fn(ctx, tx) })
}

func (p *Pool) attempt(ctx context.Context, begin func(*Conn, *Batch), tenant uuid.UUID, fn func(context.Context, *Tx) error) error {
	var err error
	for range attempts {
		if err = p.once(ctx, begin, tenant, fn); !Retryable(err) {
			return err
		}
	}
	return err
}

func (p *Pool) once(ctx context.Context, begin func(*Conn, *Batch), tenant uuid.UUID, fn func(context.Context, *Tx) error) error {
	conn, err := p.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var b Batch
	begin(conn, &b)
	if err := conn.Send(ctx, &b); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	tx := conn.Adopt(tenant)
	if err := fn(ctx, tx); err != nil {
		return err
	}
	return tx.Commit(ctx, nil)
}
