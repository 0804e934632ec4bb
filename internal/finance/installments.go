package finance

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/money"
	"fatureihoje/internal/text"
)

// NewInstallments is one amount that is due in parts.
type NewInstallments struct {
	NewTransaction // what all parts have in common
	Total          money.Cents
	Count          int
	FirstDueDate   civil.Date
	Interval       string // monthly, weekly or biweekly
	DryRun         bool   // shows the parts and writes nothing
}

// Installments are the parts of one amount.
type Installments struct {
	GroupID *uuid.UUID // nil for a dry run, like the parts' ids
	Total   money.Cents
	Parts   []Transaction
}

// CreateInstallments divides an amount into parts that add up to it, the first
// ones carrying the cents that are left over.
func (s *Service) CreateInstallments(ctx context.Context, tx *db.Tx, n NewInstallments) (*Installments, error) {
	account, err := s.resolve(ctx, tx, references{n.Type, n.Account, n.CategoryID, n.ClientID})
	if err != nil {
		return nil, err
	}
	n.AccountID = account
	all := &Installments{Total: n.Total}
	for i, amount := range money.Split(n.Total, n.Count) {
		all.Parts = append(all.Parts, n.part(i+1, amount))
	}
	if n.DryRun {
		markOverdue(all.Parts, today(ctx, tx))
		return all, nil
	}
	group := id.New()
	all.GroupID = &group
	for i := range all.Parts {
		all.Parts[i].InstallmentGroupID = &group
		born(ctx, tx, &all.Parts[i])
	}
	audit.Record(ctx, tx, audit.Event{Action: "financial_installments.created", Resource: "financial_installments", ResourceID: group})
	return all, insertTransactions(ctx, tx, all.Parts)
}

// part is the part with this number, counted from 1.
func (n NewInstallments) part(number int, amount money.Cents) Transaction {
	t := n.Transaction
	t.Status, t.AmountCents, t.Description = StatusPending, amount, describePart(n.Description, number, n.Count)
	t.DueDate = dateOf(n.Interval, n.FirstDueDate, n.FirstDueDate.Day, number)
	if t.CompetenceDate == (civil.Date{}) {
		t.CompetenceDate = t.DueDate
	}
	t.InstallmentNumber, t.InstallmentCount = &number, &n.Count
	return t
}

// maxDescription is as long as a transaction's description may be, in characters.
const maxDescription = 200

// describePart says after what a part is of which of how many it is. A
// description without room for that is cut.
func describePart(what string, number, count int) string {
	which := fmt.Sprintf(" (%d/%d)", number, count)
	if room := maxDescription - text.Length(which); text.Length(what) > room {
		what = strings.TrimRight(string([]rune(what)[:room-1]), " ") + "…"
	}
	return what + which
}
