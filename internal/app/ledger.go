package app

import (
	"context"
	"errors"
	"fmt"

	"fatureihoje/internal/finance"
)

// errLedger is a ledger whose balances are not what its movements add up to.
var errLedger = errors.New("the ledger is wrong")

// runVerifyLedger proves the balances of every company, and changes nothing. It
// may run beside a working server.
func runVerifyLedger(ctx context.Context, p *Process) error {
	base, err := open(ctx, p)
	if err != nil {
		return err
	}
	defer base.close()
	companies, found, err := finance.VerifyLedger(ctx, base.Pool)
	if err != nil {
		return fmt.Errorf("verify the ledger: %w", err)
	}
	for _, d := range found {
		_, _ = fmt.Fprintf(p.Stdout, "company %s: %s\n", d.TenantID, d.What)
	}
	_, _ = fmt.Fprintf(p.Stdout, "%d companies verified, %d discrepancies\n", companies, len(found))
	if len(found) > 0 {
		return errLedger
	}
	return nil
}
