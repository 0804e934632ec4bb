package dashboard

func catalogActions(archive, unarchive, remove string) []action {
	return []action{
		{name: "arquivar", route: archive, text: "Arquivar", when: is("active")},
		{name: "reativar", route: unarchive, text: "Reativar", when: is("archived")},
		{name: "excluir", route: remove, text: "Excluir", harsh: true, gone: true, ask: "Deixa de existir. Só é possível para o que nunca foi usado em venda ou orçamento."},
	}
}

// catalogFilters are those of products and of services.
func catalogFilters(categories source) []filter {
	of := ofSource("category_id", "Categoria", categories)
	of.all = "Todas"
	return []filter{states(choice{"active", "Ativos"}, choice{"archived", "Arquivados"}), of}
}

func skuColumn() attribute {
	return attribute{label: "SKU", mono: true, value: func(_ *visit, o object) string { return o.text("sku") }}
}

func gtinField() formField {
	f := text("gtin", "GTIN").hinted("O número do código de barras.")
	f.mode = "numeric"
	return f
}

func productPages() resource {
	return resource{
		path: "/produtos", api: "products", area: "Catálogo", icon: "package", title: "Produtos", one: "produto", make: "Novo produto",
		lead:       "O que você vende, com preço e código.",
		emptyTitle: "Nenhum produto", emptyText: "Cadastre o primeiro produto para usá-lo em orçamentos e vendas.",
		read: "products:read", write: "products:write",
		list: "listProducts", get: "getProduct", create: "createProduct", update: "updateProduct", history: "listProductHistory",
		search: "nome ou código", orders: byName(),
		filters: append(catalogFilters(productCategorySource()), filter{name: "sku", label: "SKU"}),
		columns: []attribute{plain("Nome", "name"), skuColumn(), cents("Preço", "price_cents"), {label: "Situação", state: activeState}},
		facts: []attribute{
			named("Categoria", "category_id", productCategorySource()), cents("Custo", "cost_cents"), plain("Unidade", "unit"), plain("GTIN", "gtin"), plain("NCM", "ncm"),
			{label: "Atributos", value: func(_ *visit, o object) string { return attributeLines(o, " · ") }},
			plain("Descrição", "description"), plain("Id externo", "external_id"), instant("Criado em", "created_at"),
		},
		fields: []formField{
			text("name", "Nome").must().upTo("120"), pick("category_id", "Categoria", productCategorySource()),
			money("price_cents", "Preço").must(), money("cost_cents", "Custo"), text("sku", "SKU").hinted("O seu código do produto.").upTo("60"),
			text("unit", "Unidade").hinted("Como UN, KG ou CX.").start("UN").upTo("6"), gtinField(), text("ncm", "NCM").hinted("Com 8 números, como 6109.10.00."),
			attributesField(), area("description", "Descrição"), externalID(),
		},
		actions:  catalogActions("archiveProduct", "unarchiveProduct", "deleteProduct"),
		sections: []section{variationsSection},
	}
}

func servicePages() resource {
	return resource{
		path: "/servicos", api: "services", area: "Catálogo", icon: "package", title: "Serviços", one: "serviço", make: "Novo serviço",
		lead:       "O que você faz, com preço e duração.",
		emptyTitle: "Nenhum serviço", emptyText: "Cadastre o primeiro serviço para usá-lo em orçamentos, ordens e vendas.",
		read: "services:read", write: "services:write",
		list: "listServices", get: "getService", create: "createService", update: "updateService", history: "listServiceHistory",
		search: "nome", orders: byName(), filters: catalogFilters(serviceCategorySource()),
		columns: []attribute{plain("Nome", "name"), {label: "Duração", value: func(_ *visit, o object) string {
			if m := o.text("duration_minutes"); m != "" {
				return m + " min"
			}
			return ""
		}}, cents("Preço", "price_cents"), {label: "Situação", state: activeState}},
		facts: []attribute{
			named("Categoria", "category_id", serviceCategorySource()), cents("Custo", "cost_cents"), plain("Código de serviço", "service_code"),
			plain("Descrição", "description"), plain("Id externo", "external_id"), instant("Criado em", "created_at"),
		},
		fields: []formField{
			text("name", "Nome").must().upTo("120"), pick("category_id", "Categoria", serviceCategorySource()),
			money("price_cents", "Preço").must(), money("cost_cents", "Custo"), wholeNumber("duration_minutes", "Duração em minutos"),
			text("service_code", "Código de serviço").hinted("Da lista da LC 116, como 14.01.").upTo("5"), area("description", "Descrição"), externalID(),
		},
		actions: catalogActions("archiveService", "unarchiveService", "deleteService"),
	}
}
