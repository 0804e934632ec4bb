package crm_test

import (
	"maps"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// with returns base changed by the given members.
func with(base testkit.M, members ...testkit.M) testkit.M {
	m := maps.Clone(base)
	for _, more := range members {
		maps.Copy(m, more)
	}
	return m
}

func makeLead(t testing.TB, key *testkit.Client, members ...testkit.M) *testkit.Response {
	t.Helper()
	return key.Post(t, "/leads", with(testkit.M{"name": "Bruno Lima"}, members...))
}

func makeTask(t testing.TB, key *testkit.Client, members ...testkit.M) *testkit.Response {
	t.Helper()
	return key.Post(t, "/tasks", with(testkit.M{"title": "Enviar o orçamento"}, members...))
}

func makeAppointment(t testing.TB, key *testkit.Client, members ...testkit.M) *testkit.Response {
	t.Helper()
	return key.Post(t, "/appointments", with(testkit.M{
		"title": "Visita técnica", "starts_at": "2026-03-02T14:00:00-03:00", "ends_at": "2026-03-02T15:00:00-03:00",
	}, members...))
}

func makeClient(t testing.TB, key *testkit.Client) string {
	t.Helper()
	return key.Post(t, "/clients", testkit.M{"name": "Ana Souza"}).Want(t, 201).ID()
}

func archive(t testing.TB, key *testkit.Client, clientID string) {
	t.Helper()
	key.Post(t, "/clients/"+clientID+"/archive", nil).Want(t, 200)
}

// move changes a record's status; path is the record's.
func move(t testing.TB, key *testkit.Client, path, status string) *testkit.Response {
	t.Helper()
	return key.Post(t, path+"/status", testkit.M{"status": status})
}

// moveThrough walks a record along statuses.
func moveThrough(t testing.TB, key *testkit.Client, path string, statuses ...string) {
	t.Helper()
	for _, status := range statuses {
		body := testkit.M{"status": status}
		if status == "lost" {
			body["lost_reason"] = "Preço"
		}
		key.Post(t, path+"/status", body).Want(t, 200)
	}
}

// wantRefused stops the test unless r names the status now and what it allows.
func wantRefused(t testing.TB, r *testkit.Response, current, allowed string) {
	t.Helper()
	r.WantProblem(t, 409, "invalid_state")
	if got := r.Text("allowed"); r.Text("current") != current || got != allowed {
		t.Fatalf("want %s, which allows %s; got %s", current, allowed, r)
	}
}

// steps lists a record's history, oldest first, as "from→to action".
func steps(t testing.TB, key *testkit.Client, path string) []string {
	t.Helper()
	var list []string
	for _, e := range key.Get(t, path+"/history?order=asc").Want(t, 200).Data(t) {
		from, _ := e["from"].(string)
		list = append(list, from+"→"+e["to"].(string)+" "+e["action"].(string))
	}
	return list
}

func ids(objects []testkit.M) []string {
	list := make([]string, len(objects))
	for i, o := range objects {
		list[i] = o["id"].(string)
	}
	return list
}

// machine is a resource's states as the specification draws them: what each
// status may become, and a way to get there.
type machine struct {
	make    func(testing.TB, *testkit.Client, ...testkit.M) *testkit.Response
	base    string
	way     map[string][]string
	allowed map[string]string // as JSON
}

// tryAll tries each status from each: what is not allowed is refused, naming
// what is, and changes nothing.
func (m machine) tryAll(t *testing.T) {
	t.Helper()
	srv := testkit.New(t)
	for from, way := range m.way {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			key := srv.For(t).Tenant(t).Key(t)
			for to := range m.way {
				path := m.base + "/" + m.make(t, key).Want(t, 201).ID()
				moveThrough(t, key, path, way...)
				body := testkit.M{"status": to}
				if to == "lost" {
					body["lost_reason"] = "Preço"
				}
				before := key.Tenant.Snapshot(t)

				got := key.Post(t, path+"/status", body)

				if contains(t, m.allowed[from], to) {
					got.Want(t, 200)
					if got.Text("status") != to {
						t.Errorf("%s to %s: %s", from, to, got)
					}
					continue
				}
				wantRefused(t, got, from, m.allowed[from])
				key.Tenant.Snapshot(t).WantSame(t, before)
			}
		})
	}
}
