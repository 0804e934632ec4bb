package idempotency_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/config"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/testkit"
)

func shortDeadline(c *config.Config) { c.RequestTimeout = deadline }

func contextWithCancel(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	return ctx, cancel
}

func TestRetention_EndsADayAfterTheFirstCall(t *testing.T) {
	t.Parallel()
	key, idem := testkit.New(t).Tenant(t).Key(t), testkit.NewKey()
	first := key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)

	key.Backdate(t, idem, "23 hours 59 minutes")
	key.Post(t, "/clients", ana(), testkit.Key(idem)).WantReplayOf(t, first)
	key.Backdate(t, idem, "1 minute")

	// Expired, so another request may have the key; whether or not it was swept.
	second := key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).Want(t, 201)
	key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).WantReplayOf(t, second)
	key.Post(t, "/clients", ana(), testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")
	wantClients(t, key, 2)
}

func TestFailure_KeepsTheFingerprint(t *testing.T) {
	t.Parallel()
	key, idem := testkit.New(t).Tenant(t).Key(t), testkit.NewKey()
	failKey(t, key, idem)

	other := key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem))

	other.WantProblem(t, 422, "idempotency_key_reused")
	if got := other.Text("differs"); got != `["body/name"]` {
		t.Errorf("differs: %s", got)
	}
	wantClients(t, key, 0)
	key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
}

func TestRefusal_LeavesTheKeyAbsent(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := key.Post(t, "/clients", testkit.M{"name": "Ana", "document": "529.982.247-25"}).Want(t, 201).ID()
	cases := []struct {
		path   string
		body   any
		status int
		code   string
	}{
		{"/clients", testkit.M{}, 422, "validation_failed"},
		{"/clients", testkit.M{"name": "a\x00b"}, 422, "validation_failed"},
		{"/clients", testkit.M{"name": "Bia", "document": "52998224725"}, 409, "already_exists"},
		{"/clients", "{", 400, "malformed_json"},
		{"/clients/" + client + "/unarchive", nil, 409, "invalid_state"},
		{"/clients/" + testkit.RandomID() + "/archive", nil, 404, "not_found"},
		{"/clients/" + client + "/archive", "null", 422, "validation_failed"},
	}
	for _, c := range cases {
		idem := testkit.NewKey()

		key.Post(t, c.path, c.body, testkit.Key(idem)).WantProblem(t, c.status, c.code)

		if state := key.State(t, idem); state != "absent" {
			t.Errorf("after %d %s the key is %s", c.status, c.code, state)
		}
		key.Post(t, "/clients", testkit.M{"name": "Outra"}, testkit.Key(idem)).Want(t, 201)
	}
}

func TestCap_RemembersALargeResponseWithoutItsBody(t *testing.T) {
	t.Parallel()
	key, idem := testkit.New(t).Tenant(t).Key(t), testkit.NewKey()
	large := largeClient()

	first := key.Post(t, "/clients", large, testkit.Key(idem)).Want(t, 201)
	done := key.Tenant.Snapshot(t)
	again := key.Post(t, "/clients", large, testkit.Key(idem)).WantProblem(t, 409, "conflict")

	if len(first.Body) <= idempotency.MaxStoredBytes || first.JSON() == nil {
		t.Fatalf("the first response has %d bytes and is whole: %t", len(first.Body), first.JSON() != nil)
	}
	if again.Text("reason") != "response_not_stored" || again.Header.Get("Location") != first.Header.Get("Location") {
		t.Errorf("want response_not_stored at %s, got %s at %s", first.Header.Get("Location"), again, again.Header.Get("Location"))
	}
	key.Get(t, again.Header.Get("Location")).Want(t, 200)
	key.Tenant.Snapshot(t).WantSame(t, done)
	key.Post(t, "/clients", ana(), testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")
}

// TestCap_NamesTheObjectThatAnActionActedOn: an action has no Location of its own.
func TestCap_NamesTheObjectThatAnActionActedOn(t *testing.T) {
	t.Parallel()
	key, idem := testkit.New(t).Tenant(t).Key(t), testkit.NewKey()
	client := key.Post(t, "/clients", largeClient()).Want(t, 201)

	first := key.Post(t, "/clients/"+client.ID()+"/archive", nil, testkit.Key(idem)).Want(t, 200)
	again := key.Post(t, "/clients/"+client.ID()+"/archive", nil, testkit.Key(idem)).WantProblem(t, 409, "conflict")

	if first.Header.Get("Location") != "" || again.Header.Get("Location") != client.Header.Get("Location") {
		t.Errorf("Location: first %q, repetition %q", first.Header.Get("Location"), again.Header.Get("Location"))
	}
}

// largeClient is a client whose response is over the cap.
func largeClient() testkit.M {
	metadata := map[string]string{}
	for range 50 {
		metadata[uuid.NewString()] = strings.Repeat("😀", 500)
	}
	var addresses []testkit.M
	for range 4 {
		addresses = append(addresses, testkit.M{
			"postal_code": "01310-100", "street": "Av. Paulista", "city": "São Paulo", "state": "SP", "metadata": metadata,
		})
	}
	return testkit.M{"name": "Ana Souza", "addresses": addresses}
}

func TestSpace_IsOfOneAPIKey(t *testing.T) {
	t.Parallel()
	srv, idem := testkit.New(t), testkit.NewKey()
	tenant := srv.Tenant(t)
	first := tenant.Key(t)
	callers := []*testkit.Client{first, tenant.Key(t), tenant.Member(t, auth.Permissions()...).Key(t)}
	created := map[string]bool{}

	for _, key := range callers {
		r := key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
		key.Post(t, "/clients", ana(), testkit.Key(idem)).WantReplayOf(t, r)
		created[r.ID()] = true
	}
	elsewhere := srv.Tenant(t).Key(t).Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).Want(t, 201)

	if len(created) != len(callers) || created[elsewhere.ID()] || elsewhere.Replayed() {
		t.Errorf("created %v and %s", created, elsewhere.ID())
	}
	wantClients(t, first, int64(len(callers)))
}

func TestKey_IsComparedByteForByte(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	keys := []string{"a", "A", `"a"`, "caf\u00e9", "cafe\u0301", strings.Repeat("k", 255), "a b"}

	for _, idem := range keys {
		r := key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
		if r.Replayed() {
			t.Errorf("%q was taken for another", idem)
		}
		key.Post(t, "/clients", ana(), testkit.Key("  "+idem+"\t")).WantReplayOf(t, r)
	}

	wantClients(t, key, int64(len(keys)))
}

func TestCounters_AreWrittenInBatches(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithProxy())
	key, idem := srv.Tenant(t).Key(t), testkit.NewKey()
	key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
	before := key.Tenant.Snapshot(t)

	for range 5 {
		key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
	}
	for range 3 {
		key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).Want(t, 422)
	}
	if s := key.Stored(t, idem); s.Replays != 0 || s.Conflicts != 0 {
		t.Errorf("a repetition wrote: %+v", s)
	}
	srv.Proxy().Cut()
	if err := srv.App.Idempotency.Counters().Flush(context.Background(), srv.Pool()); err == nil {
		t.Error("counts were written to a database that is away")
	}
	srv.Proxy().Restore()
	testkit.Eventually(t, "the database is back", func() bool {
		return srv.App.Idempotency.Counters().Flush(context.Background(), srv.Pool()) == nil
	})
	srv.FlushCounters()

	if s := key.Stored(t, idem); s.Replays != 5 || s.Conflicts != 3 {
		t.Errorf("counted %+v", s)
	}
	key.Tenant.Snapshot(t).WantSame(t, before)
}

// TestUndecided_IsNotFreedByTime: only recovery knows what the provider did.
func TestUndecided_IsNotFreedByTime(t *testing.T) {
	t.Parallel()
	key, idem := testkit.New(t).Tenant(t).Key(t), testkit.NewKey()
	failKey(t, key, idem)
	key.Server.Database.Exec(t, "UPDATE idempotency_keys SET state = 'undecided' WHERE tenant_id = $1", key.Tenant.ID)

	wantInProgress(t, key.Post(t, "/clients", ana(), testkit.Key(idem)))
	key.Backdate(t, idem, "30 days")
	wantInProgress(t, key.Post(t, "/clients", ana(), testkit.Key(idem)))
	key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")

	wantClients(t, key, 0)
}

func TestStoreDown_RunsNothing(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithProxy())
	key, idem := srv.Tenant(t).Key(t), testkit.NewKey()
	srv.Proxy().Cut()

	for _, options := range [][]testkit.CallOption{{testkit.Key(idem)}, {}} {
		r := key.Post(t, "/clients", ana(), append(options, testkit.MayFail())...).WantProblem(t, 503, "service_unavailable")
		if r.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}

	wantClients(t, key, 0)
	if state := key.State(t, idem); state != "absent" {
		t.Errorf("the key is %s", state)
	}
}
