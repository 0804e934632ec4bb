package db

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// increase is what a transaction adds to the columns of one row.
type increase struct {
	statement Statement
	id        uuid.UUID
	by        []int64
}

// Increase queues additions to columns of one row, such as an account's balance.
// Like Later, it travels with the commit. Additions to one row are summed, and
// the rows are taken in the order of their ids, whatever the order in which they
// were asked for: transactions that increase several rows cannot wait for each
// other in a circle, and a row that all of them want is locked for no longer
// than a commit takes.
//
// The parameters of s are the tenant, the id, and then by.
func (t *Tx) Increase(s Statement, id uuid.UUID, by ...int64) {
	for _, known := range t.increases {
		if known.statement.Name == s.Name && known.id == id {
			for i := range by {
				known.by[i] += by[i]
			}
			return
		}
	}
	t.increases = append(t.increases, increase{s, id, slices.Clone(by)})
}

// queued are the statements of Later, and behind them those of Increase.
func (t *Tx) queued() []step {
	slices.SortFunc(t.increases, func(a, b increase) int {
		return cmp.Or(cmp.Compare(a.statement.Name, b.statement.Name), bytes.Compare(a.id[:], b.id[:]))
	})
	b := Batch{steps: slices.Clone(t.later.steps)}
	for _, i := range t.increases {
		if !slices.ContainsFunc(i.by, func(n int64) bool { return n != 0 }) {
			continue // what was added was taken away again
		}
		args := []any{t.tenant, i.id}
		for _, n := range i.by {
			args = append(args, n)
		}
		b.Query(i.statement, args, nil)
	}
	return b.steps
}
