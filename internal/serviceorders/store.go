package serviceorders

import (
	"context"
	"fmt"
	"strconv"

	"github.com/google/uuid"

	"fatureihoje/internal/clients"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/page"
)

// orderRow is an order as its table holds it.
type orderRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Order    `gorm:"embedded"`
}

// TableName names the table.
func (orderRow) TableName() string { return "service_orders" }

// insert writes an order with its lines.
func insert(ctx context.Context, tx *db.Tx, o *Order) error {
	if err := tx.Gorm(ctx).Create(&orderRow{tx.TenantID(), *o}).Error; err != nil {
		return conflict(fmt.Errorf("insert service order: %w", err))
	}
	return document.InsertLines(ctx, tx, document.ServiceOrderItems, o.ID, o.Lines)
}

// get reads an order without its lines.
func get(ctx context.Context, r db.Reader, id uuid.UUID) (*Order, error) {
	row, err := db.Get[orderRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Order, nil
}

// getForUpdate locks the order until the transaction ends.
func getForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Order, error) {
	row, err := db.GetForUpdate[orderRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Order, nil
}

func update(ctx context.Context, tx *db.Tx, o *Order) error {
	if err := db.Update(ctx, tx, &orderRow{tx.TenantID(), *o}, o.ID); err != nil {
		return conflict(fmt.Errorf("update service order %s: %w", o.ID, err))
	}
	return nil
}

func list(ctx context.Context, r db.Reader, f Filter) (page.Result[Order], error) {
	q := f.Apply(r.Gorm(ctx).Model(&orderRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.ClientID != nil {
		q = q.Where("client_id = ?", *f.ClientID)
	}
	if f.QuoteID != nil {
		q = q.Where("quote_id = ?", *f.QuoteID)
	}
	if f.Number != 0 {
		q = q.Where("number = ?", f.Number)
	}
	if f.Query != "" {
		q = document.Match(q, r.TenantID(), clients.Resource, f.Query)
	}
	columns := db.WithTimes(db.SortColumns{"number": db.NumberColumn("number")})
	var rows []orderRow
	if err := db.Keyset(q, f.Page, columns).Find(&rows).Error; err != nil {
		return page.Result[Order]{}, fmt.Errorf("list service orders: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row orderRow) page.Position {
		if f.Page.Sort == "number" {
			return page.Position{Value: strconv.FormatInt(row.Number, 10), ID: row.ID}
		}
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row orderRow) Order { return row.Order }), nil
}

// conflict turns the constraints of the table into the errors that a caller can
// act on.
func conflict(err error) error {
	return db.Reference(db.ExternalID(err), map[string]string{
		"service_orders_client_id_fkey": "/client_id", "service_orders_address_id_fkey": "/address_id",
		"service_orders_assignee_member_id_fkey": "/assignee_member_id",
	})
}
