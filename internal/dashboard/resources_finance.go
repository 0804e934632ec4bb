package dashboard

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"
)

func transactionTypes() []choice {
	return append(directions(), choice{"transfer_in", "Transferência recebida"}, choice{"transfer_out", "Transferência enviada"})
}

func transactionPages() resource {
	return resource{
		path: transactionsAt, api: "financial_transactions", area: financeArea, icon: "wallet", title: "Lançamentos", one: "lançamento", make: "Novo lançamento",
		lead:       "O que entra e o que sai: a vencer, vencido e pago.",
		emptyTitle: "Nenhum lançamento", emptyText: "Lance a primeira receita ou despesa. As vendas lançam sozinhas o que há a receber.",
		read: canReadFinance, write: canWriteFinance,
		list: "listFinancialTransactions", get: "getFinancialTransaction", create: "createFinancialTransaction", update: "updateFinancialTransaction", history: "listFinancialTransactionHistory",
		upFront: 4, filters: transactionFilters(),
		order: "due_date desc", orders: []choice{{"due_date desc", "Vencimento, mais distantes antes"}, {dueSoonest, "Vencimento, mais antigos antes"}},
		buttons: []button{{transferAt, "Transferir", canWriteFinance}, {installmentsAt, "Parcelar", canWriteFinance}},
		columns: []attribute{
			plain("Descrição", "description"), oneWord("Tipo", "type", transactionTypes()), calendarDay("Vencimento", "due_date"),
			named("Conta", "account_id", accountSource()).roomy(), cents("Valor", "amount_cents"),
			{label: "Situação", state: transactionState},
		},
		facts: transactionFacts(),
		grow: func(v *visit, _ resource, o object) ([]formField, error) {
			return transactionFields(v.typed("type", o.text("type"))), nil
		},
		actions:  transactionActions(),
		note:     transactionNote,
		open:     func(o object) bool { return ownPending(o) || ownPaid(o) },
		final:    func(o object) bool { return !ownPending(o) },
		sections: []section{transferRows},
	}
}

func transactionFilters() []filter {
	all := []filter{
		states(choice{"pending", "Em aberto"}, choice{"overdue", "Vencidos"}, choice{"paid", "Pagos"}, choice{"cancelled", "Cancelados"}),
		{name: "type", label: "Tipo", choices: append([]choice{{"", "Todos"}}, transactionTypes()...)},
	}
	all = append(all, days("due", "Vence")...)
	all = append(all, days("paid", "Pago")...)
	return append(all,
		ofSource("account_id", "Conta", accountSource()), ofSource("category_id", "Categoria", financialCategorySource("")),
		ofSource("client_id", "Cliente", clientSource()), ofSource("sale_id", "Venda", saleSource()), ofSource("recurring_id", "Recorrência", recurringSource()),
		filter{name: "installment_group_id", label: "Parcelamento", kind: filterGiven, given: "Só as parcelas deste"},
	)
}

func transactionState(o object) word {
	switch {
	case o.text("overdue") == "true":
		return word{"Vencido", "bad"}
	case o.text("status") == "paid":
		return word{"Pago", "good"}
	case o.text("status") == "cancelled":
		return word{"Cancelado", "quiet"}
	}
	return word{"Em aberto", "info"}
}

func transactionFacts() []attribute {
	return []attribute{
		instant("Pago em", "paid_at"), unlessZero("Juros e multa", "interest_cents"), unlessZero("Desconto", "discount_cents"), unlessZero("Tarifa", "fee_cents"),
		cents("Valor pago", "paid_cents"), clientName(), named("Categoria", "category_id", financialCategorySource("")),
		named("Venda", "sale_id", saleSource()), named("Recorrência", "recurring_id", recurringSource()),
		{
			label: "Parcela",
			value: func(_ *visit, o object) string {
				return joined(" de ", o.text("installment_number"), o.text("installment_count"))
			},
			leads: func(o object) string {
				if o.text("installment_group_id") == "" {
					return ""
				}
				return transactionsBy("installment_group_id", o.text("installment_group_id"), sortParam, dueSoonest)
			},
		},
		calendarDay("Competência", "competence_date"), oneWord("Forma de pagamento", "method", paymentMethods()),
		plain("Documento", "document_number"), plain("Id externo", "external_id"), instant("Criado em", "created_at"),
	}
}

// transactionFields are those of the form of a transaction, whose type may not
// be known yet. A paid one keeps all but its labels.
func transactionFields(kind string) []formField {
	external := externalID()
	external.lasting = false // the API keeps it as it was
	return []formField{
		directionField(), text("description", "Descrição").upTo("200").must().lasts(), money("amount_cents", "Valor").must(), dateField("due_date", "Vencimento").must().today(),
		categoryField(kind).lasts(), accountField().hinted("Sem escolha, a conta padrão."), clientField(),
		methodField(), documentField(), dateField("competence_date", "Competência").hinted("A que dia pertence. Vazio: o do vencimento."),
		momentField("paid_at", "Já pago em").hinted("Vazio: fica em aberto.").once(), external,
	}
}

// own reports that a transaction is the company's own: of no sale and of no transfer.
func own(o object) bool { return o.text("sale_id") == "" && o.text("transfer_id") == "" }

func ownPending(o object) bool { return own(o) && o.text("status") == "pending" }
func ownPaid(o object) bool    { return own(o) && o.text("status") == "paid" }

func transactionActions() []action {
	return []action{
		{
			name: "pagar", route: "markFinancialTransactionPaid", text: "Marcar pago", when: ownPending, next: true,
			ask: "O dinheiro entrou na conta ou saiu dela: o saldo muda pelo valor, mais os juros, menos o desconto. A tarifa diminui o que entra e aumenta o que sai.",
			fields: []formField{
				momentField("paid_at", "Quando").must().now(), accountField(),
				extraMoney("interest_cents", "Juros e multa").hinted("Por atraso; somam ao valor."), extraMoney("discount_cents", "Desconto").hinted("Diminui o valor."),
				extraMoney("fee_cents", "Tarifa").hinted("Do banco, do boleto ou da maquininha."),
			},
		},
		{name: "reabrir", route: "reopenFinancialTransaction", text: "Reabrir", when: ownPaid, ask: "Desfaz o pagamento: o lançamento volta a ficar em aberto, e o saldo da conta volta ao que era."},
		{name: "cancelar", route: "cancelFinancialTransaction", text: "Cancelar", harsh: true, when: ownPending, ask: "O lançamento deixa de contar, e continua na lista como cancelado."},
		{
			name: "cancelar-transferencia", route: "cancelFinancialTransaction", text: "Cancelar transferência", harsh: true,
			when: func(o object) bool { return o.text("transfer_id") != "" && o.text("status") == "paid" },
			ask:  "A saída, a entrada e a tarifa, se houve, são canceladas juntas, e os saldos das duas contas voltam ao que eram.",
		},
		{name: "excluir", route: "deleteFinancialTransaction", text: "Excluir", harsh: true, gone: true, when: ownPending, ask: "O lançamento deixa de existir."},
	}
}

// sentence is one about a record, with a link in it.
type sentence struct{ before, page, link, after string }

// transactionNote says why a transaction does not change, or not all of it.
func transactionNote(v *visit, res resource, o object) (templ.Component, error) {
	switch sale := v.nameOf(saleSource(), o.text("sale_id")); {
	case sale != "":
		return sentenceBody(sentence{"Este lançamento é da ", saleSource().path + "/" + o.text("sale_id"), sale, " e só muda por ela."}), nil
	case o.text("sale_id") != "":
		return sentenceBody(sentence{before: "Este lançamento é de uma venda e só muda por ela."}), nil
	case o.text("transfer_id") != "" && o.text("status") == "cancelled":
		return sentenceBody(sentence{before: "Este lançamento é de uma transferência que foi cancelada."}), nil
	case o.text("transfer_id") != "":
		return sentenceBody(sentence{before: "Este lançamento é de uma transferência, que não se altera: se algo está errado, cancele-a e faça outra."}), nil
	case o.text("status") == "cancelled":
		return sentenceBody(sentence{before: "Este lançamento foi cancelado: não conta mais e não muda mais."}), nil
	case o.text("status") == "paid" && v.who.may(res.write):
		return sentenceBody(sentence{before: "Pago: só a descrição e a categoria ainda mudam. Para mudar o resto, reabra o lançamento."}), nil
	}
	return nil, nil //nolint:nilnil // nothing to say
}

// transferRows shows the other rows of a transfer.
func transferRows(v *visit, res resource, o object) (templ.Component, error) {
	transfer := o.text("transfer_id")
	if transfer == "" {
		return nil, nil //nolint:nilnil // not of a transfer
	}
	others, err := readAll(v, res.list, url.Values{"transfer_id": {transfer}, "sort": {"created_at"}, "order": {"asc"}})
	if err != nil {
		return nil, err
	}
	others = slices.DeleteFunc(others, func(other object) bool { return other.id() == o.id() })
	res.columns = without(res.columns, "Vencimento")
	if err := v.learnNames(res.columns, others); err != nil {
		return nil, err
	}
	return tableSection(v, tableOf{title: "Na mesma transferência", res: res, records: others}), nil
}
