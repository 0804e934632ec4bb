package finance

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

// TransactionsOfSales is SaleTransactions of several sales at once, in one query.
func (s *Service) TransactionsOfSales(ctx context.Context, r db.Reader, saleIDs ...uuid.UUID) (map[uuid.UUID][]Transaction, error) {
	bySale := make(map[uuid.UUID][]Transaction, len(saleIDs))
	if len(saleIDs) == 0 {
		return bySale, nil
	}
	list, err := allTransactions(r.Gorm(ctx).Where("tenant_id = ? AND sale_id IN ?", r.TenantID(), saleIDs).Order("sale_id, due_date, id"))
	if err != nil {
		return nil, err
	}
	markOverdue(list, today(ctx, r))
	for _, t := range list {
		bySale[*t.SaleID] = append(bySale[*t.SaleID], t)
	}
	return bySale, nil
}
