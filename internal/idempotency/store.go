package idempotency

import "fatureihoje/internal/db"

// claimCTE continues the CTEs of an authentication, which use $1 to $4. A
// repetition meets the conflict, reads the row that was there, and writes
// nothing. When neither part gives a row, the winner committed behind our
// snapshot.
const claimCTE = `target AS MATERIALIZED (
  SELECT tenant_id, space_id,
         encode(substr(sha256(uuid_send(space_id) || convert_to($5, 'UTF8')), 1, 16), 'hex')::uuid AS id
  FROM admitted
), claimed AS (
  INSERT INTO idempotency_keys (tenant_id, id, space_id, key, method, path, fingerprint_version, fingerprint, parts,
                                state, fence, request_id, reserved_until, expires_at)
  SELECT tenant_id, id, space_id, $5, $6, $7, $8::smallint, $9, $10, 'in_flight', $11, $12,
         now() + make_interval(secs => $13), now() + make_interval(secs => $14)
  FROM target
  ON CONFLICT (tenant_id, id) DO NOTHING
  RETURNING id
)`

// FoundColumns lists the columns that Found.Dest takes, in order; FoundJoin
// joins them to `caller`.
const (
	FoundColumns = `EXISTS (SELECT 1 FROM claimed), k.id, k.state, k.fence, k.fingerprint_version, k.fingerprint, k.parts,
k.expires_at <= now(), k.reserved_until <= now(), k.status, k.content_type, k.location, k.etag, k.body, k.shaped_by`
	FoundJoin = `LEFT JOIN target ON true
LEFT JOIN idempotency_keys k ON k.tenant_id = target.tenant_id AND k.id = target.id`
)

var takeStatement = db.Statement{Name: "idempotency_take", SQL: `
UPDATE idempotency_keys
SET state = 'in_flight', method = $5, path = $6, fingerprint_version = $7::smallint, fingerprint = $8, parts = $9,
    fence = $10, request_id = $11, claimed_at = now(), first_seen_at = CASE WHEN $14::boolean THEN now() ELSE first_seen_at END,
    reserved_until = now() + make_interval(secs => $12), expires_at = now() + make_interval(secs => $13),
    completed_at = NULL, status = NULL, content_type = NULL, location = NULL, etag = NULL, body = NULL, shaped_by = '{}',
    replays = CASE WHEN $14::boolean THEN 0 ELSE replays END, conflicts = CASE WHEN $14::boolean THEN 0 ELSE conflicts END
WHERE tenant_id = $1 AND id = $2 AND fence = $3 AND state = $4
RETURNING id`}

var completeStatement = db.Statement{Name: "idempotency_complete", SQL: `
WITH done AS (
  UPDATE idempotency_keys
  SET state = 'done', completed_at = now(), status = $4, content_type = $5, location = $6, etag = $7, body = $8, shaped_by = $9
  WHERE tenant_id = $1 AND id = $2 AND fence = $3 AND state = 'in_flight'
  RETURNING id
)
SELECT 1 / count(*) FROM done`}

var forgetStatement = db.Statement{Name: "idempotency_forget", SQL: `
DELETE FROM idempotency_keys WHERE tenant_id = $1 AND id = $2 AND fence = $3 AND state = 'in_flight'`}

var failStatement = db.Statement{Name: "idempotency_fail", SQL: `
UPDATE idempotency_keys SET state = 'failed', completed_at = now()
WHERE tenant_id = $1 AND id = $2 AND fence = $3 AND state = 'in_flight'`}

var countStatement = db.Statement{Name: "idempotency_count", SQL: `
UPDATE idempotency_keys SET replays = replays + $3, conflicts = conflicts + $4 WHERE tenant_id = $1 AND id = $2`}
