package idempotency_test

import (
	"net/http"
	"testing"
	"time"

	"fatureihoje/internal/testkit"
)

// onlyOneRan stops the test unless exactly one response is a first execution
// and every other its replay or an in-progress refusal; it returns the first.
func onlyOneRan(t *testing.T, all []*testkit.Response) *testkit.Response {
	t.Helper()
	var first *testkit.Response
	for _, r := range all {
		if r.Status != http.StatusCreated || r.Replayed() {
			continue
		}
		if first != nil {
			t.Fatalf("two ran:\n%s\n%s", first, r)
		}
		first = r
	}
	if first == nil {
		t.Fatalf("none ran: %v", all)
	}
	for _, r := range all {
		switch {
		case r == first:
		case r.Status == http.StatusConflict:
			wantInProgress(t, r)
		default:
			r.WantReplayOf(t, first)
		}
	}
	return first
}

func TestClaim_RunsOneOfManyAtOnce(t *testing.T) {
	t.Parallel()
	const repetitions = 64
	key, idem := testkit.New(t).Tenant(t).Key(t), testkit.NewKey()

	all := testkit.AtOnce(repetitions, func(int) *testkit.Response { return key.Post(t, "/clients", ana(), testkit.Key(idem)) })

	first := onlyOneRan(t, all)
	wantClients(t, key, 1)
	key.Post(t, "/clients", ana(), testkit.Key(idem)).WantReplayOf(t, first)
}

func TestClaim_RunsOneOfManyAtOnceOnTwoServers(t *testing.T) {
	t.Parallel()
	key := testkit.New(t, testkit.Alone()).Tenant(t).Key(t)
	other := key.On(testkit.New(t, testkit.Alone()))

	for range 10 {
		idem := testkit.NewKey()
		onlyOneRan(t, testkit.AtOnce(8, func(i int) *testkit.Response {
			return []*testkit.Client{key, other}[i%2].Post(t, "/clients", ana(), testkit.Key(idem))
		}))
	}

	wantClients(t, key, 10)
}

func TestClaim_AnswersARepetitionAtOnceWhileTheFirstRuns(t *testing.T) {
	t.Parallel()
	key, idem, slow := testkit.New(t).Tenant(t).Key(t), testkit.NewKey(), testkit.NewKey()
	fault := key.Server.Database.Strike(t, slow, testkit.InTransaction, testkit.Holds)
	running := testkit.Async(func() *testkit.Response {
		return key.Post(t, "/clients", ana(), testkit.Key(idem), testkit.RequestID(slow))
	})
	fault.AwaitHeld(t, 1)

	wantInProgress(t, key.Post(t, "/clients", ana(), testkit.Key(idem)))
	key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")
	fault.Lift(t)

	first := running().Want(t, 201)
	key.Post(t, "/clients", ana(), testkit.Key(idem)).WantReplayOf(t, first)
	wantClients(t, key, 1)
}

// TestFence_RollsBackAnAttemptThatWasOvertaken is the slow attempt whose
// reservation lapses while it works, and which wakes after its successor is done.
func TestFence_RollsBackAnAttemptThatWasOvertaken(t *testing.T) {
	t.Parallel()
	key, idem, slow := testkit.New(t).Tenant(t).Key(t), testkit.NewKey(), testkit.NewKey()
	fault := key.Server.Database.Strike(t, slow, testkit.InTransaction, testkit.Holds)
	overtaken := testkit.Async(func() *testkit.Response {
		return key.Post(t, "/clients", ana(), testkit.Key(idem), testkit.RequestID(slow))
	})
	fault.AwaitHeld(t, 1)
	wantInProgress(t, key.Post(t, "/clients", ana(), testkit.Key(idem)))

	key.Backdate(t, idem, "3 minutes")
	first := key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
	done := key.Tenant.Snapshot(t)
	fault.Lift(t)

	wantInProgress(t, overtaken())
	key.Tenant.Snapshot(t).WantSame(t, done)
	wantClients(t, key, 1)
	key.Post(t, "/clients", ana(), testkit.Key(idem)).WantReplayOf(t, first)
}

// TestFence_RollsBackAnAttemptWhoseRowIsAnothers is the same with a row that was
// swept and claimed anew for another request meanwhile.
func TestFence_RollsBackAnAttemptWhoseRowIsAnothers(t *testing.T) {
	t.Parallel()
	key, idem, slow := testkit.New(t).Tenant(t).Key(t), testkit.NewKey(), testkit.NewKey()
	fault := key.Server.Database.Strike(t, slow, testkit.InTransaction, testkit.Holds)
	overtaken := testkit.Async(func() *testkit.Response {
		return key.Post(t, "/clients", ana(), testkit.Key(idem), testkit.RequestID(slow))
	})
	fault.AwaitHeld(t, 1)

	key.Server.Database.Exec(t, "DELETE FROM idempotency_keys WHERE tenant_id = $1", key.Tenant.ID)
	bia := key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).Want(t, 201)
	fault.Lift(t)

	wantInProgress(t, overtaken())
	wantClients(t, key, 1)
	key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).WantReplayOf(t, bia)
}

func TestTake_RunsOneOfManyThatRepeatAFailedKey(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)

	for n := range int64(5) {
		idem := testkit.NewKey()
		failKey(t, key, idem)

		all := testkit.AtOnce(12, func(int) *testkit.Response { return key.Post(t, "/clients", ana(), testkit.Key(idem)) })

		onlyOneRan(t, all)
		wantClients(t, key, n+1)
	}
}

func TestTake_RunsOneOfManyThatRepeatAnExpiredKey(t *testing.T) {
	t.Parallel()
	key, idem := testkit.New(t).Tenant(t).Key(t), testkit.NewKey()

	for n := range int64(5) {
		all := testkit.AtOnce(12, func(int) *testkit.Response { return key.Post(t, "/clients", ana(), testkit.Key(idem)) })
		onlyOneRan(t, all)
		wantClients(t, key, n+1)
		key.Backdate(t, idem, "24 hours")
	}
}

// failKey leaves a key failed: its attempt began and was rolled back.
func failKey(t *testing.T, key *testkit.Client, idem string) {
	t.Helper()
	fault := key.Server.Database.Strike(t, idem, testkit.AtCompletion, testkit.Refuses)
	key.Post(t, "/clients", ana(), testkit.Key(idem), testkit.MayFail()).WantProblem(t, 500, "internal_error")
	fault.Lift(t)
}

func TestRequest_GoesOnWithoutItsClient(t *testing.T) {
	t.Parallel()
	key, idem := testkit.New(t).Tenant(t).Key(t), testkit.NewKey()
	fault := key.Server.Database.Strike(t, idem, testkit.AtCompletion, testkit.Holds)
	ctx, giveUp := contextWithCancel(t)
	gone := testkit.Async(func() *testkit.Response {
		return key.Post(t, "/clients", ana(), testkit.Key(idem), testkit.Until(ctx))
	})
	fault.AwaitHeld(t, 1)

	giveUp()
	gone()
	fault.Lift(t)

	testkit.Eventually(t, "the key is done", func() bool { return key.State(t, idem) == "done" })
	if again := key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201); !again.Replayed() {
		t.Error("the repetition ran")
	}
	wantClients(t, key, 1)
}

// TestCommit_IsSettledByTheKeyWhenItsOutcomeIsUnknown cuts the connection when
// the database has committed and the program has not heard of it.
func TestCommit_IsSettledByTheKeyWhenItsOutcomeIsUnknown(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithProxy())
	key, idem := srv.Tenant(t).Key(t), testkit.NewKey()
	fault := srv.Database.Strike(t, idem, testkit.AtCompletion, testkit.Holds)
	unheard := testkit.Async(func() *testkit.Response {
		return key.Post(t, "/clients", ana(), testkit.Key(idem), testkit.MayFail())
	})
	fault.AwaitHeld(t, 1)

	srv.Proxy().Freeze()
	fault.Lift(t)
	testkit.Eventually(t, "the database has committed", func() bool { return key.State(t, idem) == "done" })
	srv.Proxy().Cut()
	unheard().WantProblem(t, 503, "service_unavailable")
	srv.Proxy().Restore()

	var again *testkit.Response
	testkit.Eventually(t, "the database is back", func() bool {
		again = key.Post(t, "/clients", ana(), testkit.Key(idem), testkit.MayFail())
		return again.Status != 503
	})
	if again.Want(t, 201); !again.Replayed() {
		t.Error("the repetition ran")
	}
	wantClients(t, key, 1)
}

func TestReservation_LapsesWhenItsServerIsGone(t *testing.T) {
	t.Parallel()
	dying := testkit.New(t, testkit.WithProxy())
	key, idem := dying.Tenant(t).Key(t), testkit.NewKey()
	fault := dying.Database.Strike(t, idem, testkit.AtCompletion, testkit.Holds)
	gone := testkit.Async(func() *testkit.Response {
		return key.Post(t, "/clients", ana(), testkit.Key(idem), testkit.MayFail())
	})
	pids := fault.AwaitHeld(t, 1)
	dying.Proxy().Cut()
	dying.Database.Terminate(t, pids...)
	gone().WantProblem(t, 503, "service_unavailable")
	fault.Lift(t)
	key = key.On(testkit.New(t))

	wantInProgress(t, key.Post(t, "/clients", ana(), testkit.Key(idem)))
	key.Backdate(t, idem, "2 minutes 50 seconds")
	wantInProgress(t, key.Post(t, "/clients", ana(), testkit.Key(idem)))
	key.Backdate(t, idem, "10 seconds")

	key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")
	key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
	wantClients(t, key, 1)
}

func TestRequest_IsRolledBackAtItsDeadline(t *testing.T) {
	t.Parallel()
	key, idem := testkit.New(t, testkit.WithConfig(shortDeadline)).Tenant(t).Key(t), testkit.NewKey()
	client := key.Post(t, "/clients", ana()).Want(t, 201).ID()
	_, release := key.Server.Database.Lock(t, "SELECT FROM clients WHERE id = $1 FOR UPDATE", client)

	late := key.Post(t, "/clients/"+client+"/archive", nil, testkit.Key(idem), testkit.MayFail())
	state := key.State(t, idem)
	release()

	late.WantProblem(t, 503, "service_unavailable")
	if state != "failed" {
		t.Errorf("the key is %s", state)
	}
	key.Post(t, "/clients/"+client+"/archive", nil, testkit.Key(idem)).Want(t, 200)
}

// deadline is a request deadline that a test can wait for.
const deadline = 400 * time.Millisecond
