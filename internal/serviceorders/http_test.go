package serviceorders_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func newClient(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/clients", testkit.M{"name": "Ana Souza"}).Want(t, 201).ID()
}

// newOrder makes an order and returns its path.
func newOrder(t testing.TB, key *testkit.Client, more ...testkit.M) string {
	t.Helper()
	body := testkit.M{"client_id": newClient(t, key), "title": "Revisão", "items": []testkit.M{
		{"kind": "custom", "description": "Mão de obra", "quantity": 2, "unit_price_cents": 5000},
	}}
	for _, m := range more {
		for name, value := range m {
			body[name] = value
		}
	}
	return "/service_orders/" + key.Post(t, "/service_orders", body).Want(t, 201).ID()
}

func act(t testing.TB, key *testkit.Client, order string, actions ...string) string {
	t.Helper()
	for _, action := range actions {
		var body any
		if action == "cancel" {
			body = testkit.M{"reason": "x"}
		}
		key.Post(t, order+"/"+action, body).Want(t, 200)
	}
	return order
}

func TestServiceOrder_KeepsWhatItIsGiven(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := newClient(t, key)
	address := key.Post(t, "/clients/"+client+"/addresses", testkit.M{
		"postal_code": "01310-100", "street": "Av. Paulista", "city": "São Paulo", "state": "SP",
	}).Want(t, 201).ID()
	member := key.Tenant.Member(t).ID.String()

	r := key.Post(t, "/service_orders", testkit.M{
		"client_id": client, "address_id": address, "title": "Ar", "description": "d", "assignee_member_id": member, "priority": "low",
		"equipment": testkit.M{"name": "Ar", "serial": "9"}, "scheduled_start": "2026-01-31T09:00:00-03:00", "scheduled_end": "2026-01-31T10:00:00-03:00",
		"custom_status": "Na fila", "notes": "n", "external_id": "os1", "metadata": testkit.M{"a": "b"},
	}).Want(t, 201)

	if r.Text("number") != "1" || r.Text("status") != "open" || r.Text("items") != "[]" || r.Text("total_cents") != "0" ||
		r.Text("equipment") != `{"brand":null,"model":null,"name":"Ar","serial":"9"}` || r.Text("scheduled_start") != "2026-01-31T12:00:00Z" ||
		r.Text("assignee_member_id") != member || r.Text("address_id") != address || r.Text("custom_status") != "Na fila" {
		t.Errorf("got %s", r)
	}
	if again := key.Get(t, "/service_orders/"+r.ID()).Want(t, 200); string(again.Body) != string(r.Body) {
		t.Errorf("the answer and the order differ:\n%s\n%s", r.Body, again.Body)
	}
	p := key.Patch(t, "/service_orders/"+r.ID(), testkit.M{"equipment": nil, "priority": nil, "address_id": nil, "description": ""}).Want(t, 200)
	if p.Text("equipment") != "" || p.Text("priority") != "normal" || p.Text("address_id") != "" || p.JSON()["description"] != "" {
		t.Errorf("got %s", p)
	}
}

func TestServiceOrder_RefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	client := newClient(t, key)
	gone := key.Tenant.Member(t)
	gone.SetActive(t, false)
	elsewhere := key.Post(t, "/clients/"+newClient(t, key)+"/addresses", testkit.M{
		"postal_code": "01310-100", "street": "Av. Paulista", "city": "São Paulo", "state": "SP",
	}).Want(t, 201).ID()
	before := key.Tenant.Snapshot(t)

	for _, c := range []struct {
		more testkit.M
		want []string
	}{
		{testkit.M{"client_id": nil}, []string{"/client_id null"}},
		{testkit.M{"client_id": newClient(t, other)}, []string{"/client_id unknown_reference"}},
		{testkit.M{"title": " "}, []string{"/title required"}},
		{testkit.M{"address_id": elsewhere}, []string{"/address_id unknown_reference"}},
		{testkit.M{"assignee_member_id": other.Tenant.Owner.ID, "priority": "urgent"}, []string{"/priority enum"}},
		{testkit.M{"assignee_member_id": other.Tenant.Owner.ID}, []string{"/assignee_member_id unknown_reference"}},
		{testkit.M{"assignee_member_id": gone.ID}, []string{"/assignee_member_id inactive_member"}},
		{testkit.M{"scheduled_start": "2026-01-31T09:00:00Z", "scheduled_end": "2026-01-31T08:00:00Z"}, []string{"/scheduled_end before_start"}},
		{testkit.M{"status": "completed"}, []string{"/status unknown_member"}},
		{testkit.M{"equipment": testkit.M{"color": "x"}}, []string{"/equipment/color unknown_member"}},
	} {
		body := testkit.M{"client_id": client, "title": "Revisão"}
		for name, value := range c.more {
			body[name] = value
		}
		key.Post(t, "/service_orders", body).WantFieldErrors(t, c.want...)
	}
	key.Tenant.Snapshot(t).WantSame(t, before)
}

func TestServiceOrder_FollowsItsTableOfStates(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	actions := []string{"start", "complete", "cancel", "convert_to_sale"}
	reach := map[string][]string{"open": {}, "in_progress": {"start"}, "completed": {"start", "complete"}, "cancelled": {"cancel"}}
	leads := map[string]map[string]string{
		"open":        {"start": "in_progress", "cancel": "cancelled", "convert_to_sale": "open"},
		"in_progress": {"complete": "completed", "cancel": "cancelled", "convert_to_sale": "in_progress"},
		"completed":   {"convert_to_sale": "completed"},
	}
	for from, way := range reach {
		for _, action := range actions {
			order := act(t, key, newOrder(t, key), way...)
			var body any
			if action == "cancel" {
				body = testkit.M{"reason": "Viagem"}
			}
			r := key.Post(t, order+"/"+action, body)
			to, allowed := leads[from][action]
			if !allowed {
				r.WantProblem(t, 409, "invalid_state")
				to = from
			} else if r.Status > 201 {
				t.Errorf("%s on %s: %s", action, from, r)
			}
			if got := key.Get(t, order).Text("status"); got != to {
				t.Errorf("%s on %s leads to %s, want %s", action, from, got, to)
			}
		}
		order := act(t, key, newOrder(t, key), way...)
		work := key.Patch(t, order, testkit.M{"title": "Outro"})
		if from == "open" || from == "in_progress" {
			work.Want(t, 200)
		} else {
			work.WantProblem(t, 409, "invalid_state")
			key.Post(t, order+"/status", testkit.M{"custom_status": "x"}).WantProblem(t, 409, "invalid_state")
		}
		key.Patch(t, order, testkit.M{"notes": "depois", "metadata": testkit.M{"a": "b"}}).Want(t, 200)
	}
	order := newOrder(t, key)
	key.Post(t, order+"/cancel", testkit.M{}).WantFieldErrors(t, "/reason required")
	key.Post(t, order+"/cancel", nil).WantFieldErrors(t, "/reason required")
}

func TestServiceOrderStatus_MovesAndLabels(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	order := newOrder(t, key)

	r := key.Post(t, order+"/status", testkit.M{"status": "in_progress", "custom_status": "Aguardando peça"}).Want(t, 200)
	if r.Text("status") != "in_progress" || r.Text("custom_status") != "Aguardando peça" || r.Text("started_at") == "" {
		t.Errorf("got %s", r)
	}
	key.Post(t, order+"/status", testkit.M{"status": "in_progress"}).WantProblem(t, 409, "invalid_state")
	key.Post(t, order+"/status", testkit.M{}).WantFieldErrors(t, "/status required")
	key.Post(t, order+"/status", testkit.M{"status": "completed"}).WantFieldErrors(t, "/status enum")
	r = key.Post(t, order+"/status", testkit.M{"status": "open", "custom_status": nil}).Want(t, 200)
	if r.Text("status") != "open" || r.Text("custom_status") != "" {
		t.Errorf("got %s", r)
	}
	var history []string
	for _, entry := range key.All(t, order+"/history?order=asc") {
		history = append(history, fmt.Sprint(entry["action"], " ", entry["to"]))
	}
	if !slices.Equal(history, []string{"create open", "status in_progress", "status open"}) {
		t.Errorf("history %v", history)
	}
}

func TestServiceOrder_OneOfTheExclusiveTransitionsWins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		way, race []string
	}{{nil, []string{"start", "cancel", "start"}}, {[]string{"start"}, []string{"complete", "cancel", "complete"}}} {
		for range 5 {
			t.Run(strings.Join(c.race, "+"), func(t *testing.T) {
				t.Parallel()
				key := testkit.New(t).Tenant(t).Key(t)
				order := act(t, key, newOrder(t, key), c.way...)

				all := testkit.AtOnce(len(c.race), func(i int) *testkit.Response {
					var body any
					if c.race[i] == "cancel" {
						body = testkit.M{"reason": "x"}
					}
					return key.Post(t, order+"/"+c.race[i], body)
				})

				done := map[string]int{}
				for i, r := range all {
					if r.Status == 200 {
						done[c.race[i]]++
					} else if r.Code() != "invalid_state" {
						t.Errorf("%s: %s", c.race[i], r)
					}
				}
				first := c.race[0]
				if done[first] > 1 || done[first]+done["cancel"] == 0 || first == "complete" && done[first]+done["cancel"] != 1 {
					t.Errorf("done %v", done)
				}
				if history := key.All(t, order+"/history"); len(history) != 1+len(c.way)+done[first]+done["cancel"] {
					t.Errorf("history %v", history)
				}
			})
		}
	}
}

func TestServiceOrder_IsBilledOnceAndNotChangedMeanwhile(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	order := newOrder(t, key)

	all := testkit.AtOnce(10, func(int) *testkit.Response {
		return key.Post(t, order+"/convert_to_sale", nil, testkit.Key(testkit.NewKey()))
	})

	sale := ""
	for _, r := range all {
		if r.Status == 201 && sale == "" {
			sale = r.ID()
		} else if r.Status != 409 || r.Text("reason") != "already_billed" {
			t.Errorf("got %s", r)
		}
	}
	if key.Get(t, order).Text("sale_id") != sale || sale == "" {
		t.Errorf("the order points elsewhere")
	}
	for _, r := range []*testkit.Response{
		key.Patch(t, order, testkit.M{"items": []testkit.M{}}), key.Patch(t, order, testkit.M{"shipping_cents": 5}),
		key.Post(t, order+"/cancel", testkit.M{"reason": "x"}),
	} {
		if r.WantProblem(t, 409, "conflict").Text("reason") != "billed" {
			t.Errorf("got %s", r)
		}
	}
	key.Patch(t, order, testkit.M{"title": "Outro título"}).Want(t, 200)
	act(t, key, order, "start", "complete")
	key.Post(t, "/sales/"+sale+"/cancel", nil).Want(t, 200)
	if key.Get(t, order).Text("sale_id") != "" {
		t.Error("the order is still billed")
	}
	key.Post(t, order+"/convert_to_sale", nil).Want(t, 201)

	empty := newOrder(t, key, testkit.M{"items": nil})
	if r := key.Post(t, empty+"/convert_to_sale", nil).WantProblem(t, 409, "conflict"); r.Text("reason") != "no_items" {
		t.Errorf("got %s", r)
	}
}

func TestServiceOrderFromQuote_CopiesTheOfferAndBillsTheQuote(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant := srv.Tenant(t)
	key, other := tenant.Key(t), srv.Tenant(t).Key(t)
	quote := key.Post(t, "/quotes", testkit.M{
		"client_id": newClient(t, key), "items": []testkit.M{{"kind": "custom", "description": "Pintura", "quantity": 1, "unit_price_cents": 10_000}},
		"discount_cents": 1000, "payment_plan": testkit.M{"count": 2, "first_due_date": "2026-01-31"},
	}).Want(t, 201).ID()
	body := testkit.M{"quote_id": quote}
	if r := key.Post(t, "/service_orders/from_quote", body).WantProblem(t, 409, "invalid_state"); r.Text("current") != "draft" {
		t.Errorf("got %s", r)
	}
	key.Post(t, "/quotes/"+quote+"/send", nil).Want(t, 200)
	key.Post(t, "/quotes/"+quote+"/approve", nil).Want(t, 200)
	other.Post(t, "/service_orders/from_quote", body).WantFieldErrors(t, "/quote_id unknown_reference")
	key.Post(t, "/service_orders/from_quote", testkit.M{"quote_id": testkit.RandomID()}).WantFieldErrors(t, "/quote_id unknown_reference")
	tenant.Key(t, "service_orders:write").Post(t, "/service_orders/from_quote", body).WantProblem(t, 403, "forbidden")

	order := key.Post(t, "/service_orders/from_quote", body).Want(t, 201)
	if order.Text("quote_id") != quote || order.Text("total_cents") != "9000" || !strings.Contains(order.Text("items"), "Pintura") ||
		order.Header.Get("Location") != "/public/v1/service_orders/"+order.ID() {
		t.Errorf("got %s", order)
	}
	sale := key.Post(t, "/service_orders/"+order.ID()+"/convert_to_sale", nil).Want(t, 201)
	if sale.Text("quote_id") != quote || sale.Text("service_order_id") != order.ID() || strings.Count(sale.Text("payment_plan"), `"due_date"`) != 2 {
		t.Errorf("got %s", sale)
	}
	if q := key.Get(t, "/quotes/"+quote); q.Text("status") != "converted" || q.Text("sale_id") != sale.ID() {
		t.Errorf("got %s", q)
	}
	key.Post(t, "/quotes/"+quote+"/convert_to_sale", nil).WantProblem(t, 409, "invalid_state")
	key.Post(t, "/sales/"+sale.ID()+"/cancel", nil).Want(t, 200)
	if q := key.Get(t, "/quotes/"+quote); q.Text("status") != "approved" {
		t.Errorf("got %s", q)
	}
	key.Post(t, "/quotes/"+quote+"/cancel", nil).Want(t, 200)
	if r := key.Post(t, "/service_orders/"+order.ID()+"/convert_to_sale", nil).WantProblem(t, 409, "conflict"); r.Text("reason") != "quote_not_approved" {
		t.Errorf("got %s", r)
	}
}

func TestListServiceOrders_FindsByEveryFilter(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := key.Post(t, "/clients", testkit.M{"name": "Pedro Álvares"}).Want(t, 201).ID()
	act(t, key, newOrder(t, key), "start")
	newOrder(t, key, testkit.M{"client_id": client})
	quote := key.Post(t, "/quotes", testkit.M{
		"client_id": client, "items": []testkit.M{{"kind": "custom", "description": "Pintura", "quantity": 1, "unit_price_cents": 100}},
	}).Want(t, 201).ID()
	key.Post(t, "/quotes/"+quote+"/send", nil).Want(t, 200)
	key.Post(t, "/quotes/"+quote+"/approve", nil).Want(t, 200)
	key.Post(t, "/service_orders/from_quote", testkit.M{"quote_id": quote}).Want(t, 201)

	for query, want := range map[string]int{
		"quote_id=" + quote: 1, "quote_id=" + quote + "&status=in_progress": 0, "quote_id=" + testkit.RandomID(): 0,
		"": 3, "status=in_progress": 1, "client_id=" + client: 2, "number=1": 1, "q=alvares": 2, "q=2": 1, "sort=number&order=asc": 3, "q=x": 0,
	} {
		if got := len(key.Get(t, "/service_orders?"+query).Want(t, 200).Data(t)); got != want {
			t.Errorf("%s: want %d, got %d", query, want, got)
		}
	}
	key.Get(t, "/service_orders?quote_id=1").WantFieldErrors(t, "?quote_id uuid")
}
