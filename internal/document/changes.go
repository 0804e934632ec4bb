package document

import (
	"context"

	"fatureihoje/internal/catalog"
	"fatureihoje/internal/db"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/state"
)

// Changes are the changes of a PATCH to what a document charges for. Lines are
// replaced whole.
type Changes struct {
	Lines           opt.Field[[]LineDraft]
	DiscountCents   opt.Field[money.Cents]
	DiscountPercent opt.Field[money.Percent]
	Shipping        opt.Field[money.Cents]
}

// Any reports that something changes.
func (ch Changes) Any() bool {
	return ch.Lines.IsSet() || ch.DiscountCents.IsSet() || ch.DiscountPercent.IsSet() || ch.Shipping.IsSet()
}

// Members are the members of the PATCH, for whoever refuses them.
func (ch Changes) Members() []state.Member {
	return []state.Member{
		{Pointer: "/items", Sent: ch.Lines.IsSet()},
		{Pointer: "/discount_cents", Sent: ch.DiscountCents.IsSet()},
		{Pointer: "/discount_percent", Sent: ch.DiscountPercent.IsSet()},
		{Pointer: "/shipping_cents", Sent: ch.Shipping.IsSet()},
	}
}

// Apply returns c with the changes. Lines that are kept keep their prices.
func (ch Changes) Apply(ctx context.Context, r db.Reader, items *catalog.Service, c Content, f *problem.Fields) (Content, error) {
	if !ch.Any() {
		return c, nil
	}
	discount, shipping := ch.discount(c.Discount), c.ShippingCents
	opt.Assign(&shipping, ch.Shipping, 0)
	if !ch.Lines.IsSet() {
		return Sum(c.Lines, discount, shipping, f), nil
	}
	lines, _ := ch.Lines.Value()
	return Price(ctx, r, items, Draft{Lines: lines, Discount: discount, Shipping: shipping}, c.Lines, f)
}

// discount is d changed: a new amount takes the place of a percentage, and the
// other way round.
func (ch Changes) discount(d Discount) Discount {
	changed := Discount{ch.DiscountCents.Or(d.Cents), ch.DiscountPercent.Or(d.Percent)}
	if _, given := ch.DiscountCents.Value(); given {
		changed.Percent = nil
	}
	if _, given := ch.DiscountPercent.Value(); given {
		changed.Cents = nil
	}
	return changed
}
