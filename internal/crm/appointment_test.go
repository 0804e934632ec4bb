package crm_test

import (
	"slices"
	"testing"

	"fatureihoje/internal/testkit"
)

// at are the times of an appointment on 2 March 2026, in São Paulo.
func at(from, to string) testkit.M {
	return testkit.M{"starts_at": "2026-03-02T" + from + ":00-03:00", "ends_at": "2026-03-02T" + to + ":00-03:00"}
}

func wantSlotTaken(t testing.TB, r *testkit.Response) {
	t.Helper()
	r.WantProblem(t, 409, "conflict")
	if r.Text("reason") != "slot_taken" {
		t.Fatalf("want slot_taken, got %s", r)
	}
}

func TestCreateAppointment_KeepsEveryMemberAcrossMidnight(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	client := makeClient(t, key)

	made := makeAppointment(t, key, testkit.M{
		"starts_at": "2026-03-01T23:30:00.123456789-03:00", "ends_at": "2026-03-02T23:30:00.123456-03:00", "client_id": client,
		"assignee_member_id": key.Tenant.Owner.ID, "location": "Av. Paulista, 1000", "notes": "Levar nota", "external_id": "A1",
	}).Want(t, 201)

	got := key.Get(t, "/appointments/"+made.ID()).Want(t, 200)
	if string(got.Body) != string(made.Body) {
		t.Errorf("made %s\nread %s", made, got)
	}
	for member, want := range map[string]string{
		"starts_at": "2026-03-02T02:30:00.123456Z", "ends_at": "2026-03-03T02:30:00.123456Z", "status": "scheduled", "client_id": client,
		"location": "Av. Paulista, 1000", "allow_overlap": "false", "assignee_member_id": key.Tenant.Owner.ID.String(),
	} {
		if got.Text(member) != want {
			t.Errorf("%s: want %q, got %q", member, want, got.Text(member))
		}
	}
	if made.Header.Get("Location") != "/public/v1/appointments/"+made.ID() {
		t.Errorf("headers: %v", made.Header)
	}
}

func TestCreateAppointment_RefusesWhatIsNoSpan(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, foreign := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	gone := key.Tenant.Member(t)
	gone.SetActive(t, false)
	before := key.Tenant.Snapshot(t)

	makeAppointment(t, key, at("14:00", "14:00")).WantFieldErrors(t, "/ends_at not_after_start")
	makeAppointment(t, key, at("14:00", "13:00")).WantFieldErrors(t, "/ends_at not_after_start")
	makeAppointment(t, key, testkit.M{"ends_at": "2026-03-03T14:00:00.000001-03:00"}).WantFieldErrors(t, "/ends_at span_too_long")
	makeAppointment(t, key, testkit.M{"starts_at": nil, "ends_at": "amanhã", "service_order": 1}).
		WantFieldErrors(t, "/starts_at null", "/ends_at instant", "/service_order unknown_member")
	key.Post(t, "/appointments", testkit.M{}).WantFieldErrors(t, "/title required", "/starts_at required", "/ends_at required")
	makeAppointment(t, key, testkit.M{"assignee_member_id": gone.ID, "client_id": makeClient(t, foreign)}).
		WantFieldErrors(t, "/assignee_member_id inactive_member", "/client_id unknown_reference")
	makeAppointment(t, key, testkit.M{"assignee_member_id": foreign.Tenant.Owner.ID}).WantFieldErrors(t, "/assignee_member_id unknown_reference")

	key.Tenant.Snapshot(t).WantSame(t, before)
}

func TestAppointments_NameAServiceOfTheCatalogue(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, foreign := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	makeService := func(key *testkit.Client) string {
		return key.Post(t, "/services", testkit.M{"name": "Revisão", "price_cents": 15000}).Want(t, 201).ID()
	}
	service, archived := makeService(key), makeService(key)
	key.Post(t, "/services/"+archived+"/archive", nil).Want(t, 200)

	for id, code := range map[string]string{archived: "archived_reference", makeService(foreign): "unknown_reference", testkit.RandomID(): "unknown_reference"} {
		makeAppointment(t, key, testkit.M{"service_id": id}).WantFieldErrors(t, "/service_id "+code)
	}
	made := makeAppointment(t, key, testkit.M{"service_id": service}).Want(t, 201)
	if used := key.Delete(t, "/services/"+service).WantProblem(t, 409, "resource_in_use"); used.Text("used_by") != "appointments" {
		t.Errorf("used by: %s", used)
	}
	key.Post(t, "/services/"+service+"/archive", nil).Want(t, 200)
	kept := key.Patch(t, "/appointments/"+made.ID(), testkit.M{"title": "B", "service_id": service}).Want(t, 200)
	if kept.Text("service_id") != service {
		t.Errorf("kept: %s", kept)
	}
	key.Patch(t, "/appointments/"+made.ID(), testkit.M{"service_id": nil}).Want(t, 200)
	key.Delete(t, "/services/"+service).Want(t, 204)
}

func TestAppointments_OfOneMemberDoNotOverlapWhileTheyLive(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	assignee := testkit.M{"assignee_member_id": key.Tenant.Owner.ID}
	first := makeAppointment(t, key, assignee, at("14:00", "15:00")).Want(t, 201).ID()

	for _, span := range [][2]string{{"14:00", "15:00"}, {"13:30", "14:01"}, {"14:59", "16:00"}, {"14:15", "14:30"}, {"10:00", "20:00"}} {
		wantSlotTaken(t, makeAppointment(t, key, assignee, at(span[0], span[1])))
	}
	wantSlotTaken(t, makeAppointment(t, key, assignee, testkit.M{"starts_at": "2026-03-01T15:00:00-03:00", "ends_at": "2026-03-02T14:30:00-03:00"}))
	makeAppointment(t, key, assignee, at("13:00", "14:00")).Want(t, 201)
	makeAppointment(t, key, assignee, at("15:00", "16:00")).Want(t, 201)
	makeAppointment(t, key, at("14:00", "15:00")).Want(t, 201)
	makeAppointment(t, key, at("14:00", "15:00")).Want(t, 201)
	makeAppointment(t, key, testkit.M{"assignee_member_id": key.Tenant.Member(t).ID}, at("14:00", "15:00")).Want(t, 201)
	makeAppointment(t, other, testkit.M{"assignee_member_id": other.Tenant.Owner.ID}, at("14:00", "15:00")).Want(t, 201)
	makeAppointment(t, key, assignee, at("14:00", "15:00"), testkit.M{"allow_overlap": true}).Want(t, 201)
	moveThrough(t, key, "/appointments/"+first, "confirmed")
	wantSlotTaken(t, makeAppointment(t, key, assignee, at("14:00", "15:00")))
	moveThrough(t, key, "/appointments/"+first, "completed")

	makeAppointment(t, key, assignee, at("14:00", "15:00")).Want(t, 201)
}

func TestUpdateAppointment_ChecksTheSlotAnew(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	owner, colleague := key.Tenant.Owner.ID, key.Tenant.Member(t).ID
	makeAppointment(t, key, testkit.M{"assignee_member_id": owner}, at("14:00", "15:00")).Want(t, 201)
	mine := "/appointments/" + makeAppointment(t, key, testkit.M{"assignee_member_id": owner}, at("15:00", "16:00")).Want(t, 201).ID()
	theirs := "/appointments/" + makeAppointment(t, key, testkit.M{"assignee_member_id": colleague}, at("14:30", "15:30")).Want(t, 201).ID()
	free := "/appointments/" + makeAppointment(t, key, testkit.M{"assignee_member_id": owner, "allow_overlap": true}, at("14:00", "15:00")).Want(t, 201).ID()

	wantSlotTaken(t, key.Patch(t, mine, testkit.M{"starts_at": "2026-03-02T14:30:00-03:00"}))
	wantSlotTaken(t, key.Patch(t, theirs, testkit.M{"assignee_member_id": owner}))
	wantSlotTaken(t, key.Patch(t, free, testkit.M{"allow_overlap": false}))
	wantSlotTaken(t, key.Patch(t, free, testkit.M{"allow_overlap": nil}))
	key.Patch(t, mine, testkit.M{"starts_at": "2026-03-02T15:10:00-03:00", "ends_at": "2026-03-02T15:50:00-03:00"}).Want(t, 200)
	key.Patch(t, mine, testkit.M{"starts_at": "2026-03-02T15:10:00-03:00", "title": "B"}).Want(t, 200)
	key.Patch(t, mine, testkit.M{"starts_at": "2026-03-02T14:30:00-03:00", "allow_overlap": true}).Want(t, 200)
	key.Patch(t, theirs, testkit.M{"assignee_member_id": nil}).Want(t, 200)

	key.Patch(t, mine, testkit.M{"starts_at": "2026-03-02T19:00:00-03:00"}).WantFieldErrors(t, "/starts_at not_after_start")
	key.Patch(t, mine, testkit.M{"ends_at": "2026-03-09T19:00:00-03:00"}).WantFieldErrors(t, "/ends_at span_too_long")
	key.Patch(t, mine, testkit.M{"ends_at": nil, "title": nil, "status": "completed"}).
		WantFieldErrors(t, "/ends_at null", "/title null", "/status unknown_member")
	key.Patch(t, "/appointments/"+testkit.RandomID(), testkit.M{"allow_overlap": true}).WantProblem(t, 404, "not_found")
}

func TestUpdateAppointment_KeepsAnAssigneeWhoHasBeenDeactivated(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	member, client := key.Tenant.Member(t), makeClient(t, key)
	path := "/appointments/" + makeAppointment(t, key, testkit.M{"assignee_member_id": member.ID, "client_id": client}).Want(t, 201).ID()
	other := "/appointments/" + makeAppointment(t, key).Want(t, 201).ID()
	member.SetActive(t, false)
	archive(t, key, client)

	key.Patch(t, path, with(at("18:00", "19:00"), testkit.M{"assignee_member_id": member.ID, "client_id": client})).Want(t, 200)
	key.Patch(t, other, testkit.M{"assignee_member_id": member.ID, "client_id": client}).
		WantFieldErrors(t, "/assignee_member_id inactive_member", "/client_id archived_reference")
}

func TestChangeAppointmentStatus_FollowsTheMachine(t *testing.T) {
	t.Parallel()
	machine{
		make: makeAppointment, base: "/appointments",
		way: map[string][]string{
			"scheduled": nil, "confirmed": {"confirmed"}, "completed": {"confirmed", "completed"}, "cancelled": {"cancelled"}, "no_show": {"no_show"},
		},
		allowed: map[string]string{
			"scheduled": `["confirmed","cancelled","no_show"]`, "confirmed": `["completed","cancelled","no_show"]`,
			"completed": `[]`, "cancelled": `[]`, "no_show": `[]`,
		},
	}.tryAll(t)
}

func TestUpdateAppointment_ThatHasEndedTakesNotesMetadataAndExternalIDOnly(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	path := "/appointments/" + makeAppointment(t, key, testkit.M{"assignee_member_id": key.Tenant.Owner.ID}).Want(t, 201).ID()
	key.Patch(t, path, testkit.M{"title": "Confirmada também muda"}).Want(t, 200)
	key.Post(t, path+"/status", testkit.M{"status": "no_show", "reason": "Não atendeu"}).Want(t, 200)

	refused := key.Patch(t, path, testkit.M{"title": "B", "ends_at": "2026-03-02T15:00:00-03:00", "notes": "x"})

	wantRefused(t, refused, "no_show", `[]`)
	if got := refused.FieldErrors(t); !slices.Equal(got, []string{"/title frozen", "/ends_at frozen"}) {
		t.Errorf("errors: %v", got)
	}
	key.Patch(t, path, testkit.M{"notes": "Ligar", "metadata": testkit.M{"a": "1"}, "external_id": "A1"}).Want(t, 200)
	if entries := key.Get(t, path+"/history").Want(t, 200).Data(t); len(entries) != 1 || entries[0]["reason"] != "Não atendeu" {
		t.Errorf("history: %v", entries)
	}
	key.Delete(t, path).Want(t, 204)
	key.Get(t, path).WantProblem(t, 404, "not_found")
}

func TestListAppointments_FiltersAndSortsByStart(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	client := makeClient(t, key)
	late := makeAppointment(t, key, at("20:00", "21:00"), testkit.M{"client_id": client}).Want(t, 201).ID()
	early := makeAppointment(t, key, at("08:00", "09:00"), testkit.M{"assignee_member_id": key.Tenant.Owner.ID}).Want(t, 201).ID()
	night := makeAppointment(t, key, testkit.M{"starts_at": "2026-03-02T23:30:00-03:00", "ends_at": "2026-03-03T00:30:00-03:00"}).Want(t, 201).ID()
	moveThrough(t, key, "/appointments/"+early, "confirmed")
	makeAppointment(t, other).Want(t, 201)

	for query, want := range map[string][]string{
		"sort=starts_at&order=asc": {early, late, night}, "sort=starts_at": {night, late, early}, "order=asc": {late, early, night},
		"status=confirmed": {early}, "client_id=" + client: {late}, "client_id=" + testkit.RandomID(): nil,
		"assignee_member_id=" + key.Tenant.Owner.ID.String():                                                 {early},
		"assignee_member_id=" + other.Tenant.Owner.ID.String():                                               nil,
		"sort=starts_at&order=asc&starts_from=2026-03-02T00:00:00-03:00&starts_to=2026-03-03T00:00:00-03:00": {early, late, night},
		"starts_from=2026-03-03T00:00:00Z":                                                                   {night}, "starts_to=2026-03-02T11:00:00Z": nil, "starts_from=2026-03-02T20:00:00-03:00&order=asc": {late, night},
	} {
		if got := ids(key.All(t, "/appointments?"+query)); !slices.Equal(got, want) {
			t.Errorf("%s: want %v, got %v", query, want, got)
		}
	}
	first := key.Get(t, "/appointments?sort=starts_at&order=asc&limit=1").Want(t, 200)
	second := key.Get(t, "/appointments?sort=starts_at&order=asc&limit=2&cursor="+first.Text("next_cursor")).Want(t, 200)
	if got := append(ids(first.Data(t)), ids(second.Data(t))...); !slices.Equal(got, []string{early, late, night}) {
		t.Errorf("page by page: %v", got)
	}
}
