package dashboard

func productCategorySource() source {
	return source{
		name: "categorias-de-produtos", list: "listProductCategories", get: "getProductCategory", permission: "products:read",
		path: "/categorias-de-produtos", tree: true,
	}
}

func serviceCategorySource() source {
	return source{
		name: "categorias-de-servicos", list: "listServiceCategories", get: "getServiceCategory", permission: "services:read",
		path: "/categorias-de-servicos", tree: true,
	}
}

func productCategoryPages() resource {
	res := categoryPages(productCategorySource())
	res.title, res.api, res.make = "Categorias de produtos", "product_categories", "Nova categoria de produtos"
	res.lead = "Como os seus produtos se agrupam."
	res.read, res.write = "products:read", "products:write"
	res.create, res.update = "createProductCategory", "updateProductCategory"
	res.actions = deleteCategory("deleteProductCategory")
	res.sections = []section{related("category_id", productPages)}
	return res
}

func serviceCategoryPages() resource {
	res := categoryPages(serviceCategorySource())
	res.title, res.api, res.make = "Categorias de serviços", "service_categories", "Nova categoria de serviços"
	res.lead = "Como os seus serviços se agrupam."
	res.read, res.write = "services:read", "services:write"
	res.create, res.update = "createServiceCategory", "updateServiceCategory"
	res.actions = deleteCategory("deleteServiceCategory")
	res.sections = []section{related("category_id", servicePages)}
	return res
}

// categoryPages is what the pages of both trees have in common.
func categoryPages(s source) resource {
	return resource{
		path: s.path, area: "Catálogo", icon: "package", one: "categoria", tree: resource.treePage,
		emptyTitle: "Nenhuma categoria", emptyText: "Crie a primeira, e outras dentro dela, para achar o que procura num catálogo grande.",
		list: s.list, get: s.get,
		columns: []attribute{plain("Nome", "name"), named("Dentro de", "parent_id", s), numeric("Posição", "position")},
		facts:   []attribute{plain("Id externo", "external_id"), instant("Criada em", "created_at")},
		fields:  []formField{text("name", "Nome").must().upTo("80")},
		grow: func(v *visit, res resource, o object) ([]formField, error) {
			parent, err := parentField(v, res, o)
			position := wholeNumber("position", "Posição").hinted("A ordem entre as que estão no mesmo lugar: a menor vem antes.")
			return []formField{parent, position, externalID()}, err
		},
	}
}

func deleteCategory(route string) []action {
	return []action{{
		name: "excluir", route: route, text: "Excluir", harsh: true, gone: true,
		ask: "A categoria deixa de existir. Só é possível para a que está vazia, sem nada dentro dela.",
	}}
}
