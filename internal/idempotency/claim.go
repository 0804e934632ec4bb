package idempotency

import (
	"bytes"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// ClaimCTE returns the common table expressions of a claim, to be joined to
// those of an authentication: they read `admitted` (tenant_id, space_id), which
// has a row only if the caller may run the request. Its parameters begin at
// $(first+1).
func ClaimCTE() string { return claimCTE }

// ClaimArguments are the values of the claim's parameters.
func (a *Attempt) ClaimArguments() []any {
	return []any{
		a.key, a.request.Method, a.request.Path, a.fingerprint.Version, a.fingerprint.Sum[:], a.fingerprint.Parts.Encode(),
		a.fence, a.requestID, seconds(a.engine.reservation), seconds(a.engine.retention),
	}
}

func seconds(d time.Duration) float64 { return d.Seconds() }

// Found is what a claim met.
type Found struct {
	Claimed bool // the row is ours
	row     row
}

// row is the key's row that was there before; absent where ID is nil.
type row struct {
	ID                 *uuid.UUID
	State              *string
	Fence              *uuid.UUID
	FingerprintVersion *int16
	Fingerprint        []byte
	Parts              []byte
	Expired            *bool
	Lapsed             *bool
	Status             *int16
	ContentType        *string
	Location           *string
	ETag               *string
	Body               []byte
	ShapedBy           []string
}

// Dest returns where to scan FoundColumns to.
func (f *Found) Dest() []any {
	r := &f.row
	return []any{
		&f.Claimed, &r.ID, &r.State, &r.Fence, &r.FingerprintVersion, &r.Fingerprint, &r.Parts,
		&r.Expired, &r.Lapsed, &r.Status, &r.ContentType, &r.Location, &r.ETag, &r.Body, &r.ShapedBy,
	}
}

// The states of a key's row.
const (
	InFlight  = "in_flight"
	Undecided = "undecided"
	Done      = "done"
	Failed    = "failed"
)

// Verdict is what becomes of an attempt.
type Verdict int

// The verdicts on an attempt.
const (
	Run    Verdict = iota // the key is ours
	Replay                // Decision.Outcome is the answer
	Refuse                // Decision.Problem is the answer
	Take                  // the row may be taken over: Attempt.Take decides
	Again                 // the winner committed behind our snapshot: claim once more
)

// Decision is a verdict and what belongs to it.
type Decision struct {
	Verdict Verdict
	Outcome Outcome
	Problem *problem.Error
}

// Decide says what becomes of the attempt. lacks tells, for the permissions
// that shaped a stored answer, whether the caller has lost one since.
func (a *Attempt) Decide(tenant uuid.UUID, f *Found, space uuid.UUID, lacks func([]string) bool) Decision {
	a.tenant, a.id = tenant, RowID(space, a.key)
	r := &f.row
	switch {
	case f.Claimed:
		return Decision{Verdict: Run}
	case r.ID == nil:
		return Decision{Verdict: Again}
	case *r.Expired && *r.State != Undecided:
		return Decision{Verdict: Take}
	case !a.sameRequest(r):
		return a.refuse(a.reused(r))
	}
	switch *r.State {
	case Failed:
		return Decision{Verdict: Take}
	case InFlight:
		if *r.Lapsed {
			return Decision{Verdict: Take}
		}
		return a.refuse(InProgress())
	case Undecided:
		return a.refuse(InProgress())
	}
	return a.repeat(r, lacks)
}

// repeat answers a repetition of a request that is done.
func (a *Attempt) repeat(r *row, lacks func([]string) bool) Decision {
	if lacks(r.ShapedBy) {
		return a.refuse(problem.Conflicting("access_changed", problem.T(
			"A resposta guardada mostra dados que este acesso já não alcança. Nada foi executado de novo; leia o recurso.",
			"The stored response shows data that this access no longer reaches. Nothing ran again; read the resource.")))
	}
	if r.Body == nil {
		notStored := problem.Conflicting("response_not_stored", problem.T(
			"A operação já foi executada, mas a resposta não ficou guardada. Nada foi executado de novo; leia o recurso em Location.",
			"The operation has run, but its response is not stored. Nothing ran again; read the resource at Location."))
		notStored.Location = text(r.Location)
		return a.refuse(notStored)
	}
	a.engine.counters.replay(a.tenant, a.id)
	return Decision{Verdict: Replay, Outcome: Outcome{
		Status: int(*r.Status), ContentType: text(r.ContentType), Location: text(r.Location), ETag: text(r.ETag), Body: r.Body,
	}}
}

func (a *Attempt) refuse(p *problem.Error) Decision {
	a.engine.counters.conflict(a.tenant, a.id)
	return Decision{Verdict: Refuse, Problem: p}
}

// InProgress is the answer while another attempt holds the key.
func InProgress() *problem.Error {
	return &problem.Error{Code: problem.IdempotencyInProgress, RetryAfter: time.Second}
}

// sameRequest compares under the canonical form that the row was written with.
func (a *Attempt) sameRequest(r *row) bool {
	sum := a.fingerprint.Sum
	if *r.FingerprintVersion != a.fingerprint.Version {
		older, known := a.engine.fingerprints.Sum(*r.FingerprintVersion, a.request)
		if !known {
			return false
		}
		sum = older
	}
	return bytes.Equal(sum[:], r.Fingerprint)
}

// reused says where the two requests differ, never with a value.
func (a *Attempt) reused(r *row) *problem.Error {
	p := &problem.Error{Code: problem.IdempotencyKeyReused}
	if stored, err := DecodeParts(r.Parts); err == nil {
		p.Differs = Differs(stored, a.fingerprint.Parts)
	}
	return p
}

// Take adds to b the statement by which one of those who saw the same row takes
// it over; won is called if it was this attempt.
func (a *Attempt) Take(b *db.Batch, f *Found, won func()) {
	args := []any{
		a.tenant, a.id, *f.row.Fence, *f.row.State, a.request.Method, a.request.Path, a.fingerprint.Version, a.fingerprint.Sum[:],
		a.fingerprint.Parts.Encode(), a.fence, a.requestID, seconds(a.engine.reservation), seconds(a.engine.retention), *f.row.Expired,
	}
	b.Query(takeStatement, args, func(row db.Row) error {
		won()
		return nil
	})
}

// Complete adds to b the statement that stores the outcome, and must be the
// last before the COMMIT: a duplicate request waits on the row once it is
// touched, and should get its 409 at once while the work still runs. When
// another attempt has taken the key over the statement fails (Fenced tells),
// and the whole transaction with it.
func (a *Attempt) Complete(b *db.Batch, o Outcome) {
	shapedBy := o.ShapedBy
	if shapedBy == nil {
		shapedBy = []string{}
	}
	b.Query(completeStatement, []any{
		a.tenant, a.id, a.fence, int16(o.Status), //nolint:gosec // an HTTP status
		o.ContentType, null(o.Location), null(o.ETag), o.stored(), shapedBy,
	}, nil)
}

// Fenced reports that a commit failed because another attempt owns the key now.
func Fenced(err error) bool { return db.DividedByZero(err) }

// Release adds to b the statement that ends an attempt without an outcome. A
// request that never began leaves the key absent; one that failed after its
// work began keeps the fingerprint, so that another request cannot take the
// key. Where a COMMIT with an unknown outcome did succeed, it changes nothing.
func (a *Attempt) Release(b *db.Batch, began bool) {
	statement := forgetStatement
	if began {
		statement = failStatement
	}
	b.Query(statement, []any{a.tenant, a.id, a.fence}, nil)
}

// Tenant is the tenant of the attempt's key, once decided.
func (a *Attempt) Tenant() uuid.UUID { return a.tenant }

func null(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
