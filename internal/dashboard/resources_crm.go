package dashboard

import "slices"

func leadPages() resource {
	words := map[string]word{
		"new": {"Novo", "info"}, "contacted": {"Contatado", "info"}, "qualified": {"Qualificado", "good"}, "converted": {"Convertido", "good"}, "lost": {"Perdido", "quiet"},
	}
	open := is("new", "contacted", "qualified")
	return resource{
		path: "/leads", api: "leads", icon: "handshake", title: "Leads", one: "lead", make: "Novo lead",
		lead:       "Quem demonstrou interesse e ainda não é cliente.",
		emptyTitle: "Nenhum lead ainda", emptyText: "Anote aqui quem perguntou o preço, e acompanhe até virar cliente.",
		read: "leads:read", write: "leads:write",
		list: "listLeads", get: "getLead", create: "createLead", update: "updateLead", history: "listLeadHistory",
		search: "nome, empresa, e-mail ou telefone", final: is("converted", "lost"),
		filters: []filter{
			states(choice{"new", "Novos"}, choice{"contacted", "Contatados"}, choice{"qualified", "Qualificados"}, choice{"converted", "Convertidos"}, choice{"lost", "Perdidos"}),
			ofSource("assignee_member_id", "Responsável", memberSource()),
		},
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
			text("name", "Nome").must().upTo("120"), text("company_name", "Empresa").upTo("120"), text("interest", "Interesse").upTo("500"),
			money("estimated_value_cents", "Valor estimado"), eMail(), phoneField("phone", "Telefone"),
			text("source", "Origem").hinted("Como chegou até você: indicação, site…").upTo("60"),
			assigneeField(), area("notes", "Observações").lasts(), externalID(),
		},
		actions: []action{
			{name: "contatado", route: "changeLeadStatus", text: "Marcar contatado", when: is("new"), body: M{"status": "contacted"}},
			{name: "qualificado", route: "changeLeadStatus", text: "Marcar qualificado", when: is("contacted"), body: M{"status": "qualified"}},
			{
				name: "converter", route: "convertLead", text: "Converter em cliente", when: open, also: "clients:write", leads: "/clientes", made: "client_id",
				ask:    "O lead vira cliente: um novo, com o nome, o e-mail, o telefone e as observações dele, ou um que você já tem.",
				fields: []formField{clientField().hinted("Vazio: cria um cliente novo.")},
			},
			{name: "reabrir", route: "changeLeadStatus", text: "Reabrir", when: is("lost"), body: M{"status": "new"}},
			{
				name: "perdido", route: "changeLeadStatus", text: "Marcar perdido", harsh: true, when: open, body: M{"status": "lost"},
				ask: "O lead sai da lista de trabalho.", fields: []formField{text("lost_reason", "Motivo").must().upTo("500")},
			},
			{name: "excluir", route: "deleteLead", text: "Excluir", harsh: true, gone: true, ask: "O lead deixa de existir. Só é possível para quem não tem orçamento nem tarefa."},
		},
		sections: []section{related("lead_id", taskPages, quotePages)},
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
		final: is("done", "cancelled"),
		filters: slices.Concat([]filter{
			states(choice{"open", "A fazer"}, choice{"in_progress", "Em andamento"}, choice{"done", "Feitas"}, choice{"cancelled", "Canceladas"}),
			{name: "overdue", label: "Atraso", choices: []choice{{"", "Qualquer"}, {"true", "Atrasadas"}, {"false", "Em dia"}}},
			ofSource("assignee_member_id", "Responsável", memberSource()), ofSource("client_id", "Cliente", clientSource()),
		}, moments("due", "Prazo")),
		columns: []attribute{
			plain("Título", "title"), instant("Prazo", "due_at"), assigneeName(),
			{label: "Passos", value: func(_ *visit, o object) string { return stepsDone(o) }},
			{label: "Situação", state: func(o object) word {
				if o.text("overdue") == "true" {
					return word{"Atrasada", "bad"}
				}
				return words[o.text("status")]
			}},
		},
		facts: []attribute{
			oneWord("Prioridade", "priority", priorities), clientName(), named("Lead", "lead_id", leadSource()), named("Orçamento", "quote_id", quoteSource()),
			named("Ordem de serviço", "service_order_id", orderSource()), named("Venda", "sale_id", saleSource()),
			plain("Descrição", "description"), plain("Id externo", "external_id"), instant("Feita em", "done_at"), instant("Criada em", "created_at"),
		},
		fields: []formField{
			text("title", "Título").must().upTo("200"), momentField("due_at", "Prazo"), oneOf("priority", "Prioridade", priorities...), assigneeField(),
			area("description", "Descrição").lasts(), checklistField(),
			clientField().hinted("Cliente, lead, orçamento, ordem ou venda: a tarefa é sobre um só. Escolha no máximo um."), leadField(),
			pick("quote_id", "Orçamento", quoteSource()), pick("service_order_id", "Ordem de serviço", orderSource()), pick("sale_id", "Venda", saleSource()),
			externalID(),
		},
		actions: []action{
			{name: "comecar", route: "changeTaskStatus", text: "Começar", when: is("open"), body: M{"status": "in_progress"}},
			{name: "concluir", route: "changeTaskStatus", text: "Concluir", when: is("in_progress"), body: M{"status": "done"}},
			{name: "reabrir", route: "changeTaskStatus", text: "Reabrir", when: is("done", "cancelled"), body: M{"status": "open"}},
			{name: "cancelar", route: "changeTaskStatus", text: "Cancelar", harsh: true, when: is("open", "in_progress"), body: M{"status": "cancelled"}, ask: "A tarefa sai da lista de trabalho."},
			{name: "excluir", route: "deleteTask", text: "Excluir", harsh: true, gone: true, ask: "A tarefa deixa de existir."},
		},
		sections: []section{stepsSection},
	}
}

func appointmentPages() resource {
	return resource{
		path: "/agenda", api: "appointments", area: "Agenda", icon: "calendar", title: "Compromissos", one: "compromisso", make: "Novo compromisso",
		tab: "Lista", views: []tab{{weekPath, "Semana", "appointments:read"}},
		lead:       "Atendimentos e visitas, sem dois no mesmo horário para a mesma pessoa.",
		emptyTitle: "Nenhum compromisso", emptyText: "Marque o primeiro atendimento.",
		read: "appointments:read", write: "appointments:write",
		list: "listAppointments", get: "getAppointment", create: "createAppointment", update: "updateAppointment", history: "listAppointmentHistory",
		final: is("completed", "cancelled", "no_show"),
		order: "starts_at desc", orders: []choice{{"starts_at desc", "Início, mais tarde antes"}, {"starts_at asc", "Início, mais cedo antes"}},
		filters: slices.Concat([]filter{
			states(choice{"scheduled", "Marcados"}, choice{"confirmed", "Confirmados"}, choice{"completed", "Realizados"}, choice{"cancelled", "Cancelados"}, choice{"no_show", "Não vieram"}),
			ofSource("assignee_member_id", "Responsável", memberSource()), ofSource("client_id", "Cliente", clientSource()),
		}, moments("starts", "Começa")),
		columns: []attribute{plain("Título", "title"), instant("Começa", "starts_at"), instant("Termina", "ends_at"), clientName(), statusOf(appointmentWords())},
		facts: []attribute{
			named("Serviço", "service_id", serviceSource()), assigneeName(), plain("Local", "location"), plain("Observações", "notes"),
			{label: "Horário", value: func(_ *visit, o object) string {
				if o.text("allow_overlap") == "true" {
					return "Pode coincidir com outros do responsável"
				}
				return ""
			}},
			plain("Id externo", "external_id"), instant("Criado em", "created_at"),
		},
		fields: []formField{
			text("title", "Título").must().upTo("200"), momentField("starts_at", "Começa").must().answers("slot_taken", "O responsável já tem um compromisso neste horário. Escolha outro, ou marque “Pode coincidir com outros”."),
			momentField("ends_at", "Termina").must(),
			clientField(), pick("service_id", "Serviço", serviceSource()), assigneeField(),
			flag("allow_overlap", "Pode coincidir com outros").hinted("Sem marcar, o responsável não tem dois compromissos no mesmo horário."),
			text("location", "Local").upTo("200"), area("notes", "Observações").lasts(), externalID(),
		},
		actions: []action{
			{name: "confirmar", route: "changeAppointmentStatus", text: "Confirmar", when: is("scheduled"), body: M{"status": "confirmed"}},
			{name: "realizar", route: "changeAppointmentStatus", text: "Marcar realizado", when: is("confirmed"), body: M{"status": "completed"}},
			{name: "faltou", route: "changeAppointmentStatus", text: "Não veio", harsh: true, when: is("scheduled", "confirmed"), body: M{"status": "no_show"}, ask: "Registra que o cliente não veio."},
			{
				name: "cancelar", route: "changeAppointmentStatus", text: "Cancelar", harsh: true, when: is("scheduled", "confirmed"), body: M{"status": "cancelled"},
				ask: "Libera o horário.", fields: []formField{text("reason", "Motivo").upTo("500")},
			},
			{name: "excluir", route: "deleteAppointment", text: "Excluir", harsh: true, gone: true, ask: "O compromisso deixa de existir."},
		},
	}
}

func appointmentWords() map[string]word {
	return map[string]word{
		"scheduled": {"Marcado", "info"}, "confirmed": {"Confirmado", "good"}, "completed": {"Realizado", "good"}, "cancelled": {"Cancelado", "quiet"}, "no_show": {"Não veio", "bad"},
	}
}
