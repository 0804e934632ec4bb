package clients

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/brdoc"
	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// MaxAddresses is how many addresses a client may have.
const MaxAddresses = 20

// Address is a place of a client.
type Address struct {
	ID         uuid.UUID
	ClientID   uuid.UUID
	Kind       string
	IsDefault  bool
	Label      *string
	PostalCode string
	Street     string
	Number     *string
	Complement *string
	District   *string
	City       string
	State      string
	CityCode   *string
	Country    string
	ExternalID *string
	Metadata   meta.Map
	CreatedAt  time.Time
	UpdatedAt  time.Time
	Version    int64
}

// AddressChanges are the members of a PATCH of an address.
type AddressChanges struct {
	Kind       opt.Field[string]
	IsDefault  opt.Field[bool]
	Label      opt.Field[string]
	PostalCode opt.Field[string]
	Street     opt.Field[string]
	Number     opt.Field[string]
	Complement opt.Field[string]
	District   opt.Field[string]
	City       opt.Field[string]
	State      opt.Field[string]
	CityCode   opt.Field[string]
	Country    opt.Field[string]
	ExternalID opt.Field[string]
	Metadata   opt.Field[meta.Patch]
}

// AddressFilter selects the addresses of one client.
type AddressFilter struct {
	db.ListFilter
	ClientID uuid.UUID
	Kind     string
	Page     page.Request
}

func (a *Address) apply(ch AddressChanges) {
	opt.Assign(&a.Kind, ch.Kind, "other")
	opt.Assign(&a.IsDefault, ch.IsDefault, false)
	opt.Assign(&a.PostalCode, ch.PostalCode, "")
	opt.Assign(&a.Street, ch.Street, "")
	opt.Assign(&a.City, ch.City, "")
	opt.Assign(&a.State, ch.State, "")
	opt.Assign(&a.Country, ch.Country, "BR")
	a.Label = ch.Label.Or(a.Label)
	a.Number = ch.Number.Or(a.Number)
	a.Complement = ch.Complement.Or(a.Complement)
	a.District = ch.District.Or(a.District)
	a.CityCode = ch.CityCode.Or(a.CityCode)
	a.ExternalID = ch.ExternalID.Or(a.ExternalID)
	a.Metadata = a.Metadata.Change(ch.Metadata)
}

// validate checks what spans several members; at is the address's JSON pointer.
func (a *Address) validate(at string, f *problem.Fields) {
	if a.CityCode != nil && !brdoc.CityCodeMatches(brdoc.State(a.State), *a.CityCode) {
		f.Add(problem.Join(at, "city_code"), "city_code", problem.T(
			"O código do município não é do estado informado.", "The city code is not of the given state."))
	}
	a.Metadata.Validate(problem.Join(at, "metadata"), f)
}
