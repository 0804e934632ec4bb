package dashboard_test

import (
	"net/url"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestJourney_WritesAQuoteAndASale(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana Souza"}).Want(t, 201).ID()
	oil := key.Post(t, "/public/v1/products", testkit.M{"name": "Óleo 5W30", "price_cents": 4290}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)

	b.open("/clientes/" + client)
	b.submit("Novo orçamento")
	b.do(choose("items-0-item", "product:"+oil))
	b.fill("items-0-quantity", "3,5")
	b.fill("items-2-description", "Mão de obra")
	b.fill("items-2-price", "mil")
	b.submit("Criar orçamento")
	b.wantText("Confira os campos marcados", "Informe um valor em reais")
	b.fill("items-2-price", "1.234,56")
	b.fill("items-2-quantity", "0")
	b.submit("Criar orçamento")
	if wrong := js[string](b, `document.querySelector("#e-items-2-quantity").innerText`); wrong == "" {
		t.Error("the API's error is not beside its field")
	}
	b.wantAccessible("refused quote")
	b.do(set("items-2-quantity", ""))
	b.fill("items-2-discount", "10%")
	b.fill("discount", "1,00")
	b.click("Mais linhas")
	testkit.Eventually(t, "more rows", func() bool { return js[bool](b, `document.querySelector("[name=items-5-item]") !== null`) })
	if got := js[string](b, `document.querySelector("[name=items-2-price]").value`); got != "1.234,56" {
		t.Fatalf("what was typed is lost: %q", got)
	}
	b.fill("plan_count", "2")
	b.do(set("plan_first_due_date", "2030-01-31"))
	b.shoot("jornada-orcamento-novo")
	b.submit("Criar orçamento")
	b.wantText("Registro criado.", "Óleo 5W30", "R$ 150,15", "R$ 1.111,10", "R$ 1.260,25") // 3,5 × 42,90; 1.234,56 less 10%; less 1,00

	b.submit("Editar")
	b.fill("items-0-quantity", "2")
	b.fill("items-3-description", "Visita")
	b.fill("items-3-price", "100")
	b.wantAccessible("quote's form")
	b.submit("Gravar")
	b.wantText("Alterações gravadas.", "R$ 85,80", "Visita", "R$ 1.295,90")
	b.submit("Editar")
	b.do(checkAll(`"items-2-remove"`))
	b.submit("Gravar")
	b.wantText("R$ 1.195,90")
	b.submit("Enviar")
	b.submit("Enviar")
	b.wantText("Orçamento enviado")
	b.submit("Voltar")
	if strings.Contains(b.text(), "Editar") {
		t.Error("a quote that was sent can be edited")
	}

	b.open("/vendas/novo")
	b.do(choose("client_id", client))
	b.do(choose("items-0-item", "product:"+oil))
	b.submit("Criar venda")
	b.wantText("Registro criado.", "R$ 42,90", "A receber")
	b.submit("Nova versão")
	b.fill("items-0-quantity", "2")
	b.fill("reason", "Mais um litro")
	b.submit("Gravar")
	b.wantText("Alterações gravadas.", "R$ 85,80", "Versões", "“Mais um litro”")
	versions := key.Get(t, "/public/v1"+strings.Replace(b.path(), "/vendas", "/sales", 1)+"/versions").Want(t, 200)
	if !strings.Contains(versions.String(), "Mais um litro") {
		t.Errorf("the reason is lost: %s", versions)
	}

	b.open("/ordens/novo")
	b.fill("title", "Revisão")
	b.do(choose("client_id", client))
	b.submit("Criar ordem de serviço")
	b.wantText("Registro criado.", "Revisão")
	b.submit("Editar")
	b.fill("items-0-description", "Mão de obra")
	b.fill("items-0-price", "80")
	b.submit("Gravar")
	b.wantText("Mão de obra", "R$ 80,00")
}

func TestDocuments_AreWrittenWithoutAScript(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	shirt := key.Post(t, "/public/v1/products", testkit.M{
		"name": "Camiseta", "price_cents": 5000, "attributes": []testkit.M{{"name": "Tamanho", "values": []string{"P", "M"}}},
	}).Want(t, 201).ID()
	medium := key.Post(t, "/public/v1/products/"+shirt+"/variations", testkit.M{"options": testkit.M{"Tamanho": "M"}, "price_cents": 6000}).Want(t, 201).ID()
	oil := key.Post(t, "/public/v1/products", testkit.M{"name": "Óleo 5W30", "price_cents": 4290}).Want(t, 201).ID()
	p := o.person(t)
	form := url.Values{
		"_chave": {p.formKey("/vendas/novo", "/vendas/novo")}, "_linhas": {"3"}, "items-1-item": {"product:" + shirt + ":" + medium}, "items-1-quantity": {"2"},
	}

	form.Set("_mais", "1")
	more := p.post("/vendas/novo", form).wantStatus(t, 200)
	if !strings.Contains(more.body, "items-5-item") || !strings.Contains(more.body, "Camiseta — M") ||
		!strings.Contains(more.body, `name="items-1-quantity" value="2"`) {
		t.Errorf("no more rows, or what was typed is lost: %s", more.body)
	}
	form.Del("_mais")
	page := p.post("/vendas/novo", form).wantStatus(t, 303).Header.Get("Location")
	if got := p.get(page); !strings.Contains(got.body, "R$ 120,00") {
		t.Errorf("got %s", got.body)
	}
	if again := p.post("/vendas/novo", form).wantStatus(t, 303).Header.Get("Location"); again != page {
		t.Errorf("a second click made %s beside %s", again, page)
	}
	if n := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM sales WHERE tenant_id = (SELECT tenant_id FROM products WHERE id = $1)`, shirt); n != 1 {
		t.Errorf("%d sales", n)
	}

	// Another item does not take over the description and the price of the one before.
	edit := strings.TrimSuffix(page, "?feito=criado") + "/editar"
	p.post(edit, url.Values{
		"_chave": {p.formKey(edit, edit)}, "_linhas": {"1"}, "base_version": {"1"}, "items-0-item": {"product:" + oil}, "items-0-quantity": {"1"},
		"items-0-description": {"Camiseta antiga"}, "items-0-price": {"60,00"}, "items-0-was": {"product:" + shirt + ":" + medium + "|60,00|Camiseta antiga"},
	}).wantStatus(t, 303)
	if got := p.get(page); !strings.Contains(got.body, "R$ 42,90") || strings.Contains(got.body, "Camiseta antiga") {
		t.Errorf("got %s", got.body)
	}
	stale := p.post(edit, url.Values{
		"_chave": {p.formKey(edit, edit)}, "_linhas": {"1"}, "base_version": {"1"}, "items-0-description": {"Outra"}, "items-0-price": {"1,00"},
	}).wantStatus(t, 409)
	if !strings.Contains(stale.body, "A versão atual da venda é a 2") {
		t.Errorf("got %s", stale.body)
	}
}
