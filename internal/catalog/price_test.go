package catalog_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"fatureihoje/internal/catalog"
	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/testkit"
)

func TestPrice_CopiesNamesAndPricesInTheOrderOfTheLines(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	mug := product(t, key, testkit.M{"name": "Caneca", "price_cents": 2500, "unit": "CX"}).ID()
	tee := shirt(t, key)
	inherits := variation(t, key, tee, nil).ID()
	own := variation(t, key, tee, testkit.M{"options": options("Branca", "M"), "price_cents": 0}).ID()
	oil := key.Post(t, "/services", testkit.M{"name": "Troca de óleo", "price_cents": 12000}).Want(t, 201).ID()

	items, wrong := price(t, key,
		catalog.Line{ServiceID: ref(oil)}, catalog.Line{ProductID: ref(tee), VariationID: ref(own)}, catalog.Line{ProductID: ref(mug)},
		catalog.Line{ProductID: ref(tee), VariationID: ref(inherits)}, catalog.Line{ProductID: ref(mug)})

	mugItem := catalog.Item{Name: "Caneca", Unit: "CX", UnitPriceCents: 2500}
	want := []catalog.Item{
		{Name: "Troca de óleo", UnitPriceCents: 12000},
		{Name: "Camiseta (Branca, M)", Unit: "UN"},
		mugItem,
		{Name: "Camiseta (Azul, P)", Unit: "UN", UnitPriceCents: 4990},
		mugItem,
	}
	if diff := cmp.Diff(want, items); diff != "" || len(wrong) > 0 {
		t.Errorf("%v\n%s", wrong, diff)
	}
}

func TestPrice_ReportsWhatCannotBeSoldAtItsMember(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	mug, tee, polo := product(t, key, nil).ID(), shirt(t, key), shirt(t, key)
	small, poloSmall := variation(t, key, tee, nil).ID(), variation(t, key, polo, nil).ID()
	oldTee := variation(t, key, tee, testkit.M{"options": options("Branca", "M")}).ID()
	oldMug := product(t, key, nil).ID()
	oil := key.Post(t, "/services", testkit.M{"name": "Troca de óleo", "price_cents": 1}).Want(t, 201).ID()
	for _, path := range []string{"/products/" + oldMug, "/products/" + tee + "/variations/" + oldTee, "/services/" + oil} {
		key.Post(t, path+"/archive", nil).Want(t, 200)
	}
	foreign := product(t, other, nil).ID()
	foreignShirt := shirt(t, other)
	foreignSmall := variation(t, other, foreignShirt, nil).ID()
	archived := []catalog.Line{
		{ProductID: ref(oldMug)}, {ProductID: ref(tee), VariationID: ref(oldTee)}, {ServiceID: ref(oil)},
	}
	lines := slices.Concat(archived, []catalog.Line{
		{ProductID: ref(tee)},
		{ProductID: ref(tee), VariationID: ref(poloSmall)},
		{ProductID: ref(mug), VariationID: ref(small)},
		{VariationID: ref(small)},
		{ProductID: ref(foreign)},
		{ProductID: ref(tee), VariationID: ref(foreignSmall)},
		{ProductID: ref(testkit.RandomID()), VariationID: ref(small)},
		{ServiceID: ref(mug)},
		{ProductID: ref(tee), VariationID: ref(small)},
	})

	items, wrong := price(t, key, lines...)

	want := []string{
		"/items/0/product_id archived_reference", "/items/1/variation_id archived_reference", "/items/2/service_id archived_reference",
		"/items/3/variation_id variation_required", "/items/4/variation_id variation_of_another_product",
		"/items/5/variation_id variation_of_another_product", "/items/6/product_id required", "/items/7/product_id unknown_reference",
		"/items/8/variation_id unknown_reference", "/items/9/product_id unknown_reference", "/items/10/service_id unknown_reference",
	}
	if diff := cmp.Diff(want, wrong); diff != "" {
		t.Error(diff)
	}
	if items[11].Name != "Camiseta (Azul, P)" || items[3] != (catalog.Item{}) {
		t.Errorf("got %v", items)
	}

	for i := range archived {
		archived[i].Held = true
	}
	if items, wrong := price(t, key, archived...); len(wrong) > 0 || items[0].Name == "" || items[1].Name == "" || items[2].Name == "" {
		t.Errorf("what a document has already is refused: %v %v", items, wrong)
	}
}

func TestPrice_TakesTheLinesOfTheLargestDocument(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	tee := shirt(t, key)
	small := variation(t, key, tee, nil).ID()
	lines := make([]catalog.Line, 500)
	for i := range lines {
		lines[i] = catalog.Line{ProductID: ref(tee), VariationID: ref(small)}
	}

	items, wrong := price(t, key, lines...)

	if len(items) != 500 || len(wrong) > 0 || items[499].UnitPriceCents != 4990 {
		t.Errorf("%d items, %v", len(items), wrong)
	}
}

func TestReferableService_RefusesWhatIsUnknownOrArchived(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	active := key.Post(t, "/services", testkit.M{"name": "Corte", "price_cents": 1}).Want(t, 201).ID()
	archived := key.Post(t, "/services", testkit.M{"name": "Corte", "price_cents": 1}).Want(t, 201).ID()
	key.Post(t, "/services/"+archived+"/archive", nil).Want(t, 200)

	for id, want := range map[string][]string{
		active: nil, archived: {"/x archived_reference"}, testkit.RandomID(): {"/x unknown_reference"},
	} {
		err := key.Server.Pool().InTenant(context.Background(), key.Tenant.ID, func(ctx context.Context, tx *db.Tx) error {
			return catalog.NewService().ReferableService(ctx, tx, uuid.MustParse(id), "/x")
		})
		if got := fieldErrors(err); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
}

func ref(id string) *uuid.UUID {
	u := uuid.MustParse(id)
	return &u
}

// price asks for the items of lines, each at its place in /items, and returns
// what is wrong as "pointer code".
func price(t testing.TB, key *testkit.Client, lines ...catalog.Line) (items []catalog.Item, wrong []string) {
	t.Helper()
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i].At = problem.At("/items", i)
	}
	var f problem.Fields
	err := key.Server.Pool().Read(context.Background(), key.Tenant.ID, func(ctx context.Context, r db.Reader) (err error) {
		items, err = catalog.NewService().Price(ctx, r, lines, &f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return items, fieldErrors(f.Err())
}

func fieldErrors(err error) (list []string) {
	if p, ok := errors.AsType[*problem.Error](err); ok {
		for _, e := range p.Fields {
			list = append(list, e.Pointer+" "+e.Code)
		}
	}
	return list
}
