package catalog

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// CreateService adds an active service.
func (s *Service) CreateService(ctx context.Context, tx *db.Tx, i ServiceItem) (*ServiceItem, error) {
	i.begin(tx.Now())
	i.Status = StatusActive
	if err := i.validate(); err != nil {
		return nil, err
	}
	if err := insertService(ctx, tx, &i); err != nil {
		return nil, err
	}
	record(ctx, tx, ServiceResource, "created", i.ID)
	return &i, nil
}

// GetService returns a service.
func (s *Service) GetService(ctx context.Context, r db.Reader, serviceID uuid.UUID) (*ServiceItem, error) {
	return getService(ctx, r, serviceID)
}

// ListServices returns a page of services.
func (s *Service) ListServices(ctx context.Context, r db.Reader, f ServiceItemFilter) (page.Result[ServiceItem], error) {
	return listServices(ctx, r, f)
}

// UpdateService changes a service whose version satisfies match.
func (s *Service) UpdateService(ctx context.Context, tx *db.Tx, serviceID uuid.UUID, match etag.Match, ch ServiceItemChanges) (*ServiceItem, error) {
	return s.changeService(ctx, tx, serviceID, match, "updated", func(i *ServiceItem) error {
		i.apply(ch)
		return i.validate()
	})
}

// ChangeServiceStatus archives or unarchives a service.
func (s *Service) ChangeServiceStatus(ctx context.Context, tx *db.Tx, serviceID uuid.UUID, action string) (*ServiceItem, error) {
	return s.changeService(ctx, tx, serviceID, etag.Match{}, action+"d", func(i *ServiceItem) error {
		return life{ServiceResource, i.ID, &i.Status}.act(ctx, tx, action)
	})
}

// DeleteService removes a service that nothing refers to.
func (s *Service) DeleteService(ctx context.Context, tx *db.Tx, serviceID uuid.UUID, match etag.Match) error {
	i, err := serviceForUpdate(ctx, tx, serviceID, match)
	if err != nil {
		return err
	}
	record(ctx, tx, ServiceResource, "deleted", i.ID)
	return removeService(ctx, tx, i)
}

// ReferableService checks that another record may newly refer to a service: it
// exists, and is not archived. Otherwise the error is a 422 at pointer, the
// member that names the service. The service stays so until tx ends.
func (s *Service) ReferableService(ctx context.Context, tx *db.Tx, serviceID uuid.UUID, pointer string) error {
	status, err := serviceStatusForReference(ctx, tx, serviceID)
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

// ServiceHistory returns a page of the changes of a service's status.
func (s *Service) ServiceHistory(ctx context.Context, r db.Reader, serviceID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := getService(ctx, r, serviceID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, ServiceResource, serviceID, p)
}

// changeService locks a service, changes it, and writes it as its next version.
func (s *Service) changeService(ctx context.Context, tx *db.Tx, serviceID uuid.UUID, match etag.Match, done string, f func(*ServiceItem) error) (*ServiceItem, error) {
	i, err := serviceForUpdate(ctx, tx, serviceID, match)
	if err != nil {
		return nil, err
	}
	oldTokens := i.tokens()
	if err := f(i); err != nil {
		return nil, err
	}
	i.advance(tx.Now())
	if err := updateService(ctx, tx, i, oldTokens); err != nil {
		return nil, err
	}
	record(ctx, tx, ServiceResource, done, i.ID)
	return i, nil
}

func serviceForUpdate(ctx context.Context, tx *db.Tx, serviceID uuid.UUID, match etag.Match) (*ServiceItem, error) {
	i, err := getServiceForUpdate(ctx, tx, serviceID)
	if err != nil {
		return nil, err
	}
	return i, match.Check(i.Version)
}
