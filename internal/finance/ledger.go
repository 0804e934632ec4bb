package finance

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

// Discrepancy is a place where what is kept is not what the movements add up to.
type Discrepancy struct {
	TenantID uuid.UUID
	What     string
}

// VerifyLedger compares every account of every company with the sum of its
// movements, and the two legs of every transfer with each other. It reads one
// company at a time, as of one moment, and may run beside a working server.
func VerifyLedger(ctx context.Context, pool *db.Pool) (companies int, found []Discrepancy, err error) {
	var tenants []idRow
	err = pool.Global(ctx, func(ctx context.Context, tx *db.Tx) error {
		tenants, err = allCompanies(ctx, tx)
		return err
	})
	for _, tenant := range tenants {
		if err != nil {
			break
		}
		err = pool.Read(ctx, tenant.ID, func(ctx context.Context, r db.Reader) error {
			list, err := VerifyCompany(ctx, r)
			found = append(found, list...)
			return err
		})
	}
	return len(tenants), found, err
}

// VerifyCompany is VerifyLedger for the company of a transaction.
func VerifyCompany(ctx context.Context, r db.Reader) ([]Discrepancy, error) {
	var found []Discrepancy
	accounts, err := wrongAccounts(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		found = append(found, Discrepancy{r.TenantID(), fmt.Sprintf(
			"account %s: paid movements kept %d, added up %d; pending kept %d, added up %d", a.ID, a.Moved, a.SumMoved, a.Pending, a.SumPending)})
	}
	transfers, err := wrongTransfers(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, t := range transfers {
		found = append(found, Discrepancy{r.TenantID(), fmt.Sprintf("transfer %s: its legs do not cancel out", t.ID)})
	}
	return found, nil
}
