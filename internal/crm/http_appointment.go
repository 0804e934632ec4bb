package crm

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

const (
	appointmentsBase  = httpapi.PublicBase + "/appointments"
	appointmentsTag   = "Agenda"
	appointmentsRead  = "appointments:read"
	appointmentsWrite = "appointments:write"
)

func appointmentRoutes(h handlers) []httpapi.Route {
	read, write := []string{appointmentsRead}, []string{appointmentsWrite}
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createAppointment", Method: http.MethodPost, Path: appointmentsBase, Tag: appointmentsTag, Summary: "Cria um compromisso",
			Scopes: write, Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists", "conflict"},
			Example: httpapi.Example{Body: `{"title": "Visita técnica", "starts_at": "2026-03-02T14:00:00-03:00", "ends_at": "2026-03-02T15:30:00-03:00", "client_id": "{client}", "assignee_member_id": "{member}", "location": "Av. Paulista, 1000"}`},
		}, h.createAppointment),
		httpapi.List(httpapi.Op{ID: "listAppointments", Path: appointmentsBase, Tag: appointmentsTag, Summary: "Lista compromissos", Scopes: read}, h.listAppointments),
		httpapi.Read(httpapi.Op{ID: "getAppointment", Path: appointmentsBase + "/{id}", Tag: appointmentsTag, Summary: "Consulta um compromisso", Scopes: read}, h.getAppointment),
		httpapi.Write(httpapi.Op{
			ID: "updateAppointment", Method: http.MethodPatch, Path: appointmentsBase + "/{id}", Tag: appointmentsTag,
			Summary: "Altera um compromisso; depois de encerrado, só notes, metadata e external_id", Scopes: write,
			Body: httpapi.BodyRequired, Errors: []string{"already_exists", "invalid_state", "conflict"},
			Example: httpapi.Example{Body: `{"assignee_member_id": "{member}", "notes": "Levar o orçamento impresso."}`},
		}, h.updateAppointment),
		httpapi.Write(httpapi.Op{
			ID: "deleteAppointment", Method: http.MethodDelete, Path: appointmentsBase + "/{id}", Tag: appointmentsTag, Summary: "Exclui um compromisso",
			Scopes: write, Status: http.StatusNoContent,
		}, h.deleteAppointment),
		httpapi.List(httpapi.Op{
			ID: "listAppointmentHistory", Path: appointmentsBase + "/{id}/history", Tag: appointmentsTag,
			Summary: "Lista as mudanças de situação de um compromisso", Scopes: read,
		}, h.appointmentHistory),
		httpapi.Write(httpapi.Op{
			ID: "changeAppointmentStatus", Method: http.MethodPost, Path: appointmentsBase + "/{id}/status", Tag: appointmentsTag,
			Summary: "Muda a situação de um compromisso", Scopes: write, Body: httpapi.BodyRequired, Errors: []string{"invalid_state"},
			Example: httpapi.Example{Body: `{"status": "cancelled", "reason": "O cliente remarcou."}`},
		}, h.changeAppointmentStatus),
	}
}

type appointmentInput struct {
	Title            string     `json:"title" required:"true" minLength:"1" maxLength:"200"`
	StartsAt         time.Time  `json:"starts_at" required:"true"`
	EndsAt           time.Time  `json:"ends_at" required:"true" doc:"Depois do início, no máximo 24 horas."`
	ClientID         *uuid.UUID `json:"client_id"`
	ServiceID        *uuid.UUID `json:"service_id" doc:"O serviço marcado."`
	AssigneeMemberID *uuid.UUID `json:"assignee_member_id" doc:"Um membro ativo."`
	Location         *string    `json:"location" maxLength:"200"`
	Notes            *string    `json:"notes" maxLength:"5000"`
	AllowOverlap     bool       `json:"allow_overlap" doc:"Pode coincidir com outros compromissos do responsável."`
	ExternalID       *string    `json:"external_id" minLength:"1" maxLength:"64" doc:"O id no sistema do integrador; único entre os compromissos da empresa."`
	Metadata         meta.Map   `json:"metadata"`
}

func (in appointmentInput) toAppointment() Appointment {
	return Appointment{
		Title: in.Title, StartsAt: in.StartsAt, EndsAt: in.EndsAt, ClientID: in.ClientID, ServiceID: in.ServiceID, AssigneeMemberID: in.AssigneeMemberID,
		Location: in.Location, Notes: in.Notes, AllowOverlap: in.AllowOverlap, ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
}

type appointmentPatch struct {
	Title            opt.Field[string]     `json:"title" required:"true" minLength:"1" maxLength:"200"`
	StartsAt         opt.Field[time.Time]  `json:"starts_at" required:"true"`
	EndsAt           opt.Field[time.Time]  `json:"ends_at" required:"true"`
	ClientID         opt.Field[uuid.UUID]  `json:"client_id"`
	ServiceID        opt.Field[uuid.UUID]  `json:"service_id"`
	AssigneeMemberID opt.Field[uuid.UUID]  `json:"assignee_member_id"`
	Location         opt.Field[string]     `json:"location" maxLength:"200"`
	Notes            opt.Field[string]     `json:"notes" maxLength:"5000"`
	AllowOverlap     opt.Field[bool]       `json:"allow_overlap"`
	ExternalID       opt.Field[string]     `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata         opt.Field[meta.Patch] `json:"metadata"`
}

func (p appointmentPatch) toChanges() AppointmentChanges { return AppointmentChanges(p) }

type appointmentStatusInput struct {
	Status string  `json:"status" required:"true" enum:"scheduled,confirmed,completed,cancelled,no_show"`
	Reason *string `json:"reason" minLength:"1" maxLength:"500" doc:"Fica no histórico."`
}

type appointmentResponse struct {
	ID               uuid.UUID  `json:"id"`
	Title            string     `json:"title"`
	StartsAt         time.Time  `json:"starts_at"`
	EndsAt           time.Time  `json:"ends_at"`
	ClientID         *uuid.UUID `json:"client_id"`
	ServiceID        *uuid.UUID `json:"service_id"`
	AssigneeMemberID *uuid.UUID `json:"assignee_member_id"`
	Place            *string    `json:"location"`
	Notes            *string    `json:"notes"`
	AllowOverlap     bool       `json:"allow_overlap"`
	Status           string     `json:"status" enum:"scheduled,confirmed,completed,cancelled,no_show"`
	ExternalID       *string    `json:"external_id"`
	Metadata         meta.Map   `json:"metadata"`
	CreatedAt        time.Time  `json:"created_at"`
	UpdatedAt        time.Time  `json:"updated_at"`
	Version          int64      `json:"version"`
}

// Location is the appointment's path; where it takes place is Place.
func (r appointmentResponse) Location() string { return appointmentsBase + "/" + r.ID.String() }

// ObjectVersion is the appointment's version.
func (r appointmentResponse) ObjectVersion() int64 { return r.Version }

func toAppointmentResponse(a *Appointment) appointmentResponse {
	return appointmentResponse{
		ID: a.ID, Title: a.Title, StartsAt: a.StartsAt, EndsAt: a.EndsAt, ClientID: a.ClientID, ServiceID: a.ServiceID, AssigneeMemberID: a.AssigneeMemberID,
		Place: a.Location, Notes: a.Notes, AllowOverlap: a.AllowOverlap, Status: a.Status, ExternalID: a.ExternalID, Metadata: a.Metadata,
		CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt, Version: a.Version,
	}
}

type createAppointmentRequest struct {
	Body appointmentInput `body:"true"`
}

func (h handlers) createAppointment(ctx context.Context, tx *db.Tx, req createAppointmentRequest) (appointmentResponse, error) {
	return respondAppointment(h.service.CreateAppointment(ctx, tx, req.Body.toAppointment()))
}

type listAppointmentsRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at,starts_at"`
	Status             string     `query:"status" enum:"scheduled,confirmed,completed,cancelled,no_show"`
	AssigneeMemberID   *uuid.UUID `query:"assignee_member_id"`
	ClientID           *uuid.UUID `query:"client_id"`
	StartsFrom         *time.Time `query:"starts_from" doc:"Com início a partir deste instante (inclusive)."`
	StartsTo           *time.Time `query:"starts_to" doc:"Com início antes deste instante (exclusive)."`
}

func (h handlers) listAppointments(ctx context.Context, r db.Reader, req listAppointmentsRequest) (page.Result[appointmentResponse], error) {
	result, err := h.service.ListAppointments(ctx, r, AppointmentFilter{
		ListFilter: req.Filter(), Status: req.Status, AssigneeMemberID: req.AssigneeMemberID, ClientID: req.ClientID,
		StartsFrom: req.StartsFrom, StartsTo: req.StartsTo, Page: req.Page,
	})
	return page.Map(result, func(a Appointment) appointmentResponse { return toAppointmentResponse(&a) }), err
}

func (h handlers) getAppointment(ctx context.Context, r db.Reader, req recordRequest) (appointmentResponse, error) {
	return respondAppointment(h.service.GetAppointment(ctx, r, req.ID))
}

type updateAppointmentRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    appointmentPatch `body:"true"`
}

func (h handlers) updateAppointment(ctx context.Context, tx *db.Tx, req updateAppointmentRequest) (appointmentResponse, error) {
	return respondAppointment(h.service.UpdateAppointment(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges()))
}

func (h handlers) deleteAppointment(ctx context.Context, tx *db.Tx, req deleteRecordRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteAppointment(ctx, tx, req.ID, req.IfMatch)
}

func (h handlers) appointmentHistory(ctx context.Context, r db.Reader, req recordHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	return httpapi.HistoryPage(h.service.AppointmentHistory(ctx, r, req.ID, req.Page))
}

type changeAppointmentStatusRequest struct {
	ID   uuid.UUID              `path:"id"`
	Body appointmentStatusInput `body:"true"`
}

func (h handlers) changeAppointmentStatus(ctx context.Context, tx *db.Tx, req changeAppointmentStatusRequest) (appointmentResponse, error) {
	return respondAppointment(h.service.ChangeAppointmentStatus(ctx, tx, req.ID, AppointmentStatusChange{
		Status: req.Body.Status, Reason: opt.OrZero(req.Body.Reason),
	}))
}

func respondAppointment(a *Appointment, err error) (appointmentResponse, error) {
	if err != nil {
		return appointmentResponse{}, err
	}
	return toAppointmentResponse(a), nil
}
