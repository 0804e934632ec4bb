package sales_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

func TestPayments_NeverExceedTheBalanceAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ payments, cents, accepted int }{
		"each is all":       {10, 50_000, 1},
		"two are too much":  {2, 30_000, 1},
		"all fit, exactly":  {100, 500, 100},
		"most of them fail": {40, 9_000, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key := testkit.New(t).Tenant(t).Key(t)
			sale := newSale(t, key, 50_000, testkit.M{"payment_plan": testkit.M{"count": 7, "first_due_date": "2026-01-31"}})

			all := testkit.AtOnce(c.payments, func(int) *testkit.Response {
				return key.Post(t, sale+"/payments", testkit.M{"amount_cents": c.cents, "method": "pix"}, testkit.Key(testkit.NewKey()))
			})

			accepted := 0
			for _, r := range all {
				switch {
				case r.Status == 201:
					accepted++
				case r.Status != 422:
					t.Errorf("got %s", r)
				}
			}
			if s := wantWhole(t, key, sale); accepted != c.accepted || s.PaidCents != int64(c.accepted*c.cents) {
				t.Errorf("%d accepted, %d paid", accepted, s.PaidCents)
			}
		})
	}
}

func TestCancelPayment_ReversesOnceAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	sale := newSale(t, key, 1000)
	payment := pay(t, key, sale, 700).Want(t, 201).ID()

	all := testkit.AtOnce(20, func(int) *testkit.Response {
		return key.Post(t, sale+"/payments/"+payment+"/cancel", nil, testkit.Key(testkit.NewKey()))
	})

	wantOne(t, all, 200, "invalid_state")
	wantWhole(t, key, sale)
}

// TestSale_EndsInOneLegalHistoryWhateverComesAtOnce lets everything that changes
// a sale's money run at the same moment, through every route.
func TestSale_EndsInOneLegalHistoryWhateverComesAtOnce(t *testing.T) {
	t.Parallel()
	for range 12 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			key := testkit.New(t).Tenant(t).Key(t)
			sale := newSale(t, key, 10_000, testkit.M{"payment_plan": testkit.M{"count": 4, "first_due_date": "2026-01-31"}})
			first := pay(t, key, sale, 3_000).Want(t, 201).ID()
			second := pay(t, key, sale, 1_000).Want(t, 201).ID()
			var pending string
			for _, one := range readSale(t, key, sale).Transactions {
				if one.Status == "pending" {
					pending = one.ID
				}
			}
			do := []func() *testkit.Response{
				func() *testkit.Response { return key.Post(t, sale+"/payments/"+first+"/cancel", nil) },
				func() *testkit.Response { return key.Post(t, sale+"/payments/"+second+"/cancel", nil) },
				func() *testkit.Response { return key.Post(t, sale+"/cancel", testkit.M{"cancel_payments": true}) },
				func() *testkit.Response { return key.Post(t, sale+"/cancel", nil) },
				func() *testkit.Response {
					return key.Post(t, "/financial_transactions/"+pending+"/mark_paid", testkit.M{"paid_at": "2026-01-31T12:00:00Z"})
				},
				func() *testkit.Response {
					return key.Patch(t, "/financial_transactions/"+pending, testkit.M{"metadata": testkit.M{"a": "b"}})
				},
				func() *testkit.Response { return pay(t, key, sale, 6_000) },
				func() *testkit.Response { return pay(t, key, sale, 2_500) },
				func() *testkit.Response { return key.Post(t, sale+"/versions", saleOf(5_000)) },
				func() *testkit.Response { return key.Post(t, sale+"/versions", saleOf(12_000)) },
				func() *testkit.Response { return key.Patch(t, sale, testkit.M{"notes": "x"}) },
			}

			all := testkit.AtOnce(len(do), func(i int) *testkit.Response { return do[i]() })

			for i, r := range all {
				if r.Status != 200 && r.Status != 201 && r.Status != 409 && r.Status != 422 {
					t.Errorf("command %d: %s", i, r)
				}
			}
			if all[4].Text("reason") != "managed_by_sale" {
				t.Errorf("mark_paid: %s", all[4])
			}
			wantWhole(t, key, sale)
			if all[2].Status == 200 && all[3].Status == 200 {
				t.Error("cancelled twice")
			}
		})
	}
	t.Cleanup(func() {
		if n := testkit.Value[int64](t, testkit.PackageDatabase(t), "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"); n != 0 {
			t.Errorf("%d deadlocks", n)
		}
	})
}

func TestSaleVersions_OneOfTheSameBaseWinsAtOnce(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	sale := newSale(t, key, 1000)

	all := testkit.AtOnce(10, func(i int) *testkit.Response {
		return key.Post(t, sale+"/versions", saleOf(2000+i, testkit.M{"base_version": 1}))
	})

	wantOne(t, all, 201, "conflict")
	if s := wantWhole(t, key, sale); s.CurrentVersion != 2 {
		t.Errorf("got %+v", s)
	}
}

func TestPayments_AgainstALowerTotalAtOnce(t *testing.T) {
	t.Parallel()
	for range 6 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			key := testkit.New(t).Tenant(t).Key(t)
			sale := newSale(t, key, 10_000)

			all := testkit.AtOnce(2, func(i int) *testkit.Response {
				if i == 0 {
					return pay(t, key, sale, 8_000)
				}
				return key.Post(t, sale+"/versions", saleOf(5_000))
			})

			wantOne(t, all, 201, "validation_failed")
			wantWhole(t, key, sale)
		})
	}
}
