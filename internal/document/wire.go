package document

import (
	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/money"
	"fatureihoje/internal/problem"
)

// LineInput is a line of a request.
type LineInput struct {
	Kind            string         `json:"kind" required:"true" enum:"product,service,custom"`
	ProductID       *uuid.UUID     `json:"product_id"`
	VariationID     *uuid.UUID     `json:"variation_id"`
	ServiceID       *uuid.UUID     `json:"service_id"`
	Description     *string        `json:"description" minLength:"1" maxLength:"500" doc:"Do catálogo, se não vier; obrigatória em custom."`
	Quantity        money.Quantity `json:"quantity" required:"true"`
	UnitPriceCents  *money.Cents   `json:"unit_price_cents" doc:"Do catálogo, se não vier; obrigatório em custom."`
	DiscountCents   *money.Cents   `json:"discount_cents"`
	DiscountPercent *money.Percent `json:"discount_percent"`
}

// Validate checks which members the kind needs and takes.
func (in *LineInput) Validate(at string, f *problem.Fields) {
	members := []struct {
		name           string
		given          bool
		needed, refuse bool
	}{
		{"product_id", in.ProductID != nil, in.Kind == KindProduct, in.Kind == KindService || in.Kind == KindCustom},
		{"variation_id", in.VariationID != nil, false, in.Kind == KindService || in.Kind == KindCustom},
		{"service_id", in.ServiceID != nil, in.Kind == KindService, in.Kind == KindProduct || in.Kind == KindCustom},
		{"description", in.Description != nil, in.Kind == KindCustom, false},
		{"unit_price_cents", in.UnitPriceCents != nil, in.Kind == KindCustom, false},
	}
	for _, m := range members {
		pointer := problem.Join(at, m.name)
		if m.needed && !m.given {
			addField(f, problem.Required(pointer))
		}
		if m.refuse && m.given {
			f.Add(pointer, "not_of_this_kind", problem.T("Este tipo de item não tem este campo.", "This kind of line does not have this member."))
		}
	}
	ValidateDiscount(in.DiscountCents, in.DiscountPercent, at, f)
}

// ValidateDiscount refuses an amount together with a percentage.
func ValidateDiscount(cents *money.Cents, percent *money.Percent, at string, f *problem.Fields) {
	if cents != nil && percent != nil {
		f.Add(problem.Join(at, "discount_percent"), "exclusive", problem.T(
			"Informe o desconto em valor (discount_cents) ou em percentual (discount_percent), não os dois.",
			"Give discount_cents or discount_percent, not both."))
	}
}

// ToDrafts converts the lines of a request.
func ToDrafts(list []LineInput) []LineDraft {
	drafts := make([]LineDraft, len(list))
	for i, in := range list {
		drafts[i] = LineDraft{
			Kind: in.Kind, ProductID: in.ProductID, VariationID: in.VariationID, ServiceID: in.ServiceID, Description: in.Description,
			Quantity: in.Quantity, UnitPrice: in.UnitPriceCents, Discount: Discount{in.DiscountCents, in.DiscountPercent},
		}
	}
	return drafts
}

// LineResponse is a line of an answer. The discount stands as it was given.
type LineResponse struct {
	Kind            string         `json:"kind" enum:"product,service,custom"`
	ProductID       *uuid.UUID     `json:"product_id"`
	VariationID     *uuid.UUID     `json:"variation_id"`
	ServiceID       *uuid.UUID     `json:"service_id"`
	Description     string         `json:"description" doc:"Copiada quando o item foi escrito."`
	Unit            string         `json:"unit"`
	Quantity        money.Quantity `json:"quantity"`
	UnitPriceCents  money.Cents    `json:"unit_price_cents" doc:"Copiado quando o item foi escrito."`
	DiscountCents   *money.Cents   `json:"discount_cents"`
	DiscountPercent *money.Percent `json:"discount_percent"`
	TotalCents      money.Cents    `json:"total_cents" doc:"Com o desconto, arredondado uma vez."`
}

// ToLineResponses converts lines to their wire form.
func ToLineResponses(lines []Line) []LineResponse {
	responses := make([]LineResponse, len(lines))
	for i, l := range lines {
		responses[i] = LineResponse{
			Kind: l.Kind, ProductID: l.ProductID, VariationID: l.VariationID, ServiceID: l.ServiceID, Description: l.Description,
			Unit: l.Unit, Quantity: l.Quantity, UnitPriceCents: l.UnitPriceCents, DiscountCents: l.Cents,
			DiscountPercent: l.Percent, TotalCents: l.TotalCents,
		}
	}
	return responses
}

// PlanInput is a payment plan of a request: installments, or count and first_due_date.
type PlanInput struct {
	Installments []PlanPartInput `json:"installments" minItems:"1" maxItems:"120" doc:"Somam o total."`
	Count        *int            `json:"count" minimum:"1" maximum:"120" doc:"Parcelas mensais iguais; as primeiras levam o centavo a mais."`
	FirstDueDate *civil.Date     `json:"first_due_date"`
	Method       *string         `json:"method" enum:"pix,cash,credit_card,debit_card,boleto,bank_transfer,check,other"`
}

// PlanPartInput is one part of a payment plan.
type PlanPartInput struct {
	DueDate     civil.Date  `json:"due_date" required:"true"`
	AmountCents money.Cents `json:"amount_cents" required:"true" minimum:"1"`
	Method      *string     `json:"method" enum:"pix,cash,credit_card,debit_card,boleto,bank_transfer,check,other"`
}

// Validate checks that the plan is of one form, and whole.
func (in *PlanInput) Validate(at string, f *problem.Fields) {
	if f.Has(at) {
		return
	}
	if in.Installments != nil {
		if in.Count != nil || in.FirstDueDate != nil || in.Method != nil {
			f.Add(problem.Join(at, "count"), "exclusive", problem.T(
				"Informe cada parcela (installments), ou quantas são (count) e o primeiro vencimento (first_due_date), não os dois.",
				"Give installments, or count and first_due_date; not both."))
		}
		return
	}
	if in.Count == nil {
		addField(f, problem.Required(problem.Join(at, "count")))
	}
	if in.FirstDueDate == nil {
		addField(f, problem.Required(problem.Join(at, "first_due_date")))
	}
}

// ToPlan converts the plan of a request; nil is none.
func (in *PlanInput) ToPlan() *Plan {
	if in == nil {
		return nil
	}
	p := &Plan{FirstDueDate: in.FirstDueDate, Method: in.Method}
	if in.Count != nil {
		p.Count = *in.Count
	}
	for _, part := range in.Installments {
		p.Installments = append(p.Installments, Installment{part.DueDate, part.AmountCents, part.Method})
	}
	return p
}

// PlanResponse is a payment plan of an answer, with its parts reckoned.
type PlanResponse struct {
	Installments []PlanPartResponse `json:"installments"`
	Count        *int               `json:"count" doc:"null num plano de parcelas dadas."`
	FirstDueDate *civil.Date        `json:"first_due_date"`
	Method       *string            `json:"method"`
}

// PlanPartResponse is one part of a payment plan of an answer.
type PlanPartResponse struct {
	DueDate     civil.Date  `json:"due_date"`
	AmountCents money.Cents `json:"amount_cents"`
	Method      *string     `json:"method"`
}

// ToPlanResponse converts a plan for an amount; nil is none.
func ToPlanResponse(p *Plan, amount money.Cents) *PlanResponse {
	if p == nil {
		return nil
	}
	var checked problem.Fields // it was checked when it was written
	response := &PlanResponse{FirstDueDate: p.FirstDueDate, Method: p.Method, Installments: []PlanPartResponse{}}
	if p.Count > 0 {
		response.Count = &p.Count
	}
	for _, part := range p.Parts(amount, "", &checked) {
		response.Installments = append(response.Installments, PlanPartResponse{part.DueDate, part.Amount, part.Method})
	}
	return response
}

func addField(f *problem.Fields, field problem.Field) { f.Add(field.Pointer, field.Code, field.Detail) }
