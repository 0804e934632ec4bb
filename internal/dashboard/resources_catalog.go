package dashboard

func catalogActions(archive, unarchive, remove string) []action {
	return []action{
		{name: "arquivar", route: archive, text: "Arquivar", when: is("active")},
		{name: "reativar", route: unarchive, text: "Reativar", when: is("archived")},
		{name: "excluir", route: remove, text: "Excluir", harsh: true, gone: true, ask: "Deixa de existir. Só é possível para o que nunca foi usado em venda ou orçamento."},
	}
}

func catalogFilters() []filter {
	return []filter{states(choice{"active", "Ativos"}, choice{"archived", "Arquivados"})}
}

func productPages() resource {
	return resource{
		path: "/produtos", api: "products", area: "Catálogo", icon: "package", title: "Produtos", one: "produto", make: "Novo produto",
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
		path: "/servicos", api: "services", area: "Catálogo", icon: "package", title: "Serviços", one: "serviço", make: "Novo serviço",
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
