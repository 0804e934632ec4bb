package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// sessionRow is a session as its table holds it.
type sessionRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	SignedIn `gorm:"embedded"`
}

// TableName names the table.
func (sessionRow) TableName() string { return "sessions" }

// aliveSession is the condition of a session that can still be used. The
// database's clock decides, as it does when a request is let in.
const aliveSession = `ended_at IS NULL AND expires_at > now()
	AND login_epoch = (SELECT session_epoch FROM logins WHERE logins.id = sessions.login_id)`

func insertSession(ctx context.Context, tx *db.Tx, s *SignedIn) error {
	if err := tx.Gorm(ctx).Create(&sessionRow{tx.TenantID(), *s}).Error; err != nil {
		return fmt.Errorf("insert session: %w", err)
	}
	return nil
}

// getSessionForUpdate locks a session that can still be used; nil: there is none.
func getSessionForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*SignedIn, error) {
	var row sessionRow
	err := tx.Gorm(ctx).Raw(`SELECT id, member_id, login_id, login_epoch, user_agent, ip, created_at, refreshed_at, expires_at
		FROM sessions WHERE tenant_id = ? AND id = ? AND `+aliveSession+` FOR UPDATE`, tx.TenantID(), id).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // ended or never there: one answer
	}
	if err != nil {
		return nil, fmt.Errorf("get session %s: %w", id, err)
	}
	return &row.SignedIn, nil
}

func renewSession(ctx context.Context, tx *db.Tx, s *SignedIn) error {
	err := tx.Gorm(ctx).Exec(`UPDATE sessions SET refreshed_at = ?, expires_at = ?, ip = ?, user_agent = ?
		WHERE tenant_id = ? AND id = ?`, s.RefreshedAt, s.ExpiresAt, s.IP, s.UserAgent, tx.TenantID(), s.ID).Error
	if err != nil {
		return fmt.Errorf("renew session %s: %w", s.ID, err)
	}
	return nil
}

// keepSession moves a session into a new epoch, in which it alone goes on.
func keepSession(ctx context.Context, tx *db.Tx, id uuid.UUID, epoch int) error {
	err := tx.Gorm(ctx).Exec(`UPDATE sessions SET login_epoch = ? WHERE tenant_id = ? AND id = ?`, epoch, tx.TenantID(), id).Error
	if err != nil {
		return fmt.Errorf("keep session %s: %w", id, err)
	}
	return nil
}

// endSession ends one living session of a member, or returns a not_found problem.
func endSession(ctx context.Context, tx *db.Tx, memberID, id uuid.UUID, reason string) error {
	result := tx.Gorm(ctx).Exec(`UPDATE sessions SET ended_at = now(), ended_reason = ?
		WHERE tenant_id = ? AND id = ? AND member_id = ? AND `+aliveSession, reason, tx.TenantID(), id, memberID)
	if result.Error != nil {
		return fmt.Errorf("end session %s: %w", id, result.Error)
	}
	if result.RowsAffected != 1 {
		return problem.Missing()
	}
	return nil
}

// endSessionsOf ends the living sessions of a member in this company, but one.
func endSessionsOf(ctx context.Context, tx *db.Tx, memberID, except uuid.UUID, reason string) error {
	err := tx.Gorm(ctx).Exec(`UPDATE sessions SET ended_at = now(), ended_reason = ?
		WHERE tenant_id = ? AND member_id = ? AND id <> ? AND ended_at IS NULL`, reason, tx.TenantID(), memberID, except).Error
	if err != nil {
		return fmt.Errorf("end the sessions of member %s: %w", memberID, err)
	}
	return nil
}

func listSessions(ctx context.Context, r db.Reader, memberID uuid.UUID, p page.Request) (page.Result[SignedIn], error) {
	q := r.Gorm(ctx).Model(&sessionRow{}).Where("tenant_id = ? AND member_id = ? AND "+aliveSession, r.TenantID(), memberID)
	var rows []sessionRow
	if err := db.Keyset(q, p, db.SortColumns{"created_at": db.TimeColumn("created_at")}).Find(&rows).Error; err != nil {
		return page.Result[SignedIn]{}, fmt.Errorf("list the sessions of member %s: %w", memberID, err)
	}
	result := page.Cut(rows, p.Limit, func(row sessionRow) page.Position { return db.TimePosition(row.CreatedAt, row.ID) })
	return page.Map(result, func(row sessionRow) SignedIn { return row.SignedIn }), nil
}
