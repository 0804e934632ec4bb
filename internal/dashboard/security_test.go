package dashboard_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/totp"

	"fatureihoje/internal/config"
	"fatureihoje/internal/testkit"
)

// person is a browser without scripts: it keeps cookies and sends forms.
type person struct {
	t      *testing.T
	base   string
	cookie string // name=value, "" for none
}

func (o *owner) person(t *testing.T) *person {
	return &person{t: t, base: o.server.BaseURL, cookie: "fh_session=" + o.Access + ":" + o.Refresh}
}

type answer struct {
	*http.Response
	body string
}

func (p *person) do(method, path, body string, header http.Header) answer {
	p.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, p.base+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if header != nil {
		req.Header = header.Clone()
	}
	if p.cookie != "" {
		req.Header.Set("Cookie", p.cookie)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer{res, string(text)}
}

func (p *person) get(path string) answer { p.t.Helper(); return p.do("GET", path, "", nil) }

func formHeader() http.Header {
	return http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
}

func (p *person) post(path string, form url.Values) answer {
	p.t.Helper()
	return p.do("POST", path, form.Encode(), formHeader())
}

// take keeps the cookie that an answer sets.
func (p *person) take(a answer) *http.Cookie {
	p.t.Helper()
	for _, c := range a.Cookies() {
		p.cookie = c.Name + "=" + c.Value
		return c
	}
	return nil
}

// formKey is the hidden key of a page's form with an action.
func (p *person) formKey(path, action string) string {
	p.t.Helper()
	page := p.get(path)
	found := regexp.MustCompile(`action="` + regexp.QuoteMeta(action) + `"[^>]*>.*?name="_chave" value="([^"]+)"`).FindStringSubmatch(strings.ReplaceAll(page.body, "\n", " "))
	if found == nil {
		p.t.Fatalf("%s has no form to %s: %d %s", path, action, page.StatusCode, page.body)
	}
	return found[1]
}

func (a answer) wantStatus(t *testing.T, status int) answer {
	t.Helper()
	if a.StatusCode != status {
		t.Fatalf("want %d, got %d to %s: %s", status, a.StatusCode, a.Header.Get("Location"), a.body)
	}
	return a
}

func wantSignedOut(t *testing.T, p *person) {
	t.Helper()
	a := p.get("/conta")
	if a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/entrar") {
		t.Errorf("the session still lives: %d %s", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestSession_IsNewAtEachSignInAndEndsWithTheSignOut(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	p := o.person(t)
	planted := p.cookie
	entry := url.Values{"email": {o.Email}, "password": {password}, "voltar": {"/chaves"}}

	a := p.post("/entrar", entry).wantStatus(t, 303)
	c := p.take(a)
	if p.cookie == planted || a.Header.Get("Location") != "/chaves" {
		t.Errorf("the planted session was kept, or the way back lost: %v", a.Header)
	}
	if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Secure {
		t.Errorf("cookie on localhost: %+v", c)
	}
	p.get("/conta").wantStatus(t, 200)
	p.post("/sair", url.Values{"_chave": {p.formKey("/conta", "/sair")}}).wantStatus(t, 303)
	wantSignedOut(t, p)

	for _, elsewhere := range []string{"//evil.example", "https://evil.example", `/\evil.example`, "javascript:alert(1)", "/%0d%0aX: y"} {
		entry.Set("voltar", elsewhere)
		if at := p.post("/entrar", entry).wantStatus(t, 303).Header.Get("Location"); at != "/" && !strings.HasPrefix(at, "/%0d") {
			t.Errorf("%s led to %s", elsewhere, at)
		}
	}
}

func TestSession_CookieIsForHTTPSOnlyElsewhere(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithConfig(func(c *config.Config) { c.BaseURL = "https://painel.example.com.br" }))
	o := signUp(t, srv, "Oficina", "Ana")
	p := &person{t: t, base: srv.BaseURL}

	c := p.take(p.post("/entrar", url.Values{"email": {o.Email}, "password": {password}}).wantStatus(t, 303))

	if !c.Secure || !c.HttpOnly || c.Name != "__Host-fh_session" {
		t.Errorf("cookie: %+v", c)
	}
}

func TestSession_EndsWithThePasswordAndWithAllSessions(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	here, there := o.person(t), &person{t: t, base: srv.BaseURL}
	entry := url.Values{"email": {o.Email}, "password": {password}}
	there.take(there.post("/entrar", entry))

	here.post("/conta/senha", url.Values{"_chave": {here.formKey("/conta", "/conta/senha")}, "current_password": {"não é"}, "password": {"outro-cavalo-correto"}}).wantStatus(t, 422)
	there.get("/conta").wantStatus(t, 200)
	here.post("/conta/senha", url.Values{"_chave": {here.formKey("/conta", "/conta/senha")}, "current_password": {password}, "password": {"outro-cavalo-correto"}}).wantStatus(t, 303)
	wantSignedOut(t, there)
	here.get("/conta").wantStatus(t, 200)
	if n := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM idempotency_keys WHERE path LIKE '%password%'`); n != 0 {
		t.Error("a password left a fingerprint")
	}

	there.take(there.post("/entrar", url.Values{"email": {o.Email}, "password": {"outro-cavalo-correto"}}))
	here.post("/conta/sessoes/encerrar-todas", url.Values{"_chave": {here.formKey("/conta", "/conta/sessoes/encerrar-todas")}}).wantStatus(t, 303)
	wantSignedOut(t, here)
	wantSignedOut(t, there)
}

func TestSession_IsRenewedOnceForRequestsAtOnce(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	p := &person{t: t, base: srv.BaseURL, cookie: "fh_session=expired.access.token:" + o.Refresh}

	answers := testkit.AtOnce(8, func(int) answer { return p.get("/conta") })
	for _, a := range answers {
		a.wantStatus(t, 200)
	}
	again := p.get("/conta").wantStatus(t, 200) // the first answer got lost
	p.take(again)
	p.get("/conta").wantStatus(t, 200)
	if n := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM sessions WHERE ended_at IS NOT NULL AND member_id IN (SELECT id FROM members WHERE email = $1)`, o.Email); n != 0 {
		t.Error("the session was ended as stolen")
	}
}

func TestForms_AreRefusedFromAnywhereElse(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o, other := signUp(t, srv, "Oficina", "Ana"), signUp(t, srv, "Outra", "Bia")
	p := o.person(t)
	key := p.formKey("/chaves/nova", "/chaves/nova")
	form := url.Values{"name": {"roubada"}, "scopes": {"clients:read"}, "_chave": {key}}
	with := func(name, value string) http.Header {
		h := formHeader()
		h.Set(name, value)
		return h
	}
	without, foreign := url.Values{"name": {"roubada"}, "scopes": {"clients:read"}}, url.Values{"name": {"roubada"}, "scopes": {"clients:read"}}
	foreign.Set("_chave", other.person(t).formKey("/chaves/nova", "/chaves/nova"))

	for what, a := range map[string]answer{
		"a foreign origin":      p.do("POST", "/chaves/nova", form.Encode(), with("Origin", "https://evil.example")),
		"a cross-site fetch":    p.do("POST", "/chaves/nova", form.Encode(), with("Sec-Fetch-Site", "cross-site")),
		"a same-site fetch":     p.do("POST", "/chaves/nova", form.Encode(), with("Sec-Fetch-Site", "same-site")),
		"no key":                p.post("/chaves/nova", without),
		"another session's key": p.post("/chaves/nova", foreign),
	} {
		if a.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", what, a.StatusCode)
		}
	}
	for _, kind := range []string{"text/plain", "application/json", "multipart/form-data; boundary=x", ""} {
		if a := p.do("POST", "/chaves/nova", form.Encode(), http.Header{"Content-Type": {kind}}); a.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("%q: %d", kind, a.StatusCode)
		}
	}
	p.do("GET", "/chaves/nova?"+form.Encode(), "", http.Header{"X-Http-Method-Override": {"POST"}}).wantStatus(t, 200)
	if a := p.do("GET", "/public/v1/clients", "", nil); a.StatusCode != 401 {
		t.Errorf("the public API took the cookie: %d", a.StatusCode)
	}
	if a := p.do("POST", "/dashboard/v1/api_keys", `{"name":"roubada","scopes":["clients:read"]}`, http.Header{"Content-Type": {"application/json"}}); a.StatusCode != 401 {
		t.Errorf("the management API took the cookie: %d", a.StatusCode)
	}
	if n := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM api_keys WHERE name = 'roubada'`); n != 0 {
		t.Fatalf("%d keys were made", n)
	}
	p.post("/chaves/nova", form).wantStatus(t, 200)
}

func TestForms_RunOnceHoweverOftenTheyAreSent(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	p := o.person(t)
	client := url.Values{"name": {"Cliente só um"}, "_chave": {p.formKey("/clientes/novo", "/clientes/novo")}}
	key := url.Values{"name": {"Chave só uma"}, "scopes": {"clients:read"}, "_chave": {p.formKey("/chaves/nova", "/chaves/nova")}}

	var mu sync.Mutex
	var places []string
	for _, a := range testkit.AtOnce(8, func(int) answer { return p.post("/clientes/novo", client) }) {
		if a.StatusCode == http.StatusSeeOther {
			mu.Lock()
			places = append(places, a.Header.Get("Location"))
			mu.Unlock()
		} else if a.StatusCode != http.StatusConflict {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
	}
	places = append(places, p.post("/clientes/novo", client).wantStatus(t, 303).Header.Get("Location"))
	if slices.Sort(places); len(slices.Compact(places)) != 1 {
		t.Errorf("one form led to %v", places)
	}
	shown := p.post("/chaves/nova", key).wantStatus(t, 200)
	again := p.post("/chaves/nova", key).wantStatus(t, 409)
	if !strings.Contains(shown.body, "fh_live_") || strings.Contains(again.body, "Bearer fh_live_") || !strings.Contains(again.body, "já foi enviado") {
		t.Errorf("the second answer: %s", again.body)
	}
	for table, name := range map[string]string{"clients": "Cliente só um", "api_keys": "Chave só uma"} {
		if n := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM `+table+` WHERE name = $1`, name); n != 1 {
			t.Errorf("%s: %d", table, n)
		}
	}
}

func TestForms_TellWhenSomebodyElseWasFaster(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "integração", "clients:read", "clients:write")
	id := key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}).Want(t, 201).ID()
	p := o.person(t)
	page := "/clientes/" + id + "/editar"
	version := regexp.MustCompile(`name="_versao" value="([^"]+)"`).FindStringSubmatch(p.get(page).body)[1]
	formKey := p.formKey(page, page)
	key.Patch(t, "/public/v1/clients/"+id, testkit.M{"notes": "mudou"}).Want(t, 200)

	a := p.post(page, url.Values{"name": {"Ana Maria"}, "_chave": {formKey}, "_versao": {strings.ReplaceAll(version, "&#34;", `"`)}})

	if a.wantStatus(t, 412); !strings.Contains(a.body, "Alterado por outra pessoa") || !strings.Contains(a.body, "Ana Maria") {
		t.Errorf("not told, or what was typed is lost: %s", a.body)
	}
}

func TestSignIn_AsksForTheSecondFactor(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	b := newBrowser(t, srv).signedIn(o)
	b.open("/conta")
	b.submit("Ativar segundo fator")
	b.wantAccessible("segundo fator")
	b.shoot("jornada-segundo-fator")
	secret := js[string](b, `document.querySelector("#totp").textContent`)
	b.fill("code", "000000")
	b.submit("Ativar")
	b.wantText("não confere")
	code := func(shift time.Duration) string {
		text, err := totp.GenerateCode(secret, time.Now().Add(shift))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	b.fill("code", code(0))
	b.submit("Ativar")
	b.wantText("Segundo fator ativado.")

	b.do(forgetCookies())
	b.open("/entrar?voltar=/chaves")
	b.fill("email", o.Email)
	b.fill("password", password)
	b.submit("Entrar")
	b.wantText("Código de verificação")
	b.wantAccessible("código")
	b.shoot("jornada-codigo")
	if strings.Contains(js[string](b, "document.documentElement.outerHTML"), password) {
		t.Error("the password is in the page")
	}
	b.fill("totp", "123456")
	b.submit("Confirmar")
	b.wantText("não confere")
	b.fill("totp", code(30*time.Second))
	b.submit("Confirmar")
	if b.path() != "/chaves" {
		t.Errorf("led to %s", b.path())
	}
}

func TestInvitation_IsAcceptedByItsLink(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	b := newBrowser(t, srv).signedIn(o)
	b.open("/membros/convidar")
	email := uuid.NewString()[:8] + "@example.com"
	b.fill("email", email)
	b.do(checkAll("permissions"))
	b.submit("Criar convite")
	b.wantText("Link do convite")
	b.shoot("jornada-convite")
	link := js[string](b, `document.querySelector("#link").textContent`)

	b.do(forgetCookies())
	b.open(strings.TrimPrefix(link, srv.BaseURL))
	b.fill("name", "Bruno Lima")
	b.fill("password", password)
	b.submit("Aceitar e entrar")
	b.wantText("Olá, Bruno Lima.")
	b.open("/auditoria")
	b.wantText("Não permitido")
	b.open("/membros")
	b.wantText("Bruno Lima", email)
}
