package dashboard

import "strings"

// resources lists the records that have pages, in the order of the navigation.
func resources() []resource {
	return []resource{
		clientPages(), leadPages(), taskPages(), appointmentPages(), productPages(), servicePages(),
		quotePages(), orderPages(), salePages(), transactionPages(),
	}
}

func clientPages() resource {
	return resource{
		path: "/clientes", api: "clients", icon: "contact", title: "Clientes", one: "cliente", make: "Novo cliente",
		lead:       "Quem compra de você: pessoas e empresas.",
		emptyTitle: "Nenhum cliente ainda", emptyText: "Cadastre o primeiro aqui, ou pela API com POST /public/v1/clients.",
		read: "clients:read", write: "clients:write",
		list: "listClients", get: "getClient", create: "createClient", update: "updateClient", history: "listClientHistory",
		search:  "nome, documento, e-mail ou telefone",
		filters: []filter{{"status", "Situação", []choice{{"", "Todas"}, {"active", "Ativos"}, {"archived", "Arquivados"}}}},
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
		extra: clientExtra,
	}
}

func activeState(o object) word {
	if o.text("status") == "archived" {
		return word{"Arquivado", "quiet"}
	}
	return word{"Ativo", "good"}
}

// phone writes a Brazilian number as a person does.
func phone(text string) string {
	national, ok := strings.CutPrefix(text, "+55")
	if !ok || len(national) < 10 {
		return text
	}
	split := len(national) - 4
	return "(" + national[:2] + ") " + national[2:split] + "-" + national[split:]
}

func commaList(text string) []string {
	all := []string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

func joined(separator string, parts ...string) string {
	var all []string
	for _, p := range parts {
		if p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, separator)
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// with is the field as a form shows it for a record.
func (f formField) with(v *visit, o object) input {
	i := f.input
	switch {
	case f.first != nil && o[f.name] == nil:
		i.value = f.first(v, o)
	case f.show != nil:
		i.value = f.show(v, o)
	default:
		i.value = o.text(f.name)
	}
	return i
}

// historyWord says what happened, in words where they are known.
func historyWord(h object) string {
	act := map[string]string{
		"contacted": "Contatado", "qualified": "Qualificado", "lost": "Perdido", "new": "Reaberto", "converted": "Convertido", "in_progress": "Começado",
		"done": "Concluído", "cancelled": "Cancelado", "open": "Reaberto", "confirmed": "Confirmado", "completed": "Realizado", "no_show": "Não veio",
		"mark_paid": "Pago", "add_payment": "Pagamento registrado", "payment": "Pagamento registrado", "version": "Nova versão", "convert_to_sale": "Convertido em venda", "share": "Recibo criado",
		"archive": "Arquivado", "unarchive": "Reativado", "anonymize": "Anonimizado", "create": "Criado", "approve": "Aprovado", "reject": "Recusado",
		"send": "Enviado", "cancel": "Cancelado", "convert": "Convertido", "complete": "Concluído", "reopen": "Reaberto", "start": "Começado", "pay": "Pago",
	}[h.text("action")]
	if act == "" {
		return h.text("action")
	}
	return act
}

func tellsCreation(past []object) bool {
	for _, h := range past {
		if h["from"] == nil {
			return true
		}
	}
	return false
}
