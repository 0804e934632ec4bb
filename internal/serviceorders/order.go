package serviceorders

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/state"
)

// Statuses of a service order.
const (
	StatusOpen       = "open"
	StatusInProgress = "in_progress"
	StatusCompleted  = "completed"
	StatusCancelled  = "cancelled"
)

// PriorityNormal is the priority of an order that names none.
const PriorityNormal = "normal"

// Resource is the word for a service order in histories and audit rows.
const Resource = "service_order"

// The actions on a service order.
const (
	actionStart    = "start"
	actionComplete = "complete"
	actionCancel   = "cancel"
	actionStatus   = "status"
	actionConvert  = "convert_to_sale"
)

// statuses is the life of an order. The last two actions lead to no status of
// their own.
func statuses() state.Machine {
	working := []string{StatusOpen, StatusInProgress}
	return state.Machine{
		{Action: actionStart, From: []string{StatusOpen}, To: StatusInProgress},
		{Action: actionComplete, From: []string{StatusInProgress}, To: StatusCompleted},
		{Action: actionCancel, From: working, To: StatusCancelled},
		{Action: actionStatus, From: working},
		{Action: actionConvert, From: []string{StatusOpen, StatusInProgress, StatusCompleted}},
	}
}

// Order is a service order.
type Order struct {
	ID               uuid.UUID
	Number           int64
	ClientID         uuid.UUID
	AddressID        *uuid.UUID // of the client
	QuoteID          *uuid.UUID // that it came from
	Title            string
	Description      *string
	Equipment        *Equipment `gorm:"serializer:json"`
	AssigneeMemberID *uuid.UUID
	ScheduledStart   *time.Time
	ScheduledEnd     *time.Time
	Priority         string
	Status           string
	CustomStatus     *string // a label of the company's own
	StartedAt        *time.Time
	CompletedAt      *time.Time
	CompletionNotes  *string
	CancelReason     *string
	Notes            *string
	document.Content `gorm:"embedded"`
	PaymentPlan      *document.Plan // of the quote that it came from
	SaleID           *uuid.UUID     // the live sale that bills it
	ExternalID       *string
	Metadata         meta.Map
	CreatedAt        time.Time
	UpdatedAt        time.Time
	Version          int64
}

// Equipment is what is worked on.
type Equipment struct {
	Name   *string `json:"name" maxLength:"120"`
	Brand  *string `json:"brand" maxLength:"120"`
	Model  *string `json:"model" maxLength:"120"`
	Serial *string `json:"serial" maxLength:"120"`
}

// Changes are the members of a PATCH.
type Changes struct {
	ClientID         opt.Field[uuid.UUID]
	AddressID        opt.Field[uuid.UUID]
	Title            opt.Field[string]
	Description      opt.Field[string]
	Equipment        opt.Field[Equipment]
	AssigneeMemberID opt.Field[uuid.UUID]
	ScheduledStart   opt.Field[time.Time]
	ScheduledEnd     opt.Field[time.Time]
	Priority         opt.Field[string]
	CustomStatus     opt.Field[string]
	Notes            opt.Field[string]
	Content          document.Changes
	ExternalID       opt.Field[string]
	Metadata         opt.Field[meta.Patch]
}

// StatusChange is a move between open and in progress, a label, or both.
type StatusChange struct {
	Status       *string
	CustomStatus opt.Field[string]
}

// Filter selects orders of a list; empty fields select all.
type Filter struct {
	db.ListFilter
	Status   string
	ClientID *uuid.UUID
	QuoteID  *uuid.UUID
	Number   int64
	Query    string
	Page     page.Request
}

// ofLiveOrders are the members that a final order does not let change.
func (ch Changes) ofLiveOrders() []state.Member {
	return append([]state.Member{
		{Pointer: "/client_id", Sent: ch.ClientID.IsSet()},
		{Pointer: "/address_id", Sent: ch.AddressID.IsSet()},
		{Pointer: "/title", Sent: ch.Title.IsSet()},
		{Pointer: "/description", Sent: ch.Description.IsSet()},
		{Pointer: "/equipment", Sent: ch.Equipment.IsSet()},
		{Pointer: "/assignee_member_id", Sent: ch.AssigneeMemberID.IsSet()},
		{Pointer: "/scheduled_start", Sent: ch.ScheduledStart.IsSet()},
		{Pointer: "/scheduled_end", Sent: ch.ScheduledEnd.IsSet()},
		{Pointer: "/priority", Sent: ch.Priority.IsSet()},
		{Pointer: "/custom_status", Sent: ch.CustomStatus.IsSet()},
	}, ch.Content.Members()...)
}

// changesBilling reports a change of what a sale has copied.
func (ch Changes) changesBilling() bool { return ch.ClientID.IsSet() || ch.Content.Any() }

// permits refuses what the order's status, or the sale that bills it, refuses.
func (o *Order) permits(ch Changes) error {
	if o.Status != StatusOpen && o.Status != StatusInProgress {
		if err := statuses().Frozen(o.Status, ch.ofLiveOrders()...); err != nil {
			return err
		}
	}
	if ch.changesBilling() && o.SaleID != nil {
		return billed()
	}
	return nil
}

// billed is the 409 of a change that a live sale stands in the way of.
func billed() error {
	return problem.Conflicting("billed", problem.T(
		"Uma venda em vigor fatura esta ordem. Altere ou cancele a venda.", "A live sale bills this order. Change or cancel the sale."))
}

// apply changes all but the content.
func (o *Order) apply(ch Changes) {
	opt.Assign(&o.ClientID, ch.ClientID, uuid.Nil)
	opt.Assign(&o.Title, ch.Title, "")
	opt.Assign(&o.Priority, ch.Priority, PriorityNormal)
	o.AddressID = ch.AddressID.Or(o.AddressID)
	o.Description = ch.Description.Or(o.Description)
	o.Equipment = ch.Equipment.Or(o.Equipment)
	o.AssigneeMemberID = ch.AssigneeMemberID.Or(o.AssigneeMemberID)
	o.ScheduledStart = ch.ScheduledStart.Or(o.ScheduledStart)
	o.ScheduledEnd = ch.ScheduledEnd.Or(o.ScheduledEnd)
	o.CustomStatus = ch.CustomStatus.Or(o.CustomStatus)
	o.Notes = ch.Notes.Or(o.Notes)
	o.ExternalID = ch.ExternalID.Or(o.ExternalID)
	o.Metadata = o.Metadata.Change(ch.Metadata)
}

// validate checks what spans several members.
func (o *Order) validate(f *problem.Fields) {
	o.Metadata.Validate("/metadata", f)
	if o.ScheduledStart != nil && o.ScheduledEnd != nil && o.ScheduledEnd.Before(*o.ScheduledStart) {
		f.Add("/scheduled_end", "before_start", problem.T("O fim vem antes do início.", "The end comes before the start."))
	}
}
