package quotes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/testkit"
)

func TestQuote_FollowsItsTableOfStates(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	actions := []string{"send", "approve", "reject", "cancel", "convert_to_sale"}
	reach := map[string][]string{
		"draft": {}, "sent": {"send"}, "approved": {"send", "approve"}, "rejected": {"send", "reject"}, "cancelled": {"cancel"},
		"converted": {"send", "approve", "convert_to_sale"},
	}
	leads := map[string]map[string]string{
		"draft":    {"send": "sent", "cancel": "cancelled"},
		"sent":     {"send": "sent", "approve": "approved", "reject": "rejected", "cancel": "cancelled"},
		"approved": {"cancel": "cancelled", "convert_to_sale": "converted"},
	}
	for from, way := range reach {
		for _, action := range actions {
			quote := quoteThat(t, key, way...)
			r := key.Post(t, quote+"/"+action, nil)
			to, allowed := leads[from][action]
			if !allowed {
				r.WantProblem(t, 409, "invalid_state")
				var names []string
				for _, a := range actions {
					if leads[from][a] != "" {
						names = append(names, a)
					}
				}
				var got struct {
					Current string
					Allowed []string
				}
				r.Decode(t, &got)
				if got.Current != from || !slices.Equal(got.Allowed, names) {
					t.Errorf("%s on %s: %s", action, from, r)
				}
				to = from
			} else if r.Status != 200 && r.Status != 201 {
				t.Errorf("%s on %s: %s", action, from, r)
			}
			if got := key.Get(t, quote).Want(t, 200).Text("status"); got != to {
				t.Errorf("%s on %s leads to %s, want %s", action, from, got, to)
			}
		}
		quote := quoteThat(t, key, way...)
		changed := key.Patch(t, quote, testkit.M{"notes": "x"})
		if from == "draft" {
			changed.Want(t, 200)
		} else {
			changed.WantProblem(t, 409, "invalid_state")
		}
		key.Patch(t, quote, testkit.M{"metadata": testkit.M{"a": "b"}, "external_id": from + "1"}).Want(t, 200)
	}
}

func TestQuote_IsForAClientOrALead(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := newClient(t, key)
	lead := key.Post(t, "/leads", testkit.M{"name": "Bia"}).Want(t, 201).ID()

	key.Post(t, "/quotes", quoteOf(client, testkit.M{"client_id": nil})).WantFieldErrors(t, "/client_id required")
	key.Post(t, "/quotes", quoteOf(client, testkit.M{"lead_id": lead})).WantFieldErrors(t, "/lead_id exclusive")
	key.Post(t, "/quotes", quoteOf(client, testkit.M{"client_id": nil, "lead_id": testkit.RandomID()})).WantFieldErrors(t, "/lead_id unknown_reference")
	key.Post(t, "/quotes", quoteOf(testkit.RandomID(), testkit.M{"discount_cents": 10_001})).
		WantFieldErrors(t, "/client_id unknown_reference", "/discount_cents discount_too_large")

	quote := key.Post(t, "/quotes", quoteOf(client)).Want(t, 201)
	moved := key.Patch(t, "/quotes/"+quote.ID(), testkit.M{"lead_id": lead}).Want(t, 200)
	if moved.Text("client_id") != "" || moved.Text("lead_id") != lead {
		t.Errorf("got %s", moved)
	}
	key.Patch(t, "/quotes/"+quote.ID(), testkit.M{"lead_id": nil}).WantFieldErrors(t, "/client_id required")
}

func TestQuote_ToALeadIsConvertedOnceTheLeadIs(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	lead := key.Post(t, "/leads", testkit.M{"name": "Bia"}).Want(t, 201).ID()
	quote := "/quotes/" + key.Post(t, "/quotes", quoteOf("", testkit.M{"client_id": nil, "lead_id": lead})).Want(t, 201).ID()
	key.Post(t, quote+"/send", nil).Want(t, 200)
	key.Post(t, quote+"/approve", nil).Want(t, 200)

	refused := key.Post(t, quote+"/convert_to_sale", nil).WantProblem(t, 409, "invalid_state")
	if refused.Text("reason") != "lead_not_converted" || !strings.Contains(refused.Text("detail"), "/leads/"+lead+"/convert") {
		t.Errorf("the step is not named: %s", refused)
	}
	key.Post(t, "/service_orders/from_quote", testkit.M{"quote_id": strings.TrimPrefix(quote, "/quotes/")}).WantProblem(t, 409, "invalid_state")
	client := key.Post(t, "/leads/"+lead+"/convert", nil).Want(t, 200).Text("client_id")

	sale := key.Post(t, quote+"/convert_to_sale", nil).Want(t, 201)
	if sale.Text("client_id") != client {
		t.Errorf("got %s", sale)
	}
	key.Delete(t, "/leads/"+lead).WantProblem(t, 409, "resource_in_use")
}

func TestQuote_ChangesOnlyAsADraft(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	quote := "/quotes/" + key.Post(t, "/quotes", quoteOf(newClient(t, key), testkit.M{"discount_percent": 10})).Want(t, 201).ID()

	r := key.Patch(t, quote, testkit.M{"discount_cents": 0, "shipping_cents": 300}).Want(t, 200)
	if r.Text("total_cents") != "10300" || r.Text("discount_percent") != "" || r.Text("discount_cents") != "0" {
		t.Errorf("got %s", r)
	}
	r = key.Patch(t, quote, testkit.M{"items": []testkit.M{{"kind": "custom", "description": "Só isto", "quantity": 1, "unit_price_cents": 700}}}).Want(t, 200)
	if r.Text("total_cents") != "1000" || !strings.Contains(r.Text("items"), "Só isto") || strings.Contains(r.Text("items"), "Pintura") {
		t.Errorf("got %s", r)
	}
	if again := key.Get(t, quote).Want(t, 200); string(again.Body) != string(r.Body) {
		t.Errorf("the answer and the quote differ:\n%s\n%s", r.Body, again.Body)
	}
	for _, body := range []testkit.M{
		{"items": nil},
		{"items": []testkit.M{}},
		{"status": "sent"},
		{"discount_cents": 701},
		{"valid_until": "2026-02-30"},
		{"payment_plan": testkit.M{"installments": []testkit.M{{"due_date": "2026-01-31", "amount_cents": 1}}}},
	} {
		key.Patch(t, quote, body).WantProblem(t, 422, "validation_failed")
	}
}

func TestQuote_ConvertsWithItsPlanAndIsFreeAgainOnceTheSaleIsCancelled(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	quote := "/quotes/" + key.Post(t, "/quotes", quoteOf(newClient(t, key), testkit.M{
		"payment_plan": testkit.M{"count": 3, "first_due_date": "2026-01-31", "method": "boleto"}, "notes": "Portaria", "discount_percent": "5",
	})).Want(t, 201).ID()
	key.Post(t, quote+"/send", nil).Want(t, 200)
	key.Post(t, quote+"/approve", nil).Want(t, 200)

	sale := key.Post(t, quote+"/convert_to_sale", nil).Want(t, 201)

	if sale.Header.Get("Location") != "/public/v1/sales/"+sale.ID() || sale.Text("total_cents") != "9500" || sale.Text("notes") != "Portaria" ||
		"/quotes/"+sale.Text("quote_id") != quote || strings.Count(sale.Text("payment_plan"), "due_date") != 4 {
		t.Errorf("got %s", sale)
	}
	if q := key.Get(t, quote).Want(t, 200); q.Text("status") != "converted" || q.Text("sale_id") != sale.ID() {
		t.Errorf("got %s", q)
	}
	key.Post(t, "/sales/"+sale.ID()+"/cancel", nil).Want(t, 200)
	if q := key.Get(t, quote).Want(t, 200); q.Text("status") != "approved" || q.Text("sale_id") != "" {
		t.Errorf("got %s", q)
	}
	second := key.Post(t, quote+"/convert_to_sale", nil).Want(t, 201)
	if n := len(key.Get(t, "/sales?quote_id="+sale.Text("quote_id")).Data(t)); n != 2 || second.ID() == sale.ID() {
		t.Errorf("%d sales", n)
	}
	var history []string
	for _, entry := range key.All(t, quote+"/history?order=asc") {
		history = append(history, fmt.Sprint(entry["action"], " ", entry["to"]))
	}
	if !slices.Equal(history, []string{
		"create draft", "send sent", "approve approved", "convert_to_sale converted", "sale_cancelled approved", "convert_to_sale converted",
	}) {
		t.Errorf("history %v", history)
	}
}

func TestQuote_ConversionNeedsBothPermissions(t *testing.T) {
	t.Parallel()
	tenant := testkit.New(t).Tenant(t)
	quote := quoteThat(t, tenant.Key(t), "send", "approve")

	tenant.Key(t, "quotes:write").Post(t, quote+"/convert_to_sale", nil).WantProblem(t, 403, "forbidden")
	tenant.Key(t, "sales:write").Post(t, quote+"/convert_to_sale", nil).WantProblem(t, 403, "forbidden")
	sale := tenant.Key(t, "quotes:write", "sales:write").Post(t, quote+"/convert_to_sale", nil).Want(t, 201)
	if sale.Text("omitted") != `["financial_transactions"]` {
		t.Errorf("got %s", sale)
	}
}

func TestQuote_ConvertsOnceWhateverComesAtOnce(t *testing.T) {
	t.Parallel()
	for name, orders := range map[string]int{"by the quote": 0, "by the quote and its orders": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key := testkit.New(t).Tenant(t).Key(t)
			quote := quoteThat(t, key, "send", "approve")
			paths := []string{quote + "/convert_to_sale"}
			for range orders {
				order := key.Post(t, "/service_orders/from_quote", testkit.M{"quote_id": strings.TrimPrefix(quote, "/quotes/")}).Want(t, 201).ID()
				paths = append(paths, "/service_orders/"+order+"/convert_to_sale")
			}

			all := testkit.AtOnce(20, func(i int) *testkit.Response {
				var options []testkit.CallOption
				if i%3 > 0 {
					options = append(options, testkit.Key(testkit.NewKey()))
				}
				return key.Post(t, paths[i%len(paths)], nil, options...)
			})

			won := ""
			for _, r := range all {
				switch {
				case r.Status == 201 && won == "":
					won = r.ID()
				case r.Status != 409:
					t.Errorf("got %s", r)
				}
			}
			if q := key.Get(t, quote); won == "" || q.Text("sale_id") != won || q.Text("status") != "converted" {
				t.Errorf("the quote points to %s, not to %q", q, won)
			}
			if n := len(key.All(t, "/sales")); n != 1 {
				t.Errorf("%d sales", n)
			}
			for _, path := range paths {
				key.Post(t, path, nil).Want(t, 409)
			}
		})
	}
}

func TestQuote_OneOfTheExclusiveDecisionsWins(t *testing.T) {
	t.Parallel()
	for range 8 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			key := testkit.New(t).Tenant(t).Key(t)
			quote := quoteThat(t, key, "send")
			link := sendAgain(t, key, quote)
			actions := []string{"approve", "reject", "approve", "reject", "cancel"}

			all := testkit.AtOnce(len(actions)+2, func(i int) *testkit.Response {
				if i < len(actions) {
					return key.Post(t, quote+"/"+actions[i], nil)
				}
				post(t, link+"/approve", nil)
				return nil
			})

			history := key.All(t, quote+"/history?order=asc")
			decided := 0
			for _, entry := range history {
				if slices.Contains([]string{"approve", "reject"}, fmt.Sprint(entry["action"])) {
					decided++
				}
			}
			cancelled := all[4].Status == 200
			if decided > 1 || decided == 0 && !cancelled {
				t.Errorf("history %v", history)
			}
			for i, r := range all[:len(actions)] {
				if r.Status != 200 && r.Code() != "invalid_state" {
					t.Errorf("%s: %s", actions[i], r)
				}
			}
			if last := history[len(history)-1]["to"]; last != key.Get(t, quote).Text("status") {
				t.Errorf("history ends in %v", last)
			}
		})
	}
}

func TestQuote_ConversionAndCancellationsAtOnce(t *testing.T) {
	t.Parallel()
	for range 8 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			key := testkit.New(t).Tenant(t).Key(t)
			quote := quoteThat(t, key, "send", "approve")
			order := "/service_orders/" + key.Post(t, "/service_orders/from_quote", testkit.M{"quote_id": strings.TrimPrefix(quote, "/quotes/")}).Want(t, 201).ID()
			sale := "/sales/" + key.Post(t, order+"/convert_to_sale", nil).Want(t, 201).ID()
			paths := []string{sale + "/cancel", quote + "/convert_to_sale", order + "/convert_to_sale", sale + "/cancel", quote + "/cancel", order + "/convert_to_sale"}

			all := testkit.AtOnce(len(paths), func(i int) *testkit.Response { return key.Post(t, paths[i], nil) })

			for i, r := range all {
				if r.Status >= 300 && r.Status != 409 {
					t.Errorf("%s: %s", paths[i], r)
				}
			}
			live := testkit.Column[string](t, key.Server.Database, "SELECT id::text FROM sales WHERE tenant_id = $1 AND status <> 'cancelled'", key.Tenant.ID)
			q := key.Get(t, quote)
			if len(live) > 1 || len(live) == 1 != (q.Text("status") == "converted") || len(live) == 1 && q.Text("sale_id") != live[0] {
				t.Errorf("live sales %v of %s", live, q)
			}
		})
	}
}

func TestQuote_ExpiresAtTheEndOfItsLastDayInTheCompanysZone(t *testing.T) {
	t.Parallel()
	fake := clock.NewFake(time.Date(2026, 2, 1, 2, 59, 0, 0, time.UTC)) // 23:59 on 31 January in São Paulo
	key := testkit.New(t, testkit.WithClock(fake)).Tenant(t).Key(t)
	quote := "/quotes/" + key.Post(t, "/quotes", quoteOf(newClient(t, key), testkit.M{"valid_until": "2026-01-31"})).Want(t, 201).ID()
	link := sendAgain(t, key, quote)
	if got := key.Get(t, quote); got.Text("is_expired") != "false" {
		t.Errorf("got %s", got)
	}
	if status, _ := get(t, link); status != 200 {
		t.Errorf("the page is %d", status)
	}

	fake.Advance(time.Minute)

	if got := key.Get(t, quote); got.Text("is_expired") != "true" {
		t.Errorf("got %s", got)
	}
	if status, page := get(t, link); status != 404 || strings.Contains(page, "Pintura") {
		t.Errorf("the page is %d", status)
	}
	if status := post(t, link+"/approve", nil); status != 404 {
		t.Errorf("approving by the link: %d", status)
	}
	refused := key.Post(t, quote+"/approve", nil).WantProblem(t, 409, "invalid_state")
	if refused.Text("reason") != "expired" || refused.Text("allowed") != `["send","reject","cancel"]` {
		t.Errorf("got %s", refused)
	}
	key.Post(t, quote+"/reject", testkit.M{"reason": "Tarde"}).Want(t, 200)
}

func TestListQuotes_FindsByEveryFilter(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := key.Post(t, "/clients", testkit.M{"name": "Zé Ação"}).Want(t, 201).ID()
	for range 3 {
		quoteThat(t, key, "send")
	}
	key.Post(t, "/quotes", quoteOf(client, testkit.M{"external_id": "q4"})).Want(t, 201)
	lead := key.Post(t, "/leads", testkit.M{"name": "Rui"}).Want(t, 201).ID()
	key.Post(t, "/quotes", quoteOf("", testkit.M{"client_id": nil, "lead_id": lead})).Want(t, 201)

	for query, want := range map[string]int{
		"": 5, "status=sent": 3, "status=draft": 2, "client_id=" + client: 1, "lead_id=" + lead: 1, "number=2": 1, "q=acao": 1, "q=4": 1, "q=ana": 3, "external_id=q4": 1, "q=_": 0,
	} {
		if got := len(key.Get(t, "/quotes?"+query).Want(t, 200).Data(t)); got != want {
			t.Errorf("%s: want %d, got %d", query, want, got)
		}
	}
}
