package catalog

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

const (
	serviceBase      = httpapi.PublicBase + "/services"
	serviceTag       = "Serviços"
	canReadServices  = "services:read"
	canWriteServices = "services:write"
)

func serviceRoutes(h handlers) []httpapi.Route {
	read, write := []string{canReadServices}, []string{canWriteServices}
	const one = serviceBase + "/{id}"
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createService", Method: http.MethodPost, Path: serviceBase, Tag: serviceTag, Summary: "Cria um serviço", Scopes: write,
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"name": "Troca de óleo", "category_id": "{service_category}", "price_cents": 12000, "duration_minutes": 45, "service_code": "14.01"}`},
		}, h.createService),
		httpapi.List(httpapi.Op{ID: "listServices", Path: serviceBase, Tag: serviceTag, Summary: "Lista serviços", Scopes: read}, h.listServices),
		httpapi.Read(httpapi.Op{ID: "getService", Path: one, Tag: serviceTag, Summary: "Consulta um serviço", Scopes: read}, h.getService),
		httpapi.Write(httpapi.Op{
			ID: "updateService", Method: http.MethodPatch, Path: one, Tag: serviceTag, Summary: "Altera um serviço", Scopes: write,
			Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"price_cents": 13500, "category_id": "{service_category}"}`},
		}, h.updateService),
		httpapi.Write(httpapi.Op{
			ID: "deleteService", Method: http.MethodDelete, Path: one, Tag: serviceTag, Summary: "Exclui um serviço sem referências",
			Scopes: write, Status: http.StatusNoContent, Errors: []string{"resource_in_use"},
		}, h.deleteService),
		httpapi.List(httpapi.Op{
			ID: "listServiceHistory", Path: one + "/history", Tag: serviceTag, Summary: "Lista as mudanças de situação de um serviço", Scopes: read,
		}, h.serviceHistory),
		httpapi.Write(httpapi.Op{
			ID: "archiveService", Method: http.MethodPost, Path: one + "/archive", Tag: serviceTag, Summary: "Arquiva um serviço",
			Scopes: write, Errors: []string{"invalid_state"},
		}, h.archiveService),
		httpapi.Write(httpapi.Op{
			ID: "unarchiveService", Method: http.MethodPost, Path: one + "/unarchive", Tag: serviceTag, Summary: "Reativa um serviço arquivado",
			Scopes: write, Errors: []string{"invalid_state"},
		}, h.unarchiveService),
	}
}

type serviceInput struct {
	Name            string       `json:"name" required:"true" minLength:"1" maxLength:"120"`
	Description     *string      `json:"description" maxLength:"5000"`
	CategoryID      *uuid.UUID   `json:"category_id" doc:"Uma categoria de serviços."`
	PriceCents      money.Cents  `json:"price_cents" required:"true"`
	CostCents       *money.Cents `json:"cost_cents"`
	DurationMinutes *int         `json:"duration_minutes" minimum:"1" maximum:"1440"`
	ServiceCode     *string      `json:"service_code" minLength:"5" maxLength:"5" example:"14.01" doc:"Item da lista de serviços da LC 116/2003: dois dígitos, ponto, dois dígitos."`
	ExternalID      *string      `json:"external_id" minLength:"1" maxLength:"64" doc:"O id no sistema do integrador; único na empresa."`
	Metadata        meta.Map     `json:"metadata"`
}

// Validate checks the form of the service code.
func (in *serviceInput) Validate(at string, f *problem.Fields) {
	if in.ServiceCode != nil {
		validateServiceCode(*in.ServiceCode, problem.Join(at, "service_code"), f)
	}
}

func (in serviceInput) toService() ServiceItem {
	return ServiceItem{
		Record: Record{ExternalID: in.ExternalID, Metadata: in.Metadata},
		Name:   in.Name, Description: in.Description, CategoryID: in.CategoryID, PriceCents: in.PriceCents, CostCents: in.CostCents,
		DurationMinutes: in.DurationMinutes, ServiceCode: in.ServiceCode,
	}
}

type servicePatch struct {
	Name            opt.Field[string]      `json:"name" required:"true" minLength:"1" maxLength:"120"`
	Description     opt.Field[string]      `json:"description" maxLength:"5000"`
	CategoryID      opt.Field[uuid.UUID]   `json:"category_id"`
	PriceCents      opt.Field[money.Cents] `json:"price_cents" required:"true"`
	CostCents       opt.Field[money.Cents] `json:"cost_cents"`
	DurationMinutes opt.Field[int]         `json:"duration_minutes" minimum:"1" maximum:"1440"`
	ServiceCode     opt.Field[string]      `json:"service_code" minLength:"5" maxLength:"5"`
	ExternalID      opt.Field[string]      `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata        opt.Field[meta.Patch]  `json:"metadata"`
}

// Validate checks the form of the service code.
func (p *servicePatch) Validate(at string, f *problem.Fields) {
	if code, ok := p.ServiceCode.Value(); ok {
		validateServiceCode(code, problem.Join(at, "service_code"), f)
	}
}

func (p servicePatch) toChanges() ServiceItemChanges { return ServiceItemChanges(p) }

type serviceResponse struct {
	ID              uuid.UUID    `json:"id"`
	Name            string       `json:"name"`
	Description     *string      `json:"description"`
	CategoryID      *uuid.UUID   `json:"category_id"`
	PriceCents      money.Cents  `json:"price_cents"`
	CostCents       *money.Cents `json:"cost_cents"`
	DurationMinutes *int         `json:"duration_minutes"`
	ServiceCode     *string      `json:"service_code"`
	Status          string       `json:"status" enum:"active,archived"`
	ExternalID      *string      `json:"external_id"`
	Metadata        meta.Map     `json:"metadata"`
	CreatedAt       time.Time    `json:"created_at"`
	UpdatedAt       time.Time    `json:"updated_at"`
	Version         int64        `json:"version"`
}

// Location is the service's own path.
func (r serviceResponse) Location() string { return serviceBase + "/" + r.ID.String() }

// ObjectVersion is the service's version.
func (r serviceResponse) ObjectVersion() int64 { return r.Version }

func toServiceResponse(i *ServiceItem) serviceResponse {
	return serviceResponse{
		ID: i.ID, Name: i.Name, Description: i.Description, CategoryID: i.CategoryID, PriceCents: i.PriceCents, CostCents: i.CostCents,
		DurationMinutes: i.DurationMinutes, ServiceCode: i.ServiceCode, Status: i.Status, ExternalID: i.ExternalID,
		Metadata: i.Metadata, CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt, Version: i.Version,
	}
}

type createServiceRequest struct {
	Body serviceInput `body:"true"`
}

func (h handlers) createService(ctx context.Context, tx *db.Tx, req createServiceRequest) (serviceResponse, error) {
	i, err := h.service.CreateService(ctx, tx, req.Body.toService())
	return respond(i, err, toServiceResponse)
}

type listServicesRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at,name"`
	Status             string     `query:"status" enum:"active,archived"`
	CategoryID         *uuid.UUID `query:"category_id"`
	Query              string     `query:"q" maxLength:"100" doc:"Começo de palavras do nome."`
}

func (h handlers) listServices(ctx context.Context, r db.Reader, req listServicesRequest) (page.Result[serviceResponse], error) {
	result, err := h.service.ListServices(ctx, r, ServiceItemFilter{
		ListFilter: req.Filter(), Status: req.Status, CategoryID: req.CategoryID, Query: req.Query, Page: req.Page,
	})
	return page.Map(result, func(i ServiceItem) serviceResponse { return toServiceResponse(&i) }), err
}

func (h handlers) getService(ctx context.Context, r db.Reader, req recordRequest) (serviceResponse, error) {
	i, err := h.service.GetService(ctx, r, req.ID)
	return respond(i, err, toServiceResponse)
}

type updateServiceRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    servicePatch `body:"true"`
}

func (h handlers) updateService(ctx context.Context, tx *db.Tx, req updateServiceRequest) (serviceResponse, error) {
	i, err := h.service.UpdateService(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges())
	return respond(i, err, toServiceResponse)
}

func (h handlers) deleteService(ctx context.Context, tx *db.Tx, req recordWriteRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteService(ctx, tx, req.ID, req.IfMatch)
}

func (h handlers) archiveService(ctx context.Context, tx *db.Tx, req recordRequest) (serviceResponse, error) {
	i, err := h.service.ChangeServiceStatus(ctx, tx, req.ID, "archive")
	return respond(i, err, toServiceResponse)
}

func (h handlers) unarchiveService(ctx context.Context, tx *db.Tx, req recordRequest) (serviceResponse, error) {
	i, err := h.service.ChangeServiceStatus(ctx, tx, req.ID, "unarchive")
	return respond(i, err, toServiceResponse)
}

func (h handlers) serviceHistory(ctx context.Context, r db.Reader, req recordHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	return httpapi.HistoryPage(h.service.ServiceHistory(ctx, r, req.ID, req.Page))
}
