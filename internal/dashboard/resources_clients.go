package dashboard

func clientPages() resource {
	return resource{
		path: "/clientes", api: "clients", icon: "contact", title: "Clientes", one: "cliente", make: "Novo cliente",
		lead:       "Quem compra de você: pessoas e empresas.",
		emptyTitle: "Nenhum cliente ainda", emptyText: "Cadastre o primeiro aqui, ou pela API com POST /public/v1/clients.",
		read: "clients:read", write: "clients:write",
		list: "listClients", get: "getClient", create: "createClient", update: "updateClient", history: "listClientHistory",
		search:  "nome, documento, e-mail ou telefone",
		filters: []filter{states(choice{"active", "Ativos"}, choice{"archived", "Arquivados"})},
		columns: []attribute{
			plain("Nome", "name"),
			{label: "CPF ou CNPJ", mono: true, value: func(_ *visit, o object) string { return formatDocument(o.text("document")) }},
			plain("E-mail", "email"),
			{label: "Celular", value: func(_ *visit, o object) string { return phone(o.text("mobile")) }},
			{label: "Situação", state: activeState, value: nil},
		},
		facts: []attribute{
			{label: "Tipo", value: func(_ *visit, o object) string {
				return map[string]string{"person": "Pessoa", "company": "Empresa"}[o.text("kind")]
			}},
			plain("Nome fantasia", "trade_name"), plain("Inscrição estadual", "state_registration"), plain("Inscrição municipal", "municipal_registration"),
			{label: "Telefone", value: func(_ *visit, o object) string { return phone(o.text("phone")) }},
			calendarDay("Nascimento", "birth_date"), plain("Etiquetas", "tags"), plain("Observações", "notes"), plain("Id externo", "external_id"),
			instant("Criado em", "created_at"), instant("Alterado em", "updated_at"),
		},
		fields: []formField{
			{input: input{name: "name", label: "Nome ou razão social", required: true, max: "120"}},
			{input: input{name: "document", label: "CPF ou CNPJ", autocomplete: "off"}, show: func(_ *visit, o object) string { return formatDocument(o.text("document")) }},
			{input: input{name: "trade_name", label: "Nome fantasia", max: "120"}},
			{input: input{name: "email", label: "E-mail", kind: "email", autocomplete: "off"}},
			{input: input{name: "mobile", label: "Celular", kind: "tel", autocomplete: "off", hint: "Com DDD."}, show: func(_ *visit, o object) string { return phone(o.text("mobile")) }},
			{input: input{name: "phone", label: "Telefone", kind: "tel", autocomplete: "off"}, show: func(_ *visit, o object) string { return phone(o.text("phone")) }},
			{input: input{name: "birth_date", label: "Nascimento", kind: "date"}},
			{input: input{name: "tags", label: "Etiquetas", hint: "Separadas por vírgula."}, as: func(_ *visit, text string) (any, error) { return commaList(text), nil }},
			{input: input{name: "notes", label: "Observações", area: true}},
			{input: input{name: "external_id", label: "Id externo", max: "64", hint: "O id deste cliente em outro sistema seu.", autocomplete: "off"}},
		},
		actions: []action{
			{name: "arquivar", route: "archiveClient", text: "Arquivar", when: func(o object) bool { return o.text("status") == "active" }},
			{name: "reativar", route: "unarchiveClient", text: "Reativar", when: func(o object) bool { return o.text("status") == "archived" }},
			{
				name: "anonimizar", route: "anonymizeClient", text: "Anonimizar", harsh: true,
				ask: "Remove para sempre os dados pessoais deste cliente: nome, documento, contatos e endereços. Vendas e lançamentos continuam, sem dizer de quem são. Não há como desfazer.",
			},
			{
				name: "excluir", route: "deleteClient", text: "Excluir", harsh: true, gone: true,
				ask: "O cliente deixa de existir. Só é possível para quem não tem venda, orçamento ou outro registro.",
			},
		},
		sections: []section{
			plainSection(addressesBody), related(salePages, "client_id"), related(quotePages, "client_id"), related(orderPages, "client_id"),
			related(appointmentPages, "client_id"), related(taskPages, "client_id"), related(transactionPages, "client_id"),
		},
	}
}
