package dashboard

func quotePages() resource {
	words := map[string]word{
		"draft": {"Rascunho", "quiet"}, "sent": {"Enviado", "info"}, "approved": {"Aprovado", "good"}, "rejected": {"Recusado", "bad"}, "cancelled": {"Cancelado", "quiet"}, "converted": {"Vendido", "good"},
	}
	return resource{
		path: "/orcamentos", api: "quotes", icon: "file-text", title: "Orçamentos", one: "orçamento", make: "Novo orçamento",
		lead:       "Propostas, da primeira versão até virar venda.",
		emptyTitle: "Nenhum orçamento", emptyText: "Faça o primeiro aqui, ou pela API com POST /public/v1/quotes, para enviar, aprovar e converter.",
		read: "quotes:read", write: "quotes:write",
		list: "listQuotes", get: "getQuote", create: "createQuote", update: "updateQuote", history: "listQuoteHistory", search: "nome do cliente",
		filters: []filter{states(choice{"draft", "Rascunhos"}, choice{"sent", "Enviados"}, choice{"approved", "Aprovados"}, choice{"rejected", "Recusados"}, choice{"converted", "Vendidos"}, choice{"cancelled", "Cancelados"})},
		columns: []attribute{plain("Número", "number"), clientName(), calendarDay("Válido até", "valid_until"), cents("Total", "total_cents"), statusOf(words)},
		facts:   []attribute{instant("Enviado em", "sent_at"), plain("Condições", "terms"), plain("Observações", "notes"), instant("Criado em", "created_at")},
		actions: []action{
			{name: "enviar", route: "sendQuote", text: "Enviar", when: is("draft", "sent"), shows: "public_url", resultTitle: "Orçamento enviado", ask: "Cria o link público do orçamento e, se o cliente tem e-mail, manda para ele."},
			{name: "aprovar", route: "approveQuote", text: "Aprovar", when: is("sent")},
			{name: "vender", route: "convertQuoteToSale", text: "Converter em venda", when: is("approved"), ask: "Cria a venda com os itens e valores deste orçamento.", write: "sales:write"},
			{name: "recusar", route: "rejectQuote", text: "Recusar", harsh: true, when: is("sent"), ask: "Registra que o cliente não quis.", fields: []formField{text("reason", "Motivo")}},
			{name: "cancelar", route: "cancelQuote", text: "Cancelar", harsh: true, when: is("draft", "sent", "approved"), ask: "O orçamento deixa de valer.", fields: []formField{text("reason", "Motivo")}},
		},
		fields: []formField{
			clientField(), leadField().hinted("Para quem ainda não é cliente: escolha um ou outro."),
			dateField("valid_until", "Válido até"), area("terms", "Condições"), area("notes", "Observações"),
		},
		lines:    &linesForm{open: is("draft"), plan: true, oneParty: true},
		sections: []section{plainSection(linesBody)},
	}
}

func orderPages() resource {
	words := map[string]word{"open": {"Aberta", "info"}, "in_progress": {"Em andamento", "info"}, "completed": {"Concluída", "good"}, "cancelled": {"Cancelada", "quiet"}}
	return resource{
		path: "/ordens", api: "service_orders", icon: "wrench", title: "Ordens de serviço", one: "ordem de serviço", make: "Nova ordem de serviço",
		lead:       "O serviço, do pedido até a venda.",
		emptyTitle: "Nenhuma ordem de serviço", emptyText: "Abra a primeira aqui, ou pela API com POST /public/v1/service_orders, para começar, concluir e cobrar.",
		read: "service_orders:read", write: "service_orders:write",
		list: "listServiceOrders", get: "getServiceOrder", create: "createServiceOrder", update: "updateServiceOrder", history: "listServiceOrderHistory", search: "título ou cliente",
		filters: []filter{states(choice{"open", "Abertas"}, choice{"in_progress", "Em andamento"}, choice{"completed", "Concluídas"}, choice{"cancelled", "Canceladas"})},
		columns: []attribute{plain("Título", "title"), plain("Número", "number"), clientName(), instant("Marcada para", "scheduled_start"), cents("Total", "total_cents"), statusOf(words)},
		facts: []attribute{
			assigneeName(), plain("Equipamento", "equipment.name"), plain("Descrição", "description"), instant("Começou em", "started_at"), instant("Concluída em", "completed_at"),
			plain("Conclusão", "completion_notes"), plain("Motivo do cancelamento", "cancel_reason"), plain("Observações", "notes"), instant("Criada em", "created_at"),
		},
		actions: []action{
			{name: "comecar", route: "startServiceOrder", text: "Começar", when: is("open")},
			{name: "concluir", route: "completeServiceOrder", text: "Concluir", when: is("in_progress"), ask: "O serviço terminou.", fields: []formField{area("completion_notes", "O que foi feito")}},
			{name: "vender", route: "convertServiceOrderToSale", text: "Converter em venda", when: is("completed"), ask: "Cria a venda com os itens e valores desta ordem.", write: "sales:write"},
			{name: "cancelar", route: "cancelServiceOrder", text: "Cancelar", harsh: true, when: is("open", "in_progress"), ask: "A ordem deixa de valer.", fields: []formField{text("reason", "Motivo").must()}},
		},
		fields: []formField{
			text("title", "Título").must(), clientField().must(), momentField("scheduled_start", "Marcada para"), momentField("scheduled_end", "Até"),
			assigneeField(), oneOf("priority", "Prioridade", choice{"normal", "Normal"}, choice{"high", "Alta"}, choice{"low", "Baixa"}),
			area("description", "Descrição"), area("notes", "Observações"),
		},
		lines:    &linesForm{open: is("open", "in_progress")},
		sections: []section{plainSection(linesBody)},
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
	amount := money("amount_cents", "Valor").must()
	amount.first = func(_ *visit, o object) string { return reaisOnly(o.text("balance_cents")) }
	return resource{
		path: "/vendas", api: "sales", icon: "receipt", title: "Vendas", one: "venda", make: "Nova venda",
		lead:       "O que foi vendido, e o que falta receber.",
		emptyTitle: "Nenhuma venda", emptyText: "Registre a primeira aqui, ou pela API com POST /public/v1/sales. As convertidas de um orçamento também aparecem.",
		read: "sales:read", write: "sales:write",
		list: "listSales", get: "getSale", create: "createSale", update: "createSaleVersion", history: "listSaleHistory", search: "nome do cliente",
		filters: []filter{states(choice{"open", "A receber"}, choice{"partially_paid", "Pagas em parte"}, choice{"paid", "Pagas"}, choice{"cancelled", "Canceladas"})},
		columns: []attribute{plain("Número", "number"), clientName(), instant("Vendida em", "sold_at"), cents("Total", "total_cents"), cents("A receber", "balance_cents"), statusOf(words)},
		facts:   []attribute{plain("Motivo do cancelamento", "cancel_reason"), plain("Observações", "notes"), plain("Id externo", "external_id"), instant("Criada em", "created_at")},
		actions: []action{
			{
				name: "receber", route: "createSalePayment", text: "Registrar pagamento", when: is("open", "partially_paid"), ask: "Registra dinheiro que já entrou.",
				fields: []formField{amount, oneOf("method", "Forma", paymentMethods()...), momentField("paid_at", "Quando").now(), text("notes", "Observações")},
			},
			{name: "compartilhar", route: "shareSale", text: "Criar recibo", when: is("open", "partially_paid", "paid"), shows: "receipt_url", resultTitle: "Recibo criado", ask: "Cria um link público com o recibo desta venda."},
			{
				name: "cancelar", route: "cancelSale", text: "Cancelar", harsh: true, when: is("open", "partially_paid", "paid"), ask: "A venda e os lançamentos a receber dela são cancelados.",
				fields: []formField{text("reason", "Motivo")},
			},
		},
		fields: []formField{
			clientField().hinted("Sem cliente, é uma venda de balcão."), momentField("sold_at", "Vendida em").hinted("Vazio: agora.").once(), area("notes", "Observações"),
		},
		lines:    &linesForm{open: is("open", "partially_paid", "paid"), plan: true, versions: true},
		sections: []section{plainSection(linesBody)},
	}
}
