package history

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

var insertChange = db.Statement{Name: "history_insert", SQL: `
INSERT INTO status_history (tenant_id, id, resource, resource_id, at, action,
                            from_status, to_status, reason, actor_type, actor_id, actor_name)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`}

type row struct {
	ID         uuid.UUID
	At         time.Time
	Action     string
	FromStatus *string
	ToStatus   string
	Reason     *string
	ActorType  string
	ActorID    *uuid.UUID
	ActorName  string
}

func list(ctx context.Context, r db.Reader, resource string, resourceID uuid.UUID, p page.Request) (page.Result[Entry], error) {
	var rows []row
	q := r.Gorm(ctx).Table("status_history").
		Where("tenant_id = ? AND resource = ? AND resource_id = ?", r.TenantID(), resource, resourceID)
	// By id, which is made under the record's lock: at is when the transaction
	// began, and one that waited for the lock may have begun before the one that
	// it follows.
	q = db.Keyset(q, p, db.SortColumns{"created_at": db.IDColumn("id")})
	if err := q.Find(&rows).Error; err != nil {
		return page.Result[Entry]{}, fmt.Errorf("list the history of %s %s: %w", resource, resourceID, err)
	}
	result := page.Cut(rows, p.Limit, func(r row) page.Position { return page.Position{Value: r.ID.String(), ID: r.ID} })
	return page.Map(result, fromRow), nil
}

func fromRow(r row) Entry {
	return Entry{
		ID: r.ID, At: r.At, Action: r.Action, From: r.FromStatus, To: r.ToStatus, Reason: r.Reason,
		ActorType: r.ActorType, ActorID: r.ActorID, ActorName: r.ActorName,
	}
}
