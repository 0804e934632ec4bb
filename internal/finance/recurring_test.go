package finance_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/testkit"
)

func recurring(t testing.TB, key *testkit.Client, more ...testkit.M) *testkit.Response {
	t.Helper()
	body := testkit.M{"type": "expense", "description": "Aluguel", "amount_cents": 250000, "frequency": "monthly", "start_date": "2026-01-31"}
	return key.Post(t, "/financial_transactions/recurring", merged(body, more))
}

func occurrencesOf(t testing.TB, key *testkit.Client, rule string) []wireTransaction {
	t.Helper()
	return read[[]wireTransaction](t, key.All(t, "/financial_transactions?sort=due_date&order=asc&recurring_id="+rule))
}

// databaseAt is serverAt on a database of its own: the job sees all companies.
func databaseAt(t *testing.T, now string) (*testkit.Server, *clock.Fake) {
	t.Helper()
	at, err := time.Parse(time.RFC3339, now)
	if err != nil {
		t.Fatal(err)
	}
	c := clock.NewFake(at)
	return testkit.New(t, testkit.WithClock(c), testkit.WithDatabase(testkit.NewDatabase(t))), c
}

// generate runs the job once.
func generate(t testing.TB, srv *testkit.Server) int {
	t.Helper()
	made, err := finance.NewService(nil).MakeOccurrences(context.Background(), srv.Pool())
	if err != nil {
		t.Error(err)
	}
	return made
}

func TestRecurring_MakesNinetyDaysAtOnceAndTheRestInTime(t *testing.T) {
	t.Parallel()
	srv, now := databaseAt(t, "2026-01-31T12:00:00Z")
	key := srv.Tenant(t).Key(t)

	made := recurring(t, key, testkit.M{"count": 12}).Want(t, 201)

	if got := dueDates(read[[]wireTransaction](t, made.JSON()["occurrences"])); !slices.Equal(got, []string{"2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"}) {
		t.Errorf("made at once: %v", got)
	}
	if want := "/public/v1/financial_transactions/recurring/" + made.ID(); made.Header.Get("Location") != want || made.Text("next_date") != "2026-05-31" {
		t.Errorf("the rule is %s", made)
	}
	for range 400 {
		now.Advance(24 * time.Hour)
		if now.Now().Day()%7 == 0 {
			generate(t, srv)
		}
	}
	want := []string{
		"2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30",
		"2026-07-31", "2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31",
	}
	if got := dueDates(occurrencesOf(t, key, made.ID())); !slices.Equal(got, want) {
		t.Errorf("made in all: %v", got)
	}
	wantBalance(t, key, cash(t, key), 0, -12*250000)
	if got := key.Get(t, "/financial_transactions/recurring/"+made.ID()).Want(t, 200); got.Text("next_date") != "" || got.Text("version") != "1" {
		t.Errorf("after the last: %s", got)
	}
	wantSoundLedger(t, key)
}

func TestRecurring_MadeByManyAtOnceComesOnce(t *testing.T) {
	t.Parallel()
	srv, now := databaseAt(t, "2026-01-01T12:00:00Z")
	key := srv.Tenant(t).Key(t)
	var rules []string
	for range 5 {
		rules = append(rules, recurring(t, key, testkit.M{"frequency": "weekly", "start_date": "2026-01-01"}).Want(t, 201).ID())
	}
	second := testkit.New(t, testkit.WithClock(now), testkit.WithDatabase(srv.Database))
	now.Advance(365 * 24 * time.Hour)

	testkit.AtOnce(6, func(i int) int { return generate(t, []*testkit.Server{srv, second}[i%2]) })

	for _, rule := range rules {
		dates := dueDates(occurrencesOf(t, key, rule))
		if unique := len(slices.Compact(slices.Clone(dates))); unique != len(dates) || len(dates) != 66 {
			t.Errorf("%d occurrences, %d dates", len(dates), unique)
		}
	}
	if n := generate(t, srv); n != 0 {
		t.Errorf("the next run made %d more", n)
	}
	wantSoundLedger(t, key)
}

func TestRecurring_CutShortInTheMiddleGoesOn(t *testing.T) {
	t.Parallel()
	srv, now := databaseAt(t, "2026-01-01T12:00:00Z")
	key := srv.Tenant(t).Key(t)
	rule := recurring(t, key, testkit.M{"frequency": "weekly", "start_date": "2026-01-01"}).Want(t, 201).ID()
	now.Advance(100 * 24 * time.Hour)
	before := key.Tenant.Snapshot(t)
	// The connection ends while the rule is locked and its occurrences are written.
	held := srv.Database.Connect(t)
	if _, err := held.Exec(t.Context(), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	if _, err := held.Exec(t.Context(), "SELECT 1 FROM financial_accounts WHERE tenant_id = $1 FOR UPDATE", key.Tenant.ID); err != nil {
		t.Fatal(err)
	}
	failed := testkit.Async(func() error {
		_, err := finance.NewService(nil).MakeOccurrences(context.Background(), srv.Pool())
		return err
	})

	srv.Database.Terminate(t, srv.Database.AwaitWaiting(t, held, 1)...)

	if failed() == nil {
		t.Error("the run that was cut short reports no error")
	}
	if _, err := held.Exec(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	key.Tenant.Snapshot(t).WantSame(t, before)
	if n := generate(t, srv); n == 0 {
		t.Error("the next run made nothing")
	}
	if n := len(occurrencesOf(t, key, rule)); n != 28 {
		t.Errorf("%d occurrences", n)
	}
	wantSoundLedger(t, key)
}

func TestRecurring_ARuleThatFailsKeepsNoOtherFromItsOwn(t *testing.T) {
	t.Parallel()
	srv, now := databaseAt(t, "2026-01-01T12:00:00Z")
	key := srv.Tenant(t).Key(t)
	bad := recurring(t, key, testkit.M{"start_date": "2026-01-01"}).Want(t, 201).ID()
	good := recurring(t, key, testkit.M{"start_date": "2026-01-01"}).Want(t, 201).ID()
	srv.Database.Exec(t, `UPDATE financial_rules SET next_number = next_number - 1 WHERE tenant_id = $1 AND id = $2`, key.Tenant.ID, bad) // its next occurrence exists
	now.Advance(60 * 24 * time.Hour)
	srv.Database.Exec(t, `UPDATE financial_rules SET next_date = '2026-04-01' WHERE tenant_id = $1 AND id = $2`, key.Tenant.ID, bad)

	_, err := finance.NewService(nil).MakeOccurrences(context.Background(), srv.Pool())

	if err == nil {
		t.Error("the rule that failed is not told of")
	}
	if n := len(occurrencesOf(t, key, good)); n != 5 {
		t.Errorf("the other has %d occurrences", n)
	}
}

func TestRecurring_HorizonIsTheCompanysToday(t *testing.T) {
	t.Parallel()
	srv, now := databaseAt(t, "2026-01-01T12:00:00Z")
	key := srv.Tenant(t).Key(t)
	srv.Database.Exec(t, `UPDATE tenants SET time_zone = 'Pacific/Kiritimati' WHERE id = $1`, key.Tenant.ID) // 14 hours ahead
	rule := recurring(t, key, testkit.M{"frequency": "yearly", "start_date": "2026-06-01"}).Want(t, 201).ID()

	now.Set(time.Date(2026, 3, 2, 9, 59, 59, 0, time.UTC)) // 2 March, 23:59:59: 91 days ahead
	early := generate(t, srv)
	now.Advance(time.Second)

	if onTime := generate(t, srv); early != 0 || onTime != 1 {
		t.Errorf("%d before the company's midnight, %d after it", early, onTime)
	}
	if got := dueDates(occurrencesOf(t, key, rule)); !slices.Equal(got, []string{"2026-06-01"}) {
		t.Errorf("made: %v", got)
	}
}

func TestRecurring_PauseLeavesOutWhatFallsIntoIt(t *testing.T) {
	t.Parallel()
	srv, now := databaseAt(t, "2026-01-15T12:00:00Z")
	key := srv.Tenant(t).Key(t)
	rule := recurring(t, key, testkit.M{"start_date": "2026-01-20"}).Want(t, 201).ID()
	path := "/financial_transactions/recurring/" + rule

	key.Post(t, path+"/pause", nil).Want(t, 200)
	key.Post(t, path+"/pause", nil).WantProblem(t, 409, "invalid_state")
	now.Set(time.Date(2026, 8, 25, 12, 0, 0, 0, time.UTC))
	if n := generate(t, srv); n != 0 {
		t.Errorf("a paused rule made %d", n)
	}
	resumed := key.Post(t, path+"/resume", nil).Want(t, 200)

	want := []string{"2026-01-20", "2026-02-20", "2026-03-20", "2026-09-20", "2026-10-20", "2026-11-20"}
	if got := dueDates(occurrencesOf(t, key, rule)); !slices.Equal(got, want) || resumed.Text("next_date") != "2026-12-20" {
		t.Errorf("made: %v, next %s", got, resumed.Text("next_date"))
	}
	ended := key.Post(t, path+"/end", testkit.M{"cancel_future": true}).Want(t, 200)
	if ended.Text("status") != "ended" || ended.Text("next_date") != "" {
		t.Errorf("ended: %s", ended)
	}
	for _, action := range []string{"pause", "resume", "end"} {
		key.Post(t, path+"/"+action, nil).WantProblem(t, 409, "invalid_state")
	}
	for _, o := range occurrencesOf(t, key, rule) {
		if want := o.DueDate > "2026-08-25"; (o.Status == "cancelled") != want {
			t.Errorf("%s is %s", o.DueDate, o.Status)
		}
	}
	if n := len(key.All(t, path+"/history")); n != 3 {
		t.Errorf("the history has %d entries", n)
	}
	key.Delete(t, path).WantProblem(t, 405, "method_not_allowed")
	wantSoundLedger(t, key)
}

func TestRecurring_PatchReachesTheFutureAndThePendingOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	srv, now := databaseAt(t, "2026-01-01T12:00:00Z")
	key := srv.Tenant(t).Key(t)
	rule := recurring(t, key, testkit.M{"start_date": "2026-01-10"}).Want(t, 201).ID()
	path := "/financial_transactions/recurring/" + rule
	first := occurrencesOf(t, key, rule)[0]
	key.Post(t, "/financial_transactions/"+*first.ID+"/mark_paid", testkit.M{"paid_at": paidAt}).Want(t, 200)

	key.Patch(t, path, testkit.M{"amount_cents": 1}).Want(t, 200)
	if got := amounts(occurrencesOf(t, key, rule)); !slices.Equal(got, []int64{250000, 250000, 250000}) {
		t.Errorf("those made have followed: %v", got)
	}
	now.Advance(40 * 24 * time.Hour)
	generate(t, srv)
	if got := amounts(occurrencesOf(t, key, rule)); !slices.Equal(got, []int64{250000, 250000, 250000, 1, 1}) {
		t.Errorf("the next have not followed: %v", got)
	}
	key.Patch(t, path, testkit.M{"amount_cents": 300, "due_day": 31, "apply_to": "pending"}).Want(t, 200)
	got := occurrencesOf(t, key, rule)
	if !slices.Equal(amounts(got), []int64{250000, 300, 300, 300, 300}) ||
		!slices.Equal(dueDates(got), []string{"2026-01-10", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"}) {
		t.Errorf("the pending have not followed: %v %v", amounts(got), dueDates(got))
	}
	key.Patch(t, path, testkit.M{"end_date": "2026-04-15", "apply_to": "pending"}).Want(t, 200)
	for _, o := range occurrencesOf(t, key, rule) {
		if after := o.DueDate > "2026-04-15"; (o.Status == "cancelled") != after {
			t.Errorf("%s is %s", o.DueDate, o.Status)
		}
	}
	now.Advance(400 * 24 * time.Hour)
	if n := generate(t, srv); n != 0 {
		t.Errorf("%d were made after the end", n)
	}
	wantBalance(t, key, cash(t, key), -250000, -250600)
	key.Patch(t, path, testkit.M{"frequency": "weekly", "start_date": "2026-01-01"}).WantFieldErrors(t, "/frequency unknown_member", "/start_date unknown_member")
	key.Patch(t, path, testkit.M{"count": 3}).WantFieldErrors(t, "/count exclusive")
	key.Post(t, path+"/end", nil).Want(t, 200)
	key.Patch(t, path, testkit.M{"amount_cents": 5}).WantProblem(t, 409, "invalid_state")
	key.Patch(t, path, testkit.M{"metadata": testkit.M{"a": "b"}}).Want(t, 200)
	wantSoundLedger(t, key)
}

func TestRecurring_IsBounded(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	before := key.Tenant.Snapshot(t)
	for _, count := range []any{0, -1, 1.5, 601, 10_000_000, "12"} {
		recurring(t, key, testkit.M{"count": count}).WantProblem(t, 422, "validation_failed")
	}
	recurring(t, key, testkit.M{"end_date": "9999-12-31"}).WantProblem(t, 422, "validation_failed")
	recurring(t, key, testkit.M{"end_date": "2026-01-30"}).WantFieldErrors(t, "/end_date before_start")
	recurring(t, key, testkit.M{"end_date": "2026-03-30", "count": 2}).WantFieldErrors(t, "/count exclusive")
	recurring(t, key, testkit.M{"frequency": "weekly", "start_date": "1900-01-01"}).WantFieldErrors(t, "/start_date too_many_occurrences")
	recurring(t, key, testkit.M{"frequency": "weekly", "due_day": 3}).WantFieldErrors(t, "/due_day not_monthly")
	recurring(t, key, testkit.M{"due_day": 32}).WantFieldErrors(t, "/due_day maximum")
	recurring(t, key, testkit.M{"frequency": "daily"}).WantFieldErrors(t, "/frequency enum")
	recurring(t, key, testkit.M{"business_day": "after"}).WantFieldErrors(t, "/business_day enum")
	key.Tenant.Snapshot(t).WantSame(t, before)
}

func TestMakeOccurrences_SeesTheRulesOfEveryCompany(t *testing.T) {
	t.Parallel()
	srv, now := databaseAt(t, "2026-01-01T12:00:00Z")
	keys := []*testkit.Client{srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)}
	for _, key := range keys {
		recurring(t, key, testkit.M{"frequency": "weekly", "start_date": "2026-01-01"}).Want(t, 201)
	}
	now.Advance(7 * 24 * time.Hour)

	generate(t, srv)

	for _, key := range keys {
		if n := len(key.All(t, "/financial_transactions")); n != 14 {
			t.Errorf("a company has %d", n)
		}
	}
}
