package finance

import (
	"net/http"
	"slices"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/page"
)

const (
	accountsBase     = httpapi.PublicBase + "/financial_accounts"
	categoriesBase   = httpapi.PublicBase + "/financial_categories"
	transactionsBase = httpapi.PublicBase + "/financial_transactions"
	rulesBase        = transactionsBase + "/recurring"
	reportsBase      = httpapi.PublicBase + "/reports"

	accountsTag     = "Contas financeiras"
	categoriesTag   = "Categorias financeiras"
	transactionsTag = "Lançamentos"
	rulesTag        = "Recorrências"
	reportsTag      = "Relatórios"

	canRead  = "finance:read"
	canWrite = "finance:write"
)

// Routes returns the routes of accounts, categories, transactions and reports.
func Routes(s *Service) []httpapi.Route {
	h := handlers{s}
	return slices.Concat(accountRoutes(h), categoryRoutes(h), transactionRoutes(h), seriesRoutes(h), ruleRoutes(h), reportRoutes(h))
}

type handlers struct{ service *Service }

// op is an operation with what its kind has in common.
func op(id, path, tag, summary string) httpapi.Op {
	return httpapi.Op{ID: id, Path: path, Tag: tag, Summary: summary, Scopes: []string{canRead}}
}

// creation is a POST that answers 201.
func creation(o httpapi.Op, example string, errors ...string) httpapi.Op {
	o.Method, o.Scopes, o.Status, o.Body = http.MethodPost, []string{canWrite}, http.StatusCreated, httpapi.BodyRequired
	o.Example.Body, o.Errors = example, errors
	return o
}

// action is a POST that acts on an object. Its body may be left out unless there
// is an example of one.
func action(o httpapi.Op, body httpapi.BodyKind, example string, errors ...string) httpapi.Op {
	o.Method, o.Scopes, o.Body = http.MethodPost, []string{canWrite}, body
	o.Example.Body, o.Errors = example, errors
	return o
}

func change(o httpapi.Op, example string, errors ...string) httpapi.Op {
	o.Method, o.Scopes, o.Body = http.MethodPatch, []string{canWrite}, httpapi.BodyRequired
	o.Example.Body, o.Errors = example, errors
	return o
}

func removal(o httpapi.Op, errors ...string) httpapi.Op {
	o.Method, o.Scopes, o.Status, o.Errors = http.MethodDelete, []string{canWrite}, http.StatusNoContent, errors
	return o
}

// respond converts what a service returned.
func respond[T, R any](v *T, err error, to func(*T) R) (R, error) {
	if err != nil {
		var none R
		return none, err
	}
	return to(v), nil
}

// respondPage converts a page.
func respondPage[T, R any](result page.Result[T], err error, to func(*T) R) (page.Result[R], error) {
	return page.Map(result, func(v T) R { return to(&v) }), err
}
