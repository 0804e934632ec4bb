package finance

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// categoryRow is a category as its table holds it.
type categoryRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Category `gorm:"embedded"`
}

// TableName names the table.
func (categoryRow) TableName() string { return "financial_categories" }

// insertCategories writes several at once, parents before their children.
func insertCategories(ctx context.Context, tx *db.Tx, categories []Category) error {
	rows := make([]categoryRow, len(categories))
	for i, c := range categories {
		rows[i] = categoryRow{tx.TenantID(), c}
	}
	return db.Insert(ctx, tx, &rows, categoryConflict)
}

func getCategory(ctx context.Context, r db.Reader, id uuid.UUID) (*Category, error) {
	row, err := db.Get[categoryRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Category, nil
}

func getCategoryForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Category, error) {
	row, err := db.GetForUpdate[categoryRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Category, nil
}

func updateCategory(ctx context.Context, tx *db.Tx, c *Category) error {
	if err := db.Update(ctx, tx, &categoryRow{tx.TenantID(), *c}, c.ID); err != nil {
		return categoryConflict(fmt.Errorf("update category %s: %w", c.ID, err))
	}
	return nil
}

// isWithin reports whether a category is another one, or below it.
func isWithin(ctx context.Context, r db.Reader, id, above uuid.UUID) (bool, error) {
	var found idRow
	err := r.Gorm(ctx).Raw(`
		WITH RECURSIVE line AS (
			SELECT id, parent_id FROM financial_categories WHERE tenant_id = @tenant AND id = @id
			UNION
			SELECT c.id, c.parent_id FROM financial_categories c JOIN line l ON c.id = l.parent_id WHERE c.tenant_id = @tenant
		) SELECT id FROM line WHERE id = @above`,
		map[string]any{"tenant": r.TenantID(), "id": id, "above": above}).Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("walk up from category %s: %w", id, err)
	}
	return found.ID == above, nil
}

func listCategories(ctx context.Context, r db.Reader, f CategoryFilter) (page.Result[Category], error) {
	q := f.Apply(r.Gorm(ctx).Model(&categoryRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Kind != "" {
		q = q.Where("kind = ?", f.Kind)
	}
	if f.ParentID != nil {
		q = q.Where("parent_id = ?", *f.ParentID)
	}
	var rows []categoryRow
	if err := db.Keyset(q, f.Page, db.WithTimes(nil)).Find(&rows).Error; err != nil {
		return page.Result[Category]{}, fmt.Errorf("list categories: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row categoryRow) page.Position {
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row categoryRow) Category { return row.Category }), nil
}

func categoryConflict(err error) error {
	return db.ExternalID(db.Reference(err, map[string]string{"financial_categories_parent_id_fkey": "/parent_id"}))
}
