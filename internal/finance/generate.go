package finance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/origin"
	"fatureihoje/internal/problem"
)

// sweepBatch is how many rules are looked up at once.
const sweepBatch = 200

// MakeOccurrences makes the occurrences that the active rules of all companies
// are due, and returns how many it made. It may run in several processes at once
// and end at any point: each rule is taken under its lock, and what comes next is
// written together with what was made. A rule that fails does not keep the
// others from theirs.
func (s *Service) MakeOccurrences(ctx context.Context, pool *db.Pool) (made int, err error) {
	ctx = origin.With(ctx, origin.Origin{Type: origin.Job, Name: "recorrências"})
	var errs []error
	for last := (dueRule{}); ; {
		due, err := s.dueAfter(ctx, pool, last)
		if err != nil {
			return made, errors.Join(append(errs, err)...)
		}
		for _, rule := range due {
			n, err := s.makeFor(ctx, pool, rule)
			made += n
			if err != nil {
				errs = append(errs, fmt.Errorf("rule %s: %w", rule.ID, err))
			}
		}
		if len(due) < sweepBatch || ctx.Err() != nil {
			return made, errors.Join(errs...)
		}
		last = due[len(due)-1]
	}
}

// dueAfter reads a batch of rules. It reaches a day further than any company's
// horizon can: whose day it is already, the transaction of the company tells.
func (s *Service) dueAfter(ctx context.Context, pool *db.Pool, last dueRule) (due []dueRule, err error) {
	err = pool.Sweep(ctx, func(ctx context.Context, tx *db.Tx) error {
		latest := horizon(civil.DateOf(tx.Now(), time.UTC)).AddDays(1)
		due, err = dueRules(ctx, tx, latest, last, sweepBatch)
		return err
	})
	return due, err
}

// makeFor makes the occurrences that one rule is due, in transactions of at most
// MaxOccurrences.
func (s *Service) makeFor(ctx context.Context, pool *db.Pool, rule dueRule) (made int, err error) {
	for {
		var n int
		err := pool.InTenant(ctx, rule.TenantID, func(ctx context.Context, tx *db.Tx) error {
			n, err = s.makeOnce(ctx, tx, rule)
			return err
		})
		if err != nil {
			return made, err
		}
		made += n
		if n < MaxOccurrences {
			return made, nil
		}
	}
}

func (s *Service) makeOnce(ctx context.Context, tx *db.Tx, due dueRule) (int, error) {
	zone, err := zoneOf(ctx, tx)
	if err != nil {
		return 0, err
	}
	ctx = auth.WithCaller(ctx, &auth.Caller{Tenant: auth.Tenant{ID: due.TenantID, TimeZone: zone}}) // for its zone alone
	r, err := getRuleForUpdate(ctx, tx, due.ID)
	if problem.Is(err, problem.NotFound) || err == nil && r.Status != RuleActive {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	made := r.take(horizon(today(ctx, tx)))
	if len(made) == 0 {
		return 0, nil
	}
	if err := s.insertOccurrences(ctx, tx, made); err != nil {
		return 0, err
	}
	return len(made), updateProgress(ctx, tx, r)
}
