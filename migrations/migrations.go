// Package migrations holds the schema, as numbered SQL that the binary carries.
//
// The rules that every file keeps stand in docs/database.md, and a test reads
// the catalogue for them: tenant_id in every key, row-level security on every
// business table, no triggers, every constraint named.
package migrations

import "embed"

// FS holds the migrations.
//
//go:embed *.sql
var FS embed.FS
