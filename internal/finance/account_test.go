package finance_test

import (
	"fmt"
	"slices"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestTenant_StartsWithCaixaAndATreeOfCategories(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)

	accounts := key.All(t, "/financial_accounts")
	categories := key.All(t, "/financial_categories")

	if len(accounts) != 1 || accounts[0]["name"] != "Caixa" || accounts[0]["kind"] != "cash" || accounts[0]["is_default"] != true {
		t.Errorf("the accounts are %v", accounts)
	}
	kinds := map[any]any{}
	for _, c := range categories {
		kinds[c["id"]] = c["kind"]
	}
	children := 0
	for _, c := range categories {
		if parent := c["parent_id"]; parent != nil {
			children++
			if kinds[parent] != c["kind"] {
				t.Errorf("%v is not of its parent's kind", c)
			}
		}
	}
	if children == 0 {
		t.Error("the categories are no tree")
	}
}

func TestSignUp_SeedsTheCompanyAndItsSandbox(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	email := testkit.RandomID() + "@example.com"

	srv.Anonymous().Post(t, "/dashboard/v1/signup", testkit.M{
		"company_name": "Padaria Lima", "name": "Bia Lima", "email": email, "password": "uma senha bem longa 42",
	}).Want(t, 201)

	const accounts = `SELECT a.name FROM financial_accounts a JOIN members m ON m.tenant_id = a.tenant_id WHERE m.email = $1`
	if got := testkit.Column[string](t, srv.Database, accounts, email); !slices.Equal(got, []string{"Caixa"}) {
		t.Errorf("the accounts of a new company are %v", got)
	}
	sandbox := srv.Tenant(t).Session(t).Post(t, "/sandbox", nil).Want(t, 201).ID()
	const counts = `SELECT count(*) FROM financial_accounts WHERE tenant_id = $1::uuid UNION ALL SELECT count(*) FROM financial_categories WHERE tenant_id = $1::uuid`
	if got := testkit.Column[int64](t, srv.Database, counts, sandbox); got[0] != 1 || got[1] < 10 {
		t.Errorf("a sandbox has %d accounts and %d categories", got[0], got[1])
	}
}

func TestAccount_KeepsEveryMemberAndItsOpeningBalance(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	body := testkit.M{
		"name": "Cartão", "kind": "credit_card", "bank_code": "001", "agency": "1234-5", "number": "99-9", "opening_balance_cents": -150000,
		"opening_date": "2026-01-31", "external_id": "erp-1", "metadata": testkit.M{"a": "b"},
	}

	id := key.Post(t, "/financial_accounts", body).Want(t, 201).ID()

	got := key.Get(t, "/financial_accounts/"+id).Want(t, 200)
	for name, want := range body {
		if fmt.Sprint(got.JSON()[name]) != fmt.Sprint(want) {
			t.Errorf("%s: want %v, got %v", name, want, got.JSON()[name])
		}
	}
	wantBalance(t, key, id, -150000, -150000)
	key.Patch(t, "/financial_accounts/"+id, testkit.M{"opening_balance_cents": 0, "agency": nil}).Want(t, 200)
	wantBalance(t, key, id, 0, 0)
	key.Post(t, "/financial_accounts", body).WantProblem(t, 409, "already_exists")
	for _, wrong := range []any{"1", 1.5, 100_000_000_000, "1e400"} {
		key.Post(t, "/financial_accounts", testkit.M{"name": "X", "opening_balance_cents": wrong}).WantProblem(t, 422, "validation_failed")
	}
}

func TestAccount_PatchOfAnOldVersionIsRefusedAndMovementsAreNoVersions(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	path := "/financial_accounts/" + account(t, key)
	first := key.Get(t, path).Header.Get("ETag")
	transaction(t, key, testkit.M{"account_id": path[len("/financial_accounts/"):], "paid_at": "2026-11-30T12:00:00Z"}).Want(t, 201)

	moved := key.Get(t, path, testkit.Header("If-None-Match", first)).Want(t, 200).Header.Get("ETag")
	key.Patch(t, path, testkit.M{"agency": "1"}, testkit.Header("If-Match", first)).Want(t, 200)

	if moved == first {
		t.Error("the tag does not show that the balance has changed")
	}
	key.Patch(t, path, testkit.M{"agency": "2"}, testkit.Header("If-Match", first)).WantProblem(t, 412, "precondition_failed")
}

func TestAccount_OneIsTheDefaultWhateverHappensAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	ids := []string{cash(t, key)}
	for range 5 {
		ids = append(ids, account(t, key))
	}

	testkit.AtOnce(24, func(i int) *testkit.Response {
		if i%4 == 3 {
			return key.Post(t, "/financial_accounts", testkit.M{"name": testkit.RandomID(), "is_default": true}).Want(t, 201)
		}
		return key.Patch(t, "/financial_accounts/"+ids[i%len(ids)], testkit.M{"is_default": true}).Want(t, 200)
	})

	defaults := 0
	for _, a := range key.All(t, "/financial_accounts") {
		if a["is_default"] == true {
			defaults++
		}
	}
	if defaults != 1 {
		t.Errorf("%d accounts are the default", defaults)
	}
	now := cash(t, key)
	key.Patch(t, "/financial_accounts/"+now, testkit.M{"is_default": false}).WantFieldErrors(t, "/is_default default_required")
	key.Delete(t, "/financial_accounts/"+now).WantProblem(t, 409, "conflict")
	if got := transaction(t, key).Want(t, 201).Text("account_id"); got != now {
		t.Errorf("without a name the account is %s, not the default %s", got, now)
	}
}

func TestAccount_IsDeletedOnlyWithoutMovements(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	used, unused := account(t, key), account(t, key)
	moved := transaction(t, key, testkit.M{"account_id": used}).Want(t, 201)

	key.Delete(t, "/financial_accounts/"+used).WantProblem(t, 409, "resource_in_use")
	key.Delete(t, "/financial_accounts/"+unused).Want(t, 204)
	key.Get(t, "/financial_accounts/"+unused).WantProblem(t, 404, "not_found")

	key.Delete(t, "/financial_transactions/"+moved.ID()).Want(t, 204)
	key.Delete(t, "/financial_accounts/"+used).Want(t, 204)
}

func TestAccount_NamesAreUniqueInOneCompanyOnly(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	one, two := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)

	one.Post(t, "/financial_accounts", testkit.M{"name": "Café"}).Want(t, 201)

	one.Post(t, "/financial_accounts", testkit.M{"name": "Cafe\u0301"}).WantProblem(t, 409, "already_exists")
	two.Post(t, "/financial_accounts", testkit.M{"name": "Café"}).Want(t, 201)
}

func TestCategory_StaysInTheTreeOfItsKind(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	newOne := func(kind string, parent any) string {
		return key.Post(t, "/financial_categories", testkit.M{"name": "C", "kind": kind, "parent_id": parent}).Want(t, 201).ID()
	}
	top, income := newOne("expense", nil), newOne("income", nil)
	middle := newOne("expense", top)
	bottom := newOne("expense", middle)

	key.Post(t, "/financial_categories", testkit.M{"name": "X", "kind": "expense", "parent_id": income}).WantFieldErrors(t, "/parent_id kind_mismatch")
	key.Post(t, "/financial_categories", testkit.M{"name": "X", "kind": "expense", "parent_id": testkit.RandomID()}).WantFieldErrors(t, "/parent_id unknown_reference")
	key.Patch(t, "/financial_categories/"+bottom, testkit.M{"kind": "income"}).WantFieldErrors(t, "/kind unknown_member")
	key.Patch(t, "/financial_categories/"+top, testkit.M{"parent_id": bottom}).WantFieldErrors(t, "/parent_id cycle")
	key.Patch(t, "/financial_categories/"+top, testkit.M{"parent_id": top}).WantFieldErrors(t, "/parent_id cycle")
	key.Delete(t, "/financial_categories/"+middle).WantProblem(t, 409, "resource_in_use")
	key.Patch(t, "/financial_categories/"+bottom, testkit.M{"parent_id": nil}).Want(t, 200)
	key.Delete(t, "/financial_categories/"+middle).Want(t, 204)
}

func TestCategory_MovesAtOnceCloseNoCircle(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	var ids []string
	for range 3 {
		ids = append(ids, key.Post(t, "/financial_categories", testkit.M{"name": "C", "kind": "income"}).Want(t, 201).ID())
	}

	for range 4 {
		moves := testkit.AtOnce(3, func(i int) *testkit.Response {
			return key.Patch(t, "/financial_categories/"+ids[i], testkit.M{"parent_id": ids[(i+1)%3]})
		})
		for i, m := range moves {
			if m.Status != 200 && m.Status != 422 {
				t.Errorf("move %d: %s", i, m)
			}
		}
		const circles = `WITH RECURSIVE up AS (
			SELECT id, id AS above, parent_id, 0 AS steps FROM financial_categories WHERE tenant_id = $1
			UNION ALL SELECT u.id, c.id, c.parent_id, u.steps + 1 FROM up u JOIN financial_categories c ON c.tenant_id = $1 AND c.id = u.parent_id WHERE u.steps < 10
		) SELECT count(*) FROM up WHERE steps = 10`
		if n := testkit.Value[int64](t, key.Server.Database, circles, key.Tenant.ID); n > 0 {
			t.Fatal("the categories are in a circle")
		}
		for _, id := range ids {
			key.Patch(t, "/financial_categories/"+id, testkit.M{"parent_id": nil}).Want(t, 200)
		}
	}
}
