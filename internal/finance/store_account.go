package finance

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// accountRow is an account as its table holds it.
type accountRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Account  `gorm:"embedded"`
}

// TableName names the table.
func (accountRow) TableName() string { return "financial_accounts" }

// increaseAccount is the only writer of an account's sums.
var increaseAccount = db.Statement{Name: "financial_account_increase", SQL: `
UPDATE financial_accounts SET moved_cents = moved_cents + $3, pending_cents = pending_cents + $4
WHERE tenant_id = $1 AND id = $2`}

// lockCompany makes changes of what is one per company, the default account and
// the shape of the category tree, wait for each other. Foreign keys to the
// company do not wait for this lock, so other writes go on.
func lockCompany(ctx context.Context, tx *db.Tx) error {
	if err := tx.Gorm(ctx).Exec(`SELECT id FROM tenants WHERE id = ? FOR NO KEY UPDATE`, tx.TenantID()).Error; err != nil {
		return fmt.Errorf("lock the company: %w", err)
	}
	return nil
}

func insertAccount(ctx context.Context, tx *db.Tx, a *Account) error {
	return db.Insert(ctx, tx, &accountRow{tx.TenantID(), *a}, accountConflict)
}

func getAccount(ctx context.Context, r db.Reader, id uuid.UUID) (*Account, error) {
	row, err := db.Get[accountRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Account, nil
}

func getAccountForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Account, error) {
	row, err := db.GetForUpdate[accountRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Account, nil
}

func updateAccount(ctx context.Context, tx *db.Tx, a *Account) error {
	if err := db.Update(ctx, tx, &accountRow{tx.TenantID(), *a}, a.ID); err != nil {
		return accountConflict(fmt.Errorf("update account %s: %w", a.ID, err))
	}
	return nil
}

// clearDefaultAccount takes the default mark from the account that has it.
func clearDefaultAccount(ctx context.Context, tx *db.Tx) error {
	err := tx.Gorm(ctx).Exec(`UPDATE financial_accounts SET is_default = false, version = version + 1, updated_at = ?
		WHERE tenant_id = ? AND is_default`, tx.Now(), tx.TenantID()).Error
	if err != nil {
		return fmt.Errorf("clear the default account: %w", err)
	}
	return nil
}

// idRow is a result of one id; gorm would take a bare UUID for a list of bytes.
type idRow struct{ ID uuid.UUID }

// defaultAccount returns the account that is used where none is named.
func defaultAccount(ctx context.Context, r db.Reader) (uuid.UUID, error) {
	var found idRow
	err := r.Gorm(ctx).Raw(`SELECT id FROM financial_accounts WHERE tenant_id = ? AND is_default`, r.TenantID()).Scan(&found).Error
	if err != nil {
		return uuid.Nil, fmt.Errorf("look for the default account: %w", err)
	}
	return found.ID, nil
}

// accountExists reports whether the company has the account.
func accountExists(ctx context.Context, r db.Reader, id uuid.UUID) (bool, error) {
	var found idRow
	err := r.Gorm(ctx).Raw(`SELECT id FROM financial_accounts WHERE tenant_id = ? AND id = ?`, r.TenantID(), id).Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("look for account %s: %w", id, err)
	}
	return found.ID == id, nil
}

func listAccounts(ctx context.Context, r db.Reader, f AccountFilter) (page.Result[Account], error) {
	q := f.Apply(r.Gorm(ctx).Model(&accountRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Kind != "" {
		q = q.Where("kind = ?", f.Kind)
	}
	var rows []accountRow
	if err := db.Keyset(q, f.Page, db.WithTimes(nil)).Find(&rows).Error; err != nil {
		return page.Result[Account]{}, fmt.Errorf("list accounts: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row accountRow) page.Position {
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row accountRow) Account { return row.Account }), nil
}

func accountConflict(err error) error {
	if v, ok := db.Violated(err, db.Unique); ok && strings.HasPrefix(v.Constraint, "financial_accounts_name_key") {
		return problem.Exists("/name", problem.T("Outra conta tem este nome.", "Another account has this name."))
	}
	return db.ExternalID(err)
}

// zoneOf returns the IANA name of the company's time zone, for what has no caller.
func zoneOf(ctx context.Context, r db.Reader) (string, error) {
	var found struct{ TimeZone string }
	err := r.Gorm(ctx).Raw(`SELECT time_zone FROM tenants WHERE id = ?`, r.TenantID()).Scan(&found).Error
	if err != nil {
		return "", fmt.Errorf("read the company's time zone: %w", err)
	}
	return found.TimeZone, nil
}
