package publicpages

import (
	"context"
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/brdoc"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/money"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/quotes"
	"fatureihoje/internal/sales"
)

// view is what the template shows.
type view struct {
	Style   template.CSS
	Failure string // in the place of everything else

	Company  string
	Document string // the company's CPF or CNPJ, with punctuation
	Sandbox  bool
	Title    string
	Number   int64
	Status   status
	Customer string
	Facts    []fact // beside the customer
	Content  document.Content
	Parts    []document.Installment
	Payments []payment
	Paid     *money.Cents // of a receipt
	Balance  money.Cents
	Terms    string
	Banner   string // what was decided
	Decides  bool   // the client may approve and reject
	Link     string
}

type status struct{ Label, Tone string }

type fact struct{ Name, Value string }

type payment struct {
	On     string
	Method string
	Amount money.Cents
}

// read makes the view of a link's document.
func (p *pages) read(ctx context.Context, r db.Reader, token auth.Token) (view, error) {
	ctx, company, err := p.company(ctx, r)
	if err != nil {
		return view{}, err
	}
	v := view{Company: company.Name, Sandbox: company.Mode == auth.ModeTest, Link: Path + token.Reveal()}
	if company.Document != nil {
		v.Document = brdoc.Document(*company.Document).Format()
	}
	q, err := p.Quotes.OpenLink(ctx, r, token)
	if err == nil {
		return v, p.readQuote(ctx, r, q, &v)
	}
	if !problem.Is(err, problem.NotFound) {
		return v, err
	}
	s, err := p.Sales.OpenLink(ctx, r, token)
	if err != nil {
		return v, err
	}
	return v, p.readSale(ctx, r, s, &v)
}

func (p *pages) readQuote(ctx context.Context, r db.Reader, q *quotes.Quote, v *view) (err error) {
	v.Title, v.Number, v.Content, v.Terms = "Orçamento", q.Number, q.Content, orEmpty(q.Terms)
	v.Status = quoteStatuses()[q.Status]
	v.Decides = q.Status == quotes.StatusSent
	v.Facts = []fact{{"Emitido em", day(document.Day(ctx, q.CreatedAt))}}
	if q.ValidUntil != nil {
		v.Facts = append(v.Facts, fact{"Válido até", day(*q.ValidUntil)})
	}
	if q.PaymentPlan != nil {
		var checked problem.Fields
		v.Parts = q.PaymentPlan.Parts(q.TotalCents, "", &checked)
	}
	if v.Banner, err = p.decision(ctx, r, q); err != nil {
		return err
	}
	if q.ClientID == nil {
		lead, err := p.CRM.GetLead(ctx, r, *q.LeadID)
		if err != nil {
			return err
		}
		v.Customer = lead.Name
		return nil
	}
	v.Customer, err = p.clientName(ctx, r, q.ClientID)
	return err
}

func quoteStatuses() map[string]status {
	return map[string]status{
		quotes.StatusDraft: {"Em preparo", "plain"}, quotes.StatusSent: {"Aguardando sua decisão", "plain"},
		quotes.StatusApproved: {"Aprovado", "good"}, quotes.StatusConverted: {"Aprovado", "good"},
		quotes.StatusRejected: {"Recusado", "bad"}, quotes.StatusCancelled: {"Cancelado", "bad"},
	}
}

// decision says what was decided, and when.
func (p *pages) decision(ctx context.Context, r db.Reader, q *quotes.Quote) (string, error) {
	words := map[string]string{
		quotes.StatusApproved: "aprovado", quotes.StatusConverted: "aprovado", quotes.StatusRejected: "recusado", quotes.StatusCancelled: "cancelado",
	}
	word, decided := words[q.Status]
	if !decided {
		return "", nil
	}
	changes, err := p.Quotes.History(ctx, r, q.ID, page.Request{Limit: page.MaxLimit, Sort: "created_at", Desc: true})
	if err != nil {
		return "", err
	}
	for _, c := range changes.Items {
		if c.Action == quotes.ActionApprove || c.Action == quotes.ActionReject || c.Action == quotes.ActionCancel {
			at := c.At.In(auth.CallerFrom(ctx).Location())
			return fmt.Sprintf("Orçamento %s em %s.", word, at.Format("02/01/2006 às 15:04")), nil
		}
	}
	return fmt.Sprintf("Orçamento %s.", word), nil
}

func (p *pages) readSale(ctx context.Context, r db.Reader, s *sales.Sale, v *view) (err error) {
	v.Title, v.Number, v.Content = "Recibo de venda", s.Number, s.Content
	v.Status = map[string]status{
		sales.StatusOpen: {"Em aberto", "plain"}, sales.StatusPartiallyPaid: {"Pago em parte", "plain"},
		sales.StatusPaid: {"Pago", "good"}, sales.StatusCancelled: {"Cancelada", "bad"},
	}[s.Status]
	v.Facts = []fact{{"Data da venda", day(document.Day(ctx, s.SoldAt))}}
	v.Paid, v.Balance = &s.PaidCents, s.Balance()
	if s.Status == sales.StatusCancelled {
		v.Balance = 0
		v.Banner = "Esta venda foi cancelada."
	}
	payments, _, err := p.Sales.ListPayments(ctx, r, sales.PaymentFilter{
		SaleID: s.ID, Status: sales.PaymentConfirmed, Page: page.Request{Limit: page.MaxLimit, Sort: "created_at"},
	})
	if err != nil {
		return err
	}
	for _, one := range payments.Items {
		v.Payments = append(v.Payments, payment{day(document.Day(ctx, one.PaidAt)), methodName(one.Method), one.AmountCents})
	}
	v.Customer, err = p.clientName(ctx, r, s.ClientID)
	return err
}

func (p *pages) clientName(ctx context.Context, r db.Reader, clientID *uuid.UUID) (string, error) {
	if clientID == nil {
		return "", nil
	}
	c, err := p.Clients.Get(ctx, r, *clientID)
	if err != nil {
		return "", err
	}
	return c.Name, nil
}

// functions are what the template formats with.
func functions() template.FuncMap {
	return template.FuncMap{
		"money":    money.Cents.Format,
		"quantity": func(q money.Quantity) string { return strings.ReplaceAll(q.String(), ".", ",") },
		"percent":  func(p money.Percent) string { return strings.ReplaceAll(p.String(), ".", ",") + " %" },
		"day":      day,
		"method": func(m *string) string {
			if m == nil {
				return ""
			}
			return methodName(*m)
		},
		"next": func(i int) int { return i + 1 },
	}
}

func day(d civil.Date) string {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Format("02/01/2006")
}

func methodName(method string) string {
	name, ok := map[string]string{ //nolint:gosec // means of payment
		"pix": "Pix", "cash": "Dinheiro", "credit_card": "Cartão de crédito", "debit_card": "Cartão de débito", "boleto": "Boleto",
		"bank_transfer": "Transferência", "check": "Cheque", "other": "Outro",
	}[method]
	if !ok {
		return method
	}
	return name
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
