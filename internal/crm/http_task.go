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
	tasksBase  = httpapi.PublicBase + "/tasks"
	tasksTag   = "Tarefas"
	tasksRead  = "tasks:read"
	tasksWrite = "tasks:write"
)

func taskRoutes(h handlers) []httpapi.Route {
	read, write := []string{tasksRead}, []string{tasksWrite}
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createTask", Method: http.MethodPost, Path: tasksBase, Tag: tasksTag, Summary: "Cria uma tarefa", Scopes: write,
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"title": "Enviar o orçamento", "due_at": "2026-03-02T18:00:00-03:00", "priority": "high", "assignee_member_id": "{member}", "lead_id": "{lead}", "checklist": [{"title": "Conferir as peças"}, {"title": "Calcular o frete", "done": true}]}`},
		}, h.createTask),
		httpapi.List(httpapi.Op{ID: "listTasks", Path: tasksBase, Tag: tasksTag, Summary: "Lista tarefas", Scopes: read}, h.listTasks),
		httpapi.Read(httpapi.Op{ID: "getTask", Path: tasksBase + "/{id}", Tag: tasksTag, Summary: "Consulta uma tarefa", Scopes: read}, h.getTask),
		httpapi.Write(httpapi.Op{
			ID: "updateTask", Method: http.MethodPatch, Path: tasksBase + "/{id}", Tag: tasksTag,
			Summary: "Altera uma tarefa; depois de concluída ou cancelada, só description, metadata e external_id", Scopes: write,
			Body: httpapi.BodyRequired, Errors: []string{"already_exists", "invalid_state"},
			Example: httpapi.Example{Body: `{"priority": "low", "client_id": "{client}"}`},
		}, h.updateTask),
		httpapi.Write(httpapi.Op{
			ID: "deleteTask", Method: http.MethodDelete, Path: tasksBase + "/{id}", Tag: tasksTag, Summary: "Exclui uma tarefa",
			Scopes: write, Status: http.StatusNoContent,
		}, h.deleteTask),
		httpapi.List(httpapi.Op{
			ID: "listTaskHistory", Path: tasksBase + "/{id}/history", Tag: tasksTag, Summary: "Lista as mudanças de situação de uma tarefa", Scopes: read,
		}, h.taskHistory),
		httpapi.Write(httpapi.Op{
			ID: "changeTaskStatus", Method: http.MethodPost, Path: tasksBase + "/{id}/status", Tag: tasksTag, Summary: "Muda a situação de uma tarefa",
			Scopes: write, Body: httpapi.BodyRequired, Errors: []string{"invalid_state"},
			Example: httpapi.Example{Body: `{"status": "in_progress"}`},
		}, h.changeTaskStatus),
	}
}

type checklistItemInput struct {
	Title string `json:"title" required:"true" minLength:"1" maxLength:"200"`
	Done  bool   `json:"done"`
}

func toChecklist(items []checklistItemInput) Checklist {
	list := make(Checklist, len(items))
	for i, item := range items {
		list[i] = ChecklistItem(item)
	}
	return list
}

type taskInput struct {
	Title            string               `json:"title" required:"true" minLength:"1" maxLength:"200"`
	Description      *string              `json:"description" maxLength:"5000"`
	DueAt            *time.Time           `json:"due_at"`
	Priority         *string              `json:"priority" enum:"low,normal,high" doc:"normal, se não vier."`
	AssigneeMemberID *uuid.UUID           `json:"assignee_member_id" doc:"Um membro ativo."`
	ClientID         *uuid.UUID           `json:"client_id" doc:"A que a tarefa se refere: um só registro."`
	LeadID           *uuid.UUID           `json:"lead_id" doc:"A que a tarefa se refere: um só registro."`
	QuoteID          *uuid.UUID           `json:"quote_id" doc:"A que a tarefa se refere: um só registro."`
	ServiceOrderID   *uuid.UUID           `json:"service_order_id" doc:"A que a tarefa se refere: um só registro."`
	SaleID           *uuid.UUID           `json:"sale_id" doc:"A que a tarefa se refere: um só registro."`
	Checklist        []checklistItemInput `json:"checklist" maxItems:"50" doc:"Os passos, na ordem em que ficam."`
	ExternalID       *string              `json:"external_id" minLength:"1" maxLength:"64" doc:"O id no sistema do integrador; único entre as tarefas da empresa."`
	Metadata         meta.Map             `json:"metadata"`
}

func (in taskInput) toTask() Task {
	t := Task{
		Title: in.Title, Description: in.Description, DueAt: in.DueAt, Priority: PriorityNormal, AssigneeMemberID: in.AssigneeMemberID,
		ClientID: in.ClientID, LeadID: in.LeadID, QuoteID: in.QuoteID, ServiceOrderID: in.ServiceOrderID, SaleID: in.SaleID,
		Checklist: toChecklist(in.Checklist), ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
	if in.Priority != nil {
		t.Priority = *in.Priority
	}
	return t
}

type taskPatch struct {
	Title            opt.Field[string]               `json:"title" required:"true" minLength:"1" maxLength:"200"`
	Description      opt.Field[string]               `json:"description" maxLength:"5000"`
	DueAt            opt.Field[time.Time]            `json:"due_at"`
	Priority         opt.Field[string]               `json:"priority" enum:"low,normal,high"`
	AssigneeMemberID opt.Field[uuid.UUID]            `json:"assignee_member_id"`
	ClientID         opt.Field[uuid.UUID]            `json:"client_id"`
	LeadID           opt.Field[uuid.UUID]            `json:"lead_id"`
	QuoteID          opt.Field[uuid.UUID]            `json:"quote_id"`
	ServiceOrderID   opt.Field[uuid.UUID]            `json:"service_order_id"`
	SaleID           opt.Field[uuid.UUID]            `json:"sale_id"`
	Checklist        opt.Field[[]checklistItemInput] `json:"checklist" maxItems:"50" doc:"Substitui todos os passos."`
	ExternalID       opt.Field[string]               `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata         opt.Field[meta.Patch]           `json:"metadata"`
}

func (p taskPatch) toChanges() TaskChanges {
	return TaskChanges{
		Title: p.Title, Description: p.Description, DueAt: p.DueAt, Priority: p.Priority, AssigneeMemberID: p.AssigneeMemberID,
		ClientID: p.ClientID, LeadID: p.LeadID, QuoteID: p.QuoteID, ServiceOrderID: p.ServiceOrderID, SaleID: p.SaleID,
		Checklist: opt.Map(p.Checklist, toChecklist), ExternalID: p.ExternalID, Metadata: p.Metadata,
	}
}

type taskStatusInput struct {
	Status string `json:"status" required:"true" enum:"open,in_progress,done,cancelled"`
}

type checklistItemResponse struct {
	Title string `json:"title"`
	Done  bool   `json:"done"`
}

type taskResponse struct {
	ID               uuid.UUID               `json:"id"`
	Title            string                  `json:"title"`
	Description      *string                 `json:"description"`
	DueAt            *time.Time              `json:"due_at"`
	Overdue          bool                    `json:"overdue" doc:"Passou de due_at e ainda não foi concluída nem cancelada."`
	Priority         string                  `json:"priority" enum:"low,normal,high"`
	AssigneeMemberID *uuid.UUID              `json:"assignee_member_id"`
	ClientID         *uuid.UUID              `json:"client_id"`
	LeadID           *uuid.UUID              `json:"lead_id"`
	QuoteID          *uuid.UUID              `json:"quote_id"`
	ServiceOrderID   *uuid.UUID              `json:"service_order_id"`
	SaleID           *uuid.UUID              `json:"sale_id"`
	Checklist        []checklistItemResponse `json:"checklist"`
	Status           string                  `json:"status" enum:"open,in_progress,done,cancelled"`
	DoneAt           *time.Time              `json:"done_at"`
	ExternalID       *string                 `json:"external_id"`
	Metadata         meta.Map                `json:"metadata"`
	CreatedAt        time.Time               `json:"created_at"`
	UpdatedAt        time.Time               `json:"updated_at"`
	Version          int64                   `json:"version"`
}

// Location is the task's path.
func (r taskResponse) Location() string { return tasksBase + "/" + r.ID.String() }

// ObjectVersion is the task's version.
func (r taskResponse) ObjectVersion() int64 { return r.Version }

func toTaskResponse(t *Task, now time.Time) taskResponse {
	response := taskResponse{
		ID: t.ID, Title: t.Title, Description: t.Description, DueAt: t.DueAt, Overdue: t.Overdue(now), Priority: t.Priority,
		AssigneeMemberID: t.AssigneeMemberID, ClientID: t.ClientID, LeadID: t.LeadID, QuoteID: t.QuoteID, ServiceOrderID: t.ServiceOrderID,
		SaleID: t.SaleID, Checklist: make([]checklistItemResponse, len(t.Checklist)),
		Status: t.Status, DoneAt: t.DoneAt, ExternalID: t.ExternalID, Metadata: t.Metadata,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, Version: t.Version,
	}
	for i, item := range t.Checklist {
		response.Checklist[i] = checklistItemResponse(item)
	}
	return response
}

type createTaskRequest struct {
	Body taskInput `body:"true"`
}

func (h handlers) createTask(ctx context.Context, tx *db.Tx, req createTaskRequest) (taskResponse, error) {
	t, err := h.service.CreateTask(ctx, tx, req.Body.toTask())
	return respondTask(t, tx, err)
}

type listTasksRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at"`
	Status             string     `query:"status" enum:"open,in_progress,done,cancelled"`
	AssigneeMemberID   *uuid.UUID `query:"assignee_member_id"`
	ClientID           *uuid.UUID `query:"client_id"`
	LeadID             *uuid.UUID `query:"lead_id"`
	QuoteID            *uuid.UUID `query:"quote_id"`
	ServiceOrderID     *uuid.UUID `query:"service_order_id"`
	SaleID             *uuid.UUID `query:"sale_id"`
	DueFrom            *time.Time `query:"due_from" doc:"Com prazo a partir deste instante (inclusive)."`
	DueTo              *time.Time `query:"due_to" doc:"Com prazo antes deste instante (exclusive)."`
	Overdue            *bool      `query:"overdue"`
}

func (h handlers) listTasks(ctx context.Context, r db.Reader, req listTasksRequest) (page.Result[taskResponse], error) {
	result, err := h.service.ListTasks(ctx, r, TaskFilter{
		ListFilter: req.Filter(), Status: req.Status, AssigneeMemberID: req.AssigneeMemberID, ClientID: req.ClientID, LeadID: req.LeadID,
		QuoteID: req.QuoteID, ServiceOrderID: req.ServiceOrderID, SaleID: req.SaleID,
		DueFrom: req.DueFrom, DueTo: req.DueTo, Overdue: req.Overdue, Page: req.Page,
	})
	return page.Map(result, func(t Task) taskResponse { return toTaskResponse(&t, r.Now()) }), err
}

func (h handlers) getTask(ctx context.Context, r db.Reader, req recordRequest) (taskResponse, error) {
	t, err := h.service.GetTask(ctx, r, req.ID)
	return respondTask(t, r, err)
}

type updateTaskRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    taskPatch `body:"true"`
}

func (h handlers) updateTask(ctx context.Context, tx *db.Tx, req updateTaskRequest) (taskResponse, error) {
	t, err := h.service.UpdateTask(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges())
	return respondTask(t, tx, err)
}

func (h handlers) deleteTask(ctx context.Context, tx *db.Tx, req deleteRecordRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteTask(ctx, tx, req.ID, req.IfMatch)
}

func (h handlers) taskHistory(ctx context.Context, r db.Reader, req recordHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	return httpapi.HistoryPage(h.service.TaskHistory(ctx, r, req.ID, req.Page))
}

type changeTaskStatusRequest struct {
	ID   uuid.UUID       `path:"id"`
	Body taskStatusInput `body:"true"`
}

func (h handlers) changeTaskStatus(ctx context.Context, tx *db.Tx, req changeTaskStatusRequest) (taskResponse, error) {
	t, err := h.service.ChangeTaskStatus(ctx, tx, req.ID, req.Body.Status)
	return respondTask(t, tx, err)
}

func respondTask(t *Task, r db.Reader, err error) (taskResponse, error) {
	if err != nil {
		return taskResponse{}, err
	}
	return toTaskResponse(t, r.Now()), nil
}
