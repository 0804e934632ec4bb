package finance

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// NewRule is what a recurring rule is made of.
type NewRule struct {
	Rule
	Account *uuid.UUID // nil: the default one
}

// CreateRule adds a rule, and the occurrences of its first days at once.
func (s *Service) CreateRule(ctx context.Context, tx *db.Tx, n NewRule) (*Rule, []Transaction, error) {
	r := n.Rule
	var f problem.Fields
	if r.validate(&f); !f.Empty() {
		return nil, nil, f.Err()
	}
	account, err := s.resolve(ctx, tx, references{r.Type, n.Account, r.CategoryID, r.ClientID})
	if err != nil {
		return nil, nil, err
	}
	r.ID, r.Version, r.CreatedAt, r.UpdatedAt = id.New(), 1, tx.Now(), tx.Now()
	r.AccountID, r.Status = account, RuleActive
	r.FirstDate, r.NextNumber = firstDate(r.Frequency, r.StartDate, r.day()), 1
	r.settle()
	made := r.take(horizon(today(ctx, tx)))
	if len(made) == MaxOccurrences && r.NextDate != nil && !r.NextDate.After(horizon(today(ctx, tx))) {
		return nil, nil, problem.Invalid(problem.Field{Pointer: "/start_date", Code: "too_many_occurrences", Detail: problem.Tf(
			"A data é antiga demais: mais de %d ocorrências já teriam vencido.",
			"The date is too far back: more than %d occurrences would be due already.", MaxOccurrences)})
	}
	if err := insertRule(ctx, tx, &r); err != nil {
		return nil, nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_rule.created", Resource: RuleResource, ResourceID: r.ID})
	return &r, made, s.insertOccurrences(ctx, tx, made)
}

func (s *Service) insertOccurrences(ctx context.Context, tx *db.Tx, made []Transaction) error {
	for i := range made {
		born(ctx, tx, &made[i])
	}
	return insertTransactions(ctx, tx, made)
}

// GetRule returns a rule.
func (s *Service) GetRule(ctx context.Context, r db.Reader, ruleID uuid.UUID) (*Rule, error) {
	return getRule(ctx, r, ruleID)
}

// ListRules returns a page of rules.
func (s *Service) ListRules(ctx context.Context, r db.Reader, f RuleFilter) (page.Result[Rule], error) {
	return listRules(ctx, r, f)
}

// UpdateRule changes a rule whose version satisfies match: what is made from now
// on, and with applyToPending also what was made and is not paid.
func (s *Service) UpdateRule(ctx context.Context, tx *db.Tx, ruleID uuid.UUID, match etag.Match, ch RuleChanges, applyToPending bool) (*Rule, error) {
	var f problem.Fields
	if err := s.checkClient(ctx, tx, ch.ClientID.Or(nil), &f); err != nil {
		return nil, err
	}
	r, err := getRuleForUpdate(ctx, tx, ruleID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(r.Version); err != nil {
		return nil, err
	}
	if err := r.apply(ch); err != nil {
		return nil, err
	}
	r.validate(&f)
	if err := s.checkChanged(ctx, tx, r.Type, ch.AccountID.Or(nil), ch.CategoryID.Or(nil), &f); err != nil {
		return nil, err
	}
	r.settle()
	if applyToPending {
		if err := s.followRule(ctx, tx, r); err != nil {
			return nil, err
		}
	}
	if err := s.proceed(ctx, tx, r); err != nil {
		return nil, err
	}
	return r, s.writeRule(ctx, tx, r, "updated")
}

// followRule brings the unpaid occurrences to what the rule says now, and
// cancels those after its new end.
func (s *Service) followRule(ctx context.Context, tx *db.Tx, r *Rule) error {
	pending, err := rulePendingForUpdate(ctx, tx, r.ID, nil)
	if err != nil {
		return err
	}
	for i := range pending {
		t := &pending[i]
		before := *t
		if !r.follow(t) {
			err = s.transition(ctx, tx, t, actionCancel, takeBack)
		} else {
			err = s.write(ctx, tx, &before, t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// proceed makes the occurrences that an active rule is due.
func (s *Service) proceed(ctx context.Context, tx *db.Tx, r *Rule) error {
	if r.Status != RuleActive {
		return nil
	}
	return s.insertOccurrences(ctx, tx, r.take(horizon(today(ctx, tx))))
}

// Pause stops a rule from making occurrences until it is resumed.
func (s *Service) Pause(ctx context.Context, tx *db.Tx, ruleID uuid.UUID) (*Rule, error) {
	return s.actOnRule(ctx, tx, ruleID, "pause", func(*Rule) error { return nil })
}

// Resume lets a paused rule go on, from today: what fell into the pause is left
// out, and counts as passed.
func (s *Service) Resume(ctx context.Context, tx *db.Tx, ruleID uuid.UUID) (*Rule, error) {
	return s.actOnRule(ctx, tx, ruleID, "resume", func(r *Rule) error {
		r.skipTo(today(ctx, tx))
		return s.proceed(ctx, tx, r)
	})
}

// End ends a rule for good. The occurrences that were made stay, except, with
// cancelFuture, those unpaid that are due after today.
func (s *Service) End(ctx context.Context, tx *db.Tx, ruleID uuid.UUID, cancelFuture bool) (*Rule, error) {
	return s.actOnRule(ctx, tx, ruleID, "end", func(r *Rule) error {
		r.NextDate = nil
		if !cancelFuture {
			return nil
		}
		day := today(ctx, tx)
		future, err := rulePendingForUpdate(ctx, tx, r.ID, &day)
		if err != nil {
			return err
		}
		for i := range future {
			if err := s.transition(ctx, tx, &future[i], actionCancel, takeBack); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) actOnRule(ctx context.Context, tx *db.Tx, ruleID uuid.UUID, action string, then func(*Rule) error) (*Rule, error) {
	r, err := getRuleForUpdate(ctx, tx, ruleID)
	if err != nil {
		return nil, err
	}
	to, err := ruleStatuses().Next(action, r.Status)
	if err != nil {
		return nil, err
	}
	history.Record(ctx, tx, history.Change{Resource: RuleResource, ResourceID: r.ID, Action: action, From: r.Status, To: to})
	r.Status = to
	if err := then(r); err != nil {
		return nil, err
	}
	return r, s.writeRule(ctx, tx, r, action)
}

func (s *Service) writeRule(ctx context.Context, tx *db.Tx, r *Rule, action string) error {
	r.Version++
	r.UpdatedAt = tx.Now()
	audit.Record(ctx, tx, audit.Event{Action: "financial_rule." + action, Resource: RuleResource, ResourceID: r.ID})
	return updateRule(ctx, tx, r)
}

// RuleHistory returns a page of the changes of a rule's status.
func (s *Service) RuleHistory(ctx context.Context, r db.Reader, ruleID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := getRule(ctx, r, ruleID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, RuleResource, ruleID, p)
}

// DaysAhead is how many days before its date an occurrence is made.
const DaysAhead = 90

// horizon is the last date whose occurrences are made today.
func horizon(today civil.Date) civil.Date { return today.AddDays(DaysAhead) }
