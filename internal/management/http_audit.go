package management

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/page"
)

func auditRoutes(h handlers) []httpapi.Route {
	return []httpapi.Route{
		httpapi.List(httpapi.Op{
			ID: "listAuditEvents", Path: base + "/audit", Tag: tagAudit, Summary: "Lista quem fez o quê, quando e de onde", Scopes: managers(),
		}, h.audit),
	}
}

type auditEventResponse struct {
	ID         uuid.UUID          `json:"id"`
	At         time.Time          `json:"at"`
	Actor      auditActorResponse `json:"actor"`
	Action     string             `json:"action" doc:"Como client.created."`
	Resource   string             `json:"resource"`
	ResourceID *uuid.UUID         `json:"resource_id"`
	Details    map[string]any     `json:"details"`
	RequestID  string             `json:"request_id"`
	IP         string             `json:"ip"`
}

type auditActorResponse struct {
	Type string     `json:"type" enum:"api_key,member,public_link,job"`
	ID   *uuid.UUID `json:"id"`
	Name string     `json:"name"`
}

type listAuditRequest struct {
	httpapi.PageParams
	From       *time.Time `query:"from" doc:"A partir deste instante (inclusive)."`
	To         *time.Time `query:"to" doc:"Antes deste instante (exclusive)."`
	Action     string     `query:"action" maxLength:"80"`
	Resource   string     `query:"resource" maxLength:"80"`
	ResourceID uuid.UUID  `query:"resource_id"`
	ActorID    uuid.UUID  `query:"actor_id"`
}

func (h handlers) audit(ctx context.Context, r db.Reader, req listAuditRequest) (page.Result[auditEventResponse], error) {
	result, err := audit.List(ctx, r, audit.Filter{
		From: req.From, To: req.To, Action: req.Action, Resource: req.Resource, ResourceID: req.ResourceID, ActorID: req.ActorID, Page: req.Page,
	})
	return page.Map(result, toAuditEvent), err
}

func toAuditEvent(e audit.Entry) auditEventResponse {
	return auditEventResponse{
		ID: e.ID, At: e.At.UTC(), Actor: auditActorResponse{Type: e.ActorType, ID: e.ActorID, Name: e.ActorName},
		Action: e.Action, Resource: e.Resource, ResourceID: e.ResourceID, Details: e.Details, RequestID: e.RequestID, IP: e.IP,
	}
}
