package finance_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

type wireFlow struct {
	Opening          int64 `json:"opening_cents"`
	In               int64 `json:"in_cents"`
	Out              int64 `json:"out_cents"`
	Closing          int64 `json:"closing_cents"`
	ProjectedOpening int64 `json:"projected_opening_cents"`
	ProjectedIn      int64 `json:"projected_in_cents"`
	ProjectedOut     int64 `json:"projected_out_cents"`
	ProjectedClosing int64 `json:"projected_closing_cents"`
}

type wireCashFlow struct {
	From, To string
	wireFlow
	Periods []struct {
		From, To string
		wireFlow
	}
}

func cashFlow(t testing.TB, key *testkit.Client, query string) wireCashFlow {
	t.Helper()
	var flow wireCashFlow
	key.Get(t, "/reports/cash_flow?"+query).Want(t, 200).Decode(t, &flow)
	return flow
}

func TestCashFlow_ChainsBalancesAndLeavesTransfersOut(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	acct := account(t, key, testkit.M{"opening_balance_cents": 1000})
	paid := func(kind string, amount int, at string) {
		transaction(t, key, testkit.M{"type": kind, "amount_cents": amount, "account_id": acct, "paid_at": at}).Want(t, 201)
	}
	paid("income", 50, "2026-01-10T12:00:00-03:00")     // before
	paid("income", 300, "2026-02-01T00:00:00-03:00")    // the first instant
	paid("expense", 120, "2026-02-28T23:59:59.9-03:00") // the last of the month
	paid("income", 7, "2026-03-01T00:00:00-03:00")
	paid("expense", 5, "2026-04-01T00:00:00-03:00") // after
	pending := func(kind string, amount int, due string) {
		transaction(t, key, testkit.M{"type": kind, "amount_cents": amount, "account_id": acct, "due_date": due}).Want(t, 201)
	}
	pending("income", 40, "2026-01-31") // overdue before
	pending("income", 30, "2026-02-28")
	pending("expense", 20, "2026-03-31")
	pending("expense", 999, "2026-04-01")
	key.Post(t, "/financial_transactions/transfer", testkit.M{
		"from_account_id": acct, "to_account_id": cash(t, key), "amount_cents": 500, "date": "2026-02-15", "fee_cents": 2,
	}).Want(t, 201)

	flow := cashFlow(t, key, "from=2026-02-01&to=2026-03-31&group=month")

	months := []wireFlow{
		{Opening: 1050, In: 300, Out: 122, Closing: 1228, ProjectedOpening: 1090, ProjectedIn: 30, ProjectedOut: 0, ProjectedClosing: 1298},
		{Opening: 1228, In: 7, Out: 0, Closing: 1235, ProjectedOpening: 1298, ProjectedIn: 0, ProjectedOut: 20, ProjectedClosing: 1285},
	}
	for i, p := range flow.Periods {
		if p.wireFlow != months[i] {
			t.Errorf("month %d: want %+v, got %+v", i+1, months[i], p.wireFlow)
		}
	}
	if want := (wireFlow{1050, 307, 122, 1235, 1090, 30, 20, 1285}); flow.wireFlow != want {
		t.Errorf("the whole: want %+v, got %+v", want, flow.wireFlow)
	}
	days := cashFlow(t, key, "from=2026-02-01&to=2026-03-31")
	if len(days.Periods) != 28+31 || days.wireFlow != flow.wireFlow || days.Periods[27].Out != 120 || days.Periods[0].In != 300 {
		t.Errorf("by day: %+v", days)
	}
	for i := 1; i < len(days.Periods); i++ {
		if days.Periods[i].Opening != days.Periods[i-1].Closing || days.Periods[i].ProjectedOpening != days.Periods[i-1].ProjectedClosing {
			t.Fatalf("day %d does not begin where the one before ends", i)
		}
	}
	if part := cashFlow(t, key, "from=2026-02-10&to=2026-03-05&group=month"); part.Periods[0].From != "2026-02-10" ||
		part.Periods[0].To != "2026-02-28" || part.Periods[1].To != "2026-03-05" || part.Opening != 1350 {
		t.Errorf("parts of months: %+v", part)
	}
}

func TestCashFlow_IsBoundedAndOfANewCompanyZero(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)

	if flow := cashFlow(t, key, "from=2026-01-01&to=2026-12-31"); flow.wireFlow != (wireFlow{}) || len(flow.Periods) != 365 {
		t.Errorf("a new company: %+v", flow.wireFlow)
	}
	if n := len(cashFlow(t, key, "from=2028-01-01&to=2028-12-31").Periods); n != 366 {
		t.Errorf("a leap year: %d days", n)
	}
	if n := len(cashFlow(t, key, "from=2026-01-15&to=2028-12-01&group=month").Periods); n != 36 {
		t.Errorf("three years: %d months", n)
	}
	get := func(query string) *testkit.Response { return key.Get(t, "/reports/cash_flow?"+query) }
	get("").WantFieldErrors(t, "?from required", "?to required")
	get("from=2026-01-01&to=2025-12-31").WantFieldErrors(t, "?to before_start")
	get("from=2026-01-01&to=2027-01-02").WantFieldErrors(t, "?to too_long")
	get("from=2026-01-15&to=2029-01-01&group=month").WantFieldErrors(t, "?to too_long")
	get("from=1900-01-01&to=2200-12-31").WantFieldErrors(t, "?to too_long")
	get("from=2026-02-30&to=2026-03-01").WantFieldErrors(t, "?from date")
	get("from=2026-01-01&to=2026-01-02&group=week").WantFieldErrors(t, "?group enum")
}

func TestReceivables_ByAgeOfWhatIsOverdue(t *testing.T) {
	t.Parallel()
	srv, _ := serverAt(t, "2026-06-01T02:59:00Z") // 31 May in São Paulo
	key := srv.Tenant(t).Key(t)
	for i, due := range []string{
		"2026-05-31", "2026-06-01", // today and tomorrow
		"2026-05-30", "2026-05-01", // 1 and 30 days
		"2026-04-30", "2026-04-01", // 31 and 60
		"2026-03-31", "2026-03-02", // 61 and 90
		"2026-03-01", "2020-01-01", // 91 and many
	} {
		transaction(t, key, testkit.M{"due_date": due, "amount_cents": 1 << i}).Want(t, 201)
	}
	transaction(t, key, testkit.M{"type": "expense", "due_date": "2026-01-01"}).Want(t, 201)
	transaction(t, key, testkit.M{"due_date": "2026-01-01", "paid_at": paidAt}).Want(t, 201)

	var got struct {
		AsOf              string `json:"as_of"`
		Overdue, Upcoming struct {
			Count int64
			Total int64 `json:"total_cents"`
		}
		Bands []struct {
			From  int  `json:"from_days"`
			To    *int `json:"to_days"`
			Count int64
			Total int64 `json:"total_cents"`
		}
	}
	key.Get(t, "/reports/receivables").Want(t, 200).Decode(t, &got)

	if got.AsOf != "2026-05-31" || got.Upcoming.Total != 1+2 || got.Upcoming.Count != 2 || got.Overdue.Total != 1023-3 || got.Overdue.Count != 8 {
		t.Errorf("%+v", got)
	}
	for i, want := range []int64{4 + 8, 16 + 32, 64 + 128, 256 + 512} {
		if b := got.Bands[i]; b.Total != want || b.Count != 2 || b.From != 30*i+1 || (b.To == nil) != (i == 3) {
			t.Errorf("band %d: %+v", i, b)
		}
	}
}

func TestReports_ReadTheirIndexesAsTheServersRole(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithDatabase(testkit.NewDatabase(t)))
	key := srv.Tenant(t).Key(t)
	d := srv.Database
	d.Exec(t, `INSERT INTO financial_transactions (tenant_id, id, type, status, amount_cents, description, due_date, competence_date, account_id,
			paid_at, interest_cents, discount_cents, fee_cents, paid_cents, created_at, updated_at, version)
		SELECT a.tenant_id, gen_random_uuid(), CASE n % 2 WHEN 0 THEN 'income' ELSE 'expense' END, CASE n % 10 WHEN 0 THEN 'pending' ELSE 'paid' END,
			100, 'x', date '2020-01-01' + n % 2500, date '2020-01-01' + n % 2500, a.id,
			CASE n % 10 WHEN 0 THEN NULL ELSE timestamptz '2020-01-01' + (n % 2500) * interval '1 day' END, 0, 0, 0,
			CASE n % 10 WHEN 0 THEN NULL ELSE 100 END, now(), now(), 1
		FROM financial_accounts a, generate_series(1, 30000) n WHERE a.tenant_id = $1`, key.Tenant.ID)
	conn := d.Connect(t)
	run := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	run("ANALYZE financial_transactions")
	var plans []string
	explain := func(sql string) {
		t.Helper()
		rows, err := conn.Query(context.Background(), "EXPLAIN "+sql)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			plans = append(plans, line)
		}
	}
	run(fmt.Sprintf("BEGIN; SET LOCAL ROLE fh_app; SET LOCAL app.tenant_id = '%s'", key.Tenant.ID))
	tenant := key.Tenant.ID.String()
	explain(`SELECT width_bucket(paid_at, ARRAY[timestamptz '2026-01-01', '2026-02-01']), sum(paid_cents) FILTER (WHERE type = 'income')
		FROM financial_transactions WHERE tenant_id = '` + tenant + `' AND status = 'paid' AND paid_at >= '2026-01-01' GROUP BY 1`)
	explain(`SELECT count(*), sum(amount_cents) FROM financial_transactions
		WHERE tenant_id = '` + tenant + `' AND status = 'pending' AND type = 'income' GROUP BY due_date >= '2026-01-01'`)

	all := strings.Join(plans, "\n")
	for _, index := range []string{"financial_transactions_paid_at_idx", "financial_transactions_pending_idx"} {
		if !strings.Contains(all, index) {
			t.Errorf("%s is not what is read:\n%s", index, all)
		}
	}
	if slices.ContainsFunc(plans, func(line string) bool { return strings.Contains(line, "Seq Scan on financial_transactions") }) {
		t.Errorf("the table is read whole:\n%s", all)
	}
	if flow := cashFlow(t, key, "from=2020-01-01&to=2020-12-31"); flow.In+flow.Out == 0 {
		t.Error("the report is empty")
	}
}
