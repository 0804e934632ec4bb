package sales

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/state"
)

// Statuses of a sale. All but cancelled follow from its payments.
const (
	StatusOpen          = "open"
	StatusPartiallyPaid = "partially_paid"
	StatusPaid          = "paid"
	StatusCancelled     = "cancelled"
)

// Resource is the word for a sale in histories, audit rows and public links.
const Resource = "sale"

// The actions on a sale.
const (
	actionVersion = "versions"
	actionPay     = "payments"
	actionCancel  = "cancel"
)

// actions says which statuses take which action. The first two lead to what the
// payments say.
func actions() state.Machine {
	live := []string{StatusOpen, StatusPartiallyPaid, StatusPaid}
	return state.Machine{
		{Action: actionVersion, From: live},
		{Action: actionPay, From: live},
		{Action: actionCancel, From: live, To: StatusCancelled},
	}
}

// Terms are what a version of a sale says, beside its number and its reason.
type Terms struct {
	ClientID    *uuid.UUID // nil: over the counter
	SoldAt      time.Time
	AccountID   *uuid.UUID
	CategoryID  *uuid.UUID
	PaymentPlan *document.Plan // nil where there was nothing to pay
	// PlannedCents is what the plan divides: the total, less what was paid
	// before this version.
	PlannedCents     money.Cents
	document.Content `gorm:"embedded"`
}

// Sale is a sale as its current version says, and what was paid of it.
type Sale struct {
	ID             uuid.UUID
	Number         int64
	QuoteID        *uuid.UUID
	ServiceOrderID *uuid.UUID
	Status         string
	CurrentVersion int
	Terms          `gorm:"embedded"`
	Notes          *string
	PaidCents      money.Cents
	CancelledAt    *time.Time
	CancelReason   *string
	ExternalID     *string
	Metadata       meta.Map
	CreatedAt      time.Time
	UpdatedAt      time.Time
	Version        int64
}

// Balance is what is still to be paid.
func (s *Sale) Balance() money.Cents { return s.TotalCents - s.PaidCents }

// settle computes the status of a live sale.
func (s *Sale) settle() {
	switch {
	case s.PaidCents == s.TotalCents:
		s.Status = StatusPaid
	case s.PaidCents > 0:
		s.Status = StatusPartiallyPaid
	default:
		s.Status = StatusOpen
	}
}

// Draft is a sale as it is asked for.
type Draft struct {
	ClientID    *uuid.UUID
	SoldAt      *time.Time // nil: now
	Content     document.Draft
	PaymentPlan *document.Plan // nil: all on the day of the sale
	AccountID   *uuid.UUID
	CategoryID  *uuid.UUID
	Notes       *string
	ExternalID  *string
	Metadata    meta.Map
}

// Billing is a sale that is made from a quote or a service order: its content
// is a copy, so nothing is priced again.
type Billing struct {
	QuoteID        *uuid.UUID
	ServiceOrderID *uuid.UUID
	ClientID       *uuid.UUID
	Content        document.Content
	PaymentPlan    *document.Plan
	Notes          *string
}

// VersionDraft is the complete new content of a sale.
type VersionDraft struct {
	Draft
	Reason      *string
	BaseVersion *int
}

// SaleVersion is what a sale said until the next version.
type SaleVersion struct {
	ID        uuid.UUID
	SaleID    uuid.UUID
	Number    int
	Reason    *string
	Terms     `gorm:"embedded"`
	ActorType string
	ActorID   *uuid.UUID
	ActorName string
	CreatedAt time.Time
}

// Changes are the members of a PATCH.
type Changes struct {
	Notes      opt.Field[string]
	ExternalID opt.Field[string]
	Metadata   opt.Field[meta.Patch]
}

// Cancellation is why a sale is cancelled, and whether its payments are too.
type Cancellation struct {
	Reason         *string
	CancelPayments bool
}

// Filter selects sales of a list; empty fields select all.
type Filter struct {
	db.ListFilter
	Status           string
	ClientID         *uuid.UUID
	QuoteID          *uuid.UUID
	Number           int64
	SoldFrom, SoldTo *time.Time
	Query            string
	Page             page.Request
}

func (s *Sale) apply(ch Changes) error {
	s.Notes = ch.Notes.Or(s.Notes)
	s.ExternalID = ch.ExternalID.Or(s.ExternalID)
	s.Metadata = s.Metadata.Change(ch.Metadata)
	var f problem.Fields
	s.Metadata.Validate("/metadata", &f)
	return f.Err()
}

// plan settles the payment plan for an amount: nothing to pay has none, and
// without one all is due on the day of the sale.
func (t *Terms) plan(amount money.Cents, day func(time.Time) *document.Plan, f *problem.Fields) []document.Installment {
	t.PlannedCents = amount
	if t.PaymentPlan == nil {
		t.PaymentPlan = day(t.SoldAt)
	}
	parts := t.PaymentPlan.Parts(amount, "/payment_plan", f)
	if amount == 0 {
		t.PaymentPlan = nil
	}
	return parts
}
