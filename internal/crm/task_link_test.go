package crm_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

func TestTask_IsAboutADocument(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	items := []testkit.M{{"kind": "custom", "description": "Pintura", "quantity": 1, "unit_price_cents": 1000}}
	documents := func(key *testkit.Client) testkit.M {
		client := key.Post(t, "/clients", testkit.M{"name": "Ana"}).Want(t, 201).ID()
		return testkit.M{
			"quote_id":         key.Post(t, "/quotes", testkit.M{"client_id": client, "items": items}).Want(t, 201).ID(),
			"service_order_id": key.Post(t, "/service_orders", testkit.M{"client_id": client, "title": "x"}).Want(t, 201).ID(),
			"sale_id":          key.Post(t, "/sales", testkit.M{"items": items}).Want(t, 201).ID(),
		}
	}
	foreign := documents(other)

	for member, id := range documents(key) {
		task := key.Post(t, "/tasks", testkit.M{"title": "Ligar", member: id}).Want(t, 201)
		if task.Text(member) != id {
			t.Errorf("got %s", task)
		}
		if n := len(key.Get(t, "/tasks?"+member+"="+id.(string)).Want(t, 200).Data(t)); n != 1 {
			t.Errorf("%d tasks by %s", n, member)
		}
		key.Post(t, "/tasks", testkit.M{"title": "Ligar", member: foreign[member]}).WantFieldErrors(t, "/"+member+" unknown_reference")
		key.Patch(t, "/tasks/"+task.ID(), testkit.M{member: testkit.RandomID()}).WantFieldErrors(t, "/"+member+" unknown_reference")
		key.Patch(t, "/tasks/"+task.ID(), testkit.M{member: nil}).Want(t, 200)
	}
}
