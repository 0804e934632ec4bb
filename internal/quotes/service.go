package quotes

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/catalog"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/mail"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/sales"
)

// Leads tells what has become of a lead. The package of leads may not be
// imported here.
type Leads interface {
	// LeadClient returns the client that a converted lead has become, nil for
	// one that is not converted. found is false where there is no such lead.
	LeadClient(ctx context.Context, r db.Reader, leadID uuid.UUID) (clientID *uuid.UUID, found bool, err error)
}

// Service holds the rules of quotes.
type Service struct {
	clients *clients.Service
	catalog *catalog.Service
	sales   *sales.Service
	leads   Leads
	mail    *mail.Outbox
	baseURL string
}

// Config is what the service stands on. BaseURL begins the public links.
type Config struct {
	Clients *clients.Service
	Catalog *catalog.Service
	Sales   *sales.Service
	Leads   Leads
	Mail    *mail.Outbox
	BaseURL string
}

// NewService returns the service.
func NewService(c Config) *Service {
	return &Service{clients: c.Clients, catalog: c.Catalog, sales: c.Sales, leads: c.Leads, mail: c.Mail, baseURL: c.BaseURL}
}

// Create adds a draft.
func (s *Service) Create(ctx context.Context, tx *db.Tx, d Draft) (_ *Quote, err error) {
	var f problem.Fields
	q := Quote{
		ClientID: d.ClientID, LeadID: d.LeadID, Status: StatusDraft, ValidUntil: d.ValidUntil, Terms: d.Terms, Notes: d.Notes,
		PaymentPlan: d.PaymentPlan, ExternalID: d.ExternalID, Metadata: d.Metadata,
	}
	if err := s.checkCustomer(ctx, tx, Customer{}, Customer{q.ClientID, q.LeadID}, &f); err != nil {
		return nil, err
	}
	if q.Content, err = document.Price(ctx, tx, s.catalog, d.Content, nil, &f); err != nil {
		return nil, err
	}
	q.validate(&f)
	if err := f.Err(); err != nil {
		return nil, err
	}
	q.ID, q.Version = id.New(), 1
	q.CreatedAt, q.UpdatedAt = tx.Now(), tx.Now()
	q.markExpired(document.Day(ctx, tx.Now()))
	if q.Number, err = document.NextNumber(ctx, tx, document.QuoteNumber); err != nil {
		return nil, err
	}
	if err := insert(ctx, tx, &q); err != nil {
		return nil, err
	}
	history.Record(ctx, tx, history.Change{Resource: Resource, ResourceID: q.ID, Action: "create", To: q.Status})
	audit.Record(ctx, tx, audit.Event{Action: "quote.created", Resource: Resource, ResourceID: q.ID})
	return &q, nil
}

// checkCustomer adds to f that a quote is for nobody, or for somebody new who
// cannot be. A client is locked, so this comes before the quote's lock.
func (s *Service) checkCustomer(ctx context.Context, tx *db.Tx, before, now Customer, f *problem.Fields) error {
	now.validate(f)
	if opt.Replaced(before.ClientID, now.ClientID) {
		if err := f.Collect(s.clients.Referable(ctx, tx, *now.ClientID, "/client_id")); err != nil {
			return err
		}
	}
	if !opt.Replaced(before.LeadID, now.LeadID) {
		return nil
	}
	_, found, err := s.leads.LeadClient(ctx, tx, *now.LeadID)
	if err == nil && !found {
		unknown := problem.UnknownReference("/lead_id")
		f.Add(unknown.Pointer, unknown.Code, unknown.Detail)
	}
	return err
}

// Get returns a quote with its lines.
func (s *Service) Get(ctx context.Context, r db.Reader, quoteID uuid.UUID) (*Quote, error) {
	q, err := get(ctx, r, quoteID)
	if err != nil {
		return nil, err
	}
	return q, s.withLines(ctx, r, q)
}

// List returns a page of quotes, with their lines.
func (s *Service) List(ctx context.Context, r db.Reader, f Filter) (page.Result[Quote], error) {
	result, err := list(ctx, r, f)
	if err != nil {
		return result, err
	}
	quotes := make([]*Quote, len(result.Items))
	for i := range result.Items {
		quotes[i] = &result.Items[i]
	}
	return result, s.withLines(ctx, r, quotes...)
}

func (s *Service) withLines(ctx context.Context, r db.Reader, quotes ...*Quote) error {
	ids := make([]uuid.UUID, len(quotes))
	for i, q := range quotes {
		ids[i] = q.ID
	}
	lines, err := document.Lines(ctx, r, document.QuoteItems, ids...)
	for _, q := range quotes {
		q.Lines = lines[q.ID]
	}
	return err
}

// Update changes a quote whose version satisfies match. Only a draft's offer
// can be changed.
func (s *Service) Update(ctx context.Context, tx *db.Tx, quoteID uuid.UUID, match etag.Match, ch Changes) (*Quote, error) {
	before, err := get(ctx, tx, quoteID)
	if err != nil {
		return nil, err
	}
	var f problem.Fields
	customer := ch.customer(before)
	if ch.ClientID.IsSet() || ch.LeadID.IsSet() {
		if err := s.checkCustomer(ctx, tx, Customer{before.ClientID, before.LeadID}, customer, &f); err != nil {
			return nil, err
		}
	}
	q, err := getForUpdate(ctx, tx, quoteID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(q.Version); err != nil {
		return nil, err
	}
	if q.Status != StatusDraft {
		if err := statuses().Frozen(q.Status, ch.ofDrafts()...); err != nil {
			return nil, err
		}
	}
	if err := s.withLines(ctx, tx, q); err != nil {
		return nil, err
	}
	if q.Content, err = ch.Content.Apply(ctx, tx, s.catalog, q.Content, &f); err != nil {
		return nil, err
	}
	q.apply(ch)
	if ch.ClientID.IsSet() || ch.LeadID.IsSet() {
		q.ClientID, q.LeadID = customer.ClientID, customer.LeadID
	}
	q.validate(&f)
	if err := f.Err(); err != nil {
		return nil, err
	}
	q.markExpired(document.Day(ctx, tx.Now()))
	if ch.Content.Lines.IsSet() {
		if err := document.ReplaceLines(ctx, tx, document.QuoteItems, q.ID, q.Lines); err != nil {
			return nil, err
		}
	}
	return q, s.save(ctx, tx, q, "quote.updated")
}

// save writes a changed quote as its next version.
func (s *Service) save(ctx context.Context, tx *db.Tx, q *Quote, action string) error {
	q.Version++
	q.UpdatedAt = tx.Now()
	audit.Record(ctx, tx, audit.Event{Action: action, Resource: Resource, ResourceID: q.ID})
	return update(ctx, tx, q)
}

// History returns a page of the changes of a quote's status.
func (s *Service) History(ctx context.Context, r db.Reader, quoteID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := get(ctx, r, quoteID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, Resource, quoteID, p)
}
