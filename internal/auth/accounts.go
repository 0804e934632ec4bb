package auth

import (
	"context"
	"log/slog"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/mail"
	"fatureihoje/internal/origin"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/seal"
	"fatureihoje/internal/text"
)

// AccountsConfig is what Accounts works with.
type AccountsConfig struct {
	Pool              *db.Pool
	Passwords         *Passwords
	Tokens            *AccessTokens
	Sealer            *seal.Sealer // of second factors
	Mail              *mail.Outbox
	Clock             clock.Clock
	Log               *slog.Logger
	BaseURL           string // of the dashboard, for links
	SignupOpen        bool
	AttemptsPerMinute int // for each account; 0: not slowed
	OnNewTenant       []Founding
}

// Founding gives a new company what another package has for it to start with. It
// runs in the transaction that makes the company, as its owner.
type Founding func(context.Context, *db.Tx) error

func foundAll(ctx context.Context, tx *db.Tx, all []Founding) error {
	for _, founding := range all {
		if err := founding(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// Accounts is how people get in: sign-up, sign-in, sessions, passwords, second
// factors, and the acceptance of invitations.
//
// What has no session yet (sign-up, sign-in, refresh, reset, acceptance) opens
// its own transactions, so that no password is hashed while one is open. An
// e-mail that nobody has gets the answers of one that somebody has, in the same
// time; only SignUp tells.
type Accounts struct {
	conf     AccountsConfig
	attempts *attempts
}

// NewAccounts returns the service.
func NewAccounts(conf AccountsConfig) *Accounts {
	return &Accounts{conf: conf, attempts: newAttempts(conf.AttemptsPerMinute, conf.Clock)}
}

// Grant is an open session, with what its person needs to know at once. The
// tokens are shown in this answer only.
type Grant struct {
	Company   Company
	Member    Colleague
	Companies []Membership
	Access    string
	Refresh   Token
}

// NewCompany is what a sign-up asks for.
type NewCompany struct {
	CompanyName string
	Name        string // of the owner
	Email       string
	Password    string

	TenantID uuid.UUID // zero: a new one
	// Also runs in the transaction that makes the company, as its owner; nil: nothing.
	Also func(context.Context, *db.Tx) error
}

// SignUp makes a company with its owner, and signs the owner in. It is refused
// where sign-up is closed, and with already_exists for an e-mail that has a
// sign-in.
func (a *Accounts) SignUp(ctx context.Context, n NewCompany) (*Grant, error) {
	if !a.conf.SignupOpen {
		return nil, &problem.Error{Code: problem.Forbidden, Reason: "signup_closed", Detail: problem.T(
			"O cadastro de empresas está fechado neste servidor. Peça um convite.",
			"Sign-up is closed on this server. Ask for an invitation.")}
	}
	if err := a.attempts.take(n.Email); err != nil {
		return nil, err
	}
	return a.Found(ctx, n)
}

// Found is SignUp for the operator: it works where sign-up is closed.
func (a *Accounts) Found(ctx context.Context, n NewCompany) (*Grant, error) {
	hash, err := a.conf.Passwords.Hash(ctx, n.Password)
	if err != nil {
		return nil, err
	}
	if n.TenantID == uuid.Nil {
		n.TenantID = id.New()
	}
	var g *Grant
	err = a.conf.Pool.InTenant(ctx, n.TenantID, func(ctx context.Context, tx *db.Tx) error {
		g, err = a.found(ctx, tx, n, hash)
		return err
	})
	return g, err
}

func (a *Accounts) found(ctx context.Context, tx *db.Tx, n NewCompany, hash string) (*Grant, error) {
	now := tx.Now()
	c := Company{
		ID: tx.TenantID(), Name: n.CompanyName, TimeZone: defaultTimeZone, Mode: ModeLive, Status: "active",
		CreatedAt: now, UpdatedAt: now, Version: 1,
	}
	if err := insertCompany(ctx, tx, &c); err != nil {
		return nil, err
	}
	l := newLogin(tx, n.Email, hash)
	if err := insertLogin(ctx, tx, l); err != nil {
		return nil, err
	}
	owner := newColleague(tx, l, n.Name, n.Email, RoleOwner, nil)
	if err := join(ctx, tx, owner); err != nil {
		return nil, err
	}
	ctx = as(ctx, c, *owner)
	audit.Record(ctx, tx, audit.Event{Action: "company.created", Resource: "company", ResourceID: c.ID})
	if err := foundAll(ctx, tx, a.conf.OnNewTenant); err != nil {
		return nil, err
	}
	if n.Also != nil {
		if err := n.Also(ctx, tx); err != nil {
			return nil, err
		}
	}
	return a.open(ctx, tx, l, c, *owner)
}

const defaultTimeZone = "America/Sao_Paulo"

func newLogin(tx *db.Tx, email, hash string) *login {
	return &login{
		ID: id.New(), Email: text.NormalizeEmail(email), PasswordHash: hash, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
}

func newColleague(tx *db.Tx, l *login, name, email, role string, permissions []Permission) *Colleague {
	return &Colleague{
		ID: id.New(), LoginID: l.ID, Name: name, Email: email, Role: role, Permissions: permissions, Active: true,
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Version: 1,
	}
}

// join makes a person a member of the transaction's company.
func join(ctx context.Context, tx *db.Tx, c *Colleague) error {
	if err := insertMember(ctx, tx, c); err != nil {
		return err
	}
	return admit(ctx, tx, c.LoginID, c.ID)
}

// as returns a context in which the member acts: what follows a sign-in is
// done, and written to the audit log, as that person.
func as(ctx context.Context, c Company, m Colleague) context.Context {
	o := origin.From(ctx)
	o.Type, o.ID, o.Name = origin.Member, m.ID, m.Name
	return WithCaller(origin.With(ctx, o), &Caller{
		Tenant: Tenant{ID: c.ID, Name: c.Name, TimeZone: c.TimeZone, Mode: c.Mode},
		Member: Member{ID: m.ID, Name: m.Name, Role: m.Role, Permissions: m.Permissions},
	})
}

// Profile is a signed-in person's own view.
type Profile struct {
	Company     Company
	Member      Colleague
	Companies   []Membership
	TOTPEnabled bool
}

// Profile returns who the caller is, and where else that person may enter.
func (a *Accounts) Profile(ctx context.Context, r db.Reader) (*Profile, error) {
	m, l, err := me(ctx, r)
	if err != nil {
		return nil, err
	}
	c, err := getCompany(ctx, r)
	if err != nil {
		return nil, err
	}
	all, err := memberships(ctx, r, l.ID)
	if err != nil {
		return nil, err
	}
	return &Profile{Company: *c, Member: *m, Companies: all, TOTPEnabled: l.TOTPConfirmedAt != nil}, nil
}

// Rename changes the caller's own name in this company.
func (a *Accounts) Rename(ctx context.Context, tx *db.Tx, name string) (*Profile, error) {
	if err := refuseInSandbox(ctx); err != nil {
		return nil, err
	}
	m, err := getMemberForUpdate(ctx, tx, CallerFrom(ctx).Member.ID)
	if err != nil {
		return nil, err
	}
	m.Name, m.UpdatedAt, m.Version = name, tx.Now(), m.Version+1
	if err := updateMember(ctx, tx, m); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "member.renamed", Resource: "member", ResourceID: m.ID})
	if err := mirror(ctx, tx, *m); err != nil {
		return nil, err
	}
	return a.Profile(ctx, tx)
}

// me returns the caller's member and sign-in.
func me(ctx context.Context, r db.Reader) (*Colleague, *login, error) {
	m, err := getMember(ctx, r, CallerFrom(ctx).Member.ID)
	if err != nil {
		return nil, nil, err
	}
	l, err := loginByID(ctx, r, m.LoginID)
	return m, l, err
}
