package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// memberRow is a member as its table holds it.
type memberRow struct {
	TenantID  uuid.UUID `gorm:"primaryKey"`
	Colleague `gorm:"embedded"`
}

// TableName names the table.
func (memberRow) TableName() string { return "members" }

func insertMember(ctx context.Context, tx *db.Tx, c *Colleague) error {
	if err := tx.Gorm(ctx).Create(&memberRow{tx.TenantID(), *c}).Error; err != nil {
		return fmt.Errorf("insert member: %w", err)
	}
	return nil
}

func getMember(ctx context.Context, r db.Reader, id uuid.UUID) (*Colleague, error) {
	row, err := db.Get[memberRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Colleague, nil
}

func getMemberForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Colleague, error) {
	row, err := db.GetForUpdate[memberRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Colleague, nil
}

// memberByLogin locks the member that a sign-in is, or was; nil: it never was one.
func memberByLogin(ctx context.Context, tx *db.Tx, loginID uuid.UUID) (*Colleague, error) {
	var row memberRow
	err := tx.Gorm(ctx).Raw(`SELECT id, login_id, name, email, role, permissions, active, created_at, updated_at, version
		FROM members WHERE tenant_id = ? AND login_id = ? FOR UPDATE`, tx.TenantID(), loginID).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // not a member yet
	}
	if err != nil {
		return nil, fmt.Errorf("get the member of login %s: %w", loginID, err)
	}
	return &row.Colleague, nil
}

// hasActiveMember reports whether an active member has this e-mail.
func hasActiveMember(ctx context.Context, r db.Reader, email string) (exists bool, err error) {
	err = r.Gorm(ctx).Raw(`SELECT EXISTS (SELECT FROM members m JOIN logins l ON l.id = m.login_id
		WHERE m.tenant_id = ? AND m.active AND l.email = ?)`, r.TenantID(), email).Scan(&exists).Error
	if err != nil {
		return false, fmt.Errorf("look for a member: %w", err)
	}
	return exists, nil
}

func updateMember(ctx context.Context, tx *db.Tx, c *Colleague) error {
	if err := db.Update(ctx, tx, &memberRow{tx.TenantID(), *c}, c.ID); err != nil {
		return fmt.Errorf("update member %s: %w", c.ID, err)
	}
	return nil
}

// lockOwners locks the active owners, all in one order, and returns their ids:
// whoever changes an owner holds them all, so that two changes at the same
// moment cannot each leave the other as the last.
func lockOwners(ctx context.Context, tx *db.Tx) ([]uuid.UUID, error) {
	var rows []idRow
	err := tx.Gorm(ctx).Raw(`SELECT id FROM members WHERE tenant_id = ? AND role = 'owner' AND active
		ORDER BY id FOR UPDATE`, tx.TenantID()).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("lock the owners: %w", err)
	}
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids, nil
}

// ColleagueFilter selects members of a list; nil selects all.
type ColleagueFilter struct {
	Active *bool
	Page   page.Request
}

func listMembers(ctx context.Context, r db.Reader, f ColleagueFilter) (page.Result[Colleague], error) {
	q := r.Gorm(ctx).Model(&memberRow{}).Where("tenant_id = ?", r.TenantID())
	if f.Active != nil {
		q = q.Where("active = ?", *f.Active)
	}
	var rows []memberRow
	if err := db.Keyset(q, f.Page, db.WithTimes(nil)).Find(&rows).Error; err != nil {
		return page.Result[Colleague]{}, fmt.Errorf("list members: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row memberRow) page.Position { return db.TimePosition(row.CreatedAt, row.ID) })
	return page.Map(result, func(row memberRow) Colleague { return row.Colleague }), nil
}

// allMembers reads every member, oldest first.
func allMembers(ctx context.Context, r db.Reader) ([]Colleague, error) {
	var rows []memberRow
	if err := r.Gorm(ctx).Where("tenant_id = ?", r.TenantID()).Order("created_at, id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read members: %w", err)
	}
	all := make([]Colleague, len(rows))
	for i, row := range rows {
		all[i] = row.Colleague
	}
	return all, nil
}
