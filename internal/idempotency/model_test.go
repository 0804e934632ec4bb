package idempotency_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/testkit"
)

// life is the model of one key: the table of states of the contract, and how
// many requests must have run. It is compared with the program over HTTP.
type life struct {
	t   *testing.T
	key *testkit.Client

	idem    string
	state   string // absent, in_flight, undecided, done, failed
	lapsed  bool   // in flight, and its reservation is over
	expired bool
	name    string // of the request that the key is bound to
	first   *testkit.Response
	ran     int64
}

func TestKey_LivesAsTheContractSays(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	rapid.Check(t, func(rt *rapid.T) {
		l := &life{t: t, key: srv.Tenant(t).Key(t), idem: testkit.NewKey(), state: "absent"}
		rt.Repeat(map[string]func(*rapid.T){
			"request":      func(rt *rapid.T) { l.request(rt, drawName(rt)) },
			"failure":      func(rt *rapid.T) { l.failure(drawName(rt)) },
			"mistake":      func(*rapid.T) { l.mistake() },
			"death":        func(*rapid.T) { l.become("in_flight") },
			"doubt":        func(*rapid.T) { l.become("undecided") },
			"a day passes": func(*rapid.T) { l.pass("24 hours", true) },
			"minutes pass": func(*rapid.T) { l.pass("3 minutes", false) },
			"":             func(*rapid.T) { l.check() },
		})
	})
}

func drawName(rt *rapid.T) string { return rapid.SampledFrom([]string{"Ana", "Bia"}).Draw(rt, "name") }

func (l *life) post(name string, options ...testkit.CallOption) *testkit.Response {
	return l.key.Post(l.t, "/clients", testkit.M{"name": name}, append(options, testkit.Key(l.idem))...)
}

// verdict is what the contract answers to a request now.
func (l *life) verdict(name string) string {
	switch {
	case l.state == "absent", l.expired && l.state != "undecided":
		return "runs"
	case name != l.name:
		return "reused"
	case l.state == "done":
		return "replayed"
	case l.state == "failed", l.state == "in_flight" && l.lapsed:
		return "runs"
	}
	return "in progress"
}

func (l *life) request(rt *rapid.T, name string) {
	want := l.verdict(name)
	r := l.post(name)
	switch want {
	case "runs":
		if r.Status != 201 || r.Replayed() {
			rt.Fatalf("%s key, %s: want it to run, got %s", l.state, name, r)
		}
		l.first = r
		l.settle("done", name)
		l.ran++
	case "replayed":
		r.WantReplayOf(l.t, l.first)
	case "reused":
		r.WantProblem(l.t, 422, "idempotency_key_reused")
	case "in progress":
		wantInProgress(l.t, r)
	}
}

// failure is a request that fails after its work has begun, if it runs.
func (l *life) failure(name string) {
	runs := l.verdict(name) == "runs"
	fault := l.key.Server.Database.Strike(l.t, l.idem, testkit.AtCompletion, testkit.Refuses)
	r := l.post(name, testkit.MayFail())
	fault.Lift(l.t)
	if !runs {
		if r.Status >= 500 {
			l.t.Fatalf("%s key: a repetition ran: %s", l.state, r)
		}
		return
	}
	r.WantProblem(l.t, 500, "internal_error")
	l.settle("failed", name)
}

// mistake is a request that never begins, if it gets as far as its validation.
func (l *life) mistake() {
	runs := l.verdict("") == "runs"
	r := l.post("")
	if !runs {
		r.WantProblem(l.t, 422, "idempotency_key_reused")
		return
	}
	r.WantProblem(l.t, 422, "validation_failed")
	l.settle("absent", "")
}

func (l *life) settle(state, name string) {
	l.state, l.name, l.lapsed, l.expired = state, name, false, false
}

// become leaves the key as an attempt that died, or that a provider did not answer.
func (l *life) become(state string) {
	if !slices.Contains([]string{"done", "failed"}, l.state) || l.expired {
		return
	}
	l.key.Server.Database.Exec(l.t, `UPDATE idempotency_keys SET state = $2, fence = gen_random_uuid(), reserved_until = now() + interval '3 minutes',
		expires_at = now() + interval '24 hours', completed_at = NULL, status = NULL, body = NULL WHERE tenant_id = $1`, l.key.Tenant.ID, state)
	l.state, l.lapsed, l.expired = state, false, false
}

// pass lets time go by: minutes end a reservation, a day ends the retention.
func (l *life) pass(interval string, day bool) {
	if l.state == "absent" {
		return
	}
	l.key.Backdate(l.t, l.idem, interval)
	l.lapsed = true
	l.expired = l.expired || day
}

func (l *life) check() {
	if got := l.key.State(l.t, l.idem); got != l.state {
		l.t.Fatalf("the key is %s, want %s", got, l.state)
	}
	wantClients(l.t, l.key, l.ran)
}
