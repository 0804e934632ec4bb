// Package testkit starts the whole program inside a test, on a real PostgreSQL,
// and talks to it over HTTP as an integrator would.
//
// A package under test has one database, copied from a migrated template; a
// test has a tenant of its own in it, and runs in parallel with the others:
//
//	func TestMain(m *testing.M) { testkit.Main(m) }
//
//	func TestCreateClient_RefusesASecondActiveClientWithTheDocument(t *testing.T) {
//		t.Parallel()
//		key := testkit.New(t).Tenant(t).Key(t, "clients:write")
//		first := key.Post(t, "/clients", testkit.M{"name": "Ana", "document": "529.982.247-25"}).Want(t, 201)
//
//		second := key.Post(t, "/clients", testkit.M{"name": "Bia", "document": "52998224725"})
//
//		second.WantProblem(t, 409, "already_exists")
//		key.Post(t, "/clients/"+first.ID()+"/archive", nil).Want(t, 200)
//		key.Post(t, "/clients", testkit.M{"name": "Bia", "document": "52998224725"}).Want(t, 201)
//	}
//
// What the client does by itself: every response must be one that the OpenAPI
// document describes (status, media type, body), every request that succeeds
// must be one that it allows, and a 5xx that the test did not announce with
// MayFail fails it, with the server's log of that request.
//
// New without options returns a view of one server that all tests of the
// package share: it is quick. With options it starts a server of its own on the
// same database. Faults, locks and the killing of connections are in fault.go,
// the proof that nothing has changed in snapshot.go, waiting in eventually.go.
//
// Tests live in external packages (clients_test), since testkit imports all.
// `make test` brings the PostgreSQL; `go test ./internal/clients` alone starts
// one for the process.
package testkit
