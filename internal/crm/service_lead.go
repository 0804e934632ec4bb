package crm

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// CreateLead adds a new lead.
func (s *Service) CreateLead(ctx context.Context, tx *db.Tx, l Lead) (*Lead, error) {
	l.ID, l.Status, l.Version = id.New(), LeadNew, 1
	l.CreatedAt, l.UpdatedAt = tx.Now(), tx.Now()
	if err := s.checkLead(ctx, tx, &l, nil); err != nil {
		return nil, err
	}
	if err := insertLead(ctx, tx, &l); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "lead.created", Resource: leadResource, ResourceID: l.ID})
	return &l, nil
}

// checkLead checks what tags cannot say; assignee is the one before.
func (s *Service) checkLead(ctx context.Context, tx *db.Tx, l *Lead, assignee *uuid.UUID) error {
	var f problem.Fields
	l.Metadata.Validate("/metadata", &f)
	if err := checkAssignee(ctx, tx, reference{"/assignee_member_id", assignee, l.AssigneeMemberID}, &f); err != nil {
		return err
	}
	return f.Err()
}

// GetLead returns a lead.
func (s *Service) GetLead(ctx context.Context, r db.Reader, leadID uuid.UUID) (*Lead, error) {
	return getLead(ctx, r, leadID)
}

// ListLeads returns a page of leads.
func (s *Service) ListLeads(ctx context.Context, r db.Reader, f LeadFilter) (page.Result[Lead], error) {
	return listLeads(ctx, r, f)
}

// UpdateLead changes a lead whose version satisfies match.
func (s *Service) UpdateLead(ctx context.Context, tx *db.Tx, leadID uuid.UUID, match etag.Match, ch LeadChanges) (*Lead, error) {
	return s.changeLead(ctx, tx, leadID, match, "lead.updated", func(l *Lead) error {
		assignee := l.AssigneeMemberID
		if err := l.apply(ch); err != nil {
			return err
		}
		return s.checkLead(ctx, tx, l, assignee)
	})
}

// ChangeLeadStatus moves a lead to a status that its own allows. A conversion
// is not among them: see ConvertLead.
func (s *Service) ChangeLeadStatus(ctx context.Context, tx *db.Tx, leadID uuid.UUID, c LeadStatusChange) (*Lead, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	return s.changeLead(ctx, tx, leadID, etag.Match{}, "lead.status_changed", func(l *Lead) error {
		if err := moveLead(ctx, tx, l, c.Status, opt.OrZero(c.LostReason)); err != nil {
			return err
		}
		l.LostReason = c.LostReason
		return nil
	})
}

// ConvertLead makes the client that an open lead has become, or links one that
// is there already where clientID names it.
func (s *Service) ConvertLead(ctx context.Context, tx *db.Tx, leadID uuid.UUID, clientID *uuid.UUID) (*Lead, error) {
	return s.changeLead(ctx, tx, leadID, etag.Match{}, "lead.converted", func(l *Lead) (err error) {
		if err := moveLead(ctx, tx, l, actionConvert, ""); err != nil {
			return err
		}
		l.ClientID, err = s.clientOf(ctx, tx, l, clientID)
		return err
	})
}

// moveLead changes a lead's status by an action, and keeps that in the history.
func moveLead(ctx context.Context, tx *db.Tx, l *Lead, action, reason string) error {
	to, err := leadStatuses().Next(action, l.Status)
	if err != nil {
		return err
	}
	history.Record(ctx, tx, history.Change{
		Resource: leadResource, ResourceID: l.ID, Action: action, From: l.Status, To: to, Reason: reason,
	})
	l.Status = to
	return nil
}

// clientOf returns the client that a lead becomes: the given one, or a new one.
func (s *Service) clientOf(ctx context.Context, tx *db.Tx, l *Lead, given *uuid.UUID) (*uuid.UUID, error) {
	if given != nil {
		return given, s.clients.Referable(ctx, tx, *given, "/client_id")
	}
	c, err := s.clients.Create(ctx, tx, clients.Client{Name: l.Name, Email: l.Email, Phone: l.Phone, Notes: l.Notes})
	if err != nil {
		return nil, err
	}
	return &c.ID, nil
}

// ClientOfLead returns the client that a converted lead has become.
func (s *Service) ClientOfLead(ctx context.Context, r db.Reader, l *Lead) (*clients.Client, error) {
	return s.clients.Get(ctx, r, *l.ClientID)
}

// DeleteLead removes a lead that nothing refers to.
func (s *Service) DeleteLead(ctx context.Context, tx *db.Tx, leadID uuid.UUID, match etag.Match) error {
	l, err := getLeadForUpdate(ctx, tx, leadID)
	if err != nil {
		return err
	}
	if err := match.Check(l.Version); err != nil {
		return err
	}
	audit.Record(ctx, tx, audit.Event{Action: "lead.deleted", Resource: leadResource, ResourceID: leadID})
	return removeLead(ctx, tx, l)
}

// LeadHistory returns a page of the changes of a lead's status.
func (s *Service) LeadHistory(ctx context.Context, r db.Reader, leadID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := getLead(ctx, r, leadID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, leadResource, leadID, p)
}

// changeLead locks a lead, changes it, and writes it as its next version.
func (s *Service) changeLead(ctx context.Context, tx *db.Tx, leadID uuid.UUID, match etag.Match, action string, f func(*Lead) error) (*Lead, error) {
	l, err := getLeadForUpdate(ctx, tx, leadID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(l.Version); err != nil {
		return nil, err
	}
	oldTokens := l.tokens()
	if err := f(l); err != nil {
		return nil, err
	}
	l.Version++
	l.UpdatedAt = tx.Now()
	if err := updateLead(ctx, tx, l, oldTokens); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: action, Resource: leadResource, ResourceID: l.ID})
	return l, nil
}
