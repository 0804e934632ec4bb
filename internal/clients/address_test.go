package clients_test

import (
	"slices"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestAddress_IsReadAndChangedUnderItsClient(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	client, other := newClient(t, key, nil).ID(), newClient(t, key, nil).ID()
	made := key.Post(t, "/clients/"+client+"/addresses", newAddress(testkit.M{"number": "S/N", "city_code": "3550308"})).Want(t, 201)
	path := "/clients/" + client + "/addresses/" + made.ID()

	if made.Header.Get("Location") != "/public/v1"+path || made.Text("postal_code") != "01310100" || made.Text("country") != "BR" || made.Text("kind") != "other" {
		t.Errorf("%s at %s", made, made.Header.Get("Location"))
	}
	key.Get(t, "/clients/"+other+"/addresses/"+made.ID()).WantProblem(t, 404, "not_found")
	key.Patch(t, "/clients/"+other+"/addresses/"+made.ID(), testkit.M{"label": "x"}).WantProblem(t, 404, "not_found")
	key.Delete(t, "/clients/"+other+"/addresses/"+made.ID()).WantProblem(t, 404, "not_found")
	key.Patch(t, path, testkit.M{"state": "RJ"}).WantFieldErrors(t, "/city_code city_code")
	changed := key.Patch(t, path, testkit.M{"state": "RJ", "city_code": "3304557", "number": nil}).Want(t, 200)
	if changed.Text("number") != "" || changed.Text("version") != "2" {
		t.Errorf("%s", changed)
	}
	key.Delete(t, path, testkit.Header("If-Match", made.Header.Get("ETag"))).WantProblem(t, 412, "precondition_failed")
	key.Delete(t, path).Want(t, 204)
	key.Get(t, path).WantProblem(t, 404, "not_found")
}

func TestAddress_IsTheOnlyDefaultOfItsKind(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	client := "/clients/" + newClient(t, key, testkit.M{"addresses": []testkit.M{
		newAddress(testkit.M{"kind": "billing", "is_default": true, "label": "first"}),
		newAddress(testkit.M{"kind": "shipping", "is_default": true, "label": "ship"}),
	}}).ID()
	defaults := func() []string {
		var labels []string
		for _, a := range key.All(t, client+"/addresses?order=asc") {
			if a["is_default"] == true {
				labels = append(labels, a["label"].(string))
			}
		}
		slices.Sort(labels)
		return labels
	}

	second := key.Post(t, client+"/addresses", newAddress(testkit.M{"kind": "billing", "is_default": true, "label": "second"})).Want(t, 201)
	if got := defaults(); !slices.Equal(got, []string{"second", "ship"}) {
		t.Errorf("after a second default: %v", got)
	}
	key.Patch(t, client+"/addresses/"+second.ID(), testkit.M{"kind": "shipping"}).Want(t, 200)
	if got := defaults(); !slices.Equal(got, []string{"second"}) {
		t.Errorf("after it moved to another kind: %v", got)
	}
	all := testkit.AtOnce(6, func(int) int {
		return key.Post(t, client+"/addresses", newAddress(testkit.M{"kind": "service", "is_default": true, "label": "race"})).Status
	})
	if slices.ContainsFunc(all, func(status int) bool { return status != 201 }) {
		t.Errorf("statuses %v", all)
	}
	if got := defaults(); !slices.Equal(got, []string{"race", "second"}) {
		t.Errorf("after six at once: %v", got)
	}
	two := []testkit.M{newAddress(testkit.M{"kind": "billing", "is_default": true}), newAddress(testkit.M{"kind": "billing", "is_default": true})}
	key.Post(t, "/clients", testkit.M{"name": "Bia", "addresses": two}).WantFieldErrors(t, "/addresses/1/is_default second_default")
}

func TestAddress_IsOneOfAtMostTwenty(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	var nineteen []testkit.M
	for range 19 {
		nineteen = append(nineteen, newAddress(nil))
	}
	client := "/clients/" + newClient(t, key, testkit.M{"addresses": nineteen}).ID()

	all := testkit.AtOnce(6, func(int) int { return key.Post(t, client+"/addresses", newAddress(nil)).Status })

	slices.Sort(all)
	if all[0] != 201 || all[1] != 409 {
		t.Errorf("statuses %v", all)
	}
	full := key.Post(t, client+"/addresses", newAddress(nil)).WantProblem(t, 409, "conflict")
	if full.Text("reason") != "too_many_addresses" || len(key.All(t, client+"/addresses")) != 20 {
		t.Errorf("%s", full)
	}
	key.Post(t, "/clients", testkit.M{"name": "Bia", "addresses": append(nineteen, newAddress(nil), newAddress(nil))}).WantFieldErrors(t, "/addresses too_many_items")
}
