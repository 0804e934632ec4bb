package document

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/catalog"
	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// Price computes a document: it asks the catalogue for what the draft leaves
// out, and reports every error of its lines in f. What the lines of before name
// may be archived by now.
func Price(ctx context.Context, r db.Reader, c *catalog.Service, d Draft, before []Line, f *problem.Fields) (Content, error) {
	items := make([]catalog.Item, len(d.Lines))
	held := held(before)
	var lines []catalog.Line
	var places []int
	for i, l := range d.Lines {
		if l.Kind == KindCustom {
			continue
		}
		lines = append(lines, catalog.Line{
			At: problem.At("/items", i), ProductID: l.ProductID, VariationID: l.VariationID, ServiceID: l.ServiceID, Held: held[l.reference()],
		})
		places = append(places, i)
	}
	if len(lines) > 0 {
		found, err := c.Price(ctx, r, lines, f)
		if err != nil {
			return Content{}, err
		}
		for n, i := range places {
			items[i] = found[n]
		}
	}
	return d.price(items, f), nil
}

// defaultUnit is the unit of a line that the catalogue gives none.
const defaultUnit = catalog.DefaultUnit

// price computes a draft; items are what the catalogue says of each line. Its
// errors point into a body with items, discount_cents and shipping_cents.
func (d Draft) price(items []catalog.Item, f *problem.Fields) Content {
	lines := make([]Line, len(d.Lines))
	for i, line := range d.Lines {
		lines[i] = line.price(items[i], problem.At("/items", i), f)
	}
	return Sum(lines, d.Discount, d.Shipping, f)
}

// reference is what a line names in the catalogue.
type reference struct{ product, variation, service uuid.UUID }

func (d LineDraft) reference() reference {
	return reference{idOrNil(d.ProductID), idOrNil(d.VariationID), idOrNil(d.ServiceID)}
}

func held(lines []Line) map[reference]bool {
	set := make(map[reference]bool, len(lines))
	for _, l := range lines {
		set[reference{idOrNil(l.ProductID), idOrNil(l.VariationID), idOrNil(l.ServiceID)}] = true
	}
	return set
}

func idOrNil(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

func unitOf(item catalog.Item) string { return cmp.Or(item.Unit, defaultUnit) }
