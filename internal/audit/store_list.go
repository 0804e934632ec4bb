package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// row is an event as its table holds it.
type row struct {
	ID         uuid.UUID
	At         time.Time
	ActorType  string
	ActorID    *uuid.UUID
	ActorName  string
	Action     string
	Resource   string
	ResourceID *uuid.UUID
	Details    string
	RequestID  string
	IP         string
}

const columns = "id, at, actor_type, actor_id, actor_name, action, resource, resource_id, details::text AS details, request_id, ip"

func list(ctx context.Context, r db.Reader, f Filter) (page.Result[Entry], error) {
	q := f.apply(r.Gorm(ctx).Table("audit_log").Select(columns).Where("tenant_id = ?", r.TenantID()))
	var rows []row
	if err := db.Keyset(q, f.Page, db.SortColumns{"created_at": db.TimeColumn("at")}).Find(&rows).Error; err != nil {
		return page.Result[Entry]{}, fmt.Errorf("list audit events: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(r row) page.Position { return db.TimePosition(r.At, r.ID) })
	return page.Map(result, fromRow), nil
}

func (f Filter) apply(q *gorm.DB) *gorm.DB {
	if f.From != nil {
		q = q.Where("at >= ?", *f.From)
	}
	if f.To != nil {
		q = q.Where("at < ?", *f.To)
	}
	if f.Action != "" {
		q = q.Where("action = ?", f.Action)
	}
	if f.Resource != "" {
		q = q.Where("resource = ?", f.Resource)
	}
	if f.ResourceID != uuid.Nil {
		q = q.Where("resource_id = ?", f.ResourceID)
	}
	if f.ActorID != uuid.Nil {
		q = q.Where("actor_id = ?", f.ActorID)
	}
	return q
}

func fromRow(r row) Entry {
	e := Entry{
		ID: r.ID, At: r.At, ActorType: r.ActorType, ActorID: r.ActorID, ActorName: r.ActorName, Action: r.Action,
		Resource: r.Resource, ResourceID: r.ResourceID, RequestID: r.RequestID, IP: r.IP,
	}
	_ = json.Unmarshal([]byte(r.Details), &e.Details) // Record wrote it
	return e
}
