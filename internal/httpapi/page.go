package httpapi

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// PageParams are the query parameters of every page.
type PageParams struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"Itens por página."`
	Cursor string `query:"cursor" maxLength:"1000" doc:"O next_cursor da página anterior."`
	Order  string `query:"order" enum:"asc,desc" doc:"Sentido; o mais novo primeiro, se nada for dito."`

	// Page is what the parameters ask for; the adapter sets it.
	Page page.Request `query:"-"`
}

// ListParams are the query parameters of every list of a resource. The words
// of Sort come from the `sorts` tag of the field that embeds it; the first is
// the default.
type ListParams struct {
	PageParams
	Sort        string      `query:"sort" doc:"Campo da ordenação."`
	IDs         []uuid.UUID `query:"ids" minItems:"1" maxItems:"100" doc:"Só os registros com estes ids, separados por vírgula; um repetido conta uma vez, e um que não existe não aparece. Com limit=100, todos cabem numa página."`
	CreatedFrom *time.Time  `query:"created_from" doc:"Criados a partir deste instante (inclusive)."`
	CreatedTo   *time.Time  `query:"created_to" doc:"Criados antes deste instante (exclusive)."`
	UpdatedFrom *time.Time  `query:"updated_from" doc:"Alterados a partir deste instante (inclusive)."`
	UpdatedTo   *time.Time  `query:"updated_to" doc:"Alterados antes deste instante (exclusive)."`
	ExternalID  string      `query:"external_id" maxLength:"64" doc:"O id deste registro no sistema do integrador."`
}

// Page is the body of a list.
type Page[T any] struct {
	Data       []T     `json:"data"`
	HasMore    bool    `json:"has_more" doc:"Há outra página."`
	NextCursor *string `json:"next_cursor" doc:"O cursor da próxima página."`
}

// newPage signs the cursor of the next page with the request's binding.
func newPage[T any](ctx context.Context, r page.Result[T]) Page[T] {
	p := Page[T]{Data: r.Items}
	if p.Data == nil {
		p.Data = []T{}
	}
	if r.Next != nil {
		cursor := cursorsFrom(ctx).encode(*r.Next)
		p.HasMore, p.NextCursor = true, &cursor
	}
	return p
}

// cursors opens and makes the cursors of one request.
type cursors struct {
	signer  *page.Signer
	binding string // tenant, list, filters and order
}

func (c cursors) encode(p page.Position) string { return c.signer.Encode(c.binding, p) }

type cursorsKey struct{}

func withCursors(ctx context.Context, c cursors) context.Context {
	return context.WithValue(ctx, cursorsKey{}, c)
}

func cursorsFrom(ctx context.Context) cursors {
	c, _ := ctx.Value(cursorsKey{}).(cursors)
	return c
}

// Filter returns what the list is narrowed by.
func (p ListParams) Filter() db.ListFilter {
	return db.ListFilter{
		IDs:         p.IDs,
		CreatedFrom: p.CreatedFrom, CreatedTo: p.CreatedTo,
		UpdatedFrom: p.UpdatedFrom, UpdatedTo: p.UpdatedTo,
		ExternalID: p.ExternalID,
	}
}
