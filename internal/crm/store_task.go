package crm

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// taskRow is a task as its table holds it.
type taskRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Task     `gorm:"embedded"`
}

// TableName names the table.
func (taskRow) TableName() string { return "tasks" }

func insertTask(ctx context.Context, tx *db.Tx, t *Task) error {
	if err := tx.Gorm(ctx).Create(&taskRow{tx.TenantID(), *t}).Error; err != nil {
		return taskConflict(fmt.Errorf("insert task: %w", err))
	}
	return nil
}

func getTask(ctx context.Context, r db.Reader, id uuid.UUID) (*Task, error) {
	row, err := db.Get[taskRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Task, nil
}

func getTaskForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Task, error) {
	row, err := db.GetForUpdate[taskRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Task, nil
}

// updateTask writes all of t's members, under the lock that getTaskForUpdate took.
func updateTask(ctx context.Context, tx *db.Tx, t *Task) error {
	if err := db.Update(ctx, tx, &taskRow{tx.TenantID(), *t}, t.ID); err != nil {
		return taskConflict(fmt.Errorf("update task %s: %w", t.ID, err))
	}
	return nil
}

func listTasks(ctx context.Context, r db.Reader, f TaskFilter) (page.Result[Task], error) {
	q := f.narrow(r.Gorm(ctx).Model(&taskRow{}).Where("tenant_id = ?", r.TenantID()), r.Now())
	var rows []taskRow
	if err := db.Keyset(q, f.Page, db.WithTimes(nil)).Find(&rows).Error; err != nil {
		return page.Result[Task]{}, fmt.Errorf("list tasks: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row taskRow) page.Position {
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row taskRow) Task { return row.Task }), nil
}

func (f TaskFilter) narrow(q *gorm.DB, now time.Time) *gorm.DB {
	q = f.Apply(q)
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.AssigneeMemberID != nil {
		q = q.Where("assignee_member_id = ?", *f.AssigneeMemberID)
	}
	if f.ClientID != nil {
		q = q.Where("client_id = ?", *f.ClientID)
	}
	if f.LeadID != nil {
		q = q.Where("lead_id = ?", *f.LeadID)
	}
	if f.QuoteID != nil {
		q = q.Where("quote_id = ?", *f.QuoteID)
	}
	if f.ServiceOrderID != nil {
		q = q.Where("service_order_id = ?", *f.ServiceOrderID)
	}
	if f.SaleID != nil {
		q = q.Where("sale_id = ?", *f.SaleID)
	}
	if f.DueFrom != nil {
		q = q.Where("due_at >= ?", *f.DueFrom)
	}
	if f.DueTo != nil {
		q = q.Where("due_at < ?", *f.DueTo)
	}
	switch {
	case f.Overdue == nil:
	case *f.Overdue:
		q = q.Where("due_at < ? AND status IN ('open', 'in_progress')", now)
	default:
		q = q.Where("(due_at IS NULL OR due_at >= ? OR status IN ('done', 'cancelled'))", now)
	}
	return q
}

func taskConflict(err error) error {
	return db.Reference(db.ExternalID(err), map[string]string{
		"tasks_assignee_member_id_fkey": "/assignee_member_id",
		"tasks_client_id_fkey":          "/client_id",
		"tasks_lead_id_fkey":            "/lead_id",
		"tasks_quote_id_fkey":           "/quote_id",
		"tasks_service_order_id_fkey":   "/service_order_id",
		"tasks_sale_id_fkey":            "/sale_id",
	})
}
