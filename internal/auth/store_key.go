package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// keyRow is an API key as its table holds it.
type keyRow struct {
	TenantID  uuid.UUID `gorm:"primaryKey"`
	IssuedKey `gorm:"embedded"`
}

// TableName names the table.
func (keyRow) TableName() string { return "api_keys" }

// keyColumns adds to a key its last use, and the database's instant: of the
// statement, which may have waited for a lock since the transaction began.
const keyColumns = `api_keys.id, member_id, line_id, generation, name, hint, secret_hash, scopes, allowed_ips, require_idempotency_key,
expires_at, ends_at, ended_reason, created_by, created_at, updated_at, version, statement_timestamp() AS at,
(SELECT u.last_used_at FROM api_key_usage u WHERE u.tenant_id = api_keys.tenant_id AND u.id = api_keys.id) AS last_used_at,
(SELECT u.last_ip FROM api_key_usage u WHERE u.tenant_id = api_keys.tenant_id AND u.id = api_keys.id) AS last_ip`

// livingKey is the condition of a key that opens the API now.
const livingKey = "(ends_at IS NULL OR ends_at > now()) AND (expires_at IS NULL OR expires_at > now())"

func insertKey(ctx context.Context, tx *db.Tx, k *IssuedKey) error {
	if err := tx.Gorm(ctx).Create(&keyRow{tx.TenantID(), *k}).Error; err != nil {
		return fmt.Errorf("insert API key: %w", err)
	}
	return nil
}

func getKey(ctx context.Context, r db.Reader, id uuid.UUID) (*IssuedKey, error) {
	var row keyRow
	err := r.Gorm(ctx).Raw(`SELECT `+keyColumns+` FROM api_keys WHERE tenant_id = ? AND id = ?`, r.TenantID(), id).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, problem.Missing()
	}
	if err != nil {
		return nil, fmt.Errorf("get API key %s: %w", id, err)
	}
	return &row.IssuedKey, nil
}

// lineForUpdate locks the generations of a line, then reads them as they are
// now: the lock may have waited for a rotation.
func lineForUpdate(ctx context.Context, tx *db.Tx, lineID uuid.UUID) ([]IssuedKey, error) {
	const lock = `SELECT id FROM api_keys WHERE tenant_id = ? AND line_id = ? ORDER BY generation FOR UPDATE`
	if err := tx.Gorm(ctx).Exec(lock, tx.TenantID(), lineID).Error; err != nil {
		return nil, fmt.Errorf("lock the line of API key %s: %w", lineID, err)
	}
	var rows []keyRow
	err := tx.Gorm(ctx).Raw(`SELECT `+keyColumns+` FROM api_keys WHERE tenant_id = ? AND line_id = ? ORDER BY generation`,
		tx.TenantID(), lineID).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the line of API key %s: %w", lineID, err)
	}
	keys := make([]IssuedKey, len(rows))
	for i, row := range rows {
		keys[i] = row.IssuedKey
	}
	return keys, nil
}

func updateKey(ctx context.Context, tx *db.Tx, k *IssuedKey) error {
	if err := db.Update(ctx, tx, &keyRow{tx.TenantID(), *k}, k.ID); err != nil {
		return fmt.Errorf("update API key %s: %w", k.ID, err)
	}
	return nil
}

func listKeys(ctx context.Context, r db.Reader, f KeyFilter) (page.Result[IssuedKey], error) {
	q := r.Gorm(ctx).Model(&keyRow{}).Select(keyColumns).Where("tenant_id = ?", r.TenantID())
	if f.MemberID != uuid.Nil {
		q = q.Where("member_id = ?", f.MemberID)
	}
	if f.LineID != uuid.Nil {
		q = q.Where("line_id = ?", f.LineID)
	}
	if f.Living != nil {
		q = q.Where("("+livingKey+") = ?", *f.Living)
	}
	var rows []keyRow
	if err := db.Keyset(q, f.Page, db.SortColumns{"created_at": db.TimeColumn("created_at")}).Find(&rows).Error; err != nil {
		return page.Result[IssuedKey]{}, fmt.Errorf("list API keys: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row keyRow) page.Position { return db.TimePosition(row.CreatedAt, row.ID) })
	return page.Map(result, func(row keyRow) IssuedKey { return row.IssuedKey }), nil
}

// keyIDs lists the ids of all API keys of a member; of everybody for uuid.Nil.
func keyIDs(ctx context.Context, r db.Reader, memberID uuid.UUID) ([]uuid.UUID, error) {
	var rows []idRow
	err := r.Gorm(ctx).Raw(`SELECT id FROM api_keys WHERE tenant_id = ? AND (member_id = ? OR ?) ORDER BY id`,
		r.TenantID(), memberID, memberID == uuid.Nil).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list the ids of API keys: %w", err)
	}
	ids := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids, nil
}

// databaseNow is the instant by which authentication judges: a server whose
// clock is ahead must not end a key later than it says.
func databaseNow(ctx context.Context, r db.Reader) (time.Time, error) {
	var row struct{ At time.Time }
	if err := r.Gorm(ctx).Raw(`SELECT statement_timestamp() AS at`).Scan(&row).Error; err != nil {
		return time.Time{}, fmt.Errorf("ask the database for the time: %w", err)
	}
	return row.At, nil
}
