package management_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/config"
	"fatureihoje/internal/testkit"
)

func TestMembers_OnlyOwnersAndAdminsManage(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	clerk := owner.colleague(t, "member", "clients:read")

	for _, r := range []*testkit.Response{
		clerk.Patch(t, on("/members/"+clerk.member), testkit.M{"role": "owner"}),
		clerk.Post(t, on("/members/"+owner.member+"/deactivate"), nil),
		clerk.Post(t, on("/invitations"), testkit.M{"email": newEmail(), "role": "member"}),
		clerk.Get(t, on("/invitations")),
		clerk.Get(t, on("/audit")),
		clerk.Patch(t, on("/tenant"), testkit.M{"name": "x"}),
		clerk.Post(t, on("/sandbox"), nil),
	} {
		if r.WantProblem(t, http.StatusForbidden, "forbidden").Text("required_permission") != "manage" {
			t.Errorf("got %s", r)
		}
	}
	clerk.Get(t, on("/members")).Want(t, http.StatusOK)
}

func TestMembers_OnlyAnOwnerMakesOrChangesOne(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	admin := owner.colleague(t, "admin")
	clerk := owner.colleague(t, "member", "clients:read")

	for _, r := range []*testkit.Response{
		admin.Patch(t, on("/members/"+admin.member), testkit.M{"role": "owner"}),
		admin.Patch(t, on("/members/"+owner.member), testkit.M{"role": "member"}),
		admin.Post(t, on("/members/"+owner.member+"/deactivate"), nil),
		admin.Post(t, on("/invitations"), testkit.M{"email": newEmail(), "role": "owner"}),
	} {
		if r.WantProblem(t, http.StatusForbidden, "forbidden").Text("reason") != "owner_required" {
			t.Errorf("got %s", r)
		}
	}
	admin.Patch(t, on("/members/"+clerk.member), testkit.M{"role": "admin"}).Want(t, http.StatusOK)
	owner.Patch(t, on("/members/"+admin.member), testkit.M{"role": "owner"}).Want(t, http.StatusOK)
	admin.Patch(t, on("/members/"+owner.member), testkit.M{"role": "member", "permissions": []string{"sales:read"}}).Want(t, http.StatusOK)
	owner.Get(t, on("/audit")).Want(t, http.StatusForbidden)
}

func TestMembers_PermissionsAreCheckedAndTakeEffectAtOnce(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	clerk := owner.colleague(t, "member", "clients:read")
	path := on("/members/" + clerk.member)

	owner.Patch(t, path, testkit.M{"permissions": []string{"clients:read", "manage"}}).WantFieldErrors(t, "/permissions/1 unknown_permission")
	owner.Patch(t, path, testkit.M{"role": "admin", "permissions": []string{"clients:read"}}).WantFieldErrors(t, "/permissions role_has_all")
	owner.Patch(t, path, testkit.M{"role": "chefe"}).WantFieldErrors(t, "/role enum")
	r := owner.Patch(t, path, testkit.M{"permissions": []string{"sales:write"}}).Want(t, http.StatusOK)

	if r.Text("permissions") != `["sales:write"]` || r.Text("version") != "2" {
		t.Errorf("got %s", r)
	}
	if got := clerk.Get(t, on("/me")).Text("permissions"); got != `["sales:write"]` {
		t.Errorf("the member may %s", got)
	}
	owner.Patch(t, path, testkit.M{"permissions": nil}, testkit.Header("If-Match", `"v1-0"`)).Want(t, http.StatusPreconditionFailed)
	if got := owner.Patch(t, path, testkit.M{"role": "admin"}).Want(t, http.StatusOK).Text("permissions"); got != "[]" {
		t.Errorf("an admin keeps %s", got)
	}
}

func TestMembers_DeactivationEndsSessionsAtOnce(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	clerk := owner.colleague(t, "member", "clients:read")

	r := owner.Post(t, on("/members/"+clerk.member+"/deactivate"), nil).Want(t, http.StatusOK)

	if r.Text("active") != "false" {
		t.Errorf("got %s", r)
	}
	clerk.Get(t, on("/me")).Want(t, http.StatusUnauthorized)
	s.Anonymous().Post(t, on("/refresh"), testkit.M{"refresh_token": clerk.refresh}).Want(t, http.StatusUnauthorized)
	signIn(t, s, clerk.email, password).Want(t, http.StatusUnauthorized)
	owner.Post(t, on("/members/"+clerk.member+"/deactivate"), nil).WantProblem(t, http.StatusConflict, "invalid_state")
	owner.Post(t, on("/members/"+clerk.member+"/reactivate"), nil).Want(t, http.StatusOK)
	clerk.Get(t, on("/me")).Want(t, http.StatusUnauthorized) // an ended session stays ended
	signIn(t, s, clerk.email, password).Want(t, http.StatusOK)
}

func TestMembers_TheLastOwnerStays(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	owner.colleague(t, "admin")

	for _, r := range []*testkit.Response{
		owner.Patch(t, on("/members/"+owner.member), testkit.M{"role": "admin"}),
		owner.Post(t, on("/members/"+owner.member+"/deactivate"), nil),
	} {
		if r.WantProblem(t, http.StatusConflict, "conflict").Text("reason") != "last_owner" {
			t.Errorf("got %s", r)
		}
	}
}

func TestMembers_OneOwnerStaysWhenAllLeaveAtOnce(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	for range 5 {
		owners := []person{company(t, s)}
		for range 3 {
			owners = append(owners, owners[0].colleague(t, "owner"))
		}

		testkit.AtOnce(2*len(owners), func(i int) *testkit.Response {
			p, victim := owners[i%len(owners)], owners[(i+i/len(owners))%len(owners)]
			if i%2 == 0 {
				return p.Post(t, on("/members/"+victim.member+"/deactivate"), nil)
			}
			return p.Patch(t, on("/members/"+victim.member), testkit.M{"role": "member"})
		})

		left := testkit.Value[int](t, s.Database, `SELECT count(*) FROM members WHERE tenant_id = $1 AND active AND role = 'owner'`, owners[0].tenant)
		if left != 1 {
			t.Fatalf("%d owners are left", left)
		}
	}
}

func TestMembers_OfAnotherCompanyDoNotExist(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner, foreign := company(t, s), company(t, s)

	for _, id := range []string{foreign.member, testkit.RandomID(), "abc"} {
		owner.Get(t, on("/members/"+id)).Want(t, http.StatusNotFound)
		owner.Patch(t, on("/members/"+id), testkit.M{"role": "admin"}).Want(t, http.StatusNotFound)
		owner.Post(t, on("/members/"+id+"/deactivate"), nil).Want(t, http.StatusNotFound)
	}
}

func TestInvitation_OfANewPersonAndOfOneWithASignIn(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner, other := signUp(t, s), signUp(t, s)
	accept := func(token, password string) *testkit.Response {
		return s.Anonymous().Post(t, on("/invitations/accept"), testkit.M{"token": token, "name": "Bia", "password": password})
	}

	token := owner.invite(t, other.email, "member", "clients:read")
	accept(token, "outra-senha-longa").WantProblem(t, http.StatusUnauthorized, "unauthorized")
	known := entered(t, s, other.email, accept(token, password).Want(t, http.StatusCreated))
	accept(token, password).WantFieldErrors(t, "/token token_invalid")

	newcomer := owner.colleague(t, "member", "clients:read", "sales:write")
	if got := newcomer.Get(t, on("/me")).Text("permissions"); got != `["clients:read","sales:write"]` {
		t.Errorf("the newcomer may %s", got)
	}
	if n := testkit.Value[int](t, s.Database, `SELECT count(*) FROM logins WHERE email = $1`, other.email); n != 1 {
		t.Errorf("%d sign-ins", n)
	}
	if known.tenant != owner.tenant || known.member == other.member {
		t.Errorf("entered %s as %s", known.tenant, known.member)
	}
}

func TestInvitation_OfAnActiveMemberIsRefused(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	clerk := owner.colleague(t, "member")

	r := owner.Post(t, on("/invitations"), testkit.M{"email": strings.ToUpper(clerk.email), "role": "member"})

	r.WantProblem(t, http.StatusConflict, "already_exists")
}

func TestInvitation_BringsADeactivatedMemberBack(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	clerk := owner.colleague(t, "member", "clients:read")
	owner.Post(t, on("/members/"+clerk.member+"/deactivate"), nil).Want(t, http.StatusOK)

	token := owner.invite(t, clerk.email, "admin")
	r := s.Anonymous().Post(t, on("/invitations/accept"), testkit.M{"token": token, "name": "De volta", "password": password})

	back := entered(t, s, clerk.email, r.Want(t, http.StatusCreated))
	if back.member != clerk.member || object(r.JSON(), "member")["role"] != "admin" {
		t.Errorf("got %s", r)
	}
}

func TestInvitation_EndsByDeletionExpiryAndANewerOne(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	dead := func(token string) {
		t.Helper()
		s.Anonymous().Post(t, on("/invitations/accept"), testkit.M{"token": token, "name": "X", "password": password}).
			WantFieldErrors(t, "/token token_invalid")
	}
	email := newEmail()

	older := owner.invite(t, email, "admin")
	newer := owner.invite(t, strings.ToUpper(email), "admin")
	dead(older)
	list := owner.All(t, on("/invitations"))
	if len(list) != 1 {
		t.Fatalf("pending are %v", list)
	}
	path := on("/invitations/" + list[0]["id"].(string))
	signUp(t, s).Delete(t, path).Want(t, http.StatusNotFound)
	owner.Delete(t, path).Want(t, http.StatusNoContent)
	owner.Delete(t, path).Want(t, http.StatusNotFound)
	dead(newer)

	expired := owner.invite(t, newEmail(), "admin")
	s.Database.Exec(t, `UPDATE invitations SET expires_at = now() - interval '1 second' WHERE tenant_id = $1 AND revoked_at IS NULL`, owner.tenant)
	dead(expired)
}

func TestInvitation_AcceptedAtOnceMakesOneMember(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	email := newEmail()
	token := owner.invite(t, email, "admin")

	answers := testkit.AtOnce(6, func(int) *testkit.Response {
		return s.Anonymous().Post(t, on("/invitations/accept"), testkit.M{"token": token, "name": "Bia", "password": password})
	})

	made := slices.DeleteFunc(answers, func(r *testkit.Response) bool { return r.Status != http.StatusCreated })
	if len(made) != 1 {
		t.Errorf("%d acceptances won", len(made))
	}
	if n := testkit.Value[int](t, s.Database, `SELECT count(*) FROM members WHERE tenant_id = $1`, owner.tenant); n != 2 {
		t.Errorf("there are %d members", n)
	}
}

func TestTenant_ChangesAreCheckedAndVersioned(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))

	owner.Patch(t, on("/tenant"), testkit.M{"time_zone": "Local"}).WantFieldErrors(t, "/time_zone time_zone")
	owner.Patch(t, on("/tenant"), testkit.M{"time_zone": "../etc/passwd"}).WantFieldErrors(t, "/time_zone time_zone")
	owner.Patch(t, on("/tenant"), testkit.M{"name": nil, "document": "11111111111"}).
		WantFieldErrors(t, "/name null", "/document document_repeated")
	r := owner.Patch(t, on("/tenant"), testkit.M{"name": "Nova", "document": "12.ABC.345/01DE-35", "time_zone": "America/Manaus"}).Want(t, http.StatusOK)

	if r.Text("document") != "12ABC34501DE35" || r.Text("time_zone") != "America/Manaus" || r.Text("version") != "2" {
		t.Errorf("got %s", r)
	}
	owner.Patch(t, on("/tenant"), testkit.M{"name": "x"}, testkit.Header("If-Match", `"v1-0"`)).Want(t, http.StatusPreconditionFailed)
	if owner.Patch(t, on("/tenant"), testkit.M{"document": nil}).Want(t, http.StatusOK).Text("document") != "" {
		t.Error("the document was not cleared")
	}
}

func TestSandbox_HasItsCompanysMembersAndTestKeys(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	clerk := owner.colleague(t, "member", "clients:read")

	sandbox := owner.Post(t, on("/sandbox"), nil).Want(t, http.StatusCreated)
	owner.Post(t, on("/sandbox"), nil).WantProblem(t, http.StatusConflict, "already_exists")
	enter := func(p person) person {
		t.Helper()
		return entered(t, s, p.email, p.Post(t, on("/switch"), testkit.M{"tenant_id": sandbox.ID()}).Want(t, http.StatusOK))
	}
	inside, clerkInside := enter(owner), enter(clerk)

	if sandbox.Text("mode") != "test" || sandbox.Text("sandbox_of") != owner.tenant {
		t.Errorf("got %s", sandbox)
	}
	r := inside.Post(t, on("/api_keys"), testkit.M{"name": "k", "scopes": narrow()}).Want(t, http.StatusCreated)
	if !strings.HasPrefix(r.Text("secret"), "fh_test_") {
		t.Error("the key is not a test key")
	}
	inside.public(r).Post(t, "/public/v1/clients", testkit.M{"name": "Teste"}).Want(t, http.StatusCreated)
	key, _ := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	if n := len(key.All(t, "/public/v1/clients")); n != 0 {
		t.Errorf("the company sees %d clients of its sandbox", n)
	}

	late := owner.colleague(t, "admin")
	enter(late).Get(t, on("/audit")).Want(t, http.StatusOK)
	owner.Patch(t, on("/members/"+clerk.member), testkit.M{"permissions": []string{"sales:read"}}).Want(t, http.StatusOK)
	if got := clerkInside.Get(t, on("/me")).Text("permissions"); got != `["sales:read"]` {
		t.Errorf("in the sandbox the member may %s", got)
	}
	owner.Post(t, on("/members/"+clerk.member+"/deactivate"), nil).Want(t, http.StatusOK)
	clerkInside.Get(t, on("/me")).Want(t, http.StatusUnauthorized)
	signIn(t, s, clerk.email, password).Want(t, http.StatusUnauthorized)

	for _, r := range []*testkit.Response{
		inside.Patch(t, on("/members/"+late.member), testkit.M{"role": "member"}),
		inside.Post(t, on("/invitations"), testkit.M{"email": newEmail(), "role": "admin"}),
		inside.Post(t, on("/sandbox"), nil),
	} {
		if r.WantProblem(t, http.StatusConflict, "conflict").Text("reason") != "sandbox_follows_company" {
			t.Errorf("got %s", r)
		}
	}
}

func TestAudit_TellsWhoDidWhat(t *testing.T) {
	t.Parallel()
	owner := signUp(t, testkit.New(t))
	admin := owner.colleague(t, "admin")
	_, id := admin.key(t, testkit.M{"name": "k", "scopes": narrow()})
	admin.Post(t, on("/api_keys/"+id+"/rotate"), nil).Want(t, http.StatusCreated)

	var actions []string
	for _, e := range owner.All(t, on("/audit")) {
		actions = append(actions, e["action"].(string))
		if e["action"] == "api_key.created" && (object(e, "actor")["id"] != admin.member || e["resource_id"] != id || e["ip"] != "127.0.0.1") {
			t.Errorf("got %v", e)
		}
	}
	for _, want := range []string{"company.created", "session.opened", "invitation.created", "invitation.accepted", "api_key.created", "api_key.rotated"} {
		if !slices.Contains(actions, want) {
			t.Errorf("%s is missing in %v", want, actions)
		}
	}
	if one := owner.All(t, on("/audit?action=api_key.rotated&actor_id="+admin.member)); len(one) != 1 {
		t.Errorf("the filter gives %v", one)
	}
	page := owner.Get(t, on("/audit?limit=2")).Want(t, http.StatusOK)
	next := owner.Get(t, on("/audit?limit=2&cursor="+page.Text("next_cursor"))).Want(t, http.StatusOK)
	if page.Data(t)[1]["id"] == next.Data(t)[0]["id"] || page.Text("has_more") != "true" {
		t.Errorf("the pages overlap: %s", next)
	}
}

func TestInvitation_IsMailedOnceItIsCommitted(t *testing.T) {
	t.Parallel()
	server := testkit.NewMailServer(t)
	s := testkit.New(t, testkit.WithConfig(func(c *config.Config) { c.SMTPURL = server.URL }))
	owner := signUp(t, s)
	clerk := owner.colleague(t, "admin")
	email := newEmail()

	token := owner.invite(t, email, "admin")
	owner.Post(t, on("/invitations"), testkit.M{"email": clerk.email, "role": "admin"}).Want(t, http.StatusConflict)
	s.Anonymous().Post(t, on("/password_reset"), testkit.M{"email": owner.email}).Want(t, http.StatusAccepted)
	s.App.Mail.Wait()

	sent := server.Messages()
	if len(sent) != 3 { // the clerk's too
		t.Fatalf("%d messages were sent: %q", len(sent), sent)
	}
	all := strings.ReplaceAll(strings.Join(sent, ""), "=\r\n", "")
	if !strings.Contains(all, "RCPT TO:<"+email+">") || !strings.Contains(all, token) || !strings.Contains(all, "fh_reset_") {
		t.Errorf("sent %q", all)
	}
	if strings.Contains(s.Log(), "fh_reset_") {
		t.Error("the reset link is logged")
	}
}
