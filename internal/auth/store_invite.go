package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// inviteRow is an invitation as its table holds it.
type inviteRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Invite   `gorm:"embedded"`
}

// TableName names the table.
func (inviteRow) TableName() string { return "invitations" }

// pendingInvite is the condition of an invitation that can be accepted.
const pendingInvite = "accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ?"

func insertInvite(ctx context.Context, tx *db.Tx, i *Invite) error {
	if err := tx.Gorm(ctx).Create(&inviteRow{tx.TenantID(), *i}).Error; err != nil {
		return fmt.Errorf("insert invitation: %w", err)
	}
	return nil
}

// openInvite returns the pending invitation of a token, or nil.
func openInvite(ctx context.Context, r db.Reader, token Token) (*Invite, error) {
	return oneInvite(r.Gorm(ctx), r, token)
}

// spendInvite accepts the pending invitation of a token, or returns nil.
func spendInvite(ctx context.Context, tx *db.Tx, token Token) (*Invite, error) {
	i, err := oneInvite(tx.Gorm(ctx).Clauses(clause.Locking{Strength: "UPDATE"}), tx, token)
	if err != nil || i == nil {
		return nil, err
	}
	err = tx.Gorm(ctx).Exec(`UPDATE invitations SET accepted_at = ? WHERE tenant_id = ? AND id = ?`, tx.Now(), tx.TenantID(), i.ID).Error
	if err != nil {
		return nil, fmt.Errorf("accept invitation %s: %w", i.ID, err)
	}
	return i, nil
}

func oneInvite(q *gorm.DB, r db.Reader, token Token) (*Invite, error) {
	hash := token.Hash()
	var row inviteRow
	err := q.Where("tenant_id = ? AND token_hash = ? AND "+pendingInvite, r.TenantID(), hash[:], r.Now()).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // used, revoked, expired or never there: one answer
	}
	if err != nil {
		return nil, fmt.Errorf("get invitation: %w", err)
	}
	return &row.Invite, nil
}

func revokeInvite(ctx context.Context, tx *db.Tx, id uuid.UUID) error {
	result := tx.Gorm(ctx).Exec(`UPDATE invitations SET revoked_at = ? WHERE tenant_id = ? AND id = ? AND `+pendingInvite,
		tx.Now(), tx.TenantID(), id, tx.Now())
	if result.Error != nil {
		return fmt.Errorf("revoke invitation %s: %w", id, result.Error)
	}
	if result.RowsAffected != 1 {
		return problem.Missing()
	}
	return nil
}

// revokeInvitesOf ends the pending invitations of an e-mail, in any case of it.
func revokeInvitesOf(ctx context.Context, tx *db.Tx, email string) error {
	err := tx.Gorm(ctx).Exec(`UPDATE invitations SET revoked_at = ? WHERE tenant_id = ? AND lower(email) = lower(?) AND `+pendingInvite,
		tx.Now(), tx.TenantID(), email, tx.Now()).Error
	if err != nil {
		return fmt.Errorf("revoke the older invitations: %w", err)
	}
	return nil
}

func listInvites(ctx context.Context, r db.Reader, p page.Request) (page.Result[Invite], error) {
	q := r.Gorm(ctx).Model(&inviteRow{}).Where("tenant_id = ? AND "+pendingInvite, r.TenantID(), r.Now())
	var rows []inviteRow
	if err := db.Keyset(q, p, db.SortColumns{"created_at": db.TimeColumn("created_at")}).Find(&rows).Error; err != nil {
		return page.Result[Invite]{}, fmt.Errorf("list invitations: %w", err)
	}
	result := page.Cut(rows, p.Limit, func(row inviteRow) page.Position { return db.TimePosition(row.CreatedAt, row.ID) })
	return page.Map(result, func(row inviteRow) Invite { return row.Invite }), nil
}
