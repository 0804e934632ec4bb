package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/problem"
)

// parseCredential reads the Authorization header. Two headers, or another
// scheme, are refused like a wrong key; a key in the URL is never read.
func (x *exchange) parseCredential() (auth.Credential, error) {
	values := x.r.Header.Values("Authorization")
	if len(values) != 1 {
		return nil, unauthorized()
	}
	scheme, text, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil, unauthorized()
	}
	if x.route == nil || x.route.public() {
		key, err := auth.ParseAPIKey(strings.TrimSpace(text))
		if err != nil {
			return nil, unauthorized()
		}
		return key, nil
	}
	session, err := x.api.conf.Tokens.Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, unauthorized()
	}
	return session, nil
}

func unauthorized() error { return &problem.Error{Code: problem.Unauthorized} }

// admit finds the caller and, for a request with a key, claims it in the same
// round trip. It returns a stored outcome for a repetition, and otherwise
// leaves the business transaction open. A request that is already known to be
// malformed is only authenticated.
func (x *exchange) admit(ctx context.Context, bodyErr error) (*idempotency.Outcome, error) {
	if bodyErr != nil || x.key == "" {
		return nil, x.authenticate(ctx, bodyErr)
	}
	attempt := x.api.conf.Idempotency.NewAttempt(x.key, idempotency.Request{
		Method: x.r.Method, Path: x.r.URL.Path, Query: x.r.URL.RawQuery, Body: x.value,
	}, x.requestID)
	const tries = 5
	for range tries {
		decision, err := x.claim(ctx, attempt)
		if err != nil {
			return nil, err
		}
		switch decision.Verdict {
		case idempotency.Run:
			return nil, nil
		case idempotency.Replay:
			return &decision.Outcome, nil
		case idempotency.Refuse:
			return nil, decision.Problem
		case idempotency.Take, idempotency.Again:
		}
	}
	return nil, idempotency.InProgress()
}

// authenticate finds the caller of a request without a key, and opens the
// transaction that its handler runs in.
func (x *exchange) authenticate(ctx context.Context, bodyErr error) error {
	var b db.Batch
	if x.route.kind == kindRead {
		x.conn.BeginRead(&b, x.credential.TenantID())
	} else {
		x.open(&b, x.credential.TenantID())
	}
	var found *auth.Found
	args := auth.CallerArguments(x.credential, parseIP(x.ip), x.route.Scopes)
	b.Query(x.api.statements[x.credential.Kind()].authenticate, args, func(row db.Row) error {
		found = &auth.Found{}
		return row.Scan(found.Dest()...)
	})
	if err := x.conn.Send(ctx, &b); err != nil {
		return err
	}
	if err := x.check(found); err != nil {
		return err
	}
	if bodyErr != nil {
		return bodyErr
	}
	if x.route.keyed() && x.caller.APIKey != nil && x.caller.APIKey.RequireIdempotencyKey {
		return &problem.Error{Code: problem.IdempotencyKeyRequired}
	}
	return nil
}

// check lets the caller in, or says why not. An unknown key and a wrong one
// look alike.
func (x *exchange) check(found *auth.Found) error {
	if found == nil {
		return unauthorized()
	}
	caller, err := found.Check(x.route.Scopes)
	if err != nil {
		return err
	}
	x.caller = caller
	if caller.APIKey != nil {
		x.api.conf.Usage.Saw(caller.Tenant.ID, caller.APIKey.ID, x.ip)
	}
	return nil
}

// claim authenticates, claims and reads what is stored in one round trip, and
// opens the business transaction behind them, for the attempt that will run; a
// key that was answered lately will most likely not.
func (x *exchange) claim(ctx context.Context, attempt *idempotency.Attempt) (idempotency.Decision, error) {
	tenant := x.credential.TenantID()
	var found *auth.Found
	var met idempotency.Found
	var b db.Batch
	x.conn.Begin(&b, tenant)
	b.Async()
	args := append(auth.CallerArguments(x.credential, parseIP(x.ip), x.route.Scopes), attempt.ClaimArguments()...)
	b.Query(x.api.statements[x.credential.Kind()].claim, args, func(row db.Row) error {
		found = &auth.Found{}
		return row.Scan(append(found.Dest(), met.Dest()...)...)
	})
	b.Commit()
	engine := x.api.conf.Idempotency
	x.hint = idempotency.HintOf(x.credential.RateKey(), x.key)
	repeated := engine.Answered(x.hint)
	if !repeated {
		x.conn.Begin(&b, tenant)
	}
	if err := x.conn.Send(ctx, &b); err != nil {
		return idempotency.Decision{}, err
	}
	if err := x.check(found); err != nil {
		return idempotency.Decision{}, err
	}
	decision := attempt.Decide(tenant, &met, found.SpaceID, func(shapedBy []string) bool {
		_, lacks := x.caller.Lacks(shapedBy)
		return lacks
	})
	switch decision.Verdict {
	case idempotency.Run:
		x.attempt = attempt
		if repeated { // its row was swept, or released since
			return decision, x.begin(ctx)
		}
	case idempotency.Replay:
		engine.Remember(x.hint)
	case idempotency.Take:
		return x.take(ctx, attempt, &met)
	case idempotency.Again:
		return decision, x.conn.Rollback(ctx)
	}
	return decision, nil
}

// take takes over a row that failed, lapsed or expired. Losing that race is an
// ordinary conflict.
func (x *exchange) take(ctx context.Context, attempt *idempotency.Attempt, met *idempotency.Found) (idempotency.Decision, error) {
	if err := x.conn.Rollback(ctx); err != nil {
		return idempotency.Decision{}, err
	}
	won := false
	var b db.Batch
	x.conn.Begin(&b, attempt.Tenant())
	b.Async()
	attempt.Take(&b, met, func() { won = true })
	b.Commit()
	x.conn.Begin(&b, attempt.Tenant())
	if err := x.conn.Send(ctx, &b); err != nil {
		return idempotency.Decision{}, err
	}
	if !won {
		return idempotency.Decision{Verdict: idempotency.Again}, x.conn.Rollback(ctx)
	}
	x.attempt = attempt
	return idempotency.Decision{Verdict: idempotency.Run}, nil
}

// statements are those by which a request is let in.
type statements struct {
	authenticate db.Statement
	claim        db.Statement
}

func newStatements() map[auth.CredentialKind]statements {
	all := map[auth.CredentialKind]statements{}
	for _, k := range auth.CredentialKinds() {
		all[k] = statements{auth.AuthenticateStatement(k), db.Statement{Name: "claim_" + string(k), SQL: ClaimSQL(k)}}
	}
	return all
}

// ClaimSQL is the one statement that authenticates a request, claims its key,
// and reads what is stored of it.
func ClaimSQL(k auth.CredentialKind) string {
	return "WITH " + auth.CallerCTE(k) + ", " + idempotency.ClaimCTE() +
		" SELECT " + auth.CallerColumns + ", " + idempotency.FoundColumns + " FROM caller " + idempotency.FoundJoin
}

// recoverPanic answers a 500 for a handler that panicked, and frees its key.
func (x *exchange) recoverPanic() {
	panicked := recover()
	if panicked == nil {
		return
	}
	if panicked == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so too
		panic(panicked)
	}
	x.api.conf.Log.Error("handler panicked", "request_id", x.requestID, "operation", x.route.ID, "panic", panicked, "stack", stack())
	x.refuse(context.Background(), errors.New("panic"))
}
