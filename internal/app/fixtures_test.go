package app_test

import (
	"strings"
	"testing"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/testkit"
)

// A domain with new routes adds to the two functions below what its examples
// and its paths need; the conformance suite does the rest.

// maker makes a record for the owner of a key and returns its id.
type maker func(t testing.TB, key *testkit.Client) string

// placeholders are the {names} in the bodies of examples.
func placeholders() map[string]maker {
	return map[string]maker{
		"client": newClient,
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
	}
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

// request is a route's example with everything that it refers to.
type request struct {
	route httpapi.Route
	path  string
	body  any // nil for none
}

func (r request) send(t testing.TB, key *testkit.Client, options ...testkit.CallOption) *testkit.Response {
	t.Helper()
	return key.Do(t, r.route.Method, r.path, r.body, options...)
}

// newRequest makes the records of a route's example for the owner of key.
func newRequest(t testing.TB, key *testkit.Client, r httpapi.Route) request {
	t.Helper()
	req := request{route: r, path: fillPath(r.Path, pathIDs(t, key, r.Path))}
	if r.Example.Body == "" {
		if r.Body == httpapi.BodyRequired {
			t.Fatalf("%s has no example: give its httpapi.Op an Example with a Body", r.ID)
		}
		return req
	}
	req.body = httpapi.FillExample(r.Example.Body, func(name string) string {
		m, ok := placeholders()[name]
		if !ok {
			t.Fatalf("%s: its example has {%s}: add it to placeholders() in internal/app/fixtures_test.go", r.ID, name)
		}
		return m(t, key)
	})
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
