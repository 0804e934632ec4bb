package catalog_test

import (
	"slices"
	"testing"

	"fatureihoje/internal/testkit"
)

// eachTree runs f for both trees of categories.
func eachTree(t *testing.T, f func(t *testing.T, key *testkit.Client, path string)) {
	t.Helper()
	t.Parallel()
	srv := testkit.New(t)
	for _, path := range []string{"/product_categories", "/service_categories"} {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			f(t, srv.For(t).Tenant(t).Key(t), path)
		})
	}
}

// category makes a category below a parent, "" for a root.
func category(t testing.TB, key *testkit.Client, path, name, parent string) string {
	t.Helper()
	return key.Post(t, path, below(name, parent)).Want(t, 201).ID()
}

func below(name, parent string) testkit.M {
	body := testkit.M{"name": name}
	if parent != "" {
		body["parent_id"] = parent
	}
	return body
}

func TestCategories_AreMadeReadAndChanged(t *testing.T) {
	eachTree(t, func(t *testing.T, key *testkit.Client, path string) {
		root := category(t, key, path, "Raiz", "")

		first := key.Post(t, path, testkit.M{"name": "Folha", "parent_id": root, "position": 3, "external_id": "e", "metadata": testkit.M{"a": "b"}}).Want(t, 201)
		changed := key.Patch(t, path+"/"+first.ID(), testkit.M{"position": 0, "name": "Ramo"}).Want(t, 200)
		cleared := key.Patch(t, path+"/"+first.ID(), testkit.M{"parent_id": nil, "position": nil, "external_id": nil}).Want(t, 200)

		if first.Text("parent_id") != root || first.Text("position") != "3" || first.Text("external_id") != "e" {
			t.Errorf("got %s", first)
		}
		if changed.Text("position") != "0" || changed.Text("name") != "Ramo" || changed.Text("parent_id") != root {
			t.Errorf("got %s", changed)
		}
		if cleared.JSON()["parent_id"] != nil || cleared.JSON()["external_id"] != nil || cleared.Text("version") != "3" {
			t.Errorf("got %s", cleared)
		}
		if got := key.Get(t, first.Header.Get("Location")).Want(t, 200); string(got.Body) != string(cleared.Body) {
			t.Errorf("read back: %s", got)
		}
		key.Patch(t, path+"/"+first.ID(), testkit.M{"name": "x"}, testkit.Header("If-Match", first.Header.Get("ETag"))).
			WantProblem(t, 412, "precondition_failed")
		key.Post(t, path, testkit.M{"name": " ", "position": -1, "parent_id": "x"}).
			WantFieldErrors(t, "/name required", "/position minimum", "/parent_id uuid")
		key.Patch(t, path+"/"+first.ID(), testkit.M{"name": nil}).WantFieldErrors(t, "/name null")
	})
}

func TestCategories_DifferInNameAmongSiblings(t *testing.T) {
	eachTree(t, func(t *testing.T, key *testkit.Client, path string) {
		root := category(t, key, path, "Caf\u00e9", "")
		wantTaken := func(r *testkit.Response) {
			t.Helper()
			if r.WantProblem(t, 409, "already_exists"); !slices.Equal(r.FieldErrors(t), []string{"/name already_exists"}) {
				t.Errorf("the member is not named: %s", r)
			}
		}

		wantTaken(key.Post(t, path, below("Cafe\u0301", "")))
		child := category(t, key, path, "Cafe\u0301", root)
		wantTaken(key.Post(t, path, below("Caf\u00e9", root)))
		wantTaken(key.Patch(t, path+"/"+child, testkit.M{"parent_id": nil}))
		other := category(t, key, path, "Ch\u00e1", root)
		wantTaken(key.Patch(t, path+"/"+other, testkit.M{"name": "Cafe\u0301"}))
		category(t, key, path, "caf\u00e9", "") // compared exactly
		for range 2 {
			key.Delete(t, path+"/"+child).Want(t, 204)
			child = category(t, key, path, "Caf\u00e9", root)
		}
		key.Post(t, path, below("\u200b\u2800", "")).WantFieldErrors(t, "/name invisible")
		all := testkit.AtOnce(6, func(int) *testkit.Response { return key.Post(t, path, below("Novo", "")) })
		if counts := statuses(all); counts[201] != 1 || counts[409] != 5 {
			t.Errorf("at once: %v", all)
		}
	})
}

func TestCategories_HaveNoCycleAndAreNotTooDeep(t *testing.T) {
	eachTree(t, func(t *testing.T, key *testkit.Client, path string) {
		chain := []string{""}
		for _, name := range []string{"1", "2", "3", "4", "5"} {
			chain = append(chain, category(t, key, path, name, chain[len(chain)-1]))
		}
		short := category(t, key, path, "a", "")
		category(t, key, path, "b", short)
		move := func(id, parent string) *testkit.Response {
			return key.Patch(t, path+"/"+id, testkit.M{"parent_id": parent})
		}

		key.Post(t, path, below("6", chain[5])).WantFieldErrors(t, "/parent_id category_depth")
		move(short, chain[4]).WantFieldErrors(t, "/parent_id category_depth")
		move(chain[1], chain[1]).WantFieldErrors(t, "/parent_id category_cycle")
		move(chain[1], chain[5]).WantFieldErrors(t, "/parent_id category_cycle")
		move(chain[2], chain[3]).WantFieldErrors(t, "/parent_id category_cycle")
		move(short, testkit.RandomID()).WantFieldErrors(t, "/parent_id unknown_reference")

		move(short, chain[3]).Want(t, 200)
		move(chain[3], chain[2]).Want(t, 200) // where it is already
		move(chain[5], short).Want(t, 200)
		key.Patch(t, path+"/"+chain[4], testkit.M{"parent_id": nil}).Want(t, 200)
	})
}

func TestCategories_HaveNoCycleAfterMovesAtOnce(t *testing.T) {
	eachTree(t, func(t *testing.T, key *testkit.Client, path string) {
		for range 4 {
			ring := make([]string, 3)
			for i := range ring {
				ring[i] = category(t, key, path, testkit.RandomID(), "")
			}

			all := testkit.AtOnce(len(ring), func(i int) *testkit.Response {
				return key.Patch(t, path+"/"+ring[i], testkit.M{"parent_id": ring[(i+1)%len(ring)]})
			})

			// Each is put below the next: whichever comes last would close the ring.
			if counts := statuses(all); counts[200] != len(ring)-1 || counts[422] != 1 {
				t.Errorf("got %v: %v", counts, all)
			}
		}
	})
}

func TestCategories_AreNotTooDeepAfterMovesAtOnce(t *testing.T) {
	eachTree(t, func(t *testing.T, key *testkit.Client, path string) {
		for range 4 {
			top := category(t, key, path, testkit.RandomID(), "")
			middle := category(t, key, path, testkit.RandomID(), "")
			leaf := category(t, key, path, "2", middle)
			upper := category(t, key, path, "2", top)
			upper = category(t, key, path, "3", upper)

			// Together they would be six deep: three above, two moved, one made.
			all := testkit.AtOnce(2, func(i int) *testkit.Response {
				if i == 0 {
					return key.Patch(t, path+"/"+middle, testkit.M{"parent_id": upper})
				}
				return key.Post(t, path, below("3", leaf))
			})

			if moved, made := all[0].Status == 200, all[1].Status == 201; moved == made {
				t.Errorf("not exactly one: %v", all)
			}
		}
	})
}

func TestDeleteCategory_RefusesWhatIsUsed(t *testing.T) {
	eachTree(t, func(t *testing.T, key *testkit.Client, path string) {
		things := map[string]string{"/product_categories": "products", "/service_categories": "services"}[path]
		parent := category(t, key, path, "Raiz", "")
		child := category(t, key, path, "Folha", parent)
		used := key.Post(t, "/"+things, testkit.M{"name": "x", "price_cents": 1, "category_id": child}).Want(t, 201).ID()

		byChild := key.Delete(t, path+"/"+parent).WantProblem(t, 409, "resource_in_use")
		byThing := key.Delete(t, path+"/"+child).WantProblem(t, 409, "resource_in_use")

		if byChild.Text("used_by") != path[1:] || byThing.Text("used_by") != things {
			t.Errorf("what refers is not named: %s %s", byChild, byThing)
		}
		key.Patch(t, "/"+things+"/"+used, testkit.M{"category_id": nil}).Want(t, 200)
		key.Delete(t, path+"/"+child).Want(t, 204)
		key.Delete(t, path+"/"+parent).Want(t, 204)
		key.Delete(t, path+"/"+parent).WantProblem(t, 404, "not_found")
	})
}

func TestListCategories_Filters(t *testing.T) {
	eachTree(t, func(t *testing.T, key *testkit.Client, path string) {
		root := category(t, key, path, "Raiz", "")
		category(t, key, path, "A", root)
		category(t, key, path, "B", root)

		for query, want := range map[string][]string{
			"order=asc": {"Raiz", "A", "B"}, "parent_id=" + root: {"B", "A"}, "parent_id=" + testkit.RandomID(): {},
		} {
			if got := names(key.Get(t, path+"?"+query).Want(t, 200).Data(t), "name"); !slices.Equal(got, want) {
				t.Errorf("%s: %v", query, got)
			}
		}
		key.Get(t, path+"?parent_id=x").WantFieldErrors(t, "?parent_id uuid")
		key.Get(t, path+"?q=x").WantFieldErrors(t, "?q unknown_parameter")
	})
}

func TestCategories_OfTheOtherTreeDoNotExist(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	ofProducts := category(t, key, "/product_categories", "Raiz", "")

	key.Get(t, "/service_categories/"+ofProducts).WantProblem(t, 404, "not_found")
	key.Post(t, "/service_categories", below("x", ofProducts)).WantFieldErrors(t, "/parent_id unknown_reference")
	key.Post(t, "/services", testkit.M{"name": "x", "price_cents": 1, "category_id": ofProducts}).
		WantFieldErrors(t, "/category_id unknown_reference")
}
