package idempotency

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

// Record is what is known of a key, without the stored body.
type Record struct {
	ID             uuid.UUID
	SpaceID        uuid.UUID
	Key            string
	State          string
	Method         string
	Path           string
	Status         *int
	ResponseStored bool
	Location       *string
	RequestID      string
	FirstSeenAt    time.Time
	ClaimedAt      time.Time
	ReservedUntil  time.Time
	CompletedAt    *time.Time
	ExpiresAt      time.Time
	Replays        int64
	Conflicts      int64
}

const recordColumns = `id, space_id, key, state, method, path, status, body IS NOT NULL AS response_stored, location, request_id,
first_seen_at, claimed_at, reserved_until, completed_at, expires_at, replays, conflicts`

// alive leaves out what has expired, whether or not the cleaner has come by.
const alive = "(expires_at > now() OR state = 'undecided')"

// Lookup tells what became of a key in one space. A not_found problem means
// that nothing was recorded within the retention.
func Lookup(ctx context.Context, r db.Reader, space uuid.UUID, key string) (*Record, error) {
	return record(ctx, r, RowID(space, key))
}

// Get returns a key's record by its id.
func Get(ctx context.Context, r db.Reader, id uuid.UUID) (*Record, error) { return record(ctx, r, id) }

func record(ctx context.Context, r db.Reader, id uuid.UUID) (*Record, error) {
	var found Record
	err := r.Gorm(ctx).Table("idempotency_keys").Select(recordColumns).
		Where("tenant_id = ? AND id = ? AND "+alive, r.TenantID(), id).Take(&found).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, problem.Missing()
	}
	if err != nil {
		return nil, fmt.Errorf("look up idempotency key: %w", err)
	}
	return &found, nil
}

// Filter selects keys of a list. Spaces must name at least one space.
type Filter struct {
	Spaces []uuid.UUID
	Key    string
	State  string
	Page   page.Request
}

// List returns a page of the keys of some spaces, by the time of their claim.
func List(ctx context.Context, r db.Reader, f Filter) (page.Result[Record], error) {
	q := r.Gorm(ctx).Table("idempotency_keys").Select(recordColumns).
		Where("tenant_id = ? AND space_id IN ? AND "+alive, r.TenantID(), f.Spaces)
	if f.Key != "" {
		q = q.Where("key = ?", f.Key)
	}
	if f.State != "" {
		q = q.Where("state = ?", f.State)
	}
	var records []Record
	q = db.Keyset(q, f.Page, db.SortColumns{"created_at": db.TimeColumn("claimed_at")})
	if err := q.Find(&records).Error; err != nil {
		return page.Result[Record]{}, fmt.Errorf("list idempotency keys: %w", err)
	}
	return page.Cut(records, f.Page.Limit, func(k Record) page.Position { return db.TimePosition(k.ClaimedAt, k.ID) }), nil
}

// Unfinished is what a rotation or a revocation would leave behind in a space.
type Unfinished struct {
	InFlight  int64
	Undecided int64
	Failed    int64 // failed, and not repeated since
}

// CountUnfinished counts the keys of a space whose outcome the caller does not have.
func CountUnfinished(ctx context.Context, r db.Reader, space uuid.UUID) (Unfinished, error) {
	var u Unfinished
	err := r.Gorm(ctx).Raw(`
SELECT count(*) FILTER (WHERE state = 'in_flight') AS in_flight,
       count(*) FILTER (WHERE state = 'undecided') AS undecided,
       count(*) FILTER (WHERE state = 'failed') AS failed
FROM idempotency_keys WHERE tenant_id = ? AND space_id = ? AND state <> 'done' AND `+alive, r.TenantID(), space).Scan(&u).Error
	if err != nil {
		return u, fmt.Errorf("count unfinished idempotency keys: %w", err)
	}
	return u, nil
}

// ListUnfinished returns the oldest keys of a space that are not done.
func ListUnfinished(ctx context.Context, r db.Reader, space uuid.UUID, limit int) ([]Record, error) {
	var records []Record
	err := r.Gorm(ctx).Table("idempotency_keys").Select(recordColumns).
		Where("tenant_id = ? AND space_id = ? AND state <> 'done' AND "+alive, r.TenantID(), space).
		Order("claimed_at, id").Limit(limit).Find(&records).Error
	if err != nil {
		return nil, fmt.Errorf("list unfinished idempotency keys: %w", err)
	}
	return records, nil
}

// deleteExpired deletes some of the keys whose retention has ended. A row that
// a claim takes over meanwhile is not expired any more when its turn comes, and
// stays.
func deleteExpired(ctx context.Context, tx *db.Tx, limit int) (int64, error) {
	result := tx.Gorm(ctx).Exec(`
DELETE FROM idempotency_keys
USING (SELECT tenant_id, id FROM idempotency_keys
       WHERE expires_at <= now() AND state <> 'undecided' ORDER BY expires_at, id LIMIT ?) due
WHERE idempotency_keys.tenant_id = due.tenant_id AND idempotency_keys.id = due.id
  AND idempotency_keys.expires_at <= now() AND idempotency_keys.state <> 'undecided'`, limit)
	return result.RowsAffected, result.Error
}

// Stored is the response that a repetition of a key gets.
type Stored struct {
	ContentType string
	Body        []byte
	ShapedBy    db.Texts // the permissions that the body shows
}

// StoredResponse returns what a done key stores, or a not_found problem. Whether
// a person may see it is the caller's to judge.
func StoredResponse(ctx context.Context, r db.Reader, id uuid.UUID) (*Stored, error) {
	var s Stored
	err := r.Gorm(ctx).Table("idempotency_keys").Select("content_type, body, shaped_by").
		Where("tenant_id = ? AND id = ? AND state = 'done' AND body IS NOT NULL AND "+alive, r.TenantID(), id).Take(&s).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, problem.Missing()
	}
	if err != nil {
		return nil, fmt.Errorf("read the stored response of an idempotency key: %w", err)
	}
	return &s, nil
}
