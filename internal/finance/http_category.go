package finance

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
)

func categoryRoutes(h handlers) []httpapi.Route {
	one := categoriesBase + "/{id}"
	return []httpapi.Route{
		httpapi.Write(creation(op("createFinancialCategory", categoriesBase, categoriesTag, "Cria uma categoria"),
			`{"name": "Cursos", "kind": "expense", "parent_id": "{expense_category}", "position": 5}`, "already_exists"), h.createCategory),
		httpapi.List(op("listFinancialCategories", categoriesBase, categoriesTag, "Lista categorias"), h.listCategories),
		httpapi.Read(op("getFinancialCategory", one, categoriesTag, "Consulta uma categoria"), h.getCategory),
		httpapi.Write(change(op("updateFinancialCategory", one, categoriesTag, "Altera uma categoria"),
			`{"name": "Cursos e livros"}`, "already_exists"), h.updateCategory),
		httpapi.Write(removal(op("deleteFinancialCategory", one, categoriesTag, "Exclui uma categoria sem uso"), "resource_in_use"), h.deleteCategory),
	}
}

type financialCategoryInput struct {
	Name       string     `json:"name" required:"true" minLength:"1" maxLength:"80"`
	Kind       string     `json:"kind" required:"true" enum:"income,expense" doc:"Não muda depois."`
	ParentID   *uuid.UUID `json:"parent_id" doc:"Categoria superior, do mesmo tipo."`
	Position   int        `json:"position" minimum:"0" maximum:"10000" doc:"Ordem entre as irmãs."`
	ExternalID *string    `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   meta.Map   `json:"metadata"`
}

type financialCategoryPatch struct {
	Name       opt.Field[string]     `json:"name" required:"true" minLength:"1" maxLength:"80"`
	ParentID   opt.Field[uuid.UUID]  `json:"parent_id"`
	Position   opt.Field[int]        `json:"position" minimum:"0" maximum:"10000"`
	ExternalID opt.Field[string]     `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata   opt.Field[meta.Patch] `json:"metadata"`
}

type financialCategoryResponse struct {
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name"`
	Kind       string     `json:"kind" enum:"income,expense"`
	ParentID   *uuid.UUID `json:"parent_id"`
	Position   int        `json:"position"`
	ExternalID *string    `json:"external_id"`
	Metadata   meta.Map   `json:"metadata"`
	CreatedAt  time.Time  `json:"created_at"`
	UpdatedAt  time.Time  `json:"updated_at"`
	Version    int64      `json:"version"`
}

// Location is the category's address.
func (r financialCategoryResponse) Location() string { return categoriesBase + "/" + r.ID.String() }

// ObjectVersion is the category's version.
func (r financialCategoryResponse) ObjectVersion() int64 { return r.Version }

func toCategoryResponse(c *Category) financialCategoryResponse { return financialCategoryResponse(*c) }

type createCategoryRequest struct {
	Body financialCategoryInput `body:"true"`
}

func (h handlers) createCategory(ctx context.Context, tx *db.Tx, req createCategoryRequest) (financialCategoryResponse, error) {
	in := req.Body
	c, err := h.service.CreateCategory(ctx, tx, Category{
		Name: in.Name, Kind: in.Kind, ParentID: in.ParentID, Position: in.Position, ExternalID: in.ExternalID, Metadata: in.Metadata,
	})
	return respond(c, err, toCategoryResponse)
}

type listCategoriesRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at"`
	Kind               string     `query:"kind" enum:"income,expense"`
	ParentID           *uuid.UUID `query:"parent_id"`
}

func (h handlers) listCategories(ctx context.Context, r db.Reader, req listCategoriesRequest) (page.Result[financialCategoryResponse], error) {
	result, err := h.service.ListCategories(ctx, r, CategoryFilter{ListFilter: req.Filter(), Kind: req.Kind, ParentID: req.ParentID, Page: req.Page})
	return respondPage(result, err, toCategoryResponse)
}

func (h handlers) getCategory(ctx context.Context, r db.Reader, req idRequest) (financialCategoryResponse, error) {
	c, err := h.service.GetCategory(ctx, r, req.ID)
	return respond(c, err, toCategoryResponse)
}

type updateCategoryRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    financialCategoryPatch `body:"true"`
}

func (h handlers) updateCategory(ctx context.Context, tx *db.Tx, req updateCategoryRequest) (financialCategoryResponse, error) {
	c, err := h.service.UpdateCategory(ctx, tx, req.ID, req.IfMatch, CategoryChanges(req.Body))
	return respond(c, err, toCategoryResponse)
}

func (h handlers) deleteCategory(ctx context.Context, tx *db.Tx, req deleteRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteCategory(ctx, tx, req.ID, req.IfMatch)
}
