package sales

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/auth"
	"fatureihoje/internal/catalog"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// Service holds the rules of sales, their versions and their payments.
type Service struct {
	clients *clients.Service
	catalog *catalog.Service
	finance *finance.Service
	baseURL string

	// What sales are made from: see BilledBy.
	quotes, serviceOrders Source
}

// Source is a kind of document that a sale can be made from. Its package
// imports this one, so it is known here only so far.
type Source interface {
	// LockSource locks the document, ahead of the sale that bills it.
	LockSource(ctx context.Context, tx *db.Tx, id uuid.UUID) error
	// SaleCancelled frees the locked document for another billing.
	SaleCancelled(ctx context.Context, tx *db.Tx, id, saleID uuid.UUID) error
}

// NewService returns the service. baseURL begins the links of receipts.
func NewService(c *clients.Service, items *catalog.Service, f *finance.Service, baseURL string) *Service {
	return &Service{clients: c, catalog: items, finance: f, baseURL: baseURL}
}

// BilledBy says what sales are made from. It is called once, when the program
// is wired.
func (s *Service) BilledBy(quotes, serviceOrders Source) {
	s.quotes, s.serviceOrders = quotes, serviceOrders
}

// Create adds a sale with its first version and its planned transactions.
func (s *Service) Create(ctx context.Context, tx *db.Tx, d Draft) (*Sale, error) {
	var f problem.Fields
	if d.ClientID != nil {
		if err := f.Collect(s.clients.Referable(ctx, tx, *d.ClientID, "/client_id")); err != nil {
			return nil, err
		}
	}
	content, err := document.Price(ctx, tx, s.catalog, d.Content, nil, &f)
	if err != nil {
		return nil, err
	}
	sale := Sale{Notes: d.Notes, ExternalID: d.ExternalID, Metadata: d.Metadata, Terms: Terms{
		ClientID: d.ClientID, SoldAt: tx.Now(), AccountID: d.AccountID, CategoryID: d.CategoryID, PaymentPlan: d.PaymentPlan, Content: content,
	}}
	if d.SoldAt != nil {
		sale.SoldAt = *d.SoldAt
	}
	return s.create(ctx, tx, &sale, &f)
}

// Bill adds the sale that bills a quote or a service order, whose rows the
// caller has locked.
func (s *Service) Bill(ctx context.Context, tx *db.Tx, b Billing) (*Sale, error) {
	var f problem.Fields
	return s.create(ctx, tx, &Sale{QuoteID: b.QuoteID, ServiceOrderID: b.ServiceOrderID, Notes: b.Notes, Terms: Terms{
		ClientID: b.ClientID, SoldAt: tx.Now(), PaymentPlan: b.PaymentPlan, Content: b.Content,
	}}, &f)
}

// create writes a new sale. Its number is taken last before the writes: from
// then on, other sales of the company wait.
func (s *Service) create(ctx context.Context, tx *db.Tx, sale *Sale, f *problem.Fields) (_ *Sale, err error) {
	sale.Metadata.Validate("/metadata", f)
	var parts []document.Installment
	if f.Empty() {
		parts = sale.plan(sale.TotalCents, s.single(ctx), f)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	sale.ID, sale.CurrentVersion, sale.Version = id.New(), 1, 1
	sale.CreatedAt, sale.UpdatedAt = tx.Now(), tx.Now()
	sale.settle()
	if sale.Number, err = document.NextNumber(ctx, tx, document.SaleNumber); err != nil {
		return nil, err
	}
	if err := insert(ctx, tx, sale); err != nil {
		return nil, err
	}
	if err := s.writeVersion(ctx, tx, sale, nil); err != nil {
		return nil, err
	}
	if err := s.planTransactions(ctx, tx, sale, parts); err != nil {
		return nil, err
	}
	s.recordStatus(ctx, tx, sale, "create", "", "")
	audit.Record(ctx, tx, audit.Event{Action: "sale.created", Resource: Resource, ResourceID: sale.ID})
	return sale, nil
}

// single makes the plan of a sale that names none.
func (s *Service) single(ctx context.Context) func(time.Time) *document.Plan {
	return func(soldAt time.Time) *document.Plan { return document.Single(document.Day(ctx, soldAt)) }
}

func (s *Service) planTransactions(ctx context.Context, tx *db.Tx, sale *Sale, parts []document.Installment) error {
	if len(parts) == 0 {
		return nil
	}
	planned := make([]finance.Part, len(parts))
	for i, p := range parts {
		planned[i] = finance.Part{DueDate: p.DueDate, Amount: p.Amount, Method: p.Method}
	}
	_, err := s.finance.PlanSale(ctx, tx, finance.SaleRef{
		ID: sale.ID, Number: sale.Number, ClientID: sale.ClientID, AccountID: sale.AccountID, CategoryID: sale.CategoryID,
		CompetenceDate: document.Day(ctx, sale.SoldAt),
	}, planned)
	return err
}

// recordStatus keeps that an action changed the sale's status from what it was.
func (s *Service) recordStatus(ctx context.Context, tx *db.Tx, sale *Sale, action, from, reason string) {
	if from != sale.Status {
		history.Record(ctx, tx, history.Change{
			Resource: Resource, ResourceID: sale.ID, Action: action, From: from, To: sale.Status, Reason: reason,
		})
	}
}

// Get returns a sale with its lines.
func (s *Service) Get(ctx context.Context, r db.Reader, saleID uuid.UUID) (*Sale, error) {
	sale, err := get(ctx, r, saleID)
	if err != nil {
		return nil, err
	}
	return sale, s.withLines(ctx, r, sale)
}

// List returns a page of sales, with their lines.
func (s *Service) List(ctx context.Context, r db.Reader, f Filter) (page.Result[Sale], error) {
	result, err := list(ctx, r, f)
	if err != nil {
		return result, err
	}
	sales := make([]*Sale, len(result.Items))
	for i := range result.Items {
		sales[i] = &result.Items[i]
	}
	return result, s.withLines(ctx, r, sales...)
}

// withLines reads the lines of the sales' current versions.
func (s *Service) withLines(ctx context.Context, r db.Reader, sales ...*Sale) error {
	if len(sales) == 0 {
		return nil
	}
	ids := make([]uuid.UUID, len(sales))
	for i, sale := range sales {
		ids[i] = sale.ID
	}
	versions, err := currentVersions(ctx, r, ids...)
	if err != nil {
		return err
	}
	versionIDs := make([]uuid.UUID, 0, len(versions))
	for _, id := range versions {
		versionIDs = append(versionIDs, id)
	}
	lines, err := document.Lines(ctx, r, document.SaleItems, versionIDs...)
	for _, sale := range sales {
		sale.Lines = lines[versions[sale.ID]]
	}
	return err
}

// Transactions returns what sales move, for a caller that may see it; shown is
// false for any other.
func (s *Service) Transactions(ctx context.Context, r db.Reader, saleIDs ...uuid.UUID) (bySale map[uuid.UUID][]finance.Transaction, shown bool, err error) {
	if !auth.CallerFrom(ctx).May("finance:read") {
		return nil, false, nil
	}
	bySale, err = s.finance.TransactionsOfSales(ctx, r, saleIDs...)
	return bySale, true, err
}

// Update changes a sale whose version satisfies match.
func (s *Service) Update(ctx context.Context, tx *db.Tx, saleID uuid.UUID, match etag.Match, ch Changes) (*Sale, error) {
	sale, err := getForUpdate(ctx, tx, saleID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(sale.Version); err != nil {
		return nil, err
	}
	if err := sale.apply(ch); err != nil {
		return nil, err
	}
	if err := s.save(ctx, tx, sale, "sale.updated"); err != nil {
		return nil, err
	}
	return sale, s.withLines(ctx, tx, sale)
}

// save writes a changed sale as its next version of the record.
func (s *Service) save(ctx context.Context, tx *db.Tx, sale *Sale, action string) error {
	sale.Version++
	sale.UpdatedAt = tx.Now()
	audit.Record(ctx, tx, audit.Event{Action: action, Resource: Resource, ResourceID: sale.ID})
	return update(ctx, tx, sale)
}

// Cancel ends a sale for good. What it is made from can be billed again.
func (s *Service) Cancel(ctx context.Context, tx *db.Tx, saleID uuid.UUID, c Cancellation) (*Sale, error) {
	sale, err := s.lockWithSources(ctx, tx, saleID)
	if err != nil {
		return nil, err
	}
	if _, err := actions().Next(actionCancel, sale.Status); err != nil {
		return nil, err
	}
	if err := s.cancelPayments(ctx, tx, sale, c); err != nil {
		return nil, err
	}
	if err := s.finance.DropPending(ctx, tx, sale.ID); err != nil {
		return nil, err
	}
	from, now := sale.Status, tx.Now()
	sale.Status, sale.CancelledAt, sale.CancelReason = StatusCancelled, &now, c.Reason
	s.recordStatus(ctx, tx, sale, actionCancel, from, opt.OrZero(c.Reason))
	if err := s.save(ctx, tx, sale, "sale.cancelled"); err != nil {
		return nil, err
	}
	if err := s.releaseSources(ctx, tx, sale); err != nil {
		return nil, err
	}
	return sale, s.withLines(ctx, tx, sale)
}

// lockWithSources locks what the sale is made from and then the sale: the order
// in which a conversion locks them.
func (s *Service) lockWithSources(ctx context.Context, tx *db.Tx, saleID uuid.UUID) (*Sale, error) {
	sale, err := get(ctx, tx, saleID) // what it is made from never changes
	if err != nil {
		return nil, err
	}
	if sale.QuoteID != nil {
		if err := s.quotes.LockSource(ctx, tx, *sale.QuoteID); err != nil {
			return nil, err
		}
	}
	if sale.ServiceOrderID != nil {
		if err := s.serviceOrders.LockSource(ctx, tx, *sale.ServiceOrderID); err != nil {
			return nil, err
		}
	}
	return getForUpdate(ctx, tx, saleID)
}

func (s *Service) releaseSources(ctx context.Context, tx *db.Tx, sale *Sale) error {
	if sale.QuoteID != nil {
		if err := s.quotes.SaleCancelled(ctx, tx, *sale.QuoteID, sale.ID); err != nil {
			return err
		}
	}
	if sale.ServiceOrderID != nil {
		return s.serviceOrders.SaleCancelled(ctx, tx, *sale.ServiceOrderID, sale.ID)
	}
	return nil
}

// Share makes a public link to the sale's receipt and returns its URL, which is
// never seen again. Links made before go on working.
func (s *Service) Share(ctx context.Context, tx *db.Tx, saleID uuid.UUID) (sale *Sale, url string, err error) {
	if sale, err = getForUpdate(ctx, tx, saleID); err != nil {
		return nil, "", err
	}
	token, err := document.NewLink(ctx, tx, Resource, saleID)
	if err != nil {
		return nil, "", err
	}
	if err := s.save(ctx, tx, sale, "sale.shared"); err != nil {
		return nil, "", err
	}
	return sale, s.baseURL + document.LinkPath + token.Reveal(), s.withLines(ctx, tx, sale)
}

// RevokeLink ends every public link of the sale.
func (s *Service) RevokeLink(ctx context.Context, tx *db.Tx, saleID uuid.UUID) (*Sale, error) {
	sale, err := getForUpdate(ctx, tx, saleID)
	if err != nil {
		return nil, err
	}
	if err := document.RevokeLinks(ctx, tx, Resource, saleID); err != nil {
		return nil, err
	}
	if err := s.save(ctx, tx, sale, "sale.link_revoked"); err != nil {
		return nil, err
	}
	return sale, s.withLines(ctx, tx, sale)
}

// OpenLink returns the sale of a public link, or a not_found problem: for a
// token that is not one, or that is revoked.
func (s *Service) OpenLink(ctx context.Context, r db.Reader, token auth.Token) (*Sale, error) {
	link, err := document.FindLink(ctx, r, token)
	if err != nil {
		return nil, err
	}
	if link.Resource != Resource {
		return nil, problem.Missing()
	}
	return s.Get(ctx, r, link.ResourceID)
}

// History returns a page of the changes of a sale's status.
func (s *Service) History(ctx context.Context, r db.Reader, saleID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := get(ctx, r, saleID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, Resource, saleID, p)
}
