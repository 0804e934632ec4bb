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

// Statuses of a task.
const (
	TaskOpen       = "open"
	TaskInProgress = "in_progress"
	TaskDone       = "done"
	TaskCancelled  = "cancelled"
)

// Priorities of a task.
const (
	PriorityLow    = "low"
	PriorityNormal = "normal"
	PriorityHigh   = "high"
)

// taskResource is the word for a task in histories and audit rows.
const taskResource = "task"

// taskStatuses is the life of a task.
func taskStatuses() state.Machine {
	return state.Machine{
		{Action: TaskInProgress, From: []string{TaskOpen}, To: TaskInProgress},
		{Action: TaskDone, From: []string{TaskInProgress}, To: TaskDone},
		{Action: TaskCancelled, From: []string{TaskOpen, TaskInProgress}, To: TaskCancelled},
		{Action: TaskOpen, From: []string{TaskDone, TaskCancelled}, To: TaskOpen},
	}
}

// Task is something to be done, about at most one other record.
type Task struct {
	ID               uuid.UUID
	Title            string
	Description      *string
	DueAt            *time.Time
	Priority         string
	AssigneeMemberID *uuid.UUID
	ClientID         *uuid.UUID
	LeadID           *uuid.UUID
	QuoteID          *uuid.UUID
	ServiceOrderID   *uuid.UUID
	SaleID           *uuid.UUID
	Checklist        Checklist
	Status           string
	DoneAt           *time.Time // while it is done
	ExternalID       *string
	Metadata         meta.Map
	CreatedAt        time.Time
	UpdatedAt        time.Time
	Version          int64
}

// TaskChanges are the members of a PATCH of a task.
type TaskChanges struct {
	Title            opt.Field[string]
	Description      opt.Field[string]
	DueAt            opt.Field[time.Time]
	Priority         opt.Field[string]
	AssigneeMemberID opt.Field[uuid.UUID]
	ClientID         opt.Field[uuid.UUID]
	LeadID           opt.Field[uuid.UUID]
	QuoteID          opt.Field[uuid.UUID]
	ServiceOrderID   opt.Field[uuid.UUID]
	SaleID           opt.Field[uuid.UUID]
	Checklist        opt.Field[Checklist]
	ExternalID       opt.Field[string]
	Metadata         opt.Field[meta.Patch]
}

// TaskFilter selects tasks of a list; empty fields select all. The range of due
// instants includes its beginning and excludes its end.
type TaskFilter struct {
	db.ListFilter
	Status           string
	AssigneeMemberID *uuid.UUID
	ClientID         *uuid.UUID
	LeadID           *uuid.UUID
	QuoteID          *uuid.UUID
	ServiceOrderID   *uuid.UUID
	SaleID           *uuid.UUID
	DueFrom, DueTo   *time.Time
	Overdue          *bool
	Page             page.Request
}

// pending reports that the task is still to be done.
func (t *Task) pending() bool { return t.Status == TaskOpen || t.Status == TaskInProgress }

// Overdue reports that the task should have been done by now.
func (t *Task) Overdue(now time.Time) bool {
	return t.pending() && t.DueAt != nil && t.DueAt.Before(now)
}

// link is one of the records that a task may be about.
type link struct {
	pointer string
	id      *uuid.UUID
	sent    bool // by the PATCH that is being applied
}

// links are the records that the task may be about. Another one is added here, to
// Task, and to the constraint tasks_link_check.
func (t *Task) links(ch TaskChanges) []link {
	return []link{
		{"/client_id", t.ClientID, ch.ClientID.IsSet()},
		{"/lead_id", t.LeadID, ch.LeadID.IsSet()},
		{"/quote_id", t.QuoteID, ch.QuoteID.IsSet()},
		{"/service_order_id", t.ServiceOrderID, ch.ServiceOrderID.IsSet()},
		{"/sale_id", t.SaleID, ch.SaleID.IsSet()},
	}
}

// apply changes t. A task that is done or cancelled takes only what is kept
// beside it.
func (t *Task) apply(ch TaskChanges) error {
	if !t.pending() {
		if err := taskStatuses().Frozen(t.Status, ch.ofPendingTasks()...); err != nil {
			return err
		}
	}
	opt.Assign(&t.Title, ch.Title, "")
	opt.Assign(&t.Priority, ch.Priority, PriorityNormal)
	opt.Assign(&t.Checklist, ch.Checklist, Checklist{})
	t.Description = ch.Description.Or(t.Description)
	t.DueAt = ch.DueAt.Or(t.DueAt)
	t.AssigneeMemberID = ch.AssigneeMemberID.Or(t.AssigneeMemberID)
	t.ClientID = ch.ClientID.Or(t.ClientID)
	t.LeadID = ch.LeadID.Or(t.LeadID)
	t.QuoteID = ch.QuoteID.Or(t.QuoteID)
	t.ServiceOrderID = ch.ServiceOrderID.Or(t.ServiceOrderID)
	t.SaleID = ch.SaleID.Or(t.SaleID)
	t.ExternalID = ch.ExternalID.Or(t.ExternalID)
	t.Metadata = t.Metadata.Change(ch.Metadata)
	return nil
}

// ofPendingTasks are the members that only a pending task lets change. The
// description is a task's notes, and always may.
func (ch TaskChanges) ofPendingTasks() []state.Member {
	return []state.Member{
		{Pointer: "/title", Sent: ch.Title.IsSet()},
		{Pointer: "/due_at", Sent: ch.DueAt.IsSet()},
		{Pointer: "/priority", Sent: ch.Priority.IsSet()},
		{Pointer: "/assignee_member_id", Sent: ch.AssigneeMemberID.IsSet()},
		{Pointer: "/client_id", Sent: ch.ClientID.IsSet()},
		{Pointer: "/lead_id", Sent: ch.LeadID.IsSet()},
		{Pointer: "/quote_id", Sent: ch.QuoteID.IsSet()},
		{Pointer: "/service_order_id", Sent: ch.ServiceOrderID.IsSet()},
		{Pointer: "/sale_id", Sent: ch.SaleID.IsSet()},
		{Pointer: "/checklist", Sent: ch.Checklist.IsSet()},
	}
}

// validate checks what spans several members; ch is what was sent.
func (t *Task) validate(ch TaskChanges, f *problem.Fields) {
	var kept, sent []string
	for _, l := range t.links(ch) {
		switch {
		case l.id == nil:
		case l.sent:
			sent = append(sent, l.pointer)
		default:
			kept = append(kept, l.pointer)
		}
	}
	for i, pointer := range append(kept, sent...) {
		if i > 0 {
			f.Add(pointer, "second_link", problem.T("Uma tarefa se refere a um só registro.", "A task refers to one record only."))
		}
	}
	t.Metadata.Validate("/metadata", f)
}
