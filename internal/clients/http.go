package clients

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

const (
	base     = httpapi.PublicBase + "/clients"
	tag      = "Clientes"
	canRead  = "clients:read"
	canWrite = "clients:write"
)

// Routes returns the routes of clients and addresses.
func Routes(s *Service) []httpapi.Route {
	h := handlers{s}
	return append(clientRoutes(h), addressRoutes(h)...)
}

func clientRoutes(h handlers) []httpapi.Route {
	read, write := []string{canRead}, []string{canWrite}
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createClient", Method: http.MethodPost, Path: base, Tag: tag, Summary: "Cria um cliente", Scopes: write,
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"name": "Ana Souza", "email": "ana@example.com", "mobile": "(11) 91234-5678", "tags": ["vip"]}`},
		}, h.create),
		httpapi.List(httpapi.Op{ID: "listClients", Path: base, Tag: tag, Summary: "Lista clientes", Scopes: read}, h.list),
		httpapi.Read(httpapi.Op{ID: "getClient", Path: base + "/{id}", Tag: tag, Summary: "Consulta um cliente", Scopes: read}, h.get),
		httpapi.Write(httpapi.Op{
			ID: "updateClient", Method: http.MethodPatch, Path: base + "/{id}", Tag: tag, Summary: "Altera um cliente", Scopes: write,
			Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"notes": "Prefere contato por WhatsApp."}`},
		}, h.update),
		httpapi.Write(httpapi.Op{
			ID: "deleteClient", Method: http.MethodDelete, Path: base + "/{id}", Tag: tag, Summary: "Exclui um cliente sem referências",
			Scopes: write, Status: http.StatusNoContent, Errors: []string{"resource_in_use"},
		}, h.delete),
		httpapi.List(httpapi.Op{
			ID: "listClientHistory", Path: base + "/{id}/history", Tag: tag, Summary: "Lista as mudanças de situação de um cliente", Scopes: read,
		}, h.history),
		httpapi.Write(httpapi.Op{
			ID: "archiveClient", Method: http.MethodPost, Path: base + "/{id}/archive", Tag: tag, Summary: "Arquiva um cliente",
			Scopes: write, Errors: []string{"invalid_state"},
		}, h.archive),
		httpapi.Write(httpapi.Op{
			ID: "unarchiveClient", Method: http.MethodPost, Path: base + "/{id}/unarchive", Tag: tag, Summary: "Reativa um cliente arquivado",
			Scopes: write, Errors: []string{"invalid_state", "already_exists"},
		}, h.unarchive),
		httpapi.Write(httpapi.Op{
			ID: "anonymizeClient", Method: http.MethodPost, Path: base + "/{id}/anonymize", Tag: tag,
			Summary: "Remove para sempre os dados pessoais de um cliente", Scopes: write, Errors: []string{"resource_in_use"},
		}, h.anonymize),
	}
}

func addressRoutes(h handlers) []httpapi.Route {
	read, write := []string{canRead}, []string{canWrite}
	const path = base + "/{id}/addresses"
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createClientAddress", Method: http.MethodPost, Path: path, Tag: tag, Summary: "Cria um endereço do cliente",
			Scopes: write, Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"postal_code": "01310-100", "street": "Av. Paulista", "number": "1000", "city": "São Paulo", "state": "SP", "kind": "billing", "is_default": true}`},
		}, h.createAddress),
		httpapi.List(httpapi.Op{ID: "listClientAddresses", Path: path, Tag: tag, Summary: "Lista os endereços de um cliente", Scopes: read}, h.listAddresses),
		httpapi.Read(httpapi.Op{ID: "getClientAddress", Path: path + "/{address_id}", Tag: tag, Summary: "Consulta um endereço", Scopes: read}, h.getAddress),
		httpapi.Write(httpapi.Op{
			ID: "updateClientAddress", Method: http.MethodPatch, Path: path + "/{address_id}", Tag: tag, Summary: "Altera um endereço",
			Scopes: write, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"complement": "Sala 42"}`},
		}, h.updateAddress),
		httpapi.Write(httpapi.Op{
			ID: "deleteClientAddress", Method: http.MethodDelete, Path: path + "/{address_id}", Tag: tag, Summary: "Exclui um endereço",
			Scopes: write, Status: http.StatusNoContent, Errors: []string{"resource_in_use"},
		}, h.deleteAddress),
	}
}

type handlers struct{ service *Service }

type clientInput struct {
	Name                  string         `json:"name" required:"true" minLength:"1" maxLength:"120" doc:"Nome ou razão social."`
	Kind                  *string        `json:"kind" enum:"person,company" doc:"Pelo documento, se não vier; sem documento, pessoa."`
	Document              *string        `json:"document" format:"cpf-cnpj"`
	TradeName             *string        `json:"trade_name" maxLength:"120" doc:"Nome fantasia."`
	StateRegistration     *string        `json:"state_registration" format:"state-registration"`
	MunicipalRegistration *string        `json:"municipal_registration" maxLength:"20" doc:"Inscrição municipal."`
	Email                 *string        `json:"email" format:"email"`
	Phone                 *string        `json:"phone" format:"phone"`
	Mobile                *string        `json:"mobile" format:"phone"`
	BirthDate             *civil.Date    `json:"birth_date" doc:"Não pode estar no futuro."`
	Tags                  []string       `json:"tags" maxItems:"20" minLength:"1" maxLength:"40" unique:"true"`
	Notes                 *string        `json:"notes" maxLength:"5000"`
	ExternalID            *string        `json:"external_id" minLength:"1" maxLength:"64" doc:"O id no sistema do integrador; único na empresa."`
	Metadata              meta.Map       `json:"metadata"`
	Addresses             []addressInput `json:"addresses" maxItems:"20"`
}

// Validate refuses two defaults of one kind among the addresses.
func (in *clientInput) Validate(at string, f *problem.Fields) {
	defaults := map[string]bool{}
	for i := range in.Addresses {
		a := in.Addresses[i].toAddress()
		if a.IsDefault && defaults[a.Kind] {
			f.Add(problem.Join(problem.At(problem.Join(at, "addresses"), i), "is_default"), "second_default", problem.T(
				"Só um endereço de cada tipo pode ser o padrão.", "Only one address of each kind can be the default."))
		}
		defaults[a.Kind] = defaults[a.Kind] || a.IsDefault
	}
}

func (in clientInput) toClient() Client {
	c := Client{
		Name: in.Name, Document: in.Document, TradeName: in.TradeName, StateRegistration: in.StateRegistration,
		MunicipalRegistration: in.MunicipalRegistration, Email: in.Email, Phone: in.Phone, Mobile: in.Mobile, BirthDate: in.BirthDate,
		Tags: in.Tags, Notes: in.Notes, ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
	if in.Kind != nil {
		c.Kind = *in.Kind
	}
	for _, a := range in.Addresses {
		c.Addresses = append(c.Addresses, a.toAddress())
	}
	return c
}

type clientPatch struct {
	Name                  opt.Field[string]     `json:"name" required:"true" minLength:"1" maxLength:"120"`
	Kind                  opt.Field[string]     `json:"kind" enum:"person,company"`
	Document              opt.Field[string]     `json:"document" format:"cpf-cnpj"`
	TradeName             opt.Field[string]     `json:"trade_name" maxLength:"120"`
	StateRegistration     opt.Field[string]     `json:"state_registration" format:"state-registration"`
	MunicipalRegistration opt.Field[string]     `json:"municipal_registration" maxLength:"20"`
	Email                 opt.Field[string]     `json:"email" format:"email"`
	Phone                 opt.Field[string]     `json:"phone" format:"phone"`
	Mobile                opt.Field[string]     `json:"mobile" format:"phone"`
	BirthDate             opt.Field[civil.Date] `json:"birth_date"`
	Tags                  opt.Field[[]string]   `json:"tags" maxItems:"20" minLength:"1" maxLength:"40" unique:"true"`
	Notes                 opt.Field[string]     `json:"notes" maxLength:"5000"`
	ExternalID            opt.Field[string]     `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata              opt.Field[meta.Patch] `json:"metadata"`
}

func (p clientPatch) toChanges() Changes {
	return Changes(p)
}

type clientResponse struct {
	ID                    uuid.UUID         `json:"id"`
	Kind                  string            `json:"kind" enum:"person,company"`
	Name                  string            `json:"name"`
	Document              *string           `json:"document" doc:"CPF ou CNPJ, sem pontuação."`
	TradeName             *string           `json:"trade_name"`
	StateRegistration     *string           `json:"state_registration"`
	MunicipalRegistration *string           `json:"municipal_registration"`
	Email                 *string           `json:"email"`
	Phone                 *string           `json:"phone" doc:"E.164."`
	Mobile                *string           `json:"mobile" doc:"E.164."`
	BirthDate             *civil.Date       `json:"birth_date"`
	Tags                  []string          `json:"tags"`
	Notes                 *string           `json:"notes"`
	Status                string            `json:"status" enum:"active,archived"`
	Addresses             []addressResponse `json:"addresses"`
	ExternalID            *string           `json:"external_id"`
	Metadata              meta.Map          `json:"metadata"`
	CreatedAt             time.Time         `json:"created_at"`
	UpdatedAt             time.Time         `json:"updated_at"`
	Version               int64             `json:"version"`
}

// Location is the client's address.
func (r clientResponse) Location() string { return base + "/" + r.ID.String() }

// ObjectVersion is the client's version.
func (r clientResponse) ObjectVersion() int64 { return r.Version }

func toResponse(c *Client) clientResponse {
	return clientResponse{
		ID: c.ID, Kind: c.Kind, Name: c.Name, Document: c.Document, TradeName: c.TradeName, StateRegistration: c.StateRegistration,
		MunicipalRegistration: c.MunicipalRegistration, Email: c.Email, Phone: c.Phone, Mobile: c.Mobile, BirthDate: c.BirthDate,
		Tags: c.Tags, Notes: c.Notes, Status: c.Status, Addresses: toAddressResponses(c.Addresses), ExternalID: c.ExternalID,
		Metadata: c.Metadata, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, Version: c.Version,
	}
}

// Embedded is a client inside the response of another resource.
type Embedded = clientResponse

// Embed converts a client to be shown inside the response of another resource,
// to a caller who may read clients.
func Embed(c *Client) Embedded { return toResponse(c) }

type createClientRequest struct {
	Body clientInput `body:"true"`
}

func (h handlers) create(ctx context.Context, tx *db.Tx, req createClientRequest) (clientResponse, error) {
	return respond(h.service.Create(ctx, tx, req.Body.toClient()))
}

type listClientsRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at,name"`
	Status             string `query:"status" enum:"active,archived"`
	Document           string `query:"document" format:"cpf-cnpj"`
	Email              string `query:"email" maxLength:"254"`
	Tag                string `query:"tag" maxLength:"40"`
	Query              string `query:"q" maxLength:"100" doc:"Começo de palavras do nome, documento, e-mail ou telefone."`
}

func (h handlers) list(ctx context.Context, r db.Reader, req listClientsRequest) (page.Result[clientResponse], error) {
	result, err := h.service.List(ctx, r, Filter{
		ListFilter: req.Filter(), Status: req.Status, Document: req.Document, Email: req.Email,
		Tag: req.Tag, Query: req.Query, Page: req.Page,
	})
	return page.Map(result, func(c Client) clientResponse { return toResponse(&c) }), err
}

type clientRequest struct {
	ID uuid.UUID `path:"id"`
}

func (h handlers) get(ctx context.Context, r db.Reader, req clientRequest) (clientResponse, error) {
	return respond(h.service.Get(ctx, r, req.ID))
}

type updateClientRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    clientPatch `body:"true"`
}

func (h handlers) update(ctx context.Context, tx *db.Tx, req updateClientRequest) (clientResponse, error) {
	return respond(h.service.Update(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges()))
}

type deleteClientRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
}

func (h handlers) delete(ctx context.Context, tx *db.Tx, req deleteClientRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.Delete(ctx, tx, req.ID, req.IfMatch)
}

func (h handlers) archive(ctx context.Context, tx *db.Tx, req clientRequest) (clientResponse, error) {
	return respond(h.service.ChangeStatus(ctx, tx, req.ID, "archive"))
}

func (h handlers) unarchive(ctx context.Context, tx *db.Tx, req clientRequest) (clientResponse, error) {
	return respond(h.service.ChangeStatus(ctx, tx, req.ID, "unarchive"))
}

func (h handlers) anonymize(ctx context.Context, tx *db.Tx, req clientRequest) (clientResponse, error) {
	return respond(h.service.Anonymize(ctx, tx, req.ID))
}

type clientHistoryRequest struct {
	httpapi.PageParams
	ID uuid.UUID `path:"id"`
}

func (h handlers) history(ctx context.Context, r db.Reader, req clientHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	return httpapi.HistoryPage(h.service.History(ctx, r, req.ID, req.Page))
}

func respond(c *Client, err error) (clientResponse, error) {
	if err != nil {
		return clientResponse{}, err
	}
	return toResponse(c), nil
}
