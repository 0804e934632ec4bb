package sales

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"fatureihoje/internal/clients"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// saleRow is a sale as its table holds it.
type saleRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Sale     `gorm:"embedded"`
}

// TableName names the table.
func (saleRow) TableName() string { return "sales" }

func insert(ctx context.Context, tx *db.Tx, s *Sale) error {
	if err := tx.Gorm(ctx).Create(&saleRow{tx.TenantID(), *s}).Error; err != nil {
		return conflict(fmt.Errorf("insert sale: %w", err))
	}
	return nil
}

// get reads a sale without its lines.
func get(ctx context.Context, r db.Reader, id uuid.UUID) (*Sale, error) {
	row, err := db.Get[saleRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Sale, nil
}

// getForUpdate locks the sale until the transaction ends; changes of its
// versions and payments take the same lock.
func getForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Sale, error) {
	row, err := db.GetForUpdate[saleRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Sale, nil
}

func update(ctx context.Context, tx *db.Tx, s *Sale) error {
	if err := db.Update(ctx, tx, &saleRow{tx.TenantID(), *s}, s.ID); err != nil {
		return conflict(fmt.Errorf("update sale %s: %w", s.ID, err))
	}
	return nil
}

func list(ctx context.Context, r db.Reader, f Filter) (page.Result[Sale], error) {
	q := f.Apply(r.Gorm(ctx).Model(&saleRow{}).Where("tenant_id = ?", r.TenantID()))
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
	if f.SoldFrom != nil {
		q = q.Where("sold_at >= ?", *f.SoldFrom)
	}
	if f.SoldTo != nil {
		q = q.Where("sold_at < ?", *f.SoldTo)
	}
	if f.Query != "" {
		q = document.Match(q, r.TenantID(), clients.Resource, f.Query)
	}
	columns := db.WithTimes(db.SortColumns{"number": db.NumberColumn("number")})
	var rows []saleRow
	if err := db.Keyset(q, f.Page, columns).Find(&rows).Error; err != nil {
		return page.Result[Sale]{}, fmt.Errorf("list sales: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row saleRow) page.Position {
		if f.Page.Sort == "number" {
			return page.Position{Value: strconv.FormatInt(row.Number, 10), ID: row.ID}
		}
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row saleRow) Sale { return row.Sale }), nil
}

// versionRow is a version as its table holds it.
type versionRow struct {
	TenantID    uuid.UUID `gorm:"primaryKey"`
	SaleVersion `gorm:"embedded"`
}

// TableName names the table.
func (versionRow) TableName() string { return "sale_versions" }

// insertVersion writes a version with its lines.
func insertVersion(ctx context.Context, tx *db.Tx, v *SaleVersion) error {
	if err := tx.Gorm(ctx).Create(&versionRow{tx.TenantID(), *v}).Error; err != nil {
		return conflict(fmt.Errorf("insert version %d of sale %s: %w", v.Number, v.SaleID, err))
	}
	return document.InsertLines(ctx, tx, document.SaleItems, v.ID, v.Lines)
}

// getVersion reads a version of a sale, or returns a not_found problem.
func getVersion(ctx context.Context, r db.Reader, saleID uuid.UUID, number int) (*SaleVersion, error) {
	var rows []versionRow
	err := r.Gorm(ctx).Where("tenant_id = ? AND sale_id = ? AND number = ?", r.TenantID(), saleID, number).Limit(1).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("get version %d of sale %s: %w", number, saleID, err)
	}
	if len(rows) == 0 {
		return nil, problem.Missing()
	}
	return &rows[0].SaleVersion, nil
}

func listVersions(ctx context.Context, r db.Reader, saleID uuid.UUID, p page.Request) (page.Result[SaleVersion], error) {
	var rows []versionRow
	q := r.Gorm(ctx).Model(&versionRow{}).Where("tenant_id = ? AND sale_id = ?", r.TenantID(), saleID)
	if err := db.Keyset(q, p, db.SortColumns{"created_at": db.TimeColumn("created_at")}).Find(&rows).Error; err != nil {
		return page.Result[SaleVersion]{}, fmt.Errorf("list the versions of sale %s: %w", saleID, err)
	}
	result := page.Cut(rows, p.Limit, func(row versionRow) page.Position { return db.TimePosition(row.CreatedAt, row.ID) })
	return page.Map(result, func(row versionRow) SaleVersion { return row.SaleVersion }), nil
}

// currentVersions returns the ids of the current versions of sales.
func currentVersions(ctx context.Context, r db.Reader, saleIDs ...uuid.UUID) (map[uuid.UUID]uuid.UUID, error) {
	var rows []struct{ SaleID, ID uuid.UUID }
	err := r.Gorm(ctx).Raw(`SELECT v.sale_id, v.id FROM sale_versions v
		JOIN sales s ON s.tenant_id = ? AND s.id = v.sale_id AND s.current_version = v.number
		WHERE v.tenant_id = ? AND v.sale_id IN ?`, r.TenantID(), r.TenantID(), saleIDs).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the current versions of sales: %w", err)
	}
	bySale := make(map[uuid.UUID]uuid.UUID, len(rows))
	for _, row := range rows {
		bySale[row.SaleID] = row.ID
	}
	return bySale, nil
}

// conflict turns the constraints of the tables into the errors that a caller
// can act on.
func conflict(err error) error {
	if v, ok := db.Violated(err, db.Unique); ok && strings.HasPrefix(v.Constraint, "sales_live_") {
		return AlreadyBilled()
	}
	err = db.ExternalID(err)
	for _, table := range []string{"sales", "sale_versions", "sale_payments"} {
		err = db.Reference(err, map[string]string{
			table + "_client_id_fkey": "/client_id", table + "_account_id_fkey": "/account_id", table + "_category_id_fkey": "/category_id",
		})
	}
	return err
}

// AlreadyBilled is the 409 of a quote or an order that a live sale bills already.
func AlreadyBilled() error {
	return problem.Conflicting("already_billed", problem.T(
		"Uma venda em vigor já fatura este documento.", "A live sale bills this document already."))
}
