package app_test

import (
	"strings"
	"testing"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/testkit"
)

// A domain with new routes adds to the functions below what its examples, its
// paths and its queries need; the conformance suite does the rest.

// maker makes a record for the owner of a key and returns its id.
type maker func(t testing.TB, key *testkit.Client) string

// placeholders are the {names} in the bodies of examples.
func placeholders() map[string]maker {
	return map[string]maker{
		"client":           newClient,
		"product_category": newCategory("/product_categories"),
		"service_category": newCategory("/service_categories"),
		"member":           newMember,
		"lead":             newLead,
		"approved_quote":   quoteThat("send", "approve"),
		"account":          newAccount,
		"other_account":    newAccount,
		"income_category":  newFinancialCategory("income"),
		"expense_category": newFinancialCategory("expense"),
		"transaction":      newTransaction,
	}
}

// pathMaker makes what the ids of a path stand for, in their order.
type pathMaker func(t testing.TB, key *testkit.Client) []string

// pathFixtures are for paths with ids, below /public/v1. A path without an entry
// takes that of the longest path before it, so only an action that needs its
// object in another state, or a nested resource, has one of its own.
func pathFixtures() map[string]pathMaker {
	return map[string]pathMaker{
		"/clients/{id}":                        one(newClient),
		"/clients/{id}/unarchive":              one(archivedClient),
		"/clients/{id}/addresses/{address_id}": newAddress,

		"/product_categories/{id}":                           one(newCategory("/product_categories")),
		"/products/{id}":                                     one(newProduct),
		"/products/{id}/unarchive":                           one(archived("/products/", newProduct)),
		"/products/{id}/variations/{variation_id}":           newVariation,
		"/products/{id}/variations/{variation_id}/unarchive": archivedVariation,
		"/service_categories/{id}":                           one(newCategory("/service_categories")),
		"/services/{id}":                                     one(newService),
		"/services/{id}/unarchive":                           one(archived("/services/", newService)),
		"/leads/{id}":                                        one(newLead),
		"/tasks/{id}":                                        one(newTask),
		"/appointments/{id}":                                 one(newAppointment),

		"/quotes/{id}":                      one(quoteThat()),
		"/quotes/{id}/approve":              one(quoteThat("send")),
		"/quotes/{id}/reject":               one(quoteThat("send")),
		"/quotes/{id}/revoke_link":          one(quoteThat("send")),
		"/quotes/{id}/convert_to_sale":      one(quoteThat("send", "approve")),
		"/service_orders/{id}":              one(newServiceOrder),
		"/service_orders/{id}/complete":     one(startedServiceOrder),
		"/sales/{id}":                       one(newSale),
		"/sales/{id}/revoke_link":           one(sharedSale),
		"/sales/{id}/versions/{n}":          firstSaleVersion,
		"/sales/{id}/payments/{payment_id}": newSalePayment,

		"/financial_accounts/{id}":                      one(newAccount),
		"/financial_categories/{id}":                    one(newFinancialCategory("expense")),
		"/financial_transactions/{id}":                  one(newTransaction),
		"/financial_transactions/{id}/reopen":           one(paidTransaction),
		"/financial_transactions/recurring/{id}":        one(newRecurring),
		"/financial_transactions/recurring/{id}/resume": one(pausedRecurring),
	}
}

// uniqueMembers are those of an example that can be used once in a company;
// examples are tried more than once.
func uniqueMembers() map[string]string {
	return map[string]string{"createFinancialAccount": "name"}
}

// queryFixtures are for reads that cannot do without a query.
func queryFixtures() map[string]maker {
	return map[string]maker{
		"/idempotency_keys/lookup": usedKey,
		"/reports/cash_flow":       aMonth,
		"/reports/sales":           aMonth,
	}
}

// aMonth is the query of a report on a month.
func aMonth(testing.TB, *testkit.Client) string { return "from=2026-01-01&to=2026-01-31" }

// usedKey is the query that asks for a key which has been used.
func usedKey(t testing.TB, key *testkit.Client) string {
	t.Helper()
	idem := testkit.NewKey()
	key.Post(t, "/clients", testkit.M{"name": "Ana Souza"}, testkit.Key(idem)).Want(t, 201)
	return "key=" + idem
}

func one(m maker) pathMaker {
	return func(t testing.TB, key *testkit.Client) []string {
		t.Helper()
		return []string{m(t, key)}
	}
}

func newClient(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/clients", testkit.M{"name": "Ana Souza"}).Want(t, 201).ID()
}

func archivedClient(t testing.TB, key *testkit.Client) string {
	t.Helper()
	id := newClient(t, key)
	key.Post(t, "/clients/"+id+"/archive", nil).Want(t, 200)
	return id
}

func newAddress(t testing.TB, key *testkit.Client) []string {
	t.Helper()
	client := newClient(t, key)
	address := key.Post(t, "/clients/"+client+"/addresses", testkit.M{
		"postal_code": "01310-100", "street": "Av. Paulista", "city": "São Paulo", "state": "SP",
	}).Want(t, 201)
	return []string{client, address.ID()}
}

// newMember makes a member of the key's company: what two appointments of one
// member may not do, examples do without thinking of it.
func newMember(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Tenant.Member(t).ID.String()
}

func newLead(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/leads", testkit.M{"name": "Bruno Lima"}).Want(t, 201).ID()
}

func newTask(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/tasks", testkit.M{"title": "Enviar o orçamento"}).Want(t, 201).ID()
}

func newAppointment(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/appointments", testkit.M{
		"title": "Visita técnica", "starts_at": "2026-03-02T14:00:00-03:00", "ends_at": "2026-03-02T15:00:00-03:00",
	}).Want(t, 201).ID()
}

// newCategory makes a category below a root of its own, since siblings differ in
// name and examples are tried more than once.
func newCategory(path string) maker {
	return func(t testing.TB, key *testkit.Client) string {
		t.Helper()
		root := key.Post(t, path, testkit.M{"name": testkit.RandomID()}).Want(t, 201).ID()
		return key.Post(t, path, testkit.M{"name": "Geral", "parent_id": root}).Want(t, 201).ID()
	}
}

func newProduct(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/products", testkit.M{
		"name": "Camiseta", "price_cents": 4990, "attributes": []testkit.M{{"name": "Cor", "values": []string{"Azul", "Branca"}}},
	}).Want(t, 201).ID()
}

func newVariation(t testing.TB, key *testkit.Client) []string {
	t.Helper()
	product := newProduct(t, key)
	variation := key.Post(t, "/products/"+product+"/variations", testkit.M{"options": testkit.M{"Cor": "Branca"}}).Want(t, 201)
	return []string{product, variation.ID()}
}

func archivedVariation(t testing.TB, key *testkit.Client) []string {
	t.Helper()
	ids := newVariation(t, key)
	key.Post(t, "/products/"+ids[0]+"/variations/"+ids[1]+"/archive", nil).Want(t, 200)
	return ids
}

func newService(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/services", testkit.M{"name": "Troca de óleo", "price_cents": 12000}).Want(t, 201).ID()
}

// archived makes a record below path and archives it.
func archived(path string, m maker) maker {
	return func(t testing.TB, key *testkit.Client) string {
		t.Helper()
		id := m(t, key)
		key.Post(t, path+id+"/archive", nil).Want(t, 200)
		return id
	}
}

func newAccount(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/financial_accounts", testkit.M{"name": testkit.RandomID()}).Want(t, 201).ID()
}

func newFinancialCategory(kind string) maker {
	return func(t testing.TB, key *testkit.Client) string {
		t.Helper()
		return key.Post(t, "/financial_categories", testkit.M{"name": "Diversos", "kind": kind}).Want(t, 201).ID()
	}
}

func newTransaction(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/financial_transactions", testkit.M{
		"type": "income", "amount_cents": 15000, "description": "Conserto", "due_date": "2026-11-30",
	}).Want(t, 201).ID()
}

func paidTransaction(t testing.TB, key *testkit.Client) string {
	t.Helper()
	id := newTransaction(t, key)
	key.Post(t, "/financial_transactions/"+id+"/mark_paid", testkit.M{"paid_at": "2026-11-30T12:00:00Z"}).Want(t, 200)
	return id
}

func newRecurring(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/financial_transactions/recurring", testkit.M{
		"type": "expense", "amount_cents": 250000, "description": "Aluguel", "frequency": "yearly", "start_date": "2100-01-31",
	}).Want(t, 201).ID()
}

func pausedRecurring(t testing.TB, key *testkit.Client) string {
	t.Helper()
	id := newRecurring(t, key)
	key.Post(t, "/financial_transactions/recurring/"+id+"/pause", nil).Want(t, 200)
	return id
}

// request is a route's example with everything that it refers to.
type request struct {
	route httpapi.Route
	path  string
	query string // "" for none
	body  any    // nil for none
}

func (r request) send(t testing.TB, key *testkit.Client, options ...testkit.CallOption) *testkit.Response {
	t.Helper()
	path := r.path
	if r.query != "" {
		path += "?" + r.query
	}
	return key.Do(t, r.route.Method, path, r.body, options...)
}

// newRequest makes the records of a route's example for the owner of key.
func newRequest(t testing.TB, key *testkit.Client, r httpapi.Route) request {
	t.Helper()
	req := request{route: r, path: fillPath(r.Path, pathIDs(t, key, r.Path)), query: r.Example.Query}
	if query, ok := queryFixtures()[strings.TrimPrefix(r.Path, httpapi.PublicBase)]; ok && req.query == "" {
		req.query = query(t, key)
	}
	if r.Example.Body == "" {
		if r.Body == httpapi.BodyRequired {
			t.Fatalf("%s has no example: give its httpapi.Op an Example with a Body", r.ID)
		}
		return req
	}
	body := httpapi.FillExample(r.Example.Body, func(name string) string {
		m, ok := placeholders()[name]
		if !ok {
			t.Fatalf("%s: its example has {%s}: add it to placeholders() in internal/app/fixtures_test.go", r.ID, name)
		}
		return m(t, key)
	})
	if member, ok := uniqueMembers()[r.ID]; ok {
		body = withMember(t, body, member, testkit.RandomID())
	}
	req.body = body
	return req
}

func pathIDs(t testing.TB, key *testkit.Client, path string) []string {
	t.Helper()
	want := strings.Count(path, "{")
	if want == 0 {
		return nil
	}
	fixtures := pathFixtures()
	for prefix := strings.TrimPrefix(path, httpapi.PublicBase); strings.Count(prefix, "{") == want; prefix = prefix[:strings.LastIndexByte(prefix, '/')] {
		if m, ok := fixtures[prefix]; ok {
			return m(t, key)
		}
	}
	t.Fatalf("%s: add what its ids stand for to pathFixtures() in internal/app/fixtures_test.go", path)
	return nil
}

// fillPath replaces the placeholders of a path by ids, in order.
func fillPath(path string, ids []string) string {
	for _, id := range ids {
		begin, end := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		path = path[:begin] + id + path[end+1:]
	}
	return path
}
