package auth

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/text"
)

// Credentials are what a person signs in with.
type Credentials struct {
	Email    string
	Password string
	TOTP     string    // "" where none was given
	TenantID uuid.UUID // zero: the person's first company
}

// SignIn opens a session. A wrong password, an e-mail that nobody has, and a
// person who is no active member anywhere get one answer, after one hash.
func (a *Accounts) SignIn(ctx context.Context, c Credentials) (*Grant, error) {
	if err := a.attempts.take(c.Email); err != nil {
		return nil, err
	}
	l, err := a.prove(ctx, c)
	if err != nil {
		return nil, err
	}
	all, err := a.companiesOf(ctx, l.ID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(m Membership) bool { return c.TenantID == uuid.Nil || m.TenantID == c.TenantID })
	if i < 0 {
		return nil, wrongCredentials()
	}
	return a.enter(ctx, l, all[i])
}

// prove returns the sign-in whose password, and second factor if it has one,
// were given.
func (a *Accounts) prove(ctx context.Context, c Credentials) (*login, error) {
	l, err := a.find(ctx, c.Email)
	if err != nil {
		return nil, err
	}
	hash := ""
	if l != nil {
		hash = l.PasswordHash
	}
	ok, err := a.conf.Passwords.Matches(ctx, c.Password, hash)
	if err != nil {
		return nil, err
	}
	if !ok || l == nil {
		return nil, wrongCredentials()
	}
	return l, a.checkSecondFactor(ctx, l, c.TOTP)
}

func (a *Accounts) find(ctx context.Context, email string) (l *login, err error) {
	err = a.conf.Pool.Global(ctx, func(ctx context.Context, tx *db.Tx) error {
		l, err = loginByEmail(ctx, tx, text.NormalizeEmail(email))
		return err
	})
	return l, err
}

func (a *Accounts) companiesOf(ctx context.Context, loginID uuid.UUID) (all []Membership, err error) {
	err = a.conf.Pool.Global(ctx, func(ctx context.Context, tx *db.Tx) error {
		all, err = memberships(ctx, tx, loginID)
		return err
	})
	return all, err
}

// enter opens a session in one company.
func (a *Accounts) enter(ctx context.Context, l *login, m Membership) (g *Grant, err error) {
	err = a.conf.Pool.InTenant(ctx, m.TenantID, func(ctx context.Context, tx *db.Tx) error {
		g, err = a.enterIn(ctx, tx, l, m.MemberID)
		return err
	})
	return g, err
}

// enterIn opens a session in the transaction's company. The member's lock keeps
// a deactivation at the same moment from missing the new session.
func (a *Accounts) enterIn(ctx context.Context, tx *db.Tx, l *login, memberID uuid.UUID) (*Grant, error) {
	m, err := getMemberForUpdate(ctx, tx, memberID)
	if err != nil {
		return nil, err
	}
	if !m.Active {
		return nil, wrongCredentials()
	}
	c, err := getCompany(ctx, tx)
	if err != nil {
		return nil, err
	}
	return a.open(as(ctx, *c, *m), tx, l, *c, *m)
}

func wrongCredentials() error {
	return &problem.Error{Code: problem.Unauthorized, Detail: problem.T(
		"E-mail ou senha não conferem.", "The e-mail and the password do not match.")}
}
