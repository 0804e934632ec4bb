package dashboard_test

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"fatureihoje/internal/testkit"
)

// crawler asks for every page that links and searches lead to. It knows no page
// by name: a new one is found as soon as another leads to it. It reads pages as
// a browser without scripts; what only a browser can tell, one looks at after it.
type crawler struct {
	p     *person
	each  int          // how many pages of one kind are asked for
	typed string       // into the fields of searches
	look  func(survey) // at each page

	seen  map[string]bool
	count map[string]int
	queue []string
}

// survey is what a page shows.
type survey struct {
	Path, Kind string // Kind: the path with {id} for ids
	Status     int
	Headings   int
	Title      string
	Texts      []string // everything that can be read, and what fields hold
	Links      []string
	Keyless    []string // forms that lack their key
	Alive      []string // elements of a stored text
}

var anID = regexp.MustCompile(`/[^/]*[^/a-z-][^/]*`)

// kindOf is a path with {id} for ids: what is not plain lower-case words.
func kindOf(path string) string {
	return anID.ReplaceAllString(path, "/{id}")
}

// ask adds a page that was not asked for yet, if few of its kind were: of its
// path, and of the names in its query that are not empty.
func (c *crawler) ask(link string) {
	u, err := url.Parse(link)
	if err != nil || u.Host != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "/docs/") || strings.HasPrefix(u.Path, "/static/") || strings.Contains(u.Path, "/exportar") {
		return
	}
	u.Fragment = ""
	link = u.String()
	kind := kindOf(u.EscapedPath()) + "?"
	names := []string{}
	for name, values := range u.Query() {
		if values[0] != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	kind += strings.Join(names, "&")
	if c.seen[link] || c.count[kind] >= c.each {
		return
	}
	c.seen[link] = true
	c.count[kind]++
	c.queue = append(c.queue, link)
}

// run asks for all pages that there are, from these on, and returns the
// addresses of each kind.
func (c *crawler) run(from ...string) map[string][]string {
	c.p.t.Helper()
	c.seen, c.count = map[string]bool{}, map[string]int{}
	for _, link := range from {
		c.ask(link)
	}
	kinds := map[string][]string{}
	for len(c.queue) > 0 {
		link := c.queue[0]
		c.queue = c.queue[1:]
		s := c.p.survey(link, c.typed)
		kinds[s.Kind] = append(kinds[s.Kind], link)
		c.look(s)
		for _, next := range s.Links {
			c.ask(next)
		}
	}
	return kinds
}

// survey asks for a page and tells what it shows.
func (p *person) survey(path, typed string) survey {
	p.t.Helper()
	a := p.get(path)
	s := survey{Path: path, Status: a.StatusCode}
	where, _, _ := strings.Cut(path, "?")
	s.Kind = kindOf(where)
	page, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		p.t.Errorf("%s: %v", path, err)
		return s
	}
	for n := range page.Descendants() {
		s.read(n, typed)
	}
	return s
}

func (s *survey) read(n *html.Node, typed string) {
	switch n.Type {
	case html.TextNode:
		if !within(n, "script", "style", "pre", "code", "template", "title") { // <pre>: what a request was answered
			s.Texts = append(s.Texts, n.Data)
		}
	case html.ElementNode:
		for _, name := range []string{"title", "aria-label", "placeholder", "value"} {
			if text, given := attributeOf(n, name); given && attributeText(n, "type") != "hidden" {
				s.Texts = append(s.Texts, text)
			}
		}
		if alive(n) {
			s.Alive = append(s.Alive, rendered(n))
		}
		switch {
		case n.Data == "h1":
			s.Headings++
		case n.Data == "title" && within(n, "head"):
			s.Title = strings.TrimSpace(textOf(n))
		case n.Data == "a":
			s.Links = append(s.Links, attributeText(n, "href"))
		case n.Data == "form" && strings.EqualFold(attributeText(n, "method"), "post"):
			if !hasKey(n) {
				s.Keyless = append(s.Keyless, attributeText(n, "action"))
			}
		case n.Data == "form":
			s.Links = append(s.Links, searches(n, typed)...)
		}
	}
}

// alive reports an element that no page has of its own: one of a stored text.
func alive(n *html.Node) bool {
	if slices.Contains([]string{"iframe", "object", "embed", "xmp", "base"}, n.Data) {
		return true
	}
	for _, a := range n.Attr {
		lower := strings.ToLower(strings.TrimSpace(a.Val))
		if strings.HasPrefix(a.Key, "on") || a.Key == "class" && slices.Contains(strings.Fields(a.Val), "hit") ||
			(a.Key == "href" || a.Key == "src" || a.Key == "action") && strings.HasPrefix(lower, "javascript:") || a.Key == "src" && a.Val == "x" {
			return true
		}
	}
	return false
}

// searches are the addresses to which the choices of a search lead, one by one.
func searches(form *html.Node, typed string) []string {
	start, choices := url.Values{}, map[string][]string{}
	for n := range form.Descendants() {
		name := attributeText(n, "name")
		switch {
		case n.Type != html.ElementNode || name == "":
		case n.Data == "select":
			for o := range n.Descendants() {
				if value, given := attributeOf(o, "value"); given && value != "" {
					choices[name] = append(choices[name], value)
				}
			}
		case n.Data == "input" && attributeText(n, "type") == "date":
			choices[name] = []string{"2026-01-01"}
		case n.Data == "input" && attributeText(n, "type") == "hidden":
			start.Set(name, attributeText(n, "value"))
		case n.Data == "input":
			choices[name] = []string{typed}
		}
	}
	var all []string
	for name, values := range choices {
		for _, value := range values {
			query := url.Values{name: {value}}
			for k, given := range start {
				query[k] = given
			}
			all = append(all, attributeText(form, "action")+"?"+query.Encode())
		}
	}
	slices.Sort(all)
	return all
}

func hasKey(form *html.Node) bool {
	for n := range form.Descendants() {
		if n.Data == "input" && attributeText(n, "name") == "_chave" && attributeText(n, "value") != "" {
			return true
		}
	}
	return false
}

func attributeOf(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func attributeText(n *html.Node, name string) string {
	text, _ := attributeOf(n, name)
	return text
}

func within(n *html.Node, names ...string) bool {
	for p := range n.Ancestors() {
		if slices.Contains(names, p.Data) {
			return true
		}
	}
	return false
}

func textOf(n *html.Node) string {
	var all strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			all.WriteString(c.Data)
		}
	}
	return all.String()
}

func rendered(n *html.Node) string {
	var all strings.Builder
	_ = html.Render(&all, n) // a builder takes everything
	return all.String()[:min(all.Len(), 200)]
}

var strange = regexp.MustCompile(`%!.|<nil>|\bundefined\b|\bnull\b|\bNaN\b|\[object |\bmap\[|\b0001-01-01`)

// wantSound reports what is wrong with a page, whatever it is for.
func (s survey) wantSound(t *testing.T) {
	t.Helper()
	if s.Headings != 1 {
		t.Errorf("%s: %d h1", s.Path, s.Headings)
	}
	if s.Title == "" || strings.HasPrefix(s.Title, "·") {
		t.Errorf("%s: the title is %q", s.Path, s.Title)
	}
	for _, text := range s.Texts {
		if strange.MatchString(text) {
			t.Errorf("%s: a person reads %q", s.Path, text)
		}
	}
	for _, action := range s.Keyless {
		t.Errorf("%s: the form to %s has no key", s.Path, action)
	}
}

// visited opens a page in the browser and reports what it complains of, and a
// page that is wider than the window.
func (b *browser) visited(path string) bool {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepLimit)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(b.base+path)); err != nil {
		b.t.Errorf("%s: %v", path, err)
		return false
	}
	b.wantFits(path)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.console {
		b.t.Errorf("%s: console: %s", path, text)
	}
	b.console = nil
	return true
}

// wantFits reports a page that is wider than the window, and what is cut off at
// an edge without a sign of it.
func (b *browser) wantFits(what string) {
	b.t.Helper()
	found := js[struct {
		Wide int
		Cut  []string
	}](b, `({
		Wide: document.documentElement.scrollWidth - window.innerWidth,
		Cut: [...document.querySelectorAll("main, main *")].filter((e) => {
			const s = getComputedStyle(e);
			return ["hidden", "clip"].includes(s.overflowX) && s.textOverflow !== "ellipsis" && e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1 && !["svg", "SELECT", "INPUT"].includes(e.tagName) && e.checkVisibility();
		}).map((e) => e.outerHTML.slice(0, 120)),
	})`)
	if found.Wide > 0 {
		b.t.Errorf("%s: %d px wider than the window", what, found.Wide)
	}
	for _, element := range found.Cut {
		b.t.Errorf("%s: something is cut off in %s", what, element)
	}
}

func TestCrawl_EveryPageIsSound(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	f := newFull(t, srv)
	newKinds(t, f.owner, harmless).all()
	flush(t, srv)
	titles := map[string]string{}

	kinds := (&crawler{p: f.person(t), each: 4, typed: "Ana", look: func(s survey) {
		s.wantSound(t)
		if s.Status != 200 {
			t.Errorf("%s: %d", s.Path, s.Status)
		}
		if other, taken := titles[s.Title]; taken && other != s.Kind {
			t.Errorf("%s: has the title %q, as %s", s.Path, s.Title, other)
		}
		titles[s.Title] = s.Kind
	}}).run("/")

	b := newBrowser(t, srv)
	b.open("/entrar")
	b.fill("email", f.Email)
	b.fill("password", password)
	b.submit("Entrar")
	b.size(360, 740)
	for kind, paths := range kinds {
		if b.visited(paths[0]) {
			for _, theme := range []string{"light", "dark"} {
				b.theme(theme)
				b.wantAccessible(kind + " " + theme)
			}
		}
	}
	for _, kind := range []string{"/chaves/{id}/rotacionar", "/idempotencia/{id}", "/requisicoes/{id}", "/membros/{id}", "/clientes/{id}/editar", "/vendas/{id}/acao/receber", "/financeiro/novo", "/conta"} {
		if kinds[kind] == nil {
			t.Errorf("no link leads to %s", kind)
		}
	}
	t.Logf("%d kinds of page", len(kinds))
}
