package clients

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// addressRow is an address as its table holds it.
type addressRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Address  `gorm:"embedded"`
}

// TableName names the table.
func (addressRow) TableName() string { return "client_addresses" }

func insertAddresses(ctx context.Context, tx *db.Tx, addresses []Address) error {
	if len(addresses) == 0 {
		return nil
	}
	rows := make([]addressRow, len(addresses))
	for i, a := range addresses {
		rows[i] = addressRow{tx.TenantID(), a}
	}
	return db.Insert(ctx, tx, &rows, conflict)
}

// getAddress reads an address of one client: under another client's id it does
// not exist.
func getAddress(ctx context.Context, r db.Reader, clientID, id uuid.UUID) (*Address, error) {
	row, err := db.Get[addressRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	if row.ClientID != clientID {
		return nil, problem.Missing()
	}
	return &row.Address, nil
}

func updateAddress(ctx context.Context, tx *db.Tx, a *Address) error {
	if err := db.Update(ctx, tx, &addressRow{tx.TenantID(), *a}, a.ID); err != nil {
		return conflict(fmt.Errorf("update address %s: %w", a.ID, err))
	}
	return nil
}

// clearDefault takes the default mark from the client's address of this kind.
func clearDefault(ctx context.Context, tx *db.Tx, clientID uuid.UUID, kind string) error {
	err := tx.Gorm(ctx).Exec(`UPDATE client_addresses SET is_default = false, version = version + 1, updated_at = ?
		WHERE tenant_id = ? AND client_id = ? AND kind = ? AND is_default`, tx.Now(), tx.TenantID(), clientID, kind).Error
	if err != nil {
		return fmt.Errorf("clear the default address of client %s: %w", clientID, err)
	}
	return nil
}

func countAddresses(ctx context.Context, r db.Reader, clientID uuid.UUID) (int64, error) {
	var n int64
	err := r.Gorm(ctx).Model(&addressRow{}).Where("tenant_id = ? AND client_id = ?", r.TenantID(), clientID).Count(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count the addresses of client %s: %w", clientID, err)
	}
	return n, nil
}

// addressesOf reads the addresses of several clients at once, oldest first.
func addressesOf(ctx context.Context, r db.Reader, clientIDs ...uuid.UUID) (map[uuid.UUID][]Address, error) {
	var rows []addressRow
	err := r.Gorm(ctx).Where("tenant_id = ? AND client_id IN ?", r.TenantID(), clientIDs).
		Order("client_id, created_at, id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read addresses: %w", err)
	}
	byClient := make(map[uuid.UUID][]Address, len(clientIDs))
	for _, row := range rows {
		byClient[row.ClientID] = append(byClient[row.ClientID], row.Address)
	}
	return byClient, nil
}

func removeAddresses(ctx context.Context, tx *db.Tx, clientID uuid.UUID) error {
	err := tx.Gorm(ctx).Where("tenant_id = ? AND client_id = ?", tx.TenantID(), clientID).Delete(&addressRow{}).Error
	if err != nil {
		return fmt.Errorf("delete the addresses of client %s: %w", clientID, err)
	}
	return nil
}

func listAddresses(ctx context.Context, r db.Reader, f AddressFilter) (page.Result[Address], error) {
	q := r.Gorm(ctx).Model(&addressRow{}).Where("tenant_id = ? AND client_id = ?", r.TenantID(), f.ClientID)
	if f.Kind != "" {
		q = q.Where("kind = ?", f.Kind)
	}
	var rows []addressRow
	if err := db.Keyset(f.Apply(q), f.Page, db.WithTimes(nil)).Find(&rows).Error; err != nil {
		return page.Result[Address]{}, fmt.Errorf("list the addresses of client %s: %w", f.ClientID, err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row addressRow) page.Position {
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row addressRow) Address { return row.Address }), nil
}
