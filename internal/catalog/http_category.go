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
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

func productCategoryRoutes() []httpapi.Route {
	return categoryRoutes[ProductTree](categoryDocs{
		base: httpapi.PublicBase + "/product_categories", tag: "Categorias de produtos", of: "de produtos",
		one: "ProductCategory", many: "ProductCategories", read: canReadProducts, write: canWriteProducts,
		example: `{"name": "Camisetas", "parent_id": "{product_category}", "position": 1}`,
	})
}

func serviceCategoryRoutes() []httpapi.Route {
	return categoryRoutes[ServiceTree](categoryDocs{
		base: httpapi.PublicBase + "/service_categories", tag: "Categorias de serviços", of: "de serviços",
		one: "ServiceCategory", many: "ServiceCategories", read: canReadServices, write: canWriteServices,
		example: `{"name": "Manutenção", "parent_id": "{service_category}", "position": 1}`,
	})
}

// categoryDocs is how the routes of the two trees differ.
type categoryDocs struct {
	base, tag, of string
	one, many     string // in the operations' ids
	read, write   string // permissions
	example       string
}

func categoryRoutes[T Tree](d categoryDocs) []httpapi.Route {
	h := categoryHandlers[T]{base: d.base}
	read, write := []string{d.read}, []string{d.write}
	path := d.base + "/{id}"
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "create" + d.one, Method: http.MethodPost, Path: d.base, Tag: d.tag, Summary: "Cria uma categoria " + d.of, Scopes: write,
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"}, Example: httpapi.Example{Body: d.example},
		}, h.create),
		httpapi.List(httpapi.Op{ID: "list" + d.many, Path: d.base, Tag: d.tag, Summary: "Lista as categorias " + d.of, Scopes: read}, h.list),
		httpapi.Read(httpapi.Op{ID: "get" + d.one, Path: path, Tag: d.tag, Summary: "Consulta uma categoria " + d.of, Scopes: read}, h.get),
		httpapi.Write(httpapi.Op{
			ID: "update" + d.one, Method: http.MethodPatch, Path: path, Tag: d.tag, Summary: "Altera ou move uma categoria " + d.of,
			Scopes: write, Body: httpapi.BodyRequired, Errors: []string{"already_exists"}, Example: httpapi.Example{Body: `{"position": 2}`},
		}, h.update),
		httpapi.Write(httpapi.Op{
			ID: "delete" + d.one, Method: http.MethodDelete, Path: path, Tag: d.tag, Summary: "Exclui uma categoria sem uso " + d.of,
			Scopes: write, Status: http.StatusNoContent, Errors: []string{"resource_in_use"},
		}, h.delete),
	}
}

type categoryHandlers[T Tree] struct {
	categories Categories[T]
	base       string
}

type catalogCategoryInput struct {
	Name       string     `json:"name" required:"true" minLength:"1" maxLength:"80" doc:"Único entre as categorias de mesma superior."`
	ParentID   *uuid.UUID `json:"parent_id" doc:"A categoria superior; até 5 níveis."`
	Position   *int       `json:"position" minimum:"0" maximum:"1000000" doc:"A ordem entre as irmãs; 0, se não vier."`
	ExternalID *string    `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   meta.Map   `json:"metadata"`
}

func (in catalogCategoryInput) toCategory() Category {
	return Category{
		Record: Record{ExternalID: in.ExternalID, Metadata: in.Metadata},
		Name:   in.Name, ParentID: in.ParentID, Position: opt.OrZero(in.Position),
	}
}

type catalogCategoryPatch struct {
	Name       opt.Field[string]     `json:"name" required:"true" minLength:"1" maxLength:"80"`
	ParentID   opt.Field[uuid.UUID]  `json:"parent_id" doc:"null faz dela uma raiz; o que está abaixo vai junto."`
	Position   opt.Field[int]        `json:"position" minimum:"0" maximum:"1000000"`
	ExternalID opt.Field[string]     `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   opt.Field[meta.Patch] `json:"metadata"`
}

func (p catalogCategoryPatch) toChanges() CategoryChanges { return CategoryChanges(p) }

type catalogCategoryResponse struct {
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name"`
	ParentID   *uuid.UUID `json:"parent_id"`
	Position   int        `json:"position"`
	ExternalID *string    `json:"external_id"`
	Metadata   meta.Map   `json:"metadata"`
	CreatedAt  time.Time  `json:"created_at"`
	UpdatedAt  time.Time  `json:"updated_at"`
	Version    int64      `json:"version"`

	base string // of the tree's routes
}

// Location is the category's own path.
func (r catalogCategoryResponse) Location() string { return r.base + "/" + r.ID.String() }

// ObjectVersion is the category's version.
func (r catalogCategoryResponse) ObjectVersion() int64 { return r.Version }

func (h categoryHandlers[T]) toResponse(c *Category) catalogCategoryResponse {
	return catalogCategoryResponse{
		ID: c.ID, Name: c.Name, ParentID: c.ParentID, Position: c.Position, ExternalID: c.ExternalID, Metadata: c.Metadata,
		CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, Version: c.Version, base: h.base,
	}
}

type createCatalogCategoryRequest struct {
	Body catalogCategoryInput `body:"true"`
}

func (h categoryHandlers[T]) create(ctx context.Context, tx *db.Tx, req createCatalogCategoryRequest) (catalogCategoryResponse, error) {
	c, err := h.categories.Create(ctx, tx, req.Body.toCategory())
	return respond(c, err, h.toResponse)
}

type listCatalogCategoriesRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at"`
	ParentID           *uuid.UUID `query:"parent_id" doc:"As que estão logo abaixo desta."`
}

func (h categoryHandlers[T]) list(ctx context.Context, r db.Reader, req listCatalogCategoriesRequest) (page.Result[catalogCategoryResponse], error) {
	result, err := h.categories.List(ctx, r, CategoryFilter{ListFilter: req.Filter(), ParentID: req.ParentID, Page: req.Page})
	return page.Map(result, func(c Category) catalogCategoryResponse { return h.toResponse(&c) }), err
}

func (h categoryHandlers[T]) get(ctx context.Context, r db.Reader, req recordRequest) (catalogCategoryResponse, error) {
	c, err := h.categories.Get(ctx, r, req.ID)
	return respond(c, err, h.toResponse)
}

type updateCatalogCategoryRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    catalogCategoryPatch `body:"true"`
}

func (h categoryHandlers[T]) update(ctx context.Context, tx *db.Tx, req updateCatalogCategoryRequest) (catalogCategoryResponse, error) {
	c, err := h.categories.Update(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges())
	return respond(c, err, h.toResponse)
}

func (h categoryHandlers[T]) delete(ctx context.Context, tx *db.Tx, req recordWriteRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.categories.Delete(ctx, tx, req.ID, req.IfMatch)
}
