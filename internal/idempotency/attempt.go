package idempotency

import (
	"crypto/rand"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"
)

// Engine claims, completes and releases keys.
type Engine struct {
	fingerprints *Fingerprinter
	reservation  time.Duration
	retention    time.Duration
	counters     *Counters
	seen         *seen
}

// Config is what an engine needs.
type Config struct {
	Secret      []byte        // keys the hashes that locate differences
	Reservation time.Duration // how long a running attempt keeps its key; above the request deadline
	Retention   time.Duration // how long an answer is kept, from the claim on
}

// NewEngine returns an engine. Its counters are flushed by Counters.Run.
func NewEngine(c Config) *Engine {
	return &Engine{
		fingerprints: NewFingerprinter(c.Secret),
		reservation:  c.Reservation,
		retention:    c.Retention,
		counters:     newCounters(),
		seen:         newSeen(),
	}
}

// Counters returns the engine's counts of replays and conflicts.
func (e *Engine) Counters() *Counters { return e.counters }

// Attempt is one request's try at a key.
type Attempt struct {
	engine      *Engine
	key         string
	request     Request
	requestID   string
	fingerprint Fingerprint
	fence       uuid.UUID

	// Known once the database has answered.
	tenant uuid.UUID
	id     uuid.UUID
}

// NewAttempt prepares a try of request at key, with a fresh random fence. The
// fence is never counted in the row: a row deleted and inserted again would
// restart the count, and a stalled attempt would pass for its successor.
func (e *Engine) NewAttempt(key string, request Request, requestID string) *Attempt {
	return &Attempt{
		engine: e, key: key, request: request, requestID: requestID,
		fingerprint: e.fingerprints.Of(request),
		fence:       newFence(),
	}
}

func newFence() uuid.UUID {
	var f uuid.UUID
	_, _ = rand.Read(f[:]) // never fails: it ends the program instead
	return f
}

// RowID is the id of a key's row: the first 16 bytes of SHA-256 over the space
// and the key. Its unique index decides who runs, and is small.
func RowID(space uuid.UUID, key string) uuid.UUID {
	h := sha256.New()
	h.Write(space[:])
	h.Write([]byte(key))
	return uuid.UUID(h.Sum(nil)[:16])
}

// Outcome is a response that a key remembers.
type Outcome struct {
	Status      int
	ContentType string
	Location    string
	ETag        string
	Body        []byte
	ShapedBy    []string // the permissions that the body shows
	Secret      bool     // the body is never stored
}

// MaxStoredBytes is the largest body that is stored. A larger answer is
// remembered, and its repetition is told so.
const MaxStoredBytes = 256 << 10

// stored returns the body as it is kept: nil where it is not.
func (o Outcome) stored() []byte {
	if o.Secret || len(o.Body) > MaxStoredBytes {
		return nil
	}
	if o.Body == nil {
		return []byte{}
	}
	return o.Body
}
