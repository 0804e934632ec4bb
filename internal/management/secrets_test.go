package management_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/testkit"
)

func TestPassword_ChangeEndsTheOtherSessionsInAllCompanies(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	second := entered(t, s, owner.email, signIn(t, s, owner.email, password).Want(t, http.StatusOK))
	there := joinSecond(t, s, owner)
	change := func(current, next string) *testkit.Response {
		return owner.Post(t, on("/me/password"), testkit.M{"current_password": current, "password": next})
	}

	change("errada-errada", "outro-cavalo-correto").WantFieldErrors(t, "/current_password password_mismatch")
	change(password, "curta").WantFieldErrors(t, "/password too_short")
	change(password, "outro-cavalo-correto").Want(t, http.StatusNoContent)

	owner.Get(t, on("/me")).Want(t, http.StatusOK)
	for _, ended := range []person{second, there} {
		ended.Get(t, on("/me")).Want(t, http.StatusUnauthorized)
		s.Anonymous().Post(t, on("/refresh"), testkit.M{"refresh_token": ended.refresh}).Want(t, http.StatusUnauthorized)
	}
	s.Anonymous().Post(t, on("/refresh"), testkit.M{"refresh_token": owner.refresh}).Want(t, http.StatusOK)
	signIn(t, s, owner.email, password).Want(t, http.StatusUnauthorized)
	signIn(t, s, owner.email, "outro-cavalo-correto").Want(t, http.StatusOK)
}

// resetLink waits for the link that the server has logged for the person.
func resetLink(t *testing.T, s *testkit.Server, email string) string {
	t.Helper()
	login := testkit.Value[string](t, s.Database, `SELECT id::text FROM logins WHERE email = $1`, email)
	link := regexp.MustCompile(`"login":"` + login + `","link":"([^"]+)"`)
	var found []string
	testkit.Eventually(t, "a reset link is logged", func() bool {
		found = link.FindStringSubmatch(s.Log())
		return found != nil
	})
	return tokenOf(t, found[1])
}

func TestPasswordReset_WorksOnceAndEndsAllSessions(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	there := joinSecond(t, s, owner)
	confirm := func(token string) *testkit.Response {
		return s.Anonymous().Post(t, on("/password_reset/confirm"), testkit.M{"token": token, "password": "outro-cavalo-correto"})
	}

	s.Anonymous().Post(t, on("/password_reset"), testkit.M{"email": strings.ToUpper(owner.email)}).Want(t, http.StatusAccepted)
	token := resetLink(t, s, owner.email)
	confirm(token).Want(t, http.StatusNoContent)
	confirm(token).WantFieldErrors(t, "/token token_invalid")

	for _, ended := range []person{owner, there} {
		ended.Get(t, on("/me")).Want(t, http.StatusUnauthorized)
	}
	signIn(t, s, owner.email, password).Want(t, http.StatusUnauthorized)
	again := entered(t, s, owner.email, signIn(t, s, owner.email, "outro-cavalo-correto").Want(t, http.StatusOK))
	if n := len(again.All(t, on("/audit?action=password.reset"))); n != 1 {
		t.Errorf("%d audit events", n)
	}
}

func TestPasswordReset_EndsAfterAnHour(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(clock.System{}.Now())
	s := testkit.New(t, testkit.WithClock(now))
	owner := signUp(t, s)
	s.Anonymous().Post(t, on("/password_reset"), testkit.M{"email": owner.email}).Want(t, http.StatusAccepted)
	token := resetLink(t, s, owner.email)

	now.Advance(time.Hour)

	s.Anonymous().Post(t, on("/password_reset/confirm"), testkit.M{"token": token, "password": password}).
		WantFieldErrors(t, "/token token_invalid")
}

func TestPasswordReset_AnswersAlikeForAnUnknownEmail(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.Alone())
	owner := signUp(t, s)
	before := s.App.Passwords.Hashed()

	known := s.Anonymous().Post(t, on("/password_reset"), testkit.M{"email": owner.email}).Want(t, http.StatusAccepted)
	unknown := s.Anonymous().Post(t, on("/password_reset"), testkit.M{"email": newEmail()}).Want(t, http.StatusAccepted)
	s.App.Mail.Wait()

	if len(known.Body) != 0 || len(unknown.Body) != 0 || s.App.Passwords.Hashed() != before {
		t.Errorf("got %s and %s", known, unknown)
	}
	if n := testkit.Value[int](t, s.Database, `SELECT count(*) FROM password_resets r JOIN logins l ON l.id = r.login_id WHERE l.email = $1`, owner.email); n != 1 {
		t.Errorf("%d resets were made", n)
	}
}

func TestTOTP_IsAskedForAndEachStepIsTakenOnce(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(clock.System{}.Now())
	s := testkit.New(t, testkit.WithClock(now))
	owner := signUp(t, s)
	secret := owner.Post(t, on("/me/totp"), nil).Want(t, http.StatusOK).Text("secret")
	code := func() string {
		c, err := totp.GenerateCode(secret, now.Now())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	wrong := func(reason string, r *testkit.Response) {
		t.Helper()
		if r.WantProblem(t, http.StatusUnauthorized, "unauthorized").Text("reason") != reason {
			t.Errorf("want %s, got %s", reason, r)
		}
	}

	signIn(t, s, owner.email, password).Want(t, http.StatusOK) // not confirmed yet
	owner.Post(t, on("/me/totp/confirm"), testkit.M{"code": "000000x"}).WantFieldErrors(t, "/code too_long")
	owner.Post(t, on("/me/totp/confirm"), testkit.M{"code": code()}).Want(t, http.StatusNoContent)
	owner.Post(t, on("/me/totp"), nil).WantProblem(t, http.StatusConflict, "conflict")
	wrong("totp_required", signIn(t, s, owner.email, password))
	wrong("totp_invalid", signIn(t, s, owner.email, password, testkit.M{"totp": code()})) // the confirmation's step
	wrong("", signIn(t, s, owner.email, "errada-errada", testkit.M{"totp": code()}))
	now.Advance(30 * time.Second)
	signIn(t, s, owner.email, password, testkit.M{"totp": code()}).Want(t, http.StatusOK)
	wrong("totp_invalid", signIn(t, s, owner.email, password, testkit.M{"totp": code()}))

	now.Advance(30 * time.Second)
	answers := testkit.AtOnce(6, func(int) *testkit.Response { return signIn(t, s, owner.email, password, testkit.M{"totp": code()}) })
	won := 0
	for _, r := range answers {
		if r.Status == http.StatusOK {
			won++
		}
	}
	if won != 1 {
		t.Errorf("one code opened %d sessions", won)
	}

	if owner.Get(t, on("/me")).Text("totp_enabled") != "true" {
		t.Error("the profile does not say so")
	}
	owner.Delete(t, on("/me/totp")).Want(t, http.StatusNoContent)
	owner.Delete(t, on("/me/totp")).Want(t, http.StatusNotFound)
	signIn(t, s, owner.email, password).Want(t, http.StatusOK)
}

func TestTOTP_GuardsTheAcceptanceOfAnInvitation(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(clock.System{}.Now())
	s := testkit.New(t, testkit.WithClock(now))
	guest := signUp(t, s)
	secret := guest.Post(t, on("/me/totp"), nil).Want(t, http.StatusOK).Text("secret")
	code := func() string { c, _ := totp.GenerateCode(secret, now.Now()); return c }
	guest.Post(t, on("/me/totp/confirm"), testkit.M{"code": code()}).Want(t, http.StatusNoContent)
	token := signUp(t, s).invite(t, guest.email, "admin")
	now.Advance(30 * time.Second)

	r := s.Anonymous().Post(t, on("/invitations/accept"), testkit.M{"token": token, "name": "X", "password": password})
	if r.WantProblem(t, http.StatusUnauthorized, "unauthorized").Text("reason") != "totp_required" {
		t.Errorf("got %s", r)
	}
	s.Anonymous().Post(t, on("/invitations/accept"), testkit.M{"token": token, "name": "X", "password": password, "totp": code()}).Want(t, http.StatusCreated)
}

func TestAccessToken_IsRefusedInEveryForgedForm(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner, foreign := signUp(t, s), signUp(t, s)
	with := func(token string) *testkit.Response {
		c := s.Anonymous()
		c.Secret = token
		return c.Get(t, on("/me"))
	}

	control, forged := testkit.Forged(t, owner.Secret, foreign.Secret)

	with(control).Want(t, http.StatusOK)
	for name, token := range forged {
		if r := with(token); r.Status != http.StatusUnauthorized || r.Code() != "unauthorized" {
			t.Errorf("%s: %s", name, r)
		}
	}
	owner.Post(t, on("/logout"), nil).Want(t, http.StatusNoContent)
	with(control).WantProblem(t, http.StatusUnauthorized, "unauthorized")
}

func TestSecrets_AreNeitherStoredNorLogged(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.WithDatabase(testkit.NewDatabase(t)))
	owner := signUp(t, s)
	clerkToken := owner.invite(t, newEmail(), "admin")
	secret := owner.Post(t, on("/me/totp"), nil).Want(t, http.StatusOK).Text("secret")
	key, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	rotated := owner.Post(t, on("/api_keys/"+id+"/rotate"), testkit.M{"grace_seconds": 60}, testkit.Key("rotação")).Want(t, http.StatusCreated)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key("k1")).Want(t, http.StatusCreated)
	signIn(t, s, owner.email, "errada-errada")

	all := s.Log()
	for _, table := range testkit.Column[string](t, s.Database, `SELECT oid::regclass::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`) {
		all += strings.Join(testkit.Column[string](t, s.Database, `SELECT t::text FROM `+table+` t`), "\n")
	}

	for name, value := range map[string]string{
		"password": password, "wrong password": "errada-errada", "API key": key.Secret, "rotated API key": rotated.Text("secret"),
		"access token": owner.Secret, "refresh token": owner.refresh, "invitation": clerkToken, "second factor": secret,
	} {
		if strings.Contains(all, value) || strings.Contains(all, hexOf(value)) {
			t.Errorf("the %s is stored or logged", name)
		}
	}
}

func TestChangePassword_KeepsNoFingerprintOfThePassword(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := signUp(t, s)
	key := testkit.NewKey()

	owner.Post(t, on("/me/password"), testkit.M{"current_password": password, "password": "outro-cavalo-correto"}, testkit.Key(key)).Want(t, http.StatusNoContent)

	if n := testkit.Column[int64](t, s.Database, `SELECT count(*) FROM idempotency_keys WHERE key = $1`, key); n[0] != 0 {
		t.Errorf("%d rows hold a fingerprint of a password", n[0])
	}
}
