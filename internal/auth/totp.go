package auth

import (
	"context"
	"crypto/subtle"
	"fmt"
	"time"

	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// totpPeriod is RFC 6238's step. A code of the step before or after the present
// one is taken too, for clocks that differ.
const totpPeriod = 30 * time.Second

// SecondFactor is a new TOTP secret, for the one answer that shows it.
type SecondFactor struct {
	Secret string // base32
	URL    string // otpauth://, for a QR code
}

// StartTOTP makes the caller a second factor, which counts only once a code of
// it was given to ConfirmTOTP. An unconfirmed one is replaced.
func (a *Accounts) StartTOTP(ctx context.Context, tx *db.Tx) (*SecondFactor, error) {
	_, l, err := me(ctx, tx)
	if err != nil {
		return nil, err
	}
	if l.TOTPConfirmedAt != nil {
		return nil, problem.Conflicting("totp_enabled", problem.T(
			"O segundo fator já está ativo. Desative-o antes de criar outro.",
			"The second factor is active already. Disable it before making another one."))
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: "Faturei Hoje", AccountName: l.Email})
	if err != nil {
		return nil, fmt.Errorf("make a second factor: %w", err)
	}
	if err := storeTOTP(ctx, tx, l.ID, a.conf.Sealer.Seal([]byte(key.Secret()), l.ID[:])); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "totp.started", Resource: "member", ResourceID: CallerFrom(ctx).Member.ID})
	return &SecondFactor{Secret: key.Secret(), URL: key.URL()}, nil
}

// ConfirmTOTP puts the second factor into force.
func (a *Accounts) ConfirmTOTP(ctx context.Context, tx *db.Tx, code string) error {
	_, l, err := me(ctx, tx)
	if err != nil {
		return err
	}
	if err := a.attempts.take(l.Email); err != nil {
		return err
	}
	if l.TOTPSecret == nil || l.TOTPConfirmedAt != nil {
		return problem.Conflicting("totp_not_started", problem.T(
			"Não há segundo fator à espera de confirmação.", "No second factor is waiting for its confirmation."))
	}
	ok, err := a.spend(ctx, tx, l, code)
	if err != nil {
		return err
	}
	if !ok {
		return problem.Invalid(problem.Field{Pointer: "/code", Code: "totp_invalid", Detail: wrongCode()})
	}
	audit.Record(ctx, tx, audit.Event{Action: "totp.enabled", Resource: "member", ResourceID: CallerFrom(ctx).Member.ID})
	return confirmTOTP(ctx, tx, l.ID)
}

// DisableTOTP removes the caller's second factor.
func (a *Accounts) DisableTOTP(ctx context.Context, tx *db.Tx) error {
	_, l, err := me(ctx, tx)
	if err != nil {
		return err
	}
	if l.TOTPSecret == nil {
		return problem.Missing()
	}
	audit.Record(ctx, tx, audit.Event{Action: "totp.disabled", Resource: "member", ResourceID: CallerFrom(ctx).Member.ID})
	return storeTOTP(ctx, tx, l.ID, nil)
}

// checkSecondFactor asks for the code of a sign-in that has a second factor. It
// is reached only with the right password, so that its answers tell nothing to
// anybody else.
func (a *Accounts) checkSecondFactor(ctx context.Context, l *login, code string) error {
	if l.TOTPConfirmedAt == nil {
		return nil
	}
	if code == "" {
		return &problem.Error{Code: problem.Unauthorized, Reason: "totp_required", Detail: problem.T(
			"Informe o código do segundo fator em totp.", "Give the code of the second factor in totp.")}
	}
	ok := false
	err := a.conf.Pool.Global(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		ok, err = a.spend(ctx, tx, l, code)
		return err
	})
	if err == nil && !ok {
		err = &problem.Error{Code: problem.Unauthorized, Reason: "totp_invalid", Detail: wrongCode()}
	}
	return err
}

func wrongCode() problem.Text {
	return problem.T("O código do segundo fator não confere ou já foi usado.", "The second factor's code is wrong or was used already.")
}

// spend reports whether code is right at this moment, and uses its time step up:
// who looks over a shoulder comes too late with it.
func (a *Accounts) spend(ctx context.Context, tx *db.Tx, l *login, code string) (bool, error) {
	secret, err := a.conf.Sealer.Open(l.TOTPSecret, l.ID[:])
	if err != nil {
		return false, fmt.Errorf("open the second factor of login %s: %w", l.ID, err)
	}
	present := tx.Now().Unix() / int64(totpPeriod/time.Second)
	for step := present - 1; step <= present+1; step++ {
		want, err := hotp.GenerateCode(string(secret), uint64(step)) //nolint:gosec // the present is after 1970
		if err != nil {
			return false, fmt.Errorf("compute a code: %w", err)
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			return spendStep(ctx, tx, l.ID, step)
		}
	}
	return false, nil
}
