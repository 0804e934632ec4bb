package finance

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// KindCash is the kind of the account that a company starts with.
const KindCash = "cash"

// AccountResource is the word for an account in audit rows.
const AccountResource = "financial_account"

// Account is a place where money is: a cash box, an account at a bank.
type Account struct {
	ID                  uuid.UUID
	Name                string
	Kind                string
	BankCode            *string
	Agency              *string
	Number              *string
	OpeningBalanceCents int64 // may be negative
	OpeningDate         civil.Date
	IsDefault           bool
	ExternalID          *string
	Metadata            meta.Map
	CreatedAt           time.Time
	UpdatedAt           time.Time
	Version             int64

	// What its movements add up to, income positive. Only increments write them.
	MovedCents   int64 `gorm:"->"` // the paid ones
	PendingCents int64 `gorm:"->"` // the pending ones
}

// BalanceCents is what is in the account; it may be negative, and above the
// limit of one amount.
func (a *Account) BalanceCents() int64 { return a.OpeningBalanceCents + a.MovedCents }

// ProjectedCents is the balance once everything pending is paid.
func (a *Account) ProjectedCents() int64 { return a.BalanceCents() + a.PendingCents }

// AccountChanges are the members of a PATCH of an account.
type AccountChanges struct {
	Name                opt.Field[string]
	Kind                opt.Field[string]
	BankCode            opt.Field[string]
	Agency              opt.Field[string]
	Number              opt.Field[string]
	OpeningBalanceCents opt.Field[int64]
	OpeningDate         opt.Field[civil.Date]
	IsDefault           opt.Field[bool]
	ExternalID          opt.Field[string]
	Metadata            opt.Field[meta.Patch]
}

// AccountFilter selects accounts of a list.
type AccountFilter struct {
	db.ListFilter
	Kind string
	Page page.Request
}

func (a *Account) apply(ch AccountChanges) {
	opt.Assign(&a.Name, ch.Name, "")
	opt.Assign(&a.Kind, ch.Kind, "other")
	opt.Assign(&a.OpeningBalanceCents, ch.OpeningBalanceCents, 0)
	opt.Assign(&a.OpeningDate, ch.OpeningDate, a.OpeningDate)
	opt.Assign(&a.IsDefault, ch.IsDefault, false)
	a.BankCode = ch.BankCode.Or(a.BankCode)
	a.Agency = ch.Agency.Or(a.Agency)
	a.Number = ch.Number.Or(a.Number)
	a.ExternalID = ch.ExternalID.Or(a.ExternalID)
	a.Metadata = a.Metadata.Change(ch.Metadata)
}

func (a *Account) validate() error {
	var f problem.Fields
	a.Metadata.Validate("/metadata", &f)
	return f.Err()
}
