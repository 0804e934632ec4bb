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
)

func variationRoutes(h handlers) []httpapi.Route {
	read, write := []string{canReadProducts}, []string{canWriteProducts}
	const path = productBase + "/{id}/variations"
	const one = path + "/{variation_id}"
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createProductVariation", Method: http.MethodPost, Path: path, Tag: productTag, Summary: "Cria uma variação do produto",
			Scopes: write, Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists", "conflict"},
			Example: httpapi.Example{Body: `{"options": {"Cor": "Azul"}, "gtin": "7891000315507", "price_cents": 5290}`},
		}, h.createVariation),
		httpapi.List(httpapi.Op{ID: "listProductVariations", Path: path, Tag: productTag, Summary: "Lista as variações de um produto", Scopes: read}, h.listVariations),
		httpapi.Read(httpapi.Op{ID: "getProductVariation", Path: one, Tag: productTag, Summary: "Consulta uma variação", Scopes: read}, h.getVariation),
		httpapi.Write(httpapi.Op{
			ID: "updateProductVariation", Method: http.MethodPatch, Path: one, Tag: productTag, Summary: "Altera uma variação",
			Scopes: write, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"price_cents": null, "cost_cents": 2300}`},
		}, h.updateVariation),
		httpapi.Write(httpapi.Op{
			ID: "deleteProductVariation", Method: http.MethodDelete, Path: one, Tag: productTag, Summary: "Exclui uma variação sem referências",
			Scopes: write, Status: http.StatusNoContent, Errors: []string{"resource_in_use"},
		}, h.deleteVariation),
		httpapi.List(httpapi.Op{
			ID: "listProductVariationHistory", Path: one + "/history", Tag: productTag,
			Summary: "Lista as mudanças de situação de uma variação", Scopes: read,
		}, h.variationHistory),
		httpapi.Write(httpapi.Op{
			ID: "archiveProductVariation", Method: http.MethodPost, Path: one + "/archive", Tag: productTag, Summary: "Arquiva uma variação",
			Scopes: write, Errors: []string{"invalid_state"},
		}, h.archiveVariation),
		httpapi.Write(httpapi.Op{
			ID: "unarchiveProductVariation", Method: http.MethodPost, Path: one + "/unarchive", Tag: productTag,
			Summary: "Reativa uma variação arquivada", Scopes: write, Errors: []string{"invalid_state"},
		}, h.unarchiveVariation),
	}
}

type productVariationInput struct {
	Options    map[string]string `json:"options" required:"true" maxItems:"3" maxLength:"60" doc:"Um valor de cada atributo do produto; cada combinação uma vez."`
	SKU        *string           `json:"sku" minLength:"1" maxLength:"60" doc:"Único entre os produtos e as variações da empresa."`
	GTIN       *string           `json:"gtin" format:"gtin"`
	PriceCents *money.Cents      `json:"price_cents" doc:"O do produto, se não vier."`
	CostCents  *money.Cents      `json:"cost_cents"`
	ExternalID *string           `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   meta.Map          `json:"metadata"`
}

func (in productVariationInput) toVariation() Variation {
	return Variation{
		Record:  Record{ExternalID: in.ExternalID, Metadata: in.Metadata},
		Options: in.Options, SKU: in.SKU, GTIN: in.GTIN, PriceCents: in.PriceCents, CostCents: in.CostCents,
	}
}

type productVariationPatch struct {
	Options    opt.Field[Options]     `json:"options" required:"true" maxItems:"3" maxLength:"60" doc:"Os atributos que não vierem ficam como estão."`
	SKU        opt.Field[string]      `json:"sku" minLength:"1" maxLength:"60"`
	GTIN       opt.Field[string]      `json:"gtin" format:"gtin"`
	PriceCents opt.Field[money.Cents] `json:"price_cents" doc:"null volta ao do produto."`
	CostCents  opt.Field[money.Cents] `json:"cost_cents"`
	ExternalID opt.Field[string]      `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   opt.Field[meta.Patch]  `json:"metadata"`
}

func (p productVariationPatch) toChanges() VariationChanges { return VariationChanges(p) }

type productVariationResponse struct {
	ID                  uuid.UUID         `json:"id"`
	ProductID           uuid.UUID         `json:"product_id"`
	Options             map[string]string `json:"options"`
	SKU                 *string           `json:"sku"`
	GTIN                *string           `json:"gtin"`
	PriceCents          *money.Cents      `json:"price_cents" doc:"null: o do produto."`
	EffectivePriceCents money.Cents       `json:"effective_price_cents" doc:"O preço da variação: o seu, ou o do produto."`
	CostCents           *money.Cents      `json:"cost_cents"`
	Status              string            `json:"status" enum:"active,archived"`
	ExternalID          *string           `json:"external_id"`
	Metadata            meta.Map          `json:"metadata"`
	CreatedAt           time.Time         `json:"created_at"`
	UpdatedAt           time.Time         `json:"updated_at"`
	Version             int64             `json:"version"`
}

// Location is the variation's own path.
func (r productVariationResponse) Location() string {
	return productBase + "/" + r.ProductID.String() + "/variations/" + r.ID.String()
}

// ObjectVersion is the variation's version.
func (r productVariationResponse) ObjectVersion() int64 { return r.Version }

func toVariationResponse(v *Variation) productVariationResponse {
	return productVariationResponse{
		ID: v.ID, ProductID: v.ProductID, Options: v.Options, SKU: v.SKU, GTIN: v.GTIN, PriceCents: v.PriceCents,
		EffectivePriceCents: v.EffectivePriceCents, CostCents: v.CostCents, Status: v.Status, ExternalID: v.ExternalID,
		Metadata: v.Metadata, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt, Version: v.Version,
	}
}

type createVariationRequest struct {
	ID   uuid.UUID             `path:"id"`
	Body productVariationInput `body:"true"`
}

func (h handlers) createVariation(ctx context.Context, tx *db.Tx, req createVariationRequest) (productVariationResponse, error) {
	v, err := h.service.CreateVariation(ctx, tx, req.ID, req.Body.toVariation())
	return respond(v, err, toVariationResponse)
}

type listVariationsRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at"`
	ID                 uuid.UUID `path:"id"`
	Status             string    `query:"status" enum:"active,archived"`
	SKU                string    `query:"sku" maxLength:"60"`
}

func (h handlers) listVariations(ctx context.Context, r db.Reader, req listVariationsRequest) (page.Result[productVariationResponse], error) {
	result, err := h.service.ListVariations(ctx, r, VariationFilter{
		ListFilter: req.Filter(), ProductID: req.ID, Status: req.Status, SKU: req.SKU, Page: req.Page,
	})
	return page.Map(result, func(v Variation) productVariationResponse { return toVariationResponse(&v) }), err
}

type variationRequest struct {
	ID          uuid.UUID `path:"id"`
	VariationID uuid.UUID `path:"variation_id"`
}

func (h handlers) getVariation(ctx context.Context, r db.Reader, req variationRequest) (productVariationResponse, error) {
	v, err := h.service.GetVariation(ctx, r, req.ID, req.VariationID)
	return respond(v, err, toVariationResponse)
}

type updateVariationRequest struct {
	ID          uuid.UUID `path:"id"`
	VariationID uuid.UUID `path:"variation_id"`
	IfMatch     etag.Match
	Body        productVariationPatch `body:"true"`
}

func (h handlers) updateVariation(ctx context.Context, tx *db.Tx, req updateVariationRequest) (productVariationResponse, error) {
	v, err := h.service.UpdateVariation(ctx, tx, req.ID, req.VariationID, req.IfMatch, req.Body.toChanges())
	return respond(v, err, toVariationResponse)
}

type deleteVariationRequest struct {
	ID          uuid.UUID `path:"id"`
	VariationID uuid.UUID `path:"variation_id"`
	IfMatch     etag.Match
}

func (h handlers) deleteVariation(ctx context.Context, tx *db.Tx, req deleteVariationRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteVariation(ctx, tx, req.ID, req.VariationID, req.IfMatch)
}

func (h handlers) archiveVariation(ctx context.Context, tx *db.Tx, req variationRequest) (productVariationResponse, error) {
	v, err := h.service.ChangeVariationStatus(ctx, tx, req.ID, req.VariationID, "archive")
	return respond(v, err, toVariationResponse)
}

func (h handlers) unarchiveVariation(ctx context.Context, tx *db.Tx, req variationRequest) (productVariationResponse, error) {
	v, err := h.service.ChangeVariationStatus(ctx, tx, req.ID, req.VariationID, "unarchive")
	return respond(v, err, toVariationResponse)
}

type variationHistoryRequest struct {
	httpapi.PageParams
	ID          uuid.UUID `path:"id"`
	VariationID uuid.UUID `path:"variation_id"`
}

func (h handlers) variationHistory(ctx context.Context, r db.Reader, req variationHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	return httpapi.HistoryPage(h.service.VariationHistory(ctx, r, req.ID, req.VariationID, req.Page))
}
