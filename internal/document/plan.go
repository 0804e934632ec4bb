package document

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/money"
	"fatureihoje/internal/problem"
)

// MaxInstallments is how many parts a payment plan has at most.
const MaxInstallments = 120

// Installment is one part of a payment plan.
type Installment struct {
	DueDate civil.Date  `json:"due_date"`
	Amount  money.Cents `json:"amount_cents"`
	Method  *string     `json:"method,omitempty"`
}

// Plan says how a document is paid: part by part, or as equal monthly parts
// from a first date.
type Plan struct {
	Installments []Installment `json:"installments,omitempty"`
	Count        int           `json:"count,omitempty"`
	FirstDueDate *civil.Date   `json:"first_due_date,omitempty"`
	Method       *string       `json:"method,omitempty"` // of a counted plan
}

// Single is the plan of a document that names none: all on one day.
func Single(day civil.Date) *Plan { return &Plan{Count: 1, FirstDueDate: &day} }

// Parts divides an amount as the plan says. Nothing to pay has no part. A plan
// that does not add up to the amount is refused at its pointer in f.
func (p *Plan) Parts(amount money.Cents, pointer string, f *problem.Fields) []Installment {
	if p.Count == 0 {
		p.mustAddUp(amount, pointer, f)
		return p.Installments
	}
	if amount == 0 {
		return nil
	}
	if money.Cents(p.Count) > amount {
		f.Add(problem.Join(pointer, "count"), "too_many_parts", problem.Tf(
			"%d centavos não se dividem em %d parcelas.", "%d centavos cannot be divided into %d parts.", amount, p.Count))
		return nil
	}
	parts := make([]Installment, p.Count)
	for i, cents := range money.Split(amount, p.Count) {
		// The anchor day is kept: 31 January, 28 February, 31 March.
		parts[i] = Installment{DueDate: civil.MonthlyOccurrence(*p.FirstDueDate, i), Amount: cents, Method: p.Method}
	}
	return parts
}

func (p *Plan) mustAddUp(amount money.Cents, pointer string, f *problem.Fields) {
	var sum money.Cents // 120 parts of up to Max each
	for _, part := range p.Installments {
		sum += part.Amount
	}
	if sum != amount {
		f.Add(problem.Join(pointer, "installments"), "does_not_add_up", problem.Tf(
			"As parcelas somam %d centavos (%s); o valor a pagar é de %d (%s).", "The parts add up to %d centavos (%s); the amount to pay is %d (%s).",
			sum, sum.Format(), amount, amount.Format()))
	}
}

// Value writes the plan as JSON text.
func (p Plan) Value() (driver.Value, error) {
	text, err := json.Marshal(p)
	return string(text), err
}

// Scan reads a jsonb column.
func (p *Plan) Scan(src any) error {
	switch v := src.(type) {
	case []byte:
		return json.Unmarshal(v, p)
	case string:
		return json.Unmarshal([]byte(v), p)
	}
	return fmt.Errorf("read a payment plan from a %T", src)
}

// GormDataType names the column's type.
func (Plan) GormDataType() string { return "jsonb" }
