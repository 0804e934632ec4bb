package sales_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

type reportJSON struct {
	From, To, Group string
	Count           int64
	Total           int64 `json:"total_cents"`
	Paid            int64 `json:"paid_cents"`
	Balance         int64 `json:"balance_cents"`
	Average         int64 `json:"average_cents"`
	Periods         []periodJSON
}

type periodJSON struct {
	From, To string
	Count    int64
	Total    int64 `json:"total_cents"`
}

// report reads a report, and stops the test unless its periods follow each
// other and add up to the whole.
func report(t testing.TB, key *testkit.Client, query string) (r reportJSON) {
	t.Helper()
	key.Get(t, "/reports/sales?"+query).Want(t, 200).Decode(t, &r)
	var count, total int64
	for i, p := range r.Periods {
		if p.To < p.From || i > 0 && p.From <= r.Periods[i-1].To {
			t.Fatalf("%s: period %d is out of order: %+v", query, i, p)
		}
		count, total = count+p.Count, total+p.Total
	}
	if count != r.Count || total != r.Total || r.Balance != r.Total-r.Paid || r.Periods[0].From != r.From || r.Periods[len(r.Periods)-1].To != r.To {
		t.Fatalf("%s: the figures disagree: %+v", query, r)
	}
	return r
}

func soldAt(at string) testkit.M { return testkit.M{"sold_at": at} }

func TestReportSales_CountsLiveSalesByTheCompanysCalendar(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	newSale(t, key, 1, soldAt("2026-01-31T23:59:59.999999-03:00"))         // before
	newSale(t, key, 1000, soldAt("2026-02-01T00:00:00-03:00"))             // the first instant
	paid := newSale(t, key, 200, soldAt("2026-02-28T22:00:00-03:00"))      // in UTC, it is March
	newSale(t, key, 35, soldAt("2026-03-01T00:00:00-03:00"))               // the next month
	newSale(t, key, 7, soldAt("2026-04-01T00:00:00-03:00"))                // after
	cancelled := newSale(t, key, 999, soldAt("2026-02-10T12:00:00-03:00")) // never counts
	pay(t, key, paid, 150).Want(t, 201)                                    // today, long after
	key.Post(t, cancelled+"/cancel", nil).Want(t, 200)

	months := report(t, key, "from=2026-02-01&to=2026-03-31&group=month")
	days := report(t, key, "from=2026-02-01&to=2026-03-31")

	if months.Group != "month" || months.Count != 3 || months.Total != 1235 || months.Paid != 150 || months.Balance != 1085 || months.Average != 412 {
		t.Errorf("got %+v", months)
	}
	if len(months.Periods) != 2 || months.Periods[0] != (periodJSON{"2026-02-01", "2026-02-28", 2, 1200}) ||
		months.Periods[1] != (periodJSON{"2026-03-01", "2026-03-31", 1, 35}) {
		t.Errorf("the months are %+v", months.Periods)
	}
	if days.Group != "day" || len(days.Periods) != 28+31 || days.Total != months.Total || days.Paid != months.Paid || days.Average != months.Average {
		t.Errorf("by day: %+v", days)
	}
	for i, want := range map[int]periodJSON{
		0: {"2026-02-01", "2026-02-01", 1, 1000}, 9: {"2026-02-10", "2026-02-10", 0, 0}, 27: {"2026-02-28", "2026-02-28", 1, 200}, 28: {"2026-03-01", "2026-03-01", 1, 35},
	} {
		if days.Periods[i] != want {
			t.Errorf("day %d: want %+v, got %+v", i, want, days.Periods[i])
		}
	}
	if part := report(t, key, "from=2026-02-28&to=2026-03-05&group=month"); len(part.Periods) != 2 || part.Count != 2 || part.Total != 235 || part.Average != 118 {
		t.Errorf("parts of months: %+v", part)
	}
}

func TestReportSales_GoesByTheCompanysZone(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	key.Server.Database.Exec(t, `UPDATE tenants SET time_zone = 'Pacific/Kiritimati' WHERE id = $1`, key.Tenant.ID) // 14 hours ahead
	newSale(t, key, 100, soldAt("2026-02-28T09:59:59Z"))
	newSale(t, key, 20, soldAt("2026-02-28T10:00:00Z")) // March there

	r := report(t, key, "from=2026-02-01&to=2026-03-31&group=month")

	if r.Periods[0].Total != 100 || r.Periods[1].Total != 20 {
		t.Errorf("got %+v", r.Periods)
	}
}

func TestReportSales_IsBoundedAndOfANewCompanyZero(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	newSale(t, other, 500, soldAt("2026-06-15T12:00:00Z"))

	r := report(t, key, "from=2026-01-01&to=2026-12-31")

	if len(r.Periods) != 365 || r.Count != 0 || r.Total != 0 || r.Paid != 0 || r.Average != 0 {
		t.Errorf("a company without sales: %+v", r)
	}
	if r := report(t, other, "from=2026-01-01&to=2026-12-31&group=month"); r.Count != 1 || r.Total != 500 || len(r.Periods) != 12 {
		t.Errorf("the other company: %+v", r)
	}
	if n := len(report(t, key, "from=2028-01-01&to=2028-12-31").Periods); n != 366 {
		t.Errorf("a leap year: %d days", n)
	}
	if n := len(report(t, key, "from=2026-01-15&to=2028-12-01&group=month").Periods); n != 36 {
		t.Errorf("three years: %d months", n)
	}
	get := func(query string) *testkit.Response { return key.Get(t, "/reports/sales?"+query) }
	get("").WantFieldErrors(t, "?from required", "?to required")
	get("from=2026-01-01&to=2025-12-31").WantFieldErrors(t, "?to before_start")
	get("from=2026-01-01&to=2027-01-02").WantFieldErrors(t, "?to too_long")
	get("from=2026-01-15&to=2029-01-01&group=month").WantFieldErrors(t, "?to too_long")
	get("from=2026-02-30&to=2026-03-01").WantFieldErrors(t, "?from date")
	get("from=2026-01-01&to=2026-01-02&group=week").WantFieldErrors(t, "?group enum")
}

func TestReportSales_NeedsOnlyToReadSales(t *testing.T) {
	t.Parallel()
	tenant := testkit.New(t).Tenant(t)

	tenant.Key(t, "sales:read").Get(t, "/reports/sales?from=2026-01-01&to=2026-01-31").Want(t, 200)
	tenant.Key(t, "finance:read").Get(t, "/reports/sales?from=2026-01-01&to=2026-01-31").WantProblem(t, 403, "forbidden")
}

// TestReportSales_ReadsItsIndex runs the request itself, so the statement, the
// role and its policies are the program's own.
func TestReportSales_ReadsItsIndex(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t)
	srv := testkit.New(t, testkit.WithDatabase(d))
	key := srv.Tenant(t).Key(t)
	d.Exec(t, `INSERT INTO sales (tenant_id, id, number, status, current_version, sold_at, planned_cents, subtotal_cents, discount_total_cents,
			shipping_cents, total_cents, paid_cents, created_at, updated_at, version)
		SELECT $1, gen_random_uuid(), n, CASE n % 10 WHEN 0 THEN 'cancelled' ELSE 'open' END, 1, timestamptz '2020-01-01 12:00Z' + (n % 2500) * interval '1 day',
			100, 100, 0, 0, 100, 0, now(), now(), 1
		FROM generate_series(1, 30000) n`, key.Tenant.ID)
	d.Exec(t, "VACUUM ANALYZE sales")
	srv.Stop()
	d.Reconnect(t)
	const scans = `SELECT coalesce(sum(s.idx_scan), 0)::bigint FROM pg_stat_user_indexes s WHERE s.indexrelname = $1`
	const whole = `SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'sales'`
	byIndex, byTable := testkit.Value[int64](t, d, scans, "sales_sold_at_idx"), testkit.Value[int64](t, d, whole)
	again := testkit.New(t, testkit.WithDatabase(d))

	year := report(t, key.On(again), "from=2025-01-01&to=2025-12-31")
	again.Stop()
	d.AwaitNoOther(t)

	if year.Count == 0 || year.Total != year.Count*100 {
		t.Errorf("got %+v", year)
	}
	if n := testkit.Value[int64](t, d, scans, "sales_sold_at_idx"); n == byIndex {
		t.Error("sales_sold_at_idx is not what is read")
	}
	if n := testkit.Value[int64](t, d, whole); n != byTable {
		t.Error("the table is read whole")
	}
}
