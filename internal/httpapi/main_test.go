package httpapi_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func newKey(t *testing.T, scopes ...string) *testkit.Client {
	t.Helper()
	return testkit.New(t).Tenant(t).Key(t, scopes...)
}

func wantCount(t *testing.T, key *testkit.Client, n int) {
	t.Helper()
	if got := len(key.All(t, "/clients")); got != n {
		t.Fatalf("want %d clients, got %d", n, got)
	}
}
