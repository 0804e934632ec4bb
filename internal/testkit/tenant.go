package testkit

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/id"
)

// Tenant is a company with its owner.
type Tenant struct {
	ID    uuid.UUID
	Owner Member

	server *Server
}

// Member is a person of a tenant.
type Member struct {
	ID      uuid.UUID
	LoginID uuid.UUID
	Email   string

	tenant *Tenant
}

// Tenant makes a company with an owner, straight in the database: it is quick,
// and the companies of a sign-up differ in nothing that other tests look at.
func (s *Server) Tenant(t testing.TB) *Tenant {
	t.Helper()
	tenant := &Tenant{ID: id.New(), server: s.For(t)}
	s.Database.transaction(t, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO tenants (id, name, created_at, updated_at) VALUES ($1, 'Oficina Souza', now(), now())`, tenant.ID)
		return err
	})
	tenant.Owner = tenant.addMember(t, auth.RoleOwner, nil)
	if err := s.pool.InTenant(context.Background(), tenant.ID, finance.NewService(nil).Seed); err != nil {
		t.Fatalf("testkit: give the company what it starts with: %v", err)
	}
	return tenant
}

// Member adds a member of the role member with exactly these permissions.
func (tenant *Tenant) Member(t testing.TB, permissions ...auth.Permission) Member {
	t.Helper()
	return tenant.addMember(t, auth.RoleMember, permissions)
}

func (tenant *Tenant) addMember(t testing.TB, role string, permissions []auth.Permission) Member {
	t.Helper()
	m := Member{ID: id.New(), LoginID: id.New(), tenant: tenant}
	m.Email = m.ID.String() + "@example.com"
	if permissions == nil {
		permissions = []auth.Permission{}
	}
	tenant.server.Database.transaction(t, func(ctx context.Context, tx pgx.Tx) error {
		var b pgx.Batch
		b.Queue(`INSERT INTO logins (id, email, password_hash, created_at, updated_at) VALUES ($1, $2, '!', now(), now())`, m.LoginID, m.Email)
		b.Queue(`INSERT INTO members (tenant_id, id, login_id, name, email, role, permissions, created_at, updated_at)
			VALUES ($1, $2, $3, 'Dona Souza', $4, $5, $6, now(), now())`, tenant.ID, m.ID, m.LoginID, m.Email, role, permissions)
		b.Queue(`INSERT INTO login_tenants (login_id, tenant_id, member_id) VALUES ($1, $2, $3)`, m.LoginID, tenant.ID, m.ID)
		return tx.SendBatch(ctx, &b).Close()
	})
	return m
}

// Key makes an API key of the owner. Without scopes it has all of them.
func (tenant *Tenant) Key(t testing.TB, scopes ...auth.Permission) *Client {
	t.Helper()
	return tenant.Owner.Key(t, scopes...)
}

// Key makes an API key that represents the member. Without scopes it has all of
// them; what it may do is limited by what the member may.
func (m Member) Key(t testing.TB, scopes ...auth.Permission) *Client {
	t.Helper()
	if len(scopes) == 0 {
		scopes = auth.Permissions()
	}
	token := auth.NewToken(auth.LiveKey, m.tenant.ID)
	hash := token.Hash()
	keyID := id.New()
	m.tenant.server.Database.Exec(t, `INSERT INTO api_keys (tenant_id, id, member_id, line_id, name, hint, secret_hash, scopes, created_by, created_at, updated_at)
		VALUES ($1, $2, $3, $2, 'integração', $4, $5, $6, $3, now(), now())`, m.tenant.ID, keyID, m.ID, token.Hint(), hash[:], scopes)
	return &Client{Server: m.tenant.server, Tenant: m.tenant, KeyID: keyID, space: keyID, Secret: token.Reveal(), base: publicBase}
}

// Session signs the member in: a client of the management API.
func (m Member) Session(t testing.TB) *Client {
	t.Helper()
	sessionID := id.New()
	m.tenant.server.Database.Exec(t, `INSERT INTO sessions (tenant_id, id, member_id, login_id, created_at, refreshed_at, expires_at)
		VALUES ($1, $2, $3, $4, now(), now(), now() + interval '1 day')`,
		m.tenant.ID, sessionID, m.ID, m.LoginID)
	key, err := deriveKey("session")
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	token, err := auth.NewAccessTokens(key, clock.System{}).Sign(m.tenant.ID, sessionID)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	return &Client{Server: m.tenant.server, Tenant: m.tenant, KeyID: sessionID, space: m.ID, Secret: token, base: managementBase}
}

// Session signs the owner in.
func (tenant *Tenant) Session(t testing.TB) *Client {
	t.Helper()
	return tenant.Owner.Session(t)
}

// transaction runs f as the superuser.
func (d *Database) transaction(t testing.TB, f func(context.Context, pgx.Tx) error) {
	t.Helper()
	ctx := context.Background()
	if err := pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error { return f(ctx, tx) }); err != nil {
		t.Fatalf("testkit: %v", err)
	}
}

// SessionKey is the key that signs the access tokens of every server under test.
func SessionKey(t testing.TB) []byte {
	t.Helper()
	key, err := deriveKey("session")
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	return key
}
