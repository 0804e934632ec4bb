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
	set(&a.Kind, ch.Kind, "other")
	set(&a.IsDefault, ch.IsDefault, false)
	set(&a.PostalCode, ch.PostalCode, "")
	set(&a.Street, ch.Street, "")
	set(&a.City, ch.City, "")
	set(&a.State, ch.State, "")
	set(&a.Country, ch.Country, "BR")
	a.Label = ch.Label.Or(a.Label)
	a.Number = ch.Number.Or(a.Number)
	a.Complement = ch.Complement.Or(a.Complement)
	a.District = ch.District.Or(a.District)
	a.CityCode = ch.CityCode.Or(a.CityCode)
	a.ExternalID = ch.ExternalID.Or(a.ExternalID)
	if patch, ok := ch.Metadata.Value(); ok {
		a.Metadata = a.Metadata.Apply(patch)
	} else if ch.Metadata.IsNull() {
		a.Metadata = meta.Map{}
	}
}

// set changes a member that always has a value: null gives it its default.
func set[T any](member *T, f opt.Field[T], fallback T) {
	if v, ok := f.Value(); ok {
		*member = v
	} else if f.IsNull() {
		*member = fallback
	}
}

// validate checks what spans several members; at is the address's JSON pointer.
func (a *Address) validate(at string, f *problem.Fields) {
	if a.CityCode != nil && !brdoc.CityCodeMatches(brdoc.State(a.State), *a.CityCode) {
		f.Add(problem.Join(at, "city_code"), "city_code", problem.T(
			"O código do município não é do estado informado.", "The city code is not of the given state."))
	}
	if len(a.Metadata) > meta.MaxPairs {
		f.Add(problem.Join(at, "metadata"), "too_many_items", problem.Tf("O máximo é de %d pares.", "The maximum is %d pairs.", meta.MaxPairs))
	}
}
