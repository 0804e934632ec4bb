package publicpages_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var browser = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

type answer struct {
	status int
	header http.Header
	body   string
}

func call(t testing.TB, method, link string, form url.Values, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequest(method, link, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	r, err := browser.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{r.StatusCode, r.Header, string(body)}
}

func (a answer) want(t testing.TB, status int, texts ...string) answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("want %d, got %d: %s", status, a.status, a.body)
	}
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			t.Errorf("the page lacks %q:\n%s", text, a.body)
		}
	}
	return a
}

func sentQuote(t testing.TB, key *testkit.Client, more testkit.M) (quote, link string) {
	t.Helper()
	client := key.Post(t, "/clients", testkit.M{"name": "Ana & Filhos"}).Want(t, 201).ID()
	body := testkit.M{
		"client_id": client, "terms": "Garantia de 90 dias.", "notes": "SEGREDO", "valid_until": "2199-12-31", "discount_percent": 10, "shipping_cents": 1500,
		"items": []testkit.M{
			{"kind": "custom", "description": "Instalação elétrica", "quantity": "12.5", "unit_price_cents": 9000},
			{"kind": "custom", "description": "Material", "quantity": 1, "unit_price_cents": 48000, "discount_cents": 3000},
		},
		"payment_plan": testkit.M{"count": 3, "first_due_date": "2030-01-31", "method": "boleto"},
	}
	for name, value := range more {
		body[name] = value
	}
	quote = "/quotes/" + key.Post(t, "/quotes", body).Want(t, 201).ID()
	return quote, key.Post(t, quote+"/send", nil).Want(t, 200).Text("public_url")
}

func TestQuotePage_ShowsTheOfferAndNothingElse(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	_, link := sentQuote(t, key, nil)

	page := call(t, http.MethodGet, link, nil).want(t, 200,
		"Orçamento", "nº 1", "Oficina Souza", "Ana &amp; Filhos", "Instalação elétrica", "12,5 UN", "R$ 1.125,00", "R$ 450,00", "R$ 1.432,50",
		"31/12/2199", "Garantia de 90 dias.", "1ª parcela · 31/01/2030 · Boleto", "R$ 477,50", "Aguardando sua decisão", "Aprovar orçamento", `<html lang="pt-BR">`)

	if strings.Contains(page.body, "SEGREDO") || strings.Contains(page.body, "<script") {
		t.Error("the page shows what is internal, or has a script")
	}
	h := page.header
	policy := h.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") ||
		h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Set-Cookie") != "" ||
		h.Get("Cache-Control") != "no-store" || h.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("headers %v", h)
	}
}

func TestQuotePage_EscapesEverything(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	evil := `</script><img src=x onerror=alert(1)>" autofocus onfocus="alert(1)`
	_, link := sentQuote(t, key, testkit.M{"terms": evil, "items": []testkit.M{{"kind": "custom", "description": evil, "quantity": 1, "unit_price_cents": 1}}})

	page := call(t, http.MethodGet, link, nil).want(t, 200, "&lt;img src=x onerror=alert(1)&gt;")

	if strings.Contains(page.body, "<img") || strings.Contains(page.body, `onfocus="alert`) {
		t.Errorf("not escaped:\n%s", page.body)
	}
}

func TestQuotePage_TakesTheDecisionOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	for action, c := range map[string]struct{ status, text string }{
		"approve": {"approved", "Orçamento aprovado em "}, "reject": {"rejected", "Orçamento recusado em "},
	} {
		quote, link := sentQuote(t, key, nil)

		clicks := testkit.AtOnce(8, func(int) answer {
			return call(t, http.MethodPost, link+"/"+action, url.Values{"reason": {"Muito <caro>"}}, "Sec-Fetch-Site", "same-origin")
		})

		for _, click := range clicks {
			if click.status != 303 || click.header.Get("Location") != strings.TrimPrefix(link, key.Server.BaseURL) {
				t.Errorf("%s: %d to %s", action, click.status, click.header.Get("Location"))
			}
		}
		if page := call(t, http.MethodGet, link, nil).want(t, 200, c.text); strings.Contains(page.body, "<form") {
			t.Error("the page still asks")
		}
		other := map[string]string{"approve": "reject", "reject": "approve"}[action]
		call(t, http.MethodPost, link+"/"+other, nil).want(t, 303)
		if got := key.Get(t, quote).Text("status"); got != c.status {
			t.Errorf("the quote is %s", got)
		}
		last := key.Get(t, quote+"/history").Want(t, 200).Data(t)[0]
		actor, _ := last["actor"].(map[string]any)
		if actor["type"] != "public_link" || last["action"] != action || action == "reject" && last["reason"] != "Muito <caro>" {
			t.Errorf("history %v", last)
		}
		if n := len(key.All(t, quote+"/history")); n != 3 {
			t.Errorf("%d changes", n)
		}
	}
}

func TestQuotePage_RefusesFormsOfOtherSites(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	quote, link := sentQuote(t, key, nil)

	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
		{"Origin", "https://evil.example"},
	} {
		call(t, http.MethodPost, link+"/approve", nil, headers...).want(t, 403)
	}
	if got := key.Get(t, quote).Text("status"); got != "sent" {
		t.Errorf("the quote is %s", got)
	}
	call(t, http.MethodGet, link+"/approve", nil).want(t, 405)
}

func TestPages_TellNothingWithoutALiveLink(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	base := key.Server.BaseURL + "/p/"
	unknown := auth.NewToken(auth.PublicLink, key.Tenant.ID).Reveal()
	nobody := auth.NewToken(auth.PublicLink, testkit.New(t).Tenant(t).ID).Reveal()

	want := call(t, http.MethodGet, base+unknown, nil).want(t, 404, "Este link não existe")
	for _, token := range []string{nobody, "x", "fh_link_x", key.Secret, unknown[:len(unknown)-1], "%27"} {
		if got := call(t, http.MethodGet, base+token, nil); got.status != 404 || got.body != want.body {
			t.Errorf("%s: %d %s", token, got.status, got.body)
		}
	}
	call(t, http.MethodPost, base+unknown+"/approve", nil).want(t, 404)
}

func TestReceiptPage_ShowsWhatWasPaidUntilItIsRevoked(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	sale := "/sales/" + key.Post(t, "/sales", testkit.M{"items": []testkit.M{{"kind": "custom", "description": "Troca de óleo", "quantity": 1, "unit_price_cents": 15000}}}).Want(t, 201).ID()
	key.Post(t, sale+"/payments", testkit.M{"amount_cents": 5000, "method": "pix", "paid_at": "2026-02-01T01:00:00Z"}).Want(t, 201)

	link := key.Post(t, sale+"/share", nil).Want(t, 200).Text("receipt_url")

	page := call(t, http.MethodGet, link, nil).want(t, 200, "Recibo de venda", "nº 1", "Troca de óleo", "31/01/2026 · Pix", "R$ 50,00", "R$ 100,00", "Pago em parte")
	if strings.Contains(page.body, "<form") {
		t.Error("a receipt asks for a decision")
	}
	call(t, http.MethodPost, link+"/approve", nil).want(t, 404)
	if got := key.Get(t, sale).Text("receipt_url"); got != "" {
		t.Errorf("the link is shown again: %s", got)
	}
	key.Post(t, sale+"/revoke_link", nil).Want(t, 200)
	call(t, http.MethodGet, link, nil).want(t, 404)
	key.Post(t, sale+"/revoke_link", nil).WantProblem(t, 409, "conflict")
}
