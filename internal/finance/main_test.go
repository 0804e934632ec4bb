package finance_test

import (
	"context"
	"encoding/json"
	"testing"

	"fatureihoje/internal/db"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// cash is the account that a company starts with.
func cash(t testing.TB, key *testkit.Client) string {
	t.Helper()
	for _, a := range key.All(t, "/financial_accounts") {
		if a["is_default"] == true {
			return a["id"].(string)
		}
	}
	t.Fatal("no account is the default")
	return ""
}

func account(t testing.TB, key *testkit.Client, more ...testkit.M) string {
	t.Helper()
	return key.Post(t, "/financial_accounts", merged(testkit.M{"name": testkit.RandomID(), "kind": "checking"}, more)).Want(t, 201).ID()
}

// category is one of those that a company starts with.
func category(t testing.TB, key *testkit.Client, kind string) string {
	t.Helper()
	return key.All(t, "/financial_categories?kind="+kind)[0]["id"].(string)
}

func transaction(t testing.TB, key *testkit.Client, more ...testkit.M) *testkit.Response {
	t.Helper()
	body := testkit.M{"type": "income", "amount_cents": 10000, "description": "Conserto", "due_date": "2026-11-30"}
	return key.Post(t, "/financial_transactions", merged(body, more))
}

func merged(base testkit.M, more []testkit.M) testkit.M {
	for _, m := range more {
		for name, value := range m {
			base[name] = value
		}
	}
	return base
}

// balances are the two balances of an account.
type balances struct{ Balance, Projected int64 }

func balanceOf(t testing.TB, key *testkit.Client, account string) balances {
	t.Helper()
	var b struct {
		Balance   int64 `json:"balance_cents"`
		Projected int64 `json:"projected_balance_cents"`
	}
	key.Get(t, "/financial_accounts/"+account).Want(t, 200).Decode(t, &b)
	return balances(b)
}

func wantBalance(t testing.TB, key *testkit.Client, account string, balance, projected int64) {
	t.Helper()
	if got := balanceOf(t, key, account); got != (balances{balance, projected}) {
		t.Fatalf("want balance %d and projected %d, got %+v", balance, projected, got)
	}
}

// wantSoundLedger proves that what is kept is what the movements add up to.
func wantSoundLedger(t testing.TB, key *testkit.Client) {
	t.Helper()
	err := key.Server.Pool().Read(context.Background(), key.Tenant.ID, func(ctx context.Context, r db.Reader) error {
		found, err := finance.VerifyCompany(ctx, r)
		for _, d := range found {
			t.Errorf("the ledger is wrong: %s", d.What)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wireTransaction is what tests read of a transaction.
type wireTransaction struct {
	ID          *string `json:"id"`
	Type        string
	Status      string
	Description string
	AmountCents int64  `json:"amount_cents"`
	DueDate     string `json:"due_date"`
	AccountID   string `json:"account_id"`
	Overdue     bool
	PaidCents   *int64 `json:"paid_cents"`
}

func read[T any](t testing.TB, v any) T {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func dueDates(list []wireTransaction) []string {
	var dates []string
	for _, t := range list {
		dates = append(dates, t.DueDate)
	}
	return dates
}

func amounts(list []wireTransaction) []int64 {
	var all []int64
	for _, t := range list {
		all = append(all, t.AmountCents)
	}
	return all
}
