package dashboard

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

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
		index:    resource.categoryTreePage,
		sections: []section{subcategories, related(transactionPages, "category_id")},
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
		limited(text("name", "Nome"), "80").must(),
		oneOf("kind", "Tipo", append([]choice{{"", "Escolha"}}, directions()...)...).must().once().hinted("Não muda depois."),
		pick("parent_id", "Dentro de", within).hinted("Do mesmo tipo. Sem escolha, fica no primeiro nível."),
		position.hinted("Ordem entre as irmãs; a menor vem antes."), externalField(),
	}
}

// parents are the categories that one can be inside of.
func (v *visit) parents(kind, id string) ([]option, error) {
	tree, err := v.categories(kind)
	if err != nil {
		return nil, err
	}
	var offered []option
	for _, c := range tree {
		if id != "" && slices.Contains(c.line, id) {
			continue
		}
		text := c.path
		if kind == "" {
			text = kindTitle(c.text("kind")) + pathSeparator + text
		}
		offered = append(offered, option{Value: c.id(), Text: text})
	}
	return offered, nil
}

// category is one of a tree.
type category struct {
	object
	depth int      // 0 for the first level
	path  string   // its name, after those that it is inside of
	line  []string // their ids and its own
}

const pathSeparator = " › "

// kindTitle is what all categories of a kind are called.
func kindTitle(kind string) string {
	if kind == kindIncome {
		return "Receitas"
	}
	return "Despesas"
}

// categories are all of a kind, "" for both, each before those inside it.
func (v *visit) categories(kind string) ([]category, error) {
	query := url.Values{"sort": {"created_at"}, "order": {"asc"}}
	if kind != "" {
		query.Set("kind", kind)
	}
	all, err := every(v, "listFinancialCategories", query)
	if err != nil {
		return nil, err
	}
	return treeOf(all), nil
}

// treeOf puts categories in order: income before expenses, each before those
// inside it, siblings by their position and name.
func treeOf(all []object) []category {
	inside := map[string][]object{}
	for _, o := range all {
		inside[o.text("parent_id")] = append(inside[o.text("parent_id")], o)
	}
	var tree []category
	var add func(parent category)
	add = func(parent category) {
		siblings := inside[parent.text("id")]
		slices.SortStableFunc(siblings, bySibling)
		for _, o := range siblings {
			c := category{object: o, depth: len(parent.line), path: o.text("name"), line: append(slices.Clone(parent.line), o.id())}
			if parent.path != "" {
				c.path = parent.path + pathSeparator + c.path
			}
			tree = append(tree, c)
			add(c)
		}
	}
	add(category{object: object{}})
	return tree
}

func bySibling(a, b object) int {
	position := func(o object) int { n, _ := strconv.Atoi(o.text("position")); return n }
	return cmp.Or(
		-strings.Compare(a.text("kind"), b.text("kind")), cmp.Compare(position(a), position(b)), strings.Compare(a.text("name"), b.text("name")),
	)
}

func (res resource) categoryTreePage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	tree, err := v.categories("")
	if err != nil {
		return nil, err
	}
	return show(res.title, res.nav(), categoryTreeBody(v, res, tree))
}

// ofKind are the categories of a tree that are of a kind.
func ofKind(tree []category, kind string) []category {
	return slices.DeleteFunc(slices.Clone(tree), func(c category) bool { return c.text("kind") != kind })
}

// newInside is the form of a category inside another one.
func newInside(o object) string {
	return categoriesAt + "/novo?" + url.Values{"kind": {o.text("kind")}, "parent_id": {o.id()}}.Encode()
}

// subcategories shows what is inside a category.
func subcategories(v *visit, res resource, o object) (templ.Component, error) {
	tree, err := v.categories(o.text("kind"))
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(tree, func(c category) bool { return c.id() == o.id() || !slices.Contains(c.line, o.id()) })
	for i := range own {
		own[i].depth -= slices.Index(own[i].line, o.id()) + 1
	}
	if len(own) == 0 && !v.who.may(res.write) {
		return nil, nil //nolint:nilnil // nothing to see
	}
	return subcategoriesBody(v, res, o, own), nil
}
