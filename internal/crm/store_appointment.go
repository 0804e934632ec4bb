package crm

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// appointmentRow is an appointment as its table holds it.
type appointmentRow struct {
	TenantID    uuid.UUID `gorm:"primaryKey"`
	Appointment `gorm:"embedded"`
}

// TableName names the table.
func (appointmentRow) TableName() string { return "appointments" }

func insertAppointment(ctx context.Context, tx *db.Tx, a *Appointment) error {
	if err := tx.Gorm(ctx).Create(&appointmentRow{tx.TenantID(), *a}).Error; err != nil {
		return appointmentConflict(fmt.Errorf("insert appointment: %w", err))
	}
	return nil
}

func getAppointment(ctx context.Context, r db.Reader, id uuid.UUID) (*Appointment, error) {
	row, err := db.Get[appointmentRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Appointment, nil
}

func getAppointmentForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Appointment, error) {
	row, err := db.GetForUpdate[appointmentRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Appointment, nil
}

// overlaps reports, under the lock of a's member, whether another appointment
// has the slot that a takes. Ranges are compared by their ends, and an
// appointment lasts a day at most, so that a plain index answers: operators of
// ranges are not leakproof, and row-level security keeps them from an index.
func overlaps(ctx context.Context, tx *db.Tx, a *Appointment) (taken bool, err error) {
	err = tx.Gorm(ctx).Raw(`SELECT EXISTS (SELECT FROM appointments
		WHERE tenant_id = ? AND assignee_member_id = ? AND id <> ?
		  AND status IN ('scheduled', 'confirmed') AND NOT allow_overlap
		  AND starts_at < ? AND ends_at > ? AND starts_at > ?)`,
		tx.TenantID(), *a.AssigneeMemberID, a.ID, a.EndsAt, a.StartsAt, a.StartsAt.Add(-MaxAppointmentSpan)).Scan(&taken).Error
	if err != nil {
		return false, fmt.Errorf("look for appointments that overlap %s: %w", a.ID, err)
	}
	return taken, nil
}

// updateAppointment writes all of a's members, under the lock that
// getAppointmentForUpdate took.
func updateAppointment(ctx context.Context, tx *db.Tx, a *Appointment) error {
	if err := db.Update(ctx, tx, &appointmentRow{tx.TenantID(), *a}, a.ID); err != nil {
		return appointmentConflict(fmt.Errorf("update appointment %s: %w", a.ID, err))
	}
	return nil
}

func listAppointments(ctx context.Context, r db.Reader, f AppointmentFilter) (page.Result[Appointment], error) {
	q := f.Apply(r.Gorm(ctx).Model(&appointmentRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.AssigneeMemberID != nil {
		q = q.Where("assignee_member_id = ?", *f.AssigneeMemberID)
	}
	if f.ClientID != nil {
		q = q.Where("client_id = ?", *f.ClientID)
	}
	if f.StartsFrom != nil {
		q = q.Where("starts_at >= ?", *f.StartsFrom)
	}
	if f.StartsTo != nil {
		q = q.Where("starts_at < ?", *f.StartsTo)
	}
	columns := db.WithTimes(db.SortColumns{"starts_at": db.TimeColumn("starts_at")})
	var rows []appointmentRow
	if err := db.Keyset(q, f.Page, columns).Find(&rows).Error; err != nil {
		return page.Result[Appointment]{}, fmt.Errorf("list appointments: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row appointmentRow) page.Position {
		if f.Page.Sort == "starts_at" {
			return db.TimePosition(row.StartsAt, row.ID)
		}
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row appointmentRow) Appointment { return row.Appointment }), nil
}

func appointmentConflict(err error) error {
	if v, ok := db.Violated(err, db.Exclusion); ok && strings.HasPrefix(v.Constraint, "appointments_slot_excl") {
		return slotTaken()
	}
	return db.Reference(db.ExternalID(err), map[string]string{
		"appointments_assignee_member_id_fkey": "/assignee_member_id",
		"appointments_client_id_fkey":          "/client_id",
		"appointments_service_id_fkey":         "/service_id",
	})
}

func slotTaken() error {
	return problem.Conflicting("slot_taken", problem.T(
		"O responsável já tem outro compromisso neste horário. Escolha outro horário ou envie allow_overlap: true.",
		"The assignee has another appointment at this time. Choose another time, or send allow_overlap: true."))
}
