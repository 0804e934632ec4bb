package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/search"
)

// productRow is a product as its table holds it.
type productRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Product  `gorm:"embedded"`
	NameSort string
}

// TableName names the table.
func (productRow) TableName() string { return "products" }

func toProductRow(tenant uuid.UUID, p *Product) *productRow {
	return &productRow{TenantID: tenant, Product: *p, NameSort: nameSort(p.Name)}
}

func insertProduct(ctx context.Context, tx *db.Tx, p *Product) error {
	if err := db.Insert(ctx, tx, toProductRow(tx.TenantID(), p), conflict); err != nil {
		return err
	}
	if err := insertSKU(ctx, tx, p.SKU, p.ID, nil); err != nil {
		return err
	}
	search.Index(tx, ProductResource, p.ID, p.tokens())
	return nil
}

func getProduct(ctx context.Context, r db.Reader, id uuid.UUID) (*Product, error) {
	row, err := db.Get[productRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Product, nil
}

// getProductForUpdate locks the product until the transaction ends; whatever
// changes its variations takes the same lock.
func getProductForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Product, error) {
	row, err := db.GetForUpdate[productRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Product, nil
}

// updateProduct writes all of p's members, under the lock that
// getProductForUpdate took; old is what they were.
func updateProduct(ctx context.Context, tx *db.Tx, p, old *Product) error {
	if err := db.Update(ctx, tx, toProductRow(tx.TenantID(), p), p.ID); err != nil {
		return conflict(fmt.Errorf("update product %s: %w", p.ID, err))
	}
	return replaceSKU(ctx, tx, skuChange{ProductID: p.ID, Old: old.SKU, New: p.SKU})
}

// removeProduct deletes a product, and with it its variations and their SKUs.
func removeProduct(ctx context.Context, tx *db.Tx, id uuid.UUID) error {
	if err := db.Delete[productRow](ctx, tx, id); err != nil {
		return fmt.Errorf("delete product %s: %w", id, err)
	}
	return nil
}

func listProducts(ctx context.Context, r db.Reader, f ProductFilter) (page.Result[Product], error) {
	q := f.Apply(r.Gorm(ctx).Model(&productRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.CategoryID != nil {
		q = q.Where("category_id = ?", *f.CategoryID)
	}
	if f.SKU != "" {
		q = q.Where("id IN (SELECT product_id FROM product_skus WHERE tenant_id = ? AND sku = ?)", r.TenantID(), f.SKU)
	}
	if f.Query != "" {
		q = search.Match(q, r.TenantID(), ProductResource, f.Query)
	}
	result, err := listRows(q, f.Page,
		func(row productRow) Record { return row.Record }, func(row productRow) string { return row.NameSort })
	return page.Map(result, func(row productRow) Product { return row.Product }), err
}
