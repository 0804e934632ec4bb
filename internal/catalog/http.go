package catalog

import (
	"slices"

	"github.com/google/uuid"

	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
)

// Routes returns the routes of the whole catalogue.
func Routes(s *Service) []httpapi.Route {
	h := handlers{s}
	return slices.Concat(productRoutes(h), variationRoutes(h), productCategoryRoutes(), serviceRoutes(h), serviceCategoryRoutes())
}

type handlers struct{ service *Service }

// recordRequest names one record by its path.
type recordRequest struct {
	ID uuid.UUID `path:"id"`
}

// recordWriteRequest names one record, and the version that is meant.
type recordWriteRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
}

// recordHistoryRequest asks for a page of a record's history.
type recordHistoryRequest struct {
	httpapi.PageParams
	ID uuid.UUID `path:"id"`
}

// respond converts what a rule returned, unless it refused.
func respond[V, Response any](v *V, err error, toResponse func(*V) Response) (Response, error) {
	if err != nil {
		var none Response
		return none, err
	}
	return toResponse(v), nil
}
