package catalog_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"fatureihoje/internal/catalog"
	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/testkit"
)

// largeCatalog makes 20,000 of each thing of a tenant.
const largeCatalog = `
WITH category AS (
	INSERT INTO product_categories (tenant_id, id, name, position, created_at, updated_at, version)
	SELECT $1, md5('c' || n)::uuid, 'Categoria ' || n, 0, now() - n * interval '1 second', now(), 1 FROM generate_series(1, 20000) n
), product AS (
	INSERT INTO products (tenant_id, id, name, name_sort, sku, category_id, unit, price_cents, attributes, status, external_id, created_at, updated_at, version)
	SELECT $1, md5('p' || n)::uuid, 'Produto ' || n, 'produto ' || n, 'SKU-' || n, md5('c' || n % 200 + 1)::uuid, 'UN', n, '[]', 'active', 'e' || n,
		now() - n * interval '1 second', now() - n * interval '1 second', 1 FROM generate_series(1, 20000) n
), sku AS (
	INSERT INTO product_skus (tenant_id, sku, product_id) SELECT $1, 'SKU-' || n, md5('p' || n)::uuid FROM generate_series(1, 20000) n
), variation AS (
	INSERT INTO product_variations (tenant_id, id, product_id, options, option_key, status, created_at, updated_at, version)
	SELECT $1, md5('v' || n)::uuid, md5('p' || n % 200 + 1)::uuid, '{}', n, 'active', now(), now(), 1 FROM generate_series(1, 20000) n
), service AS (
	INSERT INTO services (tenant_id, id, name, name_sort, price_cents, status, created_at, updated_at, version)
	SELECT $1, md5('s' || n)::uuid, 'Serviço ' || n, 'servico ' || n, n, 'active', now() - n * interval '1 second', now(), 1 FROM generate_series(1, 20000) n
)
INSERT INTO search_tokens (tenant_id, resource, token, id)
SELECT $1, r.resource, t.token, md5(r.letter || n)::uuid FROM generate_series(1, 20000) n
	CROSS JOIN (VALUES ('product', 'p', 'produto'), ('service', 's', 'servico')) r (resource, letter, word)
	CROSS JOIN LATERAL (VALUES (r.word), (n::text)) t (token)`

// TestLists_ReadLittleOfALargeCatalog looks at what the server's own statements
// read under row-level security, by PostgreSQL's count of the transaction.
func TestLists_ReadLittleOfALargeCatalog(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithDatabase(testkit.NewDatabase(t)))
	tenant := srv.Tenant(t)
	srv.Database.Exec(t, largeCatalog, tenant.ID)
	srv.Database.Exec(t, "ANALYZE")
	first := testkit.Value[uuid.UUID](t, srv.Database, "SELECT md5('p1')::uuid")
	category := testkit.Value[uuid.UUID](t, srv.Database, "SELECT md5('c1')::uuid")
	variation := testkit.Value[uuid.UUID](t, srv.Database, "SELECT md5('v200')::uuid")
	s := catalog.NewService()
	products := func(f catalog.ProductFilter) func(context.Context, db.Reader) (int, error) {
		return func(ctx context.Context, r db.Reader) (int, error) {
			if f.Page.Sort == "" {
				f.Page.Sort = "created_at"
			}
			f.Page.Limit, f.Page.Desc = 50, true
			result, err := s.ListProducts(ctx, r, f)
			return len(result.Items), err
		}
	}
	pageOf := func(sort string) page.Request { return page.Request{Limit: 50, Sort: sort, Desc: true} }
	external := catalog.ProductFilter{}
	external.ExternalID = "e77"
	next := catalog.ProductFilter{}
	next.Page.Sort, next.Page.After = "name", &page.Position{Value: "produto 15000", ID: first}

	for name, c := range map[string]struct {
		rows int
		list func(context.Context, db.Reader) (int, error)
	}{
		"products":               {50, products(catalog.ProductFilter{})},
		"products by name":       {50, products(catalog.ProductFilter{Page: page.Request{Sort: "name"}})},
		"products by update":     {50, products(catalog.ProductFilter{Page: page.Request{Sort: "updated_at"}})},
		"the next page":          {50, products(next)},
		"products of a status":   {50, products(catalog.ProductFilter{Status: "active"})},
		"products of a category": {50, products(catalog.ProductFilter{CategoryID: &category})},
		"a product by SKU":       {1, products(catalog.ProductFilter{SKU: "SKU-77"})},
		"a product by its id":    {1, products(external)},
		"a product by a word":    {1, products(catalog.ProductFilter{Query: "19999"})},
		"services": {50, func(ctx context.Context, r db.Reader) (int, error) {
			result, err := s.ListServices(ctx, r, catalog.ServiceItemFilter{Page: pageOf("name")})
			return len(result.Items), err
		}},
		"a service by a word": {1, func(ctx context.Context, r db.Reader) (int, error) {
			result, err := s.ListServices(ctx, r, catalog.ServiceItemFilter{Query: "19999", Page: pageOf("created_at")})
			return len(result.Items), err
		}},
		"categories": {50, func(ctx context.Context, r db.Reader) (int, error) {
			result, err := catalog.Categories[catalog.ProductTree]{}.List(ctx, r, catalog.CategoryFilter{Page: pageOf("created_at")})
			return len(result.Items), err
		}},
		"categories below one": {0, func(ctx context.Context, r db.Reader) (int, error) {
			result, err := catalog.Categories[catalog.ProductTree]{}.List(ctx, r, catalog.CategoryFilter{ParentID: &category, Page: pageOf("created_at")})
			return len(result.Items), err
		}},
		"prices": {1, func(ctx context.Context, r db.Reader) (int, error) {
			items, err := s.Price(ctx, r, []catalog.Line{{ProductID: &first, VariationID: &variation}}, nil)
			return len(items), err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var rows int
			var scans, read [2]int64
			err := srv.Pool().Read(context.Background(), tenant.ID, func(ctx context.Context, r db.Reader) (err error) {
				count := func(i int) error {
					return r.Gorm(ctx).Raw(`SELECT sum(seq_scan), sum(seq_tup_read + coalesce(idx_tup_fetch, 0))
						FROM pg_stat_xact_user_tables`).Row().Scan(&scans[i], &read[i])
				}
				if err := count(0); err != nil {
					return err
				}
				if rows, err = c.list(ctx, r); err != nil {
					return err
				}
				return count(1)
			})
			if err != nil || rows != c.rows {
				t.Fatalf("%d rows, want %d: %v", rows, c.rows, err)
			}
			if scans[1] > scans[0] || read[1]-read[0] > 500 {
				t.Errorf("%d tables read from end to end, %d rows read", scans[1]-scans[0], read[1]-read[0])
			}
		})
	}
}
