package finance_test

import (
	"encoding/json"
	"testing"

	"fatureihoje/internal/testkit"
)

const paidAt = "2026-11-30T15:04:05-03:00"

func TestTransaction_MovesTheBalancesOfItsAccount(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	acct := account(t, key, testkit.M{"opening_balance_cents": 1000})
	in := testkit.M{"account_id": acct}

	income := transaction(t, key, in).Want(t, 201)
	transaction(t, key, in, testkit.M{"type": "expense", "amount_cents": 2500}).Want(t, 201)
	transaction(t, key, in, testkit.M{"amount_cents": 1, "paid_at": paidAt}).Want(t, 201)

	wantBalance(t, key, acct, 1001, 8501)
	path := "/financial_transactions/" + income.ID()
	key.Patch(t, path, testkit.M{"amount_cents": 20000}).Want(t, 200)
	wantBalance(t, key, acct, 1001, 18501)
	key.Patch(t, path, testkit.M{"account_id": cash(t, key)}).Want(t, 200)
	wantBalance(t, key, acct, 1001, -1499)
	wantBalance(t, key, cash(t, key), 0, 20000)
	key.Delete(t, path).Want(t, 204)
	wantBalance(t, key, cash(t, key), 0, 0)
	wantSoundLedger(t, key)
}

func TestTransaction_PaidWithInterestDiscountAndFeeMovesByTheFormula(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	for kind, want := range map[string]int64{"income": 10000 + 300 - 100 - 7, "expense": -(10000 + 300 - 100 + 7)} {
		from, to := account(t, key), account(t, key)
		id := transaction(t, key, testkit.M{"type": kind, "account_id": from}).Want(t, 201).ID()

		paid := key.Post(t, "/financial_transactions/"+id+"/mark_paid", testkit.M{
			"paid_at": paidAt, "account_id": to, "interest_cents": 300, "discount_cents": 100, "fee_cents": 7,
		}).Want(t, 200)

		if paid.Text("status") != "paid" || paid.Text("paid_at") != "2026-11-30T18:04:05Z" || paid.Text("account_id") != to {
			t.Errorf("%s: %s", kind, paid)
		}
		wantBalance(t, key, from, 0, 0)
		wantBalance(t, key, to, want, want)
		reopened := key.Post(t, "/financial_transactions/"+id+"/reopen", nil).Want(t, 200)
		if reopened.Text("status") != "pending" || reopened.Text("paid_at") != "" || reopened.Text("interest_cents") != "0" {
			t.Errorf("%s: %s", kind, reopened)
		}
		if got := balanceOf(t, key, to); got.Balance != 0 || got.Projected != 10000 && got.Projected != -10000 {
			t.Errorf("%s: reopened: %+v", kind, got)
		}
	}
	wantSoundLedger(t, key)
}

func TestTransaction_PaymentBeyondItsLimitsIsRefused(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	const limit = 99_999_999_999
	pay := func(kind string, amount int64, more testkit.M) *testkit.Response {
		id := transaction(t, key, testkit.M{"type": kind, "amount_cents": amount}).Want(t, 201).ID()
		return key.Post(t, "/financial_transactions/"+id+"/mark_paid", merged(testkit.M{"paid_at": paidAt}, []testkit.M{more}))
	}

	pay("income", 100, testkit.M{"discount_cents": 101}).WantFieldErrors(t, "/discount_cents discount_range")
	pay("expense", 100, testkit.M{"discount_cents": 101, "fee_cents": 50}).WantFieldErrors(t, "/discount_cents discount_range")
	pay("income", 100, testkit.M{"fee_cents": 101}).WantFieldErrors(t, "/fee_cents fee_range")
	pay("income", limit, testkit.M{"interest_cents": 1}).WantFieldErrors(t, "/interest_cents money_range")
	pay("income", limit, testkit.M{"interest_cents": limit, "discount_cents": limit}).Want(t, 200)
	pay("income", 100, testkit.M{"discount_cents": 100}).Want(t, 200)
	pay("expense", 1, testkit.M{"fee_cents": 0}).Want(t, 200)
	pay("income", 100, testkit.M{"paid_at": nil}).WantFieldErrors(t, "/paid_at null")
	pay("income", 100, testkit.M{"account_id": testkit.RandomID()}).WantFieldErrors(t, "/account_id unknown_reference")
	wantSoundLedger(t, key)
}

func TestTransaction_BalanceGoesBeyondTheLimitOfOneAmount(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	acct := account(t, key, testkit.M{"opening_balance_cents": 99_999_999_999})
	for range 3 {
		transaction(t, key, testkit.M{"account_id": acct, "amount_cents": 99_999_999_999, "paid_at": paidAt}).Want(t, 201)
	}
	wantBalance(t, key, acct, 4*99_999_999_999, 4*99_999_999_999)
}

func TestTransaction_ReadsOneFormOfAmounts(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	acct := cash(t, key)
	for _, wrong := range []string{
		`"NaN"`, `"Infinity"`, `1e400`, `"1e2"`, `0.001`, `10.005`, `"10,50"`, `"R$ 10"`, `"１０"`, `true`, `"0x10"`, `" 10 "`, `99999999999999999.99`,
		`-1`, `0`, `-0`, `0.00`, `null`, `100000000000`, `[]`, `"100"`,
	} {
		for path, body := range map[string]string{
			"/financial_transactions":              `{"type": "income", "description": "X", "due_date": "2026-11-30", "amount_cents": ` + wrong + `}`,
			"/financial_transactions/transfer":     `{"from_account_id": "` + acct + `", "to_account_id": "` + testkit.RandomID() + `", "date": "2026-11-30", "amount_cents": ` + wrong + `}`,
			"/financial_transactions/installments": `{"type": "income", "description": "X", "first_due_date": "2026-11-30", "count": 2, "total_cents": ` + wrong + `}`,
			"/financial_transactions/recurring":    `{"type": "income", "description": "X", "start_date": "2026-11-30", "frequency": "monthly", "amount_cents": ` + wrong + `}`,
		} {
			key.Post(t, path, body).WantProblem(t, 422, "validation_failed")
		}
	}
	for _, right := range []string{`100`, `100.0`, `1e2`, `10.00e1`} {
		got := key.Post(t, "/financial_transactions", `{"type": "income", "description": "X", "due_date": "2026-11-30", "amount_cents": `+right+`}`).Want(t, 201)
		if got.Text("amount_cents") != "100" {
			t.Errorf("%s is read as %s", right, got)
		}
	}
}

func TestTransaction_RefusesWhatDoesNotExistOrFit(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	archived := key.Post(t, "/clients", testkit.M{"name": "Ana"}).Want(t, 201).ID()
	key.Post(t, "/clients/"+archived+"/archive", nil).Want(t, 200)
	before := key.Tenant.Snapshot(t)

	transaction(t, key, testkit.M{"account_id": cash(t, other), "category_id": category(t, other, "income"), "client_id": testkit.RandomID()}).
		WantFieldErrors(t, "/account_id unknown_reference", "/category_id unknown_reference", "/client_id unknown_reference")
	transaction(t, key, testkit.M{"category_id": category(t, key, "expense")}).WantFieldErrors(t, "/category_id kind_mismatch")
	transaction(t, key, testkit.M{"client_id": archived}).WantFieldErrors(t, "/client_id archived_reference")
	transaction(t, key, testkit.M{"type": "transfer_in"}).WantFieldErrors(t, "/type enum")
	transaction(t, key, testkit.M{"status": "paid", "sale_id": testkit.RandomID()}).WantFieldErrors(t, "/status unknown_member", "/sale_id unknown_member")

	key.Tenant.Snapshot(t).WantSame(t, before)
}

func TestTransaction_TakesAPatchByItsStatus(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	path := "/financial_transactions/" + transaction(t, key).Want(t, 201).ID()
	everything := testkit.M{
		"amount_cents": 1, "description": "Outra", "due_date": "2027-01-01", "competence_date": "2026-12-31", "account_id": cash(t, key),
		"category_id": category(t, key, "income"), "client_id": nil, "method": "pix", "document_number": "NF 1", "external_id": "x", "metadata": testkit.M{"k": "v"},
	}

	key.Patch(t, path, testkit.M{"type": "expense", "status": "paid"}).WantFieldErrors(t, "/type unknown_member", "/status unknown_member")
	key.Patch(t, path, everything).Want(t, 200)
	key.Patch(t, path, testkit.M{"amount_cents": 0}).WantFieldErrors(t, "/amount_cents minimum")
	key.Patch(t, path, testkit.M{"amount_cents": nil, "description": nil}).WantFieldErrors(t, "/amount_cents null", "/description null")
	key.Patch(t, path, testkit.M{"category_id": category(t, key, "expense")}).WantFieldErrors(t, "/category_id kind_mismatch")
	key.Post(t, path+"/mark_paid", testkit.M{"paid_at": paidAt}).Want(t, 200)
	labels := testkit.M{"description": "Paga", "category_id": nil, "metadata": testkit.M{"k": nil}}
	key.Patch(t, path, labels).Want(t, 200)
	for name, value := range everything {
		if _, label := labels[name]; label {
			continue
		}
		got := key.Patch(t, path, testkit.M{name: value}).WantProblem(t, 409, "invalid_state")
		if got.Text("current") != "paid" || got.Text("allowed") != `["reopen"]` {
			t.Errorf("%s: %s", name, got)
		}
	}
	key.Delete(t, path).WantProblem(t, 409, "invalid_state")
	key.Post(t, path+"/reopen", nil).Want(t, 200)
	key.Post(t, path+"/cancel", nil).Want(t, 200)
	key.Patch(t, path, testkit.M{"description": "x"}).WantProblem(t, 409, "invalid_state")
	key.Patch(t, path, testkit.M{"metadata": testkit.M{"z": "1"}}).Want(t, 200)
	key.Delete(t, path).WantProblem(t, 409, "invalid_state")
	wantSoundLedger(t, key)
}

func TestTransaction_StatusGoesOnlyWhereItsActionsLead(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	path := "/financial_transactions/" + transaction(t, key).Want(t, 201).ID()
	act := func(action string) *testkit.Response {
		if action == "mark_paid" {
			return key.Post(t, path+"/"+action, testkit.M{"paid_at": paidAt})
		}
		return key.Post(t, path+"/"+action, nil)
	}

	for _, step := range []struct{ action, refusedAs string }{
		{"reopen", "pending"},
		{"mark_paid", ""},
		{"mark_paid", "paid"},
		{"cancel", "paid"},
		{"reopen", ""},
		{"reopen", "pending"},
		{"cancel", ""},
		{"cancel", "cancelled"},
		{"mark_paid", "cancelled"},
		{"reopen", "cancelled"},
	} {
		got := act(step.action)
		if step.refusedAs == "" {
			got.Want(t, 200)
			continue
		}
		if got.WantProblem(t, 409, "invalid_state").Text("current") != step.refusedAs {
			t.Errorf("%s: %s", step.action, got)
		}
	}

	var actions []string
	for _, entry := range key.All(t, path+"/history?order=asc") {
		actions = append(actions, entry["action"].(string)+" "+entry["from"].(string)+" "+entry["to"].(string))
	}
	want := []string{"mark_paid pending paid", "reopen paid pending", "cancel pending cancelled"}
	if got, _ := json.Marshal(actions); string(got) != string(mustJSON(want)) {
		t.Errorf("the history is %s", got)
	}
	wantBalance(t, key, cash(t, key), 0, 0)
}

func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
