package crm

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/state"
)

// Statuses of an appointment.
const (
	AppointmentScheduled = "scheduled"
	AppointmentConfirmed = "confirmed"
	AppointmentCompleted = "completed"
	AppointmentCancelled = "cancelled"
	AppointmentNoShow    = "no_show"
)

// MaxAppointmentSpan is how long an appointment may last.
const MaxAppointmentSpan = 24 * time.Hour

// appointmentResource is the word for an appointment in histories and audit rows.
const appointmentResource = "appointment"

// appointmentStatuses is the life of an appointment. What has ended does not
// begin again, so a slot is taken by writing the appointment and never by an action.
func appointmentStatuses() state.Machine {
	live := []string{AppointmentScheduled, AppointmentConfirmed}
	return state.Machine{
		{Action: AppointmentConfirmed, From: []string{AppointmentScheduled}, To: AppointmentConfirmed},
		{Action: AppointmentCompleted, From: []string{AppointmentConfirmed}, To: AppointmentCompleted},
		{Action: AppointmentCancelled, From: live, To: AppointmentCancelled},
		{Action: AppointmentNoShow, From: live, To: AppointmentNoShow},
	}
}

// Appointment is a time that is set aside, for one member or for nobody in particular.
type Appointment struct {
	ID               uuid.UUID
	Title            string
	StartsAt         time.Time
	EndsAt           time.Time
	ClientID         *uuid.UUID
	ServiceID        *uuid.UUID
	AssigneeMemberID *uuid.UUID
	Location         *string
	Notes            *string
	AllowOverlap     bool
	Status           string
	ExternalID       *string
	Metadata         meta.Map
	CreatedAt        time.Time
	UpdatedAt        time.Time
	Version          int64
}

// AppointmentChanges are the members of a PATCH of an appointment.
type AppointmentChanges struct {
	Title            opt.Field[string]
	StartsAt         opt.Field[time.Time]
	EndsAt           opt.Field[time.Time]
	ClientID         opt.Field[uuid.UUID]
	ServiceID        opt.Field[uuid.UUID]
	AssigneeMemberID opt.Field[uuid.UUID]
	Location         opt.Field[string]
	Notes            opt.Field[string]
	AllowOverlap     opt.Field[bool]
	ExternalID       opt.Field[string]
	Metadata         opt.Field[meta.Patch]
}

// AppointmentFilter selects appointments of a list; empty fields select all. The
// range of starts includes its beginning and excludes its end.
type AppointmentFilter struct {
	db.ListFilter
	Status               string
	AssigneeMemberID     *uuid.UUID
	ClientID             *uuid.UUID
	StartsFrom, StartsTo *time.Time
	Page                 page.Request
}

// live reports that the appointment is still to come about.
func (a *Appointment) live() bool {
	return a.Status == AppointmentScheduled || a.Status == AppointmentConfirmed
}

// takesSlot reports that no other such appointment of its member may overlap it.
func (a *Appointment) takesSlot() bool {
	return a.live() && a.AssigneeMemberID != nil && !a.AllowOverlap
}

// apply changes a. An appointment that has ended takes only what is kept beside it.
func (a *Appointment) apply(ch AppointmentChanges) error {
	if !a.live() {
		if err := appointmentStatuses().Frozen(a.Status, ch.ofLiveAppointments()...); err != nil {
			return err
		}
	}
	opt.Assign(&a.Title, ch.Title, "")
	opt.Assign(&a.StartsAt, ch.StartsAt, time.Time{})
	opt.Assign(&a.EndsAt, ch.EndsAt, time.Time{})
	opt.Assign(&a.AllowOverlap, ch.AllowOverlap, false)
	a.ClientID = ch.ClientID.Or(a.ClientID)
	a.ServiceID = ch.ServiceID.Or(a.ServiceID)
	a.AssigneeMemberID = ch.AssigneeMemberID.Or(a.AssigneeMemberID)
	a.Location = ch.Location.Or(a.Location)
	a.Notes = ch.Notes.Or(a.Notes)
	a.ExternalID = ch.ExternalID.Or(a.ExternalID)
	a.Metadata = a.Metadata.Change(ch.Metadata)
	return nil
}

// movesSlot reports that the slot may be another one after the change.
func (ch AppointmentChanges) movesSlot() bool {
	return ch.StartsAt.IsSet() || ch.EndsAt.IsSet() || ch.AssigneeMemberID.IsSet() || ch.AllowOverlap.IsSet()
}

// ofLiveAppointments are the members that only a live appointment lets change.
func (ch AppointmentChanges) ofLiveAppointments() []state.Member {
	return []state.Member{
		{Pointer: "/title", Sent: ch.Title.IsSet()},
		{Pointer: "/starts_at", Sent: ch.StartsAt.IsSet()},
		{Pointer: "/ends_at", Sent: ch.EndsAt.IsSet()},
		{Pointer: "/client_id", Sent: ch.ClientID.IsSet()},
		{Pointer: "/service_id", Sent: ch.ServiceID.IsSet()},
		{Pointer: "/assignee_member_id", Sent: ch.AssigneeMemberID.IsSet()},
		{Pointer: "/location", Sent: ch.Location.IsSet()},
		{Pointer: "/allow_overlap", Sent: ch.AllowOverlap.IsSet()},
	}
}

// validate checks what spans several members; ch is what was sent, so that a
// PATCH of the start alone is told of the start.
func (a *Appointment) validate(ch AppointmentChanges, f *problem.Fields) {
	pointer := "/ends_at"
	if ch.StartsAt.IsSet() && !ch.EndsAt.IsSet() {
		pointer = "/starts_at"
	}
	switch span := a.EndsAt.Sub(a.StartsAt); {
	case span <= 0:
		f.Add(pointer, "not_after_start", problem.T("O fim deve ser depois do início.", "The end must be after the start."))
	case span > MaxAppointmentSpan:
		f.Add(pointer, "span_too_long", problem.T("Um compromisso dura no máximo 24 horas.", "An appointment lasts 24 hours at most."))
	}
	a.Metadata.Validate("/metadata", f)
}
