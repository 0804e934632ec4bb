package finance_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

func TestMarkPaid_TwentyAtOnceMoveTheBalanceOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	acct := cash(t, key)
	path := "/financial_transactions/" + transaction(t, key).Want(t, 201).ID()
	for round := range 3 {
		all := testkit.AtOnce(20, func(i int) *testkit.Response {
			var options []testkit.CallOption
			if i%2 == 0 {
				options = append(options, testkit.Key(testkit.NewKey()))
			}
			return key.Post(t, path+"/mark_paid", testkit.M{"paid_at": paidAt}, options...)
		})
		wantOneOf(t, all, 200, "invalid_state")
		wantBalance(t, key, acct, 10000, 10000)
		key.Post(t, path+"/mark_paid", testkit.M{"paid_at": paidAt}).WantProblem(t, 409, "invalid_state")

		reopened := testkit.AtOnce(20, func(int) *testkit.Response { return key.Post(t, path+"/reopen", nil) })
		wantOneOf(t, reopened, 200, "invalid_state")
		wantBalance(t, key, acct, 0, 10000)
		if n := len(key.All(t, path+"/history")); n != 2*(round+1) {
			t.Errorf("round %d: the history has %d entries", round, n)
		}
	}
}

func TestStatus_ExclusiveActionsAtOnceHaveOneWinner(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	for range 5 {
		path := "/financial_transactions/" + transaction(t, key).Want(t, 201).ID()
		all := testkit.AtOnce(8, func(i int) *testkit.Response {
			if i%2 == 0 {
				return key.Post(t, path+"/mark_paid", testkit.M{"paid_at": paidAt})
			}
			return key.Post(t, path+"/cancel", nil)
		})
		wantOneOf(t, all, 200, "invalid_state")
	}
	wantSoundLedger(t, key)
}

func TestTransfers_InBothDirectionsAtOnceNeitherDeadlockNorLoseACent(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	a, b := account(t, key), account(t, key)
	deadlocks := func() int64 {
		return testkit.Value[int64](t, key.Server.Database, `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)
	}
	before := deadlocks()

	all := testkit.AtOnce(200, func(i int) *testkit.Response {
		from, to := a, b
		if i%2 == 1 {
			from, to = b, a
		}
		return key.Post(t, "/financial_transactions/transfer", transferBody(from, to, i+1))
	})

	for _, r := range all {
		r.Want(t, 201)
	}
	if n := deadlocks() - before; n > 0 {
		t.Errorf("%d deadlocks", n)
	}
	// The odd amounts went from a to b, the even ones back: 1 + 3 + … − 2 − 4 − …
	wantBalance(t, key, a, 100, 100)
	wantBalance(t, key, b, -100, -100)
	wantSoundLedger(t, key)
}

func TestAccount_UnderFiftyWritersStaysExact(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	acct, other := account(t, key), account(t, key)
	in := testkit.M{"account_id": acct}

	testkit.AtOnce(50, func(i int) int {
		switch i % 5 {
		case 0:
			transaction(t, key, in, testkit.M{"paid_at": paidAt}).Want(t, 201)
		case 1:
			id := transaction(t, key, in, testkit.M{"type": "expense", "amount_cents": 700}).Want(t, 201).ID()
			key.Post(t, "/financial_transactions/"+id+"/mark_paid", testkit.M{"paid_at": paidAt, "fee_cents": 1}).Want(t, 200)
		case 2:
			id := transaction(t, key, in).Want(t, 201).ID()
			key.Patch(t, "/financial_transactions/"+id, testkit.M{"account_id": other, "amount_cents": 5}).Want(t, 200)
		case 3:
			key.Post(t, "/financial_transactions/transfer", transferBody(acct, other, 11)).Want(t, 201)
		case 4:
			key.Patch(t, "/financial_accounts/"+acct, testkit.M{"agency": "1"}).Want(t, 200)
			id := transaction(t, key, in).Want(t, 201).ID()
			key.Delete(t, "/financial_transactions/"+id).Want(t, 204)
		}
		return 0
	})

	wantBalance(t, key, acct, 10*10000-10*701-10*11, 10*10000-10*701-10*11)
	wantBalance(t, key, other, 110, 110+10*5)
	wantSoundLedger(t, key)
}
