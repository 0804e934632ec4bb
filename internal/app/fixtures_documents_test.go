package app_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

// documentLines are the lines of a document of R$ 150,00.
func documentLines() []testkit.M {
	return []testkit.M{{"kind": "custom", "description": "Troca de óleo", "quantity": "1", "unit_price_cents": 15000}}
}

// quoteThat makes a quote and takes it through these actions.
func quoteThat(actions ...string) maker {
	return func(t testing.TB, key *testkit.Client) string {
		t.Helper()
		id := key.Post(t, "/quotes", testkit.M{"client_id": newClient(t, key), "items": documentLines()}).Want(t, 201).ID()
		for _, action := range actions {
			key.Post(t, "/quotes/"+id+"/"+action, nil).Want(t, 200)
		}
		return id
	}
}

func newServiceOrder(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/service_orders", testkit.M{
		"client_id": newClient(t, key), "title": "Revisão", "items": documentLines(),
	}).Want(t, 201).ID()
}

func startedServiceOrder(t testing.TB, key *testkit.Client) string {
	t.Helper()
	id := newServiceOrder(t, key)
	key.Post(t, "/service_orders/"+id+"/start", nil).Want(t, 200)
	return id
}

func newSale(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/sales", testkit.M{"items": documentLines()}).Want(t, 201).ID()
}

func sharedSale(t testing.TB, key *testkit.Client) string {
	t.Helper()
	id := newSale(t, key)
	key.Post(t, "/sales/"+id+"/share", nil).Want(t, 200)
	return id
}

func firstSaleVersion(t testing.TB, key *testkit.Client) []string {
	t.Helper()
	return []string{newSale(t, key), "1"}
}

func newSalePayment(t testing.TB, key *testkit.Client) []string {
	t.Helper()
	sale := newSale(t, key)
	payment := key.Post(t, "/sales/"+sale+"/payments", testkit.M{"amount_cents": 5000, "method": "pix"}).Want(t, 201)
	return []string{sale, payment.ID()}
}
