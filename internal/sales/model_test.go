package sales_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/testkit"
)

// model is a sale as whoever sends its commands reckons it: nothing but sums.
type model struct {
	total, paid int64
	version     int
	cancelled   bool
	payments    map[string]int64 // the confirmed ones
	all         []string         // every payment, for cancelling again
}

func (m *model) status() string {
	switch {
	case m.cancelled:
		return "cancelled"
	case m.paid == m.total:
		return "paid"
	case m.paid > 0:
		return "partially_paid"
	}
	return "open"
}

// machine sends random commands to one sale of a company of its own, and
// compares every figure after each.
type machine struct {
	model
	t    *testing.T
	key  *testkit.Client
	sale string
	fees map[string]int64 // of the confirmed payments
}

// Pay records a payment that may be too large.
func (m *machine) Pay(t *rapid.T) {
	amount := rapid.Int64Range(1, 6_000).Draw(t, "amount")
	fee := rapid.Int64Range(0, amount).Draw(t, "fee")
	r := m.key.Post(m.t, m.sale+"/payments", testkit.M{"amount_cents": amount, "method": "pix", "fee_cents": fee})
	switch {
	case m.cancelled:
		want(t, r, 409, "invalid_state")
	case amount > m.total-m.paid:
		want(t, r, 422, "validation_failed")
	default:
		want(t, r, 201, "")
		m.paid += amount
		m.payments[r.ID()], m.fees[r.ID()] = amount, fee
		m.all = append(m.all, r.ID())
	}
}

// CancelPayment cancels a payment that may be cancelled already.
func (m *machine) CancelPayment(t *rapid.T) {
	if len(m.all) == 0 {
		t.Skip("there is no payment")
	}
	id := rapid.SampledFrom(m.all).Draw(t, "payment")
	r := m.key.Post(m.t, m.sale+"/payments/"+id+"/cancel", nil)
	amount, live := m.payments[id]
	if !live {
		want(t, r, 409, "invalid_state")
		return
	}
	want(t, r, 200, "")
	m.paid -= amount
	delete(m.payments, id)
	delete(m.fees, id)
}

// Version gives the sale another total, which may be below what was paid, from
// a base that may be stale.
func (m *machine) Version(t *rapid.T) {
	total := rapid.Int64Range(0, 12_000).Draw(t, "total")
	base := m.version - rapid.IntRange(0, 1).Draw(t, "stale")
	count := rapid.IntRange(1, 5).Draw(t, "count")
	r := m.key.Post(m.t, m.sale+"/versions", saleOf(int(total), testkit.M{
		"base_version": max(base, 1), "payment_plan": testkit.M{"count": count, "first_due_date": "2026-01-31"},
	}))
	left := total - m.paid
	switch {
	case m.cancelled:
		want(t, r, 409, "invalid_state")
	case max(base, 1) != m.version:
		want(t, r, 409, "conflict")
	case left < 0, left > 0 && left < int64(count):
		want(t, r, 422, "validation_failed")
	default:
		want(t, r, 201, "")
		m.total = total
		m.version++
	}
}

// Cancel cancels the sale, now and then, with or without its payments.
func (m *machine) Cancel(t *rapid.T) {
	if rapid.IntRange(0, 5).Draw(t, "rarely") > 0 {
		t.Skip("not yet")
	}
	with := rapid.Bool().Draw(t, "with payments")
	r := m.key.Post(m.t, m.sale+"/cancel", testkit.M{"cancel_payments": with})
	switch {
	case m.cancelled:
		want(t, r, 409, "invalid_state")
	case len(m.payments) > 0 && !with:
		want(t, r, 409, "conflict")
	default:
		want(t, r, 200, "")
		m.cancelled, m.paid = true, 0
		m.payments, m.fees = map[string]int64{}, map[string]int64{}
	}
}

// Check compares every figure with the model.
func (m *machine) Check(t *rapid.T) {
	s := readSale(m.t, m.key, m.sale)
	got := fmt.Sprintf("%s total %d paid %d balance %d version %d", s.Status, s.TotalCents, s.PaidCents, s.BalanceCents, s.CurrentVersion)
	wanted := fmt.Sprintf("%s total %d paid %d balance %d version %d", m.status(), m.total, m.paid, m.total-m.paid, m.version)
	if got != wanted {
		t.Fatalf("want %s, got %s", wanted, got)
	}
	pending := m.total - m.paid
	if m.cancelled {
		pending = 0
	}
	if sums := s.sums(); sums["paid"] != m.paid || sums["pending"] != pending {
		t.Fatalf("want %d paid and %d pending, got %v", m.paid, pending, sums)
	}
	var fees int64
	for _, fee := range m.fees {
		fees += fee
	}
	if balance, projected := balances(m.t, m.key); balance != m.paid-fees || projected != m.paid-fees+pending {
		t.Fatalf("want %d in the account and %d to come, got %d and %d", m.paid-fees, pending, balance, projected-balance)
	}
	if n := len(m.key.All(m.t, m.sale+"/payments?status=confirmed")); n != len(m.payments) {
		t.Fatalf("want %d confirmed payments, got %d", len(m.payments), n)
	}
}

func want(t *rapid.T, r *testkit.Response, status int, code string) {
	if r.Status != status || r.Code() != code {
		t.Fatalf("want %d %s, got %s", status, code, r)
	}
}

func TestSale_AgreesWithAModelOverRandomHistories(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	rapid.Check(t, func(rt *rapid.T) {
		total := rapid.Int64Range(1, 10_000).Draw(rt, "total")
		key := srv.Tenant(t).Key(t)
		m := &machine{
			t: t, key: key, sale: newSale(t, key, int(total)), fees: map[string]int64{},
			model: model{total: total, version: 1, payments: map[string]int64{}},
		}
		rt.Repeat(map[string]func(*rapid.T){
			"pay": m.Pay, "cancel payment": m.CancelPayment, "version": m.Version, "cancel": m.Cancel, "": m.Check,
		})
	})
}
