package clients

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

type addressInput struct {
	Kind       *string  `json:"kind" enum:"billing,shipping,service,other" doc:"other, se não vier."`
	IsDefault  bool     `json:"is_default" doc:"O padrão do seu tipo; o anterior deixa de ser."`
	Label      *string  `json:"label" maxLength:"60"`
	PostalCode string   `json:"postal_code" required:"true" minLength:"1" format:"cep"`
	Street     string   `json:"street" required:"true" minLength:"1" maxLength:"120"`
	Number     *string  `json:"number" maxLength:"20" doc:"S/N onde não há."`
	Complement *string  `json:"complement" maxLength:"60"`
	District   *string  `json:"district" maxLength:"60"`
	City       string   `json:"city" required:"true" minLength:"1" maxLength:"60"`
	State      string   `json:"state" required:"true" minLength:"1" format:"uf"`
	CityCode   *string  `json:"city_code" format:"city-code"`
	Country    *string  `json:"country" enum:"BR"`
	ExternalID *string  `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   meta.Map `json:"metadata"`
}

// Validate checks what spans several members.
func (in *addressInput) Validate(at string, f *problem.Fields) {
	a := in.toAddress()
	a.validate(at, f)
}

func (in addressInput) toAddress() Address {
	a := Address{
		Kind: "other", IsDefault: in.IsDefault, Label: in.Label, PostalCode: in.PostalCode, Street: in.Street, Number: in.Number,
		Complement: in.Complement, District: in.District, City: in.City, State: in.State, CityCode: in.CityCode, Country: "BR",
		ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
	if in.Kind != nil {
		a.Kind = *in.Kind
	}
	return a
}

type addressPatch struct {
	Kind       opt.Field[string]     `json:"kind" enum:"billing,shipping,service,other"`
	IsDefault  opt.Field[bool]       `json:"is_default"`
	Label      opt.Field[string]     `json:"label" maxLength:"60"`
	PostalCode opt.Field[string]     `json:"postal_code" required:"true" minLength:"1" format:"cep"`
	Street     opt.Field[string]     `json:"street" required:"true" minLength:"1" maxLength:"120"`
	Number     opt.Field[string]     `json:"number" maxLength:"20"`
	Complement opt.Field[string]     `json:"complement" maxLength:"60"`
	District   opt.Field[string]     `json:"district" maxLength:"60"`
	City       opt.Field[string]     `json:"city" required:"true" minLength:"1" maxLength:"60"`
	State      opt.Field[string]     `json:"state" required:"true" minLength:"1" format:"uf"`
	CityCode   opt.Field[string]     `json:"city_code" format:"city-code"`
	Country    opt.Field[string]     `json:"country" enum:"BR"`
	ExternalID opt.Field[string]     `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   opt.Field[meta.Patch] `json:"metadata"`
}

func (p addressPatch) toChanges() AddressChanges { return AddressChanges(p) }

type addressResponse struct {
	ID         uuid.UUID `json:"id"`
	ClientID   uuid.UUID `json:"client_id"`
	Kind       string    `json:"kind" enum:"billing,shipping,service,other"`
	IsDefault  bool      `json:"is_default"`
	Label      *string   `json:"label"`
	PostalCode string    `json:"postal_code"`
	Street     string    `json:"street"`
	Number     *string   `json:"number"`
	Complement *string   `json:"complement"`
	District   *string   `json:"district"`
	City       string    `json:"city"`
	State      string    `json:"state"`
	CityCode   *string   `json:"city_code"`
	Country    string    `json:"country"`
	ExternalID *string   `json:"external_id"`
	Metadata   meta.Map  `json:"metadata"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	Version    int64     `json:"version"`
}

// Location is the address's own path.
func (r addressResponse) Location() string {
	return base + "/" + r.ClientID.String() + "/addresses/" + r.ID.String()
}

// ObjectVersion is the address's version.
func (r addressResponse) ObjectVersion() int64 { return r.Version }

func toAddressResponse(a *Address) addressResponse {
	return addressResponse{
		ID: a.ID, ClientID: a.ClientID, Kind: a.Kind, IsDefault: a.IsDefault, Label: a.Label, PostalCode: a.PostalCode, Street: a.Street,
		Number: a.Number, Complement: a.Complement, District: a.District, City: a.City, State: a.State, CityCode: a.CityCode,
		Country: a.Country, ExternalID: a.ExternalID, Metadata: a.Metadata, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt, Version: a.Version,
	}
}

func toAddressResponses(list []Address) []addressResponse {
	responses := make([]addressResponse, len(list))
	for i := range list {
		responses[i] = toAddressResponse(&list[i])
	}
	return responses
}

type createAddressRequest struct {
	ID   uuid.UUID    `path:"id"`
	Body addressInput `body:"true"`
}

func (h handlers) createAddress(ctx context.Context, tx *db.Tx, req createAddressRequest) (addressResponse, error) {
	return respondAddress(h.service.CreateAddress(ctx, tx, req.ID, req.Body.toAddress()))
}

type listAddressesRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at"`
	ID                 uuid.UUID `path:"id"`
	Kind               string    `query:"kind" enum:"billing,shipping,service,other"`
}

func (h handlers) listAddresses(ctx context.Context, r db.Reader, req listAddressesRequest) (page.Result[addressResponse], error) {
	result, err := h.service.ListAddresses(ctx, r, AddressFilter{ListFilter: req.Filter(), ClientID: req.ID, Kind: req.Kind, Page: req.Page})
	return page.Map(result, func(a Address) addressResponse { return toAddressResponse(&a) }), err
}

type addressRequest struct {
	ID        uuid.UUID `path:"id"`
	AddressID uuid.UUID `path:"address_id"`
}

func (h handlers) getAddress(ctx context.Context, r db.Reader, req addressRequest) (addressResponse, error) {
	return respondAddress(h.service.GetAddress(ctx, r, req.ID, req.AddressID))
}

type updateAddressRequest struct {
	ID        uuid.UUID `path:"id"`
	AddressID uuid.UUID `path:"address_id"`
	IfMatch   etag.Match
	Body      addressPatch `body:"true"`
}

func (h handlers) updateAddress(ctx context.Context, tx *db.Tx, req updateAddressRequest) (addressResponse, error) {
	return respondAddress(h.service.UpdateAddress(ctx, tx, req.ID, req.AddressID, req.IfMatch, req.Body.toChanges()))
}

type deleteAddressRequest struct {
	ID        uuid.UUID `path:"id"`
	AddressID uuid.UUID `path:"address_id"`
	IfMatch   etag.Match
}

func (h handlers) deleteAddress(ctx context.Context, tx *db.Tx, req deleteAddressRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteAddress(ctx, tx, req.ID, req.AddressID, req.IfMatch)
}

func respondAddress(a *Address, err error) (addressResponse, error) {
	if err != nil {
		return addressResponse{}, err
	}
	return toAddressResponse(a), nil
}
