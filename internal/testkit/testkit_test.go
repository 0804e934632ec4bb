package testkit_test

import (
	"testing"
	"time"

	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestNew_ServesTheProgramWithTenantsOfTheirOwn(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	ana := srv.Tenant(t).Key(t)
	other := srv.Tenant(t).Key(t)

	created := ana.Post(t, "/clients", testkit.M{"name": "Ana"}).Want(t, 201)

	ana.Get(t, "/clients/"+created.ID()).Want(t, 200)
	other.Get(t, "/clients/"+created.ID()).WantProblem(t, 404, "not_found")
	if all := other.All(t, "/clients"); len(all) != 0 {
		t.Errorf("the other tenant sees %v", all)
	}
}

func TestStrike_RefusesTheCompletionAndFreesTheKey(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	idem := testkit.NewKey()

	for kind, want := range map[testkit.Kind]int{testkit.Refuses: 500, testkit.EndsConnection: 503} {
		fault := key.Server.Database.Strike(t, idem, testkit.AtCompletion, kind)
		key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem), testkit.MayFail()).Want(t, want)
		if state := key.State(t, idem); state != "failed" {
			t.Errorf("after a fault that %s the key is %s", kind, state)
		}
		fault.Lift(t)
	}

	key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem)).Want(t, 201)
	if all := key.All(t, "/clients"); len(all) != 1 {
		t.Errorf("%d clients", len(all))
	}
}

func TestStrike_HoldsTheRequestUntilLifted(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	idem := testkit.NewKey()
	fault := key.Server.Database.Strike(t, idem, testkit.AtCompletion, testkit.Holds)
	before := key.Tenant.Snapshot(t)

	answer := testkit.Async(func() *testkit.Response {
		return key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem))
	})
	fault.AwaitHeld(t, 1)
	key.Tenant.Snapshot(t).WantSame(t, before, "idempotency_keys")
	fault.Lift(t)

	answer().Want(t, 201)
	if changes := key.Tenant.Snapshot(t).Changes(before); len(changes) < 3 {
		t.Errorf("changes: %v", changes)
	}
}

func TestProxy_CutsTheDatabaseOff(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithProxy())
	key := srv.Tenant(t).Key(t)
	key.Get(t, "/clients").Want(t, 200)

	srv.Proxy().Cut()
	r := key.Get(t, "/clients", testkit.MayFail())
	r.WantProblem(t, 503, "service_unavailable")
	if r.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	srv.Proxy().Restore()

	testkit.Eventually(t, "the database is back", func() bool { return key.Get(t, "/clients", testkit.MayFail()).Status == 200 })
}

func TestBackdate_ExpiresAKey(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	idem := testkit.NewKey()
	first := key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem)).Want(t, 201)
	key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem)).WantReplayOf(t, first)

	key.Backdate(t, idem, (25 * time.Hour).String())

	if again := key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem)).Want(t, 201); again.Replayed() {
		t.Error("an expired key was replayed")
	}
}
