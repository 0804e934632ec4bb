package quotes

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
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
	base     = httpapi.PublicBase + "/quotes"
	tag      = "Orçamentos"
	canRead  = "quotes:read"
	canWrite = "quotes:write"
)

const quoteExample = `{"client_id": "{client}", "valid_until": "2030-01-31", "terms": "Garantia de 90 dias.", "items": [
	{"kind": "custom", "description": "Instalação elétrica", "quantity": "12.5", "unit_price_cents": 9000},
	{"kind": "custom", "description": "Material", "quantity": "1", "unit_price_cents": 48000, "discount_cents": 3000}],
	"discount_percent": "5", "payment_plan": {"count": 3, "first_due_date": "2030-01-31", "method": "boleto"}}`

// Routes returns the routes of quotes.
func Routes(s *Service) []httpapi.Route {
	h := handlers{s}
	return append(recordRoutes(h), actionRoutes(h)...)
}

func recordRoutes(h handlers) []httpapi.Route {
	read, write := []string{canRead}, []string{canWrite}
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createQuote", Method: http.MethodPost, Path: base, Tag: tag, Summary: "Cria um orçamento", Scopes: write,
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: quoteExample},
		}, h.create),
		httpapi.List(httpapi.Op{ID: "listQuotes", Path: base, Tag: tag, Summary: "Lista orçamentos", Scopes: read}, h.list),
		httpapi.Read(httpapi.Op{ID: "getQuote", Path: base + "/{id}", Tag: tag, Summary: "Consulta um orçamento", Scopes: read}, h.get),
		httpapi.Write(httpapi.Op{
			ID: "updateQuote", Method: http.MethodPatch, Path: base + "/{id}", Tag: tag,
			Summary: "Altera um orçamento em rascunho; depois, só os dados do integrador", Scopes: write,
			Body: httpapi.BodyRequired, Errors: []string{"already_exists", "invalid_state"},
			Example: httpapi.Example{Body: `{"notes": "Visita na terça."}`},
		}, h.update),
		httpapi.List(httpapi.Op{
			ID: "listQuoteHistory", Path: base + "/{id}/history", Tag: tag, Summary: "Lista as mudanças de situação de um orçamento", Scopes: read,
		}, h.history),
	}
}

func actionRoutes(h handlers) []httpapi.Route {
	write, refuses := []string{canWrite}, []string{"invalid_state"}
	action := func(id, name, summary string) httpapi.Op {
		return httpapi.Op{ID: id, Method: http.MethodPost, Path: base + "/{id}/" + name, Tag: tag, Summary: summary, Scopes: write, Errors: refuses}
	}
	withReason := func(op httpapi.Op, example string) httpapi.Op {
		op.Body, op.Example = httpapi.BodyOptional, httpapi.Example{Body: example}
		return op
	}
	convert := action("convertQuoteToSale", ActionConvert, "Fatura um orçamento aprovado: cria a venda")
	convert.Scopes = []string{canWrite, "sales:write"}
	convert.Status, convert.Errors = http.StatusCreated, []string{"invalid_state", "conflict"}
	revoke := action("revokeQuoteLink", "revoke_link", "Encerra todos os links públicos do orçamento")
	revoke.Errors = []string{"conflict"}
	return []httpapi.Route{
		httpapi.Write(action("sendQuote", ActionSend, "Registra o envio e cria um link público, mostrado só nesta resposta"), h.send),
		httpapi.Write(action("approveQuote", ActionApprove, "Aprova um orçamento enviado"), h.approve),
		httpapi.Write(withReason(action("rejectQuote", ActionReject, "Recusa um orçamento enviado"), `{"reason": "Preço"}`), h.reject),
		httpapi.Write(withReason(action("cancelQuote", ActionCancel, "Cancela um orçamento"), `{"reason": "Fora de linha"}`), h.cancel),
		httpapi.Write(convert, h.convert),
		httpapi.Write(revoke, h.revokeLink),
	}
}

type handlers struct{ service *Service }

type quoteInput struct {
	ClientID   *uuid.UUID           `json:"client_id" doc:"client_id ou lead_id."`
	LeadID     *uuid.UUID           `json:"lead_id"`
	ValidUntil *civil.Date          `json:"valid_until" doc:"O último dia da validade."`
	Items      []document.LineInput `json:"items" required:"true" minItems:"1" maxItems:"500"`
	document.ChargesInput
	PaymentPlan *document.PlanInput `json:"payment_plan" doc:"Usado na venda."`
	Terms       *string             `json:"terms" maxLength:"5000"`
	Notes       *string             `json:"notes" maxLength:"5000"`
	ExternalID  *string             `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata    meta.Map            `json:"metadata"`
}

func (in *quoteInput) toDraft() Draft {
	return Draft{
		ClientID: in.ClientID, LeadID: in.LeadID, ValidUntil: in.ValidUntil, Terms: in.Terms, Notes: in.Notes,
		PaymentPlan: in.PaymentPlan.ToPlan(), Content: in.ToDraft(in.Items), ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
}

type quotePatch struct {
	ClientID   opt.Field[uuid.UUID]            `json:"client_id" doc:"Tira o lead_id."`
	LeadID     opt.Field[uuid.UUID]            `json:"lead_id" doc:"Tira o client_id."`
	ValidUntil opt.Field[civil.Date]           `json:"valid_until"`
	Items      opt.Field[[]document.LineInput] `json:"items" required:"true" minItems:"1" maxItems:"500" doc:"Substitui todos."`
	document.ChargesPatch
	PaymentPlan opt.Field[document.PlanInput] `json:"payment_plan"`
	Terms       opt.Field[string]             `json:"terms" maxLength:"5000"`
	Notes       opt.Field[string]             `json:"notes" maxLength:"5000"`
	ExternalID  opt.Field[string]             `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata    opt.Field[meta.Patch]         `json:"metadata"`
}

func (p *quotePatch) toChanges() Changes {
	return Changes{
		ClientID: p.ClientID, LeadID: p.LeadID, ValidUntil: p.ValidUntil, Terms: p.Terms, Notes: p.Notes,
		PaymentPlan: opt.Map(p.PaymentPlan, func(in document.PlanInput) document.Plan { return *in.ToPlan() }),
		Content:     p.ToChanges(p.Items), ExternalID: p.ExternalID, Metadata: p.Metadata,
	}
}

type quoteReasonInput struct {
	Reason *string `json:"reason" maxLength:"500"`
}

type quoteResponse struct {
	ID         uuid.UUID   `json:"id"`
	Number     int64       `json:"number"`
	Status     string      `json:"status" enum:"draft,sent,approved,rejected,cancelled,converted"`
	ClientID   *uuid.UUID  `json:"client_id"`
	LeadID     *uuid.UUID  `json:"lead_id"`
	ValidUntil *civil.Date `json:"valid_until"`
	IsExpired  bool        `json:"is_expired"`
	document.ContentResponse
	PaymentPlan *document.PlanResponse `json:"payment_plan"`
	Terms       *string                `json:"terms"`
	Notes       *string                `json:"notes"`
	SentAt      *time.Time             `json:"sent_at" doc:"O último envio."`
	SaleID      *uuid.UUID             `json:"sale_id" doc:"A venda em vigor que o fatura."`
	PublicURL   *string                `json:"public_url" doc:"Só na resposta de send; depois, null."`
	ExternalID  *string                `json:"external_id"`
	Metadata    meta.Map               `json:"metadata"`
	CreatedAt   time.Time              `json:"created_at"`
	UpdatedAt   time.Time              `json:"updated_at"`
	Version     int64                  `json:"version"`
}

// Location is the quote's address.
func (r quoteResponse) Location() string { return base + "/" + r.ID.String() }

// ObjectVersion is the quote's version.
func (r quoteResponse) ObjectVersion() int64 { return r.Version }

func toResponse(q *Quote) quoteResponse {
	return quoteResponse{
		ID: q.ID, Number: q.Number, Status: q.Status, ClientID: q.ClientID, LeadID: q.LeadID, ValidUntil: q.ValidUntil, IsExpired: q.IsExpired,
		ContentResponse: document.ToContentResponse(&q.Content), PaymentPlan: document.ToPlanResponse(q.PaymentPlan, q.TotalCents),
		Terms: q.Terms, Notes: q.Notes, SentAt: q.SentAt, SaleID: q.SaleID, ExternalID: q.ExternalID, Metadata: q.Metadata,
		CreatedAt: q.CreatedAt, UpdatedAt: q.UpdatedAt, Version: q.Version,
	}
}

func respond(q *Quote, err error) (quoteResponse, error) {
	if err != nil {
		return quoteResponse{}, err
	}
	return toResponse(q), nil
}

type createQuoteRequest struct {
	Body quoteInput `body:"true"`
}

func (h handlers) create(ctx context.Context, tx *db.Tx, req createQuoteRequest) (quoteResponse, error) {
	return respond(h.service.Create(ctx, tx, req.Body.toDraft()))
}

type listQuotesRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at,number"`
	Status             string     `query:"status" enum:"draft,sent,approved,rejected,cancelled,converted"`
	ClientID           *uuid.UUID `query:"client_id"`
	LeadID             *uuid.UUID `query:"lead_id"`
	Number             int64      `query:"number" minimum:"1"`
	Query              string     `query:"q" maxLength:"100" doc:"Número, ou começo de palavras do nome do cliente."`
}

func (h handlers) list(ctx context.Context, r db.Reader, req listQuotesRequest) (page.Result[quoteResponse], error) {
	result, err := h.service.List(ctx, r, Filter{
		ListFilter: req.Filter(), Status: req.Status, ClientID: req.ClientID, LeadID: req.LeadID, Number: req.Number, Query: req.Query, Page: req.Page,
	})
	return page.Map(result, func(q Quote) quoteResponse { return toResponse(&q) }), err
}

type quoteRequest struct {
	ID uuid.UUID `path:"id"`
}

func (h handlers) get(ctx context.Context, r db.Reader, req quoteRequest) (quoteResponse, error) {
	return respond(h.service.Get(ctx, r, req.ID))
}

type updateQuoteRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    quotePatch `body:"true"`
}

func (h handlers) update(ctx context.Context, tx *db.Tx, req updateQuoteRequest) (quoteResponse, error) {
	return respond(h.service.Update(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges()))
}

type quoteHistoryRequest struct {
	httpapi.PageParams
	ID uuid.UUID `path:"id"`
}

func (h handlers) history(ctx context.Context, r db.Reader, req quoteHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	result, err := h.service.History(ctx, r, req.ID, req.Page)
	return page.Map(result, httpapi.ToHistoryEntry), err
}

func (h handlers) send(ctx context.Context, tx *db.Tx, req quoteRequest) (quoteResponse, error) {
	q, url, err := h.service.Send(ctx, tx, req.ID)
	response, err := respond(q, err)
	response.PublicURL = &url
	return response, err
}

func (h handlers) approve(ctx context.Context, tx *db.Tx, req quoteRequest) (quoteResponse, error) {
	return respond(h.service.Approve(ctx, tx, req.ID))
}

type quoteReasonRequest struct {
	ID   uuid.UUID        `path:"id"`
	Body quoteReasonInput `body:"true"`
}

func (h handlers) reject(ctx context.Context, tx *db.Tx, req quoteReasonRequest) (quoteResponse, error) {
	return respond(h.service.Reject(ctx, tx, req.ID, opt.OrZero(req.Body.Reason)))
}

func (h handlers) cancel(ctx context.Context, tx *db.Tx, req quoteReasonRequest) (quoteResponse, error) {
	return respond(h.service.Cancel(ctx, tx, req.ID, opt.OrZero(req.Body.Reason)))
}

func (h handlers) convert(ctx context.Context, tx *db.Tx, req quoteRequest) (sales.SaleResponse, error) {
	sale, err := h.service.Convert(ctx, tx, req.ID)
	return h.service.sales.Respond(ctx, tx, sale, err)
}

func (h handlers) revokeLink(ctx context.Context, tx *db.Tx, req quoteRequest) (quoteResponse, error) {
	return respond(h.service.RevokeLink(ctx, tx, req.ID))
}
