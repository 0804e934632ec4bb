package sales

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/state"
)

// Statuses of a payment. Pending and processing ones reserve the balance.
const (
	PaymentConfirmed  = "confirmed"
	PaymentPending    = "pending"
	PaymentProcessing = "processing"
	PaymentFailed     = "failed"
	PaymentDeclined   = "declined"
	PaymentExpired    = "expired"
	PaymentCancelled  = "cancelled"
)

// PaymentResource is the word for a payment in histories and audit rows.
const PaymentResource = "sale_payment"

// paymentActions is the life of a payment that somebody records. A charged one
// changes as its provider says.
func paymentActions() state.Machine {
	return state.Machine{{Action: actionCancel, From: []string{PaymentConfirmed}, To: PaymentCancelled}}
}

// Payment is money that came for a sale, or is on its way.
type Payment struct {
	ID                     uuid.UUID
	SaleID                 uuid.UUID
	Status                 string
	AmountCents            money.Cents
	Method                 string
	PaidAt                 time.Time
	AccountID              *uuid.UUID
	FinancialTransactionID *uuid.UUID
	FeeCents               money.Cents
	Notes                  *string
	CancelledAt            *time.Time
	CancelReason           *string
	ExternalID             *string
	Metadata               meta.Map
	CreatedAt              time.Time
	UpdatedAt              time.Time
	Version                int64
}

// NewPayment is a payment as it is recorded.
type NewPayment struct {
	AmountCents            money.Cents
	Method                 string
	PaidAt                 *time.Time // nil: now
	AccountID              *uuid.UUID
	FinancialTransactionID *uuid.UUID
	FeeCents               money.Cents
	Notes                  *string
	ExternalID             *string
	Metadata               meta.Map
}

// PaymentFilter selects the payments of one sale.
type PaymentFilter struct {
	db.ListFilter
	SaleID uuid.UUID
	Status string
	Method string
	Page   page.Request
}

// sums are what the payments of a sale add up to.
type sums struct {
	Paid     money.Cents // of confirmed ones
	Reserved money.Cents // of those whose end is not known yet
}

// validate checks a new payment of a sale against what is left to pay.
func (n NewPayment) validate(s *Sale, paid sums) error {
	var f problem.Fields
	n.Metadata.Validate("/metadata", &f)
	if left := s.TotalCents - paid.Paid - paid.Reserved; n.AmountCents > left {
		f.Add("/amount_cents", "over_balance", problem.Tf(
			"O saldo da venda é de %d centavos (%s).", "The balance of the sale is %d centavos (%s).", left, left.Format()))
	}
	if n.FeeCents > n.AmountCents {
		f.Add("/fee_cents", "fee_range", problem.T("A tarifa passa do valor.", "The fee is above the amount."))
	}
	return f.Err()
}
