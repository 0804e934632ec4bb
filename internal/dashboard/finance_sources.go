package dashboard

import (
	"net/url"
	"slices"
	"strings"

	folded "fatureihoje/internal/text"
)

func financeSources() []source {
	return []source{accountSource(), financialCategorySource(""), financialCategorySource(kindIncome), financialCategorySource(kindExpense)}
}

// accountSource offers all accounts: a company has few.
func accountSource() source {
	return source{
		name: "contas", list: "listFinancialAccounts", get: "getFinancialAccount", permission: canReadFinance, path: accountsAt,
		options: func(v *visit, s source, _ string) ([]option, error) {
			all, err := readAll(v, s.list, url.Values{"sort": {"created_at"}, "order": {"asc"}})
			options := make([]option, len(all))
			for i, o := range all {
				options[i] = option{Value: o.id(), Text: s.textOf(o)}
			}
			return options, err
		},
	}
}

func recurringSource() source {
	return source{
		name: "recorrencias", list: "listRecurring", get: "getRecurring", permission: canReadFinance, path: recurringAt,
		text: func(o object) string { return o.text("description") },
	}
}

// financialCategorySource offers the categories of a kind, "" for both, each
// with those that it is below.
func financialCategorySource(kind string) source {
	s := source{
		name: "categorias-financeiras", list: "listFinancialCategories", get: "getFinancialCategory", permission: canReadFinance, path: categoriesAt, search: true,
		options: func(v *visit, _ source, q string) ([]option, error) { return v.findCategories(kind, q) },
	}
	switch kind {
	case kindIncome:
		s.name = "categorias-de-receita"
	case kindExpense:
		s.name = "categorias-de-despesa"
	}
	return s
}

// findCategories lists the categories of a kind whose path has all words.
func (v *visit) findCategories(kind, q string) ([]option, error) {
	roots, err := v.categories(kind)
	return slices.DeleteFunc(categoryOptions(roots, kind, ""), func(o option) bool { return !hasWords(o.Text, q) }), err
}

// hasWords reports that each word of q begins one of a text's, without case or accents.
func hasWords(of, q string) bool {
	words := folded.Tokens(of)
	for _, wanted := range folded.Tokens(q) {
		if !beginsOne(words, wanted) {
			return false
		}
	}
	return true
}

func beginsOne(words []string, beginning string) bool {
	for _, w := range words {
		if strings.HasPrefix(w, beginning) {
			return true
		}
	}
	return false
}
