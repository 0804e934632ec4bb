package sales

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/history"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

const (
	base     = httpapi.PublicBase + "/sales"
	tag      = "Vendas"
	canRead  = "sales:read"
	canWrite = "sales:write"
)

// Routes returns the routes of sales, their versions, their payments and what
// they add up to.
func Routes(s *Service) []httpapi.Route {
	h := handlers{s}
	return slices.Concat(saleRoutes(h), versionRoutes(h), paymentRoutes(h), reportRoutes(h))
}

const saleExample = `{"client_id": "{client}", "items": [
	{"kind": "custom", "description": "Troca de óleo", "quantity": "1", "unit_price_cents": 15000},
	{"kind": "custom", "description": "Óleo 5W30 (litro)", "quantity": "3.5", "unit_price_cents": 4290, "discount_percent": "10"}],
	"payment_plan": {"count": 2, "first_due_date": "2030-01-31", "method": "pix"}}`

func saleRoutes(h handlers) []httpapi.Route {
	read, write := []string{canRead}, []string{canWrite}
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createSale", Method: http.MethodPost, Path: base, Tag: tag, Summary: "Registra uma venda", Scopes: write,
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: saleExample},
		}, h.create),
		httpapi.List(httpapi.Op{ID: "listSales", Path: base, Tag: tag, Summary: "Lista vendas", Scopes: read}, h.list),
		httpapi.Read(httpapi.Op{ID: "getSale", Path: base + "/{id}", Tag: tag, Summary: "Consulta uma venda", Scopes: read}, h.get),
		httpapi.Write(httpapi.Op{
			ID: "updateSale", Method: http.MethodPatch, Path: base + "/{id}", Tag: tag,
			Summary: "Altera as observações e os dados do integrador de uma venda; o resto muda por uma nova versão", Scopes: write,
			Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"notes": "Entregar na portaria."}`},
		}, h.update),
		httpapi.List(httpapi.Op{
			ID: "listSaleHistory", Path: base + "/{id}/history", Tag: tag, Summary: "Lista as mudanças de situação de uma venda", Scopes: read,
		}, h.history),
		httpapi.Write(httpapi.Op{
			ID: "cancelSale", Method: http.MethodPost, Path: base + "/{id}/cancel", Tag: tag,
			Summary: "Cancela uma venda, de vez; o orçamento ou a ordem de serviço que ela fatura volta a poder ser faturado", Scopes: write,
			Body: httpapi.BodyOptional, Errors: []string{"conflict", "invalid_state"},
			Example: httpapi.Example{Body: `{"reason": "Desistência do cliente"}`},
		}, h.cancel),
		httpapi.Write(httpapi.Op{
			ID: "shareSale", Method: http.MethodPost, Path: base + "/{id}/share", Tag: tag,
			Summary: "Cria um link público para o recibo da venda, mostrado só nesta resposta", Scopes: write,
		}, h.share),
		httpapi.Write(httpapi.Op{
			ID: "revokeSaleLink", Method: http.MethodPost, Path: base + "/{id}/revoke_link", Tag: tag,
			Summary: "Encerra todos os links públicos do recibo da venda", Scopes: write, Errors: []string{"conflict"},
		}, h.revokeLink),
	}
}

func versionRoutes(h handlers) []httpapi.Route {
	read, write := []string{canRead}, []string{canWrite}
	const path = base + "/{id}/versions"
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createSaleVersion", Method: http.MethodPost, Path: path, Tag: tag,
			Summary: "Dá à venda um conteúdo novo e completo: o que não vier fica vazio, menos sold_at e notes, que ficam como estão",

			Scopes: write, Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"conflict", "invalid_state"},
			Example: httpapi.Example{Body: `{"reason": "Mais uma hora de serviço", "items": [
				{"kind": "custom", "description": "Serviço", "quantity": "3", "unit_price_cents": 9000}]}`},
		}, h.createVersion),
		httpapi.List(httpapi.Op{ID: "listSaleVersions", Path: path, Tag: tag, Summary: "Lista as versões de uma venda", Scopes: read}, h.listVersions),
		httpapi.Read(httpapi.Op{ID: "getSaleVersion", Path: path + "/{n}", Tag: tag, Summary: "Consulta uma versão de uma venda", Scopes: read}, h.getVersion),
	}
}

type handlers struct{ service *Service }

// saleTermsInput is what a creation and a new version have in common.
type saleTermsInput struct {
	ClientID *uuid.UUID           `json:"client_id" doc:"Sem ele, é uma venda de balcão."`
	SoldAt   *time.Time           `json:"sold_at" doc:"Agora, se não vier."`
	Items    []document.LineInput `json:"items" required:"true" minItems:"1" maxItems:"500"`
	document.ChargesInput
	PaymentPlan *document.PlanInput `json:"payment_plan" doc:"Uma parcela no dia da venda, se não vier."`
	AccountID   *uuid.UUID          `json:"account_id" doc:"A conta padrão, se não vier."`
	CategoryID  *uuid.UUID          `json:"category_id"`
	Notes       *string             `json:"notes" maxLength:"5000"`
}

func (in *saleTermsInput) toDraft() Draft {
	return Draft{
		ClientID: in.ClientID, SoldAt: in.SoldAt, Content: in.ToDraft(in.Items), PaymentPlan: in.PaymentPlan.ToPlan(),
		AccountID: in.AccountID, CategoryID: in.CategoryID, Notes: in.Notes,
	}
}

type saleInput struct {
	saleTermsInput
	ExternalID *string  `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   meta.Map `json:"metadata"`
}

func (in *saleInput) toDraft() Draft {
	d := in.saleTermsInput.toDraft()
	d.ExternalID, d.Metadata = in.ExternalID, in.Metadata
	return d
}

type saleVersionInput struct {
	saleTermsInput
	Reason      *string `json:"reason" maxLength:"500"`
	BaseVersion *int    `json:"base_version" minimum:"1" doc:"A versão em que esta se baseia; se outra já é a atual, 409."`
}

type salePatch struct {
	Notes      opt.Field[string]     `json:"notes" maxLength:"5000"`
	ExternalID opt.Field[string]     `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   opt.Field[meta.Patch] `json:"metadata"`
}

type saleCancelInput struct {
	Reason         *string `json:"reason" maxLength:"500"`
	CancelPayments bool    `json:"cancel_payments" doc:"Cancela também os pagamentos confirmados."`
}

// SaleResponse is a sale on the wire.
type SaleResponse struct {
	ID             uuid.UUID  `json:"id"`
	Number         int64      `json:"number"`
	Status         string     `json:"status" enum:"open,partially_paid,paid,cancelled"`
	ClientID       *uuid.UUID `json:"client_id"`
	QuoteID        *uuid.UUID `json:"quote_id"`
	ServiceOrderID *uuid.UUID `json:"service_order_id"`
	CurrentVersion int        `json:"current_version"`
	SoldAt         time.Time  `json:"sold_at"`
	document.ContentResponse
	PaidCents             money.Cents                    `json:"paid_cents"`
	BalanceCents          money.Cents                    `json:"balance_cents"`
	PaymentPlan           *document.PlanResponse         `json:"payment_plan" doc:"null onde não houve o que pagar."`
	AccountID             *uuid.UUID                     `json:"account_id"`
	CategoryID            *uuid.UUID                     `json:"category_id"`
	Notes                 *string                        `json:"notes"`
	CancelledAt           *time.Time                     `json:"cancelled_at"`
	CancelReason          *string                        `json:"cancel_reason"`
	ReceiptURL            *string                        `json:"receipt_url" doc:"Só na resposta de share; depois, null."`
	FinancialTransactions *[]finance.TransactionResponse `json:"financial_transactions,omitzero" doc:"Só com finance:read; as canceladas também."`
	Omitted               []string                       `json:"omitted,omitempty" doc:"Os campos deixados de fora."`
	ExternalID            *string                        `json:"external_id"`
	Metadata              meta.Map                       `json:"metadata"`
	CreatedAt             time.Time                      `json:"created_at"`
	UpdatedAt             time.Time                      `json:"updated_at"`
	Version               int64                          `json:"version"`

	location string
}

// Location is the sale's address, or that of the version just made.
func (r SaleResponse) Location() string {
	if r.location != "" {
		return r.location
	}
	return base + "/" + r.ID.String()
}

// ObjectVersion is the sale's version.
func (r SaleResponse) ObjectVersion() int64 { return r.Version }

// toResponse converts a sale without its transactions.
func toResponse(s *Sale) SaleResponse {
	return SaleResponse{
		ID: s.ID, Number: s.Number, Status: s.Status, ClientID: s.ClientID, QuoteID: s.QuoteID, ServiceOrderID: s.ServiceOrderID,
		CurrentVersion: s.CurrentVersion, SoldAt: s.SoldAt, ContentResponse: document.ToContentResponse(&s.Content),
		PaidCents: s.PaidCents, BalanceCents: s.Balance(), PaymentPlan: document.ToPlanResponse(s.PaymentPlan, s.PlannedCents),
		AccountID: s.AccountID, CategoryID: s.CategoryID, Notes: s.Notes, CancelledAt: s.CancelledAt, CancelReason: s.CancelReason,
		Omitted: []string{"financial_transactions"}, ExternalID: s.ExternalID, Metadata: s.Metadata,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, Version: s.Version,
	}
}

// Respond converts a sale with its transactions, for a caller that may see them.
func (s *Service) Respond(ctx context.Context, r db.Reader, sale *Sale, err error) (SaleResponse, error) {
	if err != nil {
		return SaleResponse{}, err
	}
	transactions, shown, err := s.Transactions(ctx, r, sale.ID)
	response := toResponse(sale)
	if shown {
		response.embed(transactions[sale.ID])
	}
	return response, err
}

// embed shows what the sale moves.
func (r *SaleResponse) embed(transactions []finance.Transaction) {
	list := make([]finance.TransactionResponse, len(transactions))
	for i := range transactions {
		list[i] = finance.ToTransactionResponse(&transactions[i])
	}
	r.FinancialTransactions, r.Omitted = &list, nil
}

type createSaleRequest struct {
	Body saleInput `body:"true"`
}

func (h handlers) create(ctx context.Context, tx *db.Tx, req createSaleRequest) (SaleResponse, error) {
	sale, err := h.service.Create(ctx, tx, req.Body.toDraft())
	return h.service.Respond(ctx, tx, sale, err)
}

type listSalesRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at,number"`
	Status             string     `query:"status" enum:"open,partially_paid,paid,cancelled"`
	ClientID           *uuid.UUID `query:"client_id"`
	QuoteID            *uuid.UUID `query:"quote_id"`
	Number             int64      `query:"number" minimum:"1"`
	SoldFrom           *time.Time `query:"sold_from" doc:"Vendidas a partir deste instante (inclusive)."`
	SoldTo             *time.Time `query:"sold_to" doc:"Vendidas antes deste instante (exclusive)."`
	Query              string     `query:"q" maxLength:"100" doc:"Número, ou começo de palavras do nome do cliente."`
}

func (h handlers) list(ctx context.Context, r db.Reader, req listSalesRequest) (page.Result[SaleResponse], error) {
	result, err := h.service.List(ctx, r, Filter{
		ListFilter: req.Filter(), Status: req.Status, ClientID: req.ClientID, QuoteID: req.QuoteID, Number: req.Number,
		SoldFrom: req.SoldFrom, SoldTo: req.SoldTo, Query: req.Query, Page: req.Page,
	})
	if err != nil {
		return page.Result[SaleResponse]{}, err
	}
	ids := make([]uuid.UUID, len(result.Items))
	for i, s := range result.Items {
		ids[i] = s.ID
	}
	transactions, shown, err := h.service.Transactions(ctx, r, ids...)
	return page.Map(result, func(s Sale) SaleResponse {
		response := toResponse(&s)
		if shown {
			response.embed(transactions[s.ID])
		}
		return response
	}), err
}

type saleRequest struct {
	ID uuid.UUID `path:"id"`
}

func (h handlers) get(ctx context.Context, r db.Reader, req saleRequest) (SaleResponse, error) {
	sale, err := h.service.Get(ctx, r, req.ID)
	return h.service.Respond(ctx, r, sale, err)
}

type updateSaleRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    salePatch `body:"true"`
}

func (h handlers) update(ctx context.Context, tx *db.Tx, req updateSaleRequest) (SaleResponse, error) {
	sale, err := h.service.Update(ctx, tx, req.ID, req.IfMatch, Changes(req.Body))
	return h.service.Respond(ctx, tx, sale, err)
}

type saleHistoryRequest struct {
	httpapi.PageParams
	ID uuid.UUID `path:"id"`
}

func (h handlers) history(ctx context.Context, r db.Reader, req saleHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	return historyPage(h.service.History(ctx, r, req.ID, req.Page))
}

func historyPage(result page.Result[history.Entry], err error) (page.Result[httpapi.HistoryEntry], error) {
	return page.Map(result, httpapi.ToHistoryEntry), err
}

type cancelSaleRequest struct {
	ID   uuid.UUID       `path:"id"`
	Body saleCancelInput `body:"true"`
}

func (h handlers) cancel(ctx context.Context, tx *db.Tx, req cancelSaleRequest) (SaleResponse, error) {
	sale, err := h.service.Cancel(ctx, tx, req.ID, Cancellation(req.Body))
	return h.service.Respond(ctx, tx, sale, err)
}

func (h handlers) share(ctx context.Context, tx *db.Tx, req saleRequest) (SaleResponse, error) {
	sale, url, err := h.service.Share(ctx, tx, req.ID)
	response, err := h.service.Respond(ctx, tx, sale, err)
	response.ReceiptURL = &url
	return response, err
}

func (h handlers) revokeLink(ctx context.Context, tx *db.Tx, req saleRequest) (SaleResponse, error) {
	sale, err := h.service.RevokeLink(ctx, tx, req.ID)
	return h.service.Respond(ctx, tx, sale, err)
}

type createSaleVersionRequest struct {
	ID   uuid.UUID        `path:"id"`
	Body saleVersionInput `body:"true"`
}

func (h handlers) createVersion(ctx context.Context, tx *db.Tx, req createSaleVersionRequest) (SaleResponse, error) {
	sale, err := h.service.CreateVersion(ctx, tx, req.ID, VersionDraft{
		Draft: req.Body.toDraft(), Reason: req.Body.Reason, BaseVersion: req.Body.BaseVersion,
	})
	response, err := h.service.Respond(ctx, tx, sale, err)
	if err == nil {
		response.location = versionPath(sale.ID, sale.CurrentVersion)
	}
	return response, err
}

func versionPath(saleID uuid.UUID, number int) string {
	return base + "/" + saleID.String() + "/versions/" + strconv.Itoa(number)
}

// saleVersionResponse is a version on the wire: it never changes.
type saleVersionResponse struct {
	ID        uuid.UUID            `json:"id"`
	SaleID    uuid.UUID            `json:"sale_id"`
	Number    int                  `json:"number"`
	Reason    *string              `json:"reason"`
	Actor     httpapi.HistoryActor `json:"actor"`
	ClientID  *uuid.UUID           `json:"client_id"`
	SoldAt    time.Time            `json:"sold_at"`
	CreatedAt time.Time            `json:"created_at"`
	document.ContentResponse
	PaymentPlan *document.PlanResponse `json:"payment_plan" doc:"Divide o total menos o que já estava pago."`
	AccountID   *uuid.UUID             `json:"account_id"`
	CategoryID  *uuid.UUID             `json:"category_id"`
}

// ObjectVersion is always the first.
func (r saleVersionResponse) ObjectVersion() int64 { return 1 }

func toVersionResponse(v *SaleVersion) saleVersionResponse {
	return saleVersionResponse{
		ID: v.ID, SaleID: v.SaleID, Number: v.Number, Reason: v.Reason, Actor: httpapi.HistoryActor{Type: v.ActorType, ID: v.ActorID, Name: v.ActorName},
		ClientID: v.ClientID, SoldAt: v.SoldAt, CreatedAt: v.CreatedAt, ContentResponse: document.ToContentResponse(&v.Content),
		PaymentPlan: document.ToPlanResponse(v.PaymentPlan, v.PlannedCents), AccountID: v.AccountID, CategoryID: v.CategoryID,
	}
}

type listSaleVersionsRequest struct {
	httpapi.PageParams
	ID uuid.UUID `path:"id"`
}

func (h handlers) listVersions(ctx context.Context, r db.Reader, req listSaleVersionsRequest) (page.Result[saleVersionResponse], error) {
	result, err := h.service.ListVersions(ctx, r, req.ID, req.Page)
	return page.Map(result, func(v SaleVersion) saleVersionResponse { return toVersionResponse(&v) }), err
}

type saleVersionRequest struct {
	ID     uuid.UUID `path:"id"`
	Number int       `path:"n"`
}

func (h handlers) getVersion(ctx context.Context, r db.Reader, req saleVersionRequest) (saleVersionResponse, error) {
	v, err := h.service.GetVersion(ctx, r, req.ID, req.Number)
	if err != nil {
		return saleVersionResponse{}, err
	}
	return toVersionResponse(v), nil
}
