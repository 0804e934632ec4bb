package finance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/testkit"
)

func installments(total, count any, more ...testkit.M) testkit.M {
	return merged(testkit.M{
		"type": "expense", "description": "Notebook", "total_cents": total, "count": count, "first_due_date": "2026-01-31",
	}, more)
}

func TestInstallments_AddUpToTheTotalTheFirstOnesCarryingTheCents(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	for _, c := range []struct {
		total, count int
		first, last  int64
		larger       int
	}{
		{10000, 3, 3334, 3333, 1},
		{100000, 7, 14286, 14285, 5},
		{10, 3, 4, 3, 1},
		{9999, 12, 834, 833, 3},
		{80000, 12, 6667, 6666, 8},
		{2, 2, 1, 1, 2},
		{120, 120, 1, 1, 120},
		{99_999_999_999, 2, 50_000_000_000, 49_999_999_999, 1},
	} {
		idem := testkit.NewKey()
		made := key.Post(t, "/financial_transactions/installments", installments(c.total, c.count), testkit.Key(idem)).Want(t, 201)

		parts := amounts(read[[]wireTransaction](t, made.JSON()["transactions"]))
		sum, larger := int64(0), 0
		for i, part := range parts {
			sum += part
			if part == c.first {
				larger++
			}
			if i > 0 && parts[i-1] < part {
				t.Errorf("%d in %d: a later part is larger: %v", c.total, c.count, parts)
			}
		}
		if sum != int64(c.total) || len(parts) != c.count || parts[0] != c.first || parts[c.count-1] != c.last || c.first != c.last && larger != c.larger {
			t.Errorf("%d in %d: %v", c.total, c.count, parts)
		}
		key.Post(t, "/financial_transactions/installments", installments(c.total, c.count), testkit.Key(idem)).WantReplayOf(t, made)
		group := strings.TrimPrefix(made.Header.Get("Location"), "/public/v1")
		if group != "/financial_transactions?installment_group_id="+made.Text("installment_group_id") || len(key.All(t, group)) != c.count {
			t.Errorf("the group is not at %s", group)
		}
	}
	wantSoundLedger(t, key)
}

func TestInstallments_KeepTheAnchorDay(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	for _, c := range []struct {
		first, interval string
		want            []string
	}{
		{"2026-01-31", "monthly", []string{"2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"}},
		{"2028-01-30", "monthly", []string{"2028-01-30", "2028-02-29", "2028-03-30", "2028-04-30", "2028-05-30"}},
		{"2026-12-28", "weekly", []string{"2026-12-28", "2027-01-04", "2027-01-11", "2027-01-18", "2027-01-25"}},
		{"2028-02-15", "biweekly", []string{"2028-02-15", "2028-02-29", "2028-03-14", "2028-03-28", "2028-04-11"}},
	} {
		made := key.Post(t, "/financial_transactions/installments", installments(500, 5, testkit.M{"first_due_date": c.first, "interval": c.interval})).Want(t, 201)
		if got := dueDates(read[[]wireTransaction](t, made.JSON()["transactions"])); !slices.Equal(got, c.want) {
			t.Errorf("%s from %s: %v", c.interval, c.first, got)
		}
	}
}

func TestInstallments_DryRunShowsTheSameAndWritesNothing(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	before := key.Tenant.Snapshot(t)

	shown := key.Post(t, "/financial_transactions/installments", installments(10000, 3, testkit.M{"dry_run": true}), testkit.Key("dry")).Want(t, 200)

	key.Tenant.Snapshot(t).WantSame(t, before, "idempotency_keys")
	if shown.Header.Get("Location") != "" || shown.Text("installment_group_id") != "" {
		t.Errorf("a dry run has an address: %s", shown)
	}
	made := key.Post(t, "/financial_transactions/installments", installments(10000, 3)).Want(t, 201)
	previews, parts := read[[]wireTransaction](t, shown.JSON()["transactions"]), read[[]wireTransaction](t, made.JSON()["transactions"])
	if previews[0].ID != nil || !slices.Equal(amounts(previews), amounts(parts)) || !slices.Equal(dueDates(previews), dueDates(parts)) {
		t.Errorf("shown %v, made %v", previews, parts)
	}
	key.Post(t, "/financial_transactions/installments", installments(10000, 3, testkit.M{"dry_run": true}), testkit.Key("dry")).WantReplayOf(t, shown)
}

func TestInstallments_SayWhichOfHowManyTheyAre(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	for what, want := range map[string]string{
		"Notebook":                "Notebook (2/12)",
		strings.Repeat("é", 193):  strings.Repeat("é", 193) + " (2/12)",
		strings.Repeat("é", 194):  strings.Repeat("é", 192) + "… (2/12)",
		strings.Repeat("né ", 66): strings.Repeat("né ", 63) + "né… (2/12)",
		strings.Repeat("😀", 200):  strings.Repeat("😀", 192) + "… (2/12)",
	} {
		for _, dryRun := range []bool{true, false} {
			made := key.Post(t, "/financial_transactions/installments", installments(1200, 12, testkit.M{"description": what, "dry_run": dryRun}))

			parts := read[[]wireTransaction](t, made.JSON()["transactions"])
			if len(parts) != 12 || parts[1].Description != want {
				t.Errorf("dry run %t: %s", dryRun, made)
			}
		}
	}
}

func TestInstallments_AreBounded(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	before := key.Tenant.Snapshot(t)
	for _, count := range []any{0, -1, 1, 1.5, 121, 10_000_000, "12", nil} {
		key.Post(t, "/financial_transactions/installments", installments(1000, count)).WantProblem(t, 422, "validation_failed")
	}
	key.Post(t, "/financial_transactions/installments", installments(2, 3)).WantFieldErrors(t, "/total_cents too_small")
	for _, date := range []string{"9999-01-01", "2200-12-31", "2026-02-29", "2026-1-1", "2026-01-31T00:00:00Z"} {
		key.Post(t, "/financial_transactions/installments", installments(1000, 2, testkit.M{"first_due_date": date})).WantProblem(t, 422, "validation_failed")
	}
	key.Post(t, "/financial_transactions/installments", installments(1000, 2, testkit.M{"interval": "daily"})).WantFieldErrors(t, "/interval enum")
	key.Tenant.Snapshot(t).WantSame(t, before)
}

// serverAt starts a server whose present is a test's own.
func serverAt(t *testing.T, now string) (*testkit.Server, *clock.Fake) {
	t.Helper()
	at, err := time.Parse(time.RFC3339, now)
	if err != nil {
		t.Fatal(err)
	}
	c := clock.NewFake(at)
	return testkit.New(t, testkit.WithClock(c)), c
}

func TestTransaction_IsOverdueFromMidnightOfTheCompanysZone(t *testing.T) {
	t.Parallel()
	srv, now := serverAt(t, "2026-03-02T02:59:59Z") // 1 March, 23:59:59 in São Paulo
	key := srv.Tenant(t).Key(t)
	id := transaction(t, key, testkit.M{"due_date": "2026-03-01"}).Want(t, 201).ID()
	overdue := func() string {
		return fmt.Sprint(len(key.All(t, "/financial_transactions?status=overdue"))) + " " + key.Get(t, "/financial_transactions/"+id).Text("overdue")
	}

	before := overdue()
	now.Advance(time.Second)
	after := overdue()

	if before != "0 false" || after != "1 true" {
		t.Errorf("before midnight %s, after it %s", before, after)
	}
	key.Post(t, "/financial_transactions/"+id+"/mark_paid", testkit.M{"paid_at": paidAt}).Want(t, 200)
	if got := overdue(); got != "0 false" {
		t.Errorf("paid: %s", got)
	}
}

func TestTransactions_DaysAreThoseOfTheCompanysZone(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	id := transaction(t, key, testkit.M{"due_date": "2026-03-01", "competence_date": "2026-02-28", "paid_at": "2026-02-28T22:00:00-03:00"}).Want(t, 201).ID()

	got := key.Get(t, "/financial_transactions/"+id)
	if got.Text("due_date") != "2026-03-01" || got.Text("competence_date") != "2026-02-28" || got.Text("paid_at") != "2026-03-01T01:00:00Z" {
		t.Errorf("the dates are %s", got)
	}
	for query, want := range map[string]int{
		"due_from=2026-03-01&due_to=2026-03-01": 1, "due_to=2026-02-28": 0, "due_from=2026-03-02": 0,
		"paid_from=2026-02-28&paid_to=2026-02-28": 1, "paid_from=2026-03-01": 0, "paid_to=2026-02-27": 0,
	} {
		if n := len(key.All(t, "/financial_transactions?"+query)); n != want {
			t.Errorf("%s: %d", query, n)
		}
	}
	flow := key.Get(t, "/reports/cash_flow?from=2026-02-01&to=2026-03-31&group=month").Want(t, 200)
	var months struct {
		Periods []struct {
			In int64 `json:"in_cents"`
		}
	}
	flow.Decode(t, &months)
	if months.Periods[0].In != 10000 || months.Periods[1].In != 0 {
		t.Errorf("the payment of 22:00 counts in another month: %s", flow)
	}
}

func TestTransactions_ListFiltersAndOrders(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	acct, income := account(t, key), category(t, key, "income")
	client := key.Post(t, "/clients", testkit.M{"name": "Ana"}).Want(t, 201).ID()
	for i, due := range []string{"2026-03-03", "2026-03-01", "2026-03-02"} {
		more := testkit.M{"due_date": due}
		if i == 0 {
			more = merged(more, []testkit.M{{"account_id": acct, "category_id": income, "client_id": client, "external_id": "e"}})
		}
		transaction(t, key, more).Want(t, 201)
	}
	transaction(t, key, testkit.M{"type": "expense", "due_date": "2099-01-01", "paid_at": paidAt}).Want(t, 201)

	for query, want := range map[string]int{
		"transfer_id=" + testkit.RandomID(): 0,
		"account_id=" + acct:                1, "category_id=" + income: 1, "client_id=" + client: 1, "external_id=e": 1, "type=expense": 1, "status=paid": 1,
		"status=pending": 3, "status=overdue": 3, "status=cancelled": 0, "sale_id=" + testkit.RandomID(): 0, "recurring_id=" + testkit.RandomID(): 0,
		"account_id=" + testkit.RandomID(): 0, "type=transfer_in": 0, "": 4,
	} {
		if n := len(key.All(t, "/financial_transactions?"+query)); n != want {
			t.Errorf("%s: %d", query, n)
		}
	}
	var got []string
	for cursor := ""; ; {
		r := key.Get(t, "/financial_transactions?sort=due_date&order=asc&limit=1"+cursor).Want(t, 200)
		got = append(got, r.Data(t)[0]["due_date"].(string))
		if r.Text("next_cursor") == "" {
			break
		}
		cursor = "&cursor=" + r.Text("next_cursor")
	}
	if want := []string{"2026-03-01", "2026-03-02", "2026-03-03", "2099-01-01"}; !slices.Equal(got, want) {
		t.Errorf("by due date: %v", got)
	}
	for _, wrong := range []string{"status=late", "due_from=1", "transfer_id=1", "account_id=1", "sort=amount_cents", "paid_from=2026-02-30", "limit=0", "order=up"} {
		key.Get(t, "/financial_transactions?"+wrong).WantProblem(t, 422, "validation_failed")
	}
}
