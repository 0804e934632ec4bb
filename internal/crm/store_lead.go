package crm

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/search"
)

// leadRow is a lead as its table holds it.
type leadRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Lead     `gorm:"embedded"`
}

// TableName names the table.
func (leadRow) TableName() string { return "leads" }

func insertLead(ctx context.Context, tx *db.Tx, l *Lead) error {
	if err := tx.Gorm(ctx).Create(&leadRow{tx.TenantID(), *l}).Error; err != nil {
		return leadConflict(fmt.Errorf("insert lead: %w", err))
	}
	search.Index(tx, leadResource, l.ID, l.tokens())
	return nil
}

func getLead(ctx context.Context, r db.Reader, id uuid.UUID) (*Lead, error) {
	row, err := db.Get[leadRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Lead, nil
}

func getLeadForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Lead, error) {
	row, err := db.GetForUpdate[leadRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Lead, nil
}

// leadReferable checks that a task may refer to a lead: it exists, and stays
// until tx ends. Otherwise the error is a 422 at pointer.
func leadReferable(ctx context.Context, tx *db.Tx, id uuid.UUID, pointer string) error {
	var found []uuid.UUID
	err := tx.Gorm(ctx).Raw("SELECT id FROM leads WHERE tenant_id = ? AND id = ? FOR KEY SHARE", tx.TenantID(), id).Scan(&found).Error
	if err != nil {
		return fmt.Errorf("look for lead %s: %w", id, err)
	}
	if len(found) == 0 {
		return problem.Invalid(problem.UnknownReference(pointer))
	}
	return nil
}

// updateLead writes all of l's members, under the lock that getLeadForUpdate
// took. The words by which it was found before are replaced.
func updateLead(ctx context.Context, tx *db.Tx, l *Lead, oldTokens []string) error {
	if err := db.Update(ctx, tx, &leadRow{tx.TenantID(), *l}, l.ID); err != nil {
		return leadConflict(fmt.Errorf("update lead %s: %w", l.ID, err))
	}
	search.Reindex(tx, leadResource, l.ID, oldTokens, l.tokens())
	return nil
}

func removeLead(ctx context.Context, tx *db.Tx, l *Lead) error {
	if err := db.Delete[leadRow](ctx, tx, l.ID); err != nil {
		return fmt.Errorf("delete lead %s: %w", l.ID, err)
	}
	search.Remove(tx, leadResource, l.ID, l.tokens())
	return nil
}

func listLeads(ctx context.Context, r db.Reader, f LeadFilter) (page.Result[Lead], error) {
	q := f.Apply(r.Gorm(ctx).Model(&leadRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.AssigneeMemberID != nil {
		q = q.Where("assignee_member_id = ?", *f.AssigneeMemberID)
	}
	if f.Query != "" {
		q = search.Match(q, r.TenantID(), leadResource, f.Query)
	}
	var rows []leadRow
	if err := db.Keyset(q, f.Page, db.WithTimes(nil)).Find(&rows).Error; err != nil {
		return page.Result[Lead]{}, fmt.Errorf("list leads: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row leadRow) page.Position {
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row leadRow) Lead { return row.Lead }), nil
}

func leadConflict(err error) error {
	return db.Reference(db.ExternalID(err), map[string]string{
		"leads_assignee_member_id_fkey": "/assignee_member_id",
		"leads_client_id_fkey":          "/client_id",
	})
}
