package auth

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/origin"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// SessionLife is how long a session lives after its last refresh.
const SessionLife = 30 * 24 * time.Hour

// open makes a session with an id of its own, whatever session there was before.
func (a *Accounts) open(ctx context.Context, tx *db.Tx, l *login, c Company, m Colleague) (*Grant, error) {
	s := SignedIn{ID: id.New(), MemberID: m.ID, LoginID: l.ID, LoginEpoch: l.SessionEpoch, CreatedAt: tx.Now()}
	seen(ctx, tx, &s)
	if err := insertSession(ctx, tx, &s); err != nil {
		return nil, err
	}
	token, err := issueToken(ctx, tx, s.ID, nil)
	if err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "session.opened", Resource: "session", ResourceID: s.ID})
	return a.grant(ctx, tx, s, c, m, token)
}

// seen notes a session's use, and lets it live on from now.
func seen(ctx context.Context, tx *db.Tx, s *SignedIn) {
	from := origin.From(ctx)
	s.RefreshedAt, s.ExpiresAt = tx.Now(), tx.Now().Add(SessionLife)
	s.IP, s.UserAgent = from.IP, shorten(from.UserAgent)
}

const maxUserAgent = 300 // bytes

func shorten(userAgent string) string {
	if !utf8.ValidString(userAgent) {
		return ""
	}
	for len(userAgent) > maxUserAgent {
		_, size := utf8.DecodeLastRuneInString(userAgent)
		userAgent = userAgent[:len(userAgent)-size]
	}
	return userAgent
}

func (a *Accounts) grant(ctx context.Context, tx *db.Tx, s SignedIn, c Company, m Colleague, token Token) (*Grant, error) {
	all, err := memberships(ctx, tx, s.LoginID)
	if err != nil {
		return nil, err
	}
	access, err := a.conf.Tokens.Sign(c.ID, s.ID)
	if err != nil {
		return nil, err
	}
	return &Grant{Company: c, Member: m, Companies: all, Access: access, Refresh: token}, nil
}

// Refresh gives the session of a refresh token new tokens; the old one is used
// up. One that was used before means that two hold it, of whom one stole it, so
// the session ends for both.
//
// Within RefreshLeeway the token that was used last may be used again: two
// processes of one holder have raced. Both get tokens, which from then on are
// siblings: each is renewed on its own, and what ends the session ends them all.
// So a thief has that long, and with that one token only; once a successor of it
// was used, it is old whatever the time.
func (a *Accounts) Refresh(ctx context.Context, text string) (*Grant, error) {
	token, err := ParseToken(text, Refresh)
	if err != nil {
		return nil, deadSession()
	}
	var g *Grant
	err = a.conf.Pool.InTenant(ctx, token.Tenant, func(ctx context.Context, tx *db.Tx) error {
		g, err = a.refresh(ctx, tx, token)
		return err
	})
	if err == nil && g == nil {
		return nil, deadSession()
	}
	return g, err
}

// refresh returns nil where the token does not open its session; what it then
// has written, the end of the session, is to be committed.
func (a *Accounts) refresh(ctx context.Context, tx *db.Tx, token Token) (*Grant, error) {
	s, err := getSessionForUpdate(ctx, tx, token.Session)
	if err != nil || s == nil {
		return nil, err
	}
	m, err := getMember(ctx, tx, s.MemberID)
	if err != nil || !m.Active {
		return nil, err
	}
	c, err := getCompany(ctx, tx)
	if err != nil {
		return nil, err
	}
	ctx = as(ctx, *c, *m)
	hash := token.Hash()
	opens, err := spendToken(ctx, tx, s.ID, hash[:])
	if err != nil {
		return nil, err
	}
	if !opens {
		audit.Record(ctx, tx, audit.Event{Action: "session.refresh_reused", Resource: "session", ResourceID: s.ID})
		return nil, endSession(ctx, tx, m.ID, s.ID, endedReuse)
	}
	return a.goOn(ctx, tx, s, *c, *m, hash[:])
}

// goOn gives a living session the successor of the token that was spent.
func (a *Accounts) goOn(ctx context.Context, tx *db.Tx, s *SignedIn, c Company, m Colleague, spent []byte) (*Grant, error) {
	if err := forgetTokens(ctx, tx, s.ID, spent); err != nil {
		return nil, err
	}
	next, err := issueToken(ctx, tx, s.ID, spent)
	if err != nil {
		return nil, err
	}
	seen(ctx, tx, s)
	if err := renewSession(ctx, tx, s); err != nil {
		return nil, err
	}
	return a.grant(ctx, tx, *s, c, m, next)
}

func deadSession() error {
	return &problem.Error{Code: problem.Unauthorized, Detail: problem.T(
		"A sessão terminou. Entre de novo.", "The session has ended. Sign in again.")}
}

// SignOut ends the caller's session.
func (a *Accounts) SignOut(ctx context.Context, tx *db.Tx) error {
	return a.endOwn(ctx, tx, CallerFrom(ctx).SessionID, endedSignedOut)
}

// SignOutAll ends every session of the caller's person, in all companies.
func (a *Accounts) SignOutAll(ctx context.Context, tx *db.Tx) error {
	m, err := getMember(ctx, tx, CallerFrom(ctx).Member.ID)
	if err != nil {
		return err
	}
	if _, err := endEpoch(ctx, tx, m.LoginID); err != nil {
		return err
	}
	audit.Record(ctx, tx, audit.Event{Action: "session.all_ended", Resource: "member", ResourceID: m.ID})
	return endSessionsOf(ctx, tx, m.ID, uuid.Nil, endedSignedOut)
}

// Sessions returns a page of the caller's own living sessions in this company.
func (a *Accounts) Sessions(ctx context.Context, r db.Reader, p page.Request) (page.Result[SignedIn], error) {
	return listSessions(ctx, r, CallerFrom(ctx).Member.ID, p)
}

// End ends one of the caller's own sessions.
func (a *Accounts) End(ctx context.Context, tx *db.Tx, sessionID uuid.UUID) error {
	return a.endOwn(ctx, tx, sessionID, endedByOwner)
}

// endOwn ends one of the caller's own sessions, for a reason.
func (a *Accounts) endOwn(ctx context.Context, tx *db.Tx, sessionID uuid.UUID, reason string) error {
	audit.Record(ctx, tx, audit.Event{
		Action: "session.ended", Resource: "session", ResourceID: sessionID, Details: map[string]any{"reason": reason},
	})
	return endSession(ctx, tx, CallerFrom(ctx).Member.ID, sessionID, reason)
}

// Switch opens a session in another company of the caller's person; the
// caller's own goes on.
func (a *Accounts) Switch(ctx context.Context, tx *db.Tx, tenantID uuid.UUID) (g *Grant, err error) {
	_, l, err := me(ctx, tx)
	if err != nil {
		return nil, err
	}
	all, err := memberships(ctx, tx, l.ID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(m Membership) bool { return m.TenantID == tenantID })
	if i < 0 {
		return nil, problem.Invalid(problem.UnknownReference("/tenant_id"))
	}
	err = tx.Visit(ctx, tenantID, func(ctx context.Context, tx *db.Tx) error {
		g, err = a.enterIn(ctx, tx, l, all[i].MemberID)
		return err
	})
	return g, err
}
