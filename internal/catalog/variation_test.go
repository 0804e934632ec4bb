package catalog_test

import (
	"fmt"
	"slices"
	"testing"

	"fatureihoje/internal/catalog"
	"fatureihoje/internal/testkit"
)

func TestCreateVariation_InheritsThePriceUnlessItHasOne(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	id := shirt(t, key)

	inherits := variation(t, key, id, testkit.M{"sku": "P", "gtin": "12345670", "cost_cents": 0, "external_id": "v", "metadata": testkit.M{"a": "b"}})
	own := variation(t, key, id, testkit.M{"options": options("Azul", "M"), "price_cents": 0})

	if inherits.JSON()["price_cents"] != nil || inherits.Text("effective_price_cents") != "4990" || inherits.Text("product_id") != id ||
		inherits.Text("options") != `{"Cor":"Azul","Tamanho":"P"}` || inherits.Text("cost_cents") != "0" || inherits.Text("status") != "active" {
		t.Errorf("got %s", inherits)
	}
	if own.Text("price_cents") != "0" || own.Text("effective_price_cents") != "0" {
		t.Errorf("a price of nothing is not kept: %s", own)
	}
	got := key.Get(t, inherits.Header.Get("Location")).Want(t, 200)
	if string(got.Body) != string(inherits.Body) {
		t.Errorf("read back: %s", got)
	}

	key.Patch(t, "/products/"+id, testkit.M{"price_cents": 100}).Want(t, 200)
	key.Get(t, inherits.Header.Get("Location"), testkit.Header("If-None-Match", got.Header.Get("ETag"))).Want(t, 200)
	list := key.Get(t, "/products/"+id+"/variations?order=asc").Want(t, 200).Data(t)
	if list[0]["effective_price_cents"] != 100.0 || list[1]["effective_price_cents"] != 0.0 {
		t.Errorf("the list has %v", list)
	}
}

func TestVariation_HasOneValueOfEachAttributeOfItsProduct(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write")
	id, plain := shirt(t, key), product(t, key, nil).ID()
	existing := variation(t, key, id, testkit.M{"options": options("Branca", "M")}).ID()

	for _, c := range []struct {
		options any
		want    []string
	}{
		{testkit.M{}, []string{"/options/Cor required", "/options/Tamanho required"}},
		{testkit.M{"Cor": "Azul"}, []string{"/options/Tamanho required"}},
		{testkit.M{"Cor": "azul", "Tamanho": "G"}, []string{"/options/Cor enum", "/options/Tamanho enum"}},
		{testkit.M{"Cor": "Azul", "Tamanho": "P", "Gola/V": "x"}, []string{"/options/Gola~1V unknown_attribute"}},
		{testkit.M{"Cor": 1, "Tamanho": nil}, []string{"/options/Cor type", "/options/Tamanho type"}},
		{nil, []string{"/options null"}},
		{[]string{}, []string{"/options type"}},
	} {
		key.Post(t, "/products/"+id+"/variations", testkit.M{"options": c.options}).WantFieldErrors(t, c.want...)
	}
	key.Post(t, "/products/"+id+"/variations", testkit.M{"sku": "x"}).WantFieldErrors(t, "/options required")
	key.Post(t, "/products/"+plain+"/variations", testkit.M{"options": testkit.M{}}).WantFieldErrors(t, "/options no_attributes")
	key.Post(t, "/products/"+testkit.RandomID()+"/variations", testkit.M{"options": testkit.M{}}).WantProblem(t, 404, "not_found")
	key.Patch(t, "/products/"+id+"/variations/"+existing, testkit.M{"options": testkit.M{"Cor": "Preta"}}).WantFieldErrors(t, "/options/Cor enum")
	key.Patch(t, "/products/"+id+"/variations/"+existing, testkit.M{"options": nil, "status": "archived"}).
		WantFieldErrors(t, "/options null", "/status unknown_member")
	key.Get(t, "/products/"+plain+"/variations/"+existing).WantProblem(t, 403, "forbidden")
}

func TestVariation_TakesOptionsInAnyUnicodeForm(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write")
	id := product(t, key, testkit.M{"attributes": []testkit.M{{"name": "Op\u00e7\u00e3o", "values": []string{"Caf\u00e9"}}}}).ID()

	key.Post(t, "/products/"+id+"/variations", testkit.M{"options": testkit.M{"Opc\u0327a\u0303o": "Cafe\u0301"}}).Want(t, 201)

	key.Post(t, "/products/"+id+"/variations", testkit.M{"options": testkit.M{"Op\u00e7\u00e3o": "Caf\u00e9"}}).WantProblem(t, 409, "already_exists")
}

func TestVariation_HasEachCombinationOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	id := shirt(t, key)
	small := variation(t, key, id, nil).ID()
	middle := variation(t, key, id, testkit.M{"options": options("Azul", "M")}).ID()
	path := "/products/" + id + "/variations"
	wantTaken := func(r *testkit.Response) {
		t.Helper()
		if r.WantProblem(t, 409, "already_exists"); !slices.Equal(r.FieldErrors(t), []string{"/options already_exists"}) {
			t.Errorf("the member is not named: %s", r)
		}
	}

	wantTaken(key.Post(t, path, `{"options": {"Tamanho": "P", "Cor": "Azul"}}`))
	wantTaken(key.Patch(t, path+"/"+middle, testkit.M{"options": testkit.M{"Tamanho": "P"}}))

	moved := key.Patch(t, path+"/"+middle, testkit.M{"options": testkit.M{"Cor": "Branca"}}).Want(t, 200)
	if moved.Text("options") != `{"Cor":"Branca","Tamanho":"M"}` {
		t.Errorf("what was not named is lost: %s", moved)
	}
	key.Post(t, path+"/"+small+"/archive", nil).Want(t, 200)
	wantTaken(key.Post(t, path, testkit.M{"options": options("Azul", "P")}))
	key.Delete(t, path+"/"+small).Want(t, 204)
	key.Post(t, path, testkit.M{"options": options("Azul", "P")}).Want(t, 201)
	other := shirt(t, key)
	variation(t, key, other, nil)
	key.Get(t, "/products/"+other+"/variations/"+middle).WantProblem(t, 404, "not_found")
}

func TestCreateVariation_MakesACombinationOnceForManyAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write")
	id := shirt(t, key)

	all := testkit.AtOnce(10, func(int) *testkit.Response {
		return key.Post(t, "/products/"+id+"/variations", testkit.M{"options": options("Azul", "P")})
	})

	if counts := statuses(all); counts[201] != 1 || counts[409] != 9 {
		t.Errorf("got %v: %v", counts, all)
	}
}

func TestCreateVariation_StopsAtTheLimitForManyAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	values := make([]string, 50)
	for i := range values {
		values[i] = fmt.Sprint(i)
	}
	id := product(t, key, testkit.M{"attributes": []testkit.M{{"name": "A", "values": values}, {"name": "B", "values": values}}}).ID()
	post := func(i int) *testkit.Response {
		return key.Post(t, "/products/"+id+"/variations", testkit.M{"options": testkit.M{"A": fmt.Sprint(i % 50), "B": fmt.Sprint(i / 50)}})
	}
	for i := range catalog.MaxVariations - 1 {
		post(i).Want(t, 201)
	}

	// They gather at the product's row, so that none has begun when another ends.
	conn, release := key.Server.Database.Lock(t, "SELECT FROM products WHERE id = $1 FOR UPDATE", id)
	result := testkit.Async(func() []*testkit.Response {
		return testkit.AtOnce(8, func(i int) *testkit.Response { return post(catalog.MaxVariations + i) })
	})
	key.Server.Database.AwaitWaiting(t, conn, 1)
	release()
	all := result()

	if counts := statuses(all); counts[201] != 1 || counts[409] != 7 {
		t.Errorf("got %v: %v", counts, all)
	}
	if r := post(200).WantProblem(t, 409, "conflict"); r.Text("reason") != "too_many_variations" {
		t.Errorf("another reason: %s", r)
	}
	if got := len(key.All(t, "/products/"+id+"/variations")); got != catalog.MaxVariations {
		t.Errorf("%d variations", got)
	}
}

func TestVariations_FitTheirProductHoweverBothChangeAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	for range 5 {
		id := shirt(t, key)

		all := testkit.AtOnce(2, func(i int) *testkit.Response {
			if i == 0 {
				return key.Post(t, "/products/"+id+"/variations", testkit.M{"options": options("Azul", "P")})
			}
			return key.Patch(t, "/products/"+id, testkit.M{"attributes": []testkit.M{{"name": "Gola", "values": []string{"V"}}}})
		})

		if created, changed := all[0].Status == 201, all[1].Status == 200; created == changed {
			t.Errorf("not exactly one: %v", all)
		}
	}
}

func TestUpdateVariation_KeepsWhatIsAbsentAndClearsWhatIsNull(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	id := shirt(t, key)
	first := variation(t, key, id, testkit.M{"sku": "A", "gtin": "12345670", "price_cents": 10, "cost_cents": 5, "external_id": "v"})
	path := first.Header.Get("Location")

	zero := key.Patch(t, path, testkit.M{"price_cents": 0}, testkit.Header("If-Match", first.Header.Get("ETag"))).Want(t, 200)
	cleared := key.Patch(t, path, testkit.M{"sku": nil, "gtin": nil, "price_cents": nil, "cost_cents": nil, "external_id": nil}).Want(t, 200)

	if zero.Text("price_cents") != "0" || zero.Text("effective_price_cents") != "0" || zero.Text("sku") != "A" || zero.Text("cost_cents") != "5" {
		t.Errorf("got %s", zero)
	}
	for _, member := range []string{"sku", "gtin", "price_cents", "cost_cents", "external_id"} {
		if cleared.JSON()[member] != nil {
			t.Errorf("%s is not cleared: %s", member, cleared)
		}
	}
	if cleared.Text("effective_price_cents") != "4990" {
		t.Errorf("got %s", cleared)
	}
	key.Patch(t, path, testkit.M{}, testkit.Header("If-Match", first.Header.Get("ETag"))).WantProblem(t, 412, "precondition_failed")
	key.Delete(t, path, testkit.Header("If-Match", first.Header.Get("ETag"))).WantProblem(t, 412, "precondition_failed")
}

func TestListVariations_Filters(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	id := shirt(t, key)
	path := "/products/" + id + "/variations"
	small := variation(t, key, id, testkit.M{"sku": "P", "external_id": "e"}).ID()
	variation(t, key, id, testkit.M{"sku": "M", "options": options("Azul", "M")})
	key.Post(t, path+"/"+small+"/archive", nil).Want(t, 200)

	for query, want := range map[string][]string{
		"order=asc": {"P", "M"}, "status=active": {"M"}, "status=archived": {"P"}, "sku=P": {"P"}, "sku=p": {}, "external_id=e": {"P"},
		"sort=updated_at": {"P", "M"},
	} {
		if got := names(key.Get(t, path+"?"+query).Want(t, 200).Data(t), "sku"); !slices.Equal(got, want) {
			t.Errorf("%s: %v", query, got)
		}
	}
	key.Get(t, path+"?sort=name").WantFieldErrors(t, "?sort enum")
}
