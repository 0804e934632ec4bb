package auth

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/problem"
)

// Caller is who makes a request, with the access of this moment: the scopes of
// the API key (a session has no such limit) and the permissions of the member
// that it represents.
type Caller struct {
	Tenant Tenant
	Member Member
	APIKey *APIKeyRef // nil: a session of the dashboard

	SessionID uuid.UUID // zero for an API key

	shaped []Permission
}

// Tenant is a caller's company.
type Tenant struct {
	ID       uuid.UUID
	Name     string
	TimeZone string // IANA name
	Mode     string // live or test
}

// Member is a person's place in a company.
type Member struct {
	ID          uuid.UUID
	Name        string
	Role        string
	Permissions []Permission // for the role member
}

// APIKeyRef is the API key of a call.
type APIKeyRef struct {
	ID                    uuid.UUID
	Name                  string
	Scopes                []Permission
	ExpiresAt             *time.Time
	RequireIdempotencyKey bool
}

// Has reports whether the member has the permission now.
func (m Member) Has(p Permission) bool {
	return m.Role == RoleOwner || m.Role == RoleAdmin || slices.Contains(m.Permissions, p)
}

// May reports whether the caller has the permission. Asked while a response is
// built, it also records that the answer shaped the response: a replay is
// refused once the permission is gone.
func (c *Caller) May(p Permission) bool {
	if !c.has(p) {
		return false
	}
	if !slices.Contains(c.shaped, p) {
		c.shaped = append(c.shaped, p)
	}
	return true
}

// ShapedBy lists the permissions that the response so far shows the use of.
func (c *Caller) ShapedBy() []Permission { return c.shaped }

// Lacks returns the first of the permissions that the caller does not have.
func (c *Caller) Lacks(permissions []Permission) (Permission, bool) {
	for _, p := range permissions {
		if !c.has(p) {
			return p, true
		}
	}
	return "", false
}

// Require returns a 403 problem unless the caller has the permission. It says
// whether the API key or its member lacks it.
func (c *Caller) Require(p Permission) error {
	if c.has(p) {
		return nil
	}
	refusal := &problem.Error{Code: problem.Forbidden, RequiredPermission: p, LackedBy: "member"}
	if c.APIKey != nil && !slices.Contains(c.APIKey.Scopes, p) {
		refusal.LackedBy = "api_key"
	}
	return refusal
}

// Effective lists the permissions that the caller has.
func (c *Caller) Effective() []Permission {
	return slices.DeleteFunc(Permissions(), func(p Permission) bool { return !c.has(p) })
}

func (c *Caller) has(p Permission) bool {
	if p == "" {
		return true
	}
	if c.APIKey != nil && !slices.Contains(c.APIKey.Scopes, p) {
		return false
	}
	return c.Member.Has(p)
}

// Location returns the company's time zone, by which calendar dates are read.
func (c *Caller) Location() *time.Location {
	zone, err := time.LoadLocation(c.Tenant.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

type callerKey struct{}

// WithCaller returns a context that carries c.
func WithCaller(ctx context.Context, c *Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns the context's caller. Every handler of an authenticated
// route has one; elsewhere it is a caller without any access.
func CallerFrom(ctx context.Context) *Caller {
	c, ok := ctx.Value(callerKey{}).(*Caller)
	if !ok {
		return &Caller{}
	}
	return c
}
