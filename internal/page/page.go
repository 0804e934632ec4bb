// Package page is keyset pagination: what a list is asked for, what it
// answers, and the signed cursor that leads from one page to the next.
//
// A page continues after the last row of the one before it, by that row's sort
// value and id, so rows that are inserted or removed meanwhile neither repeat
// nor hide others, and the thousandth page costs what the first does.
package page

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"

	"github.com/google/uuid"
)

// The bounds of a page's size.
const (
	DefaultLimit = 50
	MaxLimit     = 100
)

// Position is a row's place in an order: its sort value as text, then its id.
type Position struct {
	Value string
	ID    uuid.UUID
}

// Request is one page of a list, in one order.
type Request struct {
	Limit int // 1 to MaxLimit
	Sort  string
	Desc  bool
	After *Position // nil for the first page
}

// Result is one page. Next is nil on the last.
type Result[T any] struct {
	Items []T
	Next  *Position
}

// Cut makes a page from rows that were read with a limit of one more than the
// page holds: the extra row only tells that there is a next page.
func Cut[T any](rows []T, limit int, position func(T) Position) Result[T] {
	if len(rows) <= limit {
		return Result[T]{Items: rows}
	}
	next := position(rows[limit-1])
	return Result[T]{Items: rows[:limit], Next: &next}
}

// Map turns the items of a page into another shape.
func Map[A, B any](r Result[A], f func(A) B) Result[B] {
	items := make([]B, len(r.Items))
	for i, a := range r.Items {
		items[i] = f(a)
	}
	return Result[B]{Items: items, Next: r.Next}
}

// ErrCursor is a cursor that is damaged, or was given for another list.
var ErrCursor = errors.New("cursor is damaged or belongs to another list")

const macBytes = 16

// Signer makes and reads cursors.
type Signer struct{ secret []byte }

// NewSigner returns a signer whose cursors only the same secret opens.
func NewSigner(secret []byte) *Signer { return &Signer{secret: secret} }

// Encode returns the opaque cursor of a position. It opens only with the same
// binding: the tenant, the list, its filters and its order.
func (s *Signer) Encode(binding string, p Position) string {
	payload := append(p.ID[:], p.Value...)
	return base64.RawURLEncoding.EncodeToString(append(s.mac(binding, payload), payload...))
}

// Decode returns the position in a cursor, or ErrCursor.
func (s *Signer) Decode(binding, cursor string) (Position, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < macBytes+len(uuid.UUID{}) {
		return Position{}, ErrCursor
	}
	payload := raw[macBytes:]
	if !hmac.Equal(raw[:macBytes], s.mac(binding, payload)) {
		return Position{}, ErrCursor
	}
	id := uuid.UUID(payload[:16])
	return Position{ID: id, Value: string(payload[16:])}, nil
}

func (s *Signer) mac(binding string, payload []byte) []byte {
	h := hmac.New(sha256.New, s.secret)
	h.Write([]byte(binding))
	h.Write([]byte{0})
	h.Write(payload)
	return h.Sum(nil)[:macBytes]
}
