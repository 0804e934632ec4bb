package dashboard

import (
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

// newSummary answers what the form of a new document comes to so far.
func (res resource) newSummary(v *visit) (*reply, error) {
	return res.summarize(v, nil, httpapi.Call{Route: res.create})
}

// editSummary does it for the form that changes a document.
func (res resource) editSummary(v *visit) (*reply, error) {
	o, _, err := res.load(v)
	if err != nil {
		return nil, err
	}
	return res.summarize(v, o, httpapi.Call{Route: res.update, IDs: []string{o.id()}})
}

// summarize makes the call that the form would make, as a preview: the very
// same rules, and nothing is written. A form that is not whole yet is no error
// here; the summary says what it waits for.
func (res resource) summarize(v *visit, o object, c httpapi.Call) (*reply, error) {
	body, from, err := res.documentBody(v, o)
	if err == nil && len(from.rows) == 0 && !res.lines.bare {
		return v.answerPart(waitingSummary("Ponha ao menos um item."))
	}
	var made object
	if err == nil {
		made, err = v.preview(c, body)
	}
	if err == nil {
		return v.answerPart(summaryBody(made))
	}
	p := problem.As(placed(err, from))
	switch {
	case p.Code == problem.ServiceUnavailable: // a lock that somebody holds: the next change asks again
		v.w.WriteHeader(http.StatusNoContent)
		return nil, errAnswered
	case p.Status() >= http.StatusInternalServerError, p.Code == problem.Unauthorized:
		return nil, p
	}
	return v.answerPart(waitingSummary(res.missing(p)))
}

// preview is what a call would answer, without its effect.
func (v *visit) preview(c httpapi.Call, body any) (made object, err error) {
	c.Preview = true
	answer, err := v.send(c, body)
	if err != nil {
		return nil, err
	}
	return made, decodeExact(answer.Body, &made)
}

func (v *visit) answerPart(c templ.Component) (*reply, error) {
	v.render(http.StatusOK, c)
	return nil, errAnswered
}

// missing says in one sentence what a form waits for.
func (res resource) missing(p *problem.Error) string {
	if len(p.Fields) == 0 {
		_, text := explain(p)
		return text
	}
	first := p.Fields[0]
	if label := res.labelOf(strings.TrimPrefix(first.Pointer, "/")); label != "" {
		return label + ": " + lowerFirst(first.Detail.PT)
	}
	return first.Detail.PT
}

// labelOf is what the form calls a field, "" for none of its own.
func (res resource) labelOf(name string) string {
	labels := map[string]string{
		"items": "Itens", "discount": "Desconto no total", "shipping_cents": "Frete", "parts": "Parcelas",
		"plan_count": "Parcelas mensais", "plan_first_due_date": "Primeiro vencimento", "plan_method": "Forma de pagamento",
	}
	for _, f := range res.fields {
		labels[strings.ReplaceAll(f.name, ".", "/")] = f.label
	}
	if label := labels[name]; label != "" {
		return label
	}
	group, rest, _ := strings.Cut(name, "-")
	n, field, _ := strings.Cut(rest, "-")
	cells := map[string]string{
		"items-item": "item", "items-description": "descrição", "items-quantity": "quantidade", "items-price": "preço", "items-discount": "desconto",
		"parts-date": "vencimento", "parts-amount": "valor", "parts-method": "forma",
	}
	words := map[string]string{"items": "Item ", "parts": "Parcela "}
	at, err := strconv.Atoi(n)
	if cell := cells[group+"-"+field]; cell != "" && err == nil {
		return words[group] + strconv.Itoa(at+1) + ", " + cell
	}
	return ""
}

func lowerFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}
