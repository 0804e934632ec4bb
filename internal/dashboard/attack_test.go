package dashboard_test

import (
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"fatureihoje/internal/config"
	"fatureihoje/internal/testkit"
)

// attacks are texts that run, or add an element of the class hit, where a page
// takes them for more than text.
func attacks() []string {
	return []string{
		`</script><img class=hit src=x onerror=hit=1>`, `" class=hit autofocus onfocus="hit=1`, `javascript:hit=1`, `{{7*7}}`, `<iframe class=hit src=http://127.0.0.1>`,
	}
}

// hostile writes an attack, another one in each round, or a shorter one where
// it does not fit. The number keeps apart what must be unique.
func hostile(round int) func(n, most int) string {
	return func(n, most int) string {
		for _, text := range []string{attacks()[(n+round)%len(attacks())], `<b class=hit>`, `<xmp>`} {
			if text = fmt.Sprintf("%s %d", text, n); len(text) <= most {
				return text
			}
		}
		return `"'><&`[:min(most, 5)]
	}
}

func TestAttack_StaysTextOnEveryPage(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, attacks()[0], attacks()[4])
	written, refused := map[string]bool{}, map[string]bool{}
	var left []string
	for round, attack := range attacks() {
		k := newKinds(t, o, hostile(round))
		k.all()
		o.key(t, attack, "clients:read")
		o.api().Post(t, "/dashboard/v1/invitations", testkit.M{"email": uuid.NewString()[:8] + "+<b>@example.com", "role": "admin"})
		left = k.missing()
		for name := range k.written {
			written[name] = true
		}
		for name := range k.refused {
			refused[name] = true
		}
	}
	key, _ := o.key(t, "leitura", everything()...)
	key.Get(t, "/public/v1/clients?tag="+url.QueryEscape(attacks()[3])).Want(t, 200)
	flush(t, srv)
	wantAllWritten(t, written, refused, left)
	shown, probe := map[string]bool{}, attacks()[0]+attacks()[1]
	start := []string{"/", "/nao-existe/" + url.PathEscape(probe), "/clientes/" + url.PathEscape(probe)}
	for _, path := range []string{"/entrar?voltar=", "/convite?token=", "/redefinir-senha?token=", "/clientes?feito=", "/clientes?cursor=", "/orcamentos/novo?client_id="} {
		start = append(start, path+url.QueryEscape(probe))
	}

	kinds := (&crawler{p: o.person(t), each: 8, typed: probe, look: func(s survey) {
		for _, element := range s.Alive {
			t.Errorf("%s: a stored text became %s", s.Path, element)
		}
		if s.Status >= 500 {
			t.Errorf("%s: %d", s.Path, s.Status)
		}
		text := strings.Join(s.Texts, "\n")
		for _, attack := range attacks() {
			shown[attack] = shown[attack] || strings.Contains(text, attack)
		}
	}}).run(start...)

	for _, attack := range attacks() {
		if !shown[attack] {
			t.Errorf("no page shows %s as text", attack)
		}
	}
	b := newBrowser(t, srv).signedIn(o)
	b.size(360, 740)
	for _, paths := range kinds {
		if b.visited(paths[0]) {
			b.wantHarmless(paths[0])
		}
	}
}

// wantAllWritten makes sure that no text of the API was forgotten, and that only
// those with a form of their own were refused.
func wantAllWritten(t *testing.T, written, refused map[string]bool, missing []string) {
	t.Helper()
	formed := []string{"phone", "mobile", "document", "state_registration", "city_code", "postal_code", "state", "gtin", "ncm", "service_code"}
	isFormed := func(name string) bool {
		for _, member := range formed {
			if strings.HasSuffix(name, "/"+member) {
				return true
			}
		}
		return false
	}
	for _, name := range missing {
		if !isFormed(name) {
			t.Errorf("nothing was written into %s: add its route to kinds.all", name)
		}
	}
	for name := range refused {
		if !written[name] && !isFormed(name) && !strings.HasSuffix(name, "_id") {
			t.Errorf("%s was never taken", name)
		}
	}
}

// wantHarmless reports what a stored text did to the page that is open.
func (b *browser) wantHarmless(what string) {
	b.t.Helper()
	if found := js[[]string](b, `[...document.querySelectorAll(".hit, xmp, iframe, object, embed, img[src=x], [onerror], [onload], [onfocus], a[href^='javascript:' i]")].map((e) => e.outerHTML.slice(0, 200))
		.concat(window.hit === undefined ? [] : ["window.hit"])`); len(found) > 0 {
		b.t.Errorf("%s: a stored text became %v", what, found)
	}
}

func TestAttack_StaysTextOnPublicPages(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	b := newBrowser(t, srv)
	b.size(360, 740)
	for round, attack := range attacks() {
		o := signUp(t, srv, attack, attack)
		k := newKinds(t, o, hostile(round))
		client := k.client()
		items := func() []testkit.M {
			return []testkit.M{{"kind": "custom", "quantity": "1", "unit_price_cents": 100, "description": attack}, {"kind": "custom", "quantity": "1", "unit_price_cents": 100}}
		}
		quote := k.send("/quotes", testkit.M{"client_id": client, "items": items()}).ID()
		sale := k.send("/sales", testkit.M{"client_id": client, "items": items()}).ID()
		for _, link := range []string{k.send("/quotes/{id}/send", nil, quote).Text("public_url"), k.send("/sales/{id}/share", nil, sale).Text("receipt_url")} {
			path := strings.TrimPrefix(link, srv.BaseURL)
			if !strings.HasPrefix(path, "/p/") {
				t.Fatalf("no public page: %q", link)
			}
			if b.visited(path) {
				b.wantHarmless(path)
			}
			if text := js[string](b, "document.body.innerText"); !strings.Contains(text, attack) {
				t.Errorf("%s does not show %s as text: %s", path, attack, text)
			}
		}
	}
}

func TestAttack_StaysTextInMail(t *testing.T) {
	t.Parallel()
	server := testkit.NewMailServer(t)
	srv := testkit.New(t, testkit.WithConfig(func(c *config.Config) { c.SMTPURL = server.URL }))
	names := append(attacks(), "Oficina\r\nBcc: todos@example.com\r\n\r\n<h1>", "Oficina\nBcc: todos@example.com", "Oficina\u2028Bcc: todos@example.com", "Oficina\u0085Bcc: todos@example.com", strings.Repeat("ç", 119)+"\t")
	want := 0
	for round, name := range names {
		o := signUp(t, srv, "Oficina", "Ana")
		if o.api().Patch(t, "/dashboard/v1/tenant", testkit.M{"name": name}).Status == http.StatusOK {
			want++
		}
		o.api().Patch(t, "/dashboard/v1/me", testkit.M{"name": name})
		o.api().Post(t, "/dashboard/v1/invitations", testkit.M{"email": uuid.NewString()[:8] + "@example.com", "role": "admin"}).Want(t, 201)
		srv.Anonymous().Post(t, "/dashboard/v1/password_reset", testkit.M{"email": o.Email})
		k := newKinds(t, o, hostile(round))
		k.mail = uuid.NewString()[:8] + "@example.com"
		k.send("/quotes/{id}/send", nil, k.send("/quotes", testkit.M{"client_id": k.client(), "items": []testkit.M{{"kind": "custom", "quantity": "1", "unit_price_cents": 100}}}).ID())
	}
	if want < len(attacks()) {
		t.Fatalf("only %d names were taken", want)
	}
	testkit.Eventually(t, "every message is sent", func() bool { return len(server.Messages()) == 3*len(names) })
	for _, message := range server.Messages() {
		wantPlainMail(t, message)
	}
}

// wantPlainMail reports a message that is more than text, or has headers that
// the server did not write.
func wantPlainMail(t *testing.T, message string) {
	t.Helper()
	envelope, rest, _ := strings.Cut(message, "From: ")
	header, body, _ := strings.Cut("From: "+rest, "\r\n\r\n")
	if strings.Count(envelope, "RCPT TO:") != 1 {
		t.Errorf("more than one person gets %q", message)
	}
	for line := range strings.SplitSeq(header, "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		if !strings.Contains(" From To Subject Date Message-ID MIME-Version Content-Type Content-Transfer-Encoding Auto-Submitted ", " "+name+" ") && !strings.HasPrefix(line, " ") {
			t.Errorf("the header has the line %q", line)
		}
		if name == "Content-Type" && value != "text/plain; charset=utf-8" {
			t.Errorf("the message is %s", value)
		}
		if decoded, err := new(mime.WordDecoder).DecodeHeader(value); err != nil || strings.ContainsAny(decoded, "\r\n") {
			t.Errorf("the header has %q, %v", decoded, err)
		}
	}
	if text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(body))); err != nil || !strings.Contains(string(text), "http") {
		t.Errorf("the text is %q, %v", text, err)
	}
}

func TestAttack_StaysTextInErrorsOfTheAPI(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	b := newBrowser(t, srv)
	p := &person{t: t, base: srv.BaseURL}
	for _, attack := range attacks() {
		for _, path := range []string{
			"/public/v1/clients?q=" + url.QueryEscape(attack), "/public/v1/" + url.PathEscape(attack), "/public/v1/clients/" + url.PathEscape(attack), "/public/v1/clients?" + url.QueryEscape(attack) + "=1",
			"/dashboard/v1/" + url.PathEscape(attack), "/dashboard/v1/me?x=" + url.QueryEscape(attack), "/public/v2/" + url.PathEscape(attack),
		} {
			a := p.get(path)
			kind := a.Header.Get("Content-Type")
			if a.StatusCode < 400 || kind != "application/problem+json" && kind != "application/json" || a.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: %d, %v", path, a.StatusCode, a.Header)
			}
			b.open(path)
			b.wantHarmless(path)
			if shown := js[string](b, "document.contentType"); strings.Contains(shown, "html") {
				t.Errorf("%s is shown as %s", path, shown)
			}
		}
	}
}
