package finance

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/money"
	"fatureihoje/internal/problem"
)

// NewTransfer is what a transfer between two accounts is made of.
type NewTransfer struct {
	From, To    uuid.UUID
	Amount      money.Cents
	Date        civil.Date
	Description string
	Fee         money.Cents // paid by From, beside the amount
}

// Transfer is money that went from one account to another: the outgoing row, the
// incoming one, and the fee if there is one.
type Transfer struct {
	ID   uuid.UUID
	Rows []Transaction
}

// CreateTransfer moves money between accounts. Its rows are born paid, at the
// beginning of the day in the company's zone.
func (s *Service) CreateTransfer(ctx context.Context, tx *db.Tx, n NewTransfer) (*Transfer, error) {
	if err := s.checkEnds(ctx, tx, n); err != nil {
		return nil, err
	}
	transfer := &Transfer{ID: id.New()}
	transfer.add(n, TransferOut, n.From, n.Amount)
	transfer.add(n, TransferIn, n.To, n.Amount)
	if n.Fee > 0 {
		transfer.add(n, Expense, n.From, n.Fee)
		transfer.Rows[2].Description = "Tarifa de transferência"
	}
	at := n.Date.In(auth.CallerFrom(ctx).Location()).UTC()
	for i := range transfer.Rows {
		row := &transfer.Rows[i]
		born(ctx, tx, row)
		if err := row.pay(Settling{PaidAt: at}); err != nil {
			return nil, err
		}
		audit.Record(ctx, tx, audit.Event{Action: "financial_transaction.created", Resource: TransactionResource, ResourceID: row.ID})
	}
	return transfer, insertTransactions(ctx, tx, transfer.Rows)
}

func (t *Transfer) add(n NewTransfer, kind string, account uuid.UUID, amount money.Cents) {
	t.Rows = append(t.Rows, Transaction{
		Type: kind, Status: StatusPending, AmountCents: amount, Description: n.Description, DueDate: n.Date, CompetenceDate: n.Date,
		AccountID: account, TransferID: &t.ID,
	})
}

func (s *Service) checkEnds(ctx context.Context, r db.Reader, n NewTransfer) error {
	var f problem.Fields
	for pointer, account := range map[string]uuid.UUID{"/from_account_id": n.From, "/to_account_id": n.To} {
		exists, err := accountExists(ctx, r, account)
		if err != nil {
			return err
		}
		if !exists {
			unknown(&f, pointer)
		}
	}
	return f.Err()
}
