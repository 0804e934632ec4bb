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
		search:  "nome, e-mail ou telefone",
		filters: []filter{states(choice{"new", "Novos"}, choice{"contacted", "Contatados"}, choice{"qualified", "Qualificados"}, choice{"converted", "Convertidos"}, choice{"lost", "Perdidos"})},
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
			states(choice{"open", "A fazer"}, choice{"in_progress", "Em andamento"}, choice{"done", "Feitas"}, choice{"cancelled", "Canceladas"}),
			{name: "overdue", label: "Prazo", choices: []choice{{"", "Qualquer"}, {"true", "Atrasadas"}}},
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
		filters: []filter{states(choice{"scheduled", "Marcados"}, choice{"confirmed", "Confirmados"}, choice{"completed", "Realizados"}, choice{"cancelled", "Cancelados"}, choice{"no_show", "Não vieram"})},
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
