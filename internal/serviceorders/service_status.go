package serviceorders

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/history"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/quotes"
	"fatureihoje/internal/sales"
)

// Start begins the work.
func (s *Service) Start(ctx context.Context, tx *db.Tx, orderID uuid.UUID) (*Order, error) {
	return s.change(ctx, tx, orderID, actionStart, "", func(o *Order) error {
		o.start(tx)
		return nil
	})
}

func (o *Order) start(tx *db.Tx) {
	if o.StartedAt == nil {
		now := tx.Now()
		o.StartedAt = &now
	}
}

// Complete ends the work.
func (s *Service) Complete(ctx context.Context, tx *db.Tx, orderID uuid.UUID, notes *string) (*Order, error) {
	return s.change(ctx, tx, orderID, actionComplete, "", func(o *Order) error {
		now := tx.Now()
		o.CompletedAt, o.CompletionNotes = &now, notes
		return nil
	})
}

// Cancel gives the work up. An order that a live sale bills is not cancelled.
func (s *Service) Cancel(ctx context.Context, tx *db.Tx, orderID uuid.UUID, reason string) (*Order, error) {
	return s.change(ctx, tx, orderID, actionCancel, reason, func(o *Order) error {
		if o.SaleID != nil {
			return billed()
		}
		o.CancelReason = &reason
		return nil
	})
}

// change locks an order, moves it by an action, does what belongs to that, and
// writes the order as its next version.
func (s *Service) change(ctx context.Context, tx *db.Tx, orderID uuid.UUID, action, reason string, also func(*Order) error) (*Order, error) {
	o, err := getForUpdate(ctx, tx, orderID)
	if err != nil {
		return nil, err
	}
	to, err := statuses().Next(action, o.Status)
	if err != nil {
		return nil, err
	}
	if err := also(o); err != nil {
		return nil, err
	}
	s.move(ctx, tx, o, history.Change{Action: action, To: to, Reason: reason})
	return o, s.saveWithLines(ctx, tx, o, "service_order."+action)
}

func (s *Service) move(ctx context.Context, tx *db.Tx, o *Order, c history.Change) {
	c.Resource, c.ResourceID, c.From = Resource, o.ID, o.Status
	history.Record(ctx, tx, c)
	o.Status = c.To
}

func (s *Service) saveWithLines(ctx context.Context, tx *db.Tx, o *Order, action string) error {
	if err := s.save(ctx, tx, o, action); err != nil {
		return err
	}
	return s.withLines(ctx, tx, o)
}

// ChangeStatus moves an order between open and in progress, gives it a label of
// the company's own, or both. Moving to where it is already, with no label, is
// refused like every repetition.
func (s *Service) ChangeStatus(ctx context.Context, tx *db.Tx, orderID uuid.UUID, c StatusChange) (*Order, error) {
	if c.Status == nil && !c.CustomStatus.IsSet() {
		return nil, problem.Invalid(problem.Required("/status"))
	}
	o, err := getForUpdate(ctx, tx, orderID)
	if err != nil {
		return nil, err
	}
	if _, err := statuses().Next(actionStatus, o.Status); err != nil {
		return nil, err
	}
	to := o.Status
	if c.Status != nil {
		to = *c.Status
	}
	if to == o.Status && !c.CustomStatus.IsSet() {
		return nil, statuses().Refuse(o.Status)
	}
	if to == StatusInProgress {
		o.start(tx)
	}
	o.CustomStatus = c.CustomStatus.Or(o.CustomStatus)
	s.move(ctx, tx, o, history.Change{Action: actionStatus, To: to, Reason: opt.OrZero(o.CustomStatus)})
	return o, s.saveWithLines(ctx, tx, o, "service_order.status_changed")
}

// Convert bills an order by a sale, and with it the quote that it came from.
func (s *Service) Convert(ctx context.Context, tx *db.Tx, orderID uuid.UUID) (*sales.Sale, error) {
	before, err := get(ctx, tx, orderID) // the quote that it came from never changes
	if err != nil {
		return nil, err
	}
	quote, err := s.lockQuote(ctx, tx, before)
	if err != nil {
		return nil, err
	}
	o, err := getForUpdate(ctx, tx, orderID)
	if err != nil {
		return nil, err
	}
	if err := s.withLines(ctx, tx, o); err != nil {
		return nil, err
	}
	if err := o.convertible(quote); err != nil {
		return nil, err
	}
	sale, err := s.sales.Bill(ctx, tx, sales.Billing{
		QuoteID: o.QuoteID, ServiceOrderID: &o.ID, ClientID: &o.ClientID, Content: o.Content, PaymentPlan: o.PaymentPlan, Notes: o.Notes,
	})
	if err != nil {
		return nil, err
	}
	if quote != nil {
		if err := s.quotes.Billed(ctx, tx, quote, sale.ID); err != nil {
			return nil, err
		}
	}
	o.SaleID = &sale.ID
	return sale, s.save(ctx, tx, o, "service_order."+actionConvert)
}

// lockQuote locks the quote that an order came from, ahead of the order.
func (s *Service) lockQuote(ctx context.Context, tx *db.Tx, o *Order) (*quotes.Quote, error) {
	if o.QuoteID == nil {
		return nil, nil
	}
	return s.quotes.ForBilling(ctx, tx, *o.QuoteID)
}

// convertible refuses to bill a cancelled order, one that is billed, whose quote
// is billed or no longer approved, and one that charges for nothing.
func (o *Order) convertible(q *quotes.Quote) error {
	if _, err := statuses().Next(actionConvert, o.Status); err != nil {
		return err
	}
	switch {
	case o.SaleID != nil, q != nil && q.Status == quotes.StatusConverted:
		return sales.AlreadyBilled()
	case q != nil && q.Status != quotes.StatusApproved:
		return problem.Conflicting("quote_not_approved", problem.T(
			"O orçamento de origem não está mais aprovado.", "The quote that it came from is no longer approved."))
	case len(o.Lines) == 0:
		return problem.Conflicting("no_items", problem.T("A ordem não tem itens a faturar.", "The order has no items to bill."))
	}
	return nil
}

// LockSource locks the order of a sale: see sales.Source.
func (s *Service) LockSource(ctx context.Context, tx *db.Tx, orderID uuid.UUID) error {
	_, err := getForUpdate(ctx, tx, orderID)
	return err
}

// SaleCancelled lets an order be billed again: see sales.Source.
func (s *Service) SaleCancelled(ctx context.Context, tx *db.Tx, orderID, saleID uuid.UUID) error {
	o, err := get(ctx, tx, orderID)
	if err != nil || o.SaleID == nil || *o.SaleID != saleID {
		return err
	}
	o.SaleID = nil
	return s.save(ctx, tx, o, "service_order.sale_cancelled")
}
