package catalog

import (
	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// MaxDepth is how deep a tree of categories may be; a root is one deep.
const MaxDepth = 5

// Category is a node of one of the two trees.
type Category struct {
	Record   `gorm:"embedded"`
	Name     string
	ParentID *uuid.UUID // nil for a root
	Position int        // among its siblings, for whoever shows them
}

// CategoryChanges are the members of a PATCH of a category.
type CategoryChanges struct {
	Name       opt.Field[string]
	ParentID   opt.Field[uuid.UUID]
	Position   opt.Field[int]
	ExternalID opt.Field[string]
	Metadata   opt.Field[meta.Patch]
}

// CategoryFilter selects categories of a list; empty fields select all.
type CategoryFilter struct {
	db.ListFilter
	ParentID *uuid.UUID
	Page     page.Request
}

// Tree is one of the two trees of categories. They differ in their words and
// their tables alone, so all that is done with categories has the tree as its
// type parameter.
type Tree interface {
	ProductTree | ServiceTree
	names() treeNames
}

type treeNames struct {
	table    string
	resource string // in audit rows
}

// ProductTree is the tree of the categories of products.
type ProductTree struct{}

func (ProductTree) names() treeNames { return treeNames{"product_categories", "product_category"} }

// ServiceTree is the tree of the categories of services.
type ServiceTree struct{}

func (ServiceTree) names() treeNames { return treeNames{"service_categories", "service_category"} }

func namesOf[T Tree]() treeNames {
	var tree T
	return tree.names()
}

func (c *Category) apply(ch CategoryChanges) {
	opt.Assign(&c.Name, ch.Name, "")
	opt.Assign(&c.Position, ch.Position, 0)
	c.ParentID = ch.ParentID.Or(c.ParentID)
	c.ExternalID = ch.ExternalID.Or(c.ExternalID)
	c.Metadata = c.Metadata.Change(ch.Metadata)
}

func (c *Category) validate() error {
	var f problem.Fields
	c.Metadata.Validate("/metadata", &f)
	return f.Err()
}

func errCycle() error {
	return problem.Invalid(problem.Field{Pointer: "/parent_id", Code: "category_cycle", Detail: problem.T(
		"Uma categoria não pode ficar abaixo de si mesma.", "A category cannot be below itself.")})
}

func errDepth() error {
	return problem.Invalid(problem.Field{Pointer: "/parent_id", Code: "category_depth", Detail: problem.Tf(
		"As categorias têm no máximo %d níveis.", "Categories have at most %d levels.", MaxDepth)})
}
