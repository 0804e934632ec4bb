package idempotency_test

import (
	"flag"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) {
	// A step of the model's life is several requests; a hundred lives of this
	// length meet every pair of states often.
	if err := flag.Set("rapid.steps", "12"); err != nil {
		panic(err)
	}
	testkit.Main(m)
}

// ana is the request that these tests repeat.
func ana() testkit.M { return testkit.M{"name": "Ana Souza"} }

// wantClients stops the test unless the tenant has n clients.
func wantClients(t *testing.T, key *testkit.Client, n int64) {
	t.Helper()
	got := testkit.Value[int64](t, key.Server.Database, "SELECT count(*) FROM clients WHERE tenant_id = $1", key.Tenant.ID)
	if got != n {
		t.Fatalf("want %d clients, got %d", n, got)
	}
}

// wantInProgress stops the test unless r says that the first attempt still runs.
func wantInProgress(t *testing.T, r *testkit.Response) {
	t.Helper()
	r.WantProblem(t, 409, "idempotency_in_progress")
	if r.Header.Get("Retry-After") == "" {
		t.Fatalf("no Retry-After: %s", r)
	}
}
