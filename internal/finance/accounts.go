package finance

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/id"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// CreateAccount adds an account. One that is to be the default takes the mark
// from the account that has it.
func (s *Service) CreateAccount(ctx context.Context, tx *db.Tx, a Account) (*Account, error) {
	a.ID, a.Version, a.CreatedAt, a.UpdatedAt = id.New(), 1, tx.Now(), tx.Now()
	if a.OpeningDate == (civil.Date{}) {
		a.OpeningDate = today(ctx, tx)
	}
	if err := a.validate(); err != nil {
		return nil, err
	}
	if a.IsDefault {
		if err := takeDefault(ctx, tx); err != nil {
			return nil, err
		}
	}
	if err := insertAccount(ctx, tx, &a); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_account.created", Resource: AccountResource, ResourceID: a.ID})
	return &a, nil
}

// takeDefault takes the default mark away, for another account to have. Those who
// move it wait for each other, before they lock any account.
func takeDefault(ctx context.Context, tx *db.Tx) error {
	if err := lockCompany(ctx, tx); err != nil {
		return err
	}
	return clearDefaultAccount(ctx, tx)
}

// GetAccount returns an account.
func (s *Service) GetAccount(ctx context.Context, r db.Reader, accountID uuid.UUID) (*Account, error) {
	return getAccount(ctx, r, accountID)
}

// ListAccounts returns a page of accounts.
func (s *Service) ListAccounts(ctx context.Context, r db.Reader, f AccountFilter) (page.Result[Account], error) {
	return listAccounts(ctx, r, f)
}

// UpdateAccount changes an account whose version satisfies match.
func (s *Service) UpdateAccount(ctx context.Context, tx *db.Tx, accountID uuid.UUID, match etag.Match, ch AccountChanges) (*Account, error) {
	if ch.IsDefault.IsSet() {
		if err := lockCompany(ctx, tx); err != nil {
			return nil, err
		}
	}
	a, err := getAccountForUpdate(ctx, tx, accountID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(a.Version); err != nil {
		return nil, err
	}
	wasDefault := a.IsDefault
	a.apply(ch)
	if err := a.validate(); err != nil {
		return nil, err
	}
	if err := moveDefault(ctx, tx, wasDefault, a.IsDefault); err != nil {
		return nil, err
	}
	a.Version++
	a.UpdatedAt = tx.Now()
	if err := updateAccount(ctx, tx, a); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_account.updated", Resource: AccountResource, ResourceID: a.ID})
	return a, nil
}

// moveDefault is under lockCompany wherever the two differ.
func moveDefault(ctx context.Context, tx *db.Tx, was, is bool) error {
	switch {
	case was && !is:
		return problem.Invalid(problem.Field{Pointer: "/is_default", Code: "default_required", Detail: problem.T(
			"Uma conta é sempre a padrão: torne outra a padrão.", "One account is always the default: make another one the default.")})
	case is && !was:
		return clearDefaultAccount(ctx, tx)
	}
	return nil
}

// DeleteAccount removes an account without movements that is not the default.
func (s *Service) DeleteAccount(ctx context.Context, tx *db.Tx, accountID uuid.UUID, match etag.Match) error {
	a, err := getAccountForUpdate(ctx, tx, accountID)
	if err != nil {
		return err
	}
	if err := match.Check(a.Version); err != nil {
		return err
	}
	if a.IsDefault {
		return problem.Conflicting("default_account", problem.T(
			"A conta padrão não pode ser excluída: torne outra a padrão antes.",
			"The default account cannot be deleted: make another one the default first."))
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_account.deleted", Resource: AccountResource, ResourceID: accountID})
	return db.Delete[accountRow](ctx, tx, accountID)
}
