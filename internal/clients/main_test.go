package clients_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func newKey(t *testing.T) *testkit.Client {
	t.Helper()
	return testkit.New(t).Tenant(t).Key(t)
}

// newClient makes a client; members replace the defaults.
func newClient(t *testing.T, key *testkit.Client, members testkit.M) *testkit.Response {
	t.Helper()
	body := testkit.M{"name": "Ana Souza"}
	for name, value := range members {
		body[name] = value
	}
	return key.Post(t, "/clients", body).Want(t, 201)
}

// newAddress is the body of an address; members replace the defaults.
func newAddress(members testkit.M) testkit.M {
	body := testkit.M{"postal_code": "01310-100", "street": "Av. Paulista", "city": "São Paulo", "state": "SP"}
	for name, value := range members {
		body[name] = value
	}
	return body
}

// names lists the names of the clients that a list finds, in its order.
func names(t *testing.T, key *testkit.Client, query string) []string {
	t.Helper()
	found := []string{}
	for _, c := range key.All(t, "/clients"+query) {
		found = append(found, c["name"].(string))
	}
	return found
}
