package dashboard_test

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/config"
	"fatureihoje/internal/testkit"
)

// stranger is an e-mail that nobody has, as long as those of signUp.
func stranger() string { return uuid.NewString()[:8] + "@example.com" }

// colleague makes a second person of the company, and returns its member's id.
func (o *owner) colleague(t *testing.T, role string) (_ *owner, memberID string) {
	t.Helper()
	made := &owner{Email: stranger(), server: o.server}
	invitation := o.api().Post(t, "/dashboard/v1/invitations", testkit.M{"email": made.Email, "role": role}).Want(t, 201)
	r := o.server.Anonymous().Post(t, "/dashboard/v1/invitations/accept", testkit.M{
		"token": tokenOf(t, invitation.Text("accept_url")), "name": "Colega", "password": password,
	}).Want(t, 201)
	made.Access, made.Refresh = r.Text("access_token"), r.Text("refresh_token")
	member, _ := r.JSON()["member"].(testkit.M)
	memberID, _ = member["id"].(string)
	return made, memberID
}

func tokenOf(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Query().Get("token") == "" {
		t.Fatalf("no token in the link %q", link)
	}
	return u.Query().Get("token")
}

// emails are one of each kind that an answer must not tell apart.
func emails(t *testing.T, o *owner) map[string]string {
	t.Helper()
	gone, id := o.colleague(t, "admin")
	o.api().Post(t, "/dashboard/v1/members/"+id+"/deactivate", nil).Want(t, 200)
	return map[string]string{"known": o.Email, "unknown": stranger(), "deactivated": gone.Email}
}

// shape is all of an answer that may not differ: what belongs to the request
// alone, and the e-mail that it echoes, are taken out.
func (a answer) shape(email string) string {
	h := a.Header.Clone()
	for _, own := range []string{"X-Request-Id", "Date"} {
		h.Del(own)
	}
	body := strings.NewReplacer(email, "E-MAIL", a.Header.Get("X-Request-Id"), "ID").Replace(a.body)
	return fmt.Sprintf("%d\n%v\n%s", a.StatusCode, h, body)
}

func wantAlike(t *testing.T, shapes map[string]string) {
	t.Helper()
	for name, shape := range shapes {
		if shape != shapes["unknown"] {
			t.Errorf("%s differs from unknown:\n%s\n---\n%s", name, shape, shapes["unknown"])
		}
	}
}

func TestPages_DoNotTellWhetherAnEMailIsKnown(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	kinds := emails(t, signUp(t, srv, "Oficina", "Ana"))
	p := &person{t: t, base: srv.BaseURL}
	for path, form := range map[string]url.Values{
		"/entrar":          {"password": {"errada-errada"}, "voltar": {"/chaves"}},
		"/esqueci-a-senha": {},
	} {
		shapes := map[string]string{}
		for name, email := range kinds {
			form.Set("email", email)
			shapes[name] = p.post(path, form).shape(email)
		}
		if path == "/entrar" { // even by the right password
			form.Set("email", kinds["deactivated"])
			form.Set("password", password)
			shapes["deactivated, right password"] = p.post(path, form).shape(kinds["deactivated"])
		}
		wantAlike(t, shapes)
	}
}

// TestPages_TakeTheSameTimeForEveryEMail does not run beside other tests.
func TestPages_TakeTheSameTimeForEveryEMail(t *testing.T) {
	// A mail server that never answers: whoever waits for it, waits long.
	mute, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mute.Close() })
	srv := testkit.New(t, testkit.WithConfig(func(c *config.Config) { c.SMTPURL = "smtp://" + mute.Addr().String() + "?from=x@example.com" }))
	kinds := emails(t, signUp(t, srv, "Oficina", "Ana"))
	p := &person{t: t, base: srv.BaseURL}
	for _, form := range []struct {
		path   string
		values url.Values
		status int
	}{
		{"/entrar", url.Values{"password": {password + "!"}}, 401},
		{"/esqueci-a-senha", url.Values{}, 200},
	} {
		var timed []testkit.Timed
		for name, email := range kinds {
			values := maps.Clone(form.values)
			values.Set("email", email)
			timed = append(timed, testkit.Timed{Name: form.path + " " + name, Do: func() { p.post(form.path, values).wantStatus(t, form.status) }})
		}
		testkit.WantAlikeInTime(t, 15, timed...)
	}
}

func TestPages_OfSignUpAndInvitationTellNoMoreThanTheyMust(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithClock(clock.NewFake(clock.System{}.Now()))) // the pages show the minute
	o := signUp(t, srv, "Oficina", "Ana")
	elsewhere := signUp(t, srv, "Outra", "Bia")
	kinds := emails(t, elsewhere)
	p := &person{t: t, base: srv.BaseURL}

	// A sign-up tells that the e-mail is taken, and nothing else of it.
	shapes := map[string]string{}
	for _, name := range []string{"known", "deactivated"} {
		form := url.Values{"company_name": {"Nova Ltda"}, "name": {"Caio"}, "email": {kinds[name]}, "password": {"errada-errada"}}
		a := p.post("/cadastro", form).wantStatus(t, 409)
		if !strings.Contains(a.body, `value="Nova Ltda"`) || !strings.Contains(a.body, "Já existe uma conta com este e-mail") || strings.Contains(a.body, "errada-errada") || len(a.Cookies()) > 0 {
			t.Errorf("%s: %s", name, a.body)
		}
		shapes[name] = a.shape(kinds[name])
	}
	shapes["unknown"] = shapes["known"]
	wantAlike(t, shapes)

	// An invitation tells the inviter nothing of people elsewhere, and its page
	// tells who has the link nothing.
	inviter, pages := o.person(t), map[string]string{}
	link := regexp.MustCompile(`fh_invite_\w+`)
	for name, email := range kinds {
		a := inviter.post("/membros/convidar", url.Values{
			"email": {email}, "role": {"admin"}, "_chave": {inviter.formKey("/membros/convidar", "/membros/convidar")},
		}).wantStatus(t, 200)
		token := link.FindString(a.body)
		if token == "" {
			t.Fatalf("%s: no link in %s", name, a.body)
		}
		shapes[name] = strings.ReplaceAll(a.shape(email), token, "TOKEN")
		pages[name] = strings.ReplaceAll(p.get("/convite?token="+token).wantStatus(t, 200).shape(email), token, "TOKEN")
	}
	for name := range shapes {
		shapes[name] = regexp.MustCompile(`name="_chave" value="[^"]+"`).ReplaceAllString(shapes[name], "")
	}
	wantAlike(t, shapes)
	wantAlike(t, pages)
}

// slowed is a server that lets three attempts a minute through, with a clock
// that stands.
func slowed(t *testing.T, trusted ...string) (*testkit.Server, *clock.Fake) {
	t.Helper()
	now := clock.NewFake(clock.System{}.Now())
	return testkit.New(t, testkit.WithClock(now), testkit.WithConfig(func(c *config.Config) {
		c.LoginRateLimit = 3
		for _, prefix := range trusted {
			c.ProxyPrefixes = append(c.ProxyPrefixes, netip.MustParsePrefix(prefix))
		}
	})), now
}

// wantSlowed is the page of who tried too often: in words, with the time to wait
// and what was typed, but for the password.
func wantSlowed(t *testing.T, a answer, email string) {
	t.Helper()
	a.wantStatus(t, http.StatusTooManyRequests)
	wait := a.Header.Get("Retry-After")
	for _, text := range []string{"Tentativas demais", "Espere " + wait + " segundos e tente de novo.", `value="` + email + `"`, "<form"} {
		if !strings.Contains(a.body, text) {
			t.Errorf("the page lacks %q: %s", text, a.body)
		}
	}
	if wait == "" || strings.Contains(a.body, "errada-errada") {
		t.Errorf("Retry-After: %q, or the password is shown: %s", wait, a.body)
	}
}

func TestPages_SlowAnAddressWhateverItSaysOfItself(t *testing.T) {
	t.Parallel()
	for path, status := range map[string]int{"/entrar": 401, "/esqueci-a-senha": 200} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			srv, now := slowed(t)
			p := &person{t: t, base: srv.BaseURL}
			try := func(i int, email string) answer {
				h := formHeader()
				for _, name := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded", "Cf-Connecting-Ip", "True-Client-Ip"} {
					h.Set(name, fmt.Sprintf("198.51.100.%d", i+1))
				}
				return p.do("POST", path, url.Values{"email": {email}, "password": {"errada-errada"}}.Encode(), h)
			}

			for i := range 3 {
				try(i, stranger()).wantStatus(t, status)
			}
			email := stranger()
			wantSlowed(t, try(9, email), email)
			now.Advance(20 * time.Second) // a third of a minute: one more
			try(10, email).wantStatus(t, status)
			try(11, email).wantStatus(t, http.StatusTooManyRequests)
		})
	}
}

func TestPages_SlowAnAccountFromWhateverAddress(t *testing.T) {
	t.Parallel()
	srv, now := slowed(t, "127.0.0.0/8")
	o := signUp(t, srv, "Oficina", "Ana")
	now.Advance(time.Minute)
	p, from := &person{t: t, base: srv.BaseURL}, 0
	try := func(email, password string) answer { // each from another address, by a proxy that is trusted
		from++
		h := formHeader()
		h.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", from))
		return p.do("POST", "/entrar", url.Values{"email": {email}, "password": {password}, "voltar": {"/chaves"}}.Encode(), h)
	}

	shapes := map[string]string{}
	for name, email := range map[string]string{"known": o.Email, "unknown": stranger()} {
		for range 3 {
			try(email, "errada-errada").wantStatus(t, 401)
		}
		a := try(strings.ToUpper(email), "errada-errada")
		wantSlowed(t, a, strings.ToUpper(email))
		shapes[name] = a.shape(strings.ToUpper(email))
	}
	wantAlike(t, shapes)
	try(o.Email, password).wantStatus(t, http.StatusTooManyRequests) // the right one too
	now.Advance(20 * time.Second)
	if a := try(o.Email, password).wantStatus(t, 303); a.Header.Get("Location") != "/chaves" {
		t.Errorf("led to %s", a.Header.Get("Location"))
	}
}
