package finance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/money"
	"fatureihoje/internal/problem"
)

// SaleRef is the sale that owns transactions.
type SaleRef struct {
	ID             uuid.UUID
	Number         int64
	ClientID       *uuid.UUID // checked by the sale
	AccountID      *uuid.UUID // nil: the default one
	CategoryID     *uuid.UUID // of income
	CompetenceDate civil.Date
}

// Part is one payment that a sale expects.
type Part struct {
	DueDate civil.Date
	Amount  money.Cents
	Method  *string
}

// PlanSale inserts one pending income transaction for each part, in one
// statement. The errors of an account or a category that does not exist or does
// not fit point to /account_id and /category_id.
func (s *Service) PlanSale(ctx context.Context, tx *db.Tx, sale SaleRef, parts []Part) ([]Transaction, error) {
	account, err := s.resolve(ctx, tx, references{kind: Income, account: sale.AccountID, category: sale.CategoryID})
	if err != nil {
		return nil, err
	}
	count := len(parts)
	list := make([]Transaction, count)
	for i, part := range parts {
		number := i + 1
		list[i] = Transaction{
			Type: Income, Status: StatusPending, AmountCents: part.Amount, Description: describeSale(sale.Number, number, count),
			DueDate: part.DueDate, CompetenceDate: sale.CompetenceDate, AccountID: account, CategoryID: sale.CategoryID, ClientID: sale.ClientID,
			Method: part.Method, SaleID: &sale.ID, InstallmentNumber: &number, InstallmentCount: &count,
		}
		born(ctx, tx, &list[i])
	}
	return list, insertTransactions(ctx, tx, list)
}

func describeSale(sale int64, number, count int) string {
	what := fmt.Sprintf("Venda nº %d", sale)
	if count == 1 {
		return what
	}
	return describePart(what, number, count)
}

// SaleTransactions lists a sale's transactions, the cancelled ones too, oldest
// due first. It locks nothing.
func (s *Service) SaleTransactions(ctx context.Context, r db.Reader, saleID uuid.UUID) ([]Transaction, error) {
	list, err := transactionsOfSale(ctx, r, saleID)
	markOverdue(list, today(ctx, r))
	return list, err
}

// DropPending cancels the sale's pending transactions, for a new plan or because
// the sale is cancelled.
func (s *Service) DropPending(ctx context.Context, tx *db.Tx, saleID uuid.UUID) error {
	pending, err := salePendingForUpdate(ctx, tx, saleID)
	if err != nil {
		return err
	}
	for i := range pending {
		if err := s.transition(ctx, tx, &pending[i], actionCancel, takeBack); err != nil {
			return err
		}
	}
	return nil
}

// Settlement is a payment of a sale.
type Settlement struct {
	PaymentID     uuid.UUID
	Amount        money.Cents
	PaidAt        time.Time
	AccountID     *uuid.UUID // nil: that of each transaction
	Method        string
	Fee           money.Cents // up to Amount
	TransactionID *uuid.UUID  // nil: the oldest due first
}

// SettleSale pays the sale's pending transactions, oldest due first or the one
// that is named, for exactly Amount, and returns what it paid. A part settles a
// part: the row becomes the paid one, and a new pending one has the rest. The
// accounts move by the amount less the fee. The caller holds the sale's lock and
// has checked Amount against its balance; an amount above what is pending, or
// above the transaction that is named, is a 422 at /amount_cents.
func (s *Service) SettleSale(ctx context.Context, tx *db.Tx, saleID uuid.UUID, st Settlement) ([]Transaction, error) {
	if st.AccountID != nil {
		if _, err := s.resolve(ctx, tx, references{account: st.AccountID}); err != nil {
			return nil, err
		}
	}
	if st.Fee > st.Amount {
		return nil, problem.Invalid(problem.Field{Pointer: "/fee_cents", Code: "fee_range", Detail: problem.T(
			"A tarifa passa do valor.", "The fee is above the amount.")})
	}
	pending, err := salePendingForUpdate(ctx, tx, saleID)
	if err != nil {
		return nil, err
	}
	if pending, err = s.choose(ctx, tx, saleID, pending, st.TransactionID); err != nil {
		return nil, err
	}
	shares, err := st.shares(pending)
	if err != nil {
		return nil, err
	}
	return s.settleShares(ctx, tx, pending[:len(shares)], shares, st)
}

// choose puts the pending transactions in the order in which they are paid, or
// keeps the one that is named.
func (s *Service) choose(ctx context.Context, r db.Reader, saleID uuid.UUID, pending []Transaction, named *uuid.UUID) ([]Transaction, error) {
	if named == nil {
		slices.SortFunc(pending, func(a, b Transaction) int {
			return cmp.Or(a.DueDate.Compare(b.DueDate), slices.Compare(a.ID[:], b.ID[:]))
		})
		return pending, nil
	}
	if i := slices.IndexFunc(pending, func(t Transaction) bool { return t.ID == *named }); i >= 0 {
		return pending[i : i+1], nil
	}
	t, err := getTransaction(ctx, r, *named)
	if err == nil && t.SaleID != nil && *t.SaleID == saleID {
		return nil, statuses().Refuse(t.Status)
	}
	if err != nil && !problem.Is(err, problem.NotFound) {
		return nil, err
	}
	return nil, problem.Invalid(problem.UnknownReference("/financial_transaction_id"))
}

// shares says what each of the first pending transactions is paid.
func (st Settlement) shares(pending []Transaction) ([]money.Cents, error) {
	var shares []money.Cents
	left := st.Amount
	for i := 0; left > 0 && i < len(pending); i++ {
		share := min(left, pending[i].AmountCents)
		shares = append(shares, share)
		left -= share
	}
	if left > 0 {
		return nil, problem.Invalid(problem.Field{Pointer: "/amount_cents", Code: "above_pending", Detail: problem.T(
			"O valor passa do que está pendente.", "The amount is above what is pending.")})
	}
	return shares, nil
}

func (s *Service) settleShares(ctx context.Context, tx *db.Tx, list []Transaction, shares []money.Cents, st Settlement) ([]Transaction, error) {
	if len(list) == 0 {
		return nil, nil
	}
	fees := money.SplitByWeight(st.Fee, shares)
	for i := range list {
		if err := s.splitOff(ctx, tx, &list[i], shares[i]); err != nil {
			return nil, err
		}
		err := s.transition(ctx, tx, &list[i], actionMarkPaid, func(t *Transaction, _ string) error {
			t.Method, t.PaymentID = &st.Method, &st.PaymentID
			return t.pay(Settling{PaidAt: st.PaidAt, AccountID: st.AccountID, Fee: fees[i]})
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// splitOff leaves share in a pending transaction, and what is above it to a new
// one beside it.
func (s *Service) splitOff(ctx context.Context, tx *db.Tx, t *Transaction, share money.Cents) error {
	if share == t.AmountCents {
		return nil
	}
	before, rest := *t, *t
	t.AmountCents = share
	rest.AmountCents = before.AmountCents - share
	rest.ExternalID, rest.Version, rest.CreatedAt, rest.UpdatedAt = nil, 1, tx.Now(), tx.Now()
	rest.ID = id.New()
	if err := s.write(ctx, tx, &before, t); err != nil {
		return err
	}
	return insertTransactions(ctx, tx, []Transaction{rest})
}

// ReverseSettlement undoes a payment of a sale: what it paid is pending again,
// and the accounts move back. A second time there is nothing to undo. Where the
// sale itself ends, DropPending follows. The caller holds the sale's lock.
func (s *Service) ReverseSettlement(ctx context.Context, tx *db.Tx, saleID, paymentID uuid.UUID) error {
	paid, err := paidByForUpdate(ctx, tx, saleID, paymentID)
	if err != nil {
		return err
	}
	for i := range paid {
		if err := s.transition(ctx, tx, &paid[i], actionReopen, takeBack); err != nil {
			return err
		}
	}
	return nil
}
