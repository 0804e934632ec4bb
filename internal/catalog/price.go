package catalog

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/money"
	"fatureihoje/internal/problem"
)

// Line is what one line of a document names: a product, a variation of it, or a
// service.
type Line struct {
	At          string // the line's JSON pointer, such as /items/0
	ProductID   *uuid.UUID
	VariationID *uuid.UUID // only with its product
	ServiceID   *uuid.UUID
	// Held lines were in the document before, so what they name may be archived
	// by now.
	Held bool
}

// Item is what a document copies from the catalogue.
type Item struct {
	Name           string // of a variation with its values: Camiseta (Azul, P)
	Unit           string // empty for a service
	UnitPriceCents money.Cents
}

// Price returns what each line names, in the order of the lines, in at most one
// query for each kind of thing. What cannot be sold is reported in f, at the
// line's product_id, variation_id or service_id; its item is then empty:
//
//	unknown_reference             no record of the tenant has this id
//	archived_reference            it is archived, and the line is not Held
//	variation_required            a product with variations is sold by a variation
//	variation_of_another_product
//	required                      a variation without its product
func (s *Service) Price(ctx context.Context, r db.Reader, lines []Line, f *problem.Fields) ([]Item, error) {
	found, err := lookUp(ctx, r, lines)
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(lines))
	for i := range lines {
		items[i] = found.price(&lines[i], f)
	}
	return items, nil
}

// shelf is what some lines name, as far as it exists.
type shelf struct {
	products   map[uuid.UUID]productOnShelf
	variations map[uuid.UUID]Variation
	services   map[uuid.UUID]ServiceItem
}

type productOnShelf struct {
	Product       `gorm:"embedded"`
	HasVariations bool
}

func (s *shelf) price(l *Line, f *problem.Fields) Item {
	switch {
	case l.ServiceID != nil:
		return s.priceService(l, f)
	case l.ProductID != nil:
		return s.priceProduct(l, f)
	case l.VariationID != nil:
		missing := problem.Required(problem.Join(l.At, "product_id"))
		f.Add(missing.Pointer, missing.Code, missing.Detail)
	}
	return Item{}
}

func (s *shelf) priceService(l *Line, f *problem.Fields) Item {
	at := problem.Join(l.At, "service_id")
	service, ok := s.services[*l.ServiceID]
	if !usable(ok, service.Status, l, at, f) {
		return Item{}
	}
	return Item{Name: service.Name, UnitPriceCents: service.PriceCents}
}

func (s *shelf) priceProduct(l *Line, f *problem.Fields) Item {
	product, ok := s.products[*l.ProductID]
	if !usable(ok, product.Status, l, problem.Join(l.At, "product_id"), f) {
		return Item{}
	}
	if l.VariationID != nil {
		return s.priceVariation(l, &product.Product, f)
	}
	if product.HasVariations {
		f.Add(problem.Join(l.At, "variation_id"), "variation_required", problem.T(
			"Um produto com variações é vendido por uma variação.", "A product with variations is sold by a variation."))
		return Item{}
	}
	return Item{Name: product.Name, Unit: product.Unit, UnitPriceCents: product.PriceCents}
}

func (s *shelf) priceVariation(l *Line, p *Product, f *problem.Fields) Item {
	at := problem.Join(l.At, "variation_id")
	variation, ok := s.variations[*l.VariationID]
	if ok && variation.ProductID != p.ID {
		f.Add(at, "variation_of_another_product", problem.T(
			"A variação é de outro produto.", "The variation is of another product."))
		return Item{}
	}
	if !usable(ok, variation.Status, l, at, f) {
		return Item{}
	}
	variation.priced(p)
	name := p.Name + " (" + variation.Options.label(p.Attributes) + ")"
	return Item{Name: name, Unit: p.Unit, UnitPriceCents: variation.EffectivePriceCents}
}

// usable reports whether what a line names exists, and may be used in it.
func usable(exists bool, status string, l *Line, at string, f *problem.Fields) bool {
	switch {
	case !exists:
		unknown := problem.UnknownReference(at)
		f.Add(unknown.Pointer, unknown.Code, unknown.Detail)
		return false
	case status == StatusArchived && !l.Held:
		archived := problem.ArchivedReference(at)
		f.Add(archived.Pointer, archived.Code, archived.Detail)
		return false
	}
	return true
}
