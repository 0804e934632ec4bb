package dashboard

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"
)

const salesPath = "/vendas"

// maxWhoPaid is for how many payments the sale's page says who recorded them:
// each takes a call. The page of a payment says it of any.
const maxWhoPaid = 20

func paymentWords() map[string]word {
	return map[string]word{
		"confirmed": {"Recebido", "good"}, "pending": {"Aguardando", "info"}, "processing": {"Em processamento", "info"}, "failed": {"Falhou", "bad"},
		"declined": {"Recusado", "bad"}, "expired": {"Vencido", "quiet"}, "cancelled": {"Cancelado", "quiet"},
	}
}

// paymentPages are those of the payments of a sale, which are registered and
// listed on its page.
func paymentPages() resource {
	return resource{
		path: salesPath + "/" + parentPart + "/pagamentos", api: "payments", owner: "Venda", icon: "wallet", title: "Pagamentos", one: "pagamento",
		called:    func(o object) string { return "Pagamento de " + reais(o.text("amount_cents")) },
		emptyText: "Nada foi recebido ainda.",
		read:      "sales:read", write: "sales:write",
		list: "listSalePayments", get: "getSalePayment", history: "listSalePaymentHistory",
		columns: []attribute{cents("Valor", "amount_cents"), oneWord("Forma", "method", paymentMethods()), instant("Recebido em", "paid_at"), statusOf(paymentWords())},
		facts: []attribute{
			named("Conta", "account_id", accountSource()), positiveCents("Tarifa", "fee_cents"), plain("Observações", "notes"), plain("Id externo", "external_id"),
			instant("Cancelado em", "cancelled_at"), plain("Motivo do cancelamento", "cancel_reason"), instant("Registrado em", "created_at"),
		},
		actions: []action{{
			name: "cancelar", route: "cancelSalePayment", text: "Cancelar pagamento", harsh: true, up: true, when: is("confirmed"),
			ask: "O valor volta a faltar na venda, e o lançamento que ele pagou volta a ficar em aberto.", fields: []formField{text("reason", "Motivo")},
		}},
	}
}

// positiveCents shows an amount where there is one.
func positiveCents(label, name string) attribute {
	a := cents(label, name)
	shown := a.value
	a.value = func(v *visit, o object) string {
		if o.text(name) == "0" {
			return ""
		}
		return shown(v, o)
	}
	return a
}

// payment is one on the page of its sale.
type payment struct {
	object
	who string // recorded it; "" where it is not told
}

func paymentsSection(v *visit, _ resource, o object) (templ.Component, error) {
	res := paymentPages().of(o.id())
	found, err := get[list[object]](v, res.list, res.ids(), url.Values{"limit": {maxChoices}})
	if err != nil {
		return nil, err
	}
	payments := make([]payment, len(found.Data))
	for i, p := range found.Data {
		payments[i].object = p
		if i < maxWhoPaid {
			if payments[i].who, err = v.recorder(res, p); err != nil {
				return nil, err
			}
		}
	}
	return paymentsBody(v, res, payments), nil
}

// recorder is who made a record, as its history tells.
func (v *visit) recorder(res resource, o object) (string, error) {
	past, err := get[list[object]](v, res.history, res.ids(o.id()), url.Values{"limit": {"1"}, "order": {"asc"}})
	if err != nil || len(past.Data) == 0 {
		return "", err
	}
	return past.Data[0].text("actor.name"), nil
}

// paymentFields are those of a payment that is registered.
func paymentFields() []formField {
	amount := money("amount_cents", "Valor").must()
	amount.first = func(_ *visit, o object) string { return reaisOnly(o.text("balance_cents")) }
	settles := text("financial_transaction_id", "Parcela").hinted("Sem escolha, a que vence primeiro.")
	settles.offers = func(_ *visit, o object) ([]choice, error) { return openInstallments(o), nil }
	notes := area("notes", "Observações")
	notes.show = func(*visit, object) string { return "" } // those of the payment, not the sale's
	return []formField{
		amount, oneOf("method", "Forma", paymentMethods()...), momentField("paid_at", "Quando").now(), settles,
		pick("account_id", "Conta", accountSource()).hinted("Sem escolha, a da venda."),
		money("fee_cents", "Tarifa").hinted("O que ficou com o banco ou a maquininha, descontado deste valor."), notes,
	}
}

// openInstallments are the parts of a sale that a payment can settle; none
// where there is no choice.
func openInstallments(o object) []choice {
	open := pendingParts(o)
	if len(open) < 2 {
		return nil
	}
	choices := []choice{{"", "A que vence primeiro"}}
	for _, t := range open {
		choices = append(choices, choice{t.id(), brazilianDate(t.text("due_date")) + ", " + reais(t.text("amount_cents"))})
	}
	return choices
}

// installmentsSection shows what the sale moves, where the person may see it.
func installmentsSection(v *visit, _ resource, o object) (templ.Component, error) {
	var live, dropped []object
	for _, t := range o.all("financial_transactions") {
		if t.text("status") == "cancelled" && o.text("status") != "cancelled" {
			dropped = append(dropped, t)
		} else {
			live = append(live, t)
		}
	}
	if len(live)+len(dropped) == 0 {
		return nil, nil //nolint:nilnil // nothing to see
	}
	return installmentsBody(v, live, dropped), nil
}

func installmentState(t object) word {
	switch {
	case t.text("overdue") == "true":
		return word{"Vencida", "bad"}
	case t.text("status") == "paid":
		return word{"Paga", "good"}
	case t.text("status") == "cancelled":
		return word{"Cancelada", "quiet"}
	}
	return word{"Em aberto", "info"}
}

// versionsSection lists the versions of a sale that has several.
func versionsSection(v *visit, _ resource, o object) (templ.Component, error) {
	if o.text("current_version") == "1" {
		return nil, nil //nolint:nilnil // the page shows it
	}
	found, err := get[list[object]](v, "listSaleVersions", []string{o.id()}, url.Values{"limit": {maxChoices}})
	if err != nil {
		return nil, err
	}
	return versionsBody(v, o, found.Data), nil
}

func versionPath(sale, number string) string { return salesPath + "/" + sale + "/versoes/" + number }

// saleVersionPage shows what a sale said until its next version, and what that
// one had changed.
func saleVersionPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	sale, number := v.r.PathValue("id"), v.r.PathValue("n")
	shown, err := get[object](v, "getSaleVersion", []string{sale, number}, nil)
	if err != nil {
		return nil, err
	}
	var changes []change
	if n, err := strconv.Atoi(number); err == nil && n > 1 {
		before, err := get[object](v, "getSaleVersion", []string{sale, strconv.Itoa(n - 1)}, nil)
		if err != nil {
			return nil, err
		}
		changes = v.changesOf(before, shown)
	}
	o, err := get[object](v, "getSale", []string{sale}, nil)
	if err != nil {
		return nil, err
	}
	return show(salePages().name(o)+", versão "+number, salesPath, versionBody(v, o, shown, changes))
}
