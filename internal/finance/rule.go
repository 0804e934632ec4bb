package finance

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/state"
)

// RuleResource is the word for a recurring rule in histories and audit rows.
const RuleResource = "financial_rule"

// Statuses of a rule.
const (
	RuleActive = "active"
	RulePaused = "paused"
	RuleEnded  = "ended"
)

// Rule says what recurs. Its occurrences are transactions, made some days ahead.
type Rule struct {
	ID             uuid.UUID
	Type           string
	AmountCents    money.Cents
	Description    string
	AccountID      uuid.UUID
	CategoryID     *uuid.UUID
	ClientID       *uuid.UUID
	Method         *string
	DocumentNumber *string
	Frequency      string
	StartDate      civil.Date
	EndDate        *civil.Date // no occurrence after it
	Count          *int        // no more occurrences than that
	DueDay         *int        // nil: the start's
	BusinessDay    string
	Status         string

	FirstDate  civil.Date  // of occurrence 1
	NextNumber int         // of the occurrence to be made next
	NextDate   *civil.Date // its date; nil after the last

	ExternalID *string
	Metadata   meta.Map
	CreatedAt  time.Time
	UpdatedAt  time.Time
	Version    int64
}

// RuleChanges are the members of a PATCH of a rule.
type RuleChanges struct {
	AmountCents    opt.Field[money.Cents]
	Description    opt.Field[string]
	AccountID      opt.Field[uuid.UUID]
	CategoryID     opt.Field[uuid.UUID]
	ClientID       opt.Field[uuid.UUID]
	Method         opt.Field[string]
	DocumentNumber opt.Field[string]
	EndDate        opt.Field[civil.Date]
	Count          opt.Field[int]
	DueDay         opt.Field[int]
	BusinessDay    opt.Field[string]
	ExternalID     opt.Field[string]
	Metadata       opt.Field[meta.Patch]
}

// RuleFilter selects rules of a list.
type RuleFilter struct {
	db.ListFilter
	Status string
	Type   string
	Page   page.Request
}

// ruleStatuses is the life of a rule.
func ruleStatuses() state.Machine {
	return state.Machine{
		{Action: "pause", From: []string{RuleActive}, To: RulePaused},
		{Action: "resume", From: []string{RulePaused}, To: RuleActive},
		{Action: "end", From: []string{RuleActive, RulePaused}, To: RuleEnded},
	}
}

// content are the members that say what recurs and when.
func (ch RuleChanges) content() []state.Member {
	return []state.Member{
		{Pointer: "/amount_cents", Sent: ch.AmountCents.IsSet()},
		{Pointer: "/description", Sent: ch.Description.IsSet()},
		{Pointer: "/account_id", Sent: ch.AccountID.IsSet()},
		{Pointer: "/category_id", Sent: ch.CategoryID.IsSet()},
		{Pointer: "/client_id", Sent: ch.ClientID.IsSet()},
		{Pointer: "/method", Sent: ch.Method.IsSet()},
		{Pointer: "/document_number", Sent: ch.DocumentNumber.IsSet()},
		{Pointer: "/end_date", Sent: ch.EndDate.IsSet()},
		{Pointer: "/count", Sent: ch.Count.IsSet()},
		{Pointer: "/due_day", Sent: ch.DueDay.IsSet()},
		{Pointer: "/business_day", Sent: ch.BusinessDay.IsSet()},
	}
}

// apply changes r. An ended rule takes metadata and the external id alone.
func (r *Rule) apply(ch RuleChanges) error {
	if r.Status == RuleEnded {
		if err := ruleStatuses().Frozen(r.Status, ch.content()...); err != nil {
			return err
		}
	}
	opt.Assign(&r.AmountCents, ch.AmountCents, 0)
	opt.Assign(&r.Description, ch.Description, "")
	opt.Assign(&r.AccountID, ch.AccountID, r.AccountID)
	opt.Assign(&r.BusinessDay, ch.BusinessDay, BusinessNone)
	r.CategoryID = ch.CategoryID.Or(r.CategoryID)
	r.ClientID = ch.ClientID.Or(r.ClientID)
	r.Method = ch.Method.Or(r.Method)
	r.DocumentNumber = ch.DocumentNumber.Or(r.DocumentNumber)
	r.EndDate = ch.EndDate.Or(r.EndDate)
	r.Count = ch.Count.Or(r.Count)
	r.DueDay = ch.DueDay.Or(r.DueDay)
	r.ExternalID = ch.ExternalID.Or(r.ExternalID)
	r.Metadata = r.Metadata.Change(ch.Metadata)
	return nil
}

// validate checks what spans several members.
func (r *Rule) validate(f *problem.Fields) {
	if r.EndDate != nil && r.EndDate.Before(r.StartDate) {
		f.Add("/end_date", "before_start", problem.T("O fim é antes do início.", "The end is before the start."))
	}
	if r.EndDate != nil && r.Count != nil {
		f.Add("/count", "exclusive", problem.T(
			"Informe a data final (end_date) ou o número de ocorrências (count), não os dois.", "Give end_date or count, not both."))
	}
	if days, _ := step(r.Frequency); days > 0 && r.DueDay != nil {
		f.Add("/due_day", "not_monthly", problem.T(
			"Recorrências semanais e quinzenais não têm um dia do mês para o vencimento (due_day).", "due_day does not apply to weekly frequencies."))
	}
	r.Metadata.Validate("/metadata", f)
}

// settle derives the date of the occurrence to be made next.
func (r *Rule) settle() {
	r.NextDate = nil
	if d, ok := r.date(r.NextNumber); ok {
		r.NextDate = &d
	}
}

// take returns the occurrences to be made for dates up to horizon, at most
// MaxOccurrences of them, and moves on to the next.
func (r *Rule) take(horizon civil.Date) []Transaction {
	var made []Transaction
	for r.NextDate != nil && !r.NextDate.After(horizon) && len(made) < MaxOccurrences {
		made = append(made, r.occurrence(r.NextNumber, *r.NextDate))
		r.NextNumber++
		r.settle()
	}
	return made
}

func (r *Rule) occurrence(n int, date civil.Date) Transaction {
	return Transaction{
		Type: r.Type, Status: StatusPending, AmountCents: r.AmountCents, Description: r.Description, DueDate: r.due(date), CompetenceDate: date,
		AccountID: r.AccountID, CategoryID: r.CategoryID, ClientID: r.ClientID, Method: r.Method, DocumentNumber: r.DocumentNumber,
		RecurringID: &r.ID, OccurrenceNumber: &n, OccurrenceDate: &date,
	}
}

// skipTo passes over the occurrences before day: those that a pause has left out.
func (r *Rule) skipTo(day civil.Date) {
	for r.NextDate != nil && r.NextDate.Before(day) {
		r.NextNumber++
		r.settle()
	}
}

// follow brings a pending occurrence to what its rule says now; false when the
// rule now ends before it.
func (r *Rule) follow(t *Transaction) bool {
	date, ok := r.date(*t.OccurrenceNumber)
	if !ok {
		return false
	}
	is := r.occurrence(*t.OccurrenceNumber, date)
	t.AmountCents, t.Description, t.DueDate, t.CompetenceDate, t.OccurrenceDate = is.AmountCents, is.Description, is.DueDate, is.CompetenceDate, &date
	t.AccountID, t.CategoryID, t.ClientID, t.Method, t.DocumentNumber = is.AccountID, is.CategoryID, is.ClientID, is.Method, is.DocumentNumber
	return true
}
