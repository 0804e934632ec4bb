package sales_test

import (
	"flag"
	"testing"

	"fatureihoje/internal/testkit"
)

// TestMain makes a random history, which is some forty requests, run a few times
// unless -rapid.checks says otherwise.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "12"); err != nil {
		panic(err)
	}
	testkit.Main(m)
}

// custom is a line of one thing at a price.
func custom(cents int) testkit.M {
	return testkit.M{"kind": "custom", "description": "Serviço", "quantity": 1, "unit_price_cents": cents}
}

// saleOf is the body of a sale of one line, with more members.
func saleOf(cents int, more ...testkit.M) testkit.M {
	body := testkit.M{"items": []testkit.M{custom(cents)}}
	for _, m := range more {
		for name, value := range m {
			body[name] = value
		}
	}
	return body
}

// newSale makes a sale and returns its path.
func newSale(t testing.TB, key *testkit.Client, cents int, more ...testkit.M) string {
	t.Helper()
	return "/sales/" + key.Post(t, "/sales", saleOf(cents, more...)).Want(t, 201).ID()
}

// pay records a payment by Pix.
func pay(t testing.TB, key *testkit.Client, sale string, cents int) *testkit.Response {
	t.Helper()
	return key.Post(t, sale+"/payments", testkit.M{"amount_cents": cents, "method": "pix"})
}

// saleJSON is what a test looks at in a sale.
type saleJSON struct {
	ID             string
	Number         int64
	Status         string
	CurrentVersion int   `json:"current_version"`
	SubtotalCents  int64 `json:"subtotal_cents"`
	DiscountTotal  int64 `json:"discount_total_cents"`
	TotalCents     int64 `json:"total_cents"`
	PaidCents      int64 `json:"paid_cents"`
	BalanceCents   int64 `json:"balance_cents"`
	QuoteID        *string
	Items          []struct {
		TotalCents int64 `json:"total_cents"`
	}
	Transactions []transactionJSON `json:"financial_transactions"`
	PaymentPlan  *struct {
		Installments []struct {
			DueDate string `json:"due_date"`
			Amount  int64  `json:"amount_cents"`
		}
	} `json:"payment_plan"`
}

type transactionJSON struct {
	ID, Status string
	Amount     int64  `json:"amount_cents"`
	DueDate    string `json:"due_date"`
	PaymentID  string `json:"payment_id"`
}

func readSale(t testing.TB, key *testkit.Client, sale string) saleJSON {
	t.Helper()
	return decodeSale(t, key.Get(t, sale).Want(t, 200))
}

func decodeSale(t testing.TB, r *testkit.Response) (s saleJSON) {
	t.Helper()
	r.Decode(t, &s)
	return s
}

// sums adds up the transactions of a sale by status.
func (s saleJSON) sums() map[string]int64 {
	sums := map[string]int64{}
	for _, one := range s.Transactions {
		sums[one.Status] += one.Amount
	}
	return sums
}

// balances adds up all accounts: what is there, and with what is to come.
func balances(t testing.TB, key *testkit.Client) (balance, projected int64) {
	t.Helper()
	var accounts struct {
		Data []struct {
			Balance   int64 `json:"balance_cents"`
			Projected int64 `json:"projected_balance_cents"`
		}
	}
	key.Get(t, "/financial_accounts").Want(t, 200).Decode(t, &accounts)
	for _, a := range accounts.Data {
		balance, projected = balance+a.Balance, projected+a.Projected
	}
	return balance, projected
}

// wantWhole stops the test unless every figure of the sale agrees with every
// other. The company has no other movements.
func wantWhole(t testing.TB, key *testkit.Client, sale string) saleJSON {
	t.Helper()
	s := readSale(t, key, sale)
	var confirmed int64
	for _, p := range key.All(t, sale+"/payments?status=confirmed") {
		confirmed += int64(p["amount_cents"].(float64))
	}
	status := "open"
	switch {
	case s.PaidCents == s.TotalCents:
		status = "paid"
	case s.PaidCents > 0:
		status = "partially_paid"
	}
	pending := s.TotalCents - s.PaidCents
	if s.Status == "cancelled" {
		status, pending = "cancelled", 0
	}
	sums := s.sums()
	balance, projected := balances(t, key)
	if s.PaidCents != confirmed || s.PaidCents > s.TotalCents || s.BalanceCents != s.TotalCents-s.PaidCents || s.Status != status ||
		sums["paid"] != s.PaidCents || sums["pending"] != pending || balance != s.PaidCents || projected != s.PaidCents+pending {
		t.Fatalf("the figures disagree: confirmed payments %d, accounts %d (projected %d), transactions %v, sale %+v", confirmed, balance, projected, sums, s)
	}
	return s
}

// wantOne stops the test unless exactly one of the answers has the status, and
// all others are this problem.
func wantOne(t testing.TB, all []*testkit.Response, status int, others ...string) *testkit.Response {
	t.Helper()
	var won *testkit.Response
	for _, r := range all {
		if r.Status != status {
			continue
		}
		if won != nil {
			t.Fatalf("two won:\n%s\n%s", won, r)
		}
		won = r
	}
	if won == nil {
		t.Fatalf("none won: %v", all)
	}
	for _, r := range all {
		if r != won && !contains(others, r.Code()) {
			t.Fatalf("want one of %v for the others, got %s", others, r)
		}
	}
	return won
}

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}
