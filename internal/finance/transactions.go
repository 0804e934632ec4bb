package finance

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// NewTransaction is what a transaction of the company's own is made of.
type NewTransaction struct {
	Transaction
	Account *uuid.UUID // nil: the default one
}

// CreateTransaction adds a transaction: pending, or paid if it says when.
func (s *Service) CreateTransaction(ctx context.Context, tx *db.Tx, n NewTransaction) (*Transaction, error) {
	t := n.Transaction
	account, err := s.resolve(ctx, tx, references{t.Type, n.Account, t.CategoryID, t.ClientID})
	if err != nil {
		return nil, err
	}
	t.AccountID, t.Status = account, StatusPending
	if t.CompetenceDate == (civil.Date{}) {
		t.CompetenceDate = t.DueDate
	}
	if t.PaidAt != nil {
		if err := t.pay(Settling{PaidAt: *t.PaidAt}); err != nil {
			return nil, err
		}
	}
	born(ctx, tx, &t)
	if err := insertTransactions(ctx, tx, []Transaction{t}); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_transaction.created", Resource: TransactionResource, ResourceID: t.ID})
	return &t, nil
}

// born gives a new transaction its id and its times.
func born(ctx context.Context, tx *db.Tx, t *Transaction) {
	t.ID, t.Version, t.CreatedAt, t.UpdatedAt = id.New(), 1, tx.Now(), tx.Now()
	t.markOverdue(today(ctx, tx))
}

// GetTransaction returns a transaction.
func (s *Service) GetTransaction(ctx context.Context, r db.Reader, transactionID uuid.UUID) (*Transaction, error) {
	t, err := getTransaction(ctx, r, transactionID)
	if err != nil {
		return nil, err
	}
	t.markOverdue(today(ctx, r))
	return t, nil
}

// ListTransactions returns a page of transactions.
func (s *Service) ListTransactions(ctx context.Context, r db.Reader, f TransactionFilter) (page.Result[Transaction], error) {
	day := today(ctx, r)
	result, err := listTransactions(ctx, r, f, day, auth.CallerFrom(ctx).Location())
	markOverdue(result.Items, day)
	return result, err
}

func markOverdue(list []Transaction, day civil.Date) {
	for i := range list {
		list[i].markOverdue(day)
	}
}

// UpdateTransaction changes a transaction whose version satisfies match.
func (s *Service) UpdateTransaction(ctx context.Context, tx *db.Tx, transactionID uuid.UUID, match etag.Match, ch TransactionChanges) (*Transaction, error) {
	var f problem.Fields
	if err := s.checkClient(ctx, tx, ch.ClientID.Or(nil), &f); err != nil {
		return nil, err
	}
	t, err := getTransactionForUpdate(ctx, tx, transactionID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(t.Version); err != nil {
		return nil, err
	}
	before := *t
	if err := t.apply(ch); err != nil {
		return nil, err
	}
	t.Metadata.Validate("/metadata", &f)
	if err := s.checkChanged(ctx, tx, t.Type, ch.AccountID.Or(nil), ch.CategoryID.Or(nil), &f); err != nil {
		return nil, err
	}
	if err := s.write(ctx, tx, &before, t); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_transaction.updated", Resource: TransactionResource, ResourceID: t.ID})
	return t, nil
}

// checkChanged checks the account and the category that a change names, nil for
// none, and returns all that f has collected.
func (s *Service) checkChanged(ctx context.Context, r db.Reader, kind string, account, category *uuid.UUID, f *problem.Fields) error {
	if account != nil {
		if _, err := s.resolveAccount(ctx, r, account, f); err != nil {
			return err
		}
	}
	if err := s.checkCategory(ctx, r, references{kind: kind, category: category}, f); err != nil {
		return err
	}
	return f.Err()
}

// write makes t the next version of before.
func (s *Service) write(ctx context.Context, tx *db.Tx, before, t *Transaction) error {
	t.Version++
	t.UpdatedAt = tx.Now()
	t.markOverdue(today(ctx, tx))
	return updateTransaction(ctx, tx, before, t)
}

// DeleteTransaction removes a pending transaction of the company's own.
func (s *Service) DeleteTransaction(ctx context.Context, tx *db.Tx, transactionID uuid.UUID, match etag.Match) error {
	t, err := getTransactionForUpdate(ctx, tx, transactionID)
	if err != nil {
		return err
	}
	if err := match.Check(t.Version); err != nil {
		return err
	}
	if t.SaleID != nil {
		return managedBySale()
	}
	if t.Status != StatusPending {
		return t.machine().Refuse(t.Status)
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_transaction.deleted", Resource: TransactionResource, ResourceID: t.ID})
	return removeTransaction(ctx, tx, t)
}

// TransactionHistory returns a page of the changes of a transaction's status.
func (s *Service) TransactionHistory(ctx context.Context, r db.Reader, transactionID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := getTransaction(ctx, r, transactionID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, TransactionResource, transactionID, p)
}
