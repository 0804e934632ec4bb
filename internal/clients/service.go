package clients

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// Service holds the rules of clients and their addresses.
type Service struct{}

// NewService returns the service.
func NewService() *Service { return &Service{} }

// Create adds an active client, with the addresses that came with it.
func (s *Service) Create(ctx context.Context, tx *db.Tx, c Client) (*Client, error) {
	c.ID, c.Status, c.Version = id.New(), StatusActive, 1
	c.CreatedAt, c.UpdatedAt = tx.Now(), tx.Now()
	c.settle()
	if err := c.validate(today(ctx, tx)); err != nil {
		return nil, err
	}
	if err := insert(ctx, tx, &c); err != nil {
		return nil, err
	}
	for i := range c.Addresses {
		s.born(tx, c.ID, &c.Addresses[i])
	}
	if err := insertAddresses(ctx, tx, c.Addresses); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "client.created", Resource: Resource, ResourceID: c.ID})
	return &c, nil
}

// Get returns a client with its addresses.
func (s *Service) Get(ctx context.Context, r db.Reader, clientID uuid.UUID) (*Client, error) {
	c, err := get(ctx, r, clientID)
	if err != nil {
		return nil, err
	}
	return c, s.withAddresses(ctx, r, c)
}

// List returns a page of clients, with their addresses.
func (s *Service) List(ctx context.Context, r db.Reader, f Filter) (page.Result[Client], error) {
	result, err := list(ctx, r, f)
	if err != nil || len(result.Items) == 0 {
		return result, err
	}
	ids := make([]uuid.UUID, len(result.Items))
	for i, c := range result.Items {
		ids[i] = c.ID
	}
	addresses, err := addressesOf(ctx, r, ids...)
	for i := range result.Items {
		result.Items[i].Addresses = addresses[result.Items[i].ID]
	}
	return result, err
}

// Update changes a client whose version satisfies match.
func (s *Service) Update(ctx context.Context, tx *db.Tx, clientID uuid.UUID, match etag.Match, ch Changes) (*Client, error) {
	return s.change(ctx, tx, clientID, match, "client.updated", func(c *Client) error {
		c.apply(ch)
		return c.validate(today(ctx, tx))
	})
}

// ChangeStatus archives or unarchives a client.
func (s *Service) ChangeStatus(ctx context.Context, tx *db.Tx, clientID uuid.UUID, action string) (*Client, error) {
	return s.change(ctx, tx, clientID, etag.Match{}, "client."+action+"d", func(c *Client) error {
		to, err := statuses().Next(action, c.Status)
		if err != nil {
			return err
		}
		history.Record(ctx, tx, history.Change{Resource: Resource, ResourceID: c.ID, Action: action, From: c.Status, To: to})
		c.Status = to
		return nil
	})
}

// Anonymize removes what tells who a client is, for good, and archives it: the
// documents that name it keep their figures. Only the id and the dates stay.
func (s *Service) Anonymize(ctx context.Context, tx *db.Tx, clientID uuid.UUID) (*Client, error) {
	if err := removeAddresses(ctx, tx, clientID); err != nil {
		return nil, err
	}
	return s.change(ctx, tx, clientID, etag.Match{}, "client.anonymized", func(c *Client) error {
		if c.Status != StatusArchived {
			history.Record(ctx, tx, history.Change{Resource: Resource, ResourceID: c.ID, Action: "anonymize", From: c.Status, To: StatusArchived})
		}
		*c = Client{
			ID: c.ID, Kind: c.Kind, Name: "Cliente anonimizado", Status: StatusArchived, Tags: db.Texts{}, Metadata: meta.Map{},
			CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, Version: c.Version,
		}
		return nil
	})
}

// Delete removes a client that nothing refers to, with its addresses.
func (s *Service) Delete(ctx context.Context, tx *db.Tx, clientID uuid.UUID, match etag.Match) error {
	c, err := getForUpdate(ctx, tx, clientID)
	if err != nil {
		return err
	}
	if err := match.Check(c.Version); err != nil {
		return err
	}
	audit.Record(ctx, tx, audit.Event{Action: "client.deleted", Resource: Resource, ResourceID: clientID})
	return remove(ctx, tx, c)
}

// Referable checks that another record may newly refer to a client: it exists,
// and is not archived. Otherwise the error is a 422 at pointer, the member that
// names the client. The client stays so until tx ends.
func (s *Service) Referable(ctx context.Context, tx *db.Tx, clientID uuid.UUID, pointer string) error {
	status, err := statusForReference(ctx, tx, clientID)
	switch {
	case err != nil:
		return err
	case status == "":
		return problem.Invalid(problem.UnknownReference(pointer))
	case status == StatusArchived:
		return problem.Invalid(problem.ArchivedReference(pointer))
	}
	return nil
}

// History returns a page of the changes of a client's status.
func (s *Service) History(ctx context.Context, r db.Reader, clientID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := get(ctx, r, clientID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, Resource, clientID, p)
}

// change locks a client, changes it, and writes it as its next version.
func (s *Service) change(ctx context.Context, tx *db.Tx, clientID uuid.UUID, match etag.Match, action string, f func(*Client) error) (*Client, error) {
	c, err := getForUpdate(ctx, tx, clientID)
	if err != nil {
		return nil, err
	}
	if err := match.Check(c.Version); err != nil {
		return nil, err
	}
	oldTokens := c.tokens()
	if err := f(c); err != nil {
		return nil, err
	}
	c.Version++
	c.UpdatedAt = tx.Now()
	if err := update(ctx, tx, c, oldTokens); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: action, Resource: Resource, ResourceID: c.ID})
	return c, s.withAddresses(ctx, tx, c)
}

func (s *Service) withAddresses(ctx context.Context, r db.Reader, c *Client) error {
	addresses, err := addressesOf(ctx, r, c.ID)
	c.Addresses = addresses[c.ID]
	return err
}

// CreateAddress adds an address to a client.
func (s *Service) CreateAddress(ctx context.Context, tx *db.Tx, clientID uuid.UUID, a Address) (*Address, error) {
	if _, err := getForUpdate(ctx, tx, clientID); err != nil {
		return nil, err
	}
	n, err := countAddresses(ctx, tx, clientID)
	if err != nil {
		return nil, err
	}
	if n >= MaxAddresses {
		return nil, problem.Conflicting("too_many_addresses", problem.Tf(
			"Um cliente tem no máximo %d endereços.", "A client has at most %d addresses.", MaxAddresses))
	}
	s.born(tx, clientID, &a)
	if err := s.makeDefault(ctx, tx, &a); err != nil {
		return nil, err
	}
	if err := insertAddresses(ctx, tx, []Address{a}); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "client_address.created", Resource: "client_address", ResourceID: a.ID})
	return &a, nil
}

// GetAddress returns an address of a client.
func (s *Service) GetAddress(ctx context.Context, r db.Reader, clientID, addressID uuid.UUID) (*Address, error) {
	return getAddress(ctx, r, clientID, addressID)
}

// ListAddresses returns a page of a client's addresses.
func (s *Service) ListAddresses(ctx context.Context, r db.Reader, f AddressFilter) (page.Result[Address], error) {
	if _, err := get(ctx, r, f.ClientID); err != nil {
		return page.Result[Address]{}, err
	}
	return listAddresses(ctx, r, f)
}

// UpdateAddress changes an address whose version satisfies match.
func (s *Service) UpdateAddress(ctx context.Context, tx *db.Tx, clientID, addressID uuid.UUID, match etag.Match, ch AddressChanges) (*Address, error) {
	a, err := s.addressForUpdate(ctx, tx, clientID, addressID, match)
	if err != nil {
		return nil, err
	}
	a.apply(ch)
	var f problem.Fields
	a.validate("", &f)
	if err := f.Err(); err != nil {
		return nil, err
	}
	if err := s.makeDefault(ctx, tx, a); err != nil {
		return nil, err
	}
	a.Version++
	a.UpdatedAt = tx.Now()
	if err := updateAddress(ctx, tx, a); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "client_address.updated", Resource: "client_address", ResourceID: a.ID})
	return a, nil
}

// DeleteAddress removes an address that nothing refers to.
func (s *Service) DeleteAddress(ctx context.Context, tx *db.Tx, clientID, addressID uuid.UUID, match etag.Match) error {
	a, err := s.addressForUpdate(ctx, tx, clientID, addressID, match)
	if err != nil {
		return err
	}
	audit.Record(ctx, tx, audit.Event{Action: "client_address.deleted", Resource: "client_address", ResourceID: a.ID})
	return db.Delete[addressRow](ctx, tx, a.ID)
}

// addressForUpdate reads an address under its client's lock.
func (s *Service) addressForUpdate(ctx context.Context, tx *db.Tx, clientID, addressID uuid.UUID, match etag.Match) (*Address, error) {
	if _, err := getForUpdate(ctx, tx, clientID); err != nil {
		return nil, err
	}
	a, err := getAddress(ctx, tx, clientID, addressID)
	if err != nil {
		return nil, err
	}
	return a, match.Check(a.Version)
}

// makeDefault moves the default mark of the address's kind to it, if it asks for it.
func (s *Service) makeDefault(ctx context.Context, tx *db.Tx, a *Address) error {
	if !a.IsDefault {
		return nil
	}
	return clearDefault(ctx, tx, a.ClientID, a.Kind)
}

func (s *Service) born(tx *db.Tx, clientID uuid.UUID, a *Address) {
	a.ID, a.ClientID, a.Version = id.New(), clientID, 1
	a.CreatedAt, a.UpdatedAt = tx.Now(), tx.Now()
}

// today tells the tenant's calendar date at the transaction's instant.
func today(ctx context.Context, tx *db.Tx) func() civil.Date {
	return func() civil.Date { return civil.DateOf(tx.Now(), auth.CallerFrom(ctx).Location()) }
}
