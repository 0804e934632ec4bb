package catalog

import (
	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/search"
)

// ServiceItem is a service that the tenant sells; Service is this package's rules.
type ServiceItem struct {
	Record          `gorm:"embedded"`
	Name            string
	Description     *string
	CategoryID      *uuid.UUID
	PriceCents      money.Cents
	CostCents       *money.Cents
	DurationMinutes *int
	ServiceCode     *string // of the list of Lei Complementar 116/2003, such as 14.01
	Status          string
}

// ServiceItemChanges are the members of a PATCH of a service.
type ServiceItemChanges struct {
	Name            opt.Field[string]
	Description     opt.Field[string]
	CategoryID      opt.Field[uuid.UUID]
	PriceCents      opt.Field[money.Cents]
	CostCents       opt.Field[money.Cents]
	DurationMinutes opt.Field[int]
	ServiceCode     opt.Field[string]
	ExternalID      opt.Field[string]
	Metadata        opt.Field[meta.Patch]
}

// ServiceItemFilter selects services of a list; empty fields select all.
type ServiceItemFilter struct {
	db.ListFilter
	Status     string
	CategoryID *uuid.UUID
	Query      string
	Page       page.Request
}

func (i *ServiceItem) apply(ch ServiceItemChanges) {
	opt.Assign(&i.Name, ch.Name, "")
	opt.Assign(&i.PriceCents, ch.PriceCents, 0)
	i.Description = ch.Description.Or(i.Description)
	i.CategoryID = ch.CategoryID.Or(i.CategoryID)
	i.CostCents = ch.CostCents.Or(i.CostCents)
	i.DurationMinutes = ch.DurationMinutes.Or(i.DurationMinutes)
	i.ServiceCode = ch.ServiceCode.Or(i.ServiceCode)
	i.ExternalID = ch.ExternalID.Or(i.ExternalID)
	i.Metadata = i.Metadata.Change(ch.Metadata)
}

func (i *ServiceItem) validate() error {
	var f problem.Fields
	i.Metadata.Validate("/metadata", &f)
	return f.Err()
}

// validateServiceCode wants the two pairs of digits of an item of the list.
func validateServiceCode(code, at string, f *problem.Fields) {
	digits := func(s string) bool { return s[0] >= '0' && s[0] <= '9' && s[1] >= '0' && s[1] <= '9' }
	if len(code) != len("14.01") || code[2] != '.' || !digits(code[:2]) || !digits(code[3:]) {
		f.Add(at, "service_code", problem.T(
			"Informe o item da lista da LC 116, como 14.01.", "Give the item of the LC 116 list, such as 14.01."))
	}
}

// tokens are the words by which the service is found.
func (i *ServiceItem) tokens() []string { return search.Words(i.Name) }
