package dashboard

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"
)

func financialCategoryPages() resource {
	return resource{
		path: categoriesAt, api: "financial_categories", area: financeArea, icon: "wallet", title: "Categorias", one: "categoria", make: "Nova categoria",
		lead:       "O que cada receita e cada despesa é, em grupos e subgrupos.",
		emptyTitle: "Nenhuma categoria", emptyText: "Crie a primeira para separar as receitas e as despesas por assunto.",
		read: canReadFinance, write: canWriteFinance,
		list: "listFinancialCategories", get: "getFinancialCategory", create: "createFinancialCategory", update: "updateFinancialCategory",
		columns: []attribute{
			plain("Nome", "name"), oneWord("Tipo", "kind", directions()), named("Dentro de", "parent_id", financialCategorySource("")),
		},
		facts: []attribute{numeric("Posição", "position"), plain("Id externo", "external_id"), instant("Criada em", "created_at")},
		grow: func(v *visit, _ resource, o object) ([]formField, error) {
			return categoryFields(v.typed("kind", o.text("kind")), o.id()), nil
		},
		actions: []action{
			{name: "excluir", route: "deleteFinancialCategory", text: "Excluir", harsh: true, gone: true, ask: "A categoria deixa de existir. Uma que tem subcategorias ou lançamentos não pode ser excluída."},
		},
		tree:     resource.categoryTreePage,
		sections: []section{subcategories, related("category_id", transactionPages)},
	}
}

// categoryFields are the fields of a category of a kind, "" where it is not
// known; id is the category's own, which cannot be inside itself.
func categoryFields(kind, id string) []formField {
	within := financialCategorySource(kind)
	within.search = false
	within.options = func(v *visit, _ source, _ string) ([]option, error) { return v.parents(kind, id) }
	position := wholeNumber("position", "Posição")
	return []formField{
		text("name", "Nome").upTo("80").must(),
		oneOf("kind", "Tipo", append([]choice{{"", "Escolha"}}, directions()...)...).must().once().hinted("Não muda depois."),
		pick("parent_id", "Dentro de", within).hinted("Do mesmo tipo. Sem escolha, fica no primeiro nível."),
		position.hinted("Ordem entre as irmãs; a menor vem antes."), externalID(),
	}
}

// parents are the categories that one can be inside of.
func (v *visit) parents(kind, id string) ([]option, error) {
	roots, err := v.categories(kind)
	return categoryOptions(roots, kind, id), err
}

// categoryOptions offers categories by their paths, but nothing from one down.
// Where they are of both kinds, each tells its own.
func categoryOptions(roots []*branch, kind, without string) []option {
	var options []option
	for _, b := range roots {
		of := ""
		if kind == "" {
			of = kindTitle(b.record.text("kind")) + pathSeparator
		}
		for _, c := range treeChoices(nil, []*branch{b}, without) {
			options = append(options, option{Value: c.value, Text: of + c.text})
		}
	}
	return options
}

// kindTitle is what all categories of a kind are called.
func kindTitle(kind string) string {
	if kind == kindIncome {
		return "Receitas"
	}
	return "Despesas"
}

// categories is the tree of a kind, "" for both: income before expenses.
func (v *visit) categories(kind string) ([]*branch, error) {
	query := url.Values{"sort": {"created_at"}, "order": {"asc"}}
	if kind != "" {
		query.Set("kind", kind)
	}
	all, err := readAll(v, "listFinancialCategories", query)
	if err != nil {
		return nil, err
	}
	roots := treeOf(all)
	return append(ofKind(roots, kindIncome), ofKind(roots, kindExpense)...), nil
}

// ofKind are the roots of a tree that are of a kind, as all below them is.
func ofKind(roots []*branch, kind string) []*branch {
	return slices.DeleteFunc(slices.Clone(roots), func(b *branch) bool { return b.record.text("kind") != kind })
}

func (res resource) categoryTreePage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	roots, err := v.categories("")
	if err != nil {
		return nil, err
	}
	return show(res.title, res.nav(), categoryTreeBody(v, res, roots))
}

// subcategories shows what is inside a category.
func subcategories(v *visit, res resource, o object) (templ.Component, error) {
	roots, err := v.categories(o.text("kind"))
	if err != nil {
		return nil, err
	}
	own := find(roots, o.id())
	if own == nil || len(own.below) == 0 && !v.who.may(res.write) {
		return nil, nil //nolint:nilnil // nothing to see
	}
	return subcategoriesBody(v, res, own), nil
}
