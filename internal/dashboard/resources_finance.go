package dashboard

func transactionPages() resource {
	kinds := []choice{{"income", "Receita"}, {"expense", "Despesa"}, {"transfer_in", "Transferência recebida"}, {"transfer_out", "Transferência enviada"}}
	return resource{
		path: "/financeiro", api: "financial_transactions", icon: "wallet", title: "Financeiro", one: "lançamento", make: "Novo lançamento",
		lead:       "O que entra e o que sai: a vencer, vencido e pago.",
		emptyTitle: "Nenhum lançamento", emptyText: "Lance a primeira receita ou despesa. As vendas lançam sozinhas o que há a receber.",
		read: "finance:read", write: "finance:write",
		list: "listFinancialTransactions", get: "getFinancialTransaction", create: "createFinancialTransaction", update: "updateFinancialTransaction", history: "listFinancialTransactionHistory",
		filters: []filter{
			{name: "type", label: "Tipo", choices: append([]choice{{"", "Todos"}}, kinds...)},
			states(choice{"pending", "Em aberto"}, choice{"paid", "Pagos"}, choice{"cancelled", "Cancelados"}),
		},
		columns: []attribute{
			plain("Descrição", "description"),
			{label: "Tipo", value: func(_ *visit, o object) string { return chosen(kinds, o.text("type")) }},
			calendarDay("Vencimento", "due_date"), cents("Valor", "amount_cents"),
			{label: "Situação", state: func(o object) word {
				switch {
				case o.text("overdue") == "true":
					return word{"Vencido", "bad"}
				case o.text("status") == "paid":
					return word{"Pago", "good"}
				case o.text("status") == "cancelled":
					return word{"Cancelado", "quiet"}
				}
				return word{"Em aberto", "info"}
			}},
		},
		facts: []attribute{
			clientName(), named("Conta", "account_id", accountSource()), named("Categoria", "category_id", financialCategorySource()),
			calendarDay("Competência", "competence_date"),
			{label: "Forma", value: func(_ *visit, o object) string { return chosen(paymentMethods(), o.text("method")) }},
			plain("Documento", "document_number"), instant("Pago em", "paid_at"), cents("Pago", "paid_cents"), instant("Criado em", "created_at"),
		},
		fields: []formField{
			oneOf("type", "Tipo", kinds[:2]...).once(), text("description", "Descrição").must(), money("amount_cents", "Valor").must(), dateField("due_date", "Vencimento").must().today(),
			pick("category_id", "Categoria", financialCategorySource()), pick("account_id", "Conta", accountSource()).hinted("Sem escolha, a conta padrão.").once(),
			clientField(), text("document_number", "Documento").hinted("Número da nota ou do boleto."),
		},
		actions: []action{
			{name: "pagar", route: "markFinancialTransactionPaid", text: "Marcar pago", when: is("pending"), ask: "Registra que o dinheiro entrou ou saiu.", fields: []formField{momentField("paid_at", "Quando").must().now()}},
			{name: "reabrir", route: "reopenFinancialTransaction", text: "Reabrir", when: is("paid"), ask: "Desfaz o pagamento."},
			{name: "cancelar", route: "cancelFinancialTransaction", text: "Cancelar", harsh: true, when: is("pending"), ask: "O lançamento deixa de contar."},
		},
	}
}

func financialCategorySource() source {
	return source{name: "categorias-financeiras", list: "listFinancialCategories", get: "getFinancialCategory", permission: "finance:read"}
}

// report is a page of a business area that shows what its records come to.
type report struct {
	tab
	area string
}

func reports() []report { return nil }
