package catalog

import (
	"fmt"
	"strings"

	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/text"
)

// nameSort is a name as lists are ordered by it.
func nameSort(name string) string { return strings.Join(text.Tokens(name), " ") }

// listRows reads one page of q. Its orders are the times, and the name where
// nameOf says by what a row is ordered.
func listRows[Row any](q *gorm.DB, p page.Request, record func(Row) Record, nameOf func(Row) string) (page.Result[Row], error) {
	columns := db.WithTimes(nil)
	if nameOf != nil {
		columns = db.WithTimes(db.SortColumns{"name": db.TextColumn("name_sort")})
	}
	var rows []Row
	if err := db.Keyset(q, p, columns).Find(&rows).Error; err != nil {
		return page.Result[Row]{}, fmt.Errorf("list %T: %w", *new(Row), err)
	}
	return page.Cut(rows, p.Limit, func(row Row) page.Position {
		r := record(row)
		if p.Sort == "name" {
			return page.Position{Value: nameOf(row), ID: r.ID}
		}
		return db.TimesPosition(p.Sort, r.CreatedAt, r.UpdatedAt, r.ID)
	}), nil
}

// conflict turns the constraints of the catalogue's tables into the errors that
// a caller can act on.
func conflict(err error) error {
	v, _ := db.Violated(err, db.Unique)
	switch {
	case strings.HasPrefix(v.Constraint, "product_skus_pkey"):
		return problem.Exists("/sku", problem.T(
			"Outro produto, ou outra variação, tem este SKU.", "Another product or variation has this SKU."))
	case strings.HasPrefix(v.Constraint, "product_variations_option_key_key"):
		return problem.Exists("/options", problem.T(
			"Outra variação do produto tem estas opções.", "Another variation of the product has these options."))
	case strings.Contains(v.Constraint, "_categories_name_key"):
		return problem.Exists("/name", problem.T(
			"Outra categoria com a mesma superior tem este nome.", "Another category of the same parent has this name."))
	}
	return db.ExternalID(db.Reference(err, map[string]string{
		"products_category_id_fkey": "/category_id", "services_category_id_fkey": "/category_id",
		"product_categories_parent_id_fkey": "/parent_id", "service_categories_parent_id_fkey": "/parent_id",
	}))
}
