package db

import (
	"context"

	"github.com/google/uuid"
)

// AfterCommit has f called once the transaction is committed, and never where
// it is not: for what the outside world gets to see of the change, such as a
// mail. f must be quick, since the answer waits for it, and may be lost with the
// process.
func (t *Tx) AfterCommit(f func()) { t.after = append(t.after, f) }

// Visit runs fn inside this transaction, bound to another tenant meanwhile.
// Only what belongs to one person or one company in two tenants at once has use
// for it: a session in another company of the same person, the members of a
// sandbox. The caller decides, by rows outside the tenants, that the two belong
// together. An error of fn is to be returned, so that all is rolled back.
func (t *Tx) Visit(ctx context.Context, tenant uuid.UUID, fn func(context.Context, *Tx) error) error {
	if err := t.rebind(ctx, nil, tenant); err != nil {
		return err
	}
	visit := &Tx{conn: t.conn, tenant: tenant, now: t.now}
	err := fn(ctx, visit)
	if err != nil {
		_ = t.rebind(ctx, nil, t.tenant) // refused in an aborted transaction, which can only be rolled back
		return err
	}
	t.after = append(t.after, visit.after...)
	return t.rebind(ctx, visit.queued(), t.tenant)
}

// rebind sends what was queued, then binds the transaction to tenant.
func (t *Tx) rebind(ctx context.Context, queued []step, tenant uuid.UUID) error {
	b := Batch{steps: queued}
	name := ""
	if tenant != uuid.Nil {
		name = tenant.String()
	}
	b.Exec(bindTo(name))
	return t.conn.Send(ctx, &b)
}
