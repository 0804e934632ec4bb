package finance

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// transactionRow is a transaction as its table holds it.
type transactionRow struct {
	TenantID    uuid.UUID `gorm:"primaryKey"`
	Transaction `gorm:"embedded"`
}

// TableName names the table.
func (transactionRow) TableName() string { return "financial_transactions" }

// move queues what a change of a transaction does to its account, or to the two
// accounts between which it changes. before is nil for a new one, after for a
// removed one.
func move(tx *db.Tx, before, after *Transaction) {
	if before != nil {
		moved, pending := before.effect()
		tx.Increase(increaseAccount, before.AccountID, -moved, -pending)
	}
	if after != nil {
		moved, pending := after.effect()
		tx.Increase(increaseAccount, after.AccountID, moved, pending)
	}
}

// insertTransactions writes new transactions in one statement.
func insertTransactions(ctx context.Context, tx *db.Tx, list []Transaction) error {
	if len(list) == 0 {
		return nil
	}
	rows := make([]transactionRow, len(list))
	for i := range list {
		rows[i] = transactionRow{tx.TenantID(), list[i]}
	}
	for i := range list {
		move(tx, nil, &list[i])
	}
	if len(rows) == 1 {
		return db.Insert(ctx, tx, &rows[0], transactionConflict)
	}
	return db.Insert(ctx, tx, &rows, transactionConflict)
}

// updateTransaction writes what has become of before, under its lock.
func updateTransaction(ctx context.Context, tx *db.Tx, before, after *Transaction) error {
	if err := db.Update(ctx, tx, &transactionRow{tx.TenantID(), *after}, after.ID); err != nil {
		return transactionConflict(fmt.Errorf("update transaction %s: %w", after.ID, err))
	}
	move(tx, before, after)
	return nil
}

func removeTransaction(ctx context.Context, tx *db.Tx, t *Transaction) error {
	if err := db.Delete[transactionRow](ctx, tx, t.ID); err != nil {
		return fmt.Errorf("delete transaction %s: %w", t.ID, err)
	}
	move(tx, t, nil)
	return nil
}

func getTransaction(ctx context.Context, r db.Reader, id uuid.UUID) (*Transaction, error) {
	row, err := db.Get[transactionRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Transaction, nil
}

func getTransactionForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Transaction, error) {
	row, err := db.GetForUpdate[transactionRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Transaction, nil
}

// transferForUpdate locks all rows of a transfer.
func transferForUpdate(ctx context.Context, tx *db.Tx, transferID uuid.UUID) ([]Transaction, error) {
	return lockInOrder(tx.Gorm(ctx).Where("tenant_id = ? AND transfer_id = ?", tx.TenantID(), transferID))
}

// salePendingForUpdate locks the pending transactions of a sale.
func salePendingForUpdate(ctx context.Context, tx *db.Tx, saleID uuid.UUID) ([]Transaction, error) {
	return lockInOrder(tx.Gorm(ctx).Where("tenant_id = ? AND sale_id = ? AND status = ?", tx.TenantID(), saleID, StatusPending))
}

// paidByForUpdate locks the transactions that a payment of a sale has paid.
func paidByForUpdate(ctx context.Context, tx *db.Tx, saleID, paymentID uuid.UUID) ([]Transaction, error) {
	return lockInOrder(tx.Gorm(ctx).Where("tenant_id = ? AND sale_id = ? AND payment_id = ? AND status = ?",
		tx.TenantID(), saleID, paymentID, StatusPaid))
}

// rulePendingForUpdate locks the occurrences of a rule that are not paid, those
// due after a day if one is given.
func rulePendingForUpdate(ctx context.Context, tx *db.Tx, ruleID uuid.UUID, after *civil.Date) ([]Transaction, error) {
	q := tx.Gorm(ctx).Where("tenant_id = ? AND recurring_id = ? AND status = ?", tx.TenantID(), ruleID, StatusPending)
	if after != nil {
		q = q.Where("due_date > ?", *after)
	}
	return lockInOrder(q)
}

// lockInOrder locks rows in the order of their ids, in which all lock.
func lockInOrder(q *gorm.DB) ([]Transaction, error) {
	return allTransactions(q.Clauses(clause.Locking{Strength: "UPDATE"}).Order("id"))
}

func transactionsOfSale(ctx context.Context, r db.Reader, saleID uuid.UUID) ([]Transaction, error) {
	return allTransactions(r.Gorm(ctx).Where("tenant_id = ? AND sale_id = ?", r.TenantID(), saleID).Order("due_date, id"))
}

func allTransactions(q *gorm.DB) ([]Transaction, error) {
	var rows []transactionRow
	if err := q.Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read transactions: %w", err)
	}
	list := make([]Transaction, len(rows))
	for i := range rows {
		list[i] = rows[i].Transaction
	}
	return list, nil
}

// listTransactions returns a page. today and zone are the company's, for what is
// overdue and for the days of payment.
func listTransactions(ctx context.Context, r db.Reader, f TransactionFilter, today civil.Date, zone *time.Location) (page.Result[Transaction], error) {
	q := f.Apply(r.Gorm(ctx).Model(&transactionRow{}).Where("tenant_id = ?", r.TenantID()))
	switch f.Status {
	case "":
	case StatusOverdue:
		q = q.Where("status = 'pending' AND due_date < ?", today)
	default:
		q = q.Where("status = ?", f.Status)
	}
	if f.Type != "" {
		q = q.Where("type = ?", f.Type)
	}
	q = f.references(f.dates(q, zone))
	var rows []transactionRow
	columns := db.WithTimes(db.SortColumns{"due_date": db.DateColumn("due_date")})
	if err := db.Keyset(q, f.Page, columns).Find(&rows).Error; err != nil {
		return page.Result[Transaction]{}, fmt.Errorf("list transactions: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row transactionRow) page.Position {
		if f.Page.Sort == "due_date" {
			return page.Position{Value: row.DueDate.String(), ID: row.ID}
		}
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row transactionRow) Transaction { return row.Transaction }), nil
}

func (f TransactionFilter) references(q *gorm.DB) *gorm.DB {
	for _, ref := range []struct {
		condition string
		id        *uuid.UUID
	}{
		{"account_id = ?", f.AccountID},
		{"category_id = ?", f.CategoryID},
		{"client_id = ?", f.ClientID},
		{"sale_id = ?", f.SaleID},
		{"installment_group_id = ?", f.InstallmentGroupID},
		{"recurring_id = ?", f.RecurringID},
		{"transfer_id = ?", f.TransferID},
	} {
		if ref.id != nil {
			q = q.Where(ref.condition, *ref.id)
		}
	}
	return q
}

func (f TransactionFilter) dates(q *gorm.DB, zone *time.Location) *gorm.DB {
	if f.DueFrom != nil {
		q = q.Where("due_date >= ?", *f.DueFrom)
	}
	if f.DueTo != nil {
		q = q.Where("due_date <= ?", *f.DueTo)
	}
	if f.PaidFrom != nil {
		q = q.Where("status = 'paid' AND paid_at >= ?", f.PaidFrom.In(zone))
	}
	if f.PaidTo != nil {
		q = q.Where("status = 'paid' AND paid_at < ?", f.PaidTo.AddDays(1).In(zone))
	}
	return q
}

func transactionConflict(err error) error {
	return db.ExternalID(db.Reference(err, map[string]string{
		"financial_transactions_account_id_fkey":  "/account_id",
		"financial_transactions_category_id_fkey": "/category_id",
		"financial_transactions_client_id_fkey":   "/client_id",
	}))
}
