package app_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/app"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/testkit"
)

// verifyLedger runs `api verify-ledger` on a database.
func verifyLedger(t *testing.T, d *testkit.Database) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := app.Run(t.Context(), app.Process{
		Args: []string{"verify-ledger"}, Stdout: &out, Stderr: io.Discard,
		Environ: []string{"DATABASE_URL=" + d.URL, "FH_SECRET_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="},
	})
	return out.String(), err
}

func TestVerifyLedger_FindsABalanceAndATransferThatAreWrong(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t)
	s := testkit.New(t, testkit.WithDatabase(d))
	sound, wrong := s.Tenant(t).Key(t), s.Tenant(t).Key(t)
	for _, key := range []*testkit.Client{sound, wrong} {
		paidTransaction(t, key)
		newTransaction(t, key)
		key.Post(t, "/financial_transactions/transfer", testkit.M{
			"from_account_id": newAccount(t, key), "to_account_id": newAccount(t, key), "amount_cents": 5, "date": "2026-11-30",
		}).Want(t, 201)
	}

	text, err := verifyLedger(t, d)
	if err != nil || !strings.Contains(text, "2 companies verified, 0 discrepancies") {
		t.Fatalf("%s %v", text, err)
	}
	d.Exec(t, `UPDATE financial_accounts SET moved_cents = moved_cents + 1 WHERE tenant_id = $1 AND is_default`, wrong.Tenant.ID)
	d.Exec(t, `UPDATE financial_transactions SET amount_cents = 6 WHERE tenant_id = $1 AND type = 'transfer_in'`, wrong.Tenant.ID)

	text, err = verifyLedger(t, d)
	if err == nil || !strings.Contains(text, "2 discrepancies") || strings.Contains(text, sound.Tenant.ID.String()) {
		t.Errorf("%s %v", text, err)
	}
}

func TestBackground_MakesTheOccurrencesOfRecurringRules(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC))
	s := testkit.New(t, testkit.WithDatabase(testkit.NewDatabase(t)), testkit.WithClock(now))
	key := s.Tenant(t).Key(t)
	key.Post(t, "/financial_transactions/recurring", testkit.M{
		"type": "expense", "amount_cents": 1, "description": "Aluguel", "frequency": "weekly", "start_date": "2026-01-01",
	}).Want(t, 201)
	now.Advance(70 * 24 * time.Hour)

	ctx, stop := context.WithCancel(t.Context())
	ended := testkit.Async(func() bool { s.App.Background(ctx); return true })
	made := func() bool {
		return testkit.Value[int64](t, s.Database, `SELECT count(*) FROM financial_transactions WHERE tenant_id = $1`, key.Tenant.ID) == 13+10
	}
	testkit.Eventually(t, "the occurrences are made", made)

	stop()
	ended()
}
