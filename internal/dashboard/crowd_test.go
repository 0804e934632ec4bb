package dashboard_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"fatureihoje/internal/testkit"
)

const (
	crowdSize = 1000
	mostCents = 99_999_999_999 // that the API takes
)

// crowd is a company with a thousand of everything, of names and amounts as long
// as they may be.
type crowd struct {
	*owner
	paths  map[string]string // a record of each list, by the list's path
	atOnce int
}

// longWord has no place to break.
func longWord(n int) string {
	return fmt.Sprintf("%04d", n) + strings.Repeat("Desoxirribonucleico", 7)[:116]
}

func newCrowd(t *testing.T, s *testkit.Server) *crowd {
	t.Helper()
	c := &crowd{owner: signUp(t, s, longWord(0), longWord(1)), paths: map[string]string{}, atOnce: 8}
	key, _ := c.key(t, strings.Repeat("k", 80), everything()...)
	for n := range 60 {
		c.key(t, strings.Repeat("Chave", 12)+strconv.Itoa(n), "clients:read")
	}
	client := c.make(t, key, "/clientes", "/clients", crowdSize, func(n int) testkit.M {
		body := testkit.M{"name": longWord(n), "email": strings.Repeat("a", 60) + strconv.Itoa(n) + "@" + strings.Repeat("b", 60) + "." + strings.Repeat("c", 60) + ".example.com", "tags": []string{strings.Repeat("t", 40)}}
		if n%10 == 0 {
			body["name"] = fmt.Sprintf("Raro %04d", n)
		}
		return body
	})
	c.make(t, key, "/produtos", "/products", crowdSize, func(n int) testkit.M {
		return testkit.M{"name": longWord(n), "price_cents": mostCents, "sku": strings.Repeat("S", 55) + strconv.Itoa(n)}
	})
	items := []testkit.M{{"kind": "custom", "description": strings.Repeat("Serviço", 70), "quantity": "1", "unit_price_cents": mostCents}}
	c.make(t, key, "/vendas", "/sales", crowdSize, func(int) testkit.M { return testkit.M{"client_id": client, "items": items} })
	c.make(t, key, "/financeiro", "/financial_transactions", crowdSize, func(n int) testkit.M {
		return testkit.M{"type": []string{"expense", "income"}[n%2], "description": longWord(n) + strings.Repeat("x", 80), "amount_cents": mostCents, "due_date": "2020-11-30"}
	})
	account := key.Post(t, "/public/v1/financial_accounts", testkit.M{"name": strings.Repeat("Conta", 16), "opening_balance_cents": -mostCents})
	if account.Status == 201 {
		key.Post(t, "/public/v1/financial_transactions", testkit.M{"type": "expense", "description": "Paga", "amount_cents": mostCents, "due_date": "2020-11-30", "paid_at": "2020-11-30T12:00:00Z", "account_id": account.ID()}).Want(t, 201)
	}
	c.make(t, key, "/leads", "/leads", 30, func(n int) testkit.M {
		return testkit.M{"name": longWord(n), "interest": strings.Repeat("i", 500), "estimated_value_cents": mostCents}
	})
	c.make(t, key, "/tarefas", "/tasks", 30, func(n int) testkit.M {
		return testkit.M{"title": longWord(n) + strings.Repeat("y", 80), "client_id": client}
	})
	c.make(t, key, "/agenda", "/appointments", 30, func(n int) testkit.M {
		return testkit.M{"title": longWord(n), "starts_at": "2030-03-02T14:00:00-03:00", "ends_at": "2030-03-02T15:00:00-03:00", "client_id": client}
	})
	c.make(t, key, "/servicos", "/services", 30, func(n int) testkit.M { return testkit.M{"name": longWord(n), "price_cents": mostCents} })
	c.make(t, key, "/orcamentos", "/quotes", 30, func(int) testkit.M { return testkit.M{"client_id": client, "items": items} })
	c.make(t, key, "/ordens", "/service_orders", 30, func(n int) testkit.M {
		return testkit.M{"client_id": client, "items": items, "title": longWord(n) + strings.Repeat("z", 80)}
	})
	flush(t, s)
	return c
}

// make posts n records of a kind, and returns the last one's id.
func (c *crowd) make(t *testing.T, key *testkit.Client, page, api string, n int, body func(n int) testkit.M) string {
	t.Helper()
	numbers := make(chan int, n)
	for i := range n {
		numbers <- i
	}
	close(numbers)
	var mu sync.Mutex
	last := ""
	testkit.AtOnce(c.atOnce, func(int) struct{} {
		for i := range numbers {
			if answer := key.Post(t, "/public/v1"+api, body(i)); answer.Status != 201 {
				t.Errorf("%s", answer)
				return struct{}{}
			} else if id := answer.ID(); id != "" {
				mu.Lock()
				last = id
				mu.Unlock()
			}
		}
		return struct{}{}
	})
	if t.Failed() {
		t.FailNow()
	}
	c.paths[page] = page + "/" + last
	return last
}

// pageOf is a list as a person sees it: the addresses of its records, and of the
// next page, "" for none.
func (p *person) pageOf(path string) (records []string, next string) {
	p.t.Helper()
	list, _, _ := strings.Cut(path, "?")
	page, err := html.Parse(strings.NewReader(p.get(path).wantStatus(p.t, 200).body))
	if err != nil {
		p.t.Fatal(err)
	}
	for n := range page.Descendants() {
		if n.Type != html.ElementNode || n.Data != "a" {
			continue
		}
		href := attributeText(n, "href")
		switch {
		case strings.HasPrefix(strings.TrimSpace(textOf(n)), "Próxima página"):
			next = href
		case within(n, "tbody") && strings.HasPrefix(href, list+"/"):
			records = append(records, href)
		}
	}
	return records, next
}

// walk follows a list to its end, and counts how often each record is shown.
func (p *person) walk(path string) map[string]int {
	p.t.Helper()
	seen := map[string]int{}
	for path != "" {
		records, next := p.pageOf(path)
		if len(records) == 0 {
			p.t.Errorf("%s is empty", path)
		}
		for _, record := range records {
			seen[record]++
		}
		path = next
	}
	return seen
}

func TestScreenshot_PagesOfACrowdedCompany(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	c := newCrowd(t, srv)
	p := c.person(t)
	lists := slices.Sorted(maps.Keys(c.paths))

	for _, list := range append(slices.Clone(lists), "/chaves") {
		if records, next := p.pageOf(list); len(records) < 20 || next == "" {
			t.Errorf("%s shows %d records, next %q", list, len(records), next)
		}
	}
	seen := p.walk("/clientes")
	for record, times := range seen {
		if times != 1 {
			t.Errorf("%s is shown %d times", record, times)
		}
	}
	if len(seen) != crowdSize {
		t.Errorf("%d clients of %d are shown", len(seen), crowdSize)
	}
	if found := p.walk("/clientes?q=" + url.QueryEscape("Raro")); len(found) != crowdSize/10 {
		t.Errorf("the search finds %d clients", len(found))
	}
	if found := p.walk("/financeiro?type=expense"); len(found) != crowdSize/2+1 {
		t.Errorf("the filter finds %d transactions", len(found))
	}

	b := newBrowser(t, srv).signedIn(c.owner)
	forms := []string{"/clientes/novo", "/orcamentos/novo", "/vendas/novo", "/financeiro/novo", c.paths["/clientes"] + "/editar", c.paths["/orcamentos"] + "/editar", c.paths["/vendas"] + "/editar"}
	shown := append(slices.Clone(lists), "/", "/chaves", "/idempotencia", "/requisicoes", "/membros")
	for _, list := range lists {
		shown = append(shown, c.paths[list])
	}
	b.size(360, 844)
	for _, path := range append(shown, forms...) {
		if !b.visited(path) {
			continue
		}
		for _, width := range []int64{360, 390, 768, 1280} {
			b.size(width, 844)
			b.wantFits(fmt.Sprintf("%s at %d px", path, width))
			if width == 390 || width == 1280 {
				b.shoot(fmt.Sprintf("cheio%s-%d", strings.ReplaceAll(strings.ReplaceAll(kindOf(path), "/", "-"), "{id}", "um"), width))
			}
		}
	}
}
