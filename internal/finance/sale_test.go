package finance_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/id"
	"fatureihoje/internal/money"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/testkit"
)

// saleBench calls what package sales calls, without a sale.
type saleBench struct {
	t    *testing.T
	key  *testkit.Client
	sale finance.SaleRef
}

func newSaleBench(t *testing.T) *saleBench {
	t.Helper()
	key := testkit.New(t).Tenant(t).Key(t)
	// The sale itself is not what is tested here.
	b := &saleBench{t: t, key: key, sale: finance.SaleRef{ID: makeSale(t, key), Number: 12, CompetenceDate: civil.Date{Year: 2026, Month: 1, Day: 5}}}
	return b
}

func (b *saleBench) do(f func(context.Context, *db.Tx, *finance.Service) error) error {
	return b.key.Server.Pool().InTenant(context.Background(), b.key.Tenant.ID, func(ctx context.Context, tx *db.Tx) error {
		return f(ctx, tx, finance.NewService(nil))
	})
}

func (b *saleBench) plan(amounts ...money.Cents) {
	b.t.Helper()
	var parts []finance.Part
	for i, amount := range amounts {
		parts = append(parts, finance.Part{DueDate: civil.Date{Year: 2026, Month: 12, Day: 1}.AddDays(-i), Amount: amount}) // the last is due first
	}
	if err := b.do(func(ctx context.Context, tx *db.Tx, s *finance.Service) error {
		_, err := s.PlanSale(ctx, tx, b.sale, parts)
		return err
	}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *saleBench) settle(st finance.Settlement) ([]finance.Transaction, error) {
	st.PaidAt, st.Method = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), "pix"
	if st.PaymentID == uuid.Nil {
		st.PaymentID = makePayment(b.t, b.key, b.sale.ID)
	}
	var paid []finance.Transaction
	err := b.do(func(ctx context.Context, tx *db.Tx, s *finance.Service) (err error) {
		paid, err = s.SettleSale(ctx, tx, b.sale.ID, st)
		return err
	})
	return paid, err
}

func (b *saleBench) reverse(payment uuid.UUID) {
	b.t.Helper()
	if err := b.do(func(ctx context.Context, tx *db.Tx, s *finance.Service) error {
		return s.ReverseSettlement(ctx, tx, b.sale.ID, payment)
	}); err != nil {
		b.t.Fatal(err)
	}
}

// rows are the sale's transactions by status, in the order of their due dates.
func (b *saleBench) rows(status string) []int64 {
	b.t.Helper()
	return amounts(read[[]wireTransaction](b.t, b.key.All(b.t, "/financial_transactions?sort=due_date&order=asc&status="+status+"&sale_id="+b.sale.ID.String())))
}

func (b *saleBench) want(paid, pending []int64, balance, projected int64) {
	b.t.Helper()
	if p, q := b.rows("paid"), b.rows("pending"); !slices.Equal(p, paid) || !slices.Equal(q, pending) {
		b.t.Fatalf("paid %v pending %v, want %v and %v", p, q, paid, pending)
	}
	wantBalance(b.t, b.key, cash(b.t, b.key), balance, projected)
	wantSoundLedger(b.t, b.key)
}

func TestSale_PaymentsSettleTheOldestDueFirstAndSplitARow(t *testing.T) {
	t.Parallel()
	b := newSaleBench(t)
	b.plan(300, 200, 100)

	payment := makePayment(t, b.key, b.sale.ID)
	paid, err := b.settle(finance.Settlement{PaymentID: payment, Amount: 150, Fee: 4})
	if err != nil || len(paid) != 2 || *paid[0].PaymentID != payment {
		t.Fatalf("%v %v", paid, err)
	}
	b.want([]int64{100, 50}, []int64{150, 300}, 146, 596)

	named := read[[]wireTransaction](t, b.key.All(t, "/financial_transactions?status=pending&sort=due_date&order=desc&sale_id="+b.sale.ID.String()))[0]
	if _, err := b.settle(finance.Settlement{Amount: 100, TransactionID: new(uuid.MustParse(*named.ID))}); err != nil {
		t.Fatal(err)
	}
	b.want([]int64{100, 50, 100}, []int64{150, 200}, 246, 596)

	b.reverse(payment)
	b.want([]int64{100}, []int64{100, 50, 150, 200}, 100, 600)
	b.reverse(payment)
	b.want([]int64{100}, []int64{100, 50, 150, 200}, 100, 600)

	if err := b.do(func(ctx context.Context, tx *db.Tx, s *finance.Service) error {
		return s.DropPending(ctx, tx, b.sale.ID)
	}); err != nil {
		t.Fatal(err)
	}
	b.want([]int64{100}, nil, 100, 100)
}

func TestSale_PaymentGoesToTheAccountItNames(t *testing.T) {
	t.Parallel()
	b := newSaleBench(t)
	b.plan(100)
	bank := account(t, b.key)

	if _, err := b.settle(finance.Settlement{Amount: 60, Fee: 1, AccountID: new(uuid.MustParse(bank))}); err != nil {
		t.Fatal(err)
	}

	wantBalance(t, b.key, bank, 59, 59)
	b.want([]int64{60}, []int64{40}, 0, 40)
}

func TestSale_RefusesWhatIsNotItsOwnOrTooMuch(t *testing.T) {
	t.Parallel()
	b := newSaleBench(t)
	b.plan(100, 50)
	own := uuid.MustParse(transaction(t, b.key).Want(t, 201).ID())
	first := uuid.MustParse(*read[[]wireTransaction](t, b.key.All(t, "/financial_transactions?sort=due_date&order=asc&sale_id="+b.sale.ID.String()))[0].ID)
	for name, c := range map[string]struct {
		st      finance.Settlement
		pointer string
	}{
		"above what is pending":        {finance.Settlement{Amount: 151}, "/amount_cents"},
		"above the one that is named":  {finance.Settlement{Amount: 51, TransactionID: &first}, "/amount_cents"},
		"another's transaction":        {finance.Settlement{Amount: 1, TransactionID: &own}, "/financial_transaction_id"},
		"a transaction that is nobody": {finance.Settlement{Amount: 1, TransactionID: new(id.New())}, "/financial_transaction_id"},
		"an account that is nobody":    {finance.Settlement{Amount: 1, AccountID: new(id.New())}, "/account_id"},
		"a fee above the amount":       {finance.Settlement{Amount: 1, Fee: 2}, "/fee_cents"},
	} {
		_, err := b.settle(c.st)
		if p := problem.As(err); p.Code != problem.ValidationFailed || p.Fields[0].Pointer != c.pointer {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.settle(finance.Settlement{Amount: 50, TransactionID: &first}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.settle(finance.Settlement{Amount: 50, TransactionID: &first}); !problem.Is(err, problem.InvalidState) {
		t.Errorf("twice: %v", err)
	}
}

func TestSale_OwnsItsTransactions(t *testing.T) {
	t.Parallel()
	b := newSaleBench(t)
	b.plan(100)
	path := "/financial_transactions/" + *read[[]wireTransaction](t, b.key.All(t, "/financial_transactions?sale_id="+b.sale.ID.String()))[0].ID
	for name, got := range map[string]*testkit.Response{
		"mark_paid": b.key.Post(t, path+"/mark_paid", testkit.M{"paid_at": paidAt}),
		"reopen":    b.key.Post(t, path+"/reopen", nil),
		"cancel":    b.key.Post(t, path+"/cancel", nil),
		"delete":    b.key.Delete(t, path),
		"patch":     b.key.Patch(t, path, testkit.M{"description": "x"}),
		"amount":    b.key.Patch(t, path, testkit.M{"amount_cents": 1}),
	} {
		if got.WantProblem(t, 409, "conflict").Text("reason") != "managed_by_sale" {
			t.Errorf("%s: %s", name, got)
		}
	}
	b.key.Patch(t, path, testkit.M{"metadata": testkit.M{"a": "b"}}).Want(t, 200)
}

// makeSale makes a sale of nothing, which has no plan of its own.
func makeSale(t testing.TB, key *testkit.Client) uuid.UUID {
	t.Helper()
	return uuid.MustParse(key.Post(t, "/sales", testkit.M{
		"items": []testkit.M{{"kind": "custom", "description": "Brinde", "quantity": "1", "unit_price_cents": 0}},
	}).Want(t, 201).ID())
}

func makePayment(t testing.TB, key *testkit.Client, sale uuid.UUID) uuid.UUID {
	t.Helper()
	payment := id.New()
	key.Server.Database.Exec(t, `INSERT INTO sale_payments (tenant_id, id, sale_id, status, amount_cents, method, paid_at, fee_cents, created_at, updated_at, version)
		VALUES ($1, $2, $3, 'confirmed', 1, 'pix', now(), 0, now(), now(), 1)`, key.Tenant.ID, payment, sale)
	return payment
}
