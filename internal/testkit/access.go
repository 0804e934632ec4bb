package testkit

import "testing"

// Revoke ends the client's API key at once.
func (c *Client) Revoke(t testing.TB) {
	t.Helper()
	c.Server.Database.Exec(t, `UPDATE api_keys SET ends_at = now(), ended_reason = 'revoked' WHERE tenant_id = $1 AND id = $2`, c.Tenant.ID, c.KeyID)
}

// SetScopes changes what the client's API key may do.
func (c *Client) SetScopes(t testing.TB, scopes ...string) {
	t.Helper()
	if scopes == nil {
		scopes = []string{}
	}
	c.Server.Database.Exec(t, `UPDATE api_keys SET scopes = $3 WHERE tenant_id = $1 AND id = $2`, c.Tenant.ID, c.KeyID, scopes)
}

// SetPermissions changes what a member may do.
func (m Member) SetPermissions(t testing.TB, permissions ...string) {
	t.Helper()
	if permissions == nil {
		permissions = []string{}
	}
	m.tenant.server.Database.Exec(t, `UPDATE members SET permissions = $3 WHERE tenant_id = $1 AND id = $2`, m.tenant.ID, m.ID, permissions)
}

// SetActive deactivates a member, or lets them in again.
func (m Member) SetActive(t testing.TB, active bool) {
	t.Helper()
	m.tenant.server.Database.Exec(t, `UPDATE members SET active = $3 WHERE tenant_id = $1 AND id = $2`, m.tenant.ID, m.ID, active)
}
