package dashboard

import (
	"strconv"
	"strings"

	"fatureihoje/internal/problem"
)

const (
	emptyParts = 3
	maxParts   = 120         // as many as a payment plan has
	partsField = "_parcelas" // how many parts the form had
)

// part is one part of a payment plan in a form. Its fields are named parts-N-field.
type part struct {
	n    int
	held object // what it held before; nil for a new one
}

func (p part) name(field string) string { return "parts-" + strconv.Itoa(p.n) + "-" + field }

// parts are those that the form shows: what was typed, or else the record's own.
func (v *visit) parts(o object) []part {
	held := heldParts(o)
	parts := make([]part, v.shown(len(held), slots{field: partsField, more: moreParts, spare: emptyParts, most: maxParts}))
	for i := range parts {
		parts[i].n = i
		if i < len(held) && v.form == nil {
			parts[i].held = held[i]
		}
	}
	return parts
}

// heldParts are the parts that were agreed on one by one. Of a sale that was
// paid in part they are what is left of them: a new version divides only that.
func heldParts(o object) []object {
	if !ownParts(o) {
		return nil
	}
	if left := pendingParts(o); left != nil && o.text("paid_cents") != "0" {
		return left
	}
	return object(o.inner("payment_plan")).all("installments")
}

// pendingParts are the transactions of a sale that are to be paid.
func pendingParts(o object) []object {
	var left []object
	for _, t := range o.all("financial_transactions") {
		if t.text("status") == "pending" {
			left = append(left, t)
		}
	}
	return left
}

// ownParts reports that the payment plan of a document is parts of their own,
// not equal ones.
func ownParts(o object) bool {
	return o.text("payment_plan.first_due_date") == "" && o["payment_plan"] != nil
}

// value is what a field of the part begins with.
func (p part) value(field string) string {
	if p.held == nil {
		return ""
	}
	switch field {
	case "date":
		return p.held.text("due_date")
	case "amount":
		return reaisOnly(p.held.text("amount_cents"))
	}
	return p.held.text("method")
}

func (v *visit) partCell(p part, field string) string {
	return strings.TrimSpace(v.typed(p.name(field), p.value(field)))
}

// given reports that a part holds something.
func (v *visit) given(p part) bool {
	return v.partCell(p, "date") != "" || v.partCell(p, "amount") != "" || v.partCell(p, "method") != ""
}

// partField is the field of a part that fills a member of it.
func partField(member string) string {
	switch member {
	case "due_date":
		return "date"
	case "method":
		return "method"
	}
	return "amount"
}

// plan reads the payment plan: equal monthly parts, or parts of their own. It
// says which rows those are.
func (v *visit) plan(body M, patch bool, f *problem.Fields) []part {
	monthly, own, from := v.monthlyPlan(f), []M{}, []part{}
	for _, p := range v.parts(nil) {
		if v.given(p) {
			own, from = append(own, v.part(p, f)), append(from, p)
		}
	}
	switch {
	case len(own) > 0 && (monthly["count"] != nil || monthly["first_due_date"] != nil):
		f.Add("/plan_count", "exclusive", problem.T(
			"Escolha um jeito só: parcelas mensais iguais, ou parcelas combinadas uma a uma.", "Choose one way: equal monthly parts, or parts of their own."))
	case len(own) > 0:
		for _, p := range own {
			if p["method"] == nil && monthly["method"] != nil {
				p["method"] = monthly["method"]
			}
		}
		body["payment_plan"] = M{"installments": own}
	case len(monthly) > 0:
		body["payment_plan"] = monthly
	case patch:
		body["payment_plan"] = nil
	}
	return from
}

func (v *visit) monthlyPlan(f *problem.Fields) M {
	plan := M{}
	for _, member := range []string{"first_due_date", "method"} {
		if text := strings.TrimSpace(v.form.Get("plan_" + member)); text != "" {
			plan[member] = text
		}
	}
	if text := strings.TrimSpace(v.form.Get("plan_count")); text != "" {
		count, err := strconv.Atoi(text)
		if err != nil {
			f.Add("/plan_count", "format", problem.T("Informe um número inteiro.", "Give a whole number."))
		}
		plan["count"] = count
	}
	return plan
}

// part is a part of a plan as the API takes it.
func (v *visit) part(p part, f *problem.Fields) M {
	read := M{}
	if day := v.partCell(p, "date"); day != "" {
		read["due_date"] = day
	}
	if method := v.partCell(p, "method"); method != "" {
		read["method"] = method
	}
	if text := v.partCell(p, "amount"); text != "" {
		amount, err := parseReais(text)
		if err != nil {
			f.Add("/"+p.name("amount"), "format", problem.T(err.Error(), err.Error()))
		}
		read["amount_cents"] = amount
	}
	return read
}

// planWords is a payment plan in words, "" for none.
func planWords(o object) string {
	plan := object(o.inner("payment_plan"))
	parts := plan.all("installments")
	switch count := plan.text("count"); {
	case len(plan) == 0:
		return ""
	case count == "" && len(parts) != 1:
		return plural(len(parts), "parcela combinada", "parcelas combinadas uma a uma")
	case count == "":
		return "Tudo em " + brazilianDate(parts[0].text("due_date")) + methodWords(parts[0].text("method"))
	case count == "1":
		return "Tudo em " + brazilianDate(plan.text("first_due_date")) + methodWords(plan.text("method"))
	default:
		return count + "× mensais a partir de " + brazilianDate(plan.text("first_due_date")) + methodWords(plan.text("method"))
	}
}

// methodWords ends a sentence on a payment with its method.
func methodWords(method string) string {
	words := map[string]string{ //nolint:gosec // words, no credentials
		"pix": "no Pix", "cash": "em dinheiro", "credit_card": "no cartão de crédito", "debit_card": "no cartão de débito",
		"boleto": "no boleto", "bank_transfer": "por transferência", "check": "em cheque", "other": "por outra forma",
	}[method]
	if words == "" {
		return ""
	}
	return ", " + words
}
