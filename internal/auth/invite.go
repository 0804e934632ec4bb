package auth

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/mail"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/text"
)

// inviteLife is how long an invitation can be accepted.
const inviteLife = 7 * 24 * time.Hour

// Invite is an invitation that can still be accepted.
type Invite struct {
	ID          uuid.UUID
	Email       string // as the inviter wrote it
	Role        string
	Permissions db.Texts
	TokenHash   []byte
	InvitedBy   uuid.UUID
	CreatedAt   time.Time
	ExpiresAt   time.Time
	AcceptedAt  *time.Time
	RevokedAt   *time.Time
}

// Invite asks a person to join the company, by a link that is mailed where a
// mail server is configured, and returned in any case. An older invitation of
// the same e-mail ends. An e-mail of an active member is already_exists.
func (m *Members) Invite(ctx context.Context, tx *db.Tx, email string, access Access) (*Invite, string, error) {
	if err := refuseInSandbox(ctx); err != nil {
		return nil, "", err
	}
	if err := mayGrant(ctx, access, nil); err != nil {
		return nil, "", err
	}
	exists, err := hasActiveMember(ctx, tx, text.NormalizeEmail(email))
	if err != nil {
		return nil, "", err
	}
	if exists {
		return nil, "", alreadyMember()
	}
	if err := revokeInvitesOf(ctx, tx, email); err != nil {
		return nil, "", err
	}
	token := NewToken(Invitation, tx.TenantID())
	hash := token.Hash()
	i := &Invite{
		ID: id.New(), Email: email, Role: access.Role, Permissions: access.Permissions, TokenHash: hash[:],
		InvitedBy: CallerFrom(ctx).Member.ID, CreatedAt: tx.Now(), ExpiresAt: tx.Now().Add(inviteLife),
	}
	if err := insertInvite(ctx, tx, i); err != nil {
		return nil, "", err
	}
	audit.Record(ctx, tx, audit.Event{Action: "invitation.created", Resource: "invitation", ResourceID: i.ID, Details: map[string]any{
		"role": i.Role, "permissions": i.Permissions,
	}})
	link := m.baseURL + "/convite?token=" + url.QueryEscape(token.Reveal())
	m.mailInvite(ctx, tx, i.Email, link)
	return i, link, nil
}

func (m *Members) mailInvite(ctx context.Context, tx *db.Tx, email, link string) {
	if !m.mail.Sends() {
		return
	}
	caller := CallerFrom(ctx)
	message := mail.Message{
		To: email, Subject: fmt.Sprintf("Convite para %s no Faturei Hoje", caller.Tenant.Name),
		Text: fmt.Sprintf("%s convidou você para a empresa %s no Faturei Hoje. Para aceitar, abra o link em até 7 dias:\n\n%s\n",
			caller.Member.Name, caller.Tenant.Name, link),
	}
	tx.AfterCommit(func() {
		m.mail.Later("invitation", func(ctx context.Context) error { return m.mail.Send(ctx, message) })
	})
}

// Invites returns a page of the invitations that can still be accepted.
func (m *Members) Invites(ctx context.Context, r db.Reader, p page.Request) (page.Result[Invite], error) {
	return listInvites(ctx, r, p)
}

// RevokeInvite ends an invitation that was not accepted yet.
func (m *Members) RevokeInvite(ctx context.Context, tx *db.Tx, inviteID uuid.UUID) error {
	audit.Record(ctx, tx, audit.Event{Action: "invitation.revoked", Resource: "invitation", ResourceID: inviteID})
	return revokeInvite(ctx, tx, inviteID)
}

// Acceptance is what a person who was invited sends.
type Acceptance struct {
	Token    string
	Name     string
	Password string // of the existing sign-in, or the new one's
	TOTP     string // of the existing sign-in, if it has a second factor
}

// Accept makes the person of an invitation a member, and signs that person in.
// Who has a sign-in already proves it by its password; a new person sets one.
// A member who was deactivated comes back with the invited access.
func (a *Accounts) Accept(ctx context.Context, in Acceptance) (*Grant, error) {
	token, err := ParseToken(in.Token, Invitation)
	if err != nil {
		return nil, invalidToken()
	}
	i, err := a.openInvite(ctx, token)
	if err != nil {
		return nil, err
	}
	if err := a.attempts.take(i.Email); err != nil {
		return nil, err
	}
	l, hash, err := a.proveOrHash(ctx, i.Email, in)
	if err != nil {
		return nil, err
	}
	var g *Grant
	err = a.conf.Pool.InTenant(ctx, token.Tenant, func(ctx context.Context, tx *db.Tx) error {
		g, err = a.accept(ctx, tx, token, l, hash, in.Name)
		return err
	})
	return g, err
}

func (a *Accounts) openInvite(ctx context.Context, token Token) (i *Invite, err error) {
	err = a.conf.Pool.InTenant(ctx, token.Tenant, func(ctx context.Context, tx *db.Tx) error {
		i, err = openInvite(ctx, tx, token)
		return err
	})
	if err == nil && i == nil {
		err = invalidToken()
	}
	return i, err
}

// proveOrHash returns the existing sign-in of an e-mail, once its password was
// given, or the hash of a new one's. Either way one hash is computed.
func (a *Accounts) proveOrHash(ctx context.Context, email string, in Acceptance) (*login, string, error) {
	known, err := a.find(ctx, email)
	if err != nil {
		return nil, "", err
	}
	if known == nil {
		hash, err := a.conf.Passwords.Hash(ctx, in.Password)
		return nil, hash, err
	}
	l, err := a.prove(ctx, Credentials{Email: email, Password: in.Password, TOTP: in.TOTP})
	return l, "", err
}

func (a *Accounts) accept(ctx context.Context, tx *db.Tx, token Token, l *login, hash, name string) (*Grant, error) {
	i, err := spendInvite(ctx, tx, token)
	if err != nil {
		return nil, err
	}
	if i == nil {
		return nil, invalidToken()
	}
	c, err := getCompany(ctx, tx)
	if err != nil {
		return nil, err
	}
	if l == nil {
		l = newLogin(tx, i.Email, hash)
		if err := insertLogin(ctx, tx, l); err != nil {
			return nil, err
		}
	}
	m, err := a.enrol(ctx, tx, l, i, name)
	if err != nil {
		return nil, err
	}
	ctx = as(ctx, *c, *m)
	audit.Record(ctx, tx, audit.Event{Action: "invitation.accepted", Resource: "invitation", ResourceID: i.ID, Details: map[string]any{
		"member": m.ID,
	}})
	if err := mirror(ctx, tx, *m); err != nil {
		return nil, err
	}
	return a.open(ctx, tx, l, *c, *m)
}

// enrol adds the invited person as a member, or brings a deactivated one back.
func (a *Accounts) enrol(ctx context.Context, tx *db.Tx, l *login, i *Invite, name string) (*Colleague, error) {
	m, err := memberByLogin(ctx, tx, l.ID)
	if err != nil {
		return nil, err
	}
	if m == nil {
		m = newColleague(tx, l, name, i.Email, i.Role, i.Permissions)
		return m, join(ctx, tx, m)
	}
	if m.Active {
		return nil, alreadyMember()
	}
	m.Name, m.Role, m.Permissions, m.Active = name, i.Role, i.Permissions, true
	m.UpdatedAt, m.Version = tx.Now(), m.Version+1
	if err := updateMember(ctx, tx, m); err != nil {
		return nil, err
	}
	return m, admit(ctx, tx, l.ID, m.ID)
}

func alreadyMember() error {
	detail := problem.T("Esta pessoa já é membro da empresa.", "This person is a member of the company already.")
	return &problem.Error{Code: problem.AlreadyExists, Detail: detail, Fields: []problem.Field{
		{Pointer: "/email", Code: "already_exists", Detail: detail},
	}}
}
