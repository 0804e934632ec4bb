package crm_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/testkit"
)

func TestCreateTask_KeepsEveryMemberAndTheOrderOfItsChecklist(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := makeClient(t, key)

	made := makeTask(t, key, testkit.M{
		"description": "Com frete", "due_at": "2026-03-01T23:30:00-03:00", "priority": "high", "assignee_member_id": key.Tenant.Owner.ID,
		"client_id": client, "checklist": []testkit.M{{"title": "Zinco", "done": true}, {"title": "Aço"}, {"title": "Zinco"}},
		"external_id": "T1", "metadata": testkit.M{"a": "1"},
	}).Want(t, 201)

	got := key.Get(t, "/tasks/"+made.ID()).Want(t, 200)
	if string(got.Body) != string(made.Body) {
		t.Errorf("made %s\nread %s", made, got)
	}
	for member, want := range map[string]string{
		"due_at": "2026-03-02T02:30:00Z", "status": "open", "priority": "high", "client_id": client, "lead_id": "", "done_at": "",
		"checklist": `[{"done":true,"title":"Zinco"},{"done":false,"title":"Aço"},{"done":false,"title":"Zinco"}]`,
	} {
		if got.Text(member) != want {
			t.Errorf("%s: want %q, got %q", member, want, got.Text(member))
		}
	}
	plain := makeTask(t, key).Want(t, 201)
	if plain.Text("priority") != "normal" || plain.Text("checklist") != "[]" || plain.Text("overdue") != "false" {
		t.Errorf("defaults: %s", plain)
	}
	makeTask(t, key, testkit.M{"external_id": "T1"}).WantProblem(t, 409, "already_exists")
}

func TestCreateTask_NamesAllErrorsAtOnce(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, foreign := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	archived := makeClient(t, key)
	archive(t, key, archived)
	before := key.Tenant.Snapshot(t)

	key.Post(t, "/tasks", testkit.M{
		"title": strings.Repeat("t", 201), "description": strings.Repeat("d", 5001), "due_at": "2026-03-01", "priority": "urgent",
		"checklist": []testkit.M{{"done": true}, {"title": "", "done": nil}, {"title": strings.Repeat("t", 201), "note": "x"}}, "overdue": true,
	}).WantFieldErrors(t, "/title too_long", "/description too_long", "/due_at instant", "/priority enum", "/checklist/0/title required",
		"/checklist/1/title required", "/checklist/1/done null", "/checklist/2/title too_long", "/checklist/2/note unknown_member", "/overdue unknown_member")
	makeTask(t, key, testkit.M{"checklist": slices.Repeat([]testkit.M{{"title": "x"}}, 51)}).WantFieldErrors(t, "/checklist too_many_items")
	makeTask(t, key, testkit.M{"client_id": archived, "assignee_member_id": foreign.Tenant.Owner.ID}).
		WantFieldErrors(t, "/client_id archived_reference", "/assignee_member_id unknown_reference")
	makeTask(t, key, testkit.M{"lead_id": makeLead(t, foreign).Want(t, 201).ID()}).WantFieldErrors(t, "/lead_id unknown_reference")
	makeTask(t, key, testkit.M{"client_id": makeClient(t, foreign)}).WantFieldErrors(t, "/client_id unknown_reference")

	key.Tenant.Snapshot(t).WantSame(t, before)
}

func TestTasks_ReferToOneRecordAtMost(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client, lead := makeClient(t, key), makeLead(t, key).Want(t, 201).ID()

	makeTask(t, key, testkit.M{"client_id": client, "lead_id": lead}).WantFieldErrors(t, "/lead_id second_link")
	task := "/tasks/" + makeTask(t, key, testkit.M{"lead_id": lead}).Want(t, 201).ID()
	key.Patch(t, task, testkit.M{"client_id": client}).WantFieldErrors(t, "/client_id second_link")
	got := key.Patch(t, task, testkit.M{"client_id": client, "lead_id": nil}).Want(t, 200)

	if got.Text("client_id") != client || got.Text("lead_id") != "" {
		t.Errorf("linked to the client: %s", got)
	}
	archive(t, key, client)
	key.Patch(t, task, testkit.M{"title": "B", "client_id": client}).Want(t, 200)
	if used := key.Delete(t, "/clients/"+client).WantProblem(t, 409, "resource_in_use"); used.Text("used_by") != "tasks" {
		t.Errorf("used by: %s", used)
	}
}

func TestUpdateTask_TellsAbsentFromNull(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	task := "/tasks/" + makeTask(t, key, testkit.M{
		"description": "x", "due_at": "2026-03-01T12:00:00Z", "priority": "high", "checklist": []testkit.M{{"title": "a"}},
	}).Want(t, 201).ID()

	same := key.Patch(t, task, testkit.M{}).Want(t, 200)
	if same.Text("checklist") != `[{"done":false,"title":"a"}]` || same.Text("priority") != "high" {
		t.Errorf("an empty PATCH: %s", same)
	}
	replaced := key.Patch(t, task, testkit.M{"checklist": []testkit.M{{"title": "b", "done": true}, {"title": "a"}}}).Want(t, 200)
	if replaced.Text("checklist") != `[{"done":true,"title":"b"},{"done":false,"title":"a"}]` {
		t.Errorf("replaced: %s", replaced)
	}
	cleared := key.Patch(t, task, testkit.M{"description": nil, "due_at": nil, "priority": nil, "checklist": nil}).Want(t, 200)

	for member, want := range map[string]string{"description": "", "due_at": "", "priority": "normal", "checklist": "[]"} {
		if cleared.Text(member) != want {
			t.Errorf("%s: want %q, got %s", member, want, cleared)
		}
	}
	key.Patch(t, task, testkit.M{"title": nil, "status": "done"}).WantFieldErrors(t, "/title null", "/status unknown_member")
	key.Patch(t, task, testkit.M{"title": "B"}, testkit.Header("If-Match", same.Header.Get("ETag"))).WantProblem(t, 412, "precondition_failed")
}

func TestChangeTaskStatus_FollowsTheMachine(t *testing.T) {
	t.Parallel()
	machine{
		make: makeTask, base: "/tasks",
		way: map[string][]string{"open": nil, "in_progress": {"in_progress"}, "done": {"in_progress", "done"}, "cancelled": {"cancelled"}},
		allowed: map[string]string{
			"open": `["in_progress","cancelled"]`, "in_progress": `["done","cancelled"]`, "done": `["open"]`, "cancelled": `["open"]`,
		},
	}.tryAll(t)
}

func TestChangeTaskStatus_KeepsWhenItWasDone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 15, 4, 5, 0, time.UTC)
	key := testkit.New(t, testkit.WithClock(clock.NewFake(now))).Tenant(t).Key(t)
	task := "/tasks/" + makeTask(t, key).Want(t, 201).ID()
	moveThrough(t, key, task, "in_progress")

	done := move(t, key, task, "done").Want(t, 200)
	if done.Text("done_at") != "2026-03-02T15:04:05Z" {
		t.Errorf("done: %s", done)
	}
	wantRefused(t, key.Patch(t, task, testkit.M{"title": "B", "metadata": testkit.M{"a": "1"}}), "done", `["open"]`)
	key.Patch(t, task, testkit.M{"description": "Feita em casa", "metadata": testkit.M{"a": "1"}, "external_id": "T1"}).Want(t, 200)
	open := move(t, key, task, "open").Want(t, 200)

	if open.Text("done_at") != "" {
		t.Errorf("open again: %s", open)
	}
	if got := steps(t, key, task); !slices.Equal(got, []string{"open→in_progress in_progress", "in_progress→done done", "done→open open"}) {
		t.Errorf("history: %v", got)
	}
}

func TestTasks_AreOverdueFromTheirInstantOnWhilePending(t *testing.T) {
	t.Parallel()
	c := clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	key := testkit.New(t, testkit.WithClock(c)).Tenant(t).Key(t)
	due := makeTask(t, key, testkit.M{"due_at": "2026-03-01T23:30:00-03:00"}).Want(t, 201).ID() // 02:30 of the next day in UTC
	done := makeTask(t, key, testkit.M{"due_at": "2026-03-01T10:00:00-03:00"}).Want(t, 201).ID()
	moveThrough(t, key, "/tasks/"+done, "in_progress", "done")
	undated := makeTask(t, key).Want(t, 201).ID()

	overdue := func(value string) []string { return ids(key.All(t, "/tasks?order=asc&overdue="+value)) }
	c.Set(time.Date(2026, 3, 2, 2, 30, 0, 0, time.UTC))
	if got := key.Get(t, "/tasks/"+due).Want(t, 200); got.Text("overdue") != "false" || len(overdue("true")) != 0 {
		t.Errorf("at its instant: %s", got)
	}
	c.Advance(time.Microsecond)
	if got := key.Get(t, "/tasks/"+due).Want(t, 200); got.Text("overdue") != "true" {
		t.Errorf("after it: %s", got)
	}
	if got := overdue("true"); !slices.Equal(got, []string{due}) {
		t.Errorf("overdue: %v", got)
	}
	if got := overdue("false"); !slices.Equal(got, []string{done, undated}) {
		t.Errorf("not overdue: %v", got)
	}
	if got := ids(key.All(t, "/tasks?order=asc&due_from=2026-03-01T00:00:00-03:00&due_to=2026-03-02T00:00:00-03:00")); !slices.Equal(got, []string{due, done}) {
		t.Errorf("due on the first of March in São Paulo: %v", got)
	}
	if got := ids(key.All(t, "/tasks?due_from=2026-03-02T00:00:00Z&due_to=2026-03-03T00:00:00Z")); !slices.Equal(got, []string{due}) {
		t.Errorf("due on the second of March in UTC: %v", got)
	}
	key.Get(t, "/tasks?overdue=yes&due_from=2026-03-02").WantFieldErrors(t, "?overdue type", "?due_from instant")
}

func TestListTasks_FiltersByEachLink(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	client, lead := makeClient(t, key), makeLead(t, key).Want(t, 201).ID()
	ofClient := makeTask(t, key, testkit.M{"client_id": client}).Want(t, 201).ID()
	ofLead := makeTask(t, key, testkit.M{"lead_id": lead, "assignee_member_id": key.Tenant.Owner.ID}).Want(t, 201).ID()
	moveThrough(t, key, "/tasks/"+ofLead, "cancelled")
	foreign := makeLead(t, other).Want(t, 201).ID()
	makeTask(t, other, testkit.M{"lead_id": foreign}).Want(t, 201)

	for query, want := range map[string][]string{
		"client_id=" + client: {ofClient}, "lead_id=" + lead: {ofLead}, "status=cancelled": {ofLead}, "status=done": nil,
		"assignee_member_id=" + key.Tenant.Owner.ID.String(): {ofLead}, "lead_id=" + foreign: nil, "client_id=" + testkit.RandomID(): nil,
	} {
		if got := ids(key.All(t, "/tasks?"+query)); !slices.Equal(got, want) {
			t.Errorf("%s: want %v, got %v", query, want, got)
		}
	}
	key.Get(t, "/tasks?client_id=1&sort=due_at").WantFieldErrors(t, "?client_id uuid", "?sort enum")
}

func TestDeleteTask_IsAllowedInEveryStatus(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	for _, way := range [][]string{nil, {"in_progress", "done"}, {"cancelled"}} {
		task := "/tasks/" + makeTask(t, key).Want(t, 201).ID()
		moveThrough(t, key, task, way...)
		key.Delete(t, task).Want(t, 204)
		key.Get(t, task).WantProblem(t, 404, "not_found")
		move(t, key, task, "open").WantProblem(t, 404, "not_found")
	}
}
