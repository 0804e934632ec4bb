package dashboard

func accountKinds() []choice {
	return []choice{
		{"checking", "Conta corrente"},
		{"savings", "Poupança"},
		{"cash", "Dinheiro em caixa"},
		{"credit_card", "Cartão de crédito"},
		{"investment", "Investimento"},
		{"payment_provider", "Conta de pagamento"},
		{"other", "Outra"},
	}
}

func accountPages() resource {
	isDefault := func(o object) bool { return o.text("is_default") == "true" }
	isOther := func(o object) bool { return !isDefault(o) }
	return resource{
		path: accountsAt, api: "financial_accounts", area: financeArea, icon: "wallet", title: "Contas", one: "conta", make: "Nova conta",
		lead:       "Onde o dinheiro está. O saldo soma o que já foi pago; o previsto, também o que está em aberto.",
		emptyTitle: "Nenhuma conta", emptyText: "Crie a primeira: a do banco, ou o caixa da loja.",
		read: canReadFinance, write: canWriteFinance,
		list: "listFinancialAccounts", get: "getFinancialAccount", create: "createFinancialAccount", update: "updateFinancialAccount",
		filters: []filter{{name: "kind", label: "Tipo", choices: append([]choice{{"", "Todos"}}, accountKinds()...)}},
		columns: []attribute{
			plain("Nome", "name"), oneWord("Tipo", "kind", accountKinds()), cents("Saldo", "balance_cents"), cents("Saldo previsto", "projected_balance_cents"),
			{label: "Uso", state: func(o object) word {
				if isDefault(o) {
					return word{"Padrão", "info"}
				}
				return word{}
			}},
		},
		facts: []attribute{
			cents("Saldo inicial", "opening_balance_cents"), calendarDay("Saldo inicial de", "opening_date"), plain("Banco", "bank_code"), plain("Agência", "agency"),
			plain("Número", "number"), plain("Id externo", "external_id"), instant("Criada em", "created_at"),
		},
		fields: []formField{
			text("name", "Nome").upTo("80").must(), oneOf("kind", "Tipo", accountKinds()...),
			signedMoney("opening_balance_cents", "Saldo inicial").hinted("O que havia na conta no começo. Negativo, como -1.234,56, se ela começa devendo."),
			dateField("opening_date", "Saldo inicial de").must().today(),
			text("bank_code", "Código do banco").upTo("10").hinted("Como 001 ou 341."), text("agency", "Agência").upTo("20"), text("number", "Número da conta").upTo("30"),
			flag("is_default", "Usar como conta padrão").hinted("A que vale onde nenhuma é escolhida. A padrão de agora deixa de ser.").once(), externalID(),
		},
		actions: []action{
			{name: "padrao", route: "updateFinancialAccount", text: "Tornar padrão", when: isOther, body: M{"is_default": true}},
			{name: "excluir", route: "deleteFinancialAccount", text: "Excluir", harsh: true, gone: true, when: isOther, ask: "A conta deixa de existir. Uma que tem lançamentos não pode ser excluída."},
		},
		sections: []section{related("account_id", transactionPages)},
	}
}
