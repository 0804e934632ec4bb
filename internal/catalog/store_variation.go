package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// variationRow is a variation as its table holds it.
type variationRow struct {
	TenantID  uuid.UUID `gorm:"primaryKey"`
	Variation `gorm:"embedded"`
	OptionKey string
}

// TableName names the table.
func (variationRow) TableName() string { return "product_variations" }

func toVariationRow(tenant uuid.UUID, v *Variation) *variationRow {
	return &variationRow{TenantID: tenant, Variation: *v, OptionKey: v.Options.key()}
}

func insertVariation(ctx context.Context, tx *db.Tx, v *Variation) error {
	if err := db.Insert(ctx, tx, toVariationRow(tx.TenantID(), v), conflict); err != nil {
		return err
	}
	return insertSKU(ctx, tx, v.SKU, v.ProductID, &v.ID)
}

// getVariation reads a variation of one product: under another product's id it
// does not exist.
func getVariation(ctx context.Context, r db.Reader, productID, id uuid.UUID) (*Variation, error) {
	row, err := db.Get[variationRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	if row.ProductID != productID {
		return nil, problem.Missing()
	}
	return &row.Variation, nil
}

// updateVariation writes all of v's members, under its product's lock; old is
// what they were.
func updateVariation(ctx context.Context, tx *db.Tx, v, old *Variation) error {
	if err := db.Update(ctx, tx, toVariationRow(tx.TenantID(), v), v.ID); err != nil {
		return conflict(fmt.Errorf("update variation %s: %w", v.ID, err))
	}
	return replaceSKU(ctx, tx, skuChange{ProductID: v.ProductID, VariationID: &v.ID, Old: old.SKU, New: v.SKU})
}

func removeVariation(ctx context.Context, tx *db.Tx, v *Variation) error {
	if err := db.Delete[variationRow](ctx, tx, v.ID); err != nil {
		return fmt.Errorf("delete variation %s: %w", v.ID, err)
	}
	return nil
}

// variationsOf reads all variations of a product, oldest first.
func variationsOf(ctx context.Context, r db.Reader, productID uuid.UUID) ([]Variation, error) {
	var rows []variationRow
	err := r.Gorm(ctx).Where("tenant_id = ? AND product_id = ?", r.TenantID(), productID).Order("created_at, id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the variations of product %s: %w", productID, err)
	}
	variations := make([]Variation, len(rows))
	for i, row := range rows {
		variations[i] = row.Variation
	}
	return variations, nil
}

func listVariations(ctx context.Context, r db.Reader, f VariationFilter) (page.Result[Variation], error) {
	q := f.Apply(r.Gorm(ctx).Model(&variationRow{}).Where("tenant_id = ? AND product_id = ?", r.TenantID(), f.ProductID))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.SKU != "" {
		q = q.Where("sku = ?", f.SKU)
	}
	result, err := listRows(q, f.Page, func(row variationRow) Record { return row.Record }, nil)
	return page.Map(result, func(row variationRow) Variation { return row.Variation }), err
}
