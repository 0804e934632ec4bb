package crm_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func contains(t testing.TB, list, word string) bool {
	t.Helper()
	var words []string
	if err := json.Unmarshal([]byte(list), &words); err != nil {
		t.Fatal(err)
	}
	return slices.Contains(words, word)
}

func TestCreateLead_KeepsEveryMemberInItsNormalForm(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "leads:write", "leads:read")

	made := makeLead(t, key, testkit.M{
		"email": "bruno@example.com", "phone": "(11) 91234-5678", "company_name": "Lima Reformas", "source": "Instagram",
		"interest": "Revisão", "estimated_value_cents": 450000, "assignee_member_id": key.Tenant.Owner.ID, "notes": "Ligar à tarde",
		"external_id": "crm-1", "metadata": testkit.M{"canal": "whatsapp"},
	}).Want(t, 201)

	got := key.Get(t, "/leads/"+made.ID()).Want(t, 200)
	if string(got.Body) != string(made.Body) {
		t.Errorf("made %s\nread %s", made, got)
	}
	for member, want := range map[string]string{
		"phone": "+5511912345678", "status": "new", "estimated_value_cents": "450000", "lost_reason": "", "client_id": "",
		"assignee_member_id": key.Tenant.Owner.ID.String(), "version": "1", "metadata": `{"canal":"whatsapp"}`,
	} {
		if got.Text(member) != want {
			t.Errorf("%s: want %q, got %q", member, want, got.Text(member))
		}
	}
	if location := made.Header.Get("Location"); location != "/public/v1/leads/"+made.ID() || made.Header.Get("ETag") == "" {
		t.Errorf("headers: %v", made.Header)
	}
	makeLead(t, key, testkit.M{"external_id": "crm-1"}).WantProblem(t, 409, "already_exists")
}

func TestCreateLead_NamesAllErrorsAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	before := key.Tenant.Snapshot(t)

	key.Post(t, "/leads", testkit.M{
		"name": "\u200b", "email": "bruno", "phone": "(00) 1", "source": strings.Repeat("s", 61), "company_name": strings.Repeat("c", 121),
		"interest": strings.Repeat("i", 501), "notes": "a\u0000b", "estimated_value_cents": -1, "assignee_member_id": "abc",
		"status": "lost", "client_id": testkit.RandomID(),
	}).WantFieldErrors(t, "/name invisible", "/email email_format", "/phone phone_invalid", "/source too_long", "/company_name too_long",
		"/interest too_long", "/notes control_character", "/estimated_value_cents money_sign", "/assignee_member_id uuid",
		"/status unknown_member", "/client_id unknown_member")

	key.Post(t, "/leads", testkit.M{}).WantFieldErrors(t, "/name required")
	key.Tenant.Snapshot(t).WantSame(t, before)
}

func TestLeads_TakeOnlyActiveMembersOfTheCompanyAsAssignees(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, foreign := srv.Tenant(t).Key(t), srv.Tenant(t).Owner
	gone := key.Tenant.Member(t)
	lead := makeLead(t, key, testkit.M{"assignee_member_id": gone.ID}).Want(t, 201)
	gone.SetActive(t, false)
	before := key.Tenant.Snapshot(t)

	for id, code := range map[any]string{
		gone.ID: "inactive_member", foreign.ID: "unknown_reference", testkit.RandomID(): "unknown_reference",
	} {
		makeLead(t, key, testkit.M{"assignee_member_id": id}).WantFieldErrors(t, "/assignee_member_id "+code)
	}
	other := makeLead(t, key).Want(t, 201)
	key.Patch(t, "/leads/"+other.ID(), testkit.M{"assignee_member_id": gone.ID}).WantFieldErrors(t, "/assignee_member_id inactive_member")
	key.Delete(t, "/leads/"+other.ID()).Want(t, 204)

	key.Tenant.Snapshot(t).WantSame(t, before, "audit_log", "idempotency_keys", "request_log")
	// Who had the lead before keeps it.
	key.Patch(t, "/leads/"+lead.ID(), testkit.M{"name": "Bruno", "assignee_member_id": gone.ID}).Want(t, 200)
}

func TestUpdateLead_TellsAbsentFromNullFromZero(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	lead := makeLead(t, key, testkit.M{
		"email": "bruno@example.com", "estimated_value_cents": 100, "notes": "Ligar", "source": "Site",
		"assignee_member_id": key.Tenant.Owner.ID, "metadata": testkit.M{"a": "1", "b": "2"},
	}).Want(t, 201)

	same := key.Patch(t, "/leads/"+lead.ID(), testkit.M{}).Want(t, 200)
	if same.Text("email") != "bruno@example.com" || same.Text("version") != "2" {
		t.Errorf("an empty PATCH: %s", same)
	}
	got := key.Patch(t, "/leads/"+lead.ID(), testkit.M{
		"email": nil, "estimated_value_cents": 0, "notes": "", "assignee_member_id": nil, "metadata": testkit.M{"a": nil, "c": "3"},
	}).Want(t, 200)

	for member, want := range map[string]string{
		"email": "", "estimated_value_cents": "0", "notes": "", "source": "Site", "assignee_member_id": "", "metadata": `{"b":"2","c":"3"}`,
	} {
		if got.Text(member) != want {
			t.Errorf("%s: want %q, got %s", member, want, got)
		}
	}
	key.Patch(t, "/leads/"+lead.ID(), testkit.M{"name": nil, "status": "lost"}).WantFieldErrors(t, "/name null", "/status unknown_member")
	key.Patch(t, "/leads/"+lead.ID(), testkit.M{"name": "B"}, testkit.Header("If-Match", lead.Header.Get("ETag"))).
		WantProblem(t, 412, "precondition_failed")
	key.Patch(t, "/leads/"+lead.ID(), testkit.M{"name": "B"}, testkit.Header("If-Match", got.Header.Get("ETag"))).Want(t, 200)
	key.Delete(t, "/leads/"+lead.ID(), testkit.Header("If-Match", got.Header.Get("ETag"))).WantProblem(t, 412, "precondition_failed")
}

func TestChangeLeadStatus_FollowsTheMachine(t *testing.T) {
	t.Parallel()
	machine{
		make: makeLead, base: "/leads",
		way: map[string][]string{"new": nil, "contacted": {"contacted"}, "qualified": {"contacted", "qualified"}, "lost": {"lost"}},
		allowed: map[string]string{
			"new": `["contacted","lost","convert"]`, "contacted": `["qualified","lost","convert"]`,
			"qualified": `["lost","convert"]`, "lost": `["new"]`,
		},
	}.tryAll(t)
}

func TestChangeLeadStatus_KeepsTheReasonWhileTheLeadIsLost(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	path := "/leads/" + makeLead(t, key).Want(t, 201).ID()

	key.Post(t, path+"/status", testkit.M{"status": "lost"}).WantFieldErrors(t, "/lost_reason required")
	key.Post(t, path+"/status", testkit.M{"status": "lost", "lost_reason": " "}).WantFieldErrors(t, "/lost_reason required")
	key.Post(t, path+"/status", testkit.M{"status": "contacted", "lost_reason": "x"}).WantFieldErrors(t, "/lost_reason not_applicable")
	key.Post(t, path+"/status", testkit.M{}).WantFieldErrors(t, "/status required")
	key.Post(t, path+"/status", testkit.M{"status": "archived"}).WantFieldErrors(t, "/status enum")
	lost := key.Post(t, path+"/status", testkit.M{"status": "lost", "lost_reason": "Fechou com outra"}).Want(t, 200)
	if lost.Text("lost_reason") != "Fechou com outra" {
		t.Errorf("lost: %s", lost)
	}
	again := move(t, key, path, "new").Want(t, 200)

	if again.Text("lost_reason") != "" || again.Text("version") != "3" {
		t.Errorf("new again: %s", again)
	}
	if got := steps(t, key, path); !slices.Equal(got, []string{"new→lost lost", "lost→new new"}) {
		t.Errorf("history: %v", got)
	}
	entries := key.Get(t, path+"/history").Want(t, 200).Data(t)
	first := entries[len(entries)-1]
	actor := first["actor"].(map[string]any)
	if first["reason"] != "Fechou com outra" || actor["type"] != "api_key" || actor["id"] != key.KeyID.String() {
		t.Errorf("the first change: %v", first)
	}
	audited := testkit.Column[string](t, key.Server.Database, "SELECT action FROM audit_log WHERE tenant_id = $1 ORDER BY at", key.Tenant.ID)
	if !slices.Equal(audited, []string{"lead.created", "lead.status_changed", "lead.status_changed"}) {
		t.Errorf("audited: %v", audited)
	}
}

func TestUpdateLead_OfAFinalLeadTakesNotesMetadataAndExternalIDOnly(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	path := "/leads/" + makeLead(t, key).Want(t, 201).ID()
	moveThrough(t, key, path, "lost")

	refused := key.Patch(t, path, testkit.M{"name": "B", "email": nil, "notes": "x"})

	wantRefused(t, refused, "lost", `["new"]`)
	if got := refused.FieldErrors(t); !slices.Equal(got, []string{"/name frozen", "/email frozen"}) {
		t.Errorf("errors: %v", got)
	}
	kept := key.Patch(t, path, testkit.M{"notes": "Tentar em maio", "metadata": testkit.M{"a": "1"}, "external_id": "L1"}).Want(t, 200)
	if kept.Text("notes") != "Tentar em maio" || kept.Text("external_id") != "L1" {
		t.Errorf("kept: %s", kept)
	}
}

func TestConvertLead_MakesTheClientFromTheLead(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t, "leads:write", "clients:write", "clients:read")
	lead := makeLead(t, key, testkit.M{"email": "bruno@example.com", "phone": "11912345678", "notes": "Frota de 3"}).Want(t, 201)

	got := key.Post(t, "/leads/"+lead.ID()+"/convert", nil).Want(t, 200)

	clientID := got.Text("client_id")
	client := key.Get(t, "/clients/"+clientID).Want(t, 200)
	for member, want := range map[string]string{"name": "Bruno Lima", "email": "bruno@example.com", "phone": "+5511912345678", "notes": "Frota de 3"} {
		if client.Text(member) != want {
			t.Errorf("%s: want %q, got %s", member, want, client)
		}
	}
	embedded, _ := json.Marshal(got.JSON()["client"])
	whole, _ := json.Marshal(client.JSON())
	if string(embedded) != string(whole) {
		t.Errorf("embedded %s\nread %s", embedded, whole)
	}
	if got.Text("status") != "converted" || got.Header.Get("Location") != "/public/v1/clients/"+clientID || got.JSON()["omitted"] != nil {
		t.Errorf("converted: %v %s", got.Header, got)
	}
	wantRefused(t, key.Post(t, "/leads/"+lead.ID()+"/convert", nil), "converted", `[]`)
	wantRefused(t, move(t, key, "/leads/"+lead.ID(), "new"), "converted", `[]`)
	wantRefused(t, move(t, key, "/leads/"+lead.ID(), "converted"), "converted", `[]`)
}

func TestConvertLead_LinksAClientThatIsThere(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, foreign := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	lead, client, archived := "/leads/"+makeLead(t, key).Want(t, 201).ID(), makeClient(t, key), makeClient(t, key)
	archive(t, key, archived)
	theirs := makeClient(t, foreign)
	before := key.Tenant.Snapshot(t)

	for id, code := range map[string]string{testkit.RandomID(): "unknown_reference", theirs: "unknown_reference", archived: "archived_reference", "abc": "uuid"} {
		key.Post(t, lead+"/convert", testkit.M{"client_id": id}).WantFieldErrors(t, "/client_id "+code)
	}
	key.Tenant.Snapshot(t).WantSame(t, before)
	got := key.Post(t, lead+"/convert", testkit.M{"client_id": client}).Want(t, 200)

	if got.Text("client_id") != client || len(key.All(t, "/clients")) != 2 {
		t.Errorf("linked: %s", got)
	}
	if history := steps(t, key, lead); !slices.Equal(history, []string{"new→converted convert"}) {
		t.Errorf("history: %v", history)
	}
	if used := key.Delete(t, "/clients/"+client).WantProblem(t, 409, "resource_in_use"); used.Text("used_by") != "leads" {
		t.Errorf("used by: %s", used)
	}
}

func TestConvertLead_ShowsTheClientOnlyToWhomMayReadIt(t *testing.T) {
	t.Parallel()
	tenant := testkit.New(t).Tenant(t)
	all := tenant.Key(t)
	blind := tenant.Key(t, "leads:write", "clients:write")
	lead := makeLead(t, all).Want(t, 201).ID()

	for missing, rest := range map[string]string{"leads:write": "clients:write", "clients:write": "leads:write"} {
		got := tenant.Key(t, rest).Post(t, "/leads/"+lead+"/convert", nil).WantProblem(t, 403, "forbidden")
		if got.Text("required_permission") != missing {
			t.Errorf("want %s, got %s", missing, got)
		}
	}
	got := blind.Post(t, "/leads/"+lead+"/convert", nil).Want(t, 200)

	if _, there := got.JSON()["client"]; there || got.Text("omitted") != `["client"]` || got.Text("client_id") == "" {
		t.Errorf("without clients:read: %s", got)
	}

	// An answer that shows the client is not replayed to who may no longer see it.
	idem, other := testkit.NewKey(), makeLead(t, all).Want(t, 201).ID()
	shown := all.Post(t, "/leads/"+other+"/convert", nil, testkit.Key(idem)).Want(t, 200)
	all.SetScopes(t, "leads:write", "clients:write")
	all.Post(t, "/leads/"+other+"/convert", nil, testkit.Key(idem)).WantProblem(t, 409, "conflict")
	all.SetScopes(t, "leads:write", "clients:write", "clients:read")
	all.Post(t, "/leads/"+other+"/convert", nil, testkit.Key(idem)).WantReplayOf(t, shown)
}

func TestConvertLead_IsRefusedForALostLead(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	for _, way := range [][]string{nil, {"contacted"}, {"contacted", "qualified"}} {
		path := "/leads/" + makeLead(t, key).Want(t, 201).ID()
		moveThrough(t, key, path, way...)
		key.Post(t, path+"/convert", testkit.M{}).Want(t, 200)
	}
	lost := "/leads/" + makeLead(t, key).Want(t, 201).ID()
	moveThrough(t, key, lost, "lost")
	before := key.Tenant.Snapshot(t)

	wantRefused(t, key.Post(t, lost+"/convert", nil), "lost", `["new"]`)

	key.Tenant.Snapshot(t).WantSame(t, before)
}

func TestDeleteLead_LeavesNoTraceInSearchAndIsRefusedWhileATaskNamesIt(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	lead := makeLead(t, key).Want(t, 201).ID()
	task := makeTask(t, key, testkit.M{"lead_id": lead}).Want(t, 201).ID()

	if used := key.Delete(t, "/leads/"+lead).WantProblem(t, 409, "resource_in_use"); used.Text("used_by") != "tasks" {
		t.Errorf("used by: %s", used)
	}
	key.Delete(t, "/tasks/"+task).Want(t, 204)
	key.Delete(t, "/leads/"+lead).Want(t, 204)

	key.Get(t, "/leads/"+lead).WantProblem(t, 404, "not_found")
	key.Get(t, "/leads/"+lead+"/history").WantProblem(t, 404, "not_found")
	key.Delete(t, "/leads/"+lead).WantProblem(t, 404, "not_found")
	if n := testkit.Value[int](t, key.Server.Database, "SELECT count(*) FROM search_tokens WHERE tenant_id = $1", key.Tenant.ID); n != 0 {
		t.Errorf("%d tokens are left", n)
	}
}

func TestListLeads_FindsByBeginningsOfWordsAndByDigits(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key := srv.Tenant(t).Key(t)
	joao := makeLead(t, key, testkit.M{"name": "João d'Ávila", "company_name": "Padaria Sol", "email": "contato@avila.com.br", "phone": "(21) 99876-5432"}).Want(t, 201).ID()
	rita := makeLead(t, key, testkit.M{"name": "Rita 100%"}).Want(t, 201).ID()
	makeLead(t, srv.Tenant(t).Key(t), testkit.M{"name": "João de outra empresa"}).Want(t, 201)

	for query, want := range map[string][]string{
		"joao": {joao}, "JO%C3%83O": {joao}, "avila+padar": {joao}, "contato%40avila": {joao}, "21998": {joao}, "(21)+99876-5432": {joao},
		"998765432": {joao}, "ita": nil, "rit": {rita}, "%25": nil, "_": nil, "%5C": nil, "100%25": {rita}, "joao+rita": nil,
	} {
		if got := ids(key.All(t, "/leads?q="+query)); !slices.Equal(got, want) {
			t.Errorf("q=%s: want %v, got %v", query, want, got)
		}
	}
	key.Patch(t, "/leads/"+rita, testkit.M{"name": "Clara", "phone": "21998760000"}).Want(t, 200)
	if got := ids(key.All(t, "/leads?q=rita")); len(got) != 0 {
		t.Errorf("the old name still finds %v", got)
	}
	if got := ids(key.All(t, "/leads?q=2199876")); len(got) != 2 {
		t.Errorf("the phone finds %v", got)
	}
	key.Get(t, "/leads?q=a%00b").WantFieldErrors(t, "?q control_character")
	key.Get(t, "/leads?q="+strings.Repeat("a", 101)).WantFieldErrors(t, "?q too_long")
}

func TestListLeads_FiltersAndPages(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	var all []string
	for range 5 {
		all = append(all, makeLead(t, key, testkit.M{"assignee_member_id": key.Tenant.Owner.ID}).Want(t, 201).ID())
	}
	plain := makeLead(t, key, testkit.M{"external_id": "x"}).Want(t, 201).ID()
	moveThrough(t, key, "/leads/"+plain, "contacted")

	for query, want := range map[string][]string{
		"status=contacted": {plain}, "external_id=x": {plain}, "status=lost": nil, "order=asc": append(slices.Clone(all), plain),
		"assignee_member_id=" + key.Tenant.Owner.ID.String() + "&order=asc": all,
		"assignee_member_id=" + other.Tenant.Owner.ID.String():              nil,
		"assignee_member_id=" + testkit.RandomID():                          nil,
		"created_to=2020-01-01T00:00:00Z":                                   nil,
	} {
		if got := ids(key.All(t, "/leads?"+query)); !slices.Equal(got, want) {
			t.Errorf("%s: want %v, got %v", query, want, got)
		}
	}
	if got := ids(key.All(t, "/leads?sort=updated_at")); got[0] != plain {
		t.Errorf("by updated_at: %v", got)
	}

	first := key.Get(t, "/leads?limit=2&order=asc").Want(t, 200)
	cursor := "&cursor=" + first.Text("next_cursor")
	key.Delete(t, "/leads/"+all[1]).Want(t, 204)
	second := key.Get(t, "/leads?limit=2&order=asc"+cursor).Want(t, 200)
	if got := ids(second.Data(t)); !slices.Equal(got, all[2:4]) {
		t.Errorf("the second page: %v", got)
	}
	for _, wrong := range []string{"/leads?limit=2&order=desc", "/leads?status=new&order=asc", "/tasks?order=asc"} {
		key.Get(t, wrong+cursor).WantProblem(t, 400, "invalid_request")
	}
	other.Get(t, "/leads?limit=2&order=asc"+cursor).WantProblem(t, 400, "invalid_request")
	key.Get(t, "/leads?assignee_member_id=abc&status=all&sort=name&limit=0&assignee=x").
		WantFieldErrors(t, "?assignee_member_id uuid", "?status enum", "?sort enum", "?limit minimum", "?assignee unknown_parameter")
}
