package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// categoryRow is a category as its tree's table holds it.
type categoryRow[T Tree] struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Category `gorm:"embedded"`
}

// TableName names the tree's table.
func (categoryRow[T]) TableName() string { return namesOf[T]().table }

func insertCategory[T Tree](ctx context.Context, tx *db.Tx, c *Category) error {
	return db.Insert(ctx, tx, &categoryRow[T]{tx.TenantID(), *c}, conflict)
}

func getCategory[T Tree](ctx context.Context, r db.Reader, id uuid.UUID) (*Category, error) {
	row, err := db.Get[categoryRow[T]](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Category, nil
}

func getCategoryForUpdate[T Tree](ctx context.Context, tx *db.Tx, id uuid.UUID) (*Category, error) {
	row, err := db.GetForUpdate[categoryRow[T]](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Category, nil
}

func updateCategory[T Tree](ctx context.Context, tx *db.Tx, c *Category) error {
	if err := db.Update(ctx, tx, &categoryRow[T]{tx.TenantID(), *c}, c.ID); err != nil {
		return conflict(fmt.Errorf("update category %s: %w", c.ID, err))
	}
	return nil
}

// removeCategory deletes a category without children that nothing is in.
func removeCategory[T Tree](ctx context.Context, tx *db.Tx, id uuid.UUID) error {
	if err := db.Delete[categoryRow[T]](ctx, tx, id); err != nil {
		return fmt.Errorf("delete category %s: %w", id, err)
	}
	return nil
}

func listCategories[T Tree](ctx context.Context, r db.Reader, f CategoryFilter) (page.Result[Category], error) {
	q := f.Apply(r.Gorm(ctx).Model(&categoryRow[T]{}).Where("tenant_id = ?", r.TenantID()))
	if f.ParentID != nil {
		q = q.Where("parent_id = ?", *f.ParentID)
	}
	result, err := listRows(q, f.Page, func(row categoryRow[T]) Record { return row.Record }, nil)
	return page.Map(result, func(row categoryRow[T]) Category { return row.Category }), err
}

// lockTree keeps others from changing the tree's shape until the transaction
// ends. It comes before the lock of a category, which those who hold the tree
// may wait for.
func lockTree[T Tree](ctx context.Context, tx *db.Tx) error {
	names := namesOf[T]()
	err := tx.Gorm(ctx).Exec(`INSERT INTO category_trees (tenant_id, resource, changes) VALUES (?, ?, 1)
		ON CONFLICT (tenant_id, resource) DO UPDATE SET changes = category_trees.changes + 1`, tx.TenantID(), names.resource).Error
	if err != nil {
		return fmt.Errorf("lock the tree of %s: %w", names.table, err)
	}
	return nil
}

// chainOf lists a category and those above it, from itself to its root; none
// where it does not exist.
func chainOf[T Tree](ctx context.Context, r db.Reader, id uuid.UUID) ([]uuid.UUID, error) {
	var chain []uuid.UUID
	table := clause.Table{Name: namesOf[T]().table}
	err := r.Gorm(ctx).Raw(`
		WITH RECURSIVE chain AS (
			SELECT c.id, c.parent_id, 1 AS place FROM ? c WHERE c.tenant_id = ? AND c.id = ?
			UNION ALL
			SELECT c.id, c.parent_id, chain.place + 1 FROM chain JOIN ? c ON c.id = chain.parent_id
			WHERE c.tenant_id = ? AND chain.place <= ?
		)
		SELECT id FROM chain ORDER BY place`, table, r.TenantID(), id, table, r.TenantID(), MaxDepth).Scan(&chain).Error
	if err != nil {
		return nil, fmt.Errorf("read the categories above %s: %w", id, err)
	}
	return chain, nil
}

// heightOf is how deep the tree below and with a category is: 1 for a leaf.
func heightOf[T Tree](ctx context.Context, r db.Reader, id uuid.UUID) (int, error) {
	var height int
	table := clause.Table{Name: namesOf[T]().table}
	err := r.Gorm(ctx).Raw(`
		WITH RECURSIVE below AS (
			SELECT CAST(? AS uuid) AS id, 1 AS level
			UNION ALL
			SELECT c.id, below.level + 1 FROM below JOIN ? c ON c.parent_id = below.id
			WHERE c.tenant_id = ? AND below.level <= ?
		)
		SELECT max(level) FROM below`, id, table, r.TenantID(), MaxDepth).Scan(&height).Error
	if err != nil {
		return 0, fmt.Errorf("measure the categories below %s: %w", id, err)
	}
	return height, nil
}
