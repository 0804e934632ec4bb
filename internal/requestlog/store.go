package requestlog

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/id"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// insertStatement writes many rows of one tenant, and counts them. The join
// leaves out what named an API key that never existed: such a request is nobody's.
var insertStatement = db.Statement{Name: "request_log_insert", SQL: `
WITH known AS (
  SELECT k.id AS api_key_id, k.name AS api_key_name, seen.*
  FROM unnest($2::uuid[], $3::timestamptz[], $4::bytea[], $5::text[], $6::text[], $7::text[], $8::text[], $9::smallint[],
              $10::text[], $11::integer[], $12::text[], $13::boolean[], $14::text[], $15::text[], $16::text[])
    AS seen (id, at, secret_hash, method, route, path, query, status, code, duration_ms, idempotency_key, replayed, request_id, ip, user_agent)
  JOIN api_keys k ON k.tenant_id = $1 AND k.secret_hash = seen.secret_hash
), logged AS (
  INSERT INTO request_log (tenant_id, id, at, api_key_id, api_key_name, method, route, path, query, status, code,
                           duration_ms, idempotency_key, replayed, request_id, ip, user_agent)
  SELECT $1, id, at, api_key_id, api_key_name, method, route, path, query, status, code,
         duration_ms, idempotency_key, replayed, request_id, ip, user_agent
  FROM known
)
INSERT INTO request_usage (tenant_id, hour, api_key_id, calls, errors, replays, conflicts)
SELECT $1, date_trunc('hour', at, 'UTC'), api_key_id, count(*),
       count(*) FILTER (WHERE status >= 400 AND code <> 'idempotency_in_progress'),
       count(*) FILTER (WHERE replayed), count(*) FILTER (WHERE code = 'idempotency_in_progress')
FROM known GROUP BY 2, 3 ORDER BY 2, 3
ON CONFLICT (tenant_id, hour, api_key_id) DO UPDATE SET
  calls = request_usage.calls + excluded.calls, errors = request_usage.errors + excluded.errors,
  replays = request_usage.replays + excluded.replays, conflicts = request_usage.conflicts + excluded.conflicts`}

func insert(ctx context.Context, pool *db.Pool, tenant uuid.UUID, rows []httpapi.Exchange) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var b db.Batch
	b.Query(insertStatement, columnsOf(tenant, rows), nil)
	if err := conn.SendAsync(ctx, tenant, &b); err != nil {
		return fmt.Errorf("insert %d requests of tenant %s: %w", len(rows), tenant, err)
	}
	return nil
}

// columnsOf turns rows into the statement's arrays, one for each column.
func columnsOf(tenant uuid.UUID, rows []httpapi.Exchange) []any {
	var (
		ids                                                [][16]byte
		at                                                 []time.Time
		hashes                                             [][]byte
		method, route, path, query, code, key, request, ip []string
		agent                                              []string
		status                                             []int16
		ms                                                 []int32
		replayed                                           []bool
	)
	for _, x := range rows {
		ids = append(ids, [16]byte(id.New()))
		at = append(at, x.At)
		hashes = append(hashes, []byte(x.Credential.RateKey()))
		method, route = append(method, cut(x.Method, maxMethod)), append(route, x.Route)
		path, query = append(path, cut(x.Path, maxPath)), append(query, cut(mask(x.Query), maxQuery))
		status = append(status, int16(x.Status))                                                                     //nolint:gosec // an HTTP status
		code, ms = append(code, x.Code), append(ms, int32(min(x.Duration.Milliseconds(), time.Hour.Milliseconds()))) //nolint:gosec // below an hour
		key, replayed = append(key, cut(x.Key, 1000)), append(replayed, x.Replayed)
		request, ip, agent = append(request, x.RequestID), append(ip, x.IP), append(agent, cut(x.UserAgent, maxUserAgent))
	}
	return []any{tenant, ids, at, hashes, method, route, path, query, status, code, ms, key, replayed, request, ip, agent}
}

// Maintain makes the partitions of the days to come and drops those that are
// past the retention.
func Maintain(ctx context.Context, pool *db.Pool) error {
	const daysAhead, daysKept = 3, 30
	return pool.Global(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := tx.Gorm(ctx).Exec("SELECT ensure_request_log_partitions(?)", daysAhead).Error; err != nil {
			return fmt.Errorf("make the partitions of the request log: %w", err)
		}
		if err := tx.Gorm(ctx).Exec("SELECT drop_request_log_partitions(?)", daysKept).Error; err != nil {
			return fmt.Errorf("drop old partitions of the request log: %w", err)
		}
		return nil
	})
}

func (f Filter) apply(q *gorm.DB) *gorm.DB {
	q = q.Where("api_key_id IN ? OR ?", orNone(f.apiKeys), f.apiKeys == nil)
	if f.APIKeyID != uuid.Nil {
		q = q.Where("api_key_id = ?", f.APIKeyID)
	}
	for condition, value := range map[string]string{
		"method = ?": strings.ToUpper(f.Method), "idempotency_key = ?": f.IdempotencyKey, "request_id = ?": f.RequestID,
		"starts_with(path, ?)": strings.ToLower(f.PathPrefix),
	} {
		if value != "" {
			q = q.Where(condition, value)
		}
	}
	if low, high, ok := statusRange(f.Status); ok {
		q = q.Where("status BETWEEN ? AND ?", low, high)
	}
	if f.Replayed != nil {
		q = q.Where("replayed = ?", *f.Replayed)
	}
	if f.From != nil {
		q = q.Where("at >= ?", *f.From)
	}
	if f.To != nil {
		q = q.Where("at < ?", *f.To)
	}
	return q
}

// orNone keeps an empty list from making invalid SQL.
func orNone(ids []uuid.UUID) []uuid.UUID {
	if len(ids) == 0 {
		return []uuid.UUID{uuid.Nil}
	}
	return ids
}

// statusRange reads 201 or 4xx.
func statusRange(text string) (low, high int, ok bool) {
	if class, isClass := strings.CutSuffix(strings.ToLower(text), "xx"); isClass {
		n, err := strconv.Atoi(class)
		return n * 100, n*100 + 99, err == nil && n >= 1 && n <= 5
	}
	n, err := strconv.Atoi(text)
	return n, n, err == nil && n >= 100 && n <= 599
}

func list(ctx context.Context, r db.Reader, f Filter) (page.Result[Entry], error) {
	q := f.apply(r.Gorm(ctx).Table("request_log").Where("tenant_id = ?", r.TenantID()))
	var entries []Entry
	q = db.Keyset(q, f.Page, db.SortColumns{"created_at": db.TimeColumn("at")})
	if err := q.Find(&entries).Error; err != nil {
		return page.Result[Entry]{}, fmt.Errorf("list requests: %w", err)
	}
	return page.Cut(entries, f.Page.Limit, func(e Entry) page.Position { return db.TimePosition(e.At, e.ID) }), nil
}

// first returns the newest entry of a filter, or a not_found problem.
func first(ctx context.Context, r db.Reader, f Filter) (*Entry, error) {
	var e Entry
	q := f.apply(r.Gorm(ctx).Table("request_log").Where("tenant_id = ?", r.TenantID()))
	err := q.Order("at DESC, id DESC").Take(&e).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, problem.Missing()
	}
	if err != nil {
		return nil, fmt.Errorf("get a request: %w", err)
	}
	return &e, nil
}

// ofKey returns the requests of one life of an idempotency key, oldest first.
func ofKey(ctx context.Context, r db.Reader, space uuid.UUID, key string, since time.Time, limit int) ([]Entry, error) {
	var entries []Entry
	err := r.Gorm(ctx).Table("request_log").
		Where("tenant_id = ? AND idempotency_key = ? AND api_key_id = ? AND at >= ?", r.TenantID(), key, space, since).
		Order("at, id").Limit(limit).Find(&entries).Error
	if err != nil {
		return nil, fmt.Errorf("list the requests of an idempotency key: %w", err)
	}
	return entries, nil
}

type hourly struct {
	Hour time.Time
	Counts
}

func hours(ctx context.Context, r db.Reader, apiKeys []uuid.UUID, from time.Time) ([]hourly, error) {
	var rows []hourly
	err := r.Gorm(ctx).Raw(`
SELECT hour, sum(calls)::bigint AS calls, sum(errors)::bigint AS errors, sum(replays)::bigint AS replays, sum(conflicts)::bigint AS conflicts
FROM request_usage WHERE tenant_id = ? AND hour >= ? AND (api_key_id IN ? OR ?)
GROUP BY hour ORDER BY hour`, r.TenantID(), from, orNone(apiKeys), apiKeys == nil).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("sum up the use of the API: %w", err)
	}
	return rows, nil
}
