package finance_test

import (
	"slices"
	"testing"

	"fatureihoje/internal/testkit"
)

func transferBody(from, to string, amount int) testkit.M {
	return testkit.M{"from_account_id": from, "to_account_id": to, "amount_cents": amount, "date": "2026-11-30"}
}

func TestTransfer_WritesBothRowsAndTheFeeBornPaid(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	from, to := cash(t, key), account(t, key)

	made := key.Post(t, "/financial_transactions/transfer", merged(transferBody(from, to, 50000), []testkit.M{{"fee_cents": 250}})).Want(t, 201)

	rows := read[[]wireTransaction](t, made.JSON()["transactions"])
	if len(rows) != 3 || rows[0].Type != "transfer_out" || rows[1].Type != "transfer_in" || rows[2].Type != "expense" || rows[2].AmountCents != 250 {
		t.Fatalf("the rows are %s", made)
	}
	for _, row := range rows {
		if row.Status != "paid" {
			t.Errorf("a row is %s", row.Status)
		}
	}
	if want := "/public/v1/financial_transactions/" + *rows[0].ID; made.Header.Get("Location") != want {
		t.Errorf("Location is %s, not %s", made.Header.Get("Location"), want)
	}
	wantBalance(t, key, from, -50250, -50250)
	wantBalance(t, key, to, 50000, 50000)
	wantSoundLedger(t, key)
}

func TestTransfer_IsFoundWholeByItsID(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	from, to := cash(t, key), account(t, key)
	body := merged(transferBody(from, to, 700), []testkit.M{{"fee_cents": 3}})
	key.Post(t, "/financial_transactions/transfer", body).Want(t, 201)
	made := key.Post(t, "/financial_transactions/transfer", body).Want(t, 201)
	filter := "/financial_transactions?transfer_id=" + made.Text("transfer_id")

	var ids []string
	for _, row := range key.All(t, filter) {
		ids = append(ids, row["id"].(string))
	}

	for _, row := range read[[]wireTransaction](t, made.JSON()["transactions"]) {
		if !slices.Contains(ids, *row.ID) {
			t.Errorf("the %s is missing", row.Type)
		}
	}
	if len(ids) != 3 || len(key.All(t, filter+"&type=expense")) != 1 || len(other.All(t, filter)) != 0 {
		t.Errorf("found %v", ids)
	}
}

func TestTransfer_IsCancelledWholeByAnyOfItsRows(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	from, to := cash(t, key), account(t, key)
	for i := range 3 {
		made := key.Post(t, "/financial_transactions/transfer", merged(transferBody(from, to, 700), []testkit.M{{"fee_cents": 3}})).Want(t, 201)
		rows := read[[]wireTransaction](t, made.JSON()["transactions"])
		path := "/financial_transactions/" + *rows[i].ID

		key.Post(t, path+"/mark_paid", testkit.M{"paid_at": paidAt}).WantProblem(t, 409, "invalid_state")
		if got := key.Post(t, path+"/reopen", nil).WantProblem(t, 409, "invalid_state"); got.Text("allowed") != `["cancel"]` {
			t.Errorf("allowed: %s", got)
		}
		key.Delete(t, path).WantProblem(t, 409, "invalid_state")
		if got := key.Patch(t, path, testkit.M{"description": "x"}).WantProblem(t, 409, "conflict"); got.Text("reason") != "managed_by_transfer" {
			t.Errorf("reason: %s", got)
		}
		key.Patch(t, path, testkit.M{"metadata": testkit.M{"k": "v"}}).Want(t, 200)
		cancelled := key.Post(t, path+"/cancel", nil).Want(t, 200)

		if cancelled.ID() != *rows[i].ID {
			t.Errorf("acted on %s, answered %s", *rows[i].ID, cancelled.ID())
		}
		for _, row := range rows {
			if got := key.Get(t, "/financial_transactions/"+*row.ID); got.Text("status") != "cancelled" {
				t.Errorf("row %s is %s", row.Type, got.Text("status"))
			}
		}
		key.Post(t, "/financial_transactions/"+*rows[(i+1)%3].ID+"/cancel", nil).WantProblem(t, 409, "invalid_state")
	}
	wantBalance(t, key, from, 0, 0)
	wantBalance(t, key, to, 0, 0)
	wantSoundLedger(t, key)
}

func TestTransfer_RefusesItselfAndWhatIsForeign(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	own, foreign := cash(t, key), cash(t, other)
	before := key.Tenant.Snapshot(t)

	key.Post(t, "/financial_transactions/transfer", transferBody(own, own, 1)).WantFieldErrors(t, "/to_account_id same_account")
	key.Post(t, "/financial_transactions/transfer", transferBody(foreign, testkit.RandomID(), 1)).
		WantFieldErrors(t, "/from_account_id unknown_reference", "/to_account_id unknown_reference")
	key.Post(t, "/financial_transactions/transfer", testkit.M{}).
		WantFieldErrors(t, "/from_account_id required", "/to_account_id required", "/amount_cents required", "/date required")

	key.Tenant.Snapshot(t).WantSame(t, before)
}

func TestTransfer_CancelledByBothLegsAtOnceMovesBackOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	from, to := cash(t, key), account(t, key)
	made := key.Post(t, "/financial_transactions/transfer", merged(transferBody(from, to, 700), []testkit.M{{"fee_cents": 3}})).Want(t, 201)
	rows := read[[]wireTransaction](t, made.JSON()["transactions"])

	all := testkit.AtOnce(12, func(i int) *testkit.Response {
		return key.Post(t, "/financial_transactions/"+*rows[i%3].ID+"/cancel", nil)
	})

	wantOneOf(t, all, 200, "invalid_state")
	wantBalance(t, key, from, 0, 0)
	wantBalance(t, key, to, 0, 0)
	wantSoundLedger(t, key)
}

// wantOneOf stops the test unless one response has the status and the others
// are 409s of the code.
func wantOneOf(t *testing.T, all []*testkit.Response, status int, code string) {
	t.Helper()
	won := 0
	for _, r := range all {
		switch {
		case r.Status == status:
			won++
		case r.Status != 409 || r.Code() != code:
			t.Errorf("neither %d nor 409 %s: %s", status, code, r)
		}
	}
	if won != 1 {
		t.Fatalf("%d of %d won", won, len(all))
	}
}
