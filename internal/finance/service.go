package finance

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// Service holds the rules of a company's money.
type Service struct {
	referableClient ReferableClient
}

// ReferableClient checks that something new may name a client; its refusal is a
// 422 at pointer. It is package clients, which finance does not import.
type ReferableClient func(ctx context.Context, tx *db.Tx, clientID uuid.UUID, pointer string) error

// NewService returns the service.
func NewService(referableClient ReferableClient) *Service { return &Service{referableClient} }

// references are the records that a transaction or a rule names.
type references struct {
	kind     string     // income or expense: that of the category
	account  *uuid.UUID // nil: the default one
	category *uuid.UUID
	client   *uuid.UUID
}

// resolve checks that what is named exists, fits and may be used in something
// new, all at once, and returns the account.
func (s *Service) resolve(ctx context.Context, tx *db.Tx, refs references) (uuid.UUID, error) {
	var f problem.Fields
	if err := s.checkClient(ctx, tx, refs.client, &f); err != nil {
		return uuid.Nil, err
	}
	account, err := s.resolveAccount(ctx, tx, refs.account, &f)
	if err != nil {
		return uuid.Nil, err
	}
	if err := s.checkCategory(ctx, tx, refs, &f); err != nil {
		return uuid.Nil, err
	}
	return account, f.Err()
}

func (s *Service) resolveAccount(ctx context.Context, r db.Reader, named *uuid.UUID, f *problem.Fields) (uuid.UUID, error) {
	if named == nil {
		account, err := defaultAccount(ctx, r)
		if err == nil && account == uuid.Nil {
			f.Add("/account_id", "required", problem.T("Nenhuma conta é a padrão; informe a conta.", "No account is the default; name the account."))
		}
		return account, err
	}
	exists, err := accountExists(ctx, r, *named)
	if err == nil && !exists {
		unknown(f, "/account_id")
	}
	return *named, err
}

func (s *Service) checkCategory(ctx context.Context, r db.Reader, refs references, f *problem.Fields) error {
	if refs.category == nil {
		return nil
	}
	c, err := getCategory(ctx, r, *refs.category)
	switch {
	case problem.Is(err, problem.NotFound):
		unknown(f, "/category_id")
	case err != nil:
		return err
	case c.Kind != refs.kind:
		f.Add("/category_id", "kind_mismatch", problem.T(
			"A categoria é de outro tipo: receita com receita, despesa com despesa.",
			"The category is of the other kind: income with income, expense with expense."))
	}
	return nil
}

// checkClient locks the client, and so comes before the lock of a transaction.
func (s *Service) checkClient(ctx context.Context, tx *db.Tx, clientID *uuid.UUID, f *problem.Fields) error {
	if clientID == nil {
		return nil
	}
	return f.Collect(s.referableClient(ctx, tx, *clientID, "/client_id"))
}

func unknown(f *problem.Fields, pointer string) {
	u := problem.UnknownReference(pointer)
	f.Add(u.Pointer, u.Code, u.Detail)
}

// today is the company's calendar date at the transaction's instant.
func today(ctx context.Context, r db.Reader) civil.Date {
	return civil.DateOf(r.Now().In(time.UTC), auth.CallerFrom(ctx).Location())
}
