package dashboard

import "github.com/a-h/templ"

// numberSearch is what the search of a list of documents looks at.
const numberSearch = "número ou nome do cliente"

// byNumber are the orders that a list of numbered documents offers.
func byNumber() []choice {
	return []choice{{"number desc", "Número, maiores antes"}, {"number asc", "Número, menores antes"}}
}

// documentFilters are what narrows a list of numbered documents, beside its states.
func documentFilters(status filter) []filter {
	return []filter{status, ofSource("client_id", "Cliente", clientSource()), {name: "number", label: "Número"}}
}

func quotePages() resource {
	words := map[string]word{
		"draft": {"Rascunho", "quiet"}, "sent": {"Enviado", "info"}, "approved": {"Aprovado", "good"}, "rejected": {"Recusado", "bad"}, "cancelled": {"Cancelado", "quiet"}, "converted": {"Vendido", "good"},
	}
	return resource{
		path: "/orcamentos", api: "quotes", icon: "file-text", title: "Orçamentos", one: "orçamento", make: "Novo orçamento",
		lead:       "Propostas, da primeira versão até virar venda.",
		emptyTitle: "Nenhum orçamento", emptyText: "Faça o primeiro aqui, ou pela API com POST /public/v1/quotes, para enviar, aprovar e converter.",
		read: "quotes:read", write: "quotes:write",
		list: "listQuotes", get: "getQuote", create: "createQuote", update: "updateQuote", history: "listQuoteHistory", search: numberSearch, orders: byNumber(),
		filters: documentFilters(states(
			choice{"draft", "Rascunhos"}, choice{"sent", "Enviados"}, choice{"approved", "Aprovados"}, choice{"rejected", "Recusados"}, choice{"converted", "Vendidos"}, choice{"cancelled", "Cancelados"},
		)),
		columns: []attribute{plain("Número", "number"), clientName(), calendarDay("Válido até", "valid_until"), cents("Total", "total_cents"), quoteStatus(words)},
		facts: []attribute{
			named("Lead", "lead_id", leadSource()), named("Venda", "sale_id", saleSource()), instant("Enviado em", "sent_at"), plain("Condições", "terms"),
			plain("Observações", "notes"), plain("Id externo", "external_id"), instant("Criado em", "created_at"),
		},
		actions: quoteActions(),
		fields: []formField{
			clientField(), leadField().hinted("Para quem ainda não é cliente: escolha um ou outro."),
			dateField("valid_until", "Válido até"), area("terms", "Condições"), area("notes", "Observações"),
		},
		lines:    &linesForm{open: is("draft"), plan: true, oneParty: true},
		sections: []section{plainSection(linesBody), planSection, related("quote_id", orderPages)},
	}
}

// quoteStatus tells that a quote that waits for its answer has expired, too.
func quoteStatus(words map[string]word) attribute {
	a := statusOf(words)
	plain := a.state
	a.state = func(o object) word {
		if o.text("is_expired") == "true" && is("draft", "sent")(o) {
			return word{plain(o).text + ", vencido", "warn"}
		}
		return plain(o)
	}
	return a
}

func quoteActions() []action {
	const sent = "O cliente vê o orçamento num link público, e aprova ou recusa por ele. Se ele tem e-mail, o link vai também por e-mail."
	return []action{
		{name: "enviar", route: "sendQuote", text: "Enviar", next: true, when: is("draft"), shows: "public_url", resultTitle: "Orçamento enviado", ask: sent},
		{name: "aprovar", route: "approveQuote", text: "Aprovar", next: true, when: func(o object) bool { return is("sent")(o) && o.text("is_expired") != "true" }},
		{
			name: "vender", route: "convertQuoteToSale", text: "Converter em venda", next: true, when: is("approved"), also: "sales:write", leads: salesPath,
			ask: "Cria a venda com os itens, os valores e o pagamento combinado deste orçamento.",
		},
		{
			name: "ordem", route: "createServiceOrderFromQuote", text: "Abrir ordem de serviço", when: is("approved"), write: "service_orders:write", self: "quote_id", leads: "/ordens",
			ask: "Cria a ordem de serviço com os itens deste orçamento. A venda pode ser feita depois, pela ordem ou por aqui, uma vez só.",
		},
		{
			name: "reenviar", route: "sendQuote", text: "Enviar de novo", when: is("sent"), shows: "public_url", resultTitle: "Orçamento enviado de novo",
			ask: sent + " Os links de antes continuam valendo.",
		},
		{name: "recusar", route: "rejectQuote", text: "Recusar", harsh: true, when: is("sent"), ask: "Registra que o cliente não quis.", fields: []formField{text("reason", "Motivo")}},
		{
			name: "encerrar-link", route: "revokeQuoteLink", text: "Encerrar link público", harsh: true, when: func(o object) bool { return o.text("sent_at") != "" },
			ask: "Os links públicos deste orçamento deixam de abrir. Para mandar outro, envie de novo.",
		},
		{name: "cancelar", route: "cancelQuote", text: "Cancelar orçamento", harsh: true, when: is("draft", "sent", "approved"), ask: "O orçamento deixa de valer.", fields: []formField{text("reason", "Motivo")}},
	}
}

// planSection shows how a document is to be paid.
func planSection(_ *visit, _ resource, o object) (templ.Component, error) {
	if planWords(o) == "" {
		return nil, nil //nolint:nilnil // nothing was agreed
	}
	return planBody(o), nil
}

func orderPages() resource {
	words := map[string]word{"open": {"Aberta", "info"}, "in_progress": {"Em andamento", "info"}, "completed": {"Concluída", "good"}, "cancelled": {"Cancelada", "quiet"}}
	return resource{
		path: "/ordens", api: "service_orders", icon: "wrench", title: "Ordens de serviço", one: "ordem de serviço", make: "Nova ordem de serviço",
		lead:       "O serviço, do pedido até a venda.",
		emptyTitle: "Nenhuma ordem de serviço", emptyText: "Abra a primeira aqui, ou pela API com POST /public/v1/service_orders, para começar, concluir e cobrar.",
		read: "service_orders:read", write: "service_orders:write",
		list: "listServiceOrders", get: "getServiceOrder", create: "createServiceOrder", update: "updateServiceOrder", history: "listServiceOrderHistory", search: numberSearch, orders: byNumber(),
		filters: documentFilters(states(choice{"open", "Abertas"}, choice{"in_progress", "Em andamento"}, choice{"completed", "Concluídas"}, choice{"cancelled", "Canceladas"})),
		columns: []attribute{plain("Título", "title"), plain("Número", "number"), clientName(), instant("Marcada para", "scheduled_start"), cents("Total", "total_cents"), statusOf(words)},
		facts: []attribute{
			ownStatus(), instant("Marcada até", "scheduled_end"), assigneeName(), oneWord("Prioridade", "priority", priorities()),
			{label: "Equipamento", value: equipmentText},
			named("Orçamento", "quote_id", quoteSource()), named("Venda", "sale_id", saleSource()),
			plain("Descrição", "description"), instant("Começou em", "started_at"), instant("Concluída em", "completed_at"),
			plain("Conclusão", "completion_notes"), plain("Motivo do cancelamento", "cancel_reason"), plain("Observações", "notes"), plain("Id externo", "external_id"), instant("Criada em", "created_at"),
		},
		actions: orderActions(),
		fields: []formField{
			text("title", "Título").must(), clientField().must(), addressField(), assigneeField(),
			momentField("scheduled_start", "Marcada para"), momentField("scheduled_end", "Até"),
			text("equipment.name", "Equipamento"), text("equipment.brand", "Marca"), text("equipment.model", "Modelo"), text("equipment.serial", "Número de série"),
			oneOf("priority", "Prioridade", priorities()...),
			area("description", "Descrição"), area("notes", "Observações"),
		},
		lines:    &linesForm{open: is("open", "in_progress"), bare: true},
		sections: []section{plainSection(linesBody), addressSection},
	}
}

func orderActions() []action {
	billable := func(o object) bool {
		return is("open", "in_progress", "completed")(o) && o.text("sale_id") == "" && len(o.all("items")) > 0
	}
	return []action{
		{name: "comecar", route: "startServiceOrder", text: "Começar", next: true, when: is("open")},
		{name: "concluir", route: "completeServiceOrder", text: "Concluir", next: true, when: is("in_progress"), ask: "O serviço terminou.", fields: []formField{area("completion_notes", "O que foi feito")}},
		{
			name: "vender", route: "convertServiceOrderToSale", text: "Converter em venda", next: true, also: "sales:write", leads: salesPath,
			when: func(o object) bool { return billable(o) && is("completed")(o) }, ask: "Cria a venda com os itens e valores desta ordem.",
		},
		{
			name: "vender-antes", route: "convertServiceOrderToSale", text: "Converter em venda", also: "sales:write", leads: salesPath,
			when: func(o object) bool { return billable(o) && !is("completed")(o) }, ask: "Cria a venda com os itens e valores desta ordem, que continua aberta. Depois, o que mudar na ordem não muda na venda.",
		},
		{
			name: "situacao", route: "changeServiceOrderStatus", text: "Mudar situação", when: is("open", "in_progress"), edits: true,
			ask: "Além de aberta ou em andamento, a ordem pode ter uma situação própria da empresa, como “Aguardando peça”.",
			fields: []formField{
				oneOf("status", "Situação", choice{"open", "Aberta"}, choice{"in_progress", "Em andamento"}), text("custom_status", "Situação própria").hinted("Vazia: nenhuma."),
			},
		},
		{name: "cancelar", route: "cancelServiceOrder", text: "Cancelar ordem", harsh: true, when: is("open", "in_progress"), ask: "A ordem deixa de valer.", fields: []formField{text("reason", "Motivo").must()}},
	}
}

func paymentMethods() []choice {
	return []choice{
		{"pix", "Pix"},
		{"cash", "Dinheiro"},
		{"credit_card", "Cartão de crédito"},
		{"debit_card", "Cartão de débito"},
		{"boleto", "Boleto"},
		{"bank_transfer", "Transferência"},
		{"check", "Cheque"},
		{"other", "Outro"},
	}
}

func salePages() resource {
	words := map[string]word{"open": {"A receber", "info"}, "partially_paid": {"Paga em parte", "warn"}, "paid": {"Paga", "good"}, "cancelled": {"Cancelada", "quiet"}}
	return resource{
		path: salesPath, api: "sales", icon: "receipt", title: "Vendas", one: "venda", make: "Nova venda",
		lead:       "O que foi vendido, e o que falta receber.",
		emptyTitle: "Nenhuma venda", emptyText: "Registre a primeira aqui, ou pela API com POST /public/v1/sales. As convertidas de um orçamento também aparecem.",
		read: "sales:read", write: "sales:write",
		list: "listSales", get: "getSale", create: "createSale", update: "createSaleVersion", history: "listSaleHistory", search: numberSearch, orders: byNumber(),
		filters: append(documentFilters(states(choice{"open", "A receber"}, choice{"partially_paid", "Pagas em parte"}, choice{"paid", "Pagas"}, choice{"cancelled", "Canceladas"})), moments("sold", "Vendida")...),
		columns: []attribute{plain("Número", "number"), clientName(), instant("Vendida em", "sold_at"), cents("Total", "total_cents"), cents("A receber", "balance_cents"), statusOf(words)},
		facts: []attribute{
			named("Orçamento", "quote_id", quoteSource()), named("Ordem de serviço", "service_order_id", orderSource()), planAttribute(),
			named("Conta", "account_id", accountSource()), named("Categoria", "category_id", financialCategorySource("")),
			instant("Cancelada em", "cancelled_at"), plain("Motivo do cancelamento", "cancel_reason"), plain("Observações", "notes"), plain("Id externo", "external_id"), instant("Criada em", "created_at"),
		},
		actions: saleActions(),
		fields: []formField{
			clientField().hinted("Sem cliente, é uma venda de balcão."), momentField("sold_at", "Vendida em").hinted("Vazio: agora.").once(),
			pick("account_id", "Conta", accountSource()).hinted("Onde o dinheiro entra. Sem escolha, a conta padrão."), pick("category_id", "Categoria", financialCategorySource(kindIncome)), area("notes", "Observações"),
		},
		lines:    &linesForm{open: is("open", "partially_paid", "paid"), plan: true, versions: true},
		sections: []section{plainSection(linesBody), paymentsSection, installmentsSection, versionsSection},
	}
}

func saleActions() []action {
	live := is("open", "partially_paid", "paid")
	payments := flag("cancel_payments", "Cancelar também os pagamentos recebidos").hinted("Cada um fica registrado como cancelado, e sai do saldo da conta em que entrou.")
	payments.when = func(o object) bool { return o.text("paid_cents") != "0" }
	payments.conflict = conflict{"has_payments", "Esta venda tem pagamentos recebidos. Marque para cancelá-los também, ou cancele-os antes, um a um."}
	return []action{
		{
			name: "receber", route: "createSalePayment", text: "Registrar pagamento", next: true, when: is("open", "partially_paid"), ask: "Registra dinheiro que já entrou.",
			fields: paymentFields(),
		},
		{name: "compartilhar", route: "shareSale", text: "Criar recibo", when: live, shows: "receipt_url", resultTitle: "Recibo criado", ask: "Cria um link público com o recibo desta venda. Os links de antes continuam valendo."},
		{
			name: "dados", route: "updateSale", text: "Editar observações", edits: true, ask: "As observações e o id externo mudam em qualquer situação, sem uma nova versão.",
			fields: []formField{area("notes", "Observações"), text("external_id", "Id externo").hinted("O id desta venda em outro sistema seu.")},
		},
		{
			name: "encerrar-link", route: "revokeSaleLink", text: "Encerrar link do recibo", harsh: true,
			ask: "Os links públicos do recibo desta venda deixam de abrir. Para mandar outro, crie o recibo de novo.",
		},
		{
			name: "cancelar", route: "cancelSale", text: "Cancelar venda", harsh: true, when: live, ask: "A venda e os lançamentos a receber dela são cancelados, de vez.",
			fields: []formField{text("reason", "Motivo"), payments},
		},
	}
}
