package crm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

const parallel = 20

// tally counts responses by status and code.
func tally(all []*testkit.Response) map[string]int {
	counts := map[string]int{}
	for _, r := range all {
		counts[strings.TrimSpace(fmt.Sprintf("%d %s", r.Status, r.Code()))]++
	}
	return counts
}

// wantOneWinner stops the test unless one of all has this status and the others
// this problem.
func wantOneWinner(t testing.TB, all []*testkit.Response, status int, code string) *testkit.Response {
	t.Helper()
	counts := tally(all)
	if len(counts) != 2 || counts[fmt.Sprint(status)] != 1 || counts["409 "+code] != len(all)-1 {
		t.Fatalf("want one %d, the others 409 %s; got %v", status, code, counts)
	}
	return all[slices.IndexFunc(all, func(r *testkit.Response) bool { return r.Status == status })]
}

func TestChangeStatus_LetsOneOfExclusiveTransitionsWin(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	cases := map[string]struct {
		make     func(testing.TB, *testkit.Client, ...testkit.M) *testkit.Response
		way      []string
		statuses []string // each excludes the others
	}{
		"leads":        {makeLead, []string{"contacted"}, []string{"qualified", "qualified"}},
		"tasks":        {makeTask, []string{"in_progress"}, []string{"done", "cancelled"}},
		"appointments": {makeAppointment, []string{"confirmed"}, []string{"completed", "cancelled", "no_show"}},
	}
	for resource, c := range cases {
		t.Run(resource, func(t *testing.T) {
			t.Parallel()
			key := srv.For(t).Tenant(t).Key(t)
			path := "/" + resource + "/" + c.make(t, key).Want(t, 201).ID()
			moveThrough(t, key, path, c.way...)

			all := testkit.AtOnce(parallel, func(i int) *testkit.Response {
				return key.Post(t, path+"/status", testkit.M{"status": c.statuses[i%len(c.statuses)]}, testkit.Key(testkit.NewKey()))
			})

			won := wantOneWinner(t, all, 200, "invalid_state")
			got := key.Get(t, path).Want(t, 200)
			if got.Text("status") != won.Text("status") || got.Text("version") != "3" {
				t.Errorf("won %s\nread %s", won, got)
			}
			if history := steps(t, key, path); len(history) != 2 {
				t.Errorf("history: %v", history)
			}
		})
	}
}

func TestConvertLead_InParallelMakesOneClient(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	lead := "/leads/" + makeLead(t, key).Want(t, 201).ID()

	all := testkit.AtOnce(parallel, func(i int) *testkit.Response {
		if i%4 == 0 {
			return key.Post(t, lead+"/convert", nil)
		}
		return key.Post(t, lead+"/convert", testkit.M{}, testkit.Key(testkit.NewKey()))
	})

	won := wantOneWinner(t, all, 200, "invalid_state")
	clients := key.All(t, "/clients")
	if len(clients) != 1 || clients[0]["id"] != won.Text("client_id") {
		t.Errorf("won %s\nclients %v", won, clients)
	}
	if history := steps(t, key, lead); len(history) != 1 {
		t.Errorf("history: %v", history)
	}
}

func TestConvertLead_WithOneKeyIsReplayed(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	lead, idem := "/leads/"+makeLead(t, key).Want(t, 201).ID(), testkit.NewKey()

	first := key.Post(t, lead+"/convert", nil, testkit.Key(idem)).Want(t, 200)
	key.Post(t, lead+"/convert", testkit.M{}, testkit.Key(idem)).WantReplayOf(t, first)

	wantRefused(t, key.Post(t, lead+"/convert", nil, testkit.Key(testkit.NewKey())), "converted", `[]`)
	if clients := key.All(t, "/clients"); len(clients) != 1 {
		t.Errorf("clients: %v", clients)
	}
}

func TestConvertAndLose_AtOnceLeaveOnePath(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	lead := "/leads/" + makeLead(t, key).Want(t, 201).ID()

	all := testkit.AtOnce(parallel, func(i int) *testkit.Response {
		if i%2 == 0 {
			return key.Post(t, lead+"/convert", nil)
		}
		return key.Post(t, lead+"/status", testkit.M{"status": "lost", "lost_reason": "Preço"})
	})

	won := wantOneWinner(t, all, 200, "invalid_state")
	clients := len(key.All(t, "/clients"))
	if converted := won.Text("status") == "converted"; converted != (clients == 1) || !converted && clients != 0 {
		t.Errorf("%d clients after %s", clients, won)
	}
	if history := steps(t, key, lead); len(history) != 1 {
		t.Errorf("history: %v", history)
	}
}

func TestAppointments_ThatOverlapAtOnceTakeTheSlotOnce(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	for round := range 5 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			t.Parallel()
			key := srv.For(t).Tenant(t).Key(t)
			assignee := testkit.M{"assignee_member_id": key.Tenant.Owner.ID}

			all := testkit.AtOnce(parallel, func(i int) *testkit.Response {
				return makeAppointment(t, key, assignee, at(fmt.Sprintf("14:%02d", i), "15:00"))
			})

			wantOneWinner(t, all, 201, "conflict")
			if list := key.All(t, "/appointments"); len(list) != 1 {
				t.Errorf("appointments: %v", list)
			}
		})
	}
}

func TestAppointments_MovedIntoOneSlotAtOnceTakeItOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	owner, colleague := key.Tenant.Owner.ID, key.Tenant.Member(t).ID
	var paths []string
	for hour := range parallel {
		from := fmt.Sprintf("%02d:00", hour)
		path := "/appointments/" + makeAppointment(t, key, testkit.M{"assignee_member_id": colleague}, at(from, fmt.Sprintf("%02d:30", hour))).Want(t, 201).ID()
		paths = append(paths, path)
	}
	into := with(at("21:00", "22:00"), testkit.M{"assignee_member_id": owner})

	all := testkit.AtOnce(parallel, func(i int) *testkit.Response {
		if i%4 == 0 {
			return makeAppointment(t, key, into)
		}
		return key.Patch(t, paths[i], into)
	})

	counts := tally(all)
	if counts["200"]+counts["201"] != 1 || counts["409 conflict"] != parallel-1 {
		t.Fatalf("want one winner, got %v", counts)
	}
	if list := key.All(t, "/appointments?assignee_member_id="+owner.String()); len(list) != 1 {
		t.Errorf("in the slot: %v", list)
	}
}

// Two members swap their appointments back and forth: whoever locks whom first,
// nothing deadlocks and no answer is a 5xx.
func TestAppointments_PassedBetweenMembersAtOnceDoNotDeadlock(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	members := []testkit.Member{key.Tenant.Owner, key.Tenant.Member(t)}
	var paths []string
	for i, m := range members {
		span := at(fmt.Sprintf("%02d:00", 8+i), fmt.Sprintf("%02d:30", 8+i))
		paths = append(paths, "/appointments/"+makeAppointment(t, key, testkit.M{"assignee_member_id": m.ID}, span).Want(t, 201).ID())
	}

	all := testkit.AtOnce(parallel, func(i int) *testkit.Response {
		return key.Patch(t, paths[i%2], testkit.M{"assignee_member_id": members[(i/2)%2].ID})
	})

	if counts := tally(all); counts["200"] != parallel {
		t.Errorf("answers: %v", counts)
	}
}

// The constraint is the net: where somebody wrote without the lock, the answer
// is still the conflict.
func TestAppointments_AreKeptApartByTheConstraintToo(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	owner := key.Tenant.Owner.ID
	conn, release := key.Server.Database.Lock(t, `INSERT INTO appointments (tenant_id, id, title, starts_at, ends_at, assignee_member_id, status, created_at, updated_at, version)
		VALUES ($1, gen_random_uuid(), 'x', '2026-03-02T14:00:00-03:00', '2026-03-02T15:00:00-03:00', $2, 'scheduled', now(), now(), 1)`, key.Tenant.ID, owner)
	defer release()

	answer := testkit.Async(func() *testkit.Response {
		return makeAppointment(t, key, testkit.M{"assignee_member_id": owner})
	})
	key.Server.Database.AwaitWaiting(t, conn, 1)
	if _, err := conn.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}

	wantSlotTaken(t, answer())
}

func TestCreateTask_WaitsForAClientThatIsBeingArchived(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := makeClient(t, key)
	conn, release := key.Server.Database.Lock(t, "UPDATE clients SET status = 'archived' WHERE tenant_id = $1 AND id = $2", key.Tenant.ID, client)
	defer release()

	answer := testkit.Async(func() *testkit.Response { return makeTask(t, key, testkit.M{"client_id": client}) })
	key.Server.Database.AwaitWaiting(t, conn, 1)
	if _, err := conn.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}

	answer().WantFieldErrors(t, "/client_id archived_reference")
}
