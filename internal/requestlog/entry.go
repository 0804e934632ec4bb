package requestlog

import (
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"fatureihoje/internal/page"
)

// Entry is one request and its answer.
type Entry struct {
	ID             uuid.UUID
	At             time.Time
	APIKeyID       uuid.UUID
	APIKeyName     string
	Method         string
	Route          string // the route's template; "" where no route has the path
	Path           string
	Query          string // people's data masked
	Status         int
	Code           string // the problem's; "" for none
	DurationMS     int    `gorm:"column:duration_ms"`
	IdempotencyKey string
	Replayed       bool
	RequestID      string
	IP             string
	UserAgent      string
}

// Filter selects entries; zero values select all. The range includes its
// beginning and excludes its end.
type Filter struct {
	APIKeyID       uuid.UUID
	Method         string
	Status         string // 201, or a class such as 4xx
	PathPrefix     string
	IdempotencyKey string
	RequestID      string
	Replayed       *bool
	From, To       *time.Time
	Page           page.Request

	apiKeys []uuid.UUID // nil: of all; otherwise only these
}

// Counts are what a span of time has seen.
type Counts struct {
	Calls     int64
	Errors    int64 // 4xx and 5xx, without the conflicts
	Replays   int64
	Conflicts int64 // repetitions that came while the first still ran
}

// DuplicatesAvoided is how many repetitions ran nothing.
func (c Counts) DuplicatesAvoided() int64 { return c.Replays + c.Conflicts }

func (c Counts) plus(o Counts) Counts {
	return Counts{c.Calls + o.Calls, c.Errors + o.Errors, c.Replays + o.Replays, c.Conflicts + o.Conflicts}
}

// Lengths of what is stored, in bytes.
const (
	maxPath      = 500
	maxQuery     = 1000
	maxUserAgent = 200
	maxMethod    = 20
)

// cut shortens a text at the border of a character. What PostgreSQL cannot
// store, NUL and bytes that are no UTF-8, is left out.
func cut(s string, limit int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// mask hides the values of parameters that hold people's data, and leaves the
// rest of a query as it was sent.
func mask(query string) string {
	if query == "" {
		return ""
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		raw, _, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(raw); err != nil || personal(name) {
			pairs[i] = raw + "=***"
		}
	}
	return strings.Join(pairs, "&")
}

func personal(parameter string) bool {
	switch strings.ToLower(parameter) {
	case "document", "q", "email", "phone", "mobile":
		return true
	}
	return false
}
