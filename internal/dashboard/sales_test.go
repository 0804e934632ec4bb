package dashboard_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"fatureihoje/internal/testkit"
)

func custom(description string, cents int) []testkit.M {
	return []testkit.M{{"kind": "custom", "description": description, "quantity": "1", "unit_price_cents": cents}}
}

func TestSale_PaymentSettlesAPartAndIsCancelled(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	sale := key.Post(t, "/public/v1/sales", testkit.M{
		"items": custom("Pintura", 30000), "notes": "Na portaria", "payment_plan": testkit.M{"count": 3, "first_due_date": "2030-01-31", "method": "pix"},
	}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)

	b.open("/vendas/" + sale)
	b.wantText("3× mensais a partir de 31/01/2030, no Pix", "Nada foi recebido ainda.", "28/02/2030", "Em aberto")
	b.submit("Registrar pagamento")
	if got := js[string](b, `document.querySelector("[name=notes]").value`); got != "" {
		t.Errorf("the payment begins with the sale's notes: %q", got)
	}
	second := js[string](b, `[...document.querySelectorAll("[name=financial_transaction_id] option")].find((o) => o.textContent.startsWith("28/02/2030")).value`)
	b.do(choose("financial_transaction_id", second), choose("method", "credit_card"))
	b.fill("amount_cents", "100,00")
	b.fill("fee_cents", "3,50")
	b.wantAccessible("payment's form")
	b.submit("Registrar pagamento")
	b.wantText("Paga em parte", "R$ 200,00", "Cartão de crédito · tarifa de R$ 3,50 · por Ana", "Recebido")
	if got := key.Get(t, "/public/v1/financial_transactions/"+second).Want(t, 200).Text("status"); got != "paid" {
		t.Errorf("the part that was chosen is %s", got)
	}

	b.click("Mais")
	b.submit("Cancelar venda")
	b.submit("Cancelar venda")
	b.wantText("Esta venda tem pagamentos recebidos.")
	b.wantAccessible("refused cancellation")
	b.open("/vendas/" + sale)
	b.submit("Cancelar o pagamento de R$ 100,00")
	b.fill("reason", "Lançado duas vezes")
	b.submit("Cancelar pagamento")
	b.wantText("A receber", "“Lançado duas vezes”", "Pagamento cancelado")
	if crossed := js[string](b, `document.querySelector(".line-through").innerText`); crossed != "R$ 100,00" {
		t.Errorf("struck through: %q", crossed)
	}
	after := key.Get(t, "/public/v1/sales/"+sale).Want(t, 200)
	if after.Text("status") != "open" || after.Text("balance_cents") != "30000" {
		t.Errorf("after the cancellation: %s", after)
	}

	b.submit("Editar observações")
	b.fill("notes", "Portão azul")
	b.submit("Editar observações")
	b.wantText("Portão azul")
	b.click("Mais")
	b.submit("Cancelar venda")
	b.submit("Cancelar venda")
	b.wantText("Cancelada")
	b.submit("Editar observações")
	b.fill("external_id", "PED-1")
	b.submit("Editar observações")
	b.wantText("Portão azul", "PED-1")
}

func TestSale_CancelledWithItsPayments(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	sale := key.Post(t, "/public/v1/sales", testkit.M{"items": custom("Pintura", 30000)}).Want(t, 201).ID()
	key.Post(t, "/public/v1/sales/"+sale+"/payments", testkit.M{"amount_cents": 10000, "method": "pix"}).Want(t, 201)
	p := o.person(t)
	page := "/vendas/" + sale + "/acao/cancelar"

	refused := p.post(page, url.Values{"_chave": {p.formKey(page, page)}, "reason": {"Desistiu"}}).wantStatus(t, 409)
	p.post(page, url.Values{"_chave": {p.formKey(page, page)}, "reason": {"Desistiu"}, "cancel_payments": {"true"}}).wantStatus(t, 303)

	if !strings.Contains(refused.body, `id="e-cancel_payments"`) || !strings.Contains(refused.body, `value="Desistiu"`) {
		t.Errorf("the conflict is not beside its box: %s", refused.body)
	}
	if after := key.Get(t, "/public/v1/sales/"+sale).Want(t, 200); after.Text("status") != "cancelled" || after.Text("paid_cents") != "0" {
		t.Errorf("got %s", after)
	}
}

func TestSale_VersionTellsItsReasonAndWhatItChanged(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	sale := key.Post(t, "/public/v1/sales", testkit.M{"items": append(custom("Pintura", 30000), custom("Lixa", 500)...)}).Want(t, 201).ID()
	key.Post(t, "/public/v1/sales/"+sale+"/versions", testkit.M{
		"reason": "Menos uma demão", "shipping_cents": 2000,
		"items": []testkit.M{custom("Massa", 1000)[0], {"kind": "custom", "description": "Pintura", "quantity": "1", "unit_price_cents": 25000, "discount_percent": "10"}},
	}).Want(t, 201)
	p := o.person(t)

	page := p.get("/vendas/" + sale)
	second, first := p.get("/vendas/"+sale+"/versoes/2").wantStatus(t, 200), p.get("/vendas/"+sale+"/versoes/1").wantStatus(t, 200)

	if !strings.Contains(page.body, "/vendas/"+sale+"/versoes/1") || !strings.Contains(page.body, "Menos uma demão") {
		t.Errorf("the sale's page does not lead to its versions: %s", page.body)
	}
	text := plainText(second.body)
	for _, want := range []string{
		"Menos uma demão", "por ERP", "Pintura 1 × R$ 300,00 = R$ 300,00 1 × R$ 250,00, menos 10% = R$ 225,00", "Entrou: Massa 1 × R$ 10,00 = R$ 10,00",
		"Saiu: Lixa 1 × R$ 5,00 = R$ 5,00", "Frete R$ 0,00 R$ 20,00", "Total R$ 305,00 R$ 255,00",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("version 2 does not say %q: %s", want, text)
		}
	}
	if text := plainText(first.body); strings.Contains(text, "O que mudou") || !strings.Contains(text, "Substituída") || !strings.Contains(text, "Lixa") {
		t.Errorf("version 1: %s", text)
	}
	p.get("/vendas/"+sale+"/versoes/3").wantStatus(t, 404)
	p.get("/vendas/"+sale+"/versoes/x").wantStatus(t, 404)
}

// plainText is what a page's main part says, with one space between words.
func plainText(body string) string {
	_, main, _ := strings.Cut(body, "<main")
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(main, " ")), " ")
}

func TestSale_ShowsWhatAPersonMaySee(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": "Maria Conhecida"}).Want(t, 201).ID()
	sale := key.Post(t, "/public/v1/sales", testkit.M{"client_id": client, "items": custom("Pintura", 30000)}).Want(t, 201).ID()
	key.Post(t, "/public/v1/sales/"+sale+"/payments", testkit.M{"amount_cents": 10000, "method": "pix"}).Want(t, 201)

	reader := o.clerk(t, "sales:read")
	seen := reader.get("/vendas/"+sale).wantStatus(t, 200)
	for _, hidden := range []string{"Parcelas", "Registrar pagamento", "Nova versão", "Maria Conhecida", "/financeiro/", "Editar observações", "/acao/cancelar"} {
		if strings.Contains(seen.body, hidden) {
			t.Errorf("a reader of sales sees %q", hidden)
		}
	}
	if !strings.Contains(seen.body, "R$ 100,00") {
		t.Error("a reader of sales does not see the payment")
	}
	reader.get("/vendas/novo").wantStatus(t, 403)
	reader.get("/vendas").wantStatus(t, 200)

	seller := o.clerk(t, "sales:read", "sales:write")
	form := seller.get("/vendas/"+sale+"/acao/receber").wantStatus(t, 200)
	if strings.Contains(form.body, `name="account_id"`) || strings.Contains(form.body, `name="financial_transaction_id"`) || !strings.Contains(form.body, `name="fee_cents"`) {
		t.Errorf("a seller who may not see the finances is asked: %s", form.body)
	}
	page := "/vendas/" + sale + "/acao/receber"
	seller.post(page, url.Values{"_chave": {seller.formKey(page, page)}, "amount_cents": {"200,00"}, "method": {"cash"}}).wantStatus(t, 303)
	if got := key.Get(t, "/public/v1/sales/"+sale).Want(t, 200).Text("status"); got != "paid" {
		t.Errorf("the sale is %s", got)
	}

	// A new version keeps the account that its author is not asked for.
	account := key.Post(t, "/public/v1/financial_accounts", testkit.M{"name": "Banco", "kind": "checking"}).Want(t, 201).ID()
	other := key.Post(t, "/public/v1/sales", testkit.M{"account_id": account, "items": custom("Pintura", 30000)}).Want(t, 201).ID()
	edit := "/vendas/" + other + "/editar"
	seller.post(edit, url.Values{
		"_chave": {seller.formKey(edit, edit)}, "_linhas": {"1"}, "base_version": {"1"}, "items-0-description": {"Pintura"}, "items-0-price": {"100"},
	}).wantStatus(t, 303)
	if got := key.Get(t, "/public/v1/sales/"+other).Want(t, 200); got.Text("account_id") != account || got.Text("total_cents") != "10000" {
		t.Errorf("the new version: %s", got)
	}

	approved := key.Post(t, "/public/v1/quotes", testkit.M{"client_id": client, "items": custom("Pintura", 30000)}).Want(t, 201).ID()
	key.Post(t, "/public/v1/quotes/"+approved+"/send", nil).Want(t, 200)
	key.Post(t, "/public/v1/quotes/"+approved+"/approve", nil).Want(t, 200)
	quoter := o.clerk(t, "quotes:read", "quotes:write")
	if got := quoter.get("/orcamentos/"+approved).wantStatus(t, 200); strings.Contains(got.body, "Converter em venda") || strings.Contains(got.body, "Abrir ordem") {
		t.Error("a person without sales:write is offered the conversion")
	}
}

func TestPlan_OwnPartsAreEdited(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	sale := key.Post(t, "/public/v1/sales", testkit.M{
		"items": custom("Pintura", 10000), "notes": "Antiga",
		"payment_plan": testkit.M{"installments": []testkit.M{{"due_date": "2030-01-10", "amount_cents": 3000}, {"due_date": "2030-03-01", "amount_cents": 7000, "method": "pix"}}},
	}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)
	b.open("/vendas/" + sale)
	b.wantText("2 parcelas combinadas uma a uma", "01/03/2030")

	b.submit("Nova versão")
	if got := js[string](b, `document.querySelector("[name=parts-1-amount]").value`); got != "70,00" {
		t.Fatalf("the part is %q", got)
	}
	b.fill("items-0-price", "200,00")
	b.submit("Gravar")
	b.wantText("Confira os campos marcados", "As parcelas somam 10000 centavos (R$ 100,00)")
	b.do(checkAll(`"items-1-remove"`))
	b.wantAccessible("form with a row that goes")
	b.click("Mais parcelas")
	testkit.Eventually(t, "more parts", func() bool { return js[bool](b, `document.querySelector("[name=parts-7-date]") !== null`) })
	b.fill("parts-1-amount", "100,00")
	b.do(set("parts-5-date", "2030-05-20"))
	b.fill("parts-5-amount", "7x")
	b.submit("Gravar")
	b.wantText("Informe um valor em reais")
	b.wantAccessible("form with refused parts")
	b.fill("parts-5-amount", "70,00")
	b.submit("Gravar")
	b.wantText("3 parcelas combinadas uma a uma", "20/05/2030", "R$ 70,00", "Antiga")

	// What was paid is out of the parts that a new version begins with.
	key.Post(t, "/public/v1/sales/"+sale+"/payments", testkit.M{"amount_cents": 3000, "method": "pix"}).Want(t, 201)
	b.open("/vendas/" + sale)
	b.submit("Nova versão")
	b.fill("items-0-description", "Pintura da fachada")
	b.submit("Gravar")
	b.wantText("2 parcelas combinadas uma a uma", "Pintura da fachada", "R$ 170,00")

	p := o.person(t)
	edit := "/vendas/" + sale + "/editar"
	both := p.post(edit, url.Values{
		"_chave": {p.formKey(edit, edit)}, "_linhas": {"1"}, "_parcelas": {"1"}, "base_version": {"3"}, "items-0-description": {"Pintura"}, "items-0-price": {"200,00"},
		"plan_count": {"2"}, "parts-0-date": {"2030-01-10"}, "parts-0-amount": {"170,00"},
	}).wantStatus(t, 422)
	if !strings.Contains(both.body, "Escolha um jeito só") {
		t.Errorf("two plans at once: %s", both.body)
	}
}

func TestSummary_IsWhatIsThenCreated(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	oil := key.Post(t, "/public/v1/products", testkit.M{"name": "Óleo 5W30", "price_cents": 4290}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)
	summary := func() string { return js[string](b, `document.querySelector("#resumo-conteudo").innerText`) }
	says := func(parts ...string) {
		t.Helper()
		testkit.Eventually(t, fmt.Sprintf("the summary says %v", parts), func() bool {
			text := summary()
			for _, part := range parts {
				if !strings.Contains(text, part) {
					return false
				}
			}
			return true
		})
	}

	b.open("/vendas/novo")
	says("Ponha ao menos um item.")
	b.do(chromedp.SendKeys("#f-items-0-item", "óleo"))
	testkit.Eventually(t, "the product is found", func() bool {
		return js[bool](b, `document.querySelector("#f-items-0-item-lista [role=option]")?.textContent.includes("Óleo 5W30") ?? false`)
	})
	b.do(chromedp.SendKeys("#f-items-0-item", kb.ArrowDown+kb.Enter))
	if got := js[string](b, `document.querySelector("[name=items-0-price]").placeholder + "|" + document.querySelector("[name=items-0-description]").placeholder`); got != "42,90|Óleo 5W30" {
		t.Errorf("the catalogue's placeholders are %q", got)
	}
	says("Óleo 5W30", "R$ 42,90")
	b.fill("items-0-quantity", "3,5")
	b.fill("items-1-description", "Mão de obra")
	says("Item 2, preço:")
	b.fill("items-1-price", "1.234,56")
	b.fill("items-1-discount", "10%")
	b.fill("discount", "1,00")
	b.fill("shipping_cents", "15")
	b.fill("plan_count", "3")
	says("Primeiro vencimento:")
	if js[int](b, `document.querySelectorAll("#resumo .field-error, #resumo [role=alert]").length`) > 0 {
		t.Error("what is missing is told as an error")
	}
	b.do(set("plan_first_due_date", "2030-01-31"))
	b.fill("plan_count", "3")
	says("R$ 150,15", "R$ 1.111,10", "R$ 1.384,71", "R$ 1.275,25", "3× mensais a partir de 31/01/2030", "28/02/2030", "R$ 425,09", "R$ 425,08")
	if got := js[string](b, "document.activeElement.name"); got != "plan_count" {
		t.Errorf("the focus is at %q", got)
	}
	b.wantAccessible("form with its summary")
	b.shoot("jornada-venda-resumo")
	if n := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM sales JOIN products p USING (tenant_id) WHERE p.id = $1`, oil); n != 0 {
		t.Fatalf("the summary has left %d sales", n)
	}

	b.submit("Criar venda")
	b.wantText("Registro criado.", "Venda 1", "R$ 1.275,25", "R$ 425,09", "28/02/2030")
	made := key.Get(t, "/public/v1/sales?number=1").Want(t, 200).String()
	if !strings.Contains(made, `"total_cents":127525`) {
		t.Errorf("created: %s", made)
	}

	// The summary of a change is that of the change.
	b.submit("Nova versão")
	says("R$ 1.275,25")
	b.do(checkAll(`"items-1-remove"`), chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=items-1-remove]").dispatchEvent(new Event("change", {bubbles: true}))`))
	says("R$ 164,15")
}

func TestSummary_IsForTheFormOfThisSession(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	p, foreign := o.person(t), signUp(t, srv, "Outra", "Bia").person(t)
	form := url.Values{"_linhas": {"1"}, "items-0-description": {"Visita"}, "items-0-price": {"100"}}

	p.post("/vendas/novo/resumo", form).wantStatus(t, 403)
	form.Set("_chave", foreign.formKey("/vendas/novo", "/vendas/novo"))
	p.post("/vendas/novo/resumo", form).wantStatus(t, 403)
	(&person{t: t, base: srv.BaseURL}).post("/vendas/novo/resumo", form).wantStatus(t, 403)
	form.Set("_chave", p.formKey("/vendas/novo", "/vendas/novo"))
	if got := p.post("/vendas/novo/resumo", form).wantStatus(t, 200); !strings.Contains(got.body, "R$ 100,00") || strings.Contains(got.body, "<html") {
		t.Errorf("got %s", got.body)
	}
	p.post("/vendas/novo", form).wantStatus(t, 303) // the key is not used up
	reader := o.clerk(t, "sales:read")
	if got := reader.post("/vendas/novo/resumo", form).wantStatus(t, 403); strings.Contains(got.body, "R$ 100,00") {
		t.Errorf("got %s", got.body)
	}
}

func TestQuote_SentAgainRevokedApprovedAndTurnedIntoAnOrder(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": "Maria"}).Want(t, 201).ID()
	quote := key.Post(t, "/public/v1/quotes", testkit.M{
		"client_id": client, "items": custom("Pintura", 30000), "payment_plan": testkit.M{"count": 3, "first_due_date": "2030-01-31", "method": "pix"},
	}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)

	b.open("/orcamentos/" + quote)
	b.wantText("Pagamento combinado", "3× mensais a partir de 31/01/2030, no Pix", "R$ 100,00")
	b.submit("Enviar")
	b.submit("Enviar")
	link := js[string](b, `document.querySelector("#link").textContent`)
	b.submit("Voltar")
	b.submit("Enviar de novo")
	b.submit("Enviar de novo")
	b.wantText("Orçamento enviado de novo")
	b.submit("Ver como o cliente vê")
	b.open("/orcamentos/" + quote)
	b.click("Mais")
	b.submit("Encerrar link público")
	b.submit("Encerrar link público")
	b.open(strings.TrimPrefix(link, b.base))
	if text := js[string](b, "document.body.innerText"); strings.Contains(text, "Pintura") {
		t.Errorf("the link still opens: %s", text)
	}
	b.open("/orcamentos/" + quote + "/acao/encerrar-link")
	b.submit("Encerrar link público")
	b.wantText("Não há link público ativo.")

	b.open("/orcamentos/" + quote)
	b.submit("Aprovar")
	b.submit("Abrir ordem de serviço")
	b.submit("Abrir ordem de serviço")
	b.wantText("Registro criado.", "Orçamento nº 1", "Aberta", "R$ 300,00")
	if !strings.HasPrefix(b.path(), "/ordens/") {
		t.Fatalf("the order is not shown: %s", b.path())
	}
	b.submit("Começar")
	b.submit("Concluir")
	b.submit("Concluir")
	b.submit("Converter em venda")
	b.submit("Converter em venda")
	b.wantText("Registro criado.", "Venda 1", "3× mensais a partir de 31/01/2030, no Pix")
	b.submit("Orçamento 1")
	b.wantText("Vendido", "Venda 1")

	old := key.Post(t, "/public/v1/quotes", testkit.M{"client_id": client, "items": custom("Pintura", 30000), "valid_until": "2020-01-31"}).Want(t, 201).ID()
	b.open("/orcamentos/" + old)
	b.wantText("Rascunho, vencido")
	b.open("/orcamentos?q=2")
	b.wantText("31/01/2020")
	b.open("/orcamentos?number=x")
	b.wantText("Filtro inválido")
}

func TestOrder_KeepsItsAddressAndEquipment(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	address := testkit.M{"label": "Loja", "postal_code": "01310100", "street": "Avenida Paulista", "number": "1000", "city": "São Paulo", "state": "SP"}
	maria := key.Post(t, "/public/v1/clients", testkit.M{"name": "Maria", "addresses": []testkit.M{address}}).Want(t, 201).ID()
	bruno := key.Post(t, "/public/v1/clients", testkit.M{"name": "Bruno"}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)
	offered := func() string { return js[string](b, `document.querySelector("[name=address_id]").innerText`) }
	choosing := func(client string) {
		b.do(choose("client_id", client))
	}

	b.open("/ordens/novo")
	b.fill("title", "Revisão")
	if got := offered(); got != "Escolha o cliente antes" {
		t.Errorf("offered: %q", got)
	}
	choosing(bruno)
	testkit.Eventually(t, "no address", func() bool { return strings.Contains(offered(), "não tem endereço") })
	choosing(maria)
	testkit.Eventually(t, "the client's address", func() bool { return strings.Contains(offered(), "Avenida Paulista") })
	if got := js[string](b, `document.querySelector("[name=title]").value`); got != "Revisão" {
		t.Errorf("what was typed is lost: %q", got)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=address_id]").selectedIndex = 1`), set("scheduled_start", "2030-01-15T09:00"))
	for name, text := range map[string]string{"equipment.name": "Ar-condicionado", "equipment.brand": "Fria", "equipment.serial": "SN-1"} {
		b.fill(name, text)
	}
	b.wantAccessible("order's form")
	b.submit("Criar ordem de serviço")
	b.wantText("Registro criado.", "Ar-condicionado · Fria · nº de série SN-1", "Endereço do serviço", "Avenida Paulista, 1000", "CEP 01310-100", "15/01/2030 09:00")

	b.submit("Editar")
	b.fill("equipment.model", "12000 BTU")
	b.submit("Gravar")
	b.wantText("Ar-condicionado · Fria · 12000 BTU · nº de série SN-1", "Avenida Paulista, 1000")

	b.submit("Mudar situação")
	b.do(choose("status", "in_progress"))
	b.fill("custom_status", "Aguardando peça")
	b.submit("Mudar situação")
	b.wantText("Em andamento", "Aguardando peça")
	b.submit("Mudar situação")
	b.fill("custom_status", kb.Backspace)
	b.submit("Mudar situação")
	if tags := js[string](b, `[...document.querySelectorAll("main .tag")].map((e) => e.innerText).join()`); tags != "Em andamento" {
		t.Errorf("the tags are %q", tags)
	}

	// Without a script, a button shows the addresses of the chosen client.
	p := o.person(t)
	again := p.post("/ordens/novo", url.Values{"_chave": {p.formKey("/ordens/novo", "/ordens/novo")}, "_linhas": {"1"}, "_mais": {"address_id"}, "client_id": {maria}}).wantStatus(t, 200)
	if !strings.Contains(again.body, "Avenida Paulista") {
		t.Errorf("got %s", again.body)
	}
	alone := o.clerk(t, "service_orders:read", "service_orders:write")
	if got := alone.get("/ordens/novo").wantStatus(t, 200); strings.Contains(got.body, `name="address_id"`) {
		t.Error("a person who may not see clients is asked for an address")
	}
}

func TestDocuments_AFormOf500LinesIsSmallAndIsTaken(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	p := o.person(t)
	form := url.Values{"_linhas": {"500"}, "_chave": {p.formKey("/vendas/novo", "/vendas/novo")}}
	for i := range 20 {
		id := key.Post(t, "/public/v1/products", testkit.M{"name": fmt.Sprintf("Produto de nome comprido número %02d", i), "price_cents": 4290}).Want(t, 201).ID()
		for n := i; n < 500; n += 20 {
			row := fmt.Sprintf("items-%d-", n)
			form.Set(row+"item", "product:"+id)
			form.Set(row+"description", strings.Repeat("Descrição própria ", 20))
		}
	}
	sale := p.post("/vendas/novo", form).wantStatus(t, 303).Header.Get("Location")
	p.get(sale).wantStatus(t, 200)

	page := p.get(strings.TrimSuffix(sale, "?feito=criado")+"/editar").wantStatus(t, 200)

	rows := strings.Count(page.body, "data-row=")
	if perRow := len(page.body) / rows; rows != 500 || perRow > 4000 {
		t.Errorf("%d rows of %d bytes", rows, perRow)
	}
}
