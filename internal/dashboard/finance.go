package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// The pages of the finance area that are no record's.
const (
	financeArea     = "Financeiro"
	transactionsAt  = "/financeiro"
	cashFlowAt      = transactionsAt + "/fluxo-de-caixa"
	receivablesAt   = transactionsAt + "/a-receber"
	transferAt      = transactionsAt + "/transferir"
	installmentsAt  = transactionsAt + "/parcelar"
	accountsAt      = "/contas"
	categoriesAt    = "/categorias-financeiras"
	recurringAt     = "/recorrencias"
	canReadFinance  = "finance:read"
	canWriteFinance = "finance:write"
)

// The members and values of the API that several pages of finance name.
const (
	kindIncome  = "income"
	kindExpense = "expense"
	dueSoonest  = "due_date asc"
)

func (d *Dashboard) financeRoutes(mux *http.ServeMux) {
	d.page(mux, "GET "+cashFlowAt, cashFlowPage)
	d.page(mux, "GET "+receivablesAt, receivablesPage)
	d.form(mux, transferAt, transferPage, transfer)
	d.form(mux, installmentsAt, installmentsPage, divide)
}

// report is a page of a business area that shows what its records come to.
type report struct {
	tab
	area string
}

func reports() []report {
	return []report{
		{tab{cashFlowAt, "Fluxo de caixa", canReadFinance}, financeArea},
		{tab{receivablesAt, "A receber", canReadFinance}, financeArea},
	}
}

// plainForm is a page that is a form of its own.
type plainForm struct {
	title, lead string
	back, from  string // where it leads back to, and what that is called
	target      string
	button      string
	fields      []formField
}

// today is the company's day.
func (v *visit) today() time.Time {
	now := v.d.conf.Clock.Now().In(v.zone())
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}

// directions are the types of transaction that a person makes.
func directions() []choice { return []choice{{kindIncome, "Receita"}, {kindExpense, "Despesa"}} }

func directionField() formField {
	return oneOf("type", "Tipo", append([]choice{{"", "Escolha"}}, directions()...)...).must().once()
}

func accountField() formField { return pick("account_id", "Conta", accountSource()) }

// categoryField chooses a category of the type that is known, or of both.
func categoryField(kind string) formField {
	return pick("category_id", "Categoria", financialCategorySource(kind))
}

func methodField() formField {
	return oneOf("method", "Forma de pagamento", append([]choice{{"", "–"}}, paymentMethods()...)...)
}

func documentField() formField {
	return text("document_number", "Documento").upTo("60").hinted("Número da nota, do boleto ou do contrato.")
}

// extraMoney is an amount that is most often nothing.
func extraMoney(name, label string) formField {
	f := money(name, label)
	f.show = func(_ *visit, o object) string {
		if o.text(name) == "0" {
			return ""
		}
		return reaisOnly(o.text(name))
	}
	return f
}

// signedMoney is an amount that may be below zero.
func signedMoney(name, label string) formField {
	f := money(name, label)
	f.mode = "" // the digits of a phone have no minus
	f.as = func(_ *visit, text string) (any, error) {
		amount, negative := strings.CutPrefix(strings.Replace(text, "−", "-", 1), "-")
		cents, err := parseReais(amount)
		if err != nil {
			return nil, errors.New("Informe um valor em reais, como 1.234,56 ou -1.234,56.") //nolint:revive,staticcheck // a person reads it
		}
		if negative {
			cents = -cents
		}
		return cents, nil
	}
	return f
}

// unlessZero shows an amount where there is one.
func unlessZero(label, name string) attribute {
	a := cents(label, name)
	a.value = func(_ *visit, o object) string {
		if o.text(name) == "0" {
			return ""
		}
		return reais(o.text(name))
	}
	return a
}

// without are attributes except those with some labels.
func without(attributes []attribute, labels ...string) []attribute {
	return slices.DeleteFunc(slices.Clone(attributes), func(a attribute) bool { return slices.Contains(labels, a.label) })
}

// transactionsBy is the list of transactions, narrowed by names and values in turn.
func transactionsBy(pairs ...string) string {
	query := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		query.Set(pairs[i], pairs[i+1])
	}
	return transactionsAt + "?" + query.Encode()
}
