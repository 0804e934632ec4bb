package dashboard_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/app"
	"fatureihoje/internal/testkit"
)

// kinds makes records of every kind, and writes a text of its own into each
// text that the API takes freely, as its OpenAPI document tells.
type kinds struct {
	t     *testing.T
	o     *owner
	key   *testkit.Client
	write func(n, most int) string // the nth text, of at most so many characters
	n     int
	mail  string // of the clients; "" for none

	written map[string]bool // "POST /path /member" of the texts that were taken
	refused map[string]bool // and of those that have a form of their own
}

// document is what is read of an OpenAPI document.
type openAPI struct {
	Paths map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct{ Schema schema }
		}
	}
	Components struct{ Schemas map[string]schema }
}

type schema struct {
	Ref                  string `json:"$ref"`
	Type                 any
	Enum                 []any
	Format, Pattern      string
	MaxLength            int
	Properties           map[string]schema
	Items                *schema
	AdditionalProperties any
}

var publicAPI = sync.OnceValues(func() (api openAPI, err error) {
	public, _, err := app.Documents()
	if err != nil {
		return api, err
	}
	return api, json.Unmarshal(public, &api)
})

func (api openAPI) follow(s schema) schema {
	for s.Ref != "" {
		s = api.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
	}
	return s
}

func (s schema) is(kind string) bool {
	list, _ := s.Type.([]any)
	return s.Type == kind || slices.Contains(list, any(kind))
}

// free reports a text without a form of its own.
func (s schema) free() bool {
	return s.is("string") && len(s.Enum) == 0 && s.Format == "" && s.Pattern == ""
}

// body is the schema of what a route takes.
func (api openAPI) body(method, path string) schema {
	return api.follow(api.Paths[path][strings.ToLower(method)].RequestBody.Content["application/json"].Schema)
}

func newKinds(t *testing.T, o *owner, write func(n, most int) string) *kinds {
	t.Helper()
	key, _ := o.key(t, "ERP "+uuid.NewString()[:8], everything()...)
	return &kinds{t: t, o: o, key: key, write: write, written: map[string]bool{}, refused: map[string]bool{}}
}

// harmless are the texts of an ordinary company.
func harmless(n, most int) string {
	text := fmt.Sprintf("%d Peça", n)
	if most > 60 {
		text += " de reposição da linha Ç&Ã, “original”"
	}
	return text[:min(len(text), most)]
}

func (k *kinds) text(most int) string {
	k.n++
	return k.write(k.n, most)
}

// send posts to a route what it must have, with a text in every other member
// that takes one, and returns the answer.
func (k *kinds) send(path string, body testkit.M, ids ...string) *testkit.Response {
	k.t.Helper()
	api, err := publicAPI()
	if err != nil {
		k.t.Fatal(err)
	}
	route := "/public/v1" + path
	if _, found := api.Paths[route]["post"]; !found {
		k.t.Fatalf("there is no POST %s", route)
	}
	if body == nil {
		body = testkit.M{}
	}
	made := map[string]bool{}
	k.spread(api, api.body("POST", route), body, "", made)
	address := fillIDs(path, ids)
	for range 6 {
		var sent any = body
		if len(body) == 0 {
			sent = nil
		}
		answer := k.key.Post(k.t, "/public/v1"+address, sent, testkit.Key(ascii(k.text(200))+uuid.NewString()),
			testkit.Header("User-Agent", k.text(120)), testkit.RequestID(ascii(strings.ReplaceAll(k.text(60), " ", "/"))+"-"+uuid.NewString()[:8]))
		if answer.Status != 422 || answer.Code() != "validation_failed" {
			for member := range made {
				k.written["POST "+path+" "+member] = true
			}
			if answer.Status != 200 && answer.Status != 201 {
				k.t.Fatalf("%s\nsent %v", answer, body)
			}
			return answer
		}
		for _, wrong := range answer.FieldErrors(k.t) {
			pointer, _, _ := strings.Cut(wrong, " ")
			remove(body, strings.Split(strings.TrimPrefix(pointer, "/"), "/"))
			delete(made, generic(pointer))
			k.refused["POST "+path+" "+generic(pointer)] = true
		}
	}
	k.t.Fatalf("%s: never taken: %v", path, body)
	return nil
}

// ascii is a text with - for what a request's id or key may not have.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '-'
		}
		return r
	}, text)
}

// spread fills the free texts of an object that are not there yet.
func (k *kinds) spread(api openAPI, s schema, body testkit.M, at string, made map[string]bool) {
	names := []string{}
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		member, pointer := api.follow(s.Properties[name]), at+"/"+name
		given, there := body[name]
		switch {
		case member.free() && !there:
			body[name] = k.text(orMost(member.MaxLength))
			made[pointer] = true
		case member.is("object") && len(member.Properties) > 0 && name == "equipment":
			inner := testkit.M{}
			body[name] = inner
			k.spread(api, member, inner, pointer, made)
		case member.is("object") && name == "metadata":
			body[name] = testkit.M{k.text(40): k.text(400)}
			made[pointer] = true
		case member.is("array") && member.Items != nil && api.follow(*member.Items).free() && !there:
			body[name] = []any{k.text(orMost(api.follow(*member.Items).MaxLength))}
			made[pointer] = true
		case there && member.Items != nil:
			elements, _ := given.([]testkit.M)
			for _, element := range elements {
				k.spread(api, api.follow(*member.Items), element, pointer+"/0", made)
			}
		}
	}
}

func orMost(most int) int {
	if most == 0 {
		return 200
	}
	return most
}

// generic is a pointer with 0 for every place in a list.
func generic(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		if part != "" && strings.Trim(part, "0123456789") == "" {
			parts[i] = "0"
		}
		if i > 1 && parts[i-1] == "metadata" {
			return strings.Join(parts[:i], "/")
		}
	}
	return strings.TrimSuffix(strings.Join(parts, "/"), "/0")
}

func remove(at any, path []string) {
	switch v := at.(type) {
	case testkit.M:
		if _, list := v[path[0]].([]any); len(path) == 1 || list || path[0] == "metadata" {
			delete(v, path[0])
			return
		}
		remove(v[path[0]], path[1:])
	case []testkit.M:
		for _, element := range v {
			remove(element, path[1:])
		}
	}
}

func fillIDs(path string, ids []string) string {
	for _, id := range ids {
		begin, end := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		path = path[:begin] + id + path[end+1:]
	}
	return path
}

// all makes some of everything.
func (k *kinds) all() {
	k.t.Helper()
	client := k.client()
	member := k.o.api().Get(k.t, "/dashboard/v1/members").Want(k.t, 200).Data(k.t)[0]["id"]
	lead := k.leads(client, member)
	product, variation, service := k.catalogue()
	lines := func() []testkit.M {
		return []testkit.M{
			{"kind": "custom", "quantity": "2.5", "unit_price_cents": 12345},
			{"kind": "product", "product_id": product, "variation_id": variation, "quantity": "1"},
			{"kind": "service", "service_id": service, "quantity": "1", "discount_percent": "5"},
		}
	}
	account, category := k.finance(client)
	k.quotes(client, lead, lines)
	order := k.orders(client, member, lines)
	sale := k.sales(client, account, category, lines)
	k.send("/tasks", testkit.M{"client_id": client, "service_order_id": order, "sale_id": sale, "assignee_member_id": member, "due_at": "2020-01-31T10:00:00-03:00", "checklist": []testkit.M{{}, {"done": true}}})
	for _, status := range []string{"cancelled", ""} {
		day := time.Date(2030, 1, k.n, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) + "T14:"
		made := k.send("/appointments", testkit.M{"client_id": client, "service_id": service, "assignee_member_id": member, "starts_at": day + "00:00-03:00", "ends_at": day + "30:00-03:00", "allow_overlap": true}).ID()
		if status != "" {
			k.send("/appointments/{id}/status", testkit.M{"status": status}, made)
		}
	}
}

func (k *kinds) client() string {
	body := testkit.M{"addresses": []testkit.M{{"postal_code": "01310100", "state": "SP"}}}
	if k.mail != "" {
		body["email"] = k.mail
	}
	client := k.send("/clients", body).ID()
	k.send("/clients/{id}/addresses", testkit.M{"postal_code": "01310-100", "state": "SP"}, client)
	return client
}

func (k *kinds) leads(client string, member any) string {
	lost := k.send("/leads", testkit.M{"assignee_member_id": member, "estimated_value_cents": 125000}).ID()
	k.send("/leads/{id}/status", testkit.M{"status": "lost"}, lost)
	return k.send("/leads", testkit.M{}).ID()
}

func (k *kinds) catalogue() (product, variation, service string) {
	root := k.send("/product_categories", nil).ID()
	category := k.send("/product_categories", testkit.M{"parent_id": root}).ID()
	name, value := k.text(30), k.text(60)
	product = k.send("/products", testkit.M{"price_cents": 4290, "category_id": category, "attributes": []testkit.M{{"name": name, "values": []string{value}}}}).ID()
	variation = k.send("/products/{id}/variations", testkit.M{"options": testkit.M{name: value}}, product).ID()
	k.written["POST /products /attributes/0/name"], k.written["POST /products /attributes/0/values"] = true, true
	service = k.send("/services", testkit.M{"price_cents": 15000, "category_id": k.send("/service_categories", nil).ID()}).ID()
	return product, variation, service
}

func (k *kinds) finance(client string) (account, category string) {
	account = k.send("/financial_accounts", testkit.M{}).ID()
	other := k.send("/financial_accounts", testkit.M{}).ID()
	category = k.send("/financial_categories", testkit.M{"kind": "income"}).ID()
	entry := func() testkit.M {
		return testkit.M{"type": "income", "amount_cents": 15000, "client_id": client, "account_id": account, "category_id": category}
	}
	body := entry()
	body["due_date"] = "2026-11-30"
	k.send("/financial_transactions", body)
	body = entry()
	body["frequency"], body["start_date"] = "monthly", "2100-01-31"
	k.send("/financial_transactions/recurring", body)
	body = entry()
	delete(body, "amount_cents")
	body["total_cents"], body["count"], body["first_due_date"] = 30000, 2, "2026-11-30"
	k.send("/financial_transactions/installments", body)
	k.send("/financial_transactions/transfer", testkit.M{"from_account_id": account, "to_account_id": other, "amount_cents": 5000, "date": "2026-11-01"})
	return account, category
}

func (k *kinds) quotes(client, lead string, lines func() []testkit.M) {
	for _, end := range []string{"", "send", "reject", "cancel"} {
		body := testkit.M{"client_id": client, "items": lines(), "valid_until": "2030-01-31"}
		if end == "" {
			delete(body, "client_id")
			body["lead_id"] = lead
		}
		quote := k.send("/quotes", body).ID()
		if end != "" {
			k.send("/quotes/{id}/send", nil, quote)
		}
		if end == "reject" || end == "cancel" {
			k.send("/quotes/{id}/"+end, nil, quote)
		}
	}
}

func (k *kinds) orders(client string, member any, lines func() []testkit.M) string {
	order := func() string {
		return k.send("/service_orders", testkit.M{"client_id": client, "assignee_member_id": member, "items": lines(), "scheduled_start": "2030-01-15T09:00:00-03:00"}).ID()
	}
	k.send("/service_orders/{id}/cancel", nil, order())
	k.send("/service_orders/{id}/status", nil, order())
	done := order()
	k.send("/service_orders/{id}/start", nil, done)
	k.send("/service_orders/{id}/complete", nil, done)
	return done
}

func (k *kinds) sales(client, account, category string, lines func() []testkit.M) string {
	sale := func() string {
		return k.send("/sales", testkit.M{"client_id": client, "items": lines(), "account_id": account, "category_id": category}).ID()
	}
	k.send("/sales/{id}/cancel", nil, sale())
	one := sale()
	paid := k.send("/sales/{id}/payments", testkit.M{"amount_cents": 1000, "method": "pix"}, one).ID()
	k.send("/sales/{id}/payments/{payment_id}/cancel", nil, one, paid)
	k.send("/sales/{id}/payments", testkit.M{"amount_cents": 2000, "method": "cash"}, one)
	k.send("/sales/{id}/versions", testkit.M{"client_id": client, "items": lines(), "base_version": 1}, one)
	return one
}

// missing are the free texts of the API that no record of all has.
func (k *kinds) missing() []string {
	api, err := publicAPI()
	if err != nil {
		k.t.Fatal(err)
	}
	var missing []string
	for path := range api.Paths {
		if _, posts := api.Paths[path]["post"]; posts {
			short := strings.TrimPrefix(path, "/public/v1")
			for _, at := range api.freeTexts(api.body("POST", path), "") {
				if name := "POST " + short + " " + at; !k.written[name] && !k.refused[name] {
					missing = append(missing, name)
				}
			}
		}
	}
	slices.Sort(missing)
	return missing
}

func (api openAPI) freeTexts(s schema, at string) []string {
	var all []string
	for name, member := range s.Properties {
		member, pointer := api.follow(member), at+"/"+name
		switch {
		case member.free(), name == "metadata", member.is("array") && member.Items != nil && api.follow(*member.Items).free():
			all = append(all, pointer)
		case member.is("array") && member.Items != nil:
			all = append(all, api.freeTexts(api.follow(*member.Items), pointer+"/0")...)
		default:
			all = append(all, api.freeTexts(member, pointer)...)
		}
	}
	return all
}
