package finance

import (
	"context"
	"fmt"
	"time"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
)

// flowSQL is one statement, so that the balance and the movements are of one
// moment. The periods' bounds come from the company's calendar, and the database
// only sorts into them: bucket 0 is before the first.
const flowSQL = `
SELECT 'balance' AS what, 0 AS bucket, coalesce(sum(opening_balance_cents + moved_cents), 0)::bigint AS money_in, 0::bigint AS money_out
FROM financial_accounts WHERE tenant_id = @tenant
UNION ALL
SELECT 'paid', width_bucket(paid_at, CAST(@instants AS timestamptz[])),
       coalesce(sum(paid_cents) FILTER (WHERE type = 'income'), 0)::bigint, coalesce(sum(paid_cents) FILTER (WHERE type = 'expense'), 0)::bigint
FROM financial_transactions WHERE tenant_id = @tenant AND status = 'paid' AND paid_at >= @from_instant GROUP BY 2
UNION ALL
SELECT 'pending', width_bucket(due_date, CAST(@days AS date[])),
       coalesce(sum(amount_cents) FILTER (WHERE type = 'income'), 0)::bigint, coalesce(sum(amount_cents) FILTER (WHERE type = 'expense'), 0)::bigint
FROM financial_transactions WHERE tenant_id = @tenant AND status = 'pending' AND due_date < @end_day GROUP BY 2`

func sumFlow(ctx context.Context, r db.Reader, d civil.Division, zone *time.Location) (flowSums, error) {
	bounds, instants := d.Bounds(), d.Instants(zone)
	var days db.Texts
	for _, day := range bounds {
		days = append(days, day.String())
	}
	var rows []struct {
		What              string
		Bucket            int
		MoneyIn, MoneyOut int64
	}
	err := r.Gorm(ctx).Raw(flowSQL, map[string]any{
		"tenant": r.TenantID(), "instants": db.Instants(instants), "days": days,
		"from_instant": instants[0], "end_day": bounds[len(bounds)-1],
	}).Scan(&rows).Error
	if err != nil {
		return flowSums{}, fmt.Errorf("sum the cash flow: %w", err)
	}
	sums := flowSums{paid: make([]inOut, len(bounds)+1), pending: make([]inOut, len(bounds)+1)}
	for _, row := range rows {
		switch row.What {
		case "balance":
			sums.balance = row.MoneyIn
		case "paid":
			sums.paid[row.Bucket] = inOut{row.MoneyIn, row.MoneyOut}
		case "pending":
			sums.pending[row.Bucket] = inOut{row.MoneyIn, row.MoneyOut}
		}
	}
	return sums, nil
}

const receivablesSQL = `
SELECT CASE WHEN due_date >= @today THEN 0 WHEN due_date >= @d30 THEN 1 WHEN due_date >= @d60 THEN 2 WHEN due_date >= @d90 THEN 3 ELSE 4 END AS band,
       count(*) AS number, sum(amount_cents)::bigint AS cents
FROM financial_transactions WHERE tenant_id = @tenant AND status = 'pending' AND type = 'income' GROUP BY 1`

// sumReceivables returns the pending income: upcoming, then by bands of 30 days
// overdue, the fourth without an end.
func sumReceivables(ctx context.Context, r db.Reader, today civil.Date) (bands [5]Sum, err error) {
	var rows []struct {
		Band          int
		Number, Cents int64
	}
	err = r.Gorm(ctx).Raw(receivablesSQL, map[string]any{
		"tenant": r.TenantID(), "today": today, "d30": today.AddDays(-30), "d60": today.AddDays(-60), "d90": today.AddDays(-90),
	}).Scan(&rows).Error
	if err != nil {
		return bands, fmt.Errorf("sum the receivables: %w", err)
	}
	for _, row := range rows {
		bands[row.Band] = Sum{row.Number, row.Cents}
	}
	return bands, nil
}
