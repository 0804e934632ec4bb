package catalog

import (
	"slices"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// DefaultUnit is the unit of a product that names none.
const DefaultUnit = "UN"

// Product is a thing that is sold. Texts are in NFC, codes without punctuation.
type Product struct {
	Record      `gorm:"embedded"`
	Name        string
	SKU         *string
	GTIN        *string
	Description *string
	CategoryID  *uuid.UUID
	Unit        string
	PriceCents  money.Cents
	CostCents   *money.Cents
	NCM         *string
	Attributes  []Attribute `gorm:"serializer:json"`
	Status      string
}

// Attribute is what the variations of a product differ in, such as Cor.
type Attribute struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// ProductChanges are the members of a PATCH of a product.
type ProductChanges struct {
	Name        opt.Field[string]
	SKU         opt.Field[string]
	GTIN        opt.Field[string]
	Description opt.Field[string]
	CategoryID  opt.Field[uuid.UUID]
	Unit        opt.Field[string]
	PriceCents  opt.Field[money.Cents]
	CostCents   opt.Field[money.Cents]
	NCM         opt.Field[string]
	Attributes  opt.Field[[]Attribute]
	ExternalID  opt.Field[string]
	Metadata    opt.Field[meta.Patch]
}

// ProductFilter selects products of a list; empty fields select all.
type ProductFilter struct {
	db.ListFilter
	Status     string
	CategoryID *uuid.UUID
	SKU        string // the product's own, or that of one of its variations
	Query      string
	Page       page.Request
}

func (p *Product) apply(ch ProductChanges) {
	opt.Assign(&p.Name, ch.Name, "")
	opt.Assign(&p.Unit, ch.Unit, DefaultUnit)
	opt.Assign(&p.PriceCents, ch.PriceCents, 0)
	opt.Assign(&p.Attributes, ch.Attributes, nil)
	p.SKU = ch.SKU.Or(p.SKU)
	p.GTIN = ch.GTIN.Or(p.GTIN)
	p.Description = ch.Description.Or(p.Description)
	p.CategoryID = ch.CategoryID.Or(p.CategoryID)
	p.CostCents = ch.CostCents.Or(p.CostCents)
	p.NCM = ch.NCM.Or(p.NCM)
	p.ExternalID = ch.ExternalID.Or(p.ExternalID)
	p.Metadata = p.Metadata.Change(ch.Metadata)
	p.settle()
}

// settle fills in what a product always has.
func (p *Product) settle() {
	if p.Unit == "" {
		p.Unit = DefaultUnit
	}
	if p.Attributes == nil {
		p.Attributes = []Attribute{}
	}
}

func (p *Product) validate() error {
	var f problem.Fields
	p.Metadata.Validate("/metadata", &f)
	return f.Err()
}

// validateAttributes refuses two attributes of one name; at is the list's JSON pointer.
func validateAttributes(attributes []Attribute, at string, f *problem.Fields) {
	for i, a := range attributes {
		first := slices.IndexFunc(attributes, func(b Attribute) bool { return b.Name == a.Name })
		if first < i && a.Name != "" { // an empty one is in error already
			f.Add(problem.Join(problem.At(at, i), "name"), "not_unique", problem.T(
				"Outro atributo tem este nome.", "Another attribute has this name."))
		}
	}
}
