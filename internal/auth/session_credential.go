package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"fatureihoje/internal/clock"
)

// AccessTokenLife is how long an access token lives.
const AccessTokenLife = 15 * time.Minute

const (
	issuer   = "faturei-hoje"
	audience = "dashboard"
)

// Session is the credential of a signed-in person: a JWT that names a session.
// The session's row decides, on every request, whether it is still alive.
type Session struct {
	tenant uuid.UUID
	id     uuid.UUID
}

// TenantID is the tenant that the session is of.
func (s *Session) TenantID() uuid.UUID { return s.tenant }

// RateKey is the session's id.
func (s *Session) RateKey() string { return string(s.id[:]) }

// Kind is KindSession.
func (s *Session) Kind() CredentialKind { return KindSession }

func (s *Session) arguments(ip netip.Addr) []any {
	return []any{s.tenant, s.id, ip.Unmap().String()}
}

const sessionCallerSQL = `
SELECT NULL::uuid AS api_key_id, NULL::text AS api_key_name, NULL::text[] AS scopes, s.expires_at,
       CASE WHEN s.login_epoch = l.session_epoch THEN s.ended_at ELSE s.created_at END AS ends_at,
       false AS require_idempotency_key, $3::text IS NOT NULL AS ip_allowed,
       s.id AS session_id, m.id AS member_id, m.name AS member_name, m.role, m.permissions, m.active AS member_active,
       t.id AS tenant_id, t.name AS tenant_name, t.time_zone, t.mode, t.status AS tenant_status,
       m.id AS space_id, now() AS at
FROM sessions s
JOIN logins l ON l.id = s.login_id
JOIN members m ON m.tenant_id = s.tenant_id AND m.id = s.member_id
JOIN tenants t ON t.id = s.tenant_id
WHERE s.tenant_id = $1 AND s.id = $2`

// AccessTokens makes and reads the JWTs of sessions. Algorithm, issuer,
// audience and expiry are pinned: a token of another kind or with another
// header is refused, whatever it says of itself, and so is one that others take
// too: the audience is alone.
type AccessTokens struct {
	secret []byte
	clock  clock.Clock
	parser *jwt.Parser
}

// NewAccessTokens returns the maker of tokens that are signed with secret.
func NewAccessTokens(secret []byte, c clock.Clock) *AccessTokens {
	return &AccessTokens{secret: secret, clock: c, parser: jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer(issuer),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithStrictDecoding(),
		jwt.WithTimeFunc(c.Now),
	)}
}

type accessClaims struct {
	jwt.RegisteredClaims
	Tenant string `json:"tenant"`
	Use    string `json:"use"`
}

// UnmarshalJSON refuses instants that are texts, which the library takes.
func (c *accessClaims) UnmarshalJSON(text []byte) error {
	var instants struct {
		Expires   *float64 `json:"exp"`
		IssuedAt  *float64 `json:"iat"`
		NotBefore *float64 `json:"nbf"`
	}
	if err := json.Unmarshal(text, &instants); err != nil {
		return err
	}
	type plain accessClaims
	return json.Unmarshal(text, (*plain)(c))
}

// use tells an access token from any other JWT that the same secret might sign.
const use = "access"

// Sign returns the access token of a session.
func (a *AccessTokens) Sign(tenant, session uuid.UUID) (string, error) {
	now := a.clock.Now()
	claims := accessClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: issuer, Audience: jwt.ClaimStrings{audience}, Subject: session.String(),
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(AccessTokenLife)),
		},
		Tenant: tenant.String(),
		Use:    use,
	}
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(a.secret)
	if err != nil {
		return "", fmt.Errorf("sign access token: %w", err)
	}
	return text, nil
}

// Parse reads an access token, or returns ErrToken.
func (a *AccessTokens) Parse(text string) (*Session, error) {
	var claims accessClaims
	_, err := a.parser.ParseWithClaims(text, &claims, func(*jwt.Token) (any, error) { return a.secret, nil })
	if err != nil || claims.Use != use || len(claims.Audience) != 1 {
		return nil, errors.Join(ErrToken, err)
	}
	session, err := uuid.Parse(claims.Subject)
	if err != nil {
		return nil, errors.Join(ErrToken, err)
	}
	tenant, err := uuid.Parse(claims.Tenant)
	if err != nil {
		return nil, errors.Join(ErrToken, err)
	}
	return &Session{tenant: tenant, id: session}, nil
}
