package finance

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/id"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// CreateCategory adds a category.
func (s *Service) CreateCategory(ctx context.Context, tx *db.Tx, c Category) (*Category, error) {
	c.ID, c.Version, c.CreatedAt, c.UpdatedAt = id.New(), 1, tx.Now(), tx.Now()
	if err := checkParent(ctx, tx, &c); err != nil {
		return nil, err
	}
	if err := insertCategories(ctx, tx, []Category{c}); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_category.created", Resource: CategoryResource, ResourceID: c.ID})
	return &c, nil
}

// GetCategory returns a category.
func (s *Service) GetCategory(ctx context.Context, r db.Reader, categoryID uuid.UUID) (*Category, error) {
	return getCategory(ctx, r, categoryID)
}

// ListCategories returns a page of categories.
func (s *Service) ListCategories(ctx context.Context, r db.Reader, f CategoryFilter) (page.Result[Category], error) {
	return listCategories(ctx, r, f)
}

// UpdateCategory changes a category whose version satisfies match. Moves within
// the tree wait for each other, so that two of them cannot close a circle.
func (s *Service) UpdateCategory(ctx context.Context, tx *db.Tx, categoryID uuid.UUID, match etag.Match, ch CategoryChanges) (*Category, error) {
	if ch.ParentID.IsSet() {
		if err := lockCompany(ctx, tx); err != nil {
			return nil, err
		}
	}
	c, err := getCategoryForUpdate(ctx, tx, categoryID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(c.Version); err != nil {
		return nil, err
	}
	c.apply(ch)
	if err := checkParent(ctx, tx, c); err != nil {
		return nil, err
	}
	c.Version++
	c.UpdatedAt = tx.Now()
	if err := updateCategory(ctx, tx, c); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_category.updated", Resource: CategoryResource, ResourceID: c.ID})
	return c, nil
}

// checkParent refuses a parent of the other kind, and one that is the category
// itself or below it; and metadata above the limit.
func checkParent(ctx context.Context, tx *db.Tx, c *Category) error {
	var f problem.Fields
	c.Metadata.Validate("/metadata", &f)
	if c.ParentID == nil {
		return f.Err()
	}
	parent, err := getCategory(ctx, tx, *c.ParentID)
	switch {
	case problem.Is(err, problem.NotFound):
		unknown(&f, "/parent_id")
		return f.Err()
	case err != nil:
		return err
	case parent.Kind != c.Kind:
		f.Add("/parent_id", "kind_mismatch", problem.T("A categoria superior é de outro tipo.", "The parent is of the other kind."))
	}
	within, err := isWithin(ctx, tx, parent.ID, c.ID)
	if err != nil {
		return err
	}
	if within {
		f.Add("/parent_id", "cycle", problem.T("A categoria ficaria dentro de si mesma.", "The category would be inside itself."))
	}
	return f.Err()
}

// DeleteCategory removes a category that nothing refers to.
func (s *Service) DeleteCategory(ctx context.Context, tx *db.Tx, categoryID uuid.UUID, match etag.Match) error {
	c, err := getCategoryForUpdate(ctx, tx, categoryID)
	if err != nil {
		return err
	}
	if err := match.Check(c.Version); err != nil {
		return err
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_category.deleted", Resource: CategoryResource, ResourceID: categoryID})
	return db.Delete[categoryRow](ctx, tx, categoryID)
}
