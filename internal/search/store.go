package search

import (
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/text"
)

// last is the highest character: prefix to prefix+last is the range of all that
// begins with prefix, in the order of bytes.
const last = "\U0010FFFF"

const byBeginning = "SELECT id FROM search_tokens WHERE tenant_id = ? AND resource = ? AND token >= ? AND token < ?"

var insertTokens = db.Statement{Name: "search_insert", SQL: `
INSERT INTO search_tokens (tenant_id, resource, id, token)
SELECT $1::uuid, $2::text, $3::uuid, unnest($4::text[])`}

var deleteTokens = db.Statement{Name: "search_delete", SQL: `
DELETE FROM search_tokens WHERE tenant_id = $1 AND resource = $2 AND id = $3 AND token = ANY ($4::text[])`}

// Match narrows q, over a table with an id, to the records of which every word
// of the query begins a word, or whose document or number begins with the query
// written without punctuation.
func Match(q *gorm.DB, tenant uuid.UUID, resource, query string) *gorm.DB {
	words := text.Tokens(query)
	if len(words) == 0 {
		return q.Where("false")
	}
	var found []string
	var args []any
	begins := func(prefix string) string {
		args = append(args, tenant, resource, prefix, prefix+last)
		return byBeginning
	}
	for _, word := range words {
		found = append(found, begins(word))
	}
	// One set of ids, which the planner starts from; conditions joined by OR it
	// would try on every record of the tenant.
	ids := strings.Join(found, " INTERSECT ")
	if len(words) > 1 {
		ids += " UNION " + begins(strings.Join(words, ""))
	}
	return q.Where("id IN ("+ids+")", args...)
}

// MatchTag narrows q to the records that have this tag.
func MatchTag(q *gorm.DB, tenant uuid.UUID, resource, tag string) *gorm.DB {
	return q.Where("id IN (SELECT id FROM search_tokens WHERE tenant_id = ? AND resource = ? AND token = ?)", tenant, resource, Tag(tag))
}
