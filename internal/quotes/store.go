package quotes

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

// quoteRow is a quote as its table holds it.
type quoteRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Quote    `gorm:"embedded"`
}

// TableName names the table.
func (quoteRow) TableName() string { return "quotes" }

// insert writes a quote with its lines.
func insert(ctx context.Context, tx *db.Tx, q *Quote) error {
	if err := tx.Gorm(ctx).Create(&quoteRow{tx.TenantID(), *q}).Error; err != nil {
		return conflict(fmt.Errorf("insert quote: %w", err))
	}
	return document.InsertLines(ctx, tx, document.QuoteItems, q.ID, q.Lines)
}

// get reads a quote without its lines.
func get(ctx context.Context, r db.Reader, id uuid.UUID) (*Quote, error) {
	row, err := db.Get[quoteRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	row.markExpired(document.Day(ctx, r.Now()))
	return &row.Quote, nil
}

// getForUpdate locks the quote until the transaction ends.
func getForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Quote, error) {
	row, err := db.GetForUpdate[quoteRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	row.markExpired(document.Day(ctx, tx.Now()))
	return &row.Quote, nil
}

func update(ctx context.Context, tx *db.Tx, q *Quote) error {
	if err := db.Update(ctx, tx, &quoteRow{tx.TenantID(), *q}, q.ID); err != nil {
		return conflict(fmt.Errorf("update quote %s: %w", q.ID, err))
	}
	return nil
}

func list(ctx context.Context, r db.Reader, f Filter) (page.Result[Quote], error) {
	q := f.Apply(r.Gorm(ctx).Model(&quoteRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.ClientID != nil {
		q = q.Where("client_id = ?", *f.ClientID)
	}
	if f.LeadID != nil {
		q = q.Where("lead_id = ?", *f.LeadID)
	}
	if f.Number != 0 {
		q = q.Where("number = ?", f.Number)
	}
	if f.Query != "" {
		q = document.Match(q, r.TenantID(), clients.Resource, f.Query)
	}
	columns := db.WithTimes(db.SortColumns{"number": db.NumberColumn("number")})
	var rows []quoteRow
	if err := db.Keyset(q, f.Page, columns).Find(&rows).Error; err != nil {
		return page.Result[Quote]{}, fmt.Errorf("list quotes: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row quoteRow) page.Position {
		if f.Page.Sort == "number" {
			return page.Position{Value: strconv.FormatInt(row.Number, 10), ID: row.ID}
		}
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	today := document.Day(ctx, r.Now())
	return page.Map(result, func(row quoteRow) Quote {
		row.markExpired(today)
		return row.Quote
	}), nil
}

// conflict turns the constraints of the table into the errors that a caller can
// act on.
func conflict(err error) error {
	return db.Reference(db.ExternalID(err), map[string]string{
		"quotes_client_id_fkey": "/client_id", "quotes_lead_id_fkey": "/lead_id",
	})
}
