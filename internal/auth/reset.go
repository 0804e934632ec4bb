package auth

import (
	"context"
	"net/url"
	"time"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/mail"
	"fatureihoje/internal/problem"
)

// resetLife is how long the link of a password reset works.
const resetLife = time.Hour

// RequestReset sends the person of an e-mail a link that sets a new password.
// Everything that depends on whether there is such a person is done in the
// background, so that neither the answer nor its time tells.
//
// Where no mail server is configured, the link goes to the operator's log.
func (a *Accounts) RequestReset(_ context.Context, email string) error {
	if err := a.attempts.take(email); err != nil {
		return err
	}
	a.conf.Mail.Later("password reset", func(ctx context.Context) error { return a.sendReset(ctx, email) })
	return nil
}

func (a *Accounts) sendReset(ctx context.Context, email string) error {
	l, err := a.find(ctx, email)
	if err != nil || l == nil {
		return err
	}
	token := NewToken(Reset, l.ID)
	hash := token.Hash()
	err = a.conf.Pool.Global(ctx, func(ctx context.Context, tx *db.Tx) error {
		return insertReset(ctx, tx, &reset{
			ID: id.New(), LoginID: l.ID, TokenHash: hash[:], CreatedAt: tx.Now(), ExpiresAt: tx.Now().Add(resetLife),
		})
	})
	if err != nil {
		return err
	}
	link := a.conf.BaseURL + "/redefinir-senha?token=" + url.QueryEscape(token.Reveal())
	if !a.conf.Mail.Sends() {
		a.conf.Log.WarnContext(ctx, "no mail server is configured (FH_SMTP_URL): give this password reset link to its person",
			"login", l.ID.String(), "link", link)
		return nil
	}
	return a.conf.Mail.Send(ctx, mail.Message{
		To: l.Email, Subject: "Redefinir sua senha do Faturei Hoje",
		Text: "Alguém pediu para redefinir a senha desta conta. Se foi você, abra o link em até uma hora:\n\n" + link +
			"\n\nSe não foi você, ignore esta mensagem: a senha continua a mesma.\n",
	})
}

// ConfirmReset sets a new password by a reset's token, once, and ends every
// session of the person.
func (a *Accounts) ConfirmReset(ctx context.Context, text, password string) error {
	token, err := ParseToken(text, Reset)
	if err != nil {
		return invalidToken()
	}
	r, err := a.openReset(ctx, token)
	if err != nil {
		return err
	}
	hash, err := a.conf.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return a.conf.Pool.Global(ctx, func(ctx context.Context, tx *db.Tx) error {
		spent, err := spendResets(ctx, tx, r)
		if err != nil {
			return err
		}
		if !spent {
			return invalidToken()
		}
		if _, err := setPassword(ctx, tx, r.LoginID, hash); err != nil {
			return err
		}
		return tellCompanies(ctx, tx, r.LoginID)
	})
}

func (a *Accounts) openReset(ctx context.Context, token Token) (r *reset, err error) {
	hash := token.Hash()
	err = a.conf.Pool.Global(ctx, func(ctx context.Context, tx *db.Tx) error {
		r, err = openReset(ctx, tx, token.Tenant, hash[:])
		return err
	})
	if err == nil && r == nil {
		err = invalidToken()
	}
	return r, err
}

// invalidToken is one answer for a damaged, used, expired or foreign token.
func invalidToken() error {
	return problem.Invalid(problem.Field{Pointer: "/token", Code: "token_invalid", Detail: problem.T(
		"O link não vale mais. Peça outro.", "The link is not valid any more. Ask for another one.")})
}

// ChangePassword replaces the caller's password, and ends every other session
// of the person, in all companies.
func (a *Accounts) ChangePassword(ctx context.Context, tx *db.Tx, current, password string) error {
	m, l, err := me(ctx, tx)
	if err != nil {
		return err
	}
	if err := a.attempts.take(l.Email); err != nil {
		return err
	}
	ok, err := a.conf.Passwords.Matches(ctx, current, l.PasswordHash)
	if err != nil {
		return err
	}
	if !ok {
		return problem.Invalid(problem.Field{Pointer: "/current_password", Code: "password_mismatch", Detail: problem.T(
			"A senha atual não confere.", "The current password does not match.")})
	}
	hash, err := a.conf.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	epoch, err := setPassword(ctx, tx, l.ID, hash)
	if err != nil {
		return err
	}
	audit.Record(ctx, tx, audit.Event{Action: "password.changed", Resource: "member", ResourceID: m.ID})
	if err := endSessionsOf(ctx, tx, m.ID, CallerFrom(ctx).SessionID, endedPassword); err != nil {
		return err
	}
	return keepSession(ctx, tx, CallerFrom(ctx).SessionID, epoch)
}
