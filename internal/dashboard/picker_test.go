package dashboard_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"fatureihoje/internal/testkit"
)

func TestPicker_FindsARecordBeyondWhatTheSelectOffers(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	for i := range 25 {
		key.Post(t, "/public/v1/clients", testkit.M{"name": fmt.Sprintf("Cliente %02d", i)}).Want(t, 201)
	}
	far := key.Post(t, "/public/v1/clients", testkit.M{"name": "Zulmira Antunes", "document": "52998224725"}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)
	b.open("/vendas/novo")
	chosen := func() string { return js[string](b, `document.querySelector("[name=client_id]").value`) }
	found := func(text string) bool {
		return js[bool](b, fmt.Sprintf(`[...document.querySelectorAll("#f-client_id-lista [role=option]")].some((o) => o.textContent.includes(%q))`, text))
	}
	typed := func(text string) {
		b.do(chromedp.SendKeys("#f-client_id", text))
	}

	typed("zulm")
	testkit.Eventually(t, "the client is found", func() bool { return found("Zulmira Antunes") })
	typed(kb.ArrowDown + kb.Enter)
	if got := chosen(); got != far {
		t.Errorf("chosen: %q", got)
	}
	if got := js[string](b, `document.querySelector("#f-client_id").value`); got != "Zulmira Antunes" {
		t.Errorf("shown: %q", got)
	}

	typed("xyz")
	testkit.Eventually(t, "nothing is found", func() bool {
		return js[string](b, `document.querySelector("#f-client_id-lista").textContent`) == "Nada encontrado."
	})
	typed(kb.Escape)
	if chosen() != far || js[string](b, `document.querySelector("#f-client_id").value`) != "Zulmira Antunes" {
		t.Error("what was not chosen stayed")
	}
	js[bool](b, `(document.querySelector("#f-client_id").select(), true)`)
	typed(kb.Backspace + kb.Tab)
	if got := chosen(); got != "" {
		t.Errorf("a cleared field still holds %q", got)
	}

	typed("zul")
	testkit.Eventually(t, "the client is found again", func() bool { return found("Zulmira Antunes") })
	b.wantAccessible("open picker")
	b.shoot("jornada-procurar-cliente")
}
