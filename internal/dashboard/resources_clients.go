package dashboard

func clientPages() resource {
	kinds := []choice{{"", "Pelo documento"}, {"person", "Pessoa"}, {"company", "Empresa"}}
	return resource{
		path: "/clientes", api: "clients", icon: "contact", title: "Clientes", one: "cliente", make: "Novo cliente",
		lead:       "Quem compra de você: pessoas e empresas.",
		emptyTitle: "Nenhum cliente ainda", emptyText: "Cadastre o primeiro aqui, ou pela API com POST /public/v1/clients.",
		read: "clients:read", write: "clients:write",
		list: "listClients", get: "getClient", create: "createClient", update: "updateClient", history: "listClientHistory",
		search: "nome, documento, e-mail ou telefone",
		filters: []filter{
			states(choice{"active", "Ativos"}, choice{"archived", "Arquivados"}),
			{name: "tag", label: "Etiqueta"},
			{name: "document", label: "CPF ou CNPJ"},
			{name: "email", label: "E-mail"},
		},
		orders: byName(),
		columns: []attribute{
			plain("Nome", "name"),
			{label: "CPF ou CNPJ", mono: true, value: func(_ *visit, o object) string { return formatDocument(o.text("document")) }},
			plain("E-mail", "email"),
			{label: "Celular", value: func(_ *visit, o object) string { return phone(o.text("mobile")) }},
			{label: "Situação", state: activeState},
		},
		facts: []attribute{
			oneWord("Tipo", "kind", kinds),
			plain("Nome fantasia", "trade_name"), plain("Inscrição estadual", "state_registration"), plain("Inscrição municipal", "municipal_registration"),
			{label: "Telefone", value: func(_ *visit, o object) string { return phone(o.text("phone")) }},
			calendarDay("Nascimento", "birth_date"), plain("Etiquetas", "tags"), plain("Observações", "notes"), plain("Id externo", "external_id"),
			instant("Criado em", "created_at"), instant("Alterado em", "updated_at"),
		},
		fields: []formField{
			text("name", "Nome ou razão social").must().upTo("120"),
			{input: input{name: "document", label: "CPF ou CNPJ", autocomplete: "off"}, show: func(_ *visit, o object) string { return formatDocument(o.text("document")) }},
			oneOf("kind", "Tipo", kinds...),
			text("trade_name", "Nome fantasia").upTo("120"),
			eMail(), phoneField("mobile", "Celular"), phoneField("phone", "Telefone"),
			text("state_registration", "Inscrição estadual").hinted("Só os números, ou ISENTO."),
			text("municipal_registration", "Inscrição municipal").upTo("20"),
			dateField("birth_date", "Nascimento"),
			{input: input{name: "tags", label: "Etiquetas", hint: "Separadas por vírgula."}, as: func(_ *visit, text string) (any, error) { return commaList(text), nil }},
			area("notes", "Observações"), externalID(),
		},
		actions: []action{
			{name: "arquivar", route: "archiveClient", text: "Arquivar", when: is("active")},
			{name: "reativar", route: "unarchiveClient", text: "Reativar", when: is("archived")},
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
			children(addressPages), related("client_id", salePages, quotePages, orderPages, appointmentPages, taskPages, transactionPages),
		},
	}
}

// byName are the orders of a list by the names of its records.
func byName() []choice {
	return []choice{{"name asc", "Nome, de A a Z"}, {"name desc", "Nome, de Z a A"}}
}

func addressPages() resource {
	kinds := []choice{{"other", "Outro"}, {"billing", "Cobrança"}, {"shipping", "Entrega"}, {"service", "Onde o serviço é feito"}}
	return resource{
		path: "/clientes/{de}/enderecos", api: "addresses", owner: "Cliente", icon: "contact", title: "Endereços", one: "endereço", make: "Novo endereço",
		emptyText: "Nenhum endereço cadastrado.",
		read:      "clients:read", write: "clients:write",
		list: "listClientAddresses", get: "getClientAddress", create: "createClientAddress", update: "updateClientAddress",
		inline: true, called: streetLine,
		columns: []attribute{
			{label: "Endereço", value: func(_ *visit, o object) string { return streetLine(o) }},
			{label: "Cidade", value: func(_ *visit, o object) string { return cityLine(o) }},
			{label: "Uso", value: func(_ *visit, o object) string {
				return joined(" · ", o.text("label"), chosen(kinds, o.text("kind")))
			}},
			{label: "Padrão", state: defaultState},
		},
		fields: []formField{
			text("label", "Nome").hinted("Como você chama este endereço: Matriz, Casa…").upTo("60"),
			{
				input: input{name: "postal_code", label: "CEP", required: true, mode: "numeric", autocomplete: "off", placeholder: "00000-000"},
				show:  func(_ *visit, o object) string { return formatCEP(o.text("postal_code")) },
			},
			text("street", "Rua ou avenida").must().upTo("120"), text("number", "Número").hinted("S/N onde não há.").upTo("20"),
			text("complement", "Complemento").upTo("60"), text("district", "Bairro").upTo("60"), text("city", "Cidade").must().upTo("60"),
			oneOf("state", "Estado", append([]choice{{"", "–"}}, federativeUnits()...)...).must(),
			text("city_code", "Código do município").hinted("O do IBGE, com 7 números."),
			oneOf("kind", "Uso", kinds...), flag("is_default", "Padrão deste uso").hinted("O padrão de antes deixa de ser."),
			externalID(),
		},
		actions: []action{{name: "excluir", route: "deleteClientAddress", text: "Excluir", harsh: true, gone: true, ask: "O endereço deixa de existir."}},
	}
}

// streetLine and cityLine are an address as a person writes it.
func streetLine(a object) string {
	return joined(", ", a.text("street"), a.text("number"), a.text("complement"))
}

func cityLine(a object) string {
	return joined(", ", a.text("district"), joined(" – ", a.text("city"), a.text("state")), joined(" ", "CEP", formatCEP(a.text("postal_code"))))
}

func formatCEP(code string) string {
	if len(code) != 8 {
		return code
	}
	return code[:5] + "-" + code[5:]
}

func defaultState(o object) word {
	if o.text("is_default") == "true" {
		return word{"Padrão", "info"}
	}
	return word{}
}

// federativeUnits are the 26 states and the federal district.
func federativeUnits() []choice {
	return []choice{
		{"AC", "Acre"},
		{"AL", "Alagoas"},
		{"AP", "Amapá"},
		{"AM", "Amazonas"},
		{"BA", "Bahia"},
		{"CE", "Ceará"},
		{"DF", "Distrito Federal"},
		{"ES", "Espírito Santo"},
		{"GO", "Goiás"},
		{"MA", "Maranhão"},
		{"MT", "Mato Grosso"},
		{"MS", "Mato Grosso do Sul"},
		{"MG", "Minas Gerais"},
		{"PA", "Pará"},
		{"PB", "Paraíba"},
		{"PR", "Paraná"},
		{"PE", "Pernambuco"},
		{"PI", "Piauí"},
		{"RJ", "Rio de Janeiro"},
		{"RN", "Rio Grande do Norte"},
		{"RS", "Rio Grande do Sul"},
		{"RO", "Rondônia"},
		{"RR", "Roraima"},
		{"SC", "Santa Catarina"},
		{"SP", "São Paulo"},
		{"SE", "Sergipe"},
		{"TO", "Tocantins"},
	}
}
