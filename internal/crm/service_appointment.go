package crm

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// CreateAppointment adds a scheduled appointment.
func (s *Service) CreateAppointment(ctx context.Context, tx *db.Tx, a Appointment) (*Appointment, error) {
	a.ID, a.Status, a.Version = id.New(), AppointmentScheduled, 1
	a.CreatedAt, a.UpdatedAt = tx.Now(), tx.Now()
	if a.takesSlot() {
		if err := auth.LockMember(ctx, tx, *a.AssigneeMemberID); err != nil {
			return nil, err
		}
	}
	if err := s.checkAppointment(ctx, tx, Appointment{}, &a, AppointmentChanges{}); err != nil {
		return nil, err
	}
	if err := takeSlot(ctx, tx, &a); err != nil {
		return nil, err
	}
	if err := insertAppointment(ctx, tx, &a); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "appointment.created", Resource: appointmentResource, ResourceID: a.ID})
	return &a, nil
}

// checkAppointment checks an appointment that ch has changed from before.
func (s *Service) checkAppointment(ctx context.Context, tx *db.Tx, before Appointment, a *Appointment, ch AppointmentChanges) error {
	var f problem.Fields
	a.validate(ch, &f)
	if err := checkAssignee(ctx, tx, reference{"/assignee_member_id", before.AssigneeMemberID, a.AssigneeMemberID}, &f); err != nil {
		return err
	}
	if err := s.checkClient(ctx, tx, reference{"/client_id", before.ClientID, a.ClientID}, &f); err != nil {
		return err
	}
	if service := (reference{"/service_id", before.ServiceID, a.ServiceID}); service.isNew() {
		if err := f.Collect(s.catalog.ReferableService(ctx, tx, *service.now, service.pointer)); err != nil {
			return err
		}
	}
	return f.Err()
}

// takeSlot refuses an appointment whose member has another one at that time. It
// is decided under the member's lock: two writers that met only at the exclusion
// constraint would wait for each other.
func takeSlot(ctx context.Context, tx *db.Tx, a *Appointment) error {
	if !a.takesSlot() {
		return nil
	}
	taken, err := overlaps(ctx, tx, a)
	if err != nil {
		return err
	}
	if taken {
		return slotTaken()
	}
	return nil
}

// GetAppointment returns an appointment.
func (s *Service) GetAppointment(ctx context.Context, r db.Reader, appointmentID uuid.UUID) (*Appointment, error) {
	return getAppointment(ctx, r, appointmentID)
}

// ListAppointments returns a page of appointments.
func (s *Service) ListAppointments(ctx context.Context, r db.Reader, f AppointmentFilter) (page.Result[Appointment], error) {
	return listAppointments(ctx, r, f)
}

// UpdateAppointment changes an appointment whose version satisfies match.
func (s *Service) UpdateAppointment(
	ctx context.Context, tx *db.Tx, appointmentID uuid.UUID, match etag.Match, ch AppointmentChanges,
) (*Appointment, error) {
	if ch.movesSlot() {
		if err := lockSlotOf(ctx, tx, appointmentID, ch); err != nil {
			return nil, err
		}
	}
	return s.changeAppointment(ctx, tx, appointmentID, match, "appointment.updated", func(a *Appointment) error {
		before := *a
		if err := a.apply(ch); err != nil {
			return err
		}
		if err := s.checkAppointment(ctx, tx, before, a, ch); err != nil {
			return err
		}
		if !ch.movesSlot() || !a.takesSlot() {
			return nil
		}
		// Held already, unless somebody has just given the appointment to another
		// member; a deadlock out of that is retried.
		if err := auth.LockMember(ctx, tx, *a.AssigneeMemberID); err != nil {
			return err
		}
		return takeSlot(ctx, tx, a)
	})
}

// lockSlotOf locks the member who will have the appointment after the change,
// which comes before the lock of the appointment itself.
func lockSlotOf(ctx context.Context, tx *db.Tx, appointmentID uuid.UUID, ch AppointmentChanges) error {
	a, err := getAppointment(ctx, tx, appointmentID)
	if err != nil {
		return err
	}
	if assignee := ch.AssigneeMemberID.Or(a.AssigneeMemberID); assignee != nil {
		return auth.LockMember(ctx, tx, *assignee)
	}
	return nil
}

// AppointmentStatusChange moves an appointment; Reason may be empty.
type AppointmentStatusChange struct {
	Status string
	Reason string
}

// ChangeAppointmentStatus moves an appointment to a status that its own allows.
func (s *Service) ChangeAppointmentStatus(
	ctx context.Context, tx *db.Tx, appointmentID uuid.UUID, c AppointmentStatusChange,
) (*Appointment, error) {
	return s.changeAppointment(ctx, tx, appointmentID, etag.Match{}, "appointment.status_changed", func(a *Appointment) error {
		to, err := appointmentStatuses().Next(c.Status, a.Status)
		if err != nil {
			return err
		}
		history.Record(ctx, tx, history.Change{
			Resource: appointmentResource, ResourceID: a.ID, Action: c.Status, From: a.Status, To: to, Reason: c.Reason,
		})
		a.Status = to
		return nil
	})
}

// DeleteAppointment removes an appointment.
func (s *Service) DeleteAppointment(ctx context.Context, tx *db.Tx, appointmentID uuid.UUID, match etag.Match) error {
	a, err := getAppointmentForUpdate(ctx, tx, appointmentID)
	if err != nil {
		return err
	}
	if err := match.Check(a.Version); err != nil {
		return err
	}
	audit.Record(ctx, tx, audit.Event{Action: "appointment.deleted", Resource: appointmentResource, ResourceID: appointmentID})
	return db.Delete[appointmentRow](ctx, tx, appointmentID)
}

// AppointmentHistory returns a page of the changes of an appointment's status.
func (s *Service) AppointmentHistory(ctx context.Context, r db.Reader, appointmentID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := getAppointment(ctx, r, appointmentID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, appointmentResource, appointmentID, p)
}

// changeAppointment locks an appointment, changes it, and writes it as its next
// version.
func (s *Service) changeAppointment(
	ctx context.Context, tx *db.Tx, appointmentID uuid.UUID, match etag.Match, action string, f func(*Appointment) error,
) (*Appointment, error) {
	a, err := getAppointmentForUpdate(ctx, tx, appointmentID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(a.Version); err != nil {
		return nil, err
	}
	if err := f(a); err != nil {
		return nil, err
	}
	a.Version++
	a.UpdatedAt = tx.Now()
	if err := updateAppointment(ctx, tx, a); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: action, Resource: appointmentResource, ResourceID: a.ID})
	return a, nil
}
