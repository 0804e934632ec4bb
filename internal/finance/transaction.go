package finance

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/state"
)

// Types of transaction. The last two are made by transfers only.
const (
	Income      = "income"
	Expense     = "expense"
	TransferIn  = "transfer_in"
	TransferOut = "transfer_out"
)

// Statuses of a transaction.
const (
	StatusPending   = "pending"
	StatusPaid      = "paid"
	StatusCancelled = "cancelled"

	// StatusOverdue is a filter: pending, and due before the company's today.
	StatusOverdue = "overdue"
)

// TransactionResource is the word for a transaction in histories and audit rows.
const TransactionResource = "financial_transaction"

// The actions on a transaction.
const (
	actionMarkPaid = "mark_paid"
	actionReopen   = "reopen"
	actionCancel   = "cancel"
)

// Transaction is money that came or went, or is to. Its direction is its type;
// its amounts have no sign.
type Transaction struct {
	ID             uuid.UUID
	Type           string
	Status         string
	AmountCents    money.Cents
	Description    string
	DueDate        civil.Date
	CompetenceDate civil.Date
	AccountID      uuid.UUID
	CategoryID     *uuid.UUID
	ClientID       *uuid.UUID
	Method         *string
	DocumentNumber *string

	// Of a paid one: when, and what the account moved by.
	PaidAt        *time.Time
	InterestCents money.Cents
	DiscountCents money.Cents
	FeeCents      money.Cents
	PaidCents     *money.Cents

	// Where it comes from; all nil for a single one of the company's own.
	SaleID             *uuid.UUID
	PaymentID          *uuid.UUID
	TransferID         *uuid.UUID
	InstallmentGroupID *uuid.UUID
	InstallmentNumber  *int
	InstallmentCount   *int
	RecurringID        *uuid.UUID
	OccurrenceNumber   *int
	OccurrenceDate     *civil.Date

	ExternalID *string
	Metadata   meta.Map
	CreatedAt  time.Time
	UpdatedAt  time.Time
	Version    int64

	// Overdue is computed: pending, and due before the company's today.
	Overdue bool `gorm:"-"`
}

// Settling is how a transaction was paid.
type Settling struct {
	PaidAt    time.Time
	AccountID *uuid.UUID // nil: its own
	Interest  money.Cents
	Discount  money.Cents
	Fee       money.Cents
}

// TransactionChanges are the members of a PATCH of a transaction.
type TransactionChanges struct {
	AmountCents    opt.Field[money.Cents]
	Description    opt.Field[string]
	DueDate        opt.Field[civil.Date]
	CompetenceDate opt.Field[civil.Date]
	AccountID      opt.Field[uuid.UUID]
	CategoryID     opt.Field[uuid.UUID]
	ClientID       opt.Field[uuid.UUID]
	Method         opt.Field[string]
	DocumentNumber opt.Field[string]
	ExternalID     opt.Field[string]
	Metadata       opt.Field[meta.Patch]
}

// TransactionFilter selects transactions of a list; empty fields select all.
// The date ranges include both ends.
type TransactionFilter struct {
	db.ListFilter
	Type               string
	Status             string // or overdue
	AccountID          *uuid.UUID
	CategoryID         *uuid.UUID
	ClientID           *uuid.UUID
	SaleID             *uuid.UUID
	InstallmentGroupID *uuid.UUID
	RecurringID        *uuid.UUID
	TransferID         *uuid.UUID
	DueFrom, DueTo     *civil.Date
	PaidFrom, PaidTo   *civil.Date
	Page               page.Request
}

// statuses is the life of a transaction.
func statuses() state.Machine {
	return state.Machine{
		{Action: actionMarkPaid, From: []string{StatusPending}, To: StatusPaid},
		{Action: actionReopen, From: []string{StatusPaid}, To: StatusPending},
		{Action: actionCancel, From: []string{StatusPending}, To: StatusCancelled},
	}
}

// transferStatuses is the life of the rows of a transfer, which are born paid.
func transferStatuses() state.Machine {
	return state.Machine{{Action: actionCancel, From: []string{StatusPaid}, To: StatusCancelled}}
}

func (t *Transaction) machine() state.Machine {
	if t.TransferID != nil {
		return transferStatuses()
	}
	return statuses()
}

// sign is the direction in which t moves its account.
func (t *Transaction) sign() int64 {
	if t.Type == Income || t.Type == TransferIn {
		return 1
	}
	return -1
}

// effect is what t contributes to its account's sums.
func (t *Transaction) effect() (moved, pending int64) {
	switch t.Status {
	case StatusPaid:
		return t.sign() * int64(*t.PaidCents), 0
	case StatusPending:
		return 0, t.sign() * int64(t.AmountCents)
	}
	return 0, 0
}

// pay makes t paid. For income the account moves by amount + interest − discount
// − fee; for an expense it goes down by amount + interest − discount + fee.
func (t *Transaction) pay(s Settling) error {
	var f problem.Fields
	fee := s.Fee
	if t.sign() > 0 {
		fee = -fee
	}
	if owed, err := money.Sum(t.AmountCents, s.Interest, -s.Discount); err == nil && owed < 0 {
		f.Add("/discount_cents", "discount_range", problem.T("O desconto passa do valor.", "The discount is above the amount."))
	}
	paid, err := money.Sum(t.AmountCents, s.Interest, -s.Discount, fee)
	switch {
	case err != nil:
		f.Add("/interest_cents", "money_range", problem.T(
			"O total passa de 99.999.999.999 centavos.", "The total is over 99,999,999,999 centavos."))
	case paid < 0 && f.Empty():
		f.Add("/fee_cents", "fee_range", problem.T("A tarifa passa do valor.", "The fee is above the amount."))
	}
	if err := f.Err(); err != nil {
		return err
	}
	t.Status, t.PaidAt, t.PaidCents = StatusPaid, &s.PaidAt, &paid
	t.InterestCents, t.DiscountCents, t.FeeCents = s.Interest, s.Discount, s.Fee
	if s.AccountID != nil {
		t.AccountID = *s.AccountID
	}
	return nil
}

// unpay takes the payment of t back; status is what it then is.
func (t *Transaction) unpay(status string) {
	t.Status, t.PaidAt, t.PaidCents, t.PaymentID = status, nil, nil, nil
	t.InterestCents, t.DiscountCents, t.FeeCents = 0, 0, 0
}

// apply changes t as far as its status and its owner let it.
func (t *Transaction) apply(ch TransactionChanges) error {
	if err := t.permits(ch); err != nil {
		return err
	}
	opt.Assign(&t.AmountCents, ch.AmountCents, 0)
	opt.Assign(&t.Description, ch.Description, "")
	opt.Assign(&t.DueDate, ch.DueDate, t.DueDate)
	opt.Assign(&t.CompetenceDate, ch.CompetenceDate, t.DueDate)
	opt.Assign(&t.AccountID, ch.AccountID, t.AccountID)
	t.CategoryID = ch.CategoryID.Or(t.CategoryID)
	t.ClientID = ch.ClientID.Or(t.ClientID)
	t.Method = ch.Method.Or(t.Method)
	t.DocumentNumber = ch.DocumentNumber.Or(t.DocumentNumber)
	t.ExternalID = ch.ExternalID.Or(t.ExternalID)
	t.Metadata = t.Metadata.Change(ch.Metadata)
	return nil
}

// permits refuses what the table of PATCH by status refuses: a pending
// transaction of the company's own takes everything, a paid one labels and
// metadata, any other metadata alone.
func (t *Transaction) permits(ch TransactionChanges) error {
	labels, rest := ch.labels(), ch.rest()
	everything := slices.Concat(labels, rest)
	switch sent := func(m state.Member) bool { return m.Sent }; {
	case t.SaleID != nil && slices.ContainsFunc(everything, sent):
		return managedBySale()
	case t.TransferID != nil && slices.ContainsFunc(everything, sent):
		return problem.Conflicting("managed_by_transfer", problem.T(
			"De uma transferência só se alteram os metadados; cancele-a e faça outra.",
			"Only the metadata of a transfer can be changed; cancel it and make another one."))
	case t.Status == StatusPaid:
		return t.machine().Frozen(t.Status, rest...)
	case t.Status == StatusCancelled:
		return t.machine().Frozen(t.Status, everything...)
	}
	return nil
}

// labels are the members that a paid transaction still takes, beside metadata.
func (ch TransactionChanges) labels() []state.Member {
	return []state.Member{
		{Pointer: "/description", Sent: ch.Description.IsSet()},
		{Pointer: "/category_id", Sent: ch.CategoryID.IsSet()},
	}
}

func (ch TransactionChanges) rest() []state.Member {
	return []state.Member{
		{Pointer: "/amount_cents", Sent: ch.AmountCents.IsSet()},
		{Pointer: "/due_date", Sent: ch.DueDate.IsSet()},
		{Pointer: "/competence_date", Sent: ch.CompetenceDate.IsSet()},
		{Pointer: "/account_id", Sent: ch.AccountID.IsSet()},
		{Pointer: "/client_id", Sent: ch.ClientID.IsSet()},
		{Pointer: "/method", Sent: ch.Method.IsSet()},
		{Pointer: "/document_number", Sent: ch.DocumentNumber.IsSet()},
		{Pointer: "/external_id", Sent: ch.ExternalID.IsSet()},
	}
}

func managedBySale() error {
	return problem.Conflicting("managed_by_sale", problem.T(
		"Este lançamento pertence a uma venda e só muda por ela.",
		"This transaction belongs to a sale and changes only through it."))
}

// markOverdue computes Overdue.
func (t *Transaction) markOverdue(today civil.Date) {
	t.Overdue = t.Status == StatusPending && t.DueDate.Before(today)
}
