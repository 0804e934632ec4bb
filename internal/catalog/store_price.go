package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

// lookUp reads what lines name, each kind in one query. The ids travel as one
// array, so that the statement is the same whatever their number.
func lookUp(ctx context.Context, r db.Reader, lines []Line) (*shelf, error) {
	var products, variations, services db.Texts
	for i := range lines {
		products = appendID(products, lines[i].ProductID)
		variations = appendID(variations, lines[i].VariationID)
		services = appendID(services, lines[i].ServiceID)
	}
	s := &shelf{}
	var err error
	s.products, err = selectByID(ctx, r, products, `
		SELECT p.id, p.name, p.unit, p.price_cents, p.attributes, p.status,
		       EXISTS (SELECT FROM product_variations v WHERE v.tenant_id = ? AND v.product_id = p.id) AS has_variations
		FROM products p WHERE p.tenant_id = ? AND p.id = ANY (CAST(? AS uuid[]))`,
		func(p productOnShelf) uuid.UUID { return p.ID }, r.TenantID())
	if err != nil {
		return nil, fmt.Errorf("price products: %w", err)
	}
	s.variations, err = selectByID(ctx, r, variations, `
		SELECT id, product_id, options, price_cents, status
		FROM product_variations WHERE tenant_id = ? AND id = ANY (CAST(? AS uuid[]))`,
		func(v Variation) uuid.UUID { return v.ID })
	if err != nil {
		return nil, fmt.Errorf("price variations: %w", err)
	}
	s.services, err = selectByID(ctx, r, services, `
		SELECT id, name, price_cents, status
		FROM services WHERE tenant_id = ? AND id = ANY (CAST(? AS uuid[]))`,
		func(i ServiceItem) uuid.UUID { return i.ID })
	if err != nil {
		return nil, fmt.Errorf("price services: %w", err)
	}
	return s, nil
}

func appendID(ids db.Texts, id *uuid.UUID) db.Texts {
	if id == nil {
		return ids
	}
	return append(ids, id.String())
}

// selectByID runs sql, whose last parameters are the tenant and the ids, unless
// there are none.
func selectByID[V any](ctx context.Context, r db.Reader, ids db.Texts, sql string, idOf func(V) uuid.UUID, args ...any) (map[uuid.UUID]V, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var values []V
	if err := r.Gorm(ctx).Raw(sql, append(args, r.TenantID(), ids)...).Scan(&values).Error; err != nil {
		return nil, err
	}
	byID := make(map[uuid.UUID]V, len(values))
	for _, v := range values {
		byID[idOf(v)] = v
	}
	return byID, nil
}
