package catalog

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// MaxVariations is how many variations a product may have.
const MaxVariations = 100

// Options are the values that tell a variation from the others of its product,
// by the attribute's name.
type Options map[string]string

// Variation is one form in which a product is sold.
type Variation struct {
	Record     `gorm:"embedded"`
	ProductID  uuid.UUID
	Options    Options `gorm:"serializer:json"`
	SKU        *string
	GTIN       *string
	PriceCents *money.Cents // nil: the product's
	CostCents  *money.Cents
	Status     string

	// EffectivePriceCents is what the variation costs: its own price, else the
	// product's.
	EffectivePriceCents money.Cents `gorm:"-"`
}

// VariationChanges are the members of a PATCH of a variation. Options that are
// not named stay.
type VariationChanges struct {
	Options    opt.Field[Options]
	SKU        opt.Field[string]
	GTIN       opt.Field[string]
	PriceCents opt.Field[money.Cents]
	CostCents  opt.Field[money.Cents]
	ExternalID opt.Field[string]
	Metadata   opt.Field[meta.Patch]
}

// VariationFilter selects the variations of one product.
type VariationFilter struct {
	db.ListFilter
	ProductID uuid.UUID
	Status    string
	SKU       string
	Page      page.Request
}

func (v *Variation) apply(ch VariationChanges) {
	if options, ok := ch.Options.Value(); ok {
		merged := maps.Clone(v.Options)
		maps.Copy(merged, options)
		v.Options = merged
	}
	v.SKU = ch.SKU.Or(v.SKU)
	v.GTIN = ch.GTIN.Or(v.GTIN)
	v.PriceCents = ch.PriceCents.Or(v.PriceCents)
	v.CostCents = ch.CostCents.Or(v.CostCents)
	v.ExternalID = ch.ExternalID.Or(v.ExternalID)
	v.Metadata = v.Metadata.Change(ch.Metadata)
}

// priced sets what the variation of this product costs.
func (v *Variation) priced(p *Product) {
	v.EffectivePriceCents = p.PriceCents
	if v.PriceCents != nil {
		v.EffectivePriceCents = *v.PriceCents
	}
}

// validate checks the variation against the attributes of its product.
func (v *Variation) validate(attributes []Attribute) error {
	var f problem.Fields
	v.Options.validate(attributes, "/options", &f)
	v.Metadata.Validate("/metadata", &f)
	return f.Err()
}

// validate wants one value of each attribute, and no other name.
func (o Options) validate(attributes []Attribute, at string, f *problem.Fields) {
	if len(attributes) == 0 {
		f.Add(at, "no_attributes", problem.T(
			"O produto não tem atributos; defina-os antes.", "The product has no attributes; define them first."))
		return
	}
	for _, a := range attributes {
		value, given := o[a.Name]
		switch {
		case !given:
			missing := problem.Required(problem.Join(at, a.Name))
			f.Add(missing.Pointer, missing.Code, missing.Detail)
		case !slices.Contains(a.Values, value):
			all := strings.Join(a.Values, ", ")
			f.Add(problem.Join(at, a.Name), "enum", problem.Tf("Use um destes valores: %s.", "Use one of these values: %s.", all))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.ContainsFunc(attributes, func(a Attribute) bool { return a.Name == name }) {
			f.Add(problem.Join(at, name), "unknown_attribute", problem.T(
				"O produto não tem este atributo.", "The product does not have this attribute."))
		}
	}
}

// fit reports whether the options are those of a variation under attributes.
func (o Options) fit(attributes []Attribute) bool {
	var f problem.Fields
	o.validate(attributes, "", &f)
	return f.Empty()
}

// key is the options in one spelling, whatever their order was.
func (o Options) key() string {
	text, _ := json.Marshal(o) // of texts alone; the names come sorted
	return string(text)
}

// label lists the values in the order of the product's attributes: Azul, P.
func (o Options) label(attributes []Attribute) string {
	values := make([]string, len(attributes))
	for i, a := range attributes {
		values[i] = o[a.Name]
	}
	return strings.Join(values, ", ")
}
