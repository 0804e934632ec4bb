package auth

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/mail"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// Members is a company and its people: who is in, as what, with what access.
//
// What always holds: nobody grants what they lack; only an owner makes, changes
// or removes an owner; one active owner stays, whatever happens at the same
// moment; a sandbox has its company's members.
type Members struct {
	baseURL     string
	mail        *mail.Outbox
	onNewTenant []Founding
}

// NewMembers returns the service. baseURL is the dashboard's, for the links of
// invitations; onNewTenant founds sandboxes.
func NewMembers(baseURL string, m *mail.Outbox, onNewTenant ...Founding) *Members {
	return &Members{baseURL, m, onNewTenant}
}

// Get returns a member.
func (m *Members) Get(ctx context.Context, r db.Reader, memberID uuid.UUID) (*Colleague, error) {
	return getMember(ctx, r, memberID)
}

// List returns a page of members.
func (m *Members) List(ctx context.Context, r db.Reader, f ColleagueFilter) (page.Result[Colleague], error) {
	return listMembers(ctx, r, f)
}

// Access is a role and, for the role member, its permissions.
type Access struct {
	Role        string
	Permissions []Permission
}

// AccessChanges are the members of a PATCH of a member.
type AccessChanges struct {
	Role        opt.Field[string]
	Permissions opt.Field[[]Permission]
}

// Update changes a member's access, if the member's version satisfies match.
func (m *Members) Update(ctx context.Context, tx *db.Tx, memberID uuid.UUID, match etag.Match, ch AccessChanges) (*Colleague, error) {
	return m.change(ctx, tx, memberID, match, "member.updated", func(c *Colleague) error {
		access := Access{Role: c.Role, Permissions: c.Permissions}
		if role, ok := ch.Role.Value(); ok {
			access.Role = role
		}
		if manages(access.Role) {
			access.Permissions = nil
		}
		if ch.Permissions.IsSet() {
			access.Permissions, _ = ch.Permissions.Value()
		}
		if err := mayGrant(ctx, access, c.Permissions); err != nil {
			return err
		}
		c.Role, c.Permissions = access.Role, access.Permissions
		return nil
	})
}

// Deactivate shuts a member out: sessions and API keys stop at once.
func (m *Members) Deactivate(ctx context.Context, tx *db.Tx, memberID uuid.UUID) (*Colleague, error) {
	return m.activate(ctx, tx, memberID, false, "member.deactivated")
}

// Reactivate lets a deactivated member in again, with the API keys that have
// not ended meanwhile.
func (m *Members) Reactivate(ctx context.Context, tx *db.Tx, memberID uuid.UUID) (*Colleague, error) {
	return m.activate(ctx, tx, memberID, true, "member.reactivated")
}

func (m *Members) activate(ctx context.Context, tx *db.Tx, memberID uuid.UUID, active bool, action string) (*Colleague, error) {
	return m.change(ctx, tx, memberID, etag.Match{}, action, func(c *Colleague) error {
		if c.Active == active {
			return &problem.Error{Code: problem.InvalidState, Current: activity(active), Allowed: []string{opposite(active)}}
		}
		c.Active = active
		return nil
	})
}

func activity(active bool) string {
	if active {
		return "active"
	}
	return "inactive"
}

func opposite(active bool) string {
	if active {
		return "deactivate"
	}
	return "reactivate"
}

// change locks the owners and the member, changes the member, and writes it as
// its next version.
func (m *Members) change(
	ctx context.Context, tx *db.Tx, memberID uuid.UUID, match etag.Match, action string, f func(*Colleague) error,
) (*Colleague, error) {
	if err := refuseInSandbox(ctx); err != nil {
		return nil, err
	}
	owners, err := lockOwners(ctx, tx)
	if err != nil {
		return nil, err
	}
	c, err := getMemberForUpdate(ctx, tx, memberID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(c.Version); err != nil {
		return nil, err
	}
	before := *c
	if err := f(c); err != nil {
		return nil, err
	}
	if err := keepOwner(ctx, owners, before, *c); err != nil {
		return nil, err
	}
	return c, m.save(ctx, tx, c, action)
}

func (m *Members) save(ctx context.Context, tx *db.Tx, c *Colleague, action string) error {
	c.UpdatedAt, c.Version = tx.Now(), c.Version+1
	if err := updateMember(ctx, tx, c); err != nil {
		return err
	}
	if err := followActivity(ctx, tx, *c); err != nil {
		return err
	}
	audit.Record(ctx, tx, audit.Event{Action: action, Resource: "member", ResourceID: c.ID, Details: map[string]any{
		"role": c.Role, "permissions": c.Permissions, "active": c.Active,
	}})
	return mirror(ctx, tx, *c)
}

// keepOwner refuses a change of an owner by anybody else than an owner, and one
// that would leave the company without.
func keepOwner(ctx context.Context, owners []uuid.UUID, before, after Colleague) error {
	if before.Role != RoleOwner && after.Role != RoleOwner {
		return nil
	}
	if CallerFrom(ctx).Member.Role != RoleOwner {
		return ownersOnly()
	}
	others := slices.ContainsFunc(owners, func(id uuid.UUID) bool { return id != before.ID })
	if before.isOwner() && !after.isOwner() && !others {
		return problem.Conflicting("last_owner", problem.T(
			"A empresa precisa de ao menos um proprietário ativo.", "The company needs at least one active owner."))
	}
	return nil
}

func ownersOnly() error {
	return &problem.Error{Code: problem.Forbidden, Reason: "owner_required", LackedBy: "member", Detail: problem.T(
		"Só um proprietário cria, altera ou desativa um proprietário.", "Only an owner makes, changes or deactivates an owner.")}
}

// mayGrant checks an access that the caller gives: it exists, and the caller
// has all of it that the receiver did not have before.
func mayGrant(ctx context.Context, a Access, before []Permission) error {
	if err := checkPermissions("/permissions", a.Permissions); err != nil {
		return err
	}
	caller := CallerFrom(ctx)
	if a.Role == RoleOwner && caller.Member.Role != RoleOwner {
		return ownersOnly()
	}
	if manages(a.Role) {
		if len(a.Permissions) > 0 {
			return problem.Invalid(problem.Field{Pointer: "/permissions", Code: "role_has_all", Detail: problem.T(
				"Proprietários e administradores já têm todas as permissões.", "Owners and admins have every permission already.")})
		}
		return caller.Require(Manage)
	}
	for _, p := range a.Permissions {
		if slices.Contains(before, p) {
			continue
		}
		if err := caller.Require(p); err != nil {
			return err
		}
	}
	return nil
}

// checkPermissions refuses permissions that do not exist, each at its place.
func checkPermissions(pointer string, permissions []Permission) error {
	var f problem.Fields
	unknown := Unknown(permissions)
	for i, p := range permissions {
		if slices.Contains(unknown, p) {
			f.Add(problem.At(pointer, i), "unknown_permission", problem.T("Esta permissão não existe.", "This permission does not exist."))
		}
	}
	return f.Err()
}
