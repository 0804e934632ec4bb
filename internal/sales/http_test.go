package sales_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestCreateSale_ComputesEveryFigure(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)

	r := key.Post(t, "/sales", testkit.M{
		"items": []testkit.M{
			{"kind": "custom", "description": "Hora", "quantity": "1.5", "unit_price_cents": 333},                            // 499.5 → 500
			{"kind": "custom", "description": "Peça", "quantity": 3, "unit_price_cents": 1000, "discount_percent": "12.5"},   // 2625
			{"kind": "custom", "description": "Óleo", "quantity": "0.75", "unit_price_cents": 4000, "discount_cents": 1_000}, // 2000
		},
		"discount_percent": 10, "shipping_cents": 1500, "sold_at": "2026-01-31T23:30:00-03:00",
		"payment_plan": testkit.M{"count": 3, "first_due_date": "2026-01-31"},
	}).Want(t, 201)

	s := decodeSale(t, r)
	if s.SubtotalCents != 6500 || s.DiscountTotal != 375+1000+513 || s.TotalCents != 5125-513+1500 || s.BalanceCents != s.TotalCents || s.Status != "open" {
		t.Errorf("got %+v", s)
	}
	if s.Items[0].TotalCents != 500 || s.Items[1].TotalCents != 2625 || s.Items[2].TotalCents != 2000 {
		t.Errorf("lines %+v", s.Items)
	}
	var parts []string
	for _, one := range s.Transactions {
		parts = append(parts, fmt.Sprintf("%s %d", one.DueDate, one.Amount))
	}
	if !slices.Equal(parts, []string{"2026-01-31 2038", "2026-02-28 2037", "2026-03-31 2037"}) {
		t.Errorf("planned %v", parts)
	}
	if r.Header.Get("Location") != "/public/v1/sales/"+s.ID {
		t.Errorf("Location %s", r.Header.Get("Location"))
	}
	wantWhole(t, key, "/sales/"+s.ID)
}

func TestCreateSale_IsDueOnItsDayInTheCompanysZoneWithoutAPlan(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)

	s := decodeSale(t, key.Post(t, "/sales", saleOf(1000, testkit.M{"sold_at": "2026-02-01T01:00:00Z"})).Want(t, 201))

	if len(s.Transactions) != 1 || s.Transactions[0].DueDate != "2026-01-31" {
		t.Errorf("planned %+v", s.Transactions)
	}
}

func TestCreateSale_OfNothingIsPaid(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)

	s := decodeSale(t, key.Post(t, "/sales", saleOf(1000, testkit.M{"discount_percent": 100})).Want(t, 201))

	if s.Status != "paid" || s.TotalCents != 0 || s.PaymentPlan != nil || len(s.Transactions) != 0 {
		t.Errorf("got %+v", s)
	}
	pay(t, key, "/sales/"+s.ID, 1).WantFieldErrors(t, "/amount_cents over_balance")
}

func TestCreateSale_RefusesWhatDoesNotAddUp(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	before := key.Tenant.Snapshot(t)
	line := func(more testkit.M) []testkit.M {
		l := custom(1000)
		for name, value := range more {
			l[name] = value
		}
		return []testkit.M{l}
	}
	many := make([]testkit.M, 501)
	for i := range many {
		many[i] = custom(1)
	}

	for _, c := range []struct {
		body testkit.M
		want []string
	}{
		{testkit.M{}, []string{"/items required"}},
		{testkit.M{"items": []testkit.M{}}, []string{"/items too_few_items"}},
		{testkit.M{"items": many}, []string{"/items too_many_items"}},
		{testkit.M{"items": line(testkit.M{"quantity": 0})}, []string{"/items/0/quantity quantity_range"}},
		{testkit.M{"items": line(testkit.M{"quantity": -1})}, []string{"/items/0/quantity quantity_range"}},
		{testkit.M{"items": line(testkit.M{"quantity": "1.00001"})}, []string{"/items/0/quantity quantity_places"}},
		{testkit.M{"items": line(testkit.M{"unit_price_cents": -5})}, []string{"/items/0/unit_price_cents money_sign"}},
		{testkit.M{"items": line(testkit.M{"unit_price_cents": 99_999_999_999, "quantity": 2})}, []string{"/items/0/quantity money_range"}},
		{testkit.M{"items": line(testkit.M{"unit_price_cents": nil})}, []string{"/items/0/unit_price_cents required"}},
		{testkit.M{"items": line(testkit.M{"discount_cents": 1001})}, []string{"/items/0/discount_cents discount_too_large"}},
		{testkit.M{"items": line(testkit.M{"discount_percent": "100.01"})}, []string{"/items/0/discount_percent percent_range"}},
		{testkit.M{"items": line(testkit.M{"discount_cents": 1, "discount_percent": 1})}, []string{"/items/0/discount_percent exclusive"}},
		{testkit.M{"items": line(testkit.M{"service_id": testkit.RandomID()})}, []string{"/items/0/service_id not_of_this_kind"}},
		{testkit.M{"items": []testkit.M{{"kind": "product", "quantity": 1}}}, []string{"/items/0/product_id required"}},
		{saleOf(1000, testkit.M{"discount_cents": 1001, "shipping_cents": 500}), []string{"/discount_cents discount_too_large"}},
		{saleOf(1000, testkit.M{"discount_cents": 1, "discount_percent": 1}), []string{"/discount_percent exclusive"}},
		{saleOf(1000, testkit.M{"payment_plan": testkit.M{"count": 0, "first_due_date": "2026-01-31"}}), []string{"/payment_plan/count minimum"}},
		{saleOf(1000, testkit.M{"payment_plan": testkit.M{"count": 2}}), []string{"/payment_plan/first_due_date required"}},
		{saleOf(2, testkit.M{"payment_plan": testkit.M{"count": 3, "first_due_date": "2026-01-31"}}), []string{"/payment_plan/count too_many_parts"}},
		{
			saleOf(1000, testkit.M{"payment_plan": testkit.M{"installments": []testkit.M{{"due_date": "2026-01-31", "amount_cents": 999}}}}),
			[]string{"/payment_plan/installments does_not_add_up"},
		},
		{saleOf(1000, testkit.M{"client_id": testkit.RandomID()}), []string{"/client_id unknown_reference"}},
		{saleOf(1000, testkit.M{"account_id": testkit.RandomID()}), []string{"/account_id unknown_reference"}},
		{saleOf(1000, testkit.M{"category_id": testkit.RandomID()}), []string{"/category_id unknown_reference"}},
		{saleOf(1000, testkit.M{"status": "paid", "number": 7, "total_cents": 1}), []string{"/number unknown_member", "/status unknown_member", "/total_cents unknown_member"}},
	} {
		key.Post(t, "/sales", c.body).WantFieldErrors(t, c.want...)
	}
	key.Tenant.Snapshot(t).WantSame(t, before)
}

func TestCreateSale_TakesNamesAndPricesFromTheCatalogueAndKeepsThem(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	product := key.Post(t, "/products", testkit.M{"name": "Filtro", "price_cents": 2500, "unit": "CX"}).Want(t, 201).ID()
	service := key.Post(t, "/services", testkit.M{"name": "Troca", "price_cents": 8000}).Want(t, 201).ID()

	r := key.Post(t, "/sales", testkit.M{"items": []testkit.M{
		{"kind": "product", "product_id": product, "quantity": 2},
		{"kind": "service", "service_id": service, "quantity": 1, "unit_price_cents": 7000},
	}}).Want(t, 201)
	key.Patch(t, "/products/"+product, testkit.M{"price_cents": 9900, "name": "Outro"}).Want(t, 200)
	key.Post(t, "/services/"+service+"/archive", nil).Want(t, 200)

	var s struct {
		TotalCents int64 `json:"total_cents"`
		Items      []struct {
			Description, Unit string
			UnitPriceCents    int64 `json:"unit_price_cents"`
		}
	}
	key.Get(t, "/sales/"+r.ID()).Want(t, 200).Decode(t, &s)
	if s.TotalCents != 12000 || s.Items[0].Description != "Filtro" || s.Items[0].Unit != "CX" || s.Items[0].UnitPriceCents != 2500 || s.Items[1].UnitPriceCents != 7000 {
		t.Errorf("got %+v", s)
	}
	key.Post(t, "/sales", testkit.M{"items": []testkit.M{
		{"kind": "service", "service_id": service, "quantity": 1}, {"kind": "product", "product_id": testkit.RandomID(), "quantity": 1},
	}}).WantFieldErrors(t, "/items/0/service_id archived_reference", "/items/1/product_id unknown_reference")
	key.Delete(t, "/products/"+product).WantProblem(t, 409, "resource_in_use")
	key.Post(t, "/sales/"+r.ID()+"/versions", testkit.M{"items": []testkit.M{{"kind": "service", "service_id": service, "quantity": 3}}}).Want(t, 201)
}

func TestCreateSale_TakesReferencesOfAnotherCompanyForUnknownOnes(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	client := other.Post(t, "/clients", testkit.M{"name": "Bia"}).Want(t, 201).ID()
	product := other.Post(t, "/products", testkit.M{"name": "Filtro", "price_cents": 2500}).Want(t, 201).ID()
	account := other.Get(t, "/financial_accounts").Want(t, 200).Data(t)[0]["id"]
	before := other.Tenant.Snapshot(t)

	key.Post(t, "/sales", saleOf(1000, testkit.M{"client_id": client})).WantFieldErrors(t, "/client_id unknown_reference")
	key.Post(t, "/sales", saleOf(1000, testkit.M{"account_id": account})).WantFieldErrors(t, "/account_id unknown_reference")
	key.Post(t, "/sales", testkit.M{"items": []testkit.M{{"kind": "product", "product_id": product, "quantity": 1}}}).
		WantFieldErrors(t, "/items/0/product_id unknown_reference")

	other.Tenant.Snapshot(t).WantSame(t, before)
}

func TestCreateSale_RefusesAnArchivedClient(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := key.Post(t, "/clients", testkit.M{"name": "Ana"}).Want(t, 201).ID()
	sale := newSale(t, key, 1000, testkit.M{"client_id": client})
	key.Post(t, "/clients/"+client+"/archive", nil).Want(t, 200)

	key.Post(t, "/sales", saleOf(1000, testkit.M{"client_id": client})).WantFieldErrors(t, "/client_id archived_reference")
	key.Post(t, sale+"/versions", saleOf(2000, testkit.M{"client_id": client})).Want(t, 201)
}

func TestCreateSale_Writes500LinesInOneStatementOfEachTable(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	lines := make([]testkit.M, 500)
	for i := range lines {
		lines[i] = custom(i + 1)
	}

	r := key.Post(t, "/sales", testkit.M{"items": lines}).Want(t, 201)

	s := readSale(t, key, "/sales/"+r.ID())
	if len(s.Items) != 500 || s.TotalCents != 500*501/2 {
		t.Fatalf("%d lines, %d", len(s.Items), s.TotalCents)
	}
	for i, line := range s.Items {
		if line.TotalCents != int64(i+1) {
			t.Fatalf("line %d is of %d: the order is lost", i, line.TotalCents)
		}
	}
	inserts := testkit.Value[int64](t, key.Server.Database, "SELECT count(DISTINCT (xmin::text, cmin::text)) FROM sale_items WHERE tenant_id = $1", key.Tenant.ID)
	if inserts != 1 {
		t.Errorf("the lines came in %d statements", inserts)
	}
}

func TestCreateSale_AnswersWholeWhatIsTooLargeToStore(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	lines := make([]testkit.M, 480)
	for i := range lines {
		lines[i] = custom(100)
		lines[i]["description"] = strings.Repeat("ç", 240) + fmt.Sprint(i)
	}
	body, idem := testkit.M{"items": lines}, testkit.NewKey()

	first := key.Post(t, "/sales", body, testkit.Key(idem)).Want(t, 201)
	again := key.Post(t, "/sales", body, testkit.Key(idem))

	if len(first.Body) <= 256<<10 || len(decodeSale(t, first).Items) != 480 {
		t.Fatalf("the answer has %d bytes", len(first.Body))
	}
	again.WantProblem(t, 409, "conflict")
	if again.Text("reason") != "response_not_stored" || again.Header.Get("Location") != first.Header.Get("Location") {
		t.Errorf("got %s, Location %s", again, again.Header.Get("Location"))
	}
	if n := len(key.All(t, "/sales")); n != 1 {
		t.Errorf("%d sales", n)
	}
}

func TestSale_ShowsTransactionsOnlyToWhoMayReadFinance(t *testing.T) {
	t.Parallel()
	tenant := testkit.New(t).Tenant(t)
	key := tenant.Key(t, "sales:read", "sales:write", "finance:read")
	idem, blind := testkit.NewKey(), testkit.NewKey()
	first := key.Post(t, "/sales", saleOf(1000), testkit.Key(idem)).Want(t, 201)

	key.SetScopes(t, "sales:read", "sales:write")

	again := key.Post(t, "/sales", saleOf(1000), testkit.Key(idem)).WantProblem(t, 409, "conflict")
	if again.Text("reason") != "access_changed" || strings.Contains(string(again.Body), "1000") {
		t.Errorf("got %s", again)
	}
	got := key.Get(t, "/sales/"+first.ID()).Want(t, 200)
	if _, there := got.JSON()["financial_transactions"]; there || got.Text("omitted") != `["financial_transactions"]` {
		t.Errorf("got %s", got)
	}
	without := key.Post(t, "/sales", saleOf(1000), testkit.Key(blind)).Want(t, 201)
	pay(t, key, "/sales/"+first.ID(), 400).Want(t, 201)

	key.SetScopes(t, "sales:read", "sales:write", "finance:read")
	key.Post(t, "/sales", saleOf(1000), testkit.Key(blind)).WantReplayOf(t, without)
	key.Post(t, "/sales", saleOf(1000), testkit.Key(idem)).WantReplayOf(t, first)
	key.SetScopes(t, "sales:read", "finance:read")
	key.Post(t, "/sales", saleOf(1000), testkit.Key(idem)).WantProblem(t, 403, "forbidden")
}

func TestUpdateSale_TouchesOnlyWhatIsNotOfAVersion(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	sale := newSale(t, key, 1000, testkit.M{"notes": "a", "external_id": "v1", "metadata": testkit.M{"a": "1"}})
	tag := key.Get(t, sale).Want(t, 200).Header.Get("ETag")

	changed := key.Patch(t, sale, testkit.M{"notes": nil, "metadata": testkit.M{"b": "2"}}, testkit.Header("If-Match", tag)).Want(t, 200)
	if changed.Text("notes") != "" || changed.Text("metadata") != `{"a":"1","b":"2"}` || changed.Text("external_id") != "v1" {
		t.Errorf("got %s", changed)
	}
	key.Patch(t, sale, testkit.M{"notes": "x"}, testkit.Header("If-Match", tag)).WantProblem(t, 412, "precondition_failed")
	key.Patch(t, sale, testkit.M{"status": "paid", "items": []testkit.M{}}).WantFieldErrors(t, "/items unknown_member", "/status unknown_member")
	key.Post(t, "/sales", saleOf(1, testkit.M{"external_id": "v1"})).WantProblem(t, 409, "already_exists")
	key.Delete(t, sale).WantProblem(t, 405, "method_not_allowed")
}

func TestListSales_FindsByEveryFilter(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := key.Post(t, "/clients", testkit.M{"name": "João Conceição", "mobile": "(11) 91234-5678"}).Want(t, 201).ID()
	var numbers []string
	for i := range 12 {
		more := testkit.M{"sold_at": fmt.Sprintf("2026-01-%02dT12:00:00Z", i+1)}
		if i == 2 {
			more["client_id"] = client
		}
		numbers = append(numbers, key.Post(t, "/sales", saleOf(1000, more)).Want(t, 201).Text("number"))
	}
	if numbers[0] != "1" || numbers[11] != "12" {
		t.Fatalf("numbers %v", numbers)
	}
	pay(t, key, "/sales/"+key.Get(t, "/sales?number=5").Data(t)[0]["id"].(string), 1000).Want(t, 201)

	for query, want := range map[string][]string{
		"status=paid": {"5"}, "number=7": {"7"}, "client_id=" + client: {"3"}, "q=joao": {"3"}, "q=conc%20jo": {"3"}, "q=1": {"1", "10", "11", "12"},
		"q=12": {"12"}, "q=joao%203": {"3"}, "q=joao%204": {}, "q=11": {"11"}, "q=%25": {}, "client_id=" + testkit.RandomID(): {},
		"sold_from=2026-01-04T00:00:00Z&sold_to=2026-01-06T00:00:00Z": {"4", "5"},
		"sort=number&order=desc&status=open&limit=2":                  {"12", "11"},
	} {
		if !strings.Contains(query, "sort=") {
			query += "&sort=number&order=asc"
		}
		r := key.Get(t, "/sales?"+query).Want(t, 200)
		got := []string{}
		for _, s := range r.Data(t) {
			got = append(got, fmt.Sprint(s["number"]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: want %v, got %v", query, want, got)
		}
	}
	if all := key.All(t, "/sales?sort=number"); len(all) != 12 {
		t.Errorf("%d pass through the pages", len(all))
	}
	key.Patch(t, "/clients/"+client, testkit.M{"name": "Pedro"}).Want(t, 200)
	if n := len(key.Get(t, "/sales?q=pedro").Want(t, 200).Data(t)); n != 1 {
		t.Errorf("%d by the client's new name", n)
	}
	for _, wrong := range []string{"client_id=x", "number=0", "number=a", "sort=total", "status=x", "sold_from=ontem"} {
		key.Get(t, "/sales?"+wrong).WantProblem(t, 422, "validation_failed")
	}
}

func TestSaleNumbers_HaveNoGapsUnderConcurrencyAndRollbacks(t *testing.T) {
	t.Parallel()
	const sales = 64
	key := testkit.New(t).Tenant(t).Key(t)
	keys := make([]string, sales)
	for i := range keys {
		keys[i] = testkit.NewKey()
		if i%4 == 0 {
			key.Server.Database.Strike(t, keys[i], testkit.AtCompletion, testkit.Refuses)
		}
	}

	all := testkit.AtOnce(sales, func(i int) *testkit.Response {
		return key.Post(t, "/sales", saleOf(100+i), testkit.Key(keys[i]), testkit.MayFail())
	})

	made := 0
	for i, r := range all {
		want := 201
		if i%4 == 0 {
			want = 500
		}
		if r.Status != want {
			t.Fatalf("want %d, got %s", want, r)
		}
		if want == 201 {
			made++
		}
	}
	got := testkit.Column[int64](t, key.Server.Database, "SELECT number FROM sales WHERE tenant_id = $1 ORDER BY number", key.Tenant.ID)
	if len(got) != made {
		t.Fatalf("%d sales of %d", len(got), made)
	}
	for i, n := range got {
		if n != int64(i+1) {
			t.Fatalf("numbers %v", got)
		}
	}
}

func TestSaleVersions_ReplanWhatIsLeftAndStay(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	sale := newSale(t, key, 10_000, testkit.M{"payment_plan": testkit.M{"count": 2, "first_due_date": "2026-01-31"}, "notes": "fica"})
	pay(t, key, sale, 3000).Want(t, 201)
	first := key.Get(t, sale+"/versions/1").Want(t, 200)

	r := key.Post(t, sale+"/versions", saleOf(7001, testkit.M{
		"reason": "Menos", "base_version": 1, "payment_plan": testkit.M{"count": 2, "first_due_date": "2026-05-31"},
	})).Want(t, 201)

	s := decodeSale(t, r)
	if s.CurrentVersion != 2 || s.TotalCents != 7001 || s.PaidCents != 3000 || s.BalanceCents != 4001 || s.Status != "partially_paid" || r.Text("notes") != "fica" {
		t.Errorf("got %+v", s)
	}
	if r.Header.Get("Location") != "/public/v1"+sale+"/versions/2" {
		t.Errorf("Location %s", r.Header.Get("Location"))
	}
	if len(s.PaymentPlan.Installments) != 2 || s.PaymentPlan.Installments[0].Amount != 2001 {
		t.Errorf("plan %+v", s.PaymentPlan)
	}
	wantWhole(t, key, sale)
	if again := key.Get(t, sale+"/versions/1").Want(t, 200); string(again.Body) != string(first.Body) {
		t.Errorf("version 1 changed:\n%s\n%s", first.Body, again.Body)
	}
	if all := key.All(t, sale+"/versions"); len(all) != 2 {
		t.Errorf("%d versions", len(all))
	}
	key.Get(t, sale+"/versions/3").WantProblem(t, 404, "not_found")

	stale := key.Post(t, sale+"/versions", saleOf(9000, testkit.M{"base_version": 1})).WantProblem(t, 409, "conflict")
	if stale.Text("reason") != "version_conflict" {
		t.Errorf("got %s", stale)
	}
	key.Post(t, sale+"/versions", saleOf(2999)).WantFieldErrors(t, "/items below_paid")
	key.Post(t, sale+"/versions", saleOf(5000, testkit.M{
		"payment_plan": testkit.M{"installments": []testkit.M{{"due_date": "2026-01-31", "amount_cents": 5000}}},
	})).WantFieldErrors(t, "/payment_plan/installments does_not_add_up")
	key.Post(t, sale+"/versions", saleOf(3000)).Want(t, 201)
	if s := wantWhole(t, key, sale); s.Status != "paid" {
		t.Errorf("got %+v", s)
	}
}

func TestPayments_SettleTheOldestDueFirstAndPartsOfParts(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	sale := newSale(t, key, 900, testkit.M{"payment_plan": testkit.M{"count": 3, "first_due_date": "2026-01-31"}})

	r := pay(t, key, sale, 400).Want(t, 201)
	if r.Text("sale") == "" || r.Header.Get("Location") != "/public/v1"+sale+"/payments/"+r.ID() {
		t.Errorf("got %s, Location %s", r, r.Header.Get("Location"))
	}
	s := wantWhole(t, key, sale)
	var pending []string
	last := ""
	for _, one := range s.Transactions {
		if one.Status == "pending" {
			pending = append(pending, fmt.Sprintf("%s %d", one.DueDate, one.Amount))
			last = one.ID
		}
	}
	if !slices.Equal(pending, []string{"2026-02-28 200", "2026-03-31 300"}) || s.Status != "partially_paid" {
		t.Fatalf("pending %v", pending)
	}

	key.Post(t, sale+"/payments", testkit.M{"amount_cents": 100, "method": "cash", "financial_transaction_id": last}).Want(t, 201)
	key.Post(t, sale+"/payments", testkit.M{"amount_cents": 1, "method": "cash", "financial_transaction_id": testkit.RandomID()}).
		WantFieldErrors(t, "/financial_transaction_id unknown_reference")
	over := pay(t, key, sale, 401).WantFieldErrors(t, "/amount_cents over_balance")
	if !strings.Contains(string(over.Body), "400") {
		t.Errorf("the balance is not named: %s", over)
	}
	pay(t, key, sale, 400).Want(t, 201)
	if s := wantWhole(t, key, sale); s.Status != "paid" || s.BalanceCents != 0 {
		t.Errorf("got %+v", s)
	}
	if n := len(key.All(t, sale+"/payments?method=cash&status=confirmed")); n != 1 {
		t.Errorf("%d in cash", n)
	}
}

func TestPayments_RefuseAmountsThatAreNone(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	sale := newSale(t, key, 50_000)
	before := key.Tenant.Snapshot(t)

	for amount, code := range map[string]string{
		`-1`: "money_sign", `0`: "minimum", `-0`: "money_sign", `0.001`: "money_fraction", `10.005`: "money_fraction", `"10"`: "type", `true`: "type",
		`1e400`: "money_range", `99999999999999999`: "money_range", `"R$ 10"`: "type", `null`: "null", `0.00`: "minimum",
	} {
		key.Post(t, sale+"/payments", `{"method":"pix","amount_cents":`+amount+`}`).WantFieldErrors(t, "/amount_cents "+code)
	}
	key.Post(t, sale+"/payments", `{"method":"pix","amount_cents":100,"charge":{"provider":"x"}}`).WantFieldErrors(t, "/charge unknown_member")
	key.Post(t, sale+"/payments", `{"method":"pix","amount_cents":100,"fee_cents":101}`).WantFieldErrors(t, "/fee_cents fee_range")
	key.Post(t, sale+"/payments", `{"method":"pix","amount_cents":100,"account_id":"`+testkit.RandomID()+`"}`).WantFieldErrors(t, "/account_id unknown_reference")

	key.Tenant.Snapshot(t).WantSame(t, before)
	key.Post(t, sale+"/payments", `{"method":"pix","amount_cents":1e2}`).Want(t, 201)
}

func TestCancelPayment_TakesItBackOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	sale := newSale(t, key, 900, testkit.M{"payment_plan": testkit.M{"count": 3, "first_due_date": "2026-01-31"}})
	old := pay(t, key, sale, 500).Want(t, 201).ID()

	r := key.Post(t, sale+"/payments/"+old+"/cancel", testkit.M{"reason": "Engano"}).Want(t, 200)

	if r.Text("status") != "cancelled" || r.Text("cancel_reason") != "Engano" {
		t.Errorf("got %s", r)
	}
	if s := wantWhole(t, key, sale); s.Status != "open" {
		t.Errorf("got %+v", s)
	}
	pay(t, key, sale, 900).Want(t, 201)
	again := key.Post(t, sale+"/payments/"+old+"/cancel", nil).WantProblem(t, 409, "invalid_state")
	if again.Text("current") != "cancelled" || again.Text("allowed") != "" && again.Text("allowed") != "[]" {
		t.Errorf("got %s", again)
	}
	if s := wantWhole(t, key, sale); s.Status != "paid" {
		t.Errorf("got %+v", s)
	}
	var actions []string
	for _, entry := range key.All(t, sale+"/history?order=asc") {
		actions = append(actions, fmt.Sprint(entry["action"], " ", entry["to"]))
	}
	if !slices.Equal(actions, []string{"create open", "payment partially_paid", "payment_cancelled open", "payment paid"}) {
		t.Errorf("history %v", actions)
	}
	if n := len(key.All(t, sale+"/payments/"+old+"/history")); n != 2 {
		t.Errorf("%d changes of the payment", n)
	}
	other := newSale(t, key, 100)
	key.Post(t, other+"/payments/"+old+"/cancel", nil).WantProblem(t, 404, "not_found")
}

func TestCancelSale_IsFinalAndTakesItsPaymentsBackIfAsked(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	sale := newSale(t, key, 900, testkit.M{"payment_plan": testkit.M{"count": 3, "first_due_date": "2026-01-31"}})
	payment := pay(t, key, sale, 400).Want(t, 201).ID()

	refused := key.Post(t, sale+"/cancel", testkit.M{"reason": "x"}).WantProblem(t, 409, "conflict")
	if refused.Text("reason") != "has_payments" {
		t.Errorf("got %s", refused)
	}
	key.Post(t, sale+"/cancel", testkit.M{"reason": "Desistência", "cancel_payments": true}).Want(t, 200)

	if s := wantWhole(t, key, sale); s.Status != "cancelled" || s.PaidCents != 0 {
		t.Errorf("got %+v", s)
	}
	key.Post(t, sale+"/cancel", nil).WantProblem(t, 409, "invalid_state")
	pay(t, key, sale, 1).WantProblem(t, 409, "invalid_state")
	key.Post(t, sale+"/versions", saleOf(100)).WantProblem(t, 409, "invalid_state")
	key.Post(t, sale+"/payments/"+payment+"/cancel", nil).WantProblem(t, 409, "invalid_state")
	key.Patch(t, sale, testkit.M{"notes": "depois"}).Want(t, 200)
}

func TestPayments_WhoseEndIsNotKnownReserveTheBalance(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"processing", "pending"} {
		key := testkit.New(t).Tenant(t).Key(t)
		sale := newSale(t, key, 1000)
		charged := testkit.RandomID()
		key.Server.Database.Exec(t, `INSERT INTO sale_payments (tenant_id, id, sale_id, status, amount_cents, method, paid_at, fee_cents, created_at, updated_at, version)
			VALUES ($1, $2, $3, $4, 700, 'pix', now(), 0, now(), now(), 1)`, key.Tenant.ID, charged, strings.TrimPrefix(sale, "/sales/"), status)

		over := pay(t, key, sale, 301).WantFieldErrors(t, "/amount_cents over_balance")
		if !strings.Contains(over.Text("errors"), "300") {
			t.Errorf("what is free is not named: %s", over)
		}
		key.Post(t, sale+"/versions", saleOf(699)).WantFieldErrors(t, "/items below_paid")
		key.Post(t, sale+"/payments/"+charged+"/cancel", nil).WantProblem(t, 409, "invalid_state")
		key.Post(t, sale+"/cancel", testkit.M{"cancel_payments": true}).WantProblem(t, 409, "invalid_state")
		pay(t, key, sale, 300).Want(t, 201)
		if s := wantWhole(t, key, sale); s.PaidCents != 300 || s.Status != "partially_paid" {
			t.Errorf("got %+v", s)
		}
	}
}

func TestListSales_ShowsEachAsItIsByItself(t *testing.T) {
	t.Parallel()
	tenant := testkit.New(t).Tenant(t)
	key := tenant.Key(t)
	for range 3 {
		pay(t, key, newSale(t, key, 1000), 400).Want(t, 201)
	}

	for _, reader := range []*testkit.Client{key, tenant.Key(t, "sales:read")} {
		for _, listed := range reader.All(t, "/sales") {
			var alone testkit.M
			reader.Get(t, "/sales/"+listed["id"].(string)).Want(t, 200).Decode(t, &alone)
			if fmt.Sprint(listed) != fmt.Sprint(alone) {
				t.Errorf("listed %v\nalone  %v", listed, alone)
			}
		}
	}
}
