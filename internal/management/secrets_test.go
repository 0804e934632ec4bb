package management_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
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

// forged returns the claims of a real access token, to be changed.
func forged(t *testing.T, p person) jwt.MapClaims {
	t.Helper()
	claims := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(p.Secret, claims); err != nil {
		t.Fatal(err)
	}
	return claims
}

func TestAccessToken_IsRefusedInEveryForgedForm(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner, foreign := signUp(t, s), signUp(t, s)
	key := testkit.SessionKey(t)
	sign := func(method jwt.SigningMethod, key any, header testkit.M, change func(jwt.MapClaims)) string {
		claims := forged(t, owner)
		if change != nil {
			change(claims)
		}
		token := jwt.NewWithClaims(method, claims)
		for name, value := range header {
			token.Header[name] = value
		}
		text, err := token.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	hs, none := jwt.SigningMethodHS256, jwt.SigningMethodNone
	with := func(name string, value any) func(jwt.MapClaims) {
		return func(c jwt.MapClaims) {
			if c[name] = value; value == nil {
				delete(c, name)
			}
		}
	}
	future := jwt.NewNumericDate(time.Now().Add(time.Hour))
	ok := s.Anonymous()
	ok.Secret = sign(hs, key, nil, nil)
	ok.Get(t, on("/me")).Want(t, http.StatusOK)

	for name, token := range map[string]string{
		"alg none":        sign(none, jwt.UnsafeAllowNoneSignatureType, nil, nil),
		"alg None":        sign(none, jwt.UnsafeAllowNoneSignatureType, testkit.M{"alg": "None"}, nil),
		"alg NONE":        sign(none, jwt.UnsafeAllowNoneSignatureType, testkit.M{"alg": "NONE"}, nil),
		"empty key":       sign(hs, []byte{}, nil, nil),
		"public key":      sign(hs, []byte("fatureihoje"), nil, nil),
		"alg RS256":       sign(hs, key, testkit.M{"alg": "RS256"}, nil),
		"HS512":           sign(jwt.SigningMethodHS512, key, nil, nil),
		"kid is a path":   sign(hs, []byte{}, testkit.M{"kid": "../../dev/null"}, nil),
		"kid is SQL":      sign(hs, []byte("x"), testkit.M{"kid": "x' UNION SELECT 'x"}, nil),
		"no exp":          sign(hs, key, nil, with("exp", nil)),
		"exp text":        sign(hs, key, nil, with("exp", fmt.Sprint(future.Unix()))),
		"exp past":        sign(hs, key, nil, with("exp", 1)),
		"nbf future":      sign(hs, key, nil, with("nbf", future.Unix())),
		"iat future":      sign(hs, key, nil, with("iat", future.Unix())),
		"no aud":          sign(hs, key, nil, with("aud", nil)),
		"empty aud":       sign(hs, key, nil, with("aud", []string{})),
		"other aud":       sign(hs, key, nil, with("aud", []string{"x", "y"})),
		"no iss":          sign(hs, key, nil, with("iss", nil)),
		"other iss":       sign(hs, key, nil, with("iss", "x")),
		"no use":          sign(hs, key, nil, with("use", nil)),
		"other use":       sign(hs, key, nil, with("use", "reset")),
		"no sub":          sign(hs, key, nil, with("sub", nil)),
		"foreign tenant":  sign(hs, key, nil, with("tenant", foreign.tenant)),
		"refresh":         owner.refresh,
		"no signature":    owner.Secret[:strings.LastIndexByte(owner.Secret, '.')+1],
		"other signature": foreign.Secret[:strings.LastIndexByte(foreign.Secret, '.')] + owner.Secret[strings.LastIndexByte(owner.Secret, '.'):],
	} {
		c := s.Anonymous()
		c.Secret = token
		if r := c.Get(t, on("/me")); r.Status != http.StatusUnauthorized {
			t.Errorf("%s: %s", name, r)
		}
	}
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
