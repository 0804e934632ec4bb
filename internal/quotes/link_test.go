package quotes_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fatureihoje/internal/config"
	"fatureihoje/internal/testkit"
)

// sendAgain sends a quote and returns its public link.
func sendAgain(t testing.TB, key *testkit.Client, quote string) string {
	t.Helper()
	link := key.Post(t, quote+"/send", nil).Want(t, 200).Text("public_url")
	if !strings.HasPrefix(link, key.Server.BaseURL+"/p/fh_link_") {
		t.Fatalf("the link is %q", link)
	}
	return link
}

var browser = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func get(t testing.TB, link string) (int, string) {
	t.Helper()
	r, err := browser.Get(link)
	if err != nil {
		t.Errorf("%v", err)
		return 0, ""
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Errorf("%v", err)
	}
	return r.StatusCode, string(body)
}

func post(t testing.TB, link string, form url.Values) int {
	t.Helper()
	r, err := browser.PostForm(link, form)
	if err != nil {
		t.Errorf("%v", err)
		return 0
	}
	_ = r.Body.Close()
	return r.StatusCode
}

func TestSendQuote_MakesALinkThatIsStoredOnlyAsAHash(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	quote := quoteThat(t, key)

	first := sendAgain(t, key, quote)
	second := sendAgain(t, key, quote)

	if first == second {
		t.Error("two sendings have one link")
	}
	if got := key.Get(t, quote); got.Text("public_url") != "" || got.Text("sent_at") == "" {
		t.Errorf("got %s", got)
	}
	token := first[strings.LastIndexByte(first, '/')+1:]
	n := testkit.Value[int](t, key.Server.Database, "SELECT count(*)::int FROM public_links WHERE token_hash = sha256($1::text::bytea)", token)
	if n != 1 {
		t.Errorf("%d links have its hash", n)
	}
	for _, link := range []string{first, second} {
		if status, page := get(t, link); status != 200 || !strings.Contains(page, "Pintura") {
			t.Errorf("%s is %d", link, status)
		}
	}
}

func TestRevokeQuoteLink_EndsEveryLink(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	quote := quoteThat(t, key)
	key.Post(t, quote+"/revoke_link", nil).WantProblem(t, 409, "conflict")
	first, second := sendAgain(t, key, quote), sendAgain(t, key, quote)

	key.Post(t, quote+"/revoke_link", nil).Want(t, 200)

	for _, link := range []string{first, second} {
		if status, _ := get(t, link); status != 404 {
			t.Errorf("the page is %d", status)
		}
		if status := post(t, link+"/approve", nil); status != 404 {
			t.Errorf("approving: %d", status)
		}
	}
	if got := key.Get(t, quote).Text("status"); got != "sent" {
		t.Errorf("the quote is %s", got)
	}
	if status, _ := get(t, sendAgain(t, key, quote)); status != 200 {
		t.Error("a later link does not work")
	}
}

func TestSendQuote_MailsTheLinkToTheClient(t *testing.T) {
	t.Parallel()
	server := testkit.NewMailServer(t)
	key := testkit.New(t, testkit.WithConfig(func(c *config.Config) { c.SMTPURL = server.URL })).Tenant(t).Key(t)
	client := key.Post(t, "/clients", testkit.M{"name": "Ana", "email": "ana@cliente.example"}).Want(t, 201).ID()
	quote := "/quotes/" + key.Post(t, "/quotes", quoteOf(client)).Want(t, 201).ID()

	sendAgain(t, key, quote)

	testkit.Eventually(t, "the mail arrives", func() bool { return len(server.Messages()) == 1 })
	if message := server.Messages()[0]; !strings.Contains(message, "ana@cliente.example") || !strings.Contains(message, "/p/fh_link_") {
		t.Errorf("got %s", message)
	}
}
