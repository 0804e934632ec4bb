package finance

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// ruleRow is a rule as its table holds it.
type ruleRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Rule     `gorm:"embedded"`
}

// TableName names the table.
func (ruleRow) TableName() string { return "financial_rules" }

func insertRule(ctx context.Context, tx *db.Tx, r *Rule) error {
	return db.Insert(ctx, tx, &ruleRow{tx.TenantID(), *r}, ruleConflict)
}

func getRule(ctx context.Context, r db.Reader, id uuid.UUID) (*Rule, error) {
	row, err := db.Get[ruleRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Rule, nil
}

// getRuleForUpdate locks the rule; its occurrences are made under this lock.
func getRuleForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Rule, error) {
	row, err := db.GetForUpdate[ruleRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Rule, nil
}

func updateRule(ctx context.Context, tx *db.Tx, r *Rule) error {
	if err := db.Update(ctx, tx, &ruleRow{tx.TenantID(), *r}, r.ID); err != nil {
		return ruleConflict(fmt.Errorf("update rule %s: %w", r.ID, err))
	}
	return nil
}

// updateProgress writes which occurrence comes next. It is not a version of the
// rule: nobody has changed what it says.
func updateProgress(ctx context.Context, tx *db.Tx, r *Rule) error {
	err := tx.Gorm(ctx).Exec(`UPDATE financial_rules SET next_number = ?, next_date = ? WHERE tenant_id = ? AND id = ?`,
		r.NextNumber, r.NextDate, tx.TenantID(), r.ID).Error
	if err != nil {
		return fmt.Errorf("update the progress of rule %s: %w", r.ID, err)
	}
	return nil
}

func listRules(ctx context.Context, r db.Reader, f RuleFilter) (page.Result[Rule], error) {
	q := f.Apply(r.Gorm(ctx).Model(&ruleRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.Type != "" {
		q = q.Where("type = ?", f.Type)
	}
	var rows []ruleRow
	if err := db.Keyset(q, f.Page, db.WithTimes(nil)).Find(&rows).Error; err != nil {
		return page.Result[Rule]{}, fmt.Errorf("list rules: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row ruleRow) page.Position {
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row ruleRow) Rule { return row.Rule }), nil
}

// dueRule is a rule of some company that may have an occurrence to make.
type dueRule struct {
	TenantID uuid.UUID
	ID       uuid.UUID
}

// dueRules reads, as the sweeper, the active rules of all companies whose next
// occurrence is at or before a date, from the one after last on.
func dueRules(ctx context.Context, tx *db.Tx, upTo civil.Date, last dueRule, limit int) ([]dueRule, error) {
	var due []dueRule
	err := tx.Gorm(ctx).Raw(`SELECT tenant_id, id FROM financial_rules
		WHERE status = 'active' AND next_date <= ? AND (tenant_id, id) > (?, ?)
		ORDER BY tenant_id, id LIMIT ?`, upTo, last.TenantID, last.ID, limit).Scan(&due).Error
	if err != nil {
		return nil, fmt.Errorf("read the rules that are due: %w", err)
	}
	return due, nil
}

func ruleConflict(err error) error {
	return db.ExternalID(db.Reference(err, map[string]string{
		"financial_rules_account_id_fkey":  "/account_id",
		"financial_rules_category_id_fkey": "/category_id",
		"financial_rules_client_id_fkey":   "/client_id",
	}))
}
