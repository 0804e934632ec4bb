package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// TableName names the table.
func (login) TableName() string { return "logins" }

// insertLogin adds a sign-in, or returns an already_exists problem for a known e-mail.
func insertLogin(ctx context.Context, tx *db.Tx, l *login) error {
	err := tx.Gorm(ctx).Create(l).Error
	if v, ok := db.Violated(err, db.Unique); ok && v.Constraint == "logins_email_key" {
		return emailTaken()
	}
	if err != nil {
		return fmt.Errorf("insert login: %w", err)
	}
	return nil
}

// loginByEmail returns nil where nobody has the e-mail.
func loginByEmail(ctx context.Context, r db.Reader, email string) (*login, error) {
	return oneLogin(r.Gorm(ctx).Where("email = ?", email))
}

func loginByID(ctx context.Context, r db.Reader, id uuid.UUID) (*login, error) {
	l, err := oneLogin(r.Gorm(ctx).Where("id = ?", id))
	if err == nil && l == nil {
		return nil, fmt.Errorf("login %s does not exist", id)
	}
	return l, err
}

func oneLogin(q *gorm.DB) (*login, error) {
	var l login
	err := q.Take(&l).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // nobody has it: the callers go on as if somebody had
	}
	if err != nil {
		return nil, fmt.Errorf("get login: %w", err)
	}
	return &l, nil
}

// setPassword stores a new hash and ends every session of the sign-in, in all
// companies. It returns the epoch that new sessions are of.
func setPassword(ctx context.Context, tx *db.Tx, loginID uuid.UUID, hash string) (epoch int, err error) {
	return nextEpoch(ctx, tx, "password_hash = ?, ", []any{hash}, loginID)
}

// endEpoch ends every session of the sign-in, in all companies.
func endEpoch(ctx context.Context, tx *db.Tx, loginID uuid.UUID) (epoch int, err error) {
	return nextEpoch(ctx, tx, "", nil, loginID)
}

func nextEpoch(ctx context.Context, tx *db.Tx, set string, args []any, loginID uuid.UUID) (epoch int, err error) {
	args = append(args, tx.Now(), loginID)
	err = tx.Gorm(ctx).Raw(`UPDATE logins SET `+set+`session_epoch = session_epoch + 1, updated_at = ?
		WHERE id = ? RETURNING session_epoch`, args...).Scan(&epoch).Error
	if err != nil {
		return 0, fmt.Errorf("end the sessions of login %s: %w", loginID, err)
	}
	return epoch, nil
}

// storeTOTP replaces the second factor: nil removes it. It is unconfirmed.
func storeTOTP(ctx context.Context, tx *db.Tx, loginID uuid.UUID, sealed []byte) error {
	err := tx.Gorm(ctx).Exec(`UPDATE logins SET totp_secret = ?, totp_confirmed_at = NULL, totp_last_step = NULL, updated_at = ?
		WHERE id = ?`, sealed, tx.Now(), loginID).Error
	if err != nil {
		return fmt.Errorf("store the second factor of login %s: %w", loginID, err)
	}
	return nil
}

func confirmTOTP(ctx context.Context, tx *db.Tx, loginID uuid.UUID) error {
	err := tx.Gorm(ctx).Exec(`UPDATE logins SET totp_confirmed_at = ?, updated_at = ? WHERE id = ?`, tx.Now(), tx.Now(), loginID).Error
	if err != nil {
		return fmt.Errorf("confirm the second factor of login %s: %w", loginID, err)
	}
	return nil
}

// spendStep marks a time step as used; false: it, or a later one, was used before.
func spendStep(ctx context.Context, tx *db.Tx, loginID uuid.UUID, step int64) (bool, error) {
	result := tx.Gorm(ctx).Exec(`UPDATE logins SET totp_last_step = ?
		WHERE id = ? AND (totp_last_step IS NULL OR totp_last_step < ?)`, step, loginID, step)
	if result.Error != nil {
		return false, fmt.Errorf("spend a time step of login %s: %w", loginID, result.Error)
	}
	return result.RowsAffected == 1, nil
}

// memberships lists the companies that a sign-in may enter: real ones before
// sandboxes, older before newer.
func memberships(ctx context.Context, r db.Reader, loginID uuid.UUID) ([]Membership, error) {
	var list []Membership
	err := r.Gorm(ctx).Raw(`SELECT t.id AS tenant_id, lt.member_id, t.name, t.mode
		FROM login_tenants lt JOIN tenants t ON t.id = lt.tenant_id
		WHERE lt.login_id = ? ORDER BY t.mode, t.created_at, t.id`, loginID).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list the companies of login %s: %w", loginID, err)
	}
	return list, nil
}

// admit lets a sign-in enter the transaction's company as this member.
func admit(ctx context.Context, tx *db.Tx, loginID, memberID uuid.UUID) error {
	err := tx.Gorm(ctx).Exec(`INSERT INTO login_tenants (login_id, tenant_id, member_id) VALUES (?, ?, ?)
		ON CONFLICT (login_id, tenant_id) DO NOTHING`, loginID, tx.TenantID(), memberID).Error
	if err != nil {
		return fmt.Errorf("admit member %s: %w", memberID, err)
	}
	return nil
}

// shutOut is the opposite of admit.
func shutOut(ctx context.Context, tx *db.Tx, loginID uuid.UUID) error {
	err := tx.Gorm(ctx).Exec(`DELETE FROM login_tenants WHERE login_id = ? AND tenant_id = ?`, loginID, tx.TenantID()).Error
	if err != nil {
		return fmt.Errorf("shut out login %s: %w", loginID, err)
	}
	return nil
}

// reset is a password reset that was asked for.
type reset struct {
	ID        uuid.UUID
	LoginID   uuid.UUID
	TokenHash []byte
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time
}

// TableName names the table.
func (reset) TableName() string { return "password_resets" }

func insertReset(ctx context.Context, tx *db.Tx, r *reset) error {
	if err := tx.Gorm(ctx).Create(r).Error; err != nil {
		return fmt.Errorf("insert password reset: %w", err)
	}
	return nil
}

// openReset returns the reset of a token that can still be used, or nil.
func openReset(ctx context.Context, r db.Reader, loginID uuid.UUID, hash []byte) (*reset, error) {
	var found reset
	err := r.Gorm(ctx).Where("login_id = ? AND token_hash = ? AND used_at IS NULL AND expires_at > ?", loginID, hash, r.Now()).
		Take(&found).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // used, expired or never there: one answer
	}
	if err != nil {
		return nil, fmt.Errorf("get password reset: %w", err)
	}
	return &found, nil
}

// spendResets uses a reset up, and with it all others of the sign-in. False: it
// was used meanwhile.
func spendResets(ctx context.Context, tx *db.Tx, r *reset) (bool, error) {
	result := tx.Gorm(ctx).Exec(`UPDATE password_resets SET used_at = ? WHERE id = ? AND used_at IS NULL`, tx.Now(), r.ID)
	if result.Error != nil {
		return false, fmt.Errorf("spend password reset: %w", result.Error)
	}
	if result.RowsAffected != 1 {
		return false, nil
	}
	err := tx.Gorm(ctx).Exec(`UPDATE password_resets SET used_at = ? WHERE login_id = ? AND used_at IS NULL`, tx.Now(), r.LoginID).Error
	if err != nil {
		return false, fmt.Errorf("spend password resets: %w", err)
	}
	return true, nil
}

func emailTaken() error {
	detail := problem.T("Já existe uma conta com este e-mail. Entre com ela.", "An account with this e-mail exists already. Sign in with it.")
	return &problem.Error{Code: problem.AlreadyExists, Detail: detail, Fields: []problem.Field{
		{Pointer: "/email", Code: "already_exists", Detail: detail},
	}}
}
