package audit

import "fatureihoje/internal/db"

// insertEvent's parameters are in the order of its columns.
var insertEvent = db.Statement{Name: "audit_insert", SQL: `
INSERT INTO audit_log (tenant_id, id, at, actor_type, actor_id, actor_name,
                       action, resource, resource_id, details, request_id, ip)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text::jsonb, $11, $12)`}
