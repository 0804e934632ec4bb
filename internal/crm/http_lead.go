package crm

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

const (
	leadsBase    = httpapi.PublicBase + "/leads"
	leadsTag     = "Leads"
	leadsRead    = "leads:read"
	leadsWrite   = "leads:write"
	clientsBase  = httpapi.PublicBase + "/clients"
	clientsRead  = "clients:read"
	clientsWrite = "clients:write"
)

func leadRoutes(h handlers) []httpapi.Route {
	read, write := []string{leadsRead}, []string{leadsWrite}
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createLead", Method: http.MethodPost, Path: leadsBase, Tag: leadsTag, Summary: "Cria um lead", Scopes: write,
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"name": "Bruno Lima", "phone": "(11) 91234-5678", "company_name": "Lima Reformas", "source": "Instagram", "interest": "Revisão da frota", "estimated_value_cents": 450000, "assignee_member_id": "{member}"}`},
		}, h.createLead),
		httpapi.List(httpapi.Op{ID: "listLeads", Path: leadsBase, Tag: leadsTag, Summary: "Lista leads", Scopes: read}, h.listLeads),
		httpapi.Read(httpapi.Op{ID: "getLead", Path: leadsBase + "/{id}", Tag: leadsTag, Summary: "Consulta um lead", Scopes: read}, h.getLead),
		httpapi.Write(httpapi.Op{
			ID: "updateLead", Method: http.MethodPatch, Path: leadsBase + "/{id}", Tag: leadsTag,
			Summary: "Altera um lead; depois de convertido ou perdido, só notes, metadata e external_id", Scopes: write,
			Body: httpapi.BodyRequired, Errors: []string{"already_exists", "invalid_state"},
			Example: httpapi.Example{Body: `{"notes": "Pediu retorno na sexta.", "assignee_member_id": "{member}"}`},
		}, h.updateLead),
		httpapi.Write(httpapi.Op{
			ID: "deleteLead", Method: http.MethodDelete, Path: leadsBase + "/{id}", Tag: leadsTag, Summary: "Exclui um lead sem referências",
			Scopes: write, Status: http.StatusNoContent, Errors: []string{"resource_in_use"},
		}, h.deleteLead),
		httpapi.List(httpapi.Op{
			ID: "listLeadHistory", Path: leadsBase + "/{id}/history", Tag: leadsTag, Summary: "Lista as mudanças de situação de um lead", Scopes: read,
		}, h.leadHistory),
		httpapi.Write(httpapi.Op{
			ID: "changeLeadStatus", Method: http.MethodPost, Path: leadsBase + "/{id}/status", Tag: leadsTag, Summary: "Muda a situação de um lead",
			Scopes: write, Body: httpapi.BodyRequired, Errors: []string{"invalid_state"},
			Example: httpapi.Example{Body: `{"status": "lost", "lost_reason": "Fechou com outra oficina."}`},
		}, h.changeLeadStatus),
		httpapi.Write(httpapi.Op{
			ID: "convertLead", Method: http.MethodPost, Path: leadsBase + "/{id}/convert", Tag: leadsTag,
			Summary: "Converte um lead aberto em cliente, novo ou já cadastrado", Scopes: []string{leadsWrite, clientsWrite},
			Body: httpapi.BodyOptional, Located: true, Errors: []string{"invalid_state"},
			Example: httpapi.Example{Body: `{"client_id": "{client}"}`},
		}, h.convertLead),
	}
}

type leadInput struct {
	Name                string       `json:"name" required:"true" minLength:"1" maxLength:"120"`
	Email               *string      `json:"email" format:"email"`
	Phone               *string      `json:"phone" format:"phone"`
	CompanyName         *string      `json:"company_name" maxLength:"120"`
	Source              *string      `json:"source" maxLength:"60" doc:"De onde veio."`
	Interest            *string      `json:"interest" maxLength:"500"`
	EstimatedValueCents *money.Cents `json:"estimated_value_cents" doc:"Centavos de real."`
	AssigneeMemberID    *uuid.UUID   `json:"assignee_member_id" doc:"Um membro ativo."`
	Notes               *string      `json:"notes" maxLength:"5000"`
	ExternalID          *string      `json:"external_id" minLength:"1" maxLength:"64" doc:"O id no sistema do integrador; único entre os leads da empresa."`
	Metadata            meta.Map     `json:"metadata"`
}

func (in leadInput) toLead() Lead {
	return Lead{
		Name: in.Name, Email: in.Email, Phone: in.Phone, CompanyName: in.CompanyName, Source: in.Source, Interest: in.Interest,
		EstimatedValueCents: in.EstimatedValueCents, AssigneeMemberID: in.AssigneeMemberID, Notes: in.Notes,
		ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
}

type leadPatch struct {
	Name                opt.Field[string]      `json:"name" required:"true" minLength:"1" maxLength:"120"`
	Email               opt.Field[string]      `json:"email" format:"email"`
	Phone               opt.Field[string]      `json:"phone" format:"phone"`
	CompanyName         opt.Field[string]      `json:"company_name" maxLength:"120"`
	Source              opt.Field[string]      `json:"source" maxLength:"60"`
	Interest            opt.Field[string]      `json:"interest" maxLength:"500"`
	EstimatedValueCents opt.Field[money.Cents] `json:"estimated_value_cents"`
	AssigneeMemberID    opt.Field[uuid.UUID]   `json:"assignee_member_id"`
	Notes               opt.Field[string]      `json:"notes" maxLength:"5000"`
	ExternalID          opt.Field[string]      `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata            opt.Field[meta.Patch]  `json:"metadata"`
}

func (p leadPatch) toChanges() LeadChanges { return LeadChanges(p) }

type leadStatusInput struct {
	Status     string  `json:"status" required:"true" enum:"new,contacted,qualified,converted,lost" doc:"converted só por POST /leads/{id}/convert."`
	LostReason *string `json:"lost_reason" minLength:"1" maxLength:"500" doc:"Obrigatório com lost, e só com ele."`
}

type convertLeadInput struct {
	ClientID *uuid.UUID `json:"client_id" doc:"Um cliente já cadastrado; sem ele, é criado um com os dados do lead."`
}

type leadResponse struct {
	ID                  uuid.UUID    `json:"id"`
	Name                string       `json:"name"`
	Email               *string      `json:"email"`
	Phone               *string      `json:"phone" doc:"E.164."`
	CompanyName         *string      `json:"company_name"`
	Source              *string      `json:"source"`
	Interest            *string      `json:"interest"`
	EstimatedValueCents *money.Cents `json:"estimated_value_cents"`
	AssigneeMemberID    *uuid.UUID   `json:"assignee_member_id"`
	Notes               *string      `json:"notes"`
	Status              string       `json:"status" enum:"new,contacted,qualified,converted,lost"`
	LostReason          *string      `json:"lost_reason"`
	ClientID            *uuid.UUID   `json:"client_id" doc:"O cliente em que o lead se converteu."`
	ExternalID          *string      `json:"external_id"`
	Metadata            meta.Map     `json:"metadata"`
	CreatedAt           time.Time    `json:"created_at"`
	UpdatedAt           time.Time    `json:"updated_at"`
	Version             int64        `json:"version"`
}

// Location is the lead's path.
func (r leadResponse) Location() string { return leadsBase + "/" + r.ID.String() }

// ObjectVersion is the lead's version.
func (r leadResponse) ObjectVersion() int64 { return r.Version }

func toLeadResponse(l *Lead) leadResponse {
	return leadResponse{
		ID: l.ID, Name: l.Name, Email: l.Email, Phone: l.Phone, CompanyName: l.CompanyName, Source: l.Source, Interest: l.Interest,
		EstimatedValueCents: l.EstimatedValueCents, AssigneeMemberID: l.AssigneeMemberID, Notes: l.Notes, Status: l.Status,
		LostReason: l.LostReason, ClientID: l.ClientID, ExternalID: l.ExternalID, Metadata: l.Metadata,
		CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt, Version: l.Version,
	}
}

// convertedLeadResponse is a lead with the client that it has become.
type convertedLeadResponse struct {
	leadResponse
	Client  *clients.Embedded `json:"client,omitempty" doc:"Só com a permissão clients:read."`
	Omitted []string          `json:"omitted,omitempty" doc:"O que falta por falta de permissão."`
}

// Location is the client's path.
func (r convertedLeadResponse) Location() string { return clientsBase + "/" + r.ClientID.String() }

type createLeadRequest struct {
	Body leadInput `body:"true"`
}

func (h handlers) createLead(ctx context.Context, tx *db.Tx, req createLeadRequest) (leadResponse, error) {
	return respondLead(h.service.CreateLead(ctx, tx, req.Body.toLead()))
}

type listLeadsRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at"`
	Status             string     `query:"status" enum:"new,contacted,qualified,converted,lost"`
	AssigneeMemberID   *uuid.UUID `query:"assignee_member_id"`
	Query              string     `query:"q" maxLength:"100" doc:"Começo de palavras do nome, empresa, e-mail ou telefone."`
}

func (h handlers) listLeads(ctx context.Context, r db.Reader, req listLeadsRequest) (page.Result[leadResponse], error) {
	result, err := h.service.ListLeads(ctx, r, LeadFilter{
		ListFilter: req.Filter(), Status: req.Status, AssigneeMemberID: req.AssigneeMemberID, Query: req.Query, Page: req.Page,
	})
	return page.Map(result, func(l Lead) leadResponse { return toLeadResponse(&l) }), err
}

func (h handlers) getLead(ctx context.Context, r db.Reader, req recordRequest) (leadResponse, error) {
	return respondLead(h.service.GetLead(ctx, r, req.ID))
}

type updateLeadRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    leadPatch `body:"true"`
}

func (h handlers) updateLead(ctx context.Context, tx *db.Tx, req updateLeadRequest) (leadResponse, error) {
	return respondLead(h.service.UpdateLead(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges()))
}

func (h handlers) deleteLead(ctx context.Context, tx *db.Tx, req deleteRecordRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteLead(ctx, tx, req.ID, req.IfMatch)
}

func (h handlers) leadHistory(ctx context.Context, r db.Reader, req recordHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	return httpapi.HistoryPage(h.service.LeadHistory(ctx, r, req.ID, req.Page))
}

type changeLeadStatusRequest struct {
	ID   uuid.UUID       `path:"id"`
	Body leadStatusInput `body:"true"`
}

func (h handlers) changeLeadStatus(ctx context.Context, tx *db.Tx, req changeLeadStatusRequest) (leadResponse, error) {
	return respondLead(h.service.ChangeLeadStatus(ctx, tx, req.ID, LeadStatusChange(req.Body)))
}

type convertLeadRequest struct {
	ID   uuid.UUID        `path:"id"`
	Body convertLeadInput `body:"true"`
}

func (h handlers) convertLead(ctx context.Context, tx *db.Tx, req convertLeadRequest) (convertedLeadResponse, error) {
	l, err := h.service.ConvertLead(ctx, tx, req.ID, req.Body.ClientID)
	if err != nil {
		return convertedLeadResponse{}, err
	}
	response := convertedLeadResponse{leadResponse: toLeadResponse(l)}
	if !auth.CallerFrom(ctx).May(clientsRead) {
		response.Omitted = []string{"client"}
		return response, nil
	}
	c, err := h.service.ClientOfLead(ctx, tx, l)
	if err != nil {
		return convertedLeadResponse{}, err
	}
	embedded := clients.Embed(c)
	response.Client = &embedded
	return response, nil
}

func respondLead(l *Lead, err error) (leadResponse, error) {
	if err != nil {
		return leadResponse{}, err
	}
	return toLeadResponse(l), nil
}
