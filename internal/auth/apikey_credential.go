package auth

import (
	"crypto/sha256"
	"net/netip"

	"github.com/google/uuid"
)

// APIKey is the credential of an integration.
type APIKey struct {
	tenant uuid.UUID
	hash   [sha256.Size]byte
}

// ParseAPIKey reads the text of an API key. It knows a mistyped one by its
// checksum and returns ErrToken, without asking the database.
func ParseAPIKey(text string) (*APIKey, error) {
	token, err := ParseToken(text, LiveKey, TestKey)
	if err != nil {
		return nil, err
	}
	return &APIKey{tenant: token.Tenant, hash: token.Hash()}, nil
}

// TenantID is the tenant that the key names.
func (k *APIKey) TenantID() uuid.UUID { return k.tenant }

// RateKey is the key's hash.
func (k *APIKey) RateKey() string { return string(k.hash[:]) }

// Kind is KindAPIKey.
func (k *APIKey) Kind() CredentialKind { return KindAPIKey }

func (k *APIKey) arguments(ip netip.Addr) []any {
	return []any{k.tenant, k.hash[:], ip.Unmap().String()}
}

//nolint:gosec // SQL that names columns, no credential
const apiKeyCallerSQL = `
SELECT k.id AS api_key_id, k.name AS api_key_name, k.scopes, k.expires_at, k.ends_at, k.require_idempotency_key,
       (k.allowed_ips = '{}' OR $3::text::inet <<= ANY (k.allowed_ips)) AS ip_allowed,
       NULL::uuid AS session_id, m.id AS member_id, m.name AS member_name, m.role, m.permissions, m.active AS member_active,
       t.id AS tenant_id, t.name AS tenant_name, t.time_zone, t.mode, t.status AS tenant_status,
       k.id AS space_id, now() AS at
FROM api_keys k
JOIN members m ON m.tenant_id = k.tenant_id AND m.id = k.member_id
JOIN tenants t ON t.id = k.tenant_id
WHERE k.tenant_id = $1 AND k.secret_hash = $2`
