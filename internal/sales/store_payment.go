package sales

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// paymentRow is a payment as its table holds it.
type paymentRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Payment  `gorm:"embedded"`
}

// TableName names the table.
func (paymentRow) TableName() string { return "sale_payments" }

func insertPayment(ctx context.Context, tx *db.Tx, p *Payment) error {
	if err := tx.Gorm(ctx).Create(&paymentRow{tx.TenantID(), *p}).Error; err != nil {
		return conflict(fmt.Errorf("insert a payment of sale %s: %w", p.SaleID, err))
	}
	return nil
}

// getPayment reads a payment of one sale: under another sale's id it does not
// exist. Whoever changes it holds its sale's row.
func getPayment(ctx context.Context, r db.Reader, saleID, id uuid.UUID) (*Payment, error) {
	row, err := db.Get[paymentRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	if row.SaleID != saleID {
		return nil, problem.Missing()
	}
	return &row.Payment, nil
}

func updatePayment(ctx context.Context, tx *db.Tx, p *Payment) error {
	if err := db.Update(ctx, tx, &paymentRow{tx.TenantID(), *p}, p.ID); err != nil {
		return fmt.Errorf("update payment %s: %w", p.ID, err)
	}
	return nil
}

// sumPayments adds up the payments of a sale; under the sale's lock it is exact.
func sumPayments(ctx context.Context, r db.Reader, saleID uuid.UUID) (sums, error) {
	var s sums
	err := r.Gorm(ctx).Raw(`SELECT coalesce(sum(amount_cents) FILTER (WHERE status = 'confirmed'), 0)::bigint AS paid,
		coalesce(sum(amount_cents) FILTER (WHERE status IN ('pending', 'processing')), 0)::bigint AS reserved
		FROM sale_payments WHERE tenant_id = ? AND sale_id = ?`, r.TenantID(), saleID).Scan(&s).Error
	if err != nil {
		return s, fmt.Errorf("add up the payments of sale %s: %w", saleID, err)
	}
	return s, nil
}

// livePayments reads the payments of a sale that count or reserve, by id.
func livePayments(ctx context.Context, r db.Reader, saleID uuid.UUID) ([]Payment, error) {
	var rows []paymentRow
	err := r.Gorm(ctx).Where("tenant_id = ? AND sale_id = ? AND status IN ?", r.TenantID(), saleID,
		[]string{PaymentConfirmed, PaymentPending, PaymentProcessing}).Order("id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the payments of sale %s: %w", saleID, err)
	}
	payments := make([]Payment, len(rows))
	for i, row := range rows {
		payments[i] = row.Payment
	}
	return payments, nil
}

func listPayments(ctx context.Context, r db.Reader, f PaymentFilter) (page.Result[Payment], error) {
	q := f.Apply(r.Gorm(ctx).Model(&paymentRow{}).Where("tenant_id = ? AND sale_id = ?", r.TenantID(), f.SaleID))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.Method != "" {
		q = q.Where("method = ?", f.Method)
	}
	var rows []paymentRow
	if err := db.Keyset(q, f.Page, db.WithTimes(nil)).Find(&rows).Error; err != nil {
		return page.Result[Payment]{}, fmt.Errorf("list the payments of sale %s: %w", f.SaleID, err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row paymentRow) page.Position {
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row paymentRow) Payment { return row.Payment }), nil
}
