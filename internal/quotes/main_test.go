package quotes_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func newClient(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/clients", testkit.M{"name": "Ana Souza"}).Want(t, 201).ID()
}

// quoteOf is the body of a quote of R$ 100,00, with more members.
func quoteOf(client string, more ...testkit.M) testkit.M {
	body := testkit.M{"client_id": client, "items": []testkit.M{
		{"kind": "custom", "description": "Pintura", "quantity": 2, "unit_price_cents": 5000},
	}}
	for _, m := range more {
		for name, value := range m {
			body[name] = value
		}
	}
	return body
}

// quoteThat makes a quote, takes it through these actions, and returns its path.
func quoteThat(t testing.TB, key *testkit.Client, actions ...string) string {
	t.Helper()
	quote := "/quotes/" + key.Post(t, "/quotes", quoteOf(newClient(t, key))).Want(t, 201).ID()
	for _, action := range actions {
		status := 200
		if action == "convert_to_sale" {
			status = 201
		}
		key.Post(t, quote+"/"+action, nil).Want(t, status)
	}
	return quote
}
