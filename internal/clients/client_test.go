package clients_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/testkit"
)

func TestCreateClient_KeepsDocumentsInOneForm(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	for given, want := range map[string]struct{ document, kind string }{
		"529.982.247-25":     {"52998224725", "person"},
		"12.ABC.345/01DE-35": {"12ABC34501DE35", "company"},
		"12abc34501de35":     {"12ABC34501DE35", "company"},
		"11.222.333/0001-81": {"11222333000181", "company"},
	} {
		c := newClient(t, key, testkit.M{"document": given})
		if c.Text("document") != want.document || c.Text("kind") != want.kind {
			t.Errorf("%s: %s", given, c)
		}
		key.Delete(t, "/clients/"+c.ID()).Want(t, 204)
	}
	for _, wrong := range []any{
		"12.ABC.345/01DE-34", "12.ABC.345/01DE-3A", "111.111.111-11", "00000000000", "00.000.000/0000-00", "5299822472", "529982247250", "529.982.247-26", 52998224725,
	} {
		key.Post(t, "/clients", testkit.M{"name": "Ana", "document": wrong}).WantProblem(t, 422, "validation_failed")
	}
	key.Post(t, "/clients", testkit.M{"name": "Ana", "document": "52998224725", "kind": "company"}).WantFieldErrors(t, "/kind document_mismatch")
	if c := newClient(t, key, testkit.M{"kind": "company"}); c.Text("kind") != "company" {
		t.Errorf("a company without a document: %s", c)
	}
}

func TestDocument_BelongsToOneActiveClientOfTheTenant(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, elsewhere := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	document := testkit.M{"name": "Bia", "document": "529.982.247-25"}
	first := newClient(t, key, document)

	second := key.Post(t, "/clients", document).WantProblem(t, 409, "already_exists")
	if got := second.FieldErrors(t); len(got) != 1 || got[0] != "/document already_exists" {
		t.Errorf("errors: %v", got)
	}
	newClient(t, elsewhere, document)
	key.Post(t, "/clients/"+first.ID()+"/archive", nil).Want(t, 200)
	active := newClient(t, key, document)
	key.Post(t, "/clients/"+first.ID()+"/unarchive", nil).WantProblem(t, 409, "already_exists")
	other := newClient(t, key, nil)
	key.Patch(t, "/clients/"+other.ID(), testkit.M{"document": "52998224725"}).WantProblem(t, 409, "already_exists")
	key.Delete(t, "/clients/"+active.ID()).Want(t, 204)
	key.Post(t, "/clients/"+first.ID()+"/unarchive", nil).Want(t, 200)

	created := testkit.AtOnce(8, func(int) int {
		return elsewhere.Post(t, "/clients", testkit.M{"name": "Caio", "document": "11.222.333/0001-81"}).Status
	})
	slices.Sort(created)
	if created[0] != 201 || created[1] != 409 || created[7] != 409 {
		t.Errorf("eight at once: %v", created)
	}
}

func TestExternalID_IsUniqueInTheTenant(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key := srv.Tenant(t).Key(t)
	first := newClient(t, key, testkit.M{"external_id": "erp-1"})
	newClient(t, srv.Tenant(t).Key(t), testkit.M{"external_id": "erp-1"})

	key.Post(t, "/clients", testkit.M{"name": "Bia", "external_id": "erp-1"}).WantProblem(t, 409, "already_exists")
	if found := key.All(t, "/clients?external_id=erp-1"); len(found) != 1 || found[0]["id"] != first.ID() {
		t.Errorf("found %v", found)
	}
	key.Patch(t, "/clients/"+first.ID(), testkit.M{"external_id": nil}).Want(t, 200)
	newClient(t, key, testkit.M{"external_id": "erp-1"})
}

func TestCreateClient_ReadsPhonesAsBrazilian(t *testing.T) {
	t.Parallel()
	c := newClient(t, newKey(t), testkit.M{"phone": "(11) 3456-7890", "mobile": "11 91234 5678", "email": "Ana@Example.com"})
	if c.Text("phone") != "+551134567890" || c.Text("mobile") != "+5511912345678" || c.Text("email") != "Ana@Example.com" {
		t.Errorf("%s", c)
	}
}

// TestBirthDate_IsJudgedInTheTenantsZone: at 01:00 UTC it is still yesterday in São Paulo.
func TestBirthDate_IsJudgedInTheTenantsZone(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 3, 2, 1, 0, 0, 0, time.UTC))
	key := testkit.New(t, testkit.WithClock(now)).Tenant(t).Key(t)

	newClient(t, key, testkit.M{"birth_date": "2026-03-01"})
	key.Post(t, "/clients", testkit.M{"name": "Ana", "birth_date": "2026-03-02"}).WantFieldErrors(t, "/birth_date future")
	now.Advance(2 * time.Hour)
	if c := newClient(t, key, testkit.M{"birth_date": "2026-03-02"}); c.Text("birth_date") != "2026-03-02" {
		t.Errorf("%s", c)
	}
}

func TestPatchClient_KeepsWhatIsAbsentAndClearsWhatIsNull(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	all := testkit.M{
		"document": "529.982.247-25", "email": "ana@example.com", "notes": "x", "tags": []string{"a", "b"}, "birth_date": "1990-01-02",
		"metadata": testkit.M{"a": "1", "b": "2"}, "trade_name": "AS", "external_id": "e",
	}
	first := newClient(t, key, all)
	path := "/clients/" + first.ID()
	same := func(r *testkit.Response) testkit.M {
		m := r.JSON()
		maps.DeleteFunc(m, func(name string, _ any) bool { return name == "version" || name == "updated_at" })
		return m
	}

	unchanged := key.Patch(t, path, testkit.M{}).Want(t, 200)
	if encode(t, same(unchanged)) != encode(t, same(first)) {
		t.Errorf("an empty patch changed\n%s\n%s", first, unchanged)
	}
	merged := key.Patch(t, path, testkit.M{"metadata": testkit.M{"b": nil, "c": "3"}, "tags": []string{"c"}, "notes": ""}).Want(t, 200)
	if merged.Text("metadata") != `{"a":"1","c":"3"}` || merged.Text("tags") != `["c"]` || merged.JSON()["notes"] != "" {
		t.Errorf("merged: %s", merged)
	}
	cleared := key.Patch(t, path, testkit.M{
		"email": nil, "notes": nil, "tags": nil, "birth_date": nil, "metadata": nil, "trade_name": nil, "external_id": nil, "document": nil,
	}).Want(t, 200)
	for name, value := range map[string]string{"email": "", "notes": "", "birth_date": "", "trade_name": "", "document": "", "tags": "[]", "metadata": "{}"} {
		if cleared.Text(name) != value {
			t.Errorf("%s is %q", name, cleared.Text(name))
		}
	}
	key.Patch(t, path, testkit.M{"name": nil}).WantFieldErrors(t, "/name null")
	key.Patch(t, path, testkit.M{"status": "archived"}).WantFieldErrors(t, "/status unknown_member")
	read := key.Get(t, path)
	if string(read.Body) != string(cleared.Body) || read.Text("name") != "Ana Souza" {
		t.Errorf("reading gives\n%s\nnot\n%s", read, cleared)
	}
	key.Patch(t, path, testkit.M{"notes": "m"}, testkit.Header("Content-Type", "application/merge-patch+json")).Want(t, 200)
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMetadata_HasAtMostFiftyPairs(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	pairs := map[string]string{}
	for i := range 50 {
		pairs[fmt.Sprintf("k%d", i)] = strings.Repeat("ç", 500)
	}
	c := newClient(t, key, testkit.M{"metadata": pairs})

	key.Patch(t, "/clients/"+c.ID(), testkit.M{"metadata": testkit.M{"one more": "x"}}).WantProblem(t, 422, "validation_failed")
	key.Patch(t, "/clients/"+c.ID(), testkit.M{"metadata": testkit.M{"k0": nil, "one more": "x"}}).Want(t, 200)
	pairs["k50"] = "x"
	key.Post(t, "/clients", testkit.M{"name": "Ana", "metadata": pairs}).WantProblem(t, 422, "validation_failed")
	key.Post(t, "/clients", testkit.M{"name": "Ana", "metadata": testkit.M{strings.Repeat("n", 41): "x"}}).WantProblem(t, 422, "validation_failed")
	key.Post(t, "/clients", testkit.M{"name": "Ana", "metadata": testkit.M{"a": strings.Repeat("x", 501)}}).WantProblem(t, 422, "validation_failed")
}

func TestStatus_ChangesByItsActionsAndIsRemembered(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	path := "/clients/" + newClient(t, key, nil).ID()

	if c := key.Post(t, path+"/archive", nil).Want(t, 200); c.Text("status") != "archived" || c.Text("version") != "2" {
		t.Errorf("%s", c)
	}
	again := key.Post(t, path+"/archive", nil).WantProblem(t, 409, "invalid_state")
	if again.Text("current") != "archived" || again.Text("allowed") != `["unarchive"]` {
		t.Errorf("%s", again)
	}
	key.Post(t, path+"/unarchive", nil).Want(t, 200)

	var changes []string
	for _, h := range key.All(t, path+"/history") {
		changes = append(changes, fmt.Sprint(h["action"], " ", h["to"], " by ", h["actor"].(testkit.M)["type"]))
	}
	want := []string{"unarchive active by api_key", "archive archived by api_key"}
	if !slices.Equal(changes, want) {
		t.Errorf("history %v, want %v", changes, want)
	}
}

func TestStatus_OfOneClientChangesOnceAtOnce(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	path := "/clients/" + newClient(t, key, nil).ID()

	all := testkit.AtOnce(12, func(int) int { return key.Post(t, path+"/archive", nil, testkit.Key(testkit.NewKey())).Status })

	slices.Sort(all)
	if all[0] != 200 || all[1] != 409 || all[11] != 409 {
		t.Errorf("statuses %v", all)
	}
	if n := len(key.All(t, path+"/history")); n != 1 {
		t.Errorf("%d changes", n)
	}
}

func TestAnonymize_LeavesNothingThatTellsWhoItWas(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	c := newClient(t, key, testkit.M{
		"name": "Zulmira Quaresma", "document": "529.982.247-25", "email": "zulmira@example.com", "phone": "(11) 3456-7890", "notes": "Zulmira",
		"metadata": testkit.M{"nick": "Zuzu"}, "tags": []string{"zu"}, "trade_name": "Zulmira ME", "birth_date": "1990-01-02", "external_id": "zulmira-1",
		"addresses": []testkit.M{newAddress(testkit.M{"label": "Casa da Zulmira"})},
	})

	gone := key.Post(t, "/clients/"+c.ID()+"/anonymize", nil).Want(t, 200)

	if gone.Text("status") != "archived" || gone.Text("addresses") != "[]" || gone.Text("kind") != "person" {
		t.Errorf("%s", gone)
	}
	for _, trace := range []string{"zulmira", "quaresma", "52998224725", "zuzu", "3456"} {
		if found := key.All(t, "/clients?q="+trace); len(found) != 0 {
			t.Errorf("%s is still found", trace)
		}
		for _, table := range []string{"clients", "client_addresses", "search_tokens", "status_history", "audit_log"} {
			n := testkit.Value[int64](t, key.Server.Database, "SELECT count(*) FROM "+table+" x WHERE tenant_id = $1 AND x::text ILIKE '%' || $2 || '%'", key.Tenant.ID, trace)
			if n != 0 {
				t.Errorf("%s is still in %s", trace, table)
			}
		}
	}
	key.Get(t, "/clients/"+c.ID()).Want(t, 200)
}

func TestDeleteClient_TakesItsAddressesAndWords(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	before := key.Tenant.Snapshot(t)
	c := newClient(t, key, testkit.M{"tags": []string{"vip"}, "addresses": []testkit.M{newAddress(nil)}})

	key.Delete(t, "/clients/"+c.ID()).Want(t, 204)

	key.Get(t, "/clients/"+c.ID()).WantProblem(t, 404, "not_found")
	key.Delete(t, "/clients/"+c.ID()).WantProblem(t, 404, "not_found")
	key.Get(t, "/clients/"+c.ID()+"/history").WantProblem(t, 404, "not_found")
	key.Tenant.Snapshot(t).WantSame(t, before, "audit_log", "status_history")
}
