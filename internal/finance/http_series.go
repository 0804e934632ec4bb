package finance

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/money"
	"fatureihoje/internal/problem"
)

// seriesRoutes are those that make several transactions at once.
func seriesRoutes(h handlers) []httpapi.Route {
	installments := creation(op("createFinancialInstallments", transactionsBase+"/installments", transactionsTag, "Divide um valor em parcelas"),
		`{"type": "expense", "description": "Notebook", "total_cents": 1000000, "count": 3, "first_due_date": "2026-12-31", "interval": "monthly", "category_id": "{expense_category}"}`)
	installments.OtherStatus = http.StatusOK // a dry run
	return []httpapi.Route{
		httpapi.Write(creation(op("createFinancialTransfer", transactionsBase+"/transfer", transactionsTag, "Transfere entre contas"),
			`{"from_account_id": "{account}", "to_account_id": "{other_account}", "amount_cents": 50000, "date": "2026-11-30", "description": "Depósito do caixa", "fee_cents": 250}`),
			h.createTransfer),
		httpapi.Write(installments, h.createInstallments),
	}
}

type financialTransferInput struct {
	FromAccountID uuid.UUID   `json:"from_account_id" required:"true"`
	ToAccountID   uuid.UUID   `json:"to_account_id" required:"true" doc:"Outra conta."`
	AmountCents   money.Cents `json:"amount_cents" required:"true" minimum:"1"`
	Date          civil.Date  `json:"date" required:"true"`
	Description   *string     `json:"description" minLength:"1" maxLength:"200"`
	FeeCents      money.Cents `json:"fee_cents" doc:"Tarifa, paga pela conta de origem: um terceiro lançamento, uma despesa."`
}

// Validate refuses a transfer from an account to itself.
func (in *financialTransferInput) Validate(at string, f *problem.Fields) {
	if in.ToAccountID != uuid.Nil && in.FromAccountID == in.ToAccountID {
		f.Add(problem.Join(at, "to_account_id"), "same_account", problem.T("Informe outra conta.", "Give another account."))
	}
}

type transferResponse struct {
	TransferID   uuid.UUID             `json:"transfer_id"`
	Transactions []TransactionResponse `json:"transactions" doc:"A saída, a entrada e, se houver, a tarifa."`
}

// Location is the outgoing transaction's address.
func (r transferResponse) Location() string { return r.Transactions[0].Location() }

type createTransferRequest struct {
	Body financialTransferInput `body:"true"`
}

func (h handlers) createTransfer(ctx context.Context, tx *db.Tx, req createTransferRequest) (transferResponse, error) {
	in := req.Body
	n := NewTransfer{
		From: in.FromAccountID, To: in.ToAccountID, Amount: in.AmountCents, Date: in.Date, Description: "Transferência entre contas", Fee: in.FeeCents,
	}
	if in.Description != nil {
		n.Description = *in.Description
	}
	transfer, err := h.service.CreateTransfer(ctx, tx, n)
	return respond(transfer, err, func(t *Transfer) transferResponse {
		return transferResponse{t.ID, toTransactionResponses(t.Rows)}
	})
}

type installmentsInput struct {
	CommonInput
	TotalCents     money.Cents `json:"total_cents" required:"true" minimum:"1"`
	Count          int         `json:"count" required:"true" minimum:"2" maximum:"120" doc:"Número de parcelas."`
	FirstDueDate   civil.Date  `json:"first_due_date" required:"true" doc:"O dia se mantém: 31/01, 28/02, 31/03."`
	Interval       *string     `json:"interval" enum:"monthly,weekly,biweekly" doc:"monthly, se não vier."`
	CompetenceDate *civil.Date `json:"competence_date" doc:"De todas as parcelas; sem ele, o vencimento de cada uma."`
	DryRun         bool        `json:"dry_run" doc:"Só mostra as parcelas (200) e não grava nada."`
}

// Validate refuses parts without a cent, and dates that cannot be written.
func (in *installmentsInput) Validate(at string, f *problem.Fields) {
	if in.TotalCents > 0 && in.Count > 1 && in.TotalCents < money.Cents(in.Count) {
		f.Add(problem.Join(at, "total_cents"), "too_small", problem.T(
			"Cada parcela precisa de ao menos um centavo.", "Each part needs at least one cent."))
	}
	if in.Count < 2 || in.FirstDueDate == (civil.Date{}) {
		return
	}
	if last := dateOf(in.interval(), in.FirstDueDate, in.FirstDueDate.Day, in.Count); last.Year > lastYear {
		f.Add(problem.Join(at, "first_due_date"), "date_range", problem.Tf(
			"A última parcela venceria depois de %d.", "The last part would be due after %d.", lastYear))
	}
}

func (in installmentsInput) interval() string {
	if in.Interval == nil {
		return Monthly
	}
	return *in.Interval
}

func (in installmentsInput) toNewInstallments() NewInstallments {
	n := NewInstallments{
		NewTransaction: NewTransaction{Transaction: in.toTransaction(), Account: in.AccountID},
		Total:          in.TotalCents, Count: in.Count, FirstDueDate: in.FirstDueDate, Interval: in.interval(), DryRun: in.DryRun,
	}
	if in.CompetenceDate != nil {
		n.CompetenceDate = *in.CompetenceDate
	}
	return n
}

type installmentResponse struct {
	ID *uuid.UUID `json:"id" doc:"null em uma simulação."`
	TransactionBody
}

type installmentsResponse struct {
	InstallmentGroupID *uuid.UUID            `json:"installment_group_id" doc:"null em uma simulação."`
	TotalCents         money.Cents           `json:"total_cents"`
	Transactions       []installmentResponse `json:"transactions" doc:"As primeiras levam os centavos que sobram."`
}

// StatusCode is 200 for a dry run.
func (r installmentsResponse) StatusCode() int {
	if r.InstallmentGroupID == nil {
		return http.StatusOK
	}
	return http.StatusCreated
}

// Location is the list of the group.
func (r installmentsResponse) Location() string {
	if r.InstallmentGroupID == nil {
		return ""
	}
	return transactionsBase + "?installment_group_id=" + r.InstallmentGroupID.String()
}

func toInstallmentsResponse(all *Installments) installmentsResponse {
	r := installmentsResponse{InstallmentGroupID: all.GroupID, TotalCents: all.Total, Transactions: make([]installmentResponse, len(all.Parts))}
	for i := range all.Parts {
		r.Transactions[i].TransactionBody = toBody(&all.Parts[i])
		if all.GroupID != nil {
			r.Transactions[i].ID = &all.Parts[i].ID
		}
	}
	return r
}

type createInstallmentsRequest struct {
	Body installmentsInput `body:"true"`
}

func (h handlers) createInstallments(ctx context.Context, tx *db.Tx, req createInstallmentsRequest) (installmentsResponse, error) {
	all, err := h.service.CreateInstallments(ctx, tx, req.Body.toNewInstallments())
	return respond(all, err, toInstallmentsResponse)
}
