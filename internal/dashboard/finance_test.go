package dashboard_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/testkit"
)

// says checks a page's text, in which spaces and tags do not count.
func (a answer) says(t *testing.T, parts ...string) answer {
	t.Helper()
	text := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(a.body, " ")), " ")
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Fatalf("the page does not say %q: %s", part, text)
		}
	}
	return a
}

// lacks checks what a page's source does not hold.
func (a answer) lacks(t *testing.T, parts ...string) answer {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(a.body, part) {
			t.Errorf("the page holds %q", part)
		}
	}
	return a
}

// send posts a form of a page, and returns the answer.
func (p *person) send(path string, pairs ...string) answer {
	p.t.Helper()
	form := url.Values{"_chave": {p.formKey(path, path)}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return p.post(path, form)
}

// done follows a form that was accepted to the page that it leads to.
func (p *person) done(a answer) answer {
	p.t.Helper()
	return p.get(a.wantStatus(p.t, 303).Header.Get("Location")).wantStatus(p.t, 200)
}

type books struct {
	*owner
	key        *testkit.Client
	cash, bank string
}

// newBooks is a company with two accounts: Caixa with nothing and Banco with 1.000,00.
func newBooks(t *testing.T) *books {
	t.Helper()
	b := &books{owner: signUp(t, testkit.New(t), "Oficina", "Ana")}
	b.key, _ = b.owner.key(t, "ERP", everything()...)
	b.cash = b.key.All(t, "/public/v1/financial_accounts")[0]["id"].(string)
	b.bank = b.key.Post(t, "/public/v1/financial_accounts", testkit.M{"name": "Banco", "kind": "checking", "opening_balance_cents": 100000}).Want(t, 201).ID()
	return b
}

// entry writes a transaction by the API and returns its id.
func (b *books) entry(t *testing.T, kind string, cents int, more testkit.M) string {
	t.Helper()
	body := testkit.M{"type": kind, "amount_cents": cents, "description": "Conserto", "due_date": "2030-01-10"}
	for name, value := range more {
		body[name] = value
	}
	return b.key.Post(t, "/public/v1/financial_transactions", body).Want(t, 201).ID()
}

func (b *books) balance(t *testing.T, account string) string {
	t.Helper()
	return b.key.Get(t, "/public/v1/financial_accounts/"+account).Want(t, 200).Text("balance_cents")
}

func TestFinance_TransferMovesBothBalancesAndShowsBothRows(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	p := b.person(t)

	same := p.send("/financeiro/transferir", "from_account_id", b.bank, "to_account_id", b.bank, "amount_cents", "250,00", "date", "2026-01-05", "description", "Troco")
	same.wantStatus(t, 422).says(t, "Informe outra conta.")
	if !strings.Contains(same.body, `value="Troco"`) || !strings.Contains(same.body, `value="250,00"`) {
		t.Error("what was typed is lost")
	}
	page := p.done(p.send("/financeiro/transferir", "from_account_id", b.bank, "to_account_id", b.cash, "amount_cents", "250,00", "date", "2026-01-05", "fee_cents", "2,50"))

	page.says(t, "Transferência enviada", "R$ 250,00", "Na mesma transferência", "Transferência recebida", "Tarifa de transferência", "R$ 2,50", "cancele-a e faça outra", "Cancelar transferência").
		lacks(t, "/editar", "/acao/reabrir", "/acao/excluir", "/acao/cancelar\"")
	p.get("/contas").says(t, "R$ 747,50", "R$ 250,00")
	p.get("/contas/"+b.bank).says(t, "R$ 747,50", "Transferência entre contas", "05/01/2026")
	p.get("/contas/"+b.cash).says(t, "R$ 250,00", "Transferência entre contas")

	ask := regexp.MustCompile(`/financeiro/[0-9a-f-]+/acao/cancelar-transferencia`).FindString(page.body)
	p.done(p.send(ask)).says(t, "Cancelado", "que foi cancelada")
	if bank, cash := b.balance(t, b.bank), b.balance(t, b.cash); bank != "100000" || cash != "0" {
		t.Errorf("after the cancellation: %s and %s", bank, cash)
	}
}

func TestFinance_InstallmentsAreThoseThatWereSeen(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	p := b.person(t)
	typed := []string{
		"type", "income", "description", "Reforma", "total_cents", "100,00", "count", "3", "first_due_date", "2030-01-31", "interval", "monthly", "account_id", b.bank,
	}
	want := []string{"1 de 3 31/01/2030 R$ 33,34", "2 de 3 28/02/2030 R$ 33,33", "3 de 3 31/03/2030 R$ 33,33"}

	wrong := p.send("/financeiro/parcelar", append(typed, "count", "1")...).wantStatus(t, 422)
	seen := p.send("/financeiro/parcelar", typed...).wantStatus(t, 200)
	seen.says(t, "Nada foi lançado ainda", "Lançar 3 parcelas").says(t, want...)
	if n := len(b.key.All(t, "/public/v1/financial_transactions")); n != 0 {
		t.Fatalf("the preview wrote %d", n)
	}
	changed := p.send("/financeiro/parcelar", append(typed, "_passo", "mudar")...).wantStatus(t, 200)
	key := regexp.MustCompile(`name="_chave" value="([^"]+)"[^>]*>\s*<input type="hidden" name="type"`).FindStringSubmatch(seen.body)
	if key == nil {
		t.Fatalf("no form to confirm: %s", seen.body)
	}
	form := url.Values{"_chave": {key[1]}, "_passo": {"lancar"}}
	for i := 0; i < len(typed); i += 2 {
		form.Set(typed[i], typed[i+1])
	}
	written := p.post("/financeiro/parcelar", form)
	again := p.post("/financeiro/parcelar", form)

	if !strings.Contains(wrong.body, `id="e-count"`) || !strings.Contains(wrong.body, `value="Reforma"`) {
		t.Error("the error is not beside its field, or what was typed is lost")
	}
	if !strings.Contains(changed.body, `value="100,00"`) {
		t.Error("on the way back what was typed is lost")
	}
	list := p.done(written).says(t, "Registro criado.", "31/01/2030 Banco R$ 33,34", "28/02/2030 Banco R$ 33,33", "31/03/2030 Banco R$ 33,33", "Só as parcelas deste")
	if again.wantStatus(t, 303).Header.Get("Location") != written.Header.Get("Location") || len(b.key.All(t, "/public/v1/financial_transactions")) != 3 {
		t.Error("a second click wrote again")
	}
	one := regexp.MustCompile(`/financeiro/[0-9a-f]{8}-[0-9a-f-]+`).FindString(list.body)
	if part := p.get(one).says(t, "1 de 3"); !strings.Contains(part.body, "/financeiro?installment_group_id=") {
		t.Error("a part does not lead to its group")
	}
}

func TestFinance_RuleIsMadePausedResumedAndEnded(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	p := b.person(t)
	start := time.Now().AddDate(0, 0, 2).Format(time.DateOnly)

	both := p.send("/recorrencias/novo", "type", "expense", "description", "Aluguel", "amount_cents", "2.500,00", "frequency", "monthly", "start_date", start, "end_date", "2040-01-01", "count", "5")
	both.wantStatus(t, 422)
	made := p.send("/recorrencias/novo", "type", "expense", "description", "Aluguel", "amount_cents", "2.500,00", "frequency", "monthly", "start_date", start, "business_day", "none", "account_id", b.bank)
	page := strings.TrimSuffix(made.wantStatus(t, 303).Header.Get("Location"), "?feito=criado")

	if !strings.Contains(both.body, `id="e-count"`) || !strings.Contains(both.body, `value="2.500,00"`) {
		t.Error("the error is not beside its field, or what was typed is lost")
	}
	first := p.get(page).says(t, "Ativa", "Mensal", "R$ 2.500,00", "Lançamentos", "Banco", "Fica no dia")
	if !strings.Contains(first.body, "/financeiro?recurring_id=") {
		t.Error("the rule does not lead to its transactions")
	}
	p.done(p.send(page+"/editar", "description", "Aluguel da loja", "amount_cents", "2.600,00", "account_id", b.bank, "business_day", "next", "apply_to", "true")).
		says(t, "Aluguel da loja", "R$ 2.600,00", "Passa para o próximo dia útil").lacks(t, "R$ 2.500,00")
	p.done(p.send(page+"/acao/pausar")).says(t, "Pausada").lacks(t, "/acao/pausar")
	p.done(p.send(page+"/acao/retomar")).says(t, "Ativa", "Retomada", "por Ana")
	p.done(p.send(page+"/acao/encerrar", "cancel_future", "true")).says(t, "Encerrada", "não muda mais", "Cancelado").
		lacks(t, "/editar", "/acao/retomar", "/acao/encerrar", "Em aberto")
	p.get("/recorrencias?status=ended").says(t, "Aluguel da loja")
}

func TestFinance_PaidWithInterestAndFeeMovesTheBalance(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	p := b.person(t)
	one := "/financeiro/" + b.entry(t, "income", 10000, testkit.M{"due_date": "2020-01-10"})

	p.get("/financeiro?status=overdue").says(t, "Conserto", "Vencido")
	wrong := p.send(one+"/acao/pagar", "paid_at", "2026-01-05T10:00", "discount_cents", "100,01").wantStatus(t, 422)
	paid := p.done(p.send(one+"/acao/pagar", "paid_at", "2026-01-05T10:00", "account_id", b.bank, "interest_cents", "5,00", "discount_cents", "1,00", "fee_cents", "2,00"))

	if !strings.Contains(wrong.body, `id="e-discount_cents"`) {
		t.Error("the error is not beside its field")
	}
	paid.says(t, "Pago", "05/01/2026 10:00", "Juros e multa R$ 5,00", "Desconto R$ 1,00", "Tarifa R$ 2,00", "Valor pago R$ 102,00", "só a descrição e a categoria").
		lacks(t, "/acao/pagar", "/acao/cancelar", "/acao/excluir")
	p.get("/contas/"+b.bank).says(t, "R$ 1.102,00", "Conserto")
	edit := p.get(one+"/editar").wantStatus(t, 200)
	edit.lacks(t, `name="amount_cents"`, `name="due_date"`, `name="account_id"`, `name="external_id"`)
	p.done(p.send(one+"/editar", "description", "Conserto do portão")).says(t, "Alterações gravadas.", "Conserto do portão", "R$ 100,00")
	p.done(p.send(one+"/acao/reabrir")).says(t, "Vencido", "Reabertura")
	p.get("/contas/"+b.bank).says(t, "R$ 1.000,00", "R$ 1.100,00")
	p.done(p.send(one+"/editar", "description", "Portão", "amount_cents", "80,00", "due_date", "2030-01-01", "account_id", b.cash, "method", "pix")).
		says(t, "R$ 80,00", "01/01/2030", "Caixa", "Pix")
	p.done(p.send(one+"/acao/excluir")).says(t, "Registro excluído.")
}

func TestFinance_SaysWhoseATransactionIs(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	sale := b.key.Post(t, "/public/v1/sales", testkit.M{"items": []testkit.M{{"kind": "custom", "description": "Pintura", "quantity": "1", "unit_price_cents": 10000}}}).Want(t, 201).ID()
	id := b.key.All(t, "/public/v1/financial_transactions?sale_id="+sale)[0]["id"].(string)
	p := b.person(t)

	page := p.get("/financeiro/"+id).says(t, "Este lançamento é da Venda 1 e só muda por ela.")

	page.lacks(t, "/editar", "/acao/")
	if !strings.Contains(page.body, `href="/vendas/`+sale+`"`) {
		t.Error("it does not lead to the sale")
	}
	if to := p.get("/financeiro/"+id+"/editar").wantStatus(t, 303).Header.Get("Location"); to != "/financeiro/"+id {
		t.Errorf("its form leads to %s", to)
	}
	b.clerk(t, "finance:read", "finance:write").get("/financeiro/"+id).says(t, "Este lançamento é de uma venda e só muda por ela.").lacks(t, "/vendas/")
}

func TestFinance_AccountsAndCategoriesAreKept(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	p := b.person(t)

	wrong := p.send("/contas/novo", "name", "Caixa", "kind", "cash", "opening_balance_cents", "-x", "opening_date", "2026-01-01").wantStatus(t, 422)
	wrong.says(t, "Informe um valor em reais, como 1.234,56 ou -1.234,56.")
	card := p.send("/contas/novo", "name", "Cartão", "kind", "credit_card", "opening_balance_cents", "-1.234,56", "opening_date", "2026-01-01", "is_default", "true")
	page := strings.TrimSuffix(card.Header.Get("Location"), "?feito=criado")
	p.done(card).says(t, "Cartão de crédito", "-R$ 1.234,56", "Padrão").lacks(t, "/acao/excluir", "/acao/padrao")
	if edit := p.get(page + "/editar"); !strings.Contains(edit.body, `value="-1.234,56"`) {
		t.Error("the form does not hold the balance as it is typed")
	}
	key := p.formKey("/contas/"+b.cash, "/contas/"+b.cash+"/acao/padrao")
	p.done(p.post("/contas/"+b.cash+"/acao/padrao", url.Values{"_chave": {key}})).says(t, "Padrão")
	p.done(p.send(page+"/acao/excluir")).says(t, "Registro excluído.")
	b.entry(t, "income", 100, testkit.M{"account_id": b.bank})
	p.send("/contas/"+b.bank+"/acao/excluir").wantStatus(t, 409)

	root := p.send("/categorias-financeiras/novo", "name", "Frota", "kind", "expense", "position", "0")
	rootID := strings.TrimPrefix(strings.TrimSuffix(root.wantStatus(t, 303).Header.Get("Location"), "?feito=criado"), "/categorias-financeiras/")
	parent := rootID
	for i := range 110 { // more than a page of the list
		c := b.key.Post(t, "/public/v1/financial_categories", testkit.M{"name": fmt.Sprintf("Veículo %03d", i), "kind": "expense", "parent_id": parent, "position": 200 - i}).Want(t, 201)
		if i == 0 {
			b.key.Post(t, "/public/v1/financial_categories", testkit.M{"name": "Pneus", "kind": "expense", "parent_id": c.ID()}).Want(t, 201)
		}
	}
	tree := p.get("/categorias-financeiras").wantStatus(t, 200).says(t, "Receitas", "Despesas", "Subcategoria de Frota › Veículo 000 › Pneus", "Subcategoria de Frota › Veículo 109")
	if frota, last, first := strings.Index(tree.body, ">Frota<"), strings.Index(tree.body, ">Veículo 109<"), strings.Index(tree.body, ">Veículo 000<"); last > first || frota > last {
		t.Errorf("the tree is out of order: %d, %d, %d", frota, last, first)
	}
	p.get("/categorias-financeiras/"+rootID).says(t, "Dentro desta categoria", "Veículo 109")
	mine := p.get("/categorias-financeiras/" + rootID + "/editar")
	if mine.lacks(t, "Frota › Veículo"); !strings.Contains(mine.body, "Ocupação › Aluguel") || strings.Contains(mine.body, "Venda de produtos") {
		t.Error("the parents that are offered are not those of its kind")
	}
	p.send("/categorias-financeiras/"+rootID+"/acao/excluir").wantStatus(t, 409)
	found := p.get("/procurar/categorias-de-despesa?q=" + url.QueryEscape("frota pneus"))
	if !strings.Contains(found.body, "Frota › Veículo 000 › Pneus") || strings.Contains(found.body, "Veículo 001") {
		t.Errorf("the search finds %s", found.body)
	}
}

func TestFinance_ReportsHaveTheRightSums(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.key.Patch(t, "/public/v1/financial_accounts/"+b.bank, testkit.M{"opening_balance_cents": 0}).Want(t, 200)
	b.entry(t, "income", 100000, testkit.M{"due_date": "2020-01-15", "paid_at": "2020-01-15T12:00:00-03:00"})
	b.entry(t, "expense", 25000, testkit.M{"due_date": "2020-02-10", "paid_at": "2020-02-10T12:00:00-03:00"})
	b.entry(t, "income", 30000, testkit.M{"due_date": "2020-03-05"})
	b.entry(t, "expense", 99000, testkit.M{"due_date": "2020-03-06"})
	b.entry(t, "income", 7000, testkit.M{"due_date": "2019-12-31"})
	p := b.person(t)
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	today := time.Now().In(zone)

	flow := p.get("/financeiro/fluxo-de-caixa?from=2020-01-01&to=2020-03-31&group=month").wantStatus(t, 200)
	flow.says(t, "Entradas + R$ 1.000,00", "Saídas − R$ 250,00", "Saldo final R$ 750,00",
		"Saldo inicial, com o que venceu antes R$ 70,00", "Já realizado no período R$ 750,00", "Entradas em aberto + R$ 300,00", "Saídas em aberto − R$ 990,00", "Saldo final previsto R$ 130,00",
		"jan/2020 R$ 1.000,00 R$ 1.000,00 R$ 1.070,00", "fev/2020 R$ 250,00 R$ 750,00 R$ 820,00", "mar/2020 R$ 750,00 R$ 300,00 R$ 990,00 R$ 130,00")
	for _, link := range []string{"paid_from=2020-01-01&amp;paid_to=2020-01-31&amp;status=paid&amp;type=income", "due_from=2020-03-01&amp;due_to=2020-03-31"} {
		if !strings.Contains(flow.body, link) {
			t.Errorf("no link to %s", link)
		}
	}
	p.get("/financeiro?paid_from=2020-01-01&paid_to=2020-01-31&status=paid&type=income").says(t, "R$ 1.000,00").lacks(t, "R$ 250,00")
	p.get("/financeiro/fluxo-de-caixa?from=2020-02-09&to=2020-02-10&group=day").says(t, "10/02/2020 R$ 250,00 R$ 750,00")
	wrong := p.get("/financeiro/fluxo-de-caixa?from=2020-02-09&to=2020-02-01&group=day").wantStatus(t, 200).says(t, "O fim é antes do início.")
	if !strings.Contains(wrong.body, `id="e-to"`) {
		t.Error("the error is not beside its field")
	}
	if now := p.get("/financeiro/fluxo-de-caixa").wantStatus(t, 200).says(t, "Nada neste período"); !strings.Contains(now.body, `value="`+today.Format("2006-01-")+`01"`) {
		t.Error("it does not begin with this month")
	}

	for days, cents := range map[int]int{-10: 1000, -45: 2000, -46: 3000, 1: 50000} {
		b.entry(t, "income", cents, testkit.M{"due_date": today.AddDate(0, 0, days).Format(time.DateOnly)})
	}
	open := p.get("/financeiro/a-receber").wantStatus(t, 200)
	open.says(t, "Vencido R$ 430,00 5 lançamentos", "A vencer R$ 500,00 1 lançamento", "1 a 30 dias 1 R$ 10,00", "31 a 60 dias 2 R$ 50,00", "Mais de 90 dias 2 R$ 370,00")
	band := fmt.Sprintf("due_from=%s&amp;due_to=%s", today.AddDate(0, 0, -60).Format(time.DateOnly), today.AddDate(0, 0, -31).Format(time.DateOnly))
	link := regexp.MustCompile(`href="(/financeiro\?[^"]*` + regexp.QuoteMeta(band) + `[^"]*)"`).FindStringSubmatch(open.body)
	if link == nil {
		t.Fatalf("no link to %s", band)
	}
	p.get(strings.ReplaceAll(link[1], "&amp;", "&")).says(t, "R$ 20,00", "R$ 30,00").lacks(t, "R$ 10,00", "R$ 500,00")
}

func TestFinance_IsForWhoMay(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	id := b.entry(t, "income", 100, nil)
	rule := b.key.Post(t, "/public/v1/financial_transactions/recurring", testkit.M{"type": "expense", "description": "Luz", "amount_cents": 100, "frequency": "monthly", "start_date": "2030-01-01"}).Want(t, 201).ID()
	category := b.key.All(t, "/public/v1/financial_categories")[0]["id"].(string)
	reading := []string{
		"/financeiro", "/contas", "/categorias-financeiras", "/recorrencias", "/financeiro/fluxo-de-caixa", "/financeiro/a-receber",
		"/financeiro/" + id, "/contas/" + b.cash, "/categorias-financeiras/" + category, "/recorrencias/" + rule,
	}
	writing := []string{"/financeiro/novo", "/contas/novo", "/categorias-financeiras/novo", "/recorrencias/novo", "/financeiro/transferir", "/financeiro/parcelar"}
	nobody, reader := b.clerk(t, "clients:read"), b.clerk(t, "finance:read")

	for _, path := range append(reading, writing...) {
		nobody.get(path).wantStatus(t, 403).lacks(t, `href="/financeiro"`, `href="/contas"`)
	}
	nobody.get("/").lacks(t, `href="/financeiro"`)
	for _, path := range reading {
		reader.get(path).wantStatus(t, 200).lacks(t, "/novo", "/editar", "/acao/", "/financeiro/transferir", "/financeiro/parcelar")
	}
	for _, path := range writing {
		reader.get(path).wantStatus(t, 403)
	}
	b.person(t).get("/financeiro").says(t, "Transferir", "Parcelar", "Novo lançamento", "Lançamentos Contas Categorias Recorrências Fluxo de caixa A receber")
}

func TestJourney_KeepsTheBooks(t *testing.T) {
	t.Parallel()
	books := newBooks(t)
	b := newBrowser(t, books.server).signedIn(books.owner)
	rent := ""
	for _, c := range books.key.All(t, "/public/v1/financial_categories") {
		if c["name"] == "Aluguel" {
			rent = c["id"].(string)
		}
	}

	b.open("/financeiro")
	b.submit("Parcelar")
	b.do(choose("type", "expense"))
	b.fill("description", "Notebook")
	b.fill("total_cents", "100,00")
	b.fill("count", "3")
	b.do(set("first_due_date", "2030-01-31"))
	b.submit("Ver parcelas")
	b.wantText("Nada foi lançado ainda", "R$ 33,34", "28/02/2030")
	b.wantAccessible("parts")
	b.shoot("jornada-parcelas")
	b.submit("Voltar e mudar")
	b.fill("count", "2")
	b.submit("Ver parcelas")
	b.submit("Lançar 2 parcelas")
	b.wantText("Registro criado.", "R$ 50,00", "Só as parcelas deste")

	b.open("/financeiro/novo?type=expense")
	b.do(choose("category_id", rent))
	b.fill("description", "Aluguel")
	b.fill("amount_cents", "mil")
	b.submit("Criar lançamento")
	b.wantText("Informe um valor em reais")
	b.wantAccessible("refused transaction")
	b.fill("amount_cents", "1.000")
	b.submit("Criar lançamento")
	b.wantText("Registro criado.", "Aluguel", "R$ 1.000,00")
	b.submit("Marcar pago")
	b.fill("fee_cents", "2,50")
	b.wantAccessible("payment")
	b.shoot("jornada-marcar-pago")
	b.submit("Marcar pago")
	b.wantText("Pago", "R$ 1.002,50")
	b.submit("Caixa")
	b.wantText("-R$ 1.002,50", "Aluguel")
	b.submit("Editar")
	b.fill("opening_balance_cents", "-10,00")
	b.submit("Gravar")
	b.wantText("Alterações gravadas.", "-R$ 1.012,50")

	b.open("/recorrencias/novo?type=income")
	b.fill("description", "Mensalidade")
	b.fill("amount_cents", "99,90")
	b.fill("count", "12")
	b.submit("Criar recorrência")
	b.wantText("Registro criado.", "Mensalidade", "Número de vezes")
	b.submit("Editar")
	b.fill("amount_cents", "109,90")
	b.fill("count", " ")
	b.do(checkAll("apply_to"))
	b.submit("Gravar")
	b.wantText("Alterações gravadas.", "R$ 109,90")
	if text := b.text(); strings.Contains(text, "R$ 99,90") || strings.Contains(text, "Número de vezes") {
		t.Errorf("what was made already stays as it was, or the count is kept: %s", text)
	}
	b.submit("Mensalidade")
	b.submit("Editar")
	b.fill("description", "Mensalidade de dezembro")
	b.submit("Gravar")
	b.wantText("Alterações gravadas.", "Mensalidade de dezembro", "Recorrência")

	b.open("/categorias-financeiras/" + rent)
	b.submit("Editar")
	b.fill("name", "Aluguel e condomínio")
	b.submit("Gravar")
	b.wantText("Alterações gravadas.", "Aluguel e condomínio", "Ocupação")
	b.wantQuietConsole()
}

// financePages makes what the finance area has beside single transactions, and
// returns its pages.
func financePages(t *testing.T, key *testkit.Client) []pictured {
	t.Helper()
	today := time.Now()
	on := func(days int) string { return today.AddDate(0, 0, days).Format(time.DateOnly) }
	cash := key.All(t, "/public/v1/financial_accounts")[0]["id"].(string)
	bank := key.Post(t, "/public/v1/financial_accounts", testkit.M{"name": "Banco do Brasil, conta da matriz", "kind": "checking", "bank_code": "001", "agency": "1234-5", "number": "12345-6", "opening_balance_cents": -350000}).Want(t, 201).ID()
	category := ""
	for _, c := range key.All(t, "/public/v1/financial_categories") {
		if c["name"] == "Ocupação" {
			category = c["id"].(string)
		}
	}
	for i, cents := range []int{12000, 480000, 99900, 32050, 7000, 250000, 1800, 640000} {
		kind, other := "income", "expense"
		if i%3 == 2 {
			kind, other = other, kind
		}
		for _, body := range []testkit.M{
			{"type": kind, "due_date": on(-4 * i), "paid_at": today.AddDate(0, 0, -4*i)}, {"type": other, "due_date": on(3 * i), "category_id": nil}, {"type": "income", "due_date": on(-17 * i)},
		} {
			body["description"], body["amount_cents"], body["account_id"] = fmt.Sprintf("Contrato de manutenção %d", i+1), cents, bank
			key.Post(t, "/public/v1/financial_transactions", body).Want(t, 201)
		}
	}
	transfer := key.Post(t, "/public/v1/financial_transactions/transfer", testkit.M{"from_account_id": cash, "to_account_id": bank, "amount_cents": 50000, "date": on(0), "fee_cents": 250}).Want(t, 201)
	leg := transfer.JSON()["transactions"].([]any)[0].(map[string]any)["id"].(string)
	group := key.Post(t, "/public/v1/financial_transactions/installments", testkit.M{"type": "expense", "description": "Notebook", "total_cents": 1000000, "count": 3, "first_due_date": on(10)}).Want(t, 201).JSON()
	rule := key.Post(t, "/public/v1/financial_transactions/recurring", testkit.M{"type": "expense", "description": "Aluguel do galpão", "amount_cents": 250000, "frequency": "monthly", "start_date": on(1), "business_day": "next", "category_id": category}).Want(t, 201).ID()
	part := group["transactions"].([]any)[0].(map[string]any)["id"].(string)
	return []pictured{
		{"financeiro-transferencia", "/financeiro/" + leg, nil},
		{"financeiro-parcela", "/financeiro/" + part, nil},
		{"financeiro-pagar", "/financeiro/" + part + "/acao/pagar", nil},
		{"financeiro-editar", "/financeiro/" + part + "/editar", nil},
		{"financeiro-parcelas", "/financeiro?installment_group_id=" + group["installment_group_id"].(string), nil},
		{"financeiro-transferir", "/financeiro/transferir", nil},
		{"financeiro-parcelar", "/financeiro/parcelar", nil},
		{"fluxo-mes", "/financeiro/fluxo-de-caixa?from=" + on(-30) + "&to=" + on(30) + "&group=day", nil},
		{"fluxo-longo", "/financeiro/fluxo-de-caixa?from=" + on(-200) + "&to=" + on(100) + "&group=month", nil},
		{"fluxo-dias", "/financeiro/fluxo-de-caixa?from=" + on(-200) + "&to=" + on(100) + "&group=day", nil},
		{"fluxo-recusado", "/financeiro/fluxo-de-caixa?from=2026-02-01&to=2026-01-01&group=day", nil},
		{"a-receber", "/financeiro/a-receber", nil},
		{"contas", "/contas", nil},
		{"conta-um", "/contas/" + bank, nil},
		{"conta-nova", "/contas/novo", nil},
		{"categorias", "/categorias-financeiras", nil},
		{"categoria-um", "/categorias-financeiras/" + category, nil},
		{"categoria-nova", "/categorias-financeiras/novo?kind=expense", nil},
		{"recorrencias", "/recorrencias", nil},
		{"recorrencia-um", "/recorrencias/" + rule, nil},
		{"recorrencia-nova", "/recorrencias/novo", nil},
		{"recorrencia-editar", "/recorrencias/" + rule + "/editar", nil},
	}
}
