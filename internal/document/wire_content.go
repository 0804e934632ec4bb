package document

import (
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/problem"
)

// ChargesInput are the members of a request that change the sum of its lines.
type ChargesInput struct {
	DiscountCents   *money.Cents   `json:"discount_cents" doc:"Desconto do documento, depois dos descontos dos itens."`
	DiscountPercent *money.Percent `json:"discount_percent"`
	ShippingCents   *money.Cents   `json:"shipping_cents"`
}

// Validate refuses both forms of the discount at once.
func (in *ChargesInput) Validate(at string, f *problem.Fields) {
	ValidateDiscount(in.DiscountCents, in.DiscountPercent, at, f)
}

// ToDraft makes the draft of a request with these lines.
func (in *ChargesInput) ToDraft(items []LineInput) Draft {
	return Draft{
		Lines: ToDrafts(items), Discount: Discount{in.DiscountCents, in.DiscountPercent}, Shipping: opt.OrZero(in.ShippingCents),
	}
}

// ChargesPatch are the members of a PATCH that change the sum of its lines.
type ChargesPatch struct {
	DiscountCents   opt.Field[money.Cents]   `json:"discount_cents" doc:"Tira o discount_percent."`
	DiscountPercent opt.Field[money.Percent] `json:"discount_percent" doc:"Tira o discount_cents."`
	ShippingCents   opt.Field[money.Cents]   `json:"shipping_cents"`
}

// Validate refuses both forms of the discount at once.
func (p *ChargesPatch) Validate(at string, f *problem.Fields) {
	cents, okCents := p.DiscountCents.Value()
	percent, okPercent := p.DiscountPercent.Value()
	if okCents && okPercent {
		ValidateDiscount(&cents, &percent, at, f)
	}
}

// ToChanges makes the changes of a PATCH with these lines.
func (p *ChargesPatch) ToChanges(items opt.Field[[]LineInput]) Changes {
	return Changes{
		Lines:         opt.Map(items, ToDrafts),
		DiscountCents: p.DiscountCents, DiscountPercent: p.DiscountPercent, Shipping: p.ShippingCents,
	}
}

// ContentResponse is what a document charges for, in an answer. Discounts stand
// as they were given.
type ContentResponse struct {
	Items              []LineResponse `json:"items"`
	DiscountCents      *money.Cents   `json:"discount_cents" doc:"Desconto do documento, como foi dado."`
	DiscountPercent    *money.Percent `json:"discount_percent"`
	ShippingCents      money.Cents    `json:"shipping_cents"`
	SubtotalCents      money.Cents    `json:"subtotal_cents" doc:"Soma dos itens, antes dos descontos."`
	DiscountTotalCents money.Cents    `json:"discount_total_cents" doc:"Descontos dos itens e do documento."`
	TotalCents         money.Cents    `json:"total_cents"`
}

// ToContentResponse converts a content to its wire form.
func ToContentResponse(c *Content) ContentResponse {
	return ContentResponse{
		Items: ToLineResponses(c.Lines), DiscountCents: c.Discount.Cents, DiscountPercent: c.Discount.Percent,
		ShippingCents: c.ShippingCents, SubtotalCents: c.SubtotalCents, DiscountTotalCents: c.DiscountTotalCents, TotalCents: c.TotalCents,
	}
}
