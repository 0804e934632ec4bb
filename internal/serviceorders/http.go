package serviceorders

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/sales"
)

const (
	base     = httpapi.PublicBase + "/service_orders"
	tag      = "Ordens de serviço"
	canRead  = "service_orders:read"
	canWrite = "service_orders:write"
)

const orderExample = `{"client_id": "{client}", "title": "Revisão do ar-condicionado", "priority": "high",
	"equipment": {"name": "Ar-condicionado", "brand": "Fria", "model": "12000 BTU"}, "scheduled_start": "2030-01-15T09:00:00-03:00",
	"items": [{"kind": "custom", "description": "Mão de obra", "quantity": "2", "unit_price_cents": 12000}]}`

// Routes returns the routes of service orders.
func Routes(s *Service) []httpapi.Route {
	h := handlers{s}
	return append(recordRoutes(h), actionRoutes(h)...)
}

func recordRoutes(h handlers) []httpapi.Route {
	read, write := []string{canRead}, []string{canWrite}
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createServiceOrder", Method: http.MethodPost, Path: base, Tag: tag, Summary: "Cria uma ordem de serviço", Scopes: write,
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: orderExample},
		}, h.create),
		httpapi.Write(httpapi.Op{
			ID: "createServiceOrderFromQuote", Method: http.MethodPost, Path: base + "/from_quote", Tag: tag,
			Summary: "Cria a ordem de serviço de um orçamento aprovado", Scopes: []string{canWrite, "quotes:read"},
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"invalid_state"},
			Example: httpapi.Example{Body: `{"quote_id": "{approved_quote}"}`},
		}, h.createFromQuote),
		httpapi.List(httpapi.Op{ID: "listServiceOrders", Path: base, Tag: tag, Summary: "Lista ordens de serviço", Scopes: read}, h.list),
		httpapi.Read(httpapi.Op{ID: "getServiceOrder", Path: base + "/{id}", Tag: tag, Summary: "Consulta uma ordem de serviço", Scopes: read}, h.get),
		httpapi.Write(httpapi.Op{
			ID: "updateServiceOrder", Method: http.MethodPatch, Path: base + "/{id}", Tag: tag, Summary: "Altera uma ordem de serviço", Scopes: write,
			Body: httpapi.BodyRequired, Errors: []string{"already_exists", "invalid_state", "conflict"},
			Example: httpapi.Example{Body: `{"description": "Trocar o filtro também."}`},
		}, h.update),
		httpapi.List(httpapi.Op{
			ID: "listServiceOrderHistory", Path: base + "/{id}/history", Tag: tag,
			Summary: "Lista as mudanças de situação de uma ordem de serviço", Scopes: read,
		}, h.history),
	}
}

func actionRoutes(h handlers) []httpapi.Route {
	action := func(id, name, summary, example string) httpapi.Op {
		op := httpapi.Op{
			ID: id, Method: http.MethodPost, Path: base + "/{id}/" + name, Tag: tag, Summary: summary,
			Scopes: []string{canWrite}, Errors: []string{"invalid_state"}, Example: httpapi.Example{Body: example},
		}
		if example != "" {
			op.Body = httpapi.BodyRequired
		}
		return op
	}
	complete := action("completeServiceOrder", actionComplete, "Conclui o serviço", `{"completion_notes": "Filtro trocado."}`)
	complete.Body = httpapi.BodyOptional
	cancel := action("cancelServiceOrder", actionCancel, "Cancela uma ordem de serviço", `{"reason": "Cliente viajou"}`)
	cancel.Errors = []string{"invalid_state", "conflict"}
	convert := action("convertServiceOrderToSale", actionConvert, "Fatura uma ordem de serviço: cria a venda", "")
	convert.Scopes = []string{canWrite, "sales:write"}
	convert.Status, convert.Errors = http.StatusCreated, []string{"invalid_state", "conflict"}
	return []httpapi.Route{
		httpapi.Write(action("changeServiceOrderStatus", actionStatus, "Move entre aberta e em andamento, ou muda a situação própria da empresa",
			`{"status": "in_progress", "custom_status": "Aguardando peça"}`), h.changeStatus),
		httpapi.Write(action("startServiceOrder", actionStart, "Começa o serviço", ""), h.start),
		httpapi.Write(complete, h.complete),
		httpapi.Write(cancel, h.cancel),
		httpapi.Write(convert, h.convert),
	}
}

type handlers struct{ service *Service }

type serviceOrderInput struct {
	ClientID         uuid.UUID            `json:"client_id" required:"true"`
	AddressID        *uuid.UUID           `json:"address_id" doc:"Um endereço do cliente."`
	Title            string               `json:"title" required:"true" minLength:"1" maxLength:"200"`
	Description      *string              `json:"description" maxLength:"5000"`
	Equipment        *equipmentInput      `json:"equipment"`
	Items            []document.LineInput `json:"items" maxItems:"500"`
	AssigneeMemberID *uuid.UUID           `json:"assignee_member_id"`
	ScheduledStart   *time.Time           `json:"scheduled_start"`
	ScheduledEnd     *time.Time           `json:"scheduled_end"`
	Priority         *string              `json:"priority" enum:"low,normal,high"`
	CustomStatus     *string              `json:"custom_status" minLength:"1" maxLength:"60" doc:"Uma situação própria da empresa."`
	document.ChargesInput
	Notes      *string  `json:"notes" maxLength:"5000"`
	ExternalID *string  `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   meta.Map `json:"metadata"`
}

type equipmentInput Equipment

func (in *serviceOrderInput) toOrder() Order {
	return Order{
		ClientID: in.ClientID, AddressID: in.AddressID, Title: in.Title, Description: in.Description, Equipment: (*Equipment)(in.Equipment),
		AssigneeMemberID: in.AssigneeMemberID, ScheduledStart: in.ScheduledStart, ScheduledEnd: in.ScheduledEnd,
		Priority: opt.OrZero(in.Priority), CustomStatus: in.CustomStatus, Notes: in.Notes, ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
}

type serviceOrderPatch struct {
	ClientID         opt.Field[uuid.UUID]            `json:"client_id" required:"true"`
	AddressID        opt.Field[uuid.UUID]            `json:"address_id"`
	Title            opt.Field[string]               `json:"title" required:"true" minLength:"1" maxLength:"200"`
	Description      opt.Field[string]               `json:"description" maxLength:"5000"`
	Equipment        opt.Field[equipmentInput]       `json:"equipment" doc:"Substitui por inteiro."`
	Items            opt.Field[[]document.LineInput] `json:"items" maxItems:"500" doc:"Substitui todos."`
	AssigneeMemberID opt.Field[uuid.UUID]            `json:"assignee_member_id"`
	ScheduledStart   opt.Field[time.Time]            `json:"scheduled_start"`
	ScheduledEnd     opt.Field[time.Time]            `json:"scheduled_end"`
	Priority         opt.Field[string]               `json:"priority" enum:"low,normal,high"`
	CustomStatus     opt.Field[string]               `json:"custom_status" minLength:"1" maxLength:"60"`
	document.ChargesPatch
	Notes      opt.Field[string]     `json:"notes" maxLength:"5000"`
	ExternalID opt.Field[string]     `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   opt.Field[meta.Patch] `json:"metadata"`
}

func (p *serviceOrderPatch) toChanges() Changes {
	return Changes{
		ClientID: p.ClientID, AddressID: p.AddressID, Title: p.Title, Description: p.Description,
		Equipment:        opt.Map(p.Equipment, func(in equipmentInput) Equipment { return Equipment(in) }),
		AssigneeMemberID: p.AssigneeMemberID, ScheduledStart: p.ScheduledStart, ScheduledEnd: p.ScheduledEnd, Priority: p.Priority,
		CustomStatus: p.CustomStatus, Notes: p.Notes, Content: p.ToChanges(p.Items), ExternalID: p.ExternalID, Metadata: p.Metadata,
	}
}

type fromQuoteInput struct {
	QuoteID uuid.UUID `json:"quote_id" required:"true" doc:"Um orçamento aprovado."`
}

type serviceOrderStatusInput struct {
	Status       *string           `json:"status" enum:"open,in_progress"`
	CustomStatus opt.Field[string] `json:"custom_status" minLength:"1" maxLength:"60"`
}

type completionInput struct {
	CompletionNotes *string `json:"completion_notes" maxLength:"5000"`
}

type serviceOrderCancelInput struct {
	Reason string `json:"reason" required:"true" minLength:"1" maxLength:"500"`
}

type serviceOrderResponse struct {
	ID               uuid.UUID          `json:"id"`
	Number           int64              `json:"number"`
	Status           string             `json:"status" enum:"open,in_progress,completed,cancelled"`
	CustomStatus     *string            `json:"custom_status"`
	ClientID         uuid.UUID          `json:"client_id"`
	AddressID        *uuid.UUID         `json:"address_id"`
	QuoteID          *uuid.UUID         `json:"quote_id"`
	SaleID           *uuid.UUID         `json:"sale_id" doc:"A venda em vigor que a fatura."`
	Title            string             `json:"title"`
	Description      *string            `json:"description"`
	Equipment        *equipmentResponse `json:"equipment"`
	AssigneeMemberID *uuid.UUID         `json:"assignee_member_id"`
	ScheduledStart   *time.Time         `json:"scheduled_start"`
	ScheduledEnd     *time.Time         `json:"scheduled_end"`
	Priority         string             `json:"priority" enum:"low,normal,high"`
	StartedAt        *time.Time         `json:"started_at"`
	CompletedAt      *time.Time         `json:"completed_at"`
	CompletionNotes  *string            `json:"completion_notes"`
	CancelReason     *string            `json:"cancel_reason"`
	document.ContentResponse
	Notes      *string   `json:"notes"`
	ExternalID *string   `json:"external_id"`
	Metadata   meta.Map  `json:"metadata"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	Version    int64     `json:"version"`
}

type equipmentResponse Equipment

// Location is the order's address.
func (r serviceOrderResponse) Location() string { return base + "/" + r.ID.String() }

// ObjectVersion is the order's version.
func (r serviceOrderResponse) ObjectVersion() int64 { return r.Version }

func toResponse(o *Order) serviceOrderResponse {
	return serviceOrderResponse{
		ID: o.ID, Number: o.Number, Status: o.Status, CustomStatus: o.CustomStatus, ClientID: o.ClientID, AddressID: o.AddressID,
		QuoteID: o.QuoteID, SaleID: o.SaleID, Title: o.Title, Description: o.Description, Equipment: (*equipmentResponse)(o.Equipment),
		AssigneeMemberID: o.AssigneeMemberID, ScheduledStart: o.ScheduledStart, ScheduledEnd: o.ScheduledEnd, Priority: o.Priority,
		StartedAt: o.StartedAt, CompletedAt: o.CompletedAt, CompletionNotes: o.CompletionNotes, CancelReason: o.CancelReason,
		ContentResponse: document.ToContentResponse(&o.Content), Notes: o.Notes, ExternalID: o.ExternalID, Metadata: o.Metadata,
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt, Version: o.Version,
	}
}

func respond(o *Order, err error) (serviceOrderResponse, error) {
	if err != nil {
		return serviceOrderResponse{}, err
	}
	return toResponse(o), nil
}

type createServiceOrderRequest struct {
	Body serviceOrderInput `body:"true"`
}

func (h handlers) create(ctx context.Context, tx *db.Tx, req createServiceOrderRequest) (serviceOrderResponse, error) {
	return respond(h.service.Create(ctx, tx, req.Body.toOrder(), req.Body.ToDraft(req.Body.Items)))
}

type fromQuoteRequest struct {
	Body fromQuoteInput `body:"true"`
}

func (h handlers) createFromQuote(ctx context.Context, tx *db.Tx, req fromQuoteRequest) (serviceOrderResponse, error) {
	return respond(h.service.CreateFromQuote(ctx, tx, req.Body.QuoteID))
}

type listServiceOrdersRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at,number"`
	Status             string     `query:"status" enum:"open,in_progress,completed,cancelled"`
	ClientID           *uuid.UUID `query:"client_id"`
	QuoteID            *uuid.UUID `query:"quote_id"`
	Number             int64      `query:"number" minimum:"1"`
	Query              string     `query:"q" maxLength:"100" doc:"Número, ou começo de palavras do nome do cliente."`
}

func (h handlers) list(ctx context.Context, r db.Reader, req listServiceOrdersRequest) (page.Result[serviceOrderResponse], error) {
	result, err := h.service.List(ctx, r, Filter{
		ListFilter: req.Filter(), Status: req.Status, ClientID: req.ClientID, QuoteID: req.QuoteID, Number: req.Number, Query: req.Query, Page: req.Page,
	})
	return page.Map(result, func(o Order) serviceOrderResponse { return toResponse(&o) }), err
}

type serviceOrderRequest struct {
	ID uuid.UUID `path:"id"`
}

func (h handlers) get(ctx context.Context, r db.Reader, req serviceOrderRequest) (serviceOrderResponse, error) {
	return respond(h.service.Get(ctx, r, req.ID))
}

type updateServiceOrderRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    serviceOrderPatch `body:"true"`
}

func (h handlers) update(ctx context.Context, tx *db.Tx, req updateServiceOrderRequest) (serviceOrderResponse, error) {
	return respond(h.service.Update(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges()))
}

type serviceOrderHistoryRequest struct {
	httpapi.PageParams
	ID uuid.UUID `path:"id"`
}

func (h handlers) history(ctx context.Context, r db.Reader, req serviceOrderHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	result, err := h.service.History(ctx, r, req.ID, req.Page)
	return page.Map(result, httpapi.ToHistoryEntry), err
}

type serviceOrderStatusRequest struct {
	ID   uuid.UUID               `path:"id"`
	Body serviceOrderStatusInput `body:"true"`
}

func (h handlers) changeStatus(ctx context.Context, tx *db.Tx, req serviceOrderStatusRequest) (serviceOrderResponse, error) {
	return respond(h.service.ChangeStatus(ctx, tx, req.ID, StatusChange(req.Body)))
}

func (h handlers) start(ctx context.Context, tx *db.Tx, req serviceOrderRequest) (serviceOrderResponse, error) {
	return respond(h.service.Start(ctx, tx, req.ID))
}

type completeServiceOrderRequest struct {
	ID   uuid.UUID       `path:"id"`
	Body completionInput `body:"true"`
}

func (h handlers) complete(ctx context.Context, tx *db.Tx, req completeServiceOrderRequest) (serviceOrderResponse, error) {
	return respond(h.service.Complete(ctx, tx, req.ID, req.Body.CompletionNotes))
}

type cancelServiceOrderRequest struct {
	ID   uuid.UUID               `path:"id"`
	Body serviceOrderCancelInput `body:"true"`
}

func (h handlers) cancel(ctx context.Context, tx *db.Tx, req cancelServiceOrderRequest) (serviceOrderResponse, error) {
	return respond(h.service.Cancel(ctx, tx, req.ID, req.Body.Reason))
}

func (h handlers) convert(ctx context.Context, tx *db.Tx, req serviceOrderRequest) (sales.SaleResponse, error) {
	sale, err := h.service.Convert(ctx, tx, req.ID)
	return h.service.sales.Respond(ctx, tx, sale, err)
}
