package app_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"fatureihoje/internal/app"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/testkit"
)

// queryParameters are the names of each public operation's query parameters, as
// the document has them.
func queryParameters(t *testing.T) map[string][]string {
	t.Helper()
	public, _, err := app.Documents()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct{ Name, In string }
		}
	}
	if err := json.Unmarshal(public, &document); err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{}
	for _, methods := range document.Paths {
		for _, o := range methods {
			for _, p := range o.Parameters {
				if p.In == "query" {
					names[o.OperationID] = append(names[o.OperationID], p.Name)
				}
			}
		}
	}
	return names
}

// TestLists_OfAResourceAreNarrowedByIDs makes what is listed by the creation at
// the list's own path.
func TestLists_OfAResourceAreNarrowedByIDs(t *testing.T) {
	parameters := queryParameters(t)
	ofAResource := func(r httpapi.Route) bool { return slices.Contains(parameters[r.ID], "external_id") }
	eachRoute(t, ofAResource, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		if !slices.Contains(parameters[r.ID], "ids") {
			t.Fatal("the list takes no ids")
		}
		create := creationAt(t, key, r.Path)
		req := newRequest(t, key, create)
		own := req.send(t, key).Want(t, 201).ID()
		other := elsewhere(t, key)
		foreign := newRequest(t, other, create).send(t, other).Want(t, 201).ID()
		list := func(ids string) (listed []string) {
			for _, record := range key.All(t, req.path+"?ids="+ids) {
				listed = append(listed, record["id"].(string))
			}
			return listed
		}

		for ids, want := range map[string][]string{
			own: {own}, foreign + "," + own + "," + own: {own}, foreign: nil, testkit.RandomID(): nil,
		} {
			if got := list(ids); !slices.Equal(got, want) {
				t.Errorf("ids=%s: want %v, got %v", ids, want, got)
			}
		}
		key.Get(t, req.path+"?ids="+own+",1").WantFieldErrors(t, "?ids uuid")
	})
}

// creationAt is the route that makes a record of the list at path.
func creationAt(t *testing.T, key *testkit.Client, path string) httpapi.Route {
	t.Helper()
	routes := key.Server.Routes()
	i := slices.IndexFunc(routes, func(r httpapi.Route) bool { return r.Method == http.MethodPost && r.Path == path })
	if i < 0 {
		t.Fatalf("no route makes what %s lists", path)
	}
	return routes[i]
}
