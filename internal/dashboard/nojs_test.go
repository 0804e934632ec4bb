package dashboard_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"fatureihoje/internal/testkit"
)

// withoutScripts keeps the pages' scripts from running; those of the test do.
func (b *browser) withoutScripts() *browser {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	return b
}

func TestWithoutScripts_APersonWorks(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	for i := range 30 {
		key.Post(t, "/public/v1/clients", testkit.M{"name": fmt.Sprintf("Cliente %02d", i)}).Want(t, 201)
	}
	old := key.Post(t, "/public/v1/clients", testkit.M{"name": "Antiga"}).Want(t, 201).ID()
	key.Post(t, "/public/v1/clients/"+old+"/archive", nil).Want(t, 200)
	b := newBrowser(t, srv).withoutScripts()

	b.open("/entrar")
	b.fill("email", o.Email)
	b.fill("password", password)
	b.submit("Entrar")
	b.wantText("Olá, Ana.")
	if js[bool](b, `"htmx" in window`) {
		t.Fatal("the page's scripts run")
	}

	b.open("/clientes")
	b.fill("q", "Cliente 07")
	b.submit("Procurar")
	b.wantText("Cliente 07")
	if strings.Contains(b.text(), "Cliente 08") {
		t.Error("the search finds what it should not")
	}
	b.open("/clientes")
	b.do(choose("status", "archived"))
	b.submit("Procurar")
	b.wantText("Antiga")
	if strings.Contains(b.text(), "Cliente 01") {
		t.Error("the filter lets pass what it should not")
	}
	b.open("/clientes")
	seen := len(regexp.MustCompile(`Cliente \d\d`).FindAllString(b.text(), -1))
	b.submit("Próxima página")
	if seen += len(regexp.MustCompile(`Cliente \d\d`).FindAllString(b.text(), -1)); seen != 30 {
		t.Errorf("two pages show %d clients", seen)
	}

	b.open("/clientes")
	b.submit("Novo cliente")
	b.fill("name", "Carla Dias")
	b.fill("document", "1")
	b.submit("Criar cliente")
	b.wantText("Confira os campos marcados")
	b.fill("document", "529.982.247-25")
	b.do(chromedp.KeyEvent(kb.Enter))
	testkit.Eventually(t, "the client is made", func() bool { return strings.Contains(b.text(), "Registro criado.") })
	client := strings.TrimPrefix(b.path(), "/clientes/")
	b.click("Mais")
	b.submit("Excluir")
	b.submit("Voltar")

	b.submit("Novo orçamento")
	b.fill("items-0-description", "Revisão")
	b.fill("items-0-price", "150")
	b.submit("Mais linhas")
	if got := js[string](b, `document.querySelector("[name=items-0-description]").value`); got != "Revisão" {
		t.Errorf("what was typed is lost: %q", got)
	}
	b.submit("Criar orçamento")
	b.wantText("Registro criado.", "R$ 150,00", "Carla Dias")
	b.submit("Enviar")
	b.submit("Enviar")
	b.wantText("Orçamento enviado", "/p/")
	b.submit("Voltar")
	b.wantText("Enviado")
	if got := key.Get(t, "/public/v1/quotes?client_id="+client).Want(t, 200).Data(t); len(got) != 1 || got[0]["status"] != "sent" {
		t.Errorf("the quote is %v", got)
	}
}

func TestWithoutScripts_PagesCanBeRead(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	f := newFull(t, srv)
	b := newBrowser(t, srv).signedIn(f.owner).withoutScripts()
	b.size(390, 844)
	for path, words := range map[string][]string{
		"/":                                   {"Olá, Maria", "Duplicidades evitadas"},
		"/clientes/" + f.clientID:             {"529.982.247-25", "História"},
		"/chaves/" + f.keyID:                  {"Loja virtual"},
		"/idempotencia/" + f.idemID:           {"Concluída"},
		"/requisicoes/" + f.requestID:         {"POST /public/v1/clients"},
		"/membros":                            {"Maria Aparecida"},
		"/auditoria":                          {"Maria Aparecida"},
		"/orcamentos":                         {"Nenhum orçamento"},
		"/clientes/" + f.clientID + "/editar": {"Gravar"},
	} {
		if b.visited(path) {
			b.wantText(words...)
		}
	}
	b.open("/")
	b.do(chromedp.Click(chromedp.CSS("header summary")))
	if !js[bool](b, `document.querySelector("header nav a[href='/clientes']").checkVisibility()`) {
		t.Error("the menu does not open")
	}
}
