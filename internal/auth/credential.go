package auth

import (
	"net/netip"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// Credential is what a request authenticates with, as far as it can be judged
// without the database: an API key of the right form, or a session token with
// a good signature.
type Credential interface {
	// TenantID is the tenant that the credential names.
	TenantID() uuid.UUID
	// RateKey tells credentials apart for the rate limit.
	RateKey() string

	// Kind tells which statement finds the caller.
	Kind() CredentialKind
	arguments(ip netip.Addr) []any
}

// CredentialKind is a kind of credential, and its name in statements.
type CredentialKind string

// The kinds of credential.
const (
	KindAPIKey  CredentialKind = "api_key"
	KindSession CredentialKind = "session"
)

// CredentialKinds lists them.
func CredentialKinds() []CredentialKind { return []CredentialKind{KindAPIKey, KindSession} }

// callerSQL is the SELECT that finds the caller by $1 to $3; all kinds give the
// same columns.
func (k CredentialKind) callerSQL() string {
	if k == KindSession {
		return sessionCallerSQL
	}
	return apiKeyCallerSQL
}

// Parameters is how many of a statement's parameters CallerCTE uses, $1 first.
const Parameters = 4

// CallerCTE returns the text of the common table expressions `caller` (who the
// credential is) and `admitted` (the same row if it may do what the route
// needs, else none). Both have the columns tenant_id and space_id.
func CallerCTE(k CredentialKind) string {
	return "caller AS MATERIALIZED (" + k.callerSQL() + "), admitted AS MATERIALIZED (" + admittedSQL + ")"
}

// CallerArguments are the values of the parameters of CallerCTE.
func CallerArguments(c Credential, ip netip.Addr, scopes []Permission) []any {
	if scopes == nil {
		scopes = []Permission{}
	}
	return append(c.arguments(ip), scopes)
}

// admittedSQL repeats in SQL what Found.Check says in Go, so that a key is
// claimed only for a caller who is then let in.
const admittedSQL = `
SELECT tenant_id, space_id FROM caller
WHERE ip_allowed AND member_active AND tenant_status = 'active'
  AND (expires_at IS NULL OR expires_at > at) AND (ends_at IS NULL OR ends_at > at)
  AND (scopes IS NULL OR scopes @> $4::text[])
  AND (role IN ('owner', 'admin') OR permissions @> $4::text[])`

// CallerColumns lists the columns of `caller` that Found.Dest takes, in order.
const CallerColumns = `caller.api_key_id, caller.api_key_name, caller.scopes, caller.expires_at, caller.ends_at,
caller.require_idempotency_key, caller.ip_allowed, caller.session_id, caller.member_id, caller.member_name, caller.role,
caller.permissions, caller.member_active, caller.tenant_id, caller.tenant_name, caller.time_zone, caller.mode,
caller.tenant_status, caller.space_id, caller.at`

// Found is the row of `caller`.
type Found struct {
	apiKeyID     *uuid.UUID
	apiKeyName   *string
	scopes       []Permission
	expiresAt    *time.Time
	endsAt       *time.Time
	requireKey   bool
	ipAllowed    bool
	sessionID    *uuid.UUID
	memberID     uuid.UUID
	memberName   string
	role         string
	permissions  []Permission
	memberActive bool
	tenantID     uuid.UUID
	tenantName   string
	timeZone     string
	mode         string
	tenantStatus string
	SpaceID      uuid.UUID // whose idempotency keys: the API key's, or the member's
	at           time.Time
}

// Dest returns where to scan CallerColumns to.
func (f *Found) Dest() []any {
	return []any{
		&f.apiKeyID, &f.apiKeyName, &f.scopes, &f.expiresAt, &f.endsAt,
		&f.requireKey, &f.ipAllowed, &f.sessionID, &f.memberID, &f.memberName, &f.role,
		&f.permissions, &f.memberActive, &f.tenantID, &f.tenantName, &f.timeZone, &f.mode,
		&f.tenantStatus, &f.SpaceID, &f.at,
	}
}

// Check returns the caller, or why this credential may not do what needs the
// scopes: 401 for a dead one, 403 for a live one without the access.
func (f *Found) Check(scopes []Permission) (*Caller, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	c := f.caller()
	if f.tenantStatus != "active" {
		return nil, &problem.Error{Code: problem.Forbidden, Reason: "tenant_suspended", Detail: problem.T(
			"A empresa está suspensa.", "The company is suspended.")}
	}
	if !f.ipAllowed {
		return nil, &problem.Error{Code: problem.Forbidden, Reason: "ip_not_allowed", Detail: problem.T(
			"O endereço de origem não está na lista desta chave de API.", "The source address is not on this API key's list.")}
	}
	for _, p := range scopes {
		if err := c.Require(p); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (f *Found) alive() error {
	switch {
	case f.endsAt != nil && !f.endsAt.After(f.at):
		return f.dead(problem.APIKeyRevoked)
	case f.expiresAt != nil && !f.expiresAt.After(f.at):
		return f.dead(problem.APIKeyExpired)
	case !f.memberActive:
		return &problem.Error{Code: problem.Unauthorized, Detail: problem.T(
			"O membro que esta credencial representa foi desativado.", "The member whom this credential represents was deactivated.")}
	}
	return nil
}

// dead is the answer for a credential that has ended; a session has no codes of its own.
func (f *Found) dead(code problem.Code) error {
	if f.apiKeyID == nil {
		return &problem.Error{Code: problem.Unauthorized, Detail: problem.T(
			"A sessão terminou. Entre de novo.", "The session has ended. Sign in again.")}
	}
	return &problem.Error{Code: code}
}

func (f *Found) caller() *Caller {
	c := &Caller{
		Tenant: Tenant{ID: f.tenantID, Name: f.tenantName, TimeZone: f.timeZone, Mode: f.mode},
		Member: Member{ID: f.memberID, Name: f.memberName, Role: f.role, Permissions: f.permissions},
	}
	if f.sessionID != nil {
		c.SessionID = *f.sessionID
	}
	if f.apiKeyID != nil {
		c.APIKey = &APIKeyRef{
			ID: *f.apiKeyID, Name: *f.apiKeyName, Scopes: f.scopes,
			ExpiresAt: f.expiresAt, RequireIdempotencyKey: f.requireKey,
		}
	}
	return c
}

// AuthenticateStatement finds a caller alone, for requests that claim no key.
func AuthenticateStatement(k CredentialKind) db.Statement {
	return db.Statement{Name: "authenticate_" + string(k), SQL: "WITH caller AS (" + k.callerSQL() +
		") SELECT " + CallerColumns + " FROM caller WHERE $4::text[] IS NOT NULL"}
}
