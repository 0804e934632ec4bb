package finance

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/history"
	"fatureihoje/internal/problem"
)

// MarkPaid pays a pending transaction, once.
func (s *Service) MarkPaid(ctx context.Context, tx *db.Tx, transactionID uuid.UUID, settling Settling) (*Transaction, error) {
	return s.act(ctx, tx, transactionID, actionMarkPaid, func(t *Transaction, _ string) error {
		if settling.AccountID != nil {
			if _, err := s.resolve(ctx, tx, references{account: settling.AccountID}); err != nil {
				return err
			}
		}
		return t.pay(settling)
	})
}

// Reopen takes the payment of a transaction back.
func (s *Service) Reopen(ctx context.Context, tx *db.Tx, transactionID uuid.UUID) (*Transaction, error) {
	return s.act(ctx, tx, transactionID, actionReopen, takeBack)
}

// Cancel cancels a pending transaction, or a transfer: both its rows and its fee.
func (s *Service) Cancel(ctx context.Context, tx *db.Tx, transactionID uuid.UUID) (*Transaction, error) {
	t, err := getTransaction(ctx, tx, transactionID)
	if err != nil {
		return nil, err
	}
	if t.TransferID != nil {
		return s.cancelTransfer(ctx, tx, transactionID, *t.TransferID)
	}
	return s.act(ctx, tx, transactionID, actionCancel, takeBack)
}

// act changes the status of a transaction of the company's own under its lock.
func (s *Service) act(ctx context.Context, tx *db.Tx, transactionID uuid.UUID, action string, change func(t *Transaction, to string) error) (*Transaction, error) {
	t, err := getTransactionForUpdate(ctx, tx, transactionID)
	if err != nil {
		return nil, err
	}
	if t.SaleID != nil {
		return nil, managedBySale()
	}
	return t, s.transition(ctx, tx, t, action, change)
}

// transition changes a transaction's status, which its caller has locked.
func (s *Service) transition(ctx context.Context, tx *db.Tx, t *Transaction, action string, change func(t *Transaction, to string) error) error {
	to, err := t.machine().Next(action, t.Status)
	if err != nil {
		return err
	}
	before := *t
	if err := change(t, to); err != nil {
		return err
	}
	if err := s.write(ctx, tx, &before, t); err != nil {
		return err
	}
	history.Record(ctx, tx, history.Change{Resource: TransactionResource, ResourceID: t.ID, Action: action, From: before.Status, To: to})
	audit.Record(ctx, tx, audit.Event{Action: "financial_transaction." + action, Resource: TransactionResource, ResourceID: t.ID})
	return nil
}

// takeBack is the change of a reopening and of a cancellation.
func takeBack(t *Transaction, to string) error {
	t.unpay(to)
	return nil
}

// cancelTransfer cancels all rows of a transfer and returns the one acted on.
func (s *Service) cancelTransfer(ctx context.Context, tx *db.Tx, transactionID, transferID uuid.UUID) (*Transaction, error) {
	rows, err := transferForUpdate(ctx, tx, transferID)
	if err != nil {
		return nil, err
	}
	var actedOn *Transaction
	for i := range rows {
		if err := s.transition(ctx, tx, &rows[i], actionCancel, takeBack); err != nil {
			return nil, err
		}
		if rows[i].ID == transactionID {
			actedOn = &rows[i]
		}
	}
	if actedOn == nil {
		return nil, problem.Missing()
	}
	return actedOn, nil
}
