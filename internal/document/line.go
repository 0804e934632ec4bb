package document

import (
	"github.com/google/uuid"

	"fatureihoje/internal/catalog"
	"fatureihoje/internal/money"
	"fatureihoje/internal/problem"
)

// Kinds of line.
const (
	KindProduct = "product"
	KindService = "service"
	KindCustom  = "custom" // not in the catalogue
)

// MaxLines is how many lines a document has at most.
const MaxLines = 500

// Discount is an amount or a percentage; the zero value is none.
type Discount struct {
	Cents   *money.Cents   `gorm:"column:discount_cents"`
	Percent *money.Percent `gorm:"column:discount_percent"`
}

// LineDraft is a line as it is asked for: what it leaves out comes from the catalogue.
type LineDraft struct {
	Kind        string
	ProductID   *uuid.UUID
	VariationID *uuid.UUID
	ServiceID   *uuid.UUID
	Description *string
	Quantity    money.Quantity
	UnitPrice   *money.Cents
	Discount    Discount
}

// Line is a line of a document, priced.
type Line struct {
	Kind           string
	ProductID      *uuid.UUID
	VariationID    *uuid.UUID
	ServiceID      *uuid.UUID
	Description    string
	Unit           string
	Quantity       money.Quantity
	UnitPriceCents money.Cents
	Discount       `gorm:"embedded"`
	GrossCents     money.Cents // before the discount
	TotalCents     money.Cents
}

// Draft is what a document charges for, as it is asked for.
type Draft struct {
	Lines    []LineDraft
	Discount Discount
	Shipping money.Cents
}

// Totals are a document's sums.
type Totals struct {
	SubtotalCents      money.Cents // of the lines, before any discount
	DiscountTotalCents money.Cents // of the lines' discounts and the document's
	ShippingCents      money.Cents
	TotalCents         money.Cents
}

// Content is what a document charges for, priced.
type Content struct {
	Lines    []Line   `gorm:"-"`
	Discount Discount `gorm:"embedded"`
	Totals   `gorm:"embedded"`
}

// price computes one line; item is what the catalogue says of it. at is its pointer.
func (d LineDraft) price(item catalog.Item, at string, f *problem.Fields) Line {
	l := Line{
		Kind: d.Kind, ProductID: d.ProductID, VariationID: d.VariationID, ServiceID: d.ServiceID,
		Description: item.Name, Unit: unitOf(item), Quantity: d.Quantity, UnitPriceCents: item.UnitPriceCents, Discount: d.Discount,
	}
	if d.Description != nil {
		l.Description = *d.Description
	}
	if d.UnitPrice != nil {
		l.UnitPriceCents = *d.UnitPrice
	}
	if f.Has(at) {
		return l // what it names cannot be sold, so it has no price
	}
	gross, err := money.LineTotal(l.Quantity, l.UnitPriceCents)
	if err != nil {
		addMoney(f, problem.Join(at, "quantity"), err)
		return l
	}
	l.GrossCents, l.TotalCents = gross, gross
	switch {
	case d.Discount.Cents != nil && *d.Discount.Cents > gross:
		addTooMuch(f, problem.Join(at, "discount_cents"), gross)
	case d.Discount.Cents != nil:
		l.TotalCents = gross - *d.Discount.Cents
	case d.Discount.Percent != nil:
		// From the exact product, and never above what rounding made of the whole.
		l.TotalCents, err = money.DiscountedLineTotal(l.Quantity, l.UnitPriceCents, *d.Discount.Percent)
		if err != nil {
			addMoney(f, problem.Join(at, "quantity"), err)
		}
	}
	return l
}

// Sum makes the content of lines that are priced already.
func Sum(lines []Line, discount Discount, shipping money.Cents, f *problem.Fields) Content {
	c := Content{Lines: lines, Discount: discount, Totals: Totals{ShippingCents: shipping}}
	var net money.Cents // 500 lines of up to Max each are far from the end of an int64
	for _, l := range lines {
		c.SubtotalCents += l.GrossCents
		net += l.TotalCents
	}
	if f.Has("/items") {
		return c
	}
	off := discount.of(net, f)
	c.DiscountTotalCents = c.SubtotalCents - net + off
	c.TotalCents = net - off + shipping
	if c.TotalCents > money.Max || c.SubtotalCents > money.Max {
		addMoney(f, "/items", money.ErrRange)
	}
	return c
}

// of is the document's own discount on the sum of its lines.
func (d Discount) of(lines money.Cents, f *problem.Fields) money.Cents {
	switch {
	case d.Cents != nil && *d.Cents > lines:
		addTooMuch(f, "/discount_cents", lines)
	case d.Cents != nil:
		return *d.Cents
	case d.Percent != nil:
		return money.PercentOf(*d.Percent, lines)
	}
	return 0
}

func addTooMuch(f *problem.Fields, pointer string, most money.Cents) {
	f.Add(pointer, "discount_too_large", problem.Tf(
		"O desconto passa do valor que desconta: %d centavos.", "The discount is above what it discounts: %d centavos.", most))
}

func addMoney(f *problem.Fields, pointer string, err error) {
	field := problem.FieldOf(pointer, err)
	f.Add(field.Pointer, field.Code, field.Detail)
}
