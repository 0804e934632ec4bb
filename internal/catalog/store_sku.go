package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

// skuChange is a change of the SKU of a product, or of a variation of it.
type skuChange struct {
	ProductID   uuid.UUID
	VariationID *uuid.UUID
	Old, New    *string
}

// skuRow is a SKU as its table holds it.
type skuRow struct {
	TenantID    uuid.UUID `gorm:"primaryKey"`
	SKU         string    `gorm:"primaryKey"`
	ProductID   uuid.UUID
	VariationID *uuid.UUID
}

// TableName names the table.
func (skuRow) TableName() string { return "product_skus" }

// insertSKU takes a SKU for its owner. Of two that want one at the same moment
// the second waits, and is told that it exists.
func insertSKU(ctx context.Context, tx *db.Tx, sku *string, productID uuid.UUID, variationID *uuid.UUID) error {
	if sku == nil {
		return nil
	}
	return db.Insert(ctx, tx, &skuRow{tx.TenantID(), *sku, productID, variationID}, conflict)
}

func replaceSKU(ctx context.Context, tx *db.Tx, c skuChange) error {
	switch {
	case c.Old == nil:
		return insertSKU(ctx, tx, c.New, c.ProductID, c.VariationID)
	case c.New == nil:
		return removeSKU(ctx, tx, *c.Old)
	case *c.Old == *c.New:
		return nil
	}
	err := tx.Gorm(ctx).Exec("UPDATE product_skus SET sku = ? WHERE tenant_id = ? AND sku = ?", *c.New, tx.TenantID(), *c.Old).Error
	if err != nil {
		return conflict(fmt.Errorf("update the SKU of product %s: %w", c.ProductID, err))
	}
	return nil
}

func removeSKU(ctx context.Context, tx *db.Tx, sku string) error {
	if err := tx.Gorm(ctx).Exec("DELETE FROM product_skus WHERE tenant_id = ? AND sku = ?", tx.TenantID(), sku).Error; err != nil {
		return fmt.Errorf("delete a SKU: %w", err)
	}
	return nil
}
