package crm

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// CreateTask adds an open task.
func (s *Service) CreateTask(ctx context.Context, tx *db.Tx, t Task) (*Task, error) {
	t.ID, t.Status, t.Version = id.New(), TaskOpen, 1
	t.CreatedAt, t.UpdatedAt = tx.Now(), tx.Now()
	if err := s.checkTask(ctx, tx, Task{}, &t, TaskChanges{}); err != nil {
		return nil, err
	}
	if err := insertTask(ctx, tx, &t); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "task.created", Resource: taskResource, ResourceID: t.ID})
	return &t, nil
}

// checkTask checks a task that ch has changed from before.
func (s *Service) checkTask(ctx context.Context, tx *db.Tx, before Task, t *Task, ch TaskChanges) error {
	var f problem.Fields
	t.validate(ch, &f)
	if err := checkAssignee(ctx, tx, reference{"/assignee_member_id", before.AssigneeMemberID, t.AssigneeMemberID}, &f); err != nil {
		return err
	}
	if err := s.checkClient(ctx, tx, reference{"/client_id", before.ClientID, t.ClientID}, &f); err != nil {
		return err
	}
	if lead := (reference{"/lead_id", before.LeadID, t.LeadID}); lead.isNew() {
		if err := f.Collect(leadReferable(ctx, tx, *lead.now, lead.pointer)); err != nil {
			return err
		}
	}
	return f.Err()
}

// GetTask returns a task.
func (s *Service) GetTask(ctx context.Context, r db.Reader, taskID uuid.UUID) (*Task, error) {
	return getTask(ctx, r, taskID)
}

// ListTasks returns a page of tasks.
func (s *Service) ListTasks(ctx context.Context, r db.Reader, f TaskFilter) (page.Result[Task], error) {
	return listTasks(ctx, r, f)
}

// UpdateTask changes a task whose version satisfies match.
func (s *Service) UpdateTask(ctx context.Context, tx *db.Tx, taskID uuid.UUID, match etag.Match, ch TaskChanges) (*Task, error) {
	return s.changeTask(ctx, tx, taskID, match, "task.updated", func(t *Task) error {
		before := *t
		if err := t.apply(ch); err != nil {
			return err
		}
		return s.checkTask(ctx, tx, before, t, ch)
	})
}

// ChangeTaskStatus moves a task to a status that its own allows.
func (s *Service) ChangeTaskStatus(ctx context.Context, tx *db.Tx, taskID uuid.UUID, status string) (*Task, error) {
	return s.changeTask(ctx, tx, taskID, etag.Match{}, "task.status_changed", func(t *Task) error {
		to, err := taskStatuses().Next(status, t.Status)
		if err != nil {
			return err
		}
		history.Record(ctx, tx, history.Change{Resource: taskResource, ResourceID: t.ID, Action: status, From: t.Status, To: to})
		t.Status, t.DoneAt = to, nil
		if to == TaskDone {
			now := tx.Now()
			t.DoneAt = &now
		}
		return nil
	})
}

// DeleteTask removes a task.
func (s *Service) DeleteTask(ctx context.Context, tx *db.Tx, taskID uuid.UUID, match etag.Match) error {
	t, err := getTaskForUpdate(ctx, tx, taskID)
	if err != nil {
		return err
	}
	if err := match.Check(t.Version); err != nil {
		return err
	}
	audit.Record(ctx, tx, audit.Event{Action: "task.deleted", Resource: taskResource, ResourceID: taskID})
	return db.Delete[taskRow](ctx, tx, taskID)
}

// TaskHistory returns a page of the changes of a task's status.
func (s *Service) TaskHistory(ctx context.Context, r db.Reader, taskID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := getTask(ctx, r, taskID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, taskResource, taskID, p)
}

// changeTask locks a task, changes it, and writes it as its next version.
func (s *Service) changeTask(ctx context.Context, tx *db.Tx, taskID uuid.UUID, match etag.Match, action string, f func(*Task) error) (*Task, error) {
	t, err := getTaskForUpdate(ctx, tx, taskID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(t.Version); err != nil {
		return nil, err
	}
	if err := f(t); err != nil {
		return nil, err
	}
	t.Version++
	t.UpdatedAt = tx.Now()
	if err := updateTask(ctx, tx, t); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: action, Resource: taskResource, ResourceID: t.ID})
	return t, nil
}
