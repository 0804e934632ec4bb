package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

// again is a second browser of a person, with a session of its own.
func (o *owner) again(t *testing.T) *person {
	t.Helper()
	p := &person{t: t, base: o.server.BaseURL}
	p.take(p.post("/entrar", url.Values{"email": {o.Email}, "password": {password}}).wantStatus(t, 303))
	return p
}

func TestSession_LosesWhatADemotionTakesInEveryBrowser(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	boss := signUp(t, srv, "Oficina", "Ana")
	admin, id := boss.colleague(t, "admin")
	here, there, chief := admin.person(t), admin.again(t), boss.person(t)
	invite := url.Values{"email": {stranger()}, "role": {"admin"}, "_chave": {there.formKey("/membros/convidar", "/membros/convidar")}}
	here.get("/auditoria").wantStatus(t, 200)
	there.get("/auditoria").wantStatus(t, 200)

	chief.post("/membros/"+id, url.Values{"role": {"member"}, "permissions": {"clients:read"}, "_chave": {chief.formKey("/membros/"+id, "/membros/"+id)}}).wantStatus(t, 303)

	for _, browser := range []*person{here, there} {
		browser.get("/conta").wantStatus(t, 200) // still in
		for _, closed := range []string{"/auditoria", "/tarefas"} {
			if a := browser.get(closed); a.StatusCode == 200 && !strings.Contains(a.body, "Não permitido") {
				t.Errorf("%s is still open: %s", closed, a.body)
			}
		}
		browser.get("/clientes").wantStatus(t, 200)
	}
	there.post("/membros/convidar", invite).wantStatus(t, 403)
	if n := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM invitations WHERE email = $1`, invite.Get("email")); n != 0 {
		t.Error("a form that was rendered before the demotion still invites")
	}
}

func TestSession_EndsWithTheDeactivationInEveryBrowser(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	boss := signUp(t, srv, "Oficina", "Ana")
	admin, id := boss.colleague(t, "admin")
	here, there, chief := admin.person(t), admin.again(t), boss.person(t)
	form := url.Values{"name": {"tarde demais"}, "scopes": {"clients:read"}, "_chave": {there.formKey("/chaves/nova", "/chaves/nova")}}

	chief.post("/membros/"+id+"/desativar", url.Values{"_chave": {chief.formKey("/membros/"+id, "/membros/"+id+"/desativar")}}).wantStatus(t, 303)

	wantSignedOut(t, here)
	if a := there.post("/chaves/nova", form); a.StatusCode != 303 || !strings.HasPrefix(a.Header.Get("Location"), "/entrar") {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	if n := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM api_keys WHERE name = 'tarde demais'`); n != 0 {
		t.Error("a key was made")
	}
	// Renewing does not bring it back, nor does signing in, nor does coming back
	// to the company open the old sessions.
	renewing := &person{t: t, base: srv.BaseURL, cookie: "fh_session=expired.access.token:" + admin.Refresh}
	wantSignedOut(t, renewing)
	renewing.post("/entrar", url.Values{"email": {admin.Email}, "password": {password}}).wantStatus(t, 401)
	chief.post("/membros/"+id+"/reativar", url.Values{"_chave": {chief.formKey("/membros/"+id, "/membros/"+id+"/reativar")}}).wantStatus(t, 303)
	wantSignedOut(t, here)
	wantSignedOut(t, there)
}

func TestSession_IsOpenedByNoForgedCookie(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o, foreign := signUp(t, srv, "Oficina", "Ana"), signUp(t, srv, "Outra", "Bia")
	control, forged := testkit.Forged(t, o.Access, foreign.Access)
	invitation := o.api().Post(t, "/dashboard/v1/invitations", testkit.M{"email": stranger(), "role": "admin"}).Want(t, 201)
	forged["refresh"], forged["invitation"] = o.Refresh, tokenOf(t, invitation.Text("accept_url"))
	forged["empty"] = ""
	with := func(value string) *person { return &person{t: t, base: srv.BaseURL, cookie: "fh_session=" + value} }

	with(control).get("/conta").wantStatus(t, 200)
	for name, token := range forged {
		for _, value := range []string{token, token + ":", token + ":" + forged["invitation"], ":" + control} {
			a := with(value).get("/conta")
			if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/entrar?voltar=%2Fconta" {
				t.Errorf("%s: %d to %s", name, a.StatusCode, a.Header.Get("Location"))
			}
			if c := a.Cookies(); len(c) != 1 || c[0].Value != "" || c[0].MaxAge >= 0 {
				t.Errorf("%s: the cookie stays: %v", name, c)
			}
		}
	}
	o.api().Post(t, "/dashboard/v1/logout", nil).Want(t, 204)
	wantSignedOut(t, with(control))
	wantSignedOut(t, with(control+":"+o.Refresh))
}

// TestForms_OfEveryKindAreRefusedFromAnywhereElse tries what changes who gets in.
func TestForms_OfEveryKindAreRefusedFromAnywhereElse(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	_, keyID := o.key(t, "integração", "clients:read")
	_, memberID := o.colleague(t, "admin")
	p := o.person(t)
	state := func() string {
		return testkit.Value[string](t, srv.Database, `SELECT
			(SELECT count(*) FROM api_keys WHERE tenant_id = m.tenant_id) || ' ' || (SELECT count(*) FROM api_keys WHERE tenant_id = m.tenant_id AND ends_at IS NULL)
			|| ' ' || (SELECT count(*) FROM invitations WHERE tenant_id = m.tenant_id) || ' ' || (SELECT string_agg(role || active, ',' ORDER BY id) FROM members WHERE tenant_id = m.tenant_id)
			|| ' ' || (SELECT count(*) FROM sessions WHERE tenant_id = m.tenant_id AND ended_at IS NULL)
			FROM members m WHERE m.id = $1`, memberID)
	}
	before := state()

	for _, f := range []struct {
		page, action string
		form         url.Values
	}{
		{"/chaves/nova", "/chaves/nova", url.Values{"name": {"roubada"}, "scopes": {"clients:read"}}},
		{"/chaves/" + keyID + "/rotacionar", "/chaves/" + keyID + "/rotacionar", url.Values{"grace_seconds": {"0"}}},
		{"/chaves/" + keyID + "/revogar", "/chaves/" + keyID + "/revogar", url.Values{"confirm": {"integração"}, "name": {"integração"}}},
		{"/membros/convidar", "/membros/convidar", url.Values{"email": {stranger()}, "role": {"admin"}}},
		{"/membros/" + memberID, "/membros/" + memberID, url.Values{"role": {"owner"}}},
		{"/membros/" + memberID, "/membros/" + memberID + "/desativar", url.Values{}},
		{"/conta", "/conta/sessoes/encerrar-todas", url.Values{}},
		{"/conta", "/sair", url.Values{}},
	} {
		p.post(f.action, f.form).wantStatus(t, http.StatusForbidden) // no token
		f.form.Set("_chave", p.formKey(f.page, f.action))
		for name, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
			h := formHeader()
			h.Set(name, value)
			p.do("POST", f.action, f.form.Encode(), h).wantStatus(t, http.StatusForbidden)
		}
		for _, kind := range []string{"text/plain", "application/json", "multipart/form-data; boundary=x", ""} {
			p.do("POST", f.action, f.form.Encode(), http.Header{"Content-Type": {kind}}).wantStatus(t, http.StatusUnsupportedMediaType)
		}
		for _, override := range []string{"X-Http-Method-Override", "X-Http-Method", "X-Method-Override"} {
			p.do("GET", f.action+"?"+f.form.Encode(), "", http.Header{override: {"POST"}})
		}
		p.do("GET", f.action+"?_method=POST&"+f.form.Encode(), "", nil)
		for _, method := range []string{"PUT", "PATCH", "DELETE"} {
			if a := p.do(method, f.action, f.form.Encode(), formHeader()); a.StatusCode < 400 {
				t.Errorf("%s %s: %d", method, f.action, a.StatusCode)
			}
		}
		if now := state(); now != before {
			t.Fatalf("%s was done: %s, was %s", f.action, now, before)
		}
	}

	// The management API knows no cookie, whatever else is sent with it.
	for path, body := range map[string]string{
		"/api_keys": `{"name":"roubada","scopes":["clients:read"]}`, "/api_keys/" + keyID + "/rotate": `{"grace_seconds":0}`,
		"/api_keys/" + keyID + "/revoke": ``, "/invitations": `{"email":"x@example.com","role":"admin"}`, "/logout_all": ``,
	} {
		for _, kind := range []string{"application/json", "text/plain", "application/x-www-form-urlencoded", ""} {
			p.do("POST", "/dashboard/v1"+path, body, http.Header{"Content-Type": {kind}}).wantStatus(t, http.StatusUnauthorized)
		}
	}
	if now := state(); now != before {
		t.Errorf("something was done: %s, was %s", now, before)
	}
}
