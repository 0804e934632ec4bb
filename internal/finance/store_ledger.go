package finance

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

func allCompanies(ctx context.Context, tx *db.Tx) ([]idRow, error) {
	var all []idRow
	if err := tx.Gorm(ctx).Raw(`SELECT id FROM tenants ORDER BY id`).Scan(&all).Error; err != nil {
		return nil, fmt.Errorf("list the companies: %w", err)
	}
	return all, nil
}

// wrongAccount is an account whose kept sums are not those of its movements.
type wrongAccount struct {
	ID                   uuid.UUID
	Moved, Pending       int64
	SumMoved, SumPending int64
}

const wrongAccountsSQL = `
SELECT a.id, a.moved_cents AS moved, a.pending_cents AS pending, s.moved AS sum_moved, s.pending AS sum_pending
FROM financial_accounts a CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE WHEN t.type IN ('income', 'transfer_in') THEN t.paid_cents ELSE -t.paid_cents END)
                    FILTER (WHERE t.status = 'paid'), 0)::bigint AS moved,
           coalesce(sum(CASE WHEN t.type IN ('income', 'transfer_in') THEN t.amount_cents ELSE -t.amount_cents END)
                    FILTER (WHERE t.status = 'pending'), 0)::bigint AS pending
    FROM financial_transactions t WHERE t.tenant_id = @tenant AND t.account_id = a.id
) s
WHERE a.tenant_id = @tenant AND (a.moved_cents <> s.moved OR a.pending_cents <> s.pending)
ORDER BY a.id`

func wrongAccounts(ctx context.Context, r db.Reader) ([]wrongAccount, error) {
	var found []wrongAccount
	if err := r.Gorm(ctx).Raw(wrongAccountsSQL, map[string]any{"tenant": r.TenantID()}).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("verify the accounts: %w", err)
	}
	return found, nil
}

const wrongTransfersSQL = `
SELECT transfer_id AS id FROM financial_transactions
WHERE tenant_id = ? AND transfer_id IS NOT NULL
GROUP BY transfer_id
HAVING count(DISTINCT status) <> 1
    OR count(*) FILTER (WHERE type = 'transfer_in') <> 1 OR count(*) FILTER (WHERE type = 'transfer_out') <> 1
    OR sum(CASE type WHEN 'transfer_in' THEN amount_cents WHEN 'transfer_out' THEN -amount_cents ELSE 0 END) <> 0
ORDER BY transfer_id`

func wrongTransfers(ctx context.Context, r db.Reader) ([]idRow, error) {
	var found []idRow
	if err := r.Gorm(ctx).Raw(wrongTransfersSQL, r.TenantID()).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("verify the transfers: %w", err)
	}
	return found, nil
}
