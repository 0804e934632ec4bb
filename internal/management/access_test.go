package management_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/config"
	"fatureihoje/internal/testkit"
)

func TestSignUp_OpensACompanyWithItsOwner(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)

	owner := signUp(t, s)

	me := owner.Get(t, on("/me")).Want(t, http.StatusOK).JSON()
	if object(me, "member")["role"] != "owner" || me["manages"] != true || object(me, "tenant")["time_zone"] != "America/Sao_Paulo" {
		t.Errorf("the profile is %v", me)
	}
}

func TestSignUp_RefusesAKnownEmailInAnySpelling(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)

	r := s.Anonymous().Post(t, on("/signup"), testkit.M{
		"company_name": "Outra", "name": "Outra", "email": strings.ToUpper(owner.email), "password": password,
	})

	r.WantProblem(t, http.StatusConflict, "already_exists")
	if n := testkit.Value[int](t, s.Database, `SELECT count(*) FROM tenants WHERE name = 'Outra'`); n != 0 {
		t.Errorf("%d companies were left behind", n)
	}
}

func TestSignUp_AtOnceWithOneEmailMakesOneCompany(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	email := newEmail()

	answers := testkit.AtOnce(6, func(int) *testkit.Response {
		return s.Anonymous().Post(t, on("/signup"), testkit.M{"company_name": email, "name": "Ana", "email": email, "password": password})
	})

	for _, r := range answers {
		if r.Status != http.StatusCreated && r.Status != http.StatusConflict {
			t.Errorf("got %s", r)
		}
	}
	if n := testkit.Value[int](t, s.Database, `SELECT count(*) FROM tenants WHERE name = $1`, email); n != 1 {
		t.Errorf("there are %d companies", n)
	}
}

func TestSignUp_ReportsEveryInvalidMember(t *testing.T) {
	t.Parallel()

	r := testkit.New(t).Anonymous().Post(t, on("/signup"), testkit.M{"name": " ", "email": "x", "password": "curta"})

	r.WantFieldErrors(t, "/company_name required", "/name required", "/email email_format", "/password too_short")
}

func TestSignUp_IsRefusedWhereItIsClosed(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.WithConfig(func(c *config.Config) { c.Signup = "closed" }))

	r := s.Anonymous().Post(t, on("/signup"), testkit.M{"company_name": "A", "name": "A", "email": newEmail(), "password": password})

	if r.WantProblem(t, http.StatusForbidden, "forbidden").Text("reason") != "signup_closed" {
		t.Errorf("got %s", r)
	}
}

func TestSignIn_AnswersAlikeForUnknownWrongAndInactive(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.Alone())
	owner := signUp(t, s)
	inactive := owner.colleague(t, "admin")
	owner.Post(t, on("/members/"+inactive.member+"/deactivate"), nil).Want(t, http.StatusOK)
	withoutID := func(r *testkit.Response) string {
		return strings.ReplaceAll(r.String(), r.RequestID(), "")
	}
	cases := map[string][2]string{
		"wrong password": {owner.email, "errada-errada"},
		"unknown e-mail": {newEmail(), password},
		"inactive":       {inactive.email, password},
		"inactive wrong": {inactive.email, "errada-errada"},
	}

	var answers []string
	for name, c := range cases {
		before := s.App.Passwords.Hashed()
		r := signIn(t, s, c[0], c[1])
		answers = append(answers, withoutID(r.WantProblem(t, http.StatusUnauthorized, "unauthorized")))
		if n := s.App.Passwords.Hashed() - before; n != 1 {
			t.Errorf("%s: %d hashes were computed", name, n)
		}
	}

	if len(slices.Compact(answers)) != 1 {
		t.Errorf("the answers differ:\n%s", strings.Join(answers, "\n"))
	}
}

func TestSignIn_SlowsAnAccountWhetherOrNotItExists(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(clock.System{}.Now())
	s := testkit.New(t, testkit.WithClock(now), testkit.WithConfig(func(c *config.Config) {
		c.LoginRateLimit = 3
		c.ProxyPrefixes = prefixes("127.0.0.0/8")
	}))
	from := 0
	try := func(email string) *testkit.Response { // each from another address
		from++
		return s.Anonymous().Post(t, on("/login"), testkit.M{"email": email, "password": "errada-errada"},
			testkit.Header("X-Forwarded-For", address(from)))
	}
	owner := signUp(t, s) // the first attempt of the account

	for _, email := range []string{owner.email, newEmail()} {
		allowed := 3
		if email == owner.email {
			allowed = 2
		}
		for range allowed {
			try(email).Want(t, http.StatusUnauthorized)
		}
		r := try(strings.ToUpper(email)).WantProblem(t, http.StatusTooManyRequests, "rate_limited")
		if r.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}

	now.Advance(time.Minute)
	signIn(t, s, owner.email, password).Want(t, http.StatusOK)
}

func TestSignIn_SlowsAnAddressThatTriesManyAccounts(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.WithConfig(func(c *config.Config) { c.LoginRateLimit = 2 }))

	for i := range 2 {
		s.Anonymous().Post(t, on("/login"), testkit.M{"email": newEmail(), "password": password},
			testkit.Header("X-Forwarded-For", address(i))).Want(t, http.StatusUnauthorized)
	}

	r := s.Anonymous().Post(t, on("/login"), testkit.M{"email": newEmail(), "password": password}, testkit.Header("X-Forwarded-For", address(9)))
	r.WantProblem(t, http.StatusTooManyRequests, "rate_limited")
}

func TestSignOut_EndsThisSessionOnly(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	first := signUp(t, s)
	second := entered(t, s, first.email, signIn(t, s, first.email, password).Want(t, http.StatusOK))

	first.Post(t, on("/logout"), nil).Want(t, http.StatusNoContent)

	first.Get(t, on("/me")).Want(t, http.StatusUnauthorized)
	s.Anonymous().Post(t, on("/refresh"), testkit.M{"refresh_token": first.refresh}).Want(t, http.StatusUnauthorized)
	second.Get(t, on("/me")).Want(t, http.StatusOK)
}

func TestSignOutAll_EndsTheSessionsOfAllCompanies(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	here := signUp(t, s)
	there := joinSecond(t, s, here)

	here.Post(t, on("/logout_all"), nil).Want(t, http.StatusNoContent)

	here.Get(t, on("/me")).Want(t, http.StatusUnauthorized)
	there.Get(t, on("/me")).Want(t, http.StatusUnauthorized)
}

// joinSecond makes the person a member of a second company, with a session there.
func joinSecond(t *testing.T, s *testkit.Server, p person) person {
	t.Helper()
	token := signUp(t, s).invite(t, p.email, "member", "clients:read")
	r := s.Anonymous().Post(t, on("/invitations/accept"), testkit.M{"token": token, "name": "Contadora", "password": password})
	return entered(t, s, p.email, r.Want(t, http.StatusCreated))
}

func TestSwitch_OpensASessionInAnotherCompanyOfThePerson(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	here := signUp(t, s)
	there := joinSecond(t, s, here)
	foreign := signUp(t, s)

	r := here.Post(t, on("/switch"), testkit.M{"tenant_id": there.tenant}).Want(t, http.StatusOK)

	switched := entered(t, s, here.email, r)
	if switched.tenant != there.tenant || switched.member != there.member {
		t.Errorf("the session is of %s", switched.tenant)
	}
	switched.Get(t, on("/tenant")).Want(t, http.StatusOK)
	here.Get(t, on("/me")).Want(t, http.StatusOK)
	for _, unknown := range []string{foreign.tenant, testkit.RandomID()} {
		here.Post(t, on("/switch"), testkit.M{"tenant_id": unknown}).WantFieldErrors(t, "/tenant_id unknown_reference")
	}
}

func TestSignIn_EntersTheCompanyThatIsAskedFor(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	here := signUp(t, s)
	there := joinSecond(t, s, here)

	r := signIn(t, s, here.email, password, testkit.M{"tenant_id": there.tenant}).Want(t, http.StatusOK)
	if entered(t, s, here.email, r).tenant != there.tenant {
		t.Errorf("entered another company: %s", r)
	}
	if tenants, _ := r.JSON()["tenants"].([]any); len(tenants) != 2 {
		t.Errorf("the companies are %v", tenants)
	}

	first := signIn(t, s, here.email, password).Want(t, http.StatusOK)
	if entered(t, s, here.email, first).tenant != here.tenant {
		t.Error("without a company named, the oldest is entered")
	}
	foreign := signUp(t, s)
	signIn(t, s, here.email, password, testkit.M{"tenant_id": foreign.tenant}).WantProblem(t, http.StatusUnauthorized, "unauthorized")
}

func TestSessions_AreSeenAndEndedByTheirPersonAlone(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	second := entered(t, s, owner.email, signIn(t, s, owner.email, password).Want(t, http.StatusOK))
	other := owner.colleague(t, "admin")

	list := owner.All(t, on("/sessions"))
	if len(list) != 2 || list[0]["current"] == list[1]["current"] {
		t.Fatalf("the sessions are %v", list)
	}
	theirs := other.All(t, on("/sessions"))[0]["id"].(string)
	owner.Delete(t, on("/sessions/"+theirs)).Want(t, http.StatusNotFound)
	for _, session := range list {
		if session["current"] == false {
			owner.Delete(t, on("/sessions/"+session["id"].(string))).Want(t, http.StatusNoContent)
		}
	}

	second.Get(t, on("/me")).Want(t, http.StatusUnauthorized)
	owner.Get(t, on("/me")).Want(t, http.StatusOK)
	other.Get(t, on("/me")).Want(t, http.StatusOK)
}

func TestTokens_OfOneKindAreNeverTakenForAnother(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	key, _ := owner.key(t, testkit.M{"name": "k", "scopes": auth.Permissions()})
	invitation := owner.invite(t, newEmail(), "admin")
	s.Anonymous().Post(t, on("/password_reset"), testkit.M{"email": owner.email}).Want(t, http.StatusAccepted)
	reset := resetLink(t, s, owner.email)

	for name, token := range map[string]string{"refresh": owner.refresh, "invitation": invitation, "reset": reset, "API key": key.Secret} {
		c := s.Anonymous()
		c.Secret = token
		c.Get(t, on("/me")).Want(t, http.StatusUnauthorized)
		if name != "API key" {
			c.Get(t, "/public/v1/me").Want(t, http.StatusUnauthorized)
		}
		if name != "refresh" {
			c.Post(t, on("/refresh"), testkit.M{"refresh_token": token}).Want(t, http.StatusUnauthorized)
		}
		if name != "invitation" {
			c.Post(t, on("/invitations/accept"), testkit.M{"token": token, "name": "X", "password": password}).WantFieldErrors(t, "/token token_invalid")
		}
		if name != "reset" {
			c.Post(t, on("/password_reset/confirm"), testkit.M{"token": token, "password": password}).WantFieldErrors(t, "/token token_invalid")
		}
	}
	access := s.Anonymous()
	access.Secret = owner.Secret
	access.Get(t, "/public/v1/me").Want(t, http.StatusUnauthorized)
	access.Post(t, on("/refresh"), testkit.M{"refresh_token": owner.Secret}).Want(t, http.StatusUnauthorized)
}
