package quotes

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/state"
)

// Statuses of a quote.
const (
	StatusDraft     = "draft"
	StatusSent      = "sent"
	StatusApproved  = "approved"
	StatusRejected  = "rejected"
	StatusCancelled = "cancelled"
	StatusConverted = "converted"
)

// Resource is the word for a quote in histories, audit rows and public links.
const Resource = "quote"

// The actions on a quote.
const (
	ActionSend    = "send"
	ActionApprove = "approve"
	ActionReject  = "reject"
	ActionCancel  = "cancel"
	ActionConvert = "convert_to_sale"
)

// statuses is the life of a quote. Cancelling the sale leads a converted one
// back to approved, which nobody can ask for.
func statuses() state.Machine {
	return state.Machine{
		{Action: ActionSend, From: []string{StatusDraft, StatusSent}, To: StatusSent},
		{Action: ActionApprove, From: []string{StatusSent}, To: StatusApproved},
		{Action: ActionReject, From: []string{StatusSent}, To: StatusRejected},
		{Action: ActionCancel, From: []string{StatusDraft, StatusSent, StatusApproved}, To: StatusCancelled},
		{Action: ActionConvert, From: []string{StatusApproved}, To: StatusConverted},
	}
}

// Quote is an offer. It is to a client, or to a lead; a converted one to a lead
// also names the client that the lead has become.
type Quote struct {
	ID               uuid.UUID
	Number           int64
	ClientID         *uuid.UUID
	LeadID           *uuid.UUID
	Status           string
	ValidUntil       *civil.Date // the last day
	Terms            *string
	Notes            *string
	PaymentPlan      *document.Plan
	document.Content `gorm:"embedded"`
	SentAt           *time.Time // the last time
	SaleID           *uuid.UUID
	ExternalID       *string
	Metadata         meta.Map
	CreatedAt        time.Time
	UpdatedAt        time.Time
	Version          int64

	IsExpired bool `gorm:"-"` // as of today
}

// Draft is a quote as it is asked for.
type Draft struct {
	ClientID    *uuid.UUID
	LeadID      *uuid.UUID
	ValidUntil  *civil.Date
	Terms       *string
	Notes       *string
	PaymentPlan *document.Plan
	Content     document.Draft
	ExternalID  *string
	Metadata    meta.Map
}

// Changes are the members of a PATCH.
type Changes struct {
	ClientID    opt.Field[uuid.UUID]
	LeadID      opt.Field[uuid.UUID]
	ValidUntil  opt.Field[civil.Date]
	Terms       opt.Field[string]
	Notes       opt.Field[string]
	PaymentPlan opt.Field[document.Plan]
	Content     document.Changes
	ExternalID  opt.Field[string]
	Metadata    opt.Field[meta.Patch]
}

// Filter selects quotes of a list; empty fields select all.
type Filter struct {
	db.ListFilter
	Status   string
	ClientID *uuid.UUID
	LeadID   *uuid.UUID
	Number   int64
	Query    string
	Page     page.Request
}

// Customer is who a quote is for: a client or a lead.
type Customer struct {
	ClientID *uuid.UUID
	LeadID   *uuid.UUID
}

// customer returns whom the quote is for once it is changed: a client given
// takes the place of a lead, and the other way round.
func (ch Changes) customer(q *Quote) Customer {
	c := Customer{ch.ClientID.Or(q.ClientID), ch.LeadID.Or(q.LeadID)}
	_, client := ch.ClientID.Value()
	_, lead := ch.LeadID.Value()
	if client && !ch.LeadID.IsSet() {
		c.LeadID = nil
	}
	if lead && !ch.ClientID.IsSet() {
		c.ClientID = nil
	}
	return c
}

// validate refuses a quote for nobody, and one for two.
func (c Customer) validate(f *problem.Fields) {
	switch {
	case c.ClientID == nil && c.LeadID == nil:
		missing := problem.Required("/client_id")
		f.Add(missing.Pointer, missing.Code, missing.Detail)
	case c.ClientID != nil && c.LeadID != nil:
		f.Add("/lead_id", "exclusive", problem.T(
			"Informe o cliente (client_id) ou o lead (lead_id), não os dois.", "Give client_id or lead_id, not both."))
	}
}

// ofDrafts are the members that only a draft lets change.
func (ch Changes) ofDrafts() []state.Member {
	return append([]state.Member{
		{Pointer: "/client_id", Sent: ch.ClientID.IsSet()},
		{Pointer: "/lead_id", Sent: ch.LeadID.IsSet()},
		{Pointer: "/valid_until", Sent: ch.ValidUntil.IsSet()},
		{Pointer: "/terms", Sent: ch.Terms.IsSet()},
		{Pointer: "/notes", Sent: ch.Notes.IsSet()},
		{Pointer: "/payment_plan", Sent: ch.PaymentPlan.IsSet()},
	}, ch.Content.Members()...)
}

// apply changes all but the customer and the content.
func (q *Quote) apply(ch Changes) {
	q.ValidUntil = ch.ValidUntil.Or(q.ValidUntil)
	q.Terms = ch.Terms.Or(q.Terms)
	q.Notes = ch.Notes.Or(q.Notes)
	q.PaymentPlan = ch.PaymentPlan.Or(q.PaymentPlan)
	q.ExternalID = ch.ExternalID.Or(q.ExternalID)
	q.Metadata = q.Metadata.Change(ch.Metadata)
}

// validate checks what spans several members, once the content is priced.
func (q *Quote) validate(f *problem.Fields) {
	q.Metadata.Validate("/metadata", f)
	if q.PaymentPlan != nil && f.Empty() {
		q.PaymentPlan.Parts(q.TotalCents, "/payment_plan", f)
	}
}

func (q *Quote) markExpired(today civil.Date) {
	q.IsExpired = q.ValidUntil != nil && q.ValidUntil.Before(today)
}

// next returns the status that an action leads to. An expired quote is not
// approved.
func (q *Quote) next(action string) (string, error) {
	to, err := statuses().Next(action, q.Status)
	if err != nil || action != ActionApprove || !q.IsExpired {
		return to, err
	}
	refusal := statuses().Refuse(q.Status)
	refusal.Reason = "expired"
	refusal.Allowed = slices.DeleteFunc(refusal.Allowed, func(a string) bool { return a == ActionApprove })
	refusal.Detail = problem.T("A validade do orçamento passou.", "The quote is past its validity.")
	return "", refusal
}
