package catalog_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// product makes a product; members override the defaults.
func product(t testing.TB, key *testkit.Client, members testkit.M) *testkit.Response {
	t.Helper()
	body := testkit.M{"name": "Camiseta", "price_cents": 4990}
	for name, value := range members {
		body[name] = value
	}
	return key.Post(t, "/products", body).Want(t, 201)
}

// shirt makes a product in two colours and two sizes.
func shirt(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return product(t, key, testkit.M{"attributes": colourAndSize()}).ID()
}

func colourAndSize() []testkit.M {
	return []testkit.M{{"name": "Cor", "values": []string{"Azul", "Branca"}}, {"name": "Tamanho", "values": []string{"P", "M"}}}
}

func options(colour, size string) testkit.M { return testkit.M{"Cor": colour, "Tamanho": size} }

// variation makes a variation of a shirt.
func variation(t testing.TB, key *testkit.Client, productID string, members testkit.M) *testkit.Response {
	t.Helper()
	body := testkit.M{"options": options("Azul", "P")}
	for name, value := range members {
		body[name] = value
	}
	return key.Post(t, "/products/"+productID+"/variations", body).Want(t, 201)
}

// statuses counts responses by their status.
func statuses(responses []*testkit.Response) map[int]int {
	counts := map[int]int{}
	for _, r := range responses {
		counts[r.Status]++
	}
	return counts
}

// names lists a member of the objects of a list.
func names(list []testkit.M, member string) []string {
	all := []string{}
	for _, m := range list {
		name, _ := m[member].(string)
		all = append(all, name)
	}
	return all
}
