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
	productBase      = httpapi.PublicBase + "/products"
	productTag       = "Produtos"
	canReadProducts  = "products:read"
	canWriteProducts = "products:write"
)

func productRoutes(h handlers) []httpapi.Route {
	read, write := []string{canReadProducts}, []string{canWriteProducts}
	const one = productBase + "/{id}"
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createProduct", Method: http.MethodPost, Path: productBase, Tag: productTag, Summary: "Cria um produto", Scopes: write,
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"name": "Camiseta básica", "gtin": "7891000315507", "ncm": "6109.10.00", "category_id": "{product_category}", "price_cents": 4990, "cost_cents": 2100, "attributes": [{"name": "Cor", "values": ["Azul", "Branca"]}]}`},
		}, h.createProduct),
		httpapi.List(httpapi.Op{ID: "listProducts", Path: productBase, Tag: productTag, Summary: "Lista produtos", Scopes: read}, h.listProducts),
		httpapi.Read(httpapi.Op{ID: "getProduct", Path: one, Tag: productTag, Summary: "Consulta um produto", Scopes: read}, h.getProduct),
		httpapi.Write(httpapi.Op{
			ID: "updateProduct", Method: http.MethodPatch, Path: one, Tag: productTag, Summary: "Altera um produto", Scopes: write,
			Body: httpapi.BodyRequired, Errors: []string{"already_exists", "conflict"},
			Example: httpapi.Example{Body: `{"price_cents": 5490, "category_id": "{product_category}"}`},
		}, h.updateProduct),
		httpapi.Write(httpapi.Op{
			ID: "deleteProduct", Method: http.MethodDelete, Path: one, Tag: productTag, Summary: "Exclui um produto sem referências, com suas variações",
			Scopes: write, Status: http.StatusNoContent, Errors: []string{"resource_in_use"},
		}, h.deleteProduct),
		httpapi.List(httpapi.Op{
			ID: "listProductHistory", Path: one + "/history", Tag: productTag, Summary: "Lista as mudanças de situação de um produto", Scopes: read,
		}, h.productHistory),
		httpapi.Write(httpapi.Op{
			ID: "archiveProduct", Method: http.MethodPost, Path: one + "/archive", Tag: productTag, Summary: "Arquiva um produto",
			Scopes: write, Errors: []string{"invalid_state"},
		}, h.archiveProduct),
		httpapi.Write(httpapi.Op{
			ID: "unarchiveProduct", Method: http.MethodPost, Path: one + "/unarchive", Tag: productTag, Summary: "Reativa um produto arquivado",
			Scopes: write, Errors: []string{"invalid_state"},
		}, h.unarchiveProduct),
	}
}

type productInput struct {
	Name        string                  `json:"name" required:"true" minLength:"1" maxLength:"120"`
	SKU         *string                 `json:"sku" minLength:"1" maxLength:"60" doc:"Único entre os produtos e as variações da empresa."`
	GTIN        *string                 `json:"gtin" format:"gtin"`
	Description *string                 `json:"description" maxLength:"5000"`
	CategoryID  *uuid.UUID              `json:"category_id" doc:"Uma categoria de produtos."`
	Unit        *string                 `json:"unit" minLength:"1" maxLength:"6" doc:"UN, se não vier."`
	PriceCents  money.Cents             `json:"price_cents" required:"true"`
	CostCents   *money.Cents            `json:"cost_cents"`
	NCM         *string                 `json:"ncm" format:"ncm"`
	Attributes  []productAttributeInput `json:"attributes" maxItems:"3" doc:"No que as variações diferem."`
	ExternalID  *string                 `json:"external_id" minLength:"1" maxLength:"64" doc:"O id no sistema do integrador; único na empresa."`
	Metadata    meta.Map                `json:"metadata"`
}

type productAttributeInput struct {
	Name   string   `json:"name" required:"true" minLength:"1" maxLength:"30" example:"Cor"`
	Values []string `json:"values" required:"true" minItems:"1" maxItems:"50" minLength:"1" maxLength:"60" unique:"true"`
}

// Validate refuses two attributes of one name.
func (in *productInput) Validate(at string, f *problem.Fields) {
	validateAttributes(toAttributes(in.Attributes), problem.Join(at, "attributes"), f)
}

func (in productInput) toProduct() Product {
	return Product{
		Record: Record{ExternalID: in.ExternalID, Metadata: in.Metadata},
		Name:   in.Name, SKU: in.SKU, GTIN: in.GTIN, Description: in.Description, CategoryID: in.CategoryID,
		Unit: opt.OrZero(in.Unit), PriceCents: in.PriceCents, CostCents: in.CostCents, NCM: in.NCM,
		Attributes: toAttributes(in.Attributes),
	}
}

func toAttributes(list []productAttributeInput) []Attribute {
	attributes := make([]Attribute, len(list))
	for i, a := range list {
		attributes[i] = Attribute(a)
	}
	return attributes
}

type productPatch struct {
	Name        opt.Field[string]                  `json:"name" required:"true" minLength:"1" maxLength:"120"`
	SKU         opt.Field[string]                  `json:"sku" minLength:"1" maxLength:"60"`
	GTIN        opt.Field[string]                  `json:"gtin" format:"gtin"`
	Description opt.Field[string]                  `json:"description" maxLength:"5000"`
	CategoryID  opt.Field[uuid.UUID]               `json:"category_id"`
	Unit        opt.Field[string]                  `json:"unit" minLength:"1" maxLength:"6" doc:"null volta a UN."`
	PriceCents  opt.Field[money.Cents]             `json:"price_cents" required:"true"`
	CostCents   opt.Field[money.Cents]             `json:"cost_cents"`
	NCM         opt.Field[string]                  `json:"ncm" format:"ncm"`
	Attributes  opt.Field[[]productAttributeInput] `json:"attributes" maxItems:"3" doc:"As variações que já existem precisam caber neles."`
	ExternalID  opt.Field[string]                  `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata    opt.Field[meta.Patch]              `json:"metadata"`
}

// Validate refuses two attributes of one name.
func (p *productPatch) Validate(at string, f *problem.Fields) {
	list, _ := p.Attributes.Value()
	validateAttributes(toAttributes(list), problem.Join(at, "attributes"), f)
}

func (p productPatch) toChanges() ProductChanges {
	return ProductChanges{
		Name: p.Name, SKU: p.SKU, GTIN: p.GTIN, Description: p.Description, CategoryID: p.CategoryID, Unit: p.Unit,
		PriceCents: p.PriceCents, CostCents: p.CostCents, NCM: p.NCM, Attributes: opt.Map(p.Attributes, toAttributes),
		ExternalID: p.ExternalID, Metadata: p.Metadata,
	}
}

type productResponse struct {
	ID          uuid.UUID                  `json:"id"`
	Name        string                     `json:"name"`
	SKU         *string                    `json:"sku"`
	GTIN        *string                    `json:"gtin"`
	Description *string                    `json:"description"`
	CategoryID  *uuid.UUID                 `json:"category_id"`
	Unit        string                     `json:"unit"`
	PriceCents  money.Cents                `json:"price_cents"`
	CostCents   *money.Cents               `json:"cost_cents"`
	NCM         *string                    `json:"ncm" doc:"Sem pontuação."`
	Attributes  []productAttributeResponse `json:"attributes"`
	Status      string                     `json:"status" enum:"active,archived"`
	ExternalID  *string                    `json:"external_id"`
	Metadata    meta.Map                   `json:"metadata"`
	CreatedAt   time.Time                  `json:"created_at"`
	UpdatedAt   time.Time                  `json:"updated_at"`
	Version     int64                      `json:"version"`
}

type productAttributeResponse struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Location is the product's own path.
func (r productResponse) Location() string { return productBase + "/" + r.ID.String() }

// ObjectVersion is the product's version.
func (r productResponse) ObjectVersion() int64 { return r.Version }

func toProductResponse(p *Product) productResponse {
	attributes := make([]productAttributeResponse, len(p.Attributes))
	for i, a := range p.Attributes {
		attributes[i] = productAttributeResponse(a)
	}
	return productResponse{
		ID: p.ID, Name: p.Name, SKU: p.SKU, GTIN: p.GTIN, Description: p.Description, CategoryID: p.CategoryID, Unit: p.Unit,
		PriceCents: p.PriceCents, CostCents: p.CostCents, NCM: p.NCM, Attributes: attributes, Status: p.Status,
		ExternalID: p.ExternalID, Metadata: p.Metadata, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, Version: p.Version,
	}
}

type createProductRequest struct {
	Body productInput `body:"true"`
}

func (h handlers) createProduct(ctx context.Context, tx *db.Tx, req createProductRequest) (productResponse, error) {
	p, err := h.service.CreateProduct(ctx, tx, req.Body.toProduct())
	return respond(p, err, toProductResponse)
}

type listProductsRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at,name"`
	Status             string     `query:"status" enum:"active,archived"`
	CategoryID         *uuid.UUID `query:"category_id"`
	SKU                string     `query:"sku" maxLength:"60" doc:"O SKU do produto, ou de uma de suas variações."`
	Query              string     `query:"q" maxLength:"100" doc:"Começo de palavras do nome, ou do SKU ou GTIN do produto ou de uma variação."`
}

func (h handlers) listProducts(ctx context.Context, r db.Reader, req listProductsRequest) (page.Result[productResponse], error) {
	result, err := h.service.ListProducts(ctx, r, ProductFilter{
		ListFilter: req.Filter(), Status: req.Status, CategoryID: req.CategoryID, SKU: req.SKU, Query: req.Query, Page: req.Page,
	})
	return page.Map(result, func(p Product) productResponse { return toProductResponse(&p) }), err
}

func (h handlers) getProduct(ctx context.Context, r db.Reader, req recordRequest) (productResponse, error) {
	p, err := h.service.GetProduct(ctx, r, req.ID)
	return respond(p, err, toProductResponse)
}

type updateProductRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    productPatch `body:"true"`
}

func (h handlers) updateProduct(ctx context.Context, tx *db.Tx, req updateProductRequest) (productResponse, error) {
	p, err := h.service.UpdateProduct(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges())
	return respond(p, err, toProductResponse)
}

func (h handlers) deleteProduct(ctx context.Context, tx *db.Tx, req recordWriteRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteProduct(ctx, tx, req.ID, req.IfMatch)
}

func (h handlers) archiveProduct(ctx context.Context, tx *db.Tx, req recordRequest) (productResponse, error) {
	p, err := h.service.ChangeProductStatus(ctx, tx, req.ID, "archive")
	return respond(p, err, toProductResponse)
}

func (h handlers) unarchiveProduct(ctx context.Context, tx *db.Tx, req recordRequest) (productResponse, error) {
	p, err := h.service.ChangeProductStatus(ctx, tx, req.ID, "unarchive")
	return respond(p, err, toProductResponse)
}

func (h handlers) productHistory(ctx context.Context, r db.Reader, req recordHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	return httpapi.HistoryPage(h.service.ProductHistory(ctx, r, req.ID, req.Page))
}
