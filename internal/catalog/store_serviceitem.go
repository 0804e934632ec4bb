package catalog

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/search"
)

// serviceRow is a service as its table holds it.
type serviceRow struct {
	TenantID    uuid.UUID `gorm:"primaryKey"`
	ServiceItem `gorm:"embedded"`
	NameSort    string
}

// TableName names the table.
func (serviceRow) TableName() string { return "services" }

func toServiceRow(tenant uuid.UUID, i *ServiceItem) *serviceRow {
	return &serviceRow{TenantID: tenant, ServiceItem: *i, NameSort: nameSort(i.Name)}
}

func insertService(ctx context.Context, tx *db.Tx, i *ServiceItem) error {
	if err := db.Insert(ctx, tx, toServiceRow(tx.TenantID(), i), conflict); err != nil {
		return err
	}
	search.Index(tx, ServiceResource, i.ID, i.tokens())
	return nil
}

func getService(ctx context.Context, r db.Reader, id uuid.UUID) (*ServiceItem, error) {
	row, err := db.Get[serviceRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.ServiceItem, nil
}

func getServiceForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*ServiceItem, error) {
	row, err := db.GetForUpdate[serviceRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.ServiceItem, nil
}

// serviceStatusForReference reads a service's status, "" for a service that does
// not exist. Until the transaction ends it is neither archived nor deleted.
func serviceStatusForReference(ctx context.Context, tx *db.Tx, id uuid.UUID) (status string, err error) {
	err = tx.Gorm(ctx).Raw("SELECT status FROM services WHERE tenant_id = ? AND id = ? FOR KEY SHARE", tx.TenantID(), id).Scan(&status).Error
	if err != nil {
		return "", fmt.Errorf("read the status of service %s: %w", id, err)
	}
	return status, nil
}

// updateService writes all of i's members, under the lock that
// getServiceForUpdate took. The words by which it was found before are replaced.
func updateService(ctx context.Context, tx *db.Tx, i *ServiceItem, oldTokens []string) error {
	if err := db.Update(ctx, tx, toServiceRow(tx.TenantID(), i), i.ID); err != nil {
		return conflict(fmt.Errorf("update service %s: %w", i.ID, err))
	}
	search.Reindex(tx, ServiceResource, i.ID, oldTokens, i.tokens())
	return nil
}

func removeService(ctx context.Context, tx *db.Tx, i *ServiceItem) error {
	if err := db.Delete[serviceRow](ctx, tx, i.ID); err != nil {
		return fmt.Errorf("delete service %s: %w", i.ID, err)
	}
	search.Remove(tx, ServiceResource, i.ID, i.tokens())
	return nil
}

func listServices(ctx context.Context, r db.Reader, f ServiceItemFilter) (page.Result[ServiceItem], error) {
	q := f.Apply(r.Gorm(ctx).Model(&serviceRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.CategoryID != nil {
		q = q.Where("category_id = ?", *f.CategoryID)
	}
	if f.Query != "" {
		q = search.Match(q, r.TenantID(), ServiceResource, f.Query)
	}
	result, err := listRows(q, f.Page,
		func(row serviceRow) Record { return row.Record }, func(row serviceRow) string { return row.NameSort })
	return page.Map(result, func(row serviceRow) ServiceItem { return row.ServiceItem }), err
}
