package catalog_test

import (
	"slices"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestServices_AreMadeReadAndChanged(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "services:write", "services:read")
	category := key.Post(t, "/service_categories", testkit.M{"name": "Oficina"}).Want(t, 201).ID()

	first := key.Post(t, "/services", testkit.M{
		"name": "Troca de óleo", "description": "Com filtro.", "category_id": category, "price_cents": 12000, "cost_cents": 5000,
		"duration_minutes": 45, "service_code": "14.01", "external_id": "s1", "metadata": testkit.M{"a": "b"},
	}).Want(t, 201)
	path := first.Header.Get("Location")
	zero := key.Patch(t, path, testkit.M{"price_cents": 0}).Want(t, 200)
	cleared := key.Patch(t, path, testkit.M{
		"description": nil, "category_id": nil, "cost_cents": nil, "duration_minutes": nil, "service_code": nil, "external_id": nil, "metadata": nil,
	}).Want(t, 200)

	if first.Text("status") != "active" || first.Text("duration_minutes") != "45" || first.Text("service_code") != "14.01" {
		t.Errorf("got %s", first)
	}
	if zero.Text("price_cents") != "0" || zero.Text("cost_cents") != "5000" {
		t.Errorf("got %s", zero)
	}
	for _, member := range []string{"description", "category_id", "cost_cents", "duration_minutes", "service_code", "external_id"} {
		if cleared.JSON()[member] != nil {
			t.Errorf("%s is not cleared: %s", member, cleared)
		}
	}
	if got := key.Get(t, path).Want(t, 200); string(got.Body) != string(cleared.Body) {
		t.Errorf("read back: %s", got)
	}
	key.Delete(t, path, testkit.Header("If-Match", first.Header.Get("ETag"))).WantProblem(t, 412, "precondition_failed")
	key.Delete(t, path).Want(t, 204)
	key.Get(t, path).WantProblem(t, 404, "not_found")
}

func TestServices_NameEveryErrorAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "services:write")
	id := key.Post(t, "/services", testkit.M{"name": "Corte", "price_cents": 1}).Want(t, 201).ID()

	key.Post(t, "/services", testkit.M{"duration_minutes": 0, "service_code": "14.1", "sku": "x"}).WantFieldErrors(t,
		"/name required", "/price_cents required", "/duration_minutes minimum", "/service_code too_short", "/sku unknown_member")
	key.Patch(t, "/services/"+id, testkit.M{"duration_minutes": 1441, "service_code": "14-01", "price_cents": nil}).WantFieldErrors(t,
		"/duration_minutes maximum", "/service_code service_code", "/price_cents null")
	key.Patch(t, "/services/"+id, testkit.M{"duration_minutes": 1.5, "service_code": "1４.01"}).WantFieldErrors(t,
		"/duration_minutes type", "/service_code service_code")
}

func TestListServices_FiltersSortsAndSearches(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "services:write", "services:read")
	category := key.Post(t, "/service_categories", testkit.M{"name": "Oficina"}).Want(t, 201).ID()
	for _, body := range []testkit.M{
		{"name": "Óleo: troca", "price_cents": 1, "category_id": category}, {"name": "Alinhamento", "price_cents": 1, "external_id": "e"},
	} {
		key.Post(t, "/services", body).Want(t, 201)
	}
	gone := key.Post(t, "/services", testkit.M{"name": "Balanceamento", "price_cents": 1}).Want(t, 201).ID()
	key.Post(t, "/services/"+gone+"/archive", nil).Want(t, 200)

	for query, want := range map[string][]string{
		"sort=name&order=asc": {"Alinhamento", "Balanceamento", "Óleo: troca"}, "sort=name": {"Óleo: troca", "Balanceamento", "Alinhamento"},
		"status=active&order=asc": {"Óleo: troca", "Alinhamento"}, "category_id=" + category: {"Óleo: troca"}, "q=oleo": {"Óleo: troca"},
		"external_id=e": {"Alinhamento"}, "q=%25": {},
	} {
		if got := names(key.Get(t, "/services?"+query).Want(t, 200).Data(t), "name"); !slices.Equal(got, want) {
			t.Errorf("%s: %v", query, got)
		}
	}
	key.Patch(t, "/services/"+gone, testkit.M{"name": "Geometria"}).Want(t, 200)
	if got := key.Get(t, "/services?q=balanc").Want(t, 200).Data(t); len(got) != 0 {
		t.Errorf("found by its old name: %v", got)
	}
}
