package quotes

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/history"
	"fatureihoje/internal/mail"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/sales"
)

// Send records a sending, and makes a public link, which is returned and never
// seen again; links of earlier sendings go on working. Where mail is sent, the
// client gets the link.
func (s *Service) Send(ctx context.Context, tx *db.Tx, quoteID uuid.UUID) (q *Quote, url string, err error) {
	q, err = s.change(ctx, tx, quoteID, ActionSend, "", func(q *Quote) error {
		now := tx.Now()
		q.SentAt = &now
		token, err := document.NewLink(ctx, tx, Resource, q.ID)
		url = s.baseURL + document.LinkPath + token.Reveal()
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return q, url, s.mailLink(ctx, tx, q, url)
}

// mailLink sends the link to the client's address once the sending is committed.
func (s *Service) mailLink(ctx context.Context, tx *db.Tx, q *Quote, url string) error {
	if !s.mail.Sends() || q.ClientID == nil {
		return nil
	}
	c, err := s.clients.Get(ctx, tx, *q.ClientID)
	if err != nil || c.Email == nil {
		return err
	}
	company := auth.CallerFrom(ctx).Tenant.Name
	message := mail.Message{
		To: *c.Email, Subject: fmt.Sprintf("Orçamento nº %d de %s", q.Number, company),
		Text: fmt.Sprintf("Olá!\n\n%s enviou o orçamento nº %d, no total de %s.\nVeja, aprove ou recuse aqui:\n\n%s\n",
			company, q.Number, q.TotalCents.Format(), url),
	}
	tx.AfterCommit(func() {
		s.mail.Later("quote", func(ctx context.Context) error { return s.mail.Send(ctx, message) })
	})
	return nil
}

// Approve takes the offer.
func (s *Service) Approve(ctx context.Context, tx *db.Tx, quoteID uuid.UUID) (*Quote, error) {
	return s.change(ctx, tx, quoteID, ActionApprove, "", nil)
}

// Reject declines the offer.
func (s *Service) Reject(ctx context.Context, tx *db.Tx, quoteID uuid.UUID, reason string) (*Quote, error) {
	return s.change(ctx, tx, quoteID, ActionReject, reason, nil)
}

// Cancel takes the offer back.
func (s *Service) Cancel(ctx context.Context, tx *db.Tx, quoteID uuid.UUID, reason string) (*Quote, error) {
	return s.change(ctx, tx, quoteID, ActionCancel, reason, nil)
}

// change locks a quote, moves it by an action, does what belongs to that, and
// writes the quote as its next version.
func (s *Service) change(ctx context.Context, tx *db.Tx, quoteID uuid.UUID, action, reason string, also func(*Quote) error) (*Quote, error) {
	q, err := getForUpdate(ctx, tx, quoteID)
	if err != nil {
		return nil, err
	}
	to, err := q.next(action)
	if err != nil {
		return nil, err
	}
	if also != nil {
		if err := also(q); err != nil {
			return nil, err
		}
	}
	s.move(ctx, tx, q, history.Change{Action: action, To: to, Reason: reason})
	if err := s.save(ctx, tx, q, "quote."+action); err != nil {
		return nil, err
	}
	return q, s.withLines(ctx, tx, q)
}

func (s *Service) move(ctx context.Context, tx *db.Tx, q *Quote, c history.Change) {
	c.Resource, c.ResourceID, c.From = Resource, q.ID, q.Status
	history.Record(ctx, tx, c)
	q.Status = c.To
}

// RevokeLink ends every public link of the quote.
func (s *Service) RevokeLink(ctx context.Context, tx *db.Tx, quoteID uuid.UUID) (*Quote, error) {
	q, err := getForUpdate(ctx, tx, quoteID)
	if err != nil {
		return nil, err
	}
	if err := document.RevokeLinks(ctx, tx, Resource, quoteID); err != nil {
		return nil, err
	}
	if err := s.save(ctx, tx, q, "quote.link_revoked"); err != nil {
		return nil, err
	}
	return q, s.withLines(ctx, tx, q)
}

// OpenLink returns the quote of a public link, or a not_found problem: for a
// token that is not one, that is revoked, or whose quote has expired.
func (s *Service) OpenLink(ctx context.Context, r db.Reader, token auth.Token) (*Quote, error) {
	link, err := document.FindLink(ctx, r, token)
	if err != nil {
		return nil, err
	}
	if link.Resource != Resource {
		return nil, problem.Missing()
	}
	q, err := s.Get(ctx, r, link.ResourceID)
	if err != nil {
		return nil, err
	}
	if q.IsExpired {
		return nil, problem.Missing()
	}
	return q, nil
}

// DecideByLink approves or rejects the quote of a public link.
func (s *Service) DecideByLink(ctx context.Context, tx *db.Tx, token auth.Token, action, reason string) (*Quote, error) {
	q, err := s.OpenLink(ctx, tx, token)
	if err != nil {
		return nil, err
	}
	// Looked up once more under the lock that a revocation takes.
	return s.change(ctx, tx, q.ID, action, reason, func(*Quote) error {
		_, err := s.OpenLink(ctx, tx, token)
		return err
	})
}

// Convert bills an approved quote by a sale.
func (s *Service) Convert(ctx context.Context, tx *db.Tx, quoteID uuid.UUID) (*sales.Sale, error) {
	q, err := s.ApprovedForUpdate(ctx, tx, quoteID)
	if err != nil {
		return nil, err
	}
	sale, err := s.sales.Bill(ctx, tx, sales.Billing{
		QuoteID: &q.ID, ClientID: q.ClientID, Content: q.Content, PaymentPlan: q.PaymentPlan, Notes: q.Notes,
	})
	if err != nil {
		return nil, err
	}
	return sale, s.Billed(ctx, tx, q, sale.ID)
}

// ApprovedForUpdate locks an approved quote and returns it with its lines and
// its client: for a lead, the client that it has become. Any other quote is an
// invalid_state problem that names the status, or the step that is missing.
func (s *Service) ApprovedForUpdate(ctx context.Context, tx *db.Tx, quoteID uuid.UUID) (*Quote, error) {
	q, err := getForUpdate(ctx, tx, quoteID)
	if err != nil {
		return nil, err
	}
	if _, err := q.next(ActionConvert); err != nil {
		return nil, err
	}
	if q.ClientID == nil {
		if q.ClientID, _, err = s.leads.LeadClient(ctx, tx, *q.LeadID); err != nil {
			return nil, err
		}
	}
	if q.ClientID == nil {
		refusal := statuses().Refuse(q.Status)
		refusal.Allowed = []string{ActionCancel}
		refusal.Reason = "lead_not_converted"
		refusal.Detail = problem.Tf("Converta antes o lead em cliente: POST /leads/%s/convert.", "Convert the lead into a client first: POST /leads/%s/convert.", *q.LeadID)
		return nil, refusal
	}
	return q, s.withLines(ctx, tx, q)
}

// ForBilling locks a quote whose work an order bills.
func (s *Service) ForBilling(ctx context.Context, tx *db.Tx, quoteID uuid.UUID) (*Quote, error) {
	return getForUpdate(ctx, tx, quoteID)
}

// Billed makes a locked quote converted by the sale that bills it.
func (s *Service) Billed(ctx context.Context, tx *db.Tx, q *Quote, saleID uuid.UUID) error {
	to, err := q.next(ActionConvert)
	if err != nil {
		return err
	}
	s.move(ctx, tx, q, history.Change{Action: ActionConvert, To: to})
	q.SaleID = &saleID
	return s.save(ctx, tx, q, "quote."+ActionConvert)
}

// LockSource locks the quote of a sale: see sales.Source.
func (s *Service) LockSource(ctx context.Context, tx *db.Tx, quoteID uuid.UUID) error {
	_, err := getForUpdate(ctx, tx, quoteID)
	return err
}

// SaleCancelled leads a quote back to approved: see sales.Source.
func (s *Service) SaleCancelled(ctx context.Context, tx *db.Tx, quoteID, saleID uuid.UUID) error {
	q, err := get(ctx, tx, quoteID)
	if err != nil || q.SaleID == nil || *q.SaleID != saleID {
		return err
	}
	s.move(ctx, tx, q, history.Change{Action: "sale_cancelled", To: StatusApproved})
	q.SaleID = nil
	return s.save(ctx, tx, q, "quote.sale_cancelled")
}
