package app_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fatureihoje/internal/testkit"
)

// crashEnv is a server whose reservations lapse while a test waits.
var crashEnv = []string{"FH_REQUEST_TIMEOUT=1s", "FH_PROVIDER_TIMEOUT=500ms", "FH_IDEMPOTENCY_RESERVATION=2s"}

// TestKill_LeavesOneEffectAtEveryPointOfARequest kills the server at each point
// of a request's life, starts it again, and repeats until it answers.
func TestKill_LeavesOneEffectAtEveryPointOfARequest(t *testing.T) {
	t.Parallel()
	d := testkit.NewDurableDatabase(t)
	crashes := map[string]crash{
		"before the claim":                       crashAt(testkit.AtClaim, false),
		"before the claim, database too":         crashAt(testkit.AtClaim, true),
		"in the transaction":                     crashInHandler,
		"while it commits":                       crashAt(testkit.InTransaction, false),
		"while it commits, database too":         crashAt(testkit.InTransaction, true),
		"at the completion, database too":        crashAt(testkit.AtCompletion, true),
		"after the commit, before the response":  crashAfterCommit,
		"before the commit, the connection only": endConnection,
	}
	for name, crash := range crashes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testkit.StartProcess(t, d, crashEnv...)
			key := server.Tenant(t).Key(t)
			s := scene{server, key, key.Post(t, "/clients", testkit.M{"name": "Ana"}).Want(t, 201).ID(), testkit.NewKey()}

			crash(t, s)
			d.AwaitUp(t)
			server.Restart(t)

			first := s.untilDone(t)
			s.post(t).Want(t, 201)
			if got := s.post(t); string(got.Body) != string(first.Body) || !got.Replayed() {
				t.Errorf("want the replay of %s, got %s", first, got)
			}
			if got := key.All(t, "/clients/"+s.client+"/addresses"); len(got) != 1 {
				t.Errorf("%d addresses", len(got))
			}
		})
	}
}

// scene is a request that is to be crashed: a new address of a client.
type scene struct {
	server *testkit.Process
	key    *testkit.Client
	client string
	idem   string
}

func (s scene) post(t testing.TB, options ...testkit.CallOption) *testkit.Response {
	t.Helper()
	return s.key.Post(t, "/clients/"+s.client+"/addresses", testkit.M{
		"postal_code": "01310-100", "street": "Av. Paulista", "city": "São Paulo", "state": "SP",
	}, append(options, testkit.Key(s.idem), testkit.RequestID(s.idem), testkit.MayFail())...)
}

// untilDone repeats the request as a client should: until it has an answer that
// is not "in progress" or an error of the server.
func (s scene) untilDone(t *testing.T) *testkit.Response {
	t.Helper()
	var r *testkit.Response
	testkit.Eventually(t, "the key works again", func() bool {
		r = s.post(t)
		return r.Status == 201
	})
	return r
}

type crash func(*testing.T, scene)

// crashAt kills the server while its statement waits at a point. What it has
// sent, the database may still carry out; with the database's process dead too
// it does not.
func crashAt(at testkit.Point, databaseToo bool) crash {
	return func(t *testing.T, s scene) {
		t.Helper()
		fault := s.key.Server.Database.Strike(t, s.idem, at, testkit.Holds)
		gone := testkit.Async(func() *testkit.Response { return s.post(t) })
		pids := fault.AwaitHeld(t, 1)
		s.server.Kill(t)
		gone()
		if databaseToo {
			s.key.Server.Database.Terminate(t, pids...)
			awaitGone(t, s.key.Server.Database, pids)
		}
		fault.Lift(t)
	}
}

func awaitGone(t *testing.T, d *testkit.Database, pids []int32) {
	t.Helper()
	testkit.Eventually(t, "the database's process is gone", func() bool {
		return testkit.Value[int](t, d, "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY ($1)", pids) == 0
	})
}

// crashInHandler kills the server while its handler waits for a row.
func crashInHandler(t *testing.T, s scene) {
	t.Helper()
	d := s.key.Server.Database
	conn, release := d.Lock(t, "SELECT FROM clients WHERE id = $1 FOR UPDATE", s.client)
	gone := testkit.Async(func() *testkit.Response { return s.post(t) })
	pids := d.AwaitWaiting(t, conn, 1)
	s.server.Kill(t)
	gone()
	release()
	awaitGone(t, d, pids)
}

// crashAfterCommit stops the server while it commits, lets the database finish,
// and kills the server before it has learnt of it.
func crashAfterCommit(t *testing.T, s scene) {
	t.Helper()
	fault := s.key.Server.Database.Strike(t, s.idem, testkit.AtCompletion, testkit.Holds)
	gone := testkit.Async(func() *testkit.Response { return s.post(t) })
	fault.AwaitHeld(t, 1)
	s.server.Signal(t, syscall.SIGSTOP)
	fault.Lift(t)
	testkit.Eventually(t, "the work is committed", func() bool { return s.key.State(t, s.idem) == "done" })
	s.server.Kill(t)
	if r := gone(); r.Status != 0 {
		t.Fatalf("a response came: %s", r)
	}
}

// endConnection takes only the connection from under a request.
func endConnection(t *testing.T, s scene) {
	t.Helper()
	fault := s.key.Server.Database.Strike(t, s.idem, testkit.AtCompletion, testkit.EndsConnection)
	s.post(t).WantProblem(t, 503, "service_unavailable")
	fault.Lift(t)
	s.server.Kill(t)
}

// TestKill_LosesAndDoublesNothingAtRandomInstants kills two servers on one
// database, and processes of the database, again and again under load. In the
// end every key has exactly one effect.
func TestKill_LosesAndDoublesNothingAtRandomInstants(t *testing.T) {
	t.Parallel()
	const (
		rounds  = 6
		workers = 6
	)
	d := testkit.NewDurableDatabase(t)
	servers := []*testkit.Process{testkit.StartProcess(t, d, crashEnv...), testkit.StartProcess(t, d, crashEnv...)}
	key := servers[0].Tenant(t).Key(t)
	post := func(server int, idem string) *testkit.Response {
		return key.On(servers[server].Server).Post(t, "/clients", testkit.M{"name": "Ana", "external_id": idem},
			testkit.Key(idem), testkit.MayFail())
	}
	var acknowledged, all []string
	for round := range rounds {
		l := newLoad(workers, func(try int, idem string) bool { return post(try%len(servers), idem).Status == 201 })
		l.awaitSome(t, 10)
		pause(time.Duration(rand.IntN(150)) * time.Millisecond)
		victim := servers[round%len(servers)]
		if round%4 == 3 {
			killDatabaseProcess(t, d)
			d.AwaitUp(t)
		} else {
			victim.Kill(t)
			victim.Restart(t)
		}
		sent, answered := l.stop()
		all, acknowledged = append(all, sent...), append(acknowledged, answered...)
	}

	for i, idem := range all {
		testkit.Eventually(t, "the key works again", func() bool { return post(i%len(servers), idem).Status == 201 })
	}

	stored := testkit.Column[string](t, d, "SELECT external_id FROM clients WHERE tenant_id = $1 ORDER BY 1", key.Tenant.ID)
	slices.Sort(all)
	if !slices.Equal(stored, all) {
		t.Errorf("%d keys (%d acknowledged before the end) have %d effects", len(all), len(acknowledged), len(stored))
	}
	t.Logf("%d keys, %d answered before they were repeated", len(all), len(acknowledged))
}

// killDatabaseProcess kills one of the database's processes, which makes it
// restart and recover.
func killDatabaseProcess(t *testing.T, d *testkit.Database) {
	t.Helper()
	pids := testkit.Column[int32](t, d, `SELECT pid FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'testkit' ORDER BY random() LIMIT 1`)
	for _, pid := range pids {
		if err := syscall.Kill(int(pid), syscall.SIGKILL); err != nil {
			t.Errorf("kill the database's process: %v", err)
		}
	}
}

// load is workers that send requests with new keys, each until it is answered or
// the worker is stopped.
type load struct {
	done chan struct{}
	all  sync.WaitGroup
	n    atomic.Int64

	mu             sync.Mutex
	sent, answered []string
}

func newLoad(workers int, send func(try int, idem string) bool) *load {
	l := &load{done: make(chan struct{})}
	for worker := range workers {
		l.all.Go(func() {
			for !l.stopped() {
				l.one(worker, send)
			}
		})
	}
	return l
}

// one sends one request, to another server at each try.
func (l *load) one(worker int, send func(try int, idem string) bool) {
	idem, ok := testkit.NewKey(), false
	for try := worker; !ok && !l.stopped(); try++ {
		ok = send(try, idem)
		if !ok {
			pause(10 * time.Millisecond)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, idem)
	if ok {
		l.answered = append(l.answered, idem)
		l.n.Add(1)
	}
}

func (l *load) stopped() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

func (l *load) awaitSome(t *testing.T, n int64) {
	t.Helper()
	testkit.Eventually(t, "requests are answered", func() bool { return l.n.Load() >= n })
}

func (l *load) stop() (sent, answered []string) {
	close(l.done)
	l.all.Wait()
	return l.sent, l.answered
}

// pause lets a moment pass that no outcome depends on: before a kill at a random
// instant, and between the tries of a client.
func pause(d time.Duration) { <-time.After(d) }
