package dashboard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"fatureihoje/internal/testkit"
)

// press sends keys as a keyboard does.
func (b *browser) press(keys string, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// focused is what a person hears of the element that has the focus: its label,
// or its text.
func (b *browser) focused() string {
	b.t.Helper()
	return js[string](b, `(() => {
		const e = document.activeElement;
		if (e === document.body) return "";
		return (e.getAttribute("aria-label") || (e.labels && e.labels.length ? e.labels[0].innerText : e.innerText) || e.name || e.id).trim().split("\n")[0];
	})()`)
}

// tabTo moves on by Tab until an element has the focus whose words begin so.
func (b *browser) tabTo(words string) {
	b.t.Helper()
	var passed []string
	for range 120 {
		b.press(kb.Tab)
		at := b.focused()
		if strings.HasPrefix(at, words) {
			return
		}
		passed = append(passed, at)
	}
	b.t.Fatalf("Tab never leads to %q, only to %q\n%s", words, passed, b.where())
}

// typeInto tabs to a field and types.
func (b *browser) typeInto(label, text string) {
	b.t.Helper()
	b.tabTo(label)
	b.do(chromedp.KeyEvent(text))
}

// pressAndLeave presses a key that leads to another page.
func (b *browser) pressAndLeave(key string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void]("window.leaving = true"))
	b.press(key)
	b.settled()
}

func TestKeyboard_DoesADaysWork(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	b := newBrowser(t, srv)
	b.open("/entrar")
	b.typeInto("E-mail", o.Email)
	b.typeInto("Senha", password)
	b.pressAndLeave(kb.Enter)
	b.wantText("Olá, Ana.")

	b.open("/clientes")
	b.press(kb.Tab)
	if got := b.focused(); got != "Pular para o conteúdo" {
		t.Errorf("the first stop is %q", got)
	}
	if !js[bool](b, `(() => { const r = document.activeElement.getBoundingClientRect(); return r.width > 40 && r.height > 15 && r.top >= 0; })()`) {
		t.Error("the skip link cannot be seen")
	}
	b.press(kb.Enter)
	b.press(kb.Tab)
	if !js[bool](b, `document.querySelector("main").contains(document.activeElement)`) {
		t.Errorf("after the skip link Tab leads to %q, outside the page's content", b.focused())
	}
	first := b.focused()
	b.press(kb.Tab)
	b.press(kb.Tab, chromedp.ModifierShift)
	if got := b.focused(); got != first {
		t.Errorf("Shift+Tab leads to %q, not back to %q", got, first)
	}

	b.open("/clientes")
	b.tabTo("Novo cliente")
	b.pressAndLeave(kb.Enter)
	b.typeInto("Nome", "Carla Dias")
	b.tabTo("Criar cliente")
	b.pressAndLeave(" ")
	b.wantText("Registro criado.", "Carla Dias")

	b.tabTo("Mais")
	b.press(kb.Enter)
	b.wantMenu("main", true)
	b.press(kb.Tab)
	if got := b.focused(); got != "Anonimizar" {
		t.Errorf("from the open menu Tab leads to %q", got)
	}
	b.press(kb.Escape)
	b.wantMenu("main", false)
	if got := b.focused(); got != "Mais" {
		t.Errorf("after Escape the focus is on %q", got)
	}
	b.press(" ")
	b.wantMenu("main", true)
	b.press(" ")
	b.wantMenu("main", false)

	b.open(b.path())
	b.tabTo("Arquivar")
	b.pressAndLeave(kb.Enter)
	b.wantText("Arquivado")

	b.open("/clientes?status=active")
	b.tabTo("Situação")
	b.press(kb.ArrowDown)
	if js[bool](b, `document.activeElement.tagName === "OPTION"`) { // a picker that the page styles opens first
		b.press(kb.ArrowDown)
		b.press(kb.Enter)
	}
	testkit.Eventually(t, "the filter is followed", func() bool { return strings.Contains(b.text(), "Carla Dias") })
}

// wantMenu makes sure that the menu within an element is open, or is not.
func (b *browser) wantMenu(within string, open bool) {
	b.t.Helper()
	if got := js[bool](b, fmt.Sprintf(`document.querySelector("%s details[data-menu]").open`, within)); got != open {
		b.t.Errorf("the menu is open: %v", got)
	}
}

func TestKeyboard_OpensTheMenuOfAPhone(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	b := newBrowser(t, srv).signedIn(signUp(t, srv, "Oficina", "Ana"))
	b.size(360, 740)
	b.open("/")

	b.tabTo("Menu")
	b.press(kb.Enter)
	b.wantMenu("header", true)
	b.tabTo("Clientes")
	b.press(kb.Escape)

	b.wantMenu("header", false)
	if got := b.focused(); got != "Menu" {
		t.Errorf("after Escape the focus is on %q", got)
	}
	b.press(" ")
	b.tabTo("Clientes")
	b.pressAndLeave(kb.Enter)
	if b.path() != "/clientes" {
		t.Errorf("led to %s", b.path())
	}
	b.wantMenu("header", false)
}

// focusScript is the look of the element that has the focus. A stop is known by
// its place among all elements.
const focusScript = `(() => {
	const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
	const line = s.outlineStyle !== "none" ? parseFloat(s.outlineWidth) : 0;
	const ring = /(?:^|\s)0px 0px 0px ([0-9.]+)px/.exec(s.boxShadow);
	const inside = r.right > 0 && r.left < innerWidth && r.bottom > 0 && r.top < innerHeight;
	const over = document.elementFromPoint(Math.min(Math.max(r.left + r.width / 2, 1), innerWidth - 1), Math.min(Math.max(r.top + r.height / 2, 1), innerHeight - 1));
	return {
		Place: [...document.querySelectorAll("*")].indexOf(e), Name: e.tagName + " " + (e.innerText || e.name || "").trim().slice(0, 40),
		Line: Math.max(line, ring ? parseFloat(ring[1]) : 0), Body: e === document.body || e === document.documentElement,
		Seen: inside && r.width > 1 && r.height > 1, Covered: over !== null && !e.contains(over) && !over.contains(e) && !(e.labels && [...e.labels].some((l) => l.contains(over))),
	};
})()`

func TestKeyboard_ShowsWhereTheFocusIs(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	k := newKinds(t, o, harmless)
	client := k.client()
	b := newBrowser(t, srv).signedIn(o)
	for _, view := range []struct {
		width int64
		theme string
	}{{1280, "light"}, {360, "dark"}} {
		b.size(view.width, 740)
		b.theme(view.theme)
		for _, path := range []string{"/", "/clientes", "/clientes/" + client, "/clientes/novo", "/orcamentos/novo", "/chaves/nova", "/conta"} {
			b.open(path)
			b.wantFocusSeen(fmt.Sprintf("%s at %d px", kindOf(path), view.width))
		}
	}
	b.do(forgetCookies())
	b.open("/entrar")
	b.wantFocusSeen("/entrar")
}

// wantFocusSeen goes through all stops of the tab order, and reports those
// where a person does not see the focus.
func (b *browser) wantFocusSeen(what string) {
	b.t.Helper()
	seen := map[int]bool{}
	for range 150 {
		b.press(kb.Tab)
		at := js[struct {
			Place         int
			Name          string
			Line          float64
			Body          bool
			Seen, Covered bool
		}](b, focusScript)
		if at.Body || seen[at.Place] {
			break
		}
		seen[at.Place] = true
		switch {
		case at.Line < 2:
			b.t.Errorf("%s: the focus on %q has a line of %v px", what, at.Name, at.Line)
		case !at.Seen:
			b.t.Errorf("%s: the focus is on %q, which is out of sight", what, at.Name)
		case at.Covered:
			b.t.Errorf("%s: the focus is on %q, which something covers", what, at.Name)
		}
	}
	if len(seen) < 3 {
		b.t.Errorf("%s: only %d stops", what, len(seen))
	}
}
