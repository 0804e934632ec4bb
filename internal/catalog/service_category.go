package catalog

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// Categories holds the rules of one tree of categories.
type Categories[T Tree] struct{}

// Create adds a category.
func (Categories[T]) Create(ctx context.Context, tx *db.Tx, c Category) (*Category, error) {
	c.begin(tx.Now())
	if err := c.validate(); err != nil {
		return nil, err
	}
	if c.ParentID != nil {
		if err := lockTree[T](ctx, tx); err != nil {
			return nil, err
		}
		if err := checkParent[T](ctx, tx, &c, 1); err != nil {
			return nil, err
		}
	}
	if err := insertCategory[T](ctx, tx, &c); err != nil {
		return nil, err
	}
	record(ctx, tx, namesOf[T]().resource, "created", c.ID)
	return &c, nil
}

// Get returns a category.
func (Categories[T]) Get(ctx context.Context, r db.Reader, categoryID uuid.UUID) (*Category, error) {
	return getCategory[T](ctx, r, categoryID)
}

// List returns a page of categories.
func (Categories[T]) List(ctx context.Context, r db.Reader, f CategoryFilter) (page.Result[Category], error) {
	return listCategories[T](ctx, r, f)
}

// Update changes a category whose version satisfies match, and moves it with
// all below it if its parent is among the changes.
func (Categories[T]) Update(ctx context.Context, tx *db.Tx, categoryID uuid.UUID, match etag.Match, ch CategoryChanges) (*Category, error) {
	if ch.ParentID.IsSet() {
		if err := lockTree[T](ctx, tx); err != nil {
			return nil, err
		}
	}
	c, err := categoryForUpdate[T](ctx, tx, categoryID, match)
	if err != nil {
		return nil, err
	}
	c.apply(ch)
	if err := c.validate(); err != nil {
		return nil, err
	}
	if ch.ParentID.IsSet() && c.ParentID != nil {
		if err := checkMove[T](ctx, tx, c); err != nil {
			return nil, err
		}
	}
	c.advance(tx.Now())
	if err := updateCategory[T](ctx, tx, c); err != nil {
		return nil, err
	}
	record(ctx, tx, namesOf[T]().resource, "updated", c.ID)
	return c, nil
}

// Delete removes a category without children that nothing is in.
func (Categories[T]) Delete(ctx context.Context, tx *db.Tx, categoryID uuid.UUID, match etag.Match) error {
	if _, err := categoryForUpdate[T](ctx, tx, categoryID, match); err != nil {
		return err
	}
	record(ctx, tx, namesOf[T]().resource, "deleted", categoryID)
	return removeCategory[T](ctx, tx, categoryID)
}

func categoryForUpdate[T Tree](ctx context.Context, tx *db.Tx, categoryID uuid.UUID, match etag.Match) (*Category, error) {
	c, err := getCategoryForUpdate[T](ctx, tx, categoryID)
	if err != nil {
		return nil, err
	}
	return c, match.Check(c.Version)
}

// checkMove checks the parent of a category that may have others below it.
func checkMove[T Tree](ctx context.Context, tx *db.Tx, c *Category) error {
	height, err := heightOf[T](ctx, tx, c.ID)
	if err != nil {
		return err
	}
	return checkParent[T](ctx, tx, c, height)
}

// checkParent refuses a parent that does not exist, is the category itself or
// below it, or is too deep for a tree of this height. The tree is locked.
func checkParent[T Tree](ctx context.Context, tx *db.Tx, c *Category, height int) error {
	chain, err := chainOf[T](ctx, tx, *c.ParentID)
	switch {
	case err != nil:
		return err
	case len(chain) == 0:
		return problem.Invalid(problem.UnknownReference("/parent_id"))
	case slices.Contains(chain, c.ID):
		return errCycle()
	case len(chain)+height > MaxDepth:
		return errDepth()
	}
	return nil
}
