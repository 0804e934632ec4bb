package crm

import (
	"slices"

	"github.com/google/uuid"

	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
)

// Routes returns the routes of leads, tasks and appointments.
func Routes(s *Service) []httpapi.Route {
	h := handlers{s}
	return slices.Concat(leadRoutes(h), taskRoutes(h), appointmentRoutes(h))
}

type handlers struct{ service *Service }

// recordRequest names a record by its path.
type recordRequest struct {
	ID uuid.UUID `path:"id"`
}

type deleteRecordRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
}

type recordHistoryRequest struct {
	httpapi.PageParams
	ID uuid.UUID `path:"id"`
}
