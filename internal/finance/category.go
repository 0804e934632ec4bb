package finance

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

// CategoryResource is the word for a category in audit rows.
const CategoryResource = "financial_category"

// Category is what income or an expense is for. Categories make a tree; all of a
// branch are of one kind.
type Category struct {
	ID         uuid.UUID
	Name       string
	Kind       string // income or expense, for good
	ParentID   *uuid.UUID
	Position   int // among its siblings
	ExternalID *string
	Metadata   meta.Map
	CreatedAt  time.Time
	UpdatedAt  time.Time
	Version    int64
}

// CategoryChanges are the members of a PATCH of a category.
type CategoryChanges struct {
	Name       opt.Field[string]
	ParentID   opt.Field[uuid.UUID]
	Position   opt.Field[int]
	ExternalID opt.Field[string]
	Metadata   opt.Field[meta.Patch]
}

// CategoryFilter selects categories of a list.
type CategoryFilter struct {
	db.ListFilter
	Kind     string
	ParentID *uuid.UUID
	Page     page.Request
}

func (c *Category) apply(ch CategoryChanges) {
	opt.Assign(&c.Name, ch.Name, "")
	opt.Assign(&c.Position, ch.Position, 0)
	c.ParentID = ch.ParentID.Or(c.ParentID)
	c.ExternalID = ch.ExternalID.Or(c.ExternalID)
	c.Metadata = c.Metadata.Change(ch.Metadata)
}
