package dashboard

func leadPages() resource {
	words := map[string]word{
		"new": {"Novo", "info"}, "contacted": {"Contatado", "info"}, "qualified": {"Qualificado", "good"}, "converted": {"Convertido", "good"}, "lost": {"Perdido", "quiet"},
	}
	return resource{
		path: "/leads", api: "leads", icon: "handshake", title: "Leads", one: "lead", make: "Novo lead",
		lead:       "Quem demonstrou interesse e ainda não é cliente.",
		emptyTitle: "Nenhum lead ainda", emptyText: "Anote aqui quem perguntou o preço, e acompanhe até virar cliente.",
		read: "leads:read", write: "leads:write",
		list: "listLeads", get: "getLead", create: "createLead", update: "updateLead", history: "listLeadHistory",
		search: "nome, e-mail ou telefone",
		filters: []filter{{"status", "Situação", []choice{
			{"", "Todas"}, {"new", "Novos"}, {"contacted", "Contatados"}, {"qualified", "Qualificados"}, {"converted", "Convertidos"}, {"lost", "Perdidos"},
		}}},
		columns: []attribute{
			plain("Nome", "name"), plain("Interesse", "interest"), cents("Valor estimado", "estimated_value_cents"), assigneeName(), statusOf(words),
		},
		facts: []attribute{
			plain("Empresa", "company_name"), plain("E-mail", "email"),
			{label: "Telefone", value: func(_ *visit, o object) string { return phone(o.text("phone")) }},
			plain("Origem", "source"), plain("Motivo da perda", "lost_reason"), clientName(), plain("Observações", "notes"), plain("Id externo", "external_id"),
			instant("Criado em", "created_at"),
		},
		fields: []formField{
			text("name", "Nome").must(), text("company_name", "Empresa"), text("interest", "Interesse"), money("estimated_value_cents", "Valor estimado"),
			text("email", "E-mail"), text("phone", "Telefone").hinted("Com DDD."), text("source", "Origem").hinted("Como chegou até você: indicação, site…"),
			assigneeField(), area("notes", "Observações"),
		},
		actions: []action{
			{name: "contatado", route: "changeLeadStatus", text: "Marcar contatado", when: is("new"), body: M{"status": "contacted"}},
			{name: "qualificado", route: "changeLeadStatus", text: "Marcar qualificado", when: is("contacted"), body: M{"status": "qualified"}},
			{name: "converter", route: "convertLead", text: "Converter em cliente", when: is("new", "contacted", "qualified"), ask: "Cria um cliente com os dados deste lead."},
			{
				name: "perdido", route: "changeLeadStatus", text: "Marcar perdido", harsh: true, when: is("new", "contacted", "qualified"), body: M{"status": "lost"},
				ask: "O lead sai da lista de trabalho.", fields: []formField{text("lost_reason", "Motivo")},
			},
			{name: "excluir", route: "deleteLead", text: "Excluir", harsh: true, gone: true, ask: "O lead deixa de existir."},
		},
	}
}

func taskPages() resource {
	words := map[string]word{
		"open": {"A fazer", "info"}, "in_progress": {"Em andamento", "info"}, "done": {"Feita", "good"}, "cancelled": {"Cancelada", "quiet"},
	}
	priorities := []choice{{"normal", "Normal"}, {"high", "Alta"}, {"low", "Baixa"}}
	return resource{
		path: "/tarefas", api: "tasks", icon: "list-checks", title: "Tarefas", one: "tarefa", make: "Nova tarefa",
		lead:       "O que precisa ser feito, por quem e até quando.",
		emptyTitle: "Nenhuma tarefa", emptyText: "Crie a primeira, com prazo e responsável.",
		read: "tasks:read", write: "tasks:write",
		list: "listTasks", get: "getTask", create: "createTask", update: "updateTask", history: "listTaskHistory",
		filters: []filter{
			{"status", "Situação", []choice{{"", "Todas"}, {"open", "A fazer"}, {"in_progress", "Em andamento"}, {"done", "Feitas"}, {"cancelled", "Canceladas"}}},
			{"overdue", "Prazo", []choice{{"", "Qualquer"}, {"true", "Atrasadas"}}},
		},
		columns: []attribute{plain("Título", "title"), instant("Prazo", "due_at"), assigneeName(), {label: "Situação", state: func(o object) word {
			if o.text("overdue") == "true" {
				return word{"Atrasada", "bad"}
			}
			return words[o.text("status")]
		}}},
		facts: []attribute{
			{label: "Prioridade", value: func(_ *visit, o object) string { return chosen(priorities, o.text("priority")) }},
			clientName(), plain("Descrição", "description"), instant("Feita em", "done_at"), instant("Criada em", "created_at"),
		},
		fields: []formField{
			text("title", "Título").must(), momentField("due_at", "Prazo"), oneOf("priority", "Prioridade", priorities...), assigneeField(), clientField(), area("description", "Descrição"),
		},
		actions: []action{
			{name: "comecar", route: "changeTaskStatus", text: "Começar", when: is("open"), body: M{"status": "in_progress"}},
			{name: "concluir", route: "changeTaskStatus", text: "Concluir", when: is("in_progress"), body: M{"status": "done"}},
			{name: "reabrir", route: "changeTaskStatus", text: "Reabrir", when: is("done", "cancelled"), body: M{"status": "open"}},
			{name: "cancelar", route: "changeTaskStatus", text: "Cancelar", harsh: true, when: is("open", "in_progress"), body: M{"status": "cancelled"}, ask: "A tarefa sai da lista de trabalho."},
			{name: "excluir", route: "deleteTask", text: "Excluir", harsh: true, gone: true, ask: "A tarefa deixa de existir."},
		},
	}
}

func appointmentPages() resource {
	words := map[string]word{
		"scheduled": {"Marcado", "info"}, "confirmed": {"Confirmado", "good"}, "completed": {"Realizado", "good"}, "cancelled": {"Cancelado", "quiet"}, "no_show": {"Não veio", "bad"},
	}
	return resource{
		path: "/agenda", api: "appointments", icon: "calendar", title: "Agenda", one: "compromisso", make: "Novo compromisso",
		lead:       "Atendimentos e visitas, sem dois no mesmo horário para a mesma pessoa.",
		emptyTitle: "Nenhum compromisso", emptyText: "Marque o primeiro atendimento.",
		read: "appointments:read", write: "appointments:write",
		list: "listAppointments", get: "getAppointment", create: "createAppointment", update: "updateAppointment", history: "listAppointmentHistory",
		filters: []filter{{"status", "Situação", []choice{
			{"", "Todas"}, {"scheduled", "Marcados"}, {"confirmed", "Confirmados"}, {"completed", "Realizados"}, {"cancelled", "Cancelados"}, {"no_show", "Não vieram"},
		}}},
		columns: []attribute{plain("Título", "title"), instant("Começa", "starts_at"), instant("Termina", "ends_at"), clientName(), statusOf(words)},
		facts:   []attribute{assigneeName(), plain("Local", "location"), plain("Observações", "notes"), instant("Criado em", "created_at")},
		fields: []formField{
			text("title", "Título").must(), momentField("starts_at", "Começa").must(), momentField("ends_at", "Termina").must(), clientField(), assigneeField(),
			text("location", "Local"), area("notes", "Observações"),
		},
		actions: []action{
			{name: "confirmar", route: "changeAppointmentStatus", text: "Confirmar", when: is("scheduled"), body: M{"status": "confirmed"}},
			{name: "realizar", route: "changeAppointmentStatus", text: "Marcar realizado", when: is("confirmed"), body: M{"status": "completed"}},
			{name: "faltou", route: "changeAppointmentStatus", text: "Não veio", harsh: true, when: is("scheduled", "confirmed"), body: M{"status": "no_show"}, ask: "Registra que o cliente não veio."},
			{
				name: "cancelar", route: "changeAppointmentStatus", text: "Cancelar", harsh: true, when: is("scheduled", "confirmed"), body: M{"status": "cancelled"},
				ask: "Libera o horário.", fields: []formField{text("reason", "Motivo")},
			},
		},
	}
}

func catalogActions(archive, unarchive, remove string) []action {
	return []action{
		{name: "arquivar", route: archive, text: "Arquivar", when: is("active")},
		{name: "reativar", route: unarchive, text: "Reativar", when: is("archived")},
		{name: "excluir", route: remove, text: "Excluir", harsh: true, gone: true, ask: "Deixa de existir. Só é possível para o que nunca foi usado em venda ou orçamento."},
	}
}

func catalogFilters() []filter {
	return []filter{{"status", "Situação", []choice{{"", "Todas"}, {"active", "Ativos"}, {"archived", "Arquivados"}}}}
}

func productPages() resource {
	return resource{
		path: "/produtos", api: "products", icon: "package", title: "Produtos", one: "produto", make: "Novo produto",
		lead:       "O que você vende, com preço e código.",
		emptyTitle: "Nenhum produto", emptyText: "Cadastre o primeiro produto para usá-lo em orçamentos e vendas.",
		read: "products:read", write: "products:write",
		list: "listProducts", get: "getProduct", create: "createProduct", update: "updateProduct", history: "listProductHistory",
		search: "nome ou código", filters: catalogFilters(),
		columns: []attribute{plain("Nome", "name"), {label: "SKU", mono: true, value: plain("", "sku").value}, cents("Preço", "price_cents"), {label: "Situação", state: activeState}},
		facts: []attribute{
			cents("Custo", "cost_cents"), plain("Unidade", "unit"), plain("GTIN", "gtin"), plain("NCM", "ncm"), plain("Descrição", "description"),
			plain("Id externo", "external_id"), instant("Criado em", "created_at"),
		},
		fields: []formField{
			text("name", "Nome").must(), money("price_cents", "Preço").must(), money("cost_cents", "Custo"), text("sku", "SKU").hinted("O seu código do produto."),
			text("unit", "Unidade").hinted("Como UN, KG ou CX.").start("UN"), text("gtin", "GTIN").hinted("Código de barras."), text("ncm", "NCM"), area("description", "Descrição"),
		},
		actions: catalogActions("archiveProduct", "unarchiveProduct", "deleteProduct"),
	}
}

func servicePages() resource {
	return resource{
		path: "/servicos", api: "services", icon: "wallet", title: "Serviços", one: "serviço", make: "Novo serviço",
		lead:       "O que você faz, com preço e duração.",
		emptyTitle: "Nenhum serviço", emptyText: "Cadastre o primeiro serviço para usá-lo em orçamentos, ordens e vendas.",
		read: "services:read", write: "services:write",
		list: "listServices", get: "getService", create: "createService", update: "updateService", history: "listServiceHistory",
		search: "nome", filters: catalogFilters(),
		columns: []attribute{plain("Nome", "name"), {label: "Duração", value: func(_ *visit, o object) string {
			if m := o.text("duration_minutes"); m != "" {
				return m + " min"
			}
			return ""
		}}, cents("Preço", "price_cents"), {label: "Situação", state: activeState}},
		facts: []attribute{
			cents("Custo", "cost_cents"), plain("Código de serviço", "service_code"), plain("Descrição", "description"), plain("Id externo", "external_id"), instant("Criado em", "created_at"),
		},
		fields: []formField{
			text("name", "Nome").must(), money("price_cents", "Preço").must(), money("cost_cents", "Custo"), wholeNumber("duration_minutes", "Duração em minutos"),
			text("service_code", "Código de serviço").hinted("Da lista da LC 116."), area("description", "Descrição"),
		},
		actions: catalogActions("archiveService", "unarchiveService", "deleteService"),
	}
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
		list: "listQuotes", get: "getQuote", create: "createQuote", update: "updateQuote", history: "listQuoteHistory", search: "nome do cliente",
		filters: []filter{{"status", "Situação", []choice{
			{"", "Todas"}, {"draft", "Rascunhos"}, {"sent", "Enviados"}, {"approved", "Aprovados"}, {"rejected", "Recusados"}, {"converted", "Vendidos"}, {"cancelled", "Cancelados"},
		}}},
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
			clientField().kept("getClient"), leadField().hinted("Para quem ainda não é cliente: escolha um ou outro.").kept("getLead"),
			dateField("valid_until", "Válido até"), area("terms", "Condições"), area("notes", "Observações"),
		},
		lines: &linesForm{open: is("draft"), plan: true, oneParty: true},
		extra: linesBody,
	}
}

func orderPages() resource {
	words := map[string]word{"open": {"Aberta", "info"}, "in_progress": {"Em andamento", "info"}, "completed": {"Concluída", "good"}, "cancelled": {"Cancelada", "quiet"}}
	return resource{
		path: "/ordens", api: "service_orders", icon: "clipboard-list", title: "Ordens de serviço", one: "ordem de serviço", make: "Nova ordem de serviço",
		lead:       "O serviço, do pedido até a venda.",
		emptyTitle: "Nenhuma ordem de serviço", emptyText: "Abra a primeira aqui, ou pela API com POST /public/v1/service_orders, para começar, concluir e cobrar.",
		read: "service_orders:read", write: "service_orders:write",
		list: "listServiceOrders", get: "getServiceOrder", create: "createServiceOrder", update: "updateServiceOrder", history: "listServiceOrderHistory", search: "título ou cliente",
		filters: []filter{{"status", "Situação", []choice{{"", "Todas"}, {"open", "Abertas"}, {"in_progress", "Em andamento"}, {"completed", "Concluídas"}, {"cancelled", "Canceladas"}}}},
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
			text("title", "Título").must(), clientField().must().kept("getClient"), momentField("scheduled_start", "Marcada para"), momentField("scheduled_end", "Até"),
			assigneeField().kept("getMember"), oneOf("priority", "Prioridade", choice{"normal", "Normal"}, choice{"high", "Alta"}, choice{"low", "Baixa"}),
			area("description", "Descrição"), area("notes", "Observações"),
		},
		lines: &linesForm{open: is("open", "in_progress")},
		extra: linesBody,
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
		filters: []filter{{"status", "Situação", []choice{{"", "Todas"}, {"open", "A receber"}, {"partially_paid", "Pagas em parte"}, {"paid", "Pagas"}, {"cancelled", "Canceladas"}}}},
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
			clientField().hinted("Sem cliente, é uma venda de balcão.").kept("getClient"), momentField("sold_at", "Vendida em").hinted("Vazio: agora.").once(), area("notes", "Observações"),
		},
		lines: &linesForm{open: is("open", "partially_paid", "paid"), plan: true, versions: true},
		extra: linesBody,
	}
}

func transactionPages() resource {
	kinds := []choice{{"income", "Receita"}, {"expense", "Despesa"}, {"transfer_in", "Transferência recebida"}, {"transfer_out", "Transferência enviada"}}
	return resource{
		path: "/financeiro", api: "financial_transactions", icon: "wallet", title: "Financeiro", one: "lançamento", make: "Novo lançamento",
		lead:       "O que entra e o que sai: a vencer, vencido e pago.",
		emptyTitle: "Nenhum lançamento", emptyText: "Lance a primeira receita ou despesa. As vendas lançam sozinhas o que há a receber.",
		read: "finance:read", write: "finance:write",
		list: "listFinancialTransactions", get: "getFinancialTransaction", create: "createFinancialTransaction", update: "updateFinancialTransaction", history: "listFinancialTransactionHistory",
		filters: []filter{
			{"type", "Tipo", append([]choice{{"", "Todos"}}, kinds...)},
			{"status", "Situação", []choice{{"", "Todas"}, {"pending", "Em aberto"}, {"paid", "Pagos"}, {"cancelled", "Cancelados"}}},
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
			clientName(), named("Conta", "account_id", "getFinancialAccount", "finance:read"), named("Categoria", "category_id", "getFinancialCategory", "finance:read"),
			calendarDay("Competência", "competence_date"),
			{label: "Forma", value: func(_ *visit, o object) string { return chosen(paymentMethods(), o.text("method")) }},
			plain("Documento", "document_number"), instant("Pago em", "paid_at"), cents("Pago", "paid_cents"), instant("Criado em", "created_at"),
		},
		fields: []formField{
			oneOf("type", "Tipo", kinds[:2]...).once(), text("description", "Descrição").must(), money("amount_cents", "Valor").must(), dateField("due_date", "Vencimento").must().today(),
			refer("category_id", "Categoria", "listFinancialCategories", "", "finance:read", nil), refer("account_id", "Conta", "listFinancialAccounts", "", "finance:read", nil).hinted("Sem escolha, a conta padrão.").once(),
			clientField(), text("document_number", "Documento").hinted("Número da nota ou do boleto."),
		},
		actions: []action{
			{name: "pagar", route: "markFinancialTransactionPaid", text: "Marcar pago", when: is("pending"), ask: "Registra que o dinheiro entrou ou saiu.", fields: []formField{momentField("paid_at", "Quando").must().now()}},
			{name: "reabrir", route: "reopenFinancialTransaction", text: "Reabrir", when: is("paid"), ask: "Desfaz o pagamento."},
			{name: "cancelar", route: "cancelFinancialTransaction", text: "Cancelar", harsh: true, when: is("pending"), ask: "O lançamento deixa de contar."},
		},
	}
}

// chosen is the text of a choice, or its value where it has none.
func chosen(choices []choice, value string) string {
	for _, c := range choices {
		if c.value == value {
			return c.text
		}
	}
	return value
}
