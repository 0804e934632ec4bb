package sales

import (
	"context"
	"fmt"
	"time"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
)

// reportSQL sorts sales into periods, whose bounds come from the company's
// calendar: bucket 1 is the first.
const reportSQL = `
SELECT width_bucket(sold_at, CAST(@instants AS timestamptz[])) AS bucket,
       count(*) AS count, sum(total_cents)::bigint AS total, sum(paid_cents)::bigint AS paid
FROM sales
WHERE tenant_id = @tenant AND sold_at >= @from_instant AND sold_at < @end_instant AND status <> 'cancelled'
GROUP BY 1`

// sumSales returns the sums of the periods, in their order.
func sumSales(ctx context.Context, r db.Reader, d civil.Division, zone *time.Location) ([]Sum, error) {
	instants := d.Instants(zone)
	var rows []struct {
		Bucket int
		Sum    `gorm:"embedded"`
	}
	err := r.Gorm(ctx).Raw(reportSQL, map[string]any{
		"tenant": r.TenantID(), "instants": db.Instants(instants),
		"from_instant": instants[0], "end_instant": instants[len(instants)-1],
	}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("sum the sales: %w", err)
	}
	sums := make([]Sum, len(d.Periods))
	for _, row := range rows {
		sums[row.Bucket-1] = row.Sum
	}
	return sums, nil
}
