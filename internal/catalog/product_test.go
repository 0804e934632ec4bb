package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestCreateProduct_AnswersTheProductAndItsLocation(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	category := key.Post(t, "/product_categories", testkit.M{"name": "Roupas"}).Want(t, 201).ID()

	r := product(t, key, testkit.M{
		"name": "  Camiseta  ", "sku": "CAM-1", "gtin": "7891000315507", "description": "Algodão.", "category_id": category,
		"price_cents": 4990, "cost_cents": 0, "ncm": "6109.10.00", "attributes": colourAndSize(), "external_id": "p1",
		"metadata": testkit.M{"a": "b"},
	})

	for member, want := range map[string]string{
		"name": "Camiseta", "sku": "CAM-1", "gtin": "7891000315507", "description": "Algodão.", "category_id": category, "unit": "UN",
		"price_cents": "4990", "cost_cents": "0", "ncm": "61091000", "status": "active", "external_id": "p1", "version": "1",
		"metadata":   `{"a":"b"}`,
		"attributes": `[{"name":"Cor","values":["Azul","Branca"]},{"name":"Tamanho","values":["P","M"]}]`,
	} {
		if got := r.Text(member); got != want {
			t.Errorf("%s is %s, want %s", member, got, want)
		}
	}
	if got := key.Get(t, r.Header.Get("Location")).Want(t, 200); string(got.Body) != string(r.Body) {
		t.Errorf("read back: %s", got)
	}
}

func TestCreateProduct_NamesEveryErrorAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write")

	key.Post(t, "/products", testkit.M{
		"name": "\u200b", "sku": strings.Repeat("x", 61), "gtin": "7891000315508", "description": strings.Repeat("x", 5001),
		"category_id": "abc", "unit": "CAIXAS7", "cost_cents": -1, "ncm": "1234", "status": "archived", "tenant_id": testkit.RandomID(),
		"attributes": []testkit.M{
			{"name": "Cor", "values": []string{"Azul", "Azul"}},
			{"name": "Cor", "values": []string{}},
			{"name": strings.Repeat("x", 31), "values": []string{strings.Repeat("x", 61), ""}},
		},
	}).WantFieldErrors(t,
		"/name invisible", "/sku too_long", "/gtin gtin_check_digit", "/description too_long", "/category_id uuid", "/unit too_long",
		"/price_cents required", "/cost_cents money_sign", "/ncm ncm_invalid", "/status unknown_member", "/tenant_id unknown_member",
		"/attributes/0/values/1 not_unique", "/attributes/1/name not_unique", "/attributes/1/values too_few_items",
		"/attributes/2/name too_long", "/attributes/2/values/0 too_long", "/attributes/2/values/1 required")
}

func TestCreateProduct_ReadsMoneyInOneWay(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write")
	post := func(price string) *testkit.Response {
		return key.Post(t, "/products", `{"name": "Camiseta", "price_cents": `+price+`}`)
	}

	for spelling, want := range map[string]string{"1000": "1000", "1000.0": "1000", "1e3": "1000", "0": "0", "99999999999": "99999999999"} {
		if got := post(spelling).Want(t, 201).Text("price_cents"); got != want {
			t.Errorf("%s is read as %s", spelling, got)
		}
	}
	for spelling, code := range map[string]string{
		"10.5": "money_fraction", "0.001": "money_fraction", "-1": "money_sign", "-0": "money_sign", "1e400": "money_range",
		"100000000000": "money_range", `"10"`: "type", `"10,50"`: "type", `"R$ 10"`: "type", `"NaN"`: "type", "true": "type",
		"null": "null", "{}": "type",
	} {
		post(spelling).WantFieldErrors(t, "/price_cents "+code)
	}
}

func TestUpdateProduct_KeepsWhatIsAbsentAndClearsWhatIsNull(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	category := key.Post(t, "/product_categories", testkit.M{"name": "Roupas"}).Want(t, 201).ID()
	first := product(t, key, testkit.M{
		"sku": "A", "gtin": "7891000315507", "description": "x", "category_id": category, "unit": "CX", "cost_cents": 10, "ncm": "61091000",
		"attributes": colourAndSize(), "external_id": "p1", "metadata": testkit.M{"a": "1", "b": "2"},
	})
	path := "/products/" + first.ID()

	same := key.Patch(t, path, testkit.M{}).Want(t, 200)
	zero := key.Patch(t, path, testkit.M{"price_cents": 0, "cost_cents": 0, "description": ""}).Want(t, 200)
	cleared := key.Patch(t, path, testkit.M{
		"sku": nil, "gtin": nil, "description": nil, "category_id": nil, "unit": nil, "cost_cents": nil, "ncm": nil, "attributes": nil,
		"external_id": nil, "metadata": testkit.M{"a": nil},
	}).Want(t, 200)

	if same.Text("unit") != "CX" || same.Text("category_id") != category || same.Text("version") != "2" {
		t.Errorf("an empty PATCH changed something: %s", same)
	}
	if zero.Text("price_cents") != "0" || zero.Text("cost_cents") != "0" || zero.JSON()["description"] != "" {
		t.Errorf("a zero value is lost: %s", zero)
	}
	for _, member := range []string{"sku", "gtin", "description", "category_id", "cost_cents", "ncm", "external_id"} {
		if cleared.JSON()[member] != nil {
			t.Errorf("%s is not cleared: %s", member, cleared)
		}
	}
	if cleared.Text("unit") != "UN" || cleared.Text("attributes") != "[]" || cleared.Text("metadata") != `{"b":"2"}` {
		t.Errorf("not the defaults: %s", cleared)
	}
	if got := key.Get(t, path).Want(t, 200); string(got.Body) != string(cleared.Body) {
		t.Errorf("read back: %s", got)
	}
	key.Patch(t, path, testkit.M{"name": nil, "price_cents": nil, "status": "archived"}).
		WantFieldErrors(t, "/name null", "/price_cents null", "/status unknown_member")
}

func TestUpdateProduct_HonoursIfMatch(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write")
	first := product(t, key, nil)
	path, tag := "/products/"+first.ID(), first.Header.Get("ETag")

	key.Patch(t, path, testkit.M{"price_cents": 1}, testkit.Header("If-Match", tag)).Want(t, 200)

	key.Patch(t, path, testkit.M{"price_cents": 2}, testkit.Header("If-Match", tag)).WantProblem(t, 412, "precondition_failed")
	key.Delete(t, path, testkit.Header("If-Match", tag)).WantProblem(t, 412, "precondition_failed")
}

func TestSKU_IsUniqueOverProductsAndVariationsUntilItIsFreed(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	first := product(t, key, testkit.M{"sku": "A"}).ID()
	other := shirt(t, key)
	small := variation(t, key, other, testkit.M{"sku": "B"}).ID()
	wantTaken := func(r *testkit.Response) {
		t.Helper()
		if r.WantProblem(t, 409, "already_exists"); !slices.Equal(r.FieldErrors(t), []string{"/sku already_exists"}) {
			t.Errorf("the member is not named: %s", r)
		}
	}
	m := testkit.M{"name": "Outra", "price_cents": 1}
	create := func(sku string) *testkit.Response {
		m["sku"] = sku
		return key.Post(t, "/products", m)
	}

	wantTaken(create("A"))
	wantTaken(create("B"))
	wantTaken(key.Post(t, "/products/"+other+"/variations", testkit.M{"options": options("Azul", "M"), "sku": "A"}))
	wantTaken(key.Patch(t, "/products/"+other, testkit.M{"sku": "B"}))
	wantTaken(key.Patch(t, "/products/"+other+"/variations/"+small, testkit.M{"sku": "A"}))
	create("a").Want(t, 201) // compared exactly

	key.Patch(t, "/products/"+first, testkit.M{"sku": "C"}).Want(t, 200)
	key.Patch(t, "/products/"+first, testkit.M{"sku": "C", "price_cents": 3}).Want(t, 200)
	wantTaken(create("C"))
	again := create("A").Want(t, 201).ID()
	key.Patch(t, "/products/"+first, testkit.M{"sku": nil}).Want(t, 200)
	create("C").Want(t, 201)
	for range 2 {
		key.Delete(t, "/products/"+again).Want(t, 204)
		again = create("A").Want(t, 201).ID()
	}
	key.Delete(t, "/products/"+other+"/variations/"+small).Want(t, 204)
	variation(t, key, other, testkit.M{"sku": "B"})
	key.Delete(t, "/products/"+other).Want(t, 204)
	create("B").Want(t, 201)
}

func TestSKU_GoesToOneOfAProductAndAVariationAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write")
	shirts := []string{shirt(t, key), shirt(t, key)}

	all := testkit.AtOnce(12, func(i int) *testkit.Response {
		switch i % 3 {
		case 0:
			return key.Post(t, "/products", testkit.M{"name": "Caneca", "price_cents": 1, "sku": "X"})
		case 1:
			return key.Post(t, "/products/"+shirts[i%2]+"/variations", testkit.M{"options": options("Azul", "P"), "sku": "X"})
		}
		return key.Patch(t, "/products/"+shirts[i%2], testkit.M{"sku": "X"})
	})

	// A shirt may be given the SKU that it has already.
	counts := statuses(all)
	owners := testkit.Value[int64](t, key.Server.Database, "SELECT count(*) FROM product_skus WHERE tenant_id = $1 AND sku = 'X'", key.Tenant.ID)
	if counts[201] > 1 || counts[201] == 1 && counts[200] > 0 || counts[201]+counts[200]+counts[409] != len(all) || owners != 1 {
		t.Errorf("%d owners after %v: %v", owners, counts, all)
	}
}

func TestUpdateProduct_RefusesAttributesThatItsVariationsDoNotFit(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	id := shirt(t, key)
	small := variation(t, key, id, nil).ID()
	colours := func(values ...string) testkit.M { return testkit.M{"name": "Cor", "values": values} }
	sizes := testkit.M{"name": "Tamanho", "values": []string{"P", "M"}}
	patch := func(attributes any) *testkit.Response {
		return key.Patch(t, "/products/"+id, testkit.M{"attributes": attributes})
	}

	patch([]testkit.M{sizes, colours("Azul", "Preta")}).Want(t, 200)
	for _, attributes := range []any{
		nil,
		[]testkit.M{},
		[]testkit.M{sizes},
		[]testkit.M{sizes, colours("Preta")},
		[]testkit.M{sizes, colours("Azul"), {"name": "Gola", "values": []string{"V"}}},
	} {
		r := patch(attributes).WantProblem(t, 409, "conflict")
		if r.Text("reason") != "attributes_in_use" {
			t.Errorf("another reason: %s", r)
		}
	}
	key.Delete(t, "/products/"+id+"/variations/"+small).Want(t, 204)
	patch(nil).Want(t, 200)
}

func TestProductStatus_ChangesByItsActionsAndKeepsItsHistory(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	service := key.Tenant.Key(t, "services:write", "services:read")
	id := shirt(t, key)
	for path, key := range map[string]*testkit.Client{
		"/products/" + id: key,
		"/products/" + id + "/variations/" + variation(t, key, id, nil).ID():                                        key,
		"/services/" + service.Post(t, "/services", testkit.M{"name": "Corte", "price_cents": 1}).Want(t, 201).ID(): service,
	} {
		archived := key.Post(t, path+"/archive", nil).Want(t, 200)
		again := key.Post(t, path+"/archive", nil).WantProblem(t, 409, "invalid_state")
		active := key.Post(t, path+"/unarchive", nil).Want(t, 200)

		if archived.Text("status") != "archived" || active.Text("status") != "active" || active.Text("version") != "3" {
			t.Errorf("%s %s", archived, active)
		}
		if again.Text("current") != "archived" || again.Text("allowed") != `["unarchive"]` {
			t.Errorf("the way on is not named: %s", again)
		}
		history := key.Get(t, path+"/history?order=asc").Want(t, 200).Data(t)
		if got := names(history, "action"); !slices.Equal(got, []string{"archive", "unarchive"}) {
			t.Errorf("%s: the history is %v", path, got)
		}
	}
}

func TestProducts_LeaveAnAuditRowForEachChange(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write")
	id := shirt(t, key)
	small := variation(t, key, id, nil).ID()
	key.Patch(t, "/products/"+id, testkit.M{"price_cents": 1}).Want(t, 200)
	key.Post(t, "/products/"+id+"/archive", nil).Want(t, 200)
	key.Delete(t, "/products/"+id+"/variations/"+small).Want(t, 204)
	key.Delete(t, "/products/"+id).Want(t, 204)

	got := testkit.Column[string](t, key.Server.Database, "SELECT action FROM audit_log WHERE tenant_id = $1 ORDER BY at", key.Tenant.ID)
	want := []string{
		"product.created", "product_variation.created", "product.updated", "product.archived", "product_variation.deleted", "product.deleted",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestListProducts_FiltersSortsAndSearches(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	category := key.Post(t, "/product_categories", testkit.M{"name": "Roupas"}).Want(t, 201).ID()
	product(t, key, testkit.M{"name": "Óculos de sol", "sku": "OC-100%", "external_id": "e1"})
	product(t, key, testkit.M{"name": "Cafe\u0301 moído", "gtin": "7891000315507", "category_id": category})
	archived := product(t, key, testkit.M{"name": "Boné"}).ID()
	key.Post(t, "/products/"+archived+"/archive", nil).Want(t, 200)
	shirts := product(t, key, testkit.M{"name": "Camisa", "attributes": colourAndSize()}).ID()
	variation(t, key, shirts, testkit.M{"sku": "CAM-AZ-P", "gtin": "12345670"})

	for query, want := range map[string][]string{
		"sort=name&order=asc":               {"Boné", "Café moído", "Camisa", "Óculos de sol"},
		"status=archived":                   {"Boné"},
		"category_id=" + category:           {"Café moído"},
		"category_id=" + testkit.RandomID(): {},
		"sku=OC-100%25":                     {"Óculos de sol"},
		"sku=oc-100%25":                     {},
		"sku=CAM-AZ-P":                      {"Camisa"},
		"external_id=e1":                    {"Óculos de sol"},
		"q=oculos":                          {"Óculos de sol"},
		"q=SOL+oc":                          {"Óculos de sol"},
		"q=caf%C3%A9":                       {"Café moído"},
		"q=cafe%CC%81+mo":                   {"Café moído"},
		"q=789100":                          {"Café moído"},
		"q=cam-az":                          {"Camisa"},
		"q=camazp":                          {"Camisa"},
		"q=1234567":                         {"Camisa"},
		"q=oc-100%25":                       {"Óculos de sol"},
		"q=%25":                             {},
		"q=_":                               {},
		"q=%5C":                             {},
		"q=amisa":                           {},
	} {
		if got := names(key.Get(t, "/products?"+query).Want(t, 200).Data(t), "name"); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	for query, wrong := range map[string]string{
		"category_id=abc": "?category_id uuid", "status=x": "?status enum", "q=": "?q required", "q=a%00b": "?q control_character",
		"q=" + strings.Repeat("x", 101): "?q too_long", "sort=price_cents": "?sort enum", "order=up": "?order enum", "limit=0": "?limit minimum",
	} {
		key.Get(t, "/products?"+query).WantFieldErrors(t, wrong)
	}
	var paged []string
	for cursor := ""; ; {
		r := key.Get(t, "/products?sort=name&order=asc&limit=1"+cursor).Want(t, 200)
		paged = append(paged, names(r.Data(t), "name")...)
		if r.Text("next_cursor") == "" {
			break
		}
		cursor = "&cursor=" + r.Text("next_cursor")
	}
	if want := []string{"Boné", "Café moído", "Camisa", "Óculos de sol"}; !slices.Equal(paged, want) {
		t.Errorf("page by page: %v", paged)
	}
}

func TestSearchProducts_FollowsItsVariations(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "products:write", "products:read")
	id := product(t, key, testkit.M{"name": "Camisa azul", "attributes": colourAndSize()}).ID()
	small := variation(t, key, id, testkit.M{"sku": "AZUL-P"}).ID()
	middle := variation(t, key, id, testkit.M{"sku": "AZUL-M", "options": options("Azul", "M")}).ID()
	variations := "/products/" + id + "/variations/"
	found := func(query string) bool { return len(key.Get(t, "/products?q="+query).Want(t, 200).Data(t)) == 1 }
	want := func(step string, all map[string]bool) {
		t.Helper()
		for query, want := range all {
			if found(query) != want {
				t.Errorf("%s: %s is found: %t", step, query, !want)
			}
		}
	}

	want("at first", map[string]bool{"azul-p": true, "azulm": true, "camisa": true})
	key.Patch(t, variations+small, testkit.M{"sku": "VERDE-P"}).Want(t, 200)
	want("another SKU", map[string]bool{"azulp": false, "verde": true, "azulm": true, "azul": true, "camisa": true})
	key.Patch(t, "/products/"+id, testkit.M{"name": "Blusa"}).Want(t, 200)
	want("another name", map[string]bool{"camisa": false, "blusa": true, "azul": true, "verde": true})
	key.Delete(t, variations+middle).Want(t, 204)
	want("one less", map[string]bool{"azul": false, "verde": true, "blusa": true})
	key.Delete(t, "/products/"+id).Want(t, 204)
	left := testkit.Value[int64](t, key.Server.Database, "SELECT count(*) FROM search_tokens WHERE tenant_id = $1", key.Tenant.ID)
	if left != 0 {
		t.Errorf("%d words are left of a product that is gone", left)
	}
}

func TestProducts_KeepTenantsApart(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	foreignProduct := product(t, other, testkit.M{"sku": "A", "external_id": "e"})
	foreignCategory := other.Post(t, "/product_categories", testkit.M{"name": "Roupas"}).Want(t, 201).ID()
	serviceCategory := key.Post(t, "/service_categories", testkit.M{"name": "Roupas"}).Want(t, 201).ID()

	own := product(t, key, testkit.M{"sku": "A", "external_id": "e"}).ID()
	key.Post(t, "/product_categories", testkit.M{"name": "Roupas"}).Want(t, 201)

	for _, id := range []string{foreignCategory, serviceCategory, testkit.RandomID()} {
		key.Post(t, "/products", testkit.M{"name": "x", "price_cents": 1, "category_id": id}).WantFieldErrors(t, "/category_id unknown_reference")
		key.Patch(t, "/products/"+own, testkit.M{"category_id": id}).WantFieldErrors(t, "/category_id unknown_reference")
		key.Post(t, "/product_categories", testkit.M{"name": "x", "parent_id": id}).WantFieldErrors(t, "/parent_id unknown_reference")
	}
	key.Get(t, "/products/"+foreignProduct.ID()).WantProblem(t, 404, "not_found")
	if got := key.All(t, "/products"); len(got) != 1 {
		t.Errorf("the list has %v", got)
	}
}

func TestProducts_NeedTheirPermissions(t *testing.T) {
	t.Parallel()
	tenant := testkit.New(t).Tenant(t)
	owner := tenant.Key(t)
	id := shirt(t, owner)
	products, services := tenant.Key(t, "products:read"), tenant.Key(t, "services:read")

	for _, path := range []string{"/products", "/products/" + id, "/products/" + id + "/variations", "/product_categories"} {
		products.Get(t, path).Want(t, 200)
		services.Get(t, path).WantProblem(t, 403, "forbidden")
	}
	for _, path := range []string{"/services", "/service_categories"} {
		services.Get(t, path).Want(t, 200)
		products.Get(t, path).WantProblem(t, 403, "forbidden")
	}
	products.Post(t, "/products/"+id+"/archive", nil).WantProblem(t, 403, "forbidden")
	services.Post(t, "/service_categories", testkit.M{"name": "x"}).WantProblem(t, 403, "forbidden")
}
