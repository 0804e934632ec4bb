package serviceorders

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/auth"
	"fatureihoje/internal/catalog"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/quotes"
	"fatureihoje/internal/sales"
)

// Service holds the rules of service orders.
type Service struct {
	clients *clients.Service
	catalog *catalog.Service
	sales   *sales.Service
	quotes  *quotes.Service
}

// NewService returns the service.
func NewService(c *clients.Service, items *catalog.Service, s *sales.Service, q *quotes.Service) *Service {
	return &Service{clients: c, catalog: items, sales: s, quotes: q}
}

// Create adds an open order that charges for what the draft says.
func (s *Service) Create(ctx context.Context, tx *db.Tx, o Order, d document.Draft) (_ *Order, err error) {
	var f problem.Fields
	if err := s.checkReferences(ctx, tx, &Order{}, &o, &f); err != nil {
		return nil, err
	}
	if o.Content, err = document.Price(ctx, tx, s.catalog, d, nil, &f); err != nil {
		return nil, err
	}
	return s.create(ctx, tx, o, &f)
}

// CreateFromQuote adds an open order for the work of an approved quote, with a
// copy of what it charges for.
func (s *Service) CreateFromQuote(ctx context.Context, tx *db.Tx, quoteID uuid.UUID) (*Order, error) {
	q, err := s.quotes.ApprovedForUpdate(ctx, tx, quoteID)
	if problem.Is(err, problem.NotFound) {
		return nil, problem.Invalid(problem.UnknownReference("/quote_id"))
	}
	if err != nil {
		return nil, err
	}
	var f problem.Fields
	return s.create(ctx, tx, Order{
		ClientID: *q.ClientID, QuoteID: &q.ID, Title: fmt.Sprintf("Orçamento nº %d", q.Number), Notes: q.Notes,
		Content: q.Content, PaymentPlan: q.PaymentPlan,
	}, &f)
}

func (s *Service) create(ctx context.Context, tx *db.Tx, o Order, f *problem.Fields) (_ *Order, err error) {
	o.validate(f)
	if err := f.Err(); err != nil {
		return nil, err
	}
	if o.Priority == "" {
		o.Priority = PriorityNormal
	}
	o.ID, o.Status, o.Version = id.New(), StatusOpen, 1
	o.CreatedAt, o.UpdatedAt = tx.Now(), tx.Now()
	if o.Number, err = document.NextNumber(ctx, tx, document.ServiceOrderNumber); err != nil {
		return nil, err
	}
	if err := insert(ctx, tx, &o); err != nil {
		return nil, err
	}
	history.Record(ctx, tx, history.Change{Resource: Resource, ResourceID: o.ID, Action: "create", To: o.Status})
	audit.Record(ctx, tx, audit.Event{Action: "service_order.created", Resource: Resource, ResourceID: o.ID})
	return &o, nil
}

// checkReferences adds to f what an order newly refers to and cannot. A client
// and its address are locked or read ahead of the order.
func (s *Service) checkReferences(ctx context.Context, tx *db.Tx, before, now *Order, f *problem.Fields) error {
	if now.ClientID != before.ClientID {
		if err := f.Collect(s.clients.Referable(ctx, tx, now.ClientID, "/client_id")); err != nil {
			return err
		}
	}
	if now.AddressID != nil && (now.ClientID != before.ClientID || opt.Replaced(before.AddressID, now.AddressID)) {
		_, err := s.clients.GetAddress(ctx, tx, now.ClientID, *now.AddressID)
		if problem.Is(err, problem.NotFound) {
			err = problem.Invalid(problem.UnknownReference("/address_id"))
		}
		if err := f.Collect(err); err != nil {
			return err
		}
	}
	if opt.Replaced(before.AssigneeMemberID, now.AssigneeMemberID) {
		return f.Collect(auth.Assignable(ctx, tx, *now.AssigneeMemberID, "/assignee_member_id"))
	}
	return nil
}

// Get returns an order with its lines.
func (s *Service) Get(ctx context.Context, r db.Reader, orderID uuid.UUID) (*Order, error) {
	o, err := get(ctx, r, orderID)
	if err != nil {
		return nil, err
	}
	return o, s.withLines(ctx, r, o)
}

// List returns a page of orders, with their lines.
func (s *Service) List(ctx context.Context, r db.Reader, f Filter) (page.Result[Order], error) {
	result, err := list(ctx, r, f)
	if err != nil {
		return result, err
	}
	orders := make([]*Order, len(result.Items))
	for i := range result.Items {
		orders[i] = &result.Items[i]
	}
	return result, s.withLines(ctx, r, orders...)
}

func (s *Service) withLines(ctx context.Context, r db.Reader, orders ...*Order) error {
	ids := make([]uuid.UUID, len(orders))
	for i, o := range orders {
		ids[i] = o.ID
	}
	lines, err := document.Lines(ctx, r, document.ServiceOrderItems, ids...)
	for _, o := range orders {
		o.Lines = lines[o.ID]
	}
	return err
}

// Update changes an order whose version satisfies match.
func (s *Service) Update(ctx context.Context, tx *db.Tx, orderID uuid.UUID, match etag.Match, ch Changes) (*Order, error) {
	before, err := get(ctx, tx, orderID)
	if err != nil {
		return nil, err
	}
	var f problem.Fields
	after := *before
	after.apply(ch)
	if err := s.checkReferences(ctx, tx, before, &after, &f); err != nil {
		return nil, err
	}
	o, err := getForUpdate(ctx, tx, orderID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(o.Version); err != nil {
		return nil, err
	}
	if err := o.permits(ch); err != nil {
		return nil, err
	}
	if err := s.withLines(ctx, tx, o); err != nil {
		return nil, err
	}
	o.apply(ch)
	if o.Content, err = ch.Content.Apply(ctx, tx, s.catalog, o.Content, &f); err != nil {
		return nil, err
	}
	o.validate(&f)
	if err := f.Err(); err != nil {
		return nil, err
	}
	if ch.Content.Any() {
		o.PaymentPlan = nil // it divided the quote's total
	}
	if ch.Content.Lines.IsSet() {
		if err := document.ReplaceLines(ctx, tx, document.ServiceOrderItems, o.ID, o.Lines); err != nil {
			return nil, err
		}
	}
	return o, s.save(ctx, tx, o, "service_order.updated")
}

// save writes a changed order as its next version.
func (s *Service) save(ctx context.Context, tx *db.Tx, o *Order, action string) error {
	o.Version++
	o.UpdatedAt = tx.Now()
	audit.Record(ctx, tx, audit.Event{Action: action, Resource: Resource, ResourceID: o.ID})
	return update(ctx, tx, o)
}

// History returns a page of the changes of an order's status.
func (s *Service) History(ctx context.Context, r db.Reader, orderID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := get(ctx, r, orderID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, Resource, orderID, p)
}
