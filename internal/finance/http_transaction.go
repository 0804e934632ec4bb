package finance

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

func transactionRoutes(h handlers) []httpapi.Route {
	one := transactionsBase + "/{id}"
	return []httpapi.Route{
		httpapi.Write(creation(op("createFinancialTransaction", transactionsBase, transactionsTag, "Cria um lançamento"),
			`{"type": "expense", "amount_cents": 25000, "description": "Aluguel de novembro", "due_date": "2026-11-30", "account_id": "{account}", "category_id": "{expense_category}", "client_id": "{client}", "method": "pix"}`,
			"already_exists"), h.createTransaction),
		httpapi.List(op("listFinancialTransactions", transactionsBase, transactionsTag, "Lista lançamentos"), h.listTransactions),
		httpapi.Read(op("getFinancialTransaction", one, transactionsTag, "Consulta um lançamento"), h.getTransaction),
		httpapi.Write(change(op("updateFinancialTransaction", one, transactionsTag, "Altera um lançamento"),
			`{"due_date": "2026-12-05"}`, "already_exists", "invalid_state", "conflict"), h.updateTransaction),
		httpapi.Write(removal(op("deleteFinancialTransaction", one, transactionsTag, "Exclui um lançamento pendente"),
			"invalid_state", "conflict"), h.deleteTransaction),
		httpapi.List(op("listFinancialTransactionHistory", one+"/history", transactionsTag, "Lista as mudanças de situação de um lançamento"), h.transactionHistory),
		httpapi.Write(action(op("markFinancialTransactionPaid", one+"/mark_paid", transactionsTag, "Dá baixa em um lançamento pendente"), httpapi.BodyRequired,
			`{"paid_at": "2026-11-30T15:04:05-03:00", "interest_cents": 150, "discount_cents": 0, "fee_cents": 99}`, "invalid_state"), h.markPaid),
		httpapi.Write(action(op("reopenFinancialTransaction", one+"/reopen", transactionsTag, "Desfaz a baixa de um lançamento"), httpapi.BodyOptional,
			"", "invalid_state"), h.reopen),
		httpapi.Write(action(op("cancelFinancialTransaction", one+"/cancel", transactionsTag, "Cancela um lançamento pendente, ou uma transferência inteira"), httpapi.BodyOptional,
			"", "invalid_state"), h.cancel),
	}
}

// CommonInput are the members that single transactions, installments and rules
// have in common.
type CommonInput struct {
	Type           string     `json:"type" required:"true" enum:"income,expense"`
	Description    string     `json:"description" required:"true" minLength:"1" maxLength:"200"`
	AccountID      *uuid.UUID `json:"account_id" doc:"A conta padrão, se não vier."`
	CategoryID     *uuid.UUID `json:"category_id" doc:"Do mesmo tipo: receita ou despesa."`
	ClientID       *uuid.UUID `json:"client_id"`
	Method         *string    `json:"method" enum:"pix,cash,credit_card,debit_card,boleto,bank_transfer,check,other"`
	DocumentNumber *string    `json:"document_number" maxLength:"60"`
	Metadata       meta.Map   `json:"metadata"`
}

func (in CommonInput) toTransaction() Transaction {
	return Transaction{
		Type: in.Type, Description: in.Description, CategoryID: in.CategoryID, ClientID: in.ClientID, Method: in.Method,
		DocumentNumber: in.DocumentNumber, Metadata: in.Metadata,
	}
}

type financialTransactionInput struct {
	CommonInput
	AmountCents    money.Cents `json:"amount_cents" required:"true" minimum:"1"`
	DueDate        civil.Date  `json:"due_date" required:"true" doc:"Vencimento."`
	CompetenceDate *civil.Date `json:"competence_date" doc:"O vencimento, se não vier."`
	PaidAt         *time.Time  `json:"paid_at" doc:"Cria o lançamento já pago."`
	ExternalID     *string     `json:"external_id" minLength:"1" maxLength:"64"`
}

func (in financialTransactionInput) toNewTransaction() NewTransaction {
	t := in.toTransaction()
	t.AmountCents, t.DueDate, t.PaidAt, t.ExternalID = in.AmountCents, in.DueDate, in.PaidAt, in.ExternalID
	if in.CompetenceDate != nil {
		t.CompetenceDate = *in.CompetenceDate
	}
	return NewTransaction{Transaction: t, Account: in.AccountID}
}

type financialTransactionPatch struct {
	AmountCents    opt.Field[money.Cents] `json:"amount_cents" required:"true" minimum:"1"`
	Description    opt.Field[string]      `json:"description" required:"true" minLength:"1" maxLength:"200"`
	DueDate        opt.Field[civil.Date]  `json:"due_date" required:"true"`
	CompetenceDate opt.Field[civil.Date]  `json:"competence_date"`
	AccountID      opt.Field[uuid.UUID]   `json:"account_id" required:"true"`
	CategoryID     opt.Field[uuid.UUID]   `json:"category_id"`
	ClientID       opt.Field[uuid.UUID]   `json:"client_id"`
	Method         opt.Field[string]      `json:"method" enum:"pix,cash,credit_card,debit_card,boleto,bank_transfer,check,other"`
	DocumentNumber opt.Field[string]      `json:"document_number" maxLength:"60"`
	ExternalID     opt.Field[string]      `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata       opt.Field[meta.Patch]  `json:"metadata"`
}

// TransactionResponse is a transaction on the wire.
type TransactionResponse struct {
	ID uuid.UUID `json:"id"`
	TransactionBody
}

// TransactionBody is what a transaction on the wire has beside its id: the parts
// of a dry run have none.
type TransactionBody struct {
	Type               string       `json:"type" enum:"income,expense,transfer_in,transfer_out"`
	Status             string       `json:"status" enum:"pending,paid,cancelled"`
	Overdue            bool         `json:"overdue" doc:"Pendente e vencido, pelo calendário da empresa."`
	AmountCents        money.Cents  `json:"amount_cents"`
	Description        string       `json:"description"`
	DueDate            civil.Date   `json:"due_date"`
	CompetenceDate     civil.Date   `json:"competence_date"`
	AccountID          uuid.UUID    `json:"account_id"`
	CategoryID         *uuid.UUID   `json:"category_id"`
	ClientID           *uuid.UUID   `json:"client_id"`
	Method             *string      `json:"method" enum:"pix,cash,credit_card,debit_card,boleto,bank_transfer,check,other"`
	DocumentNumber     *string      `json:"document_number"`
	PaidAt             *time.Time   `json:"paid_at"`
	PaidCents          *money.Cents `json:"paid_cents" doc:"O que entrou na conta ou saiu dela."`
	InterestCents      money.Cents  `json:"interest_cents"`
	DiscountCents      money.Cents  `json:"discount_cents"`
	FeeCents           money.Cents  `json:"fee_cents"`
	SaleID             *uuid.UUID   `json:"sale_id" doc:"A venda a que pertence; só muda por ela."`
	PaymentID          *uuid.UUID   `json:"payment_id" doc:"O pagamento da venda que o quitou."`
	TransferID         *uuid.UUID   `json:"transfer_id"`
	InstallmentGroupID *uuid.UUID   `json:"installment_group_id"`
	InstallmentNumber  *int         `json:"installment_number"`
	InstallmentCount   *int         `json:"installment_count"`
	RecurringID        *uuid.UUID   `json:"recurring_id"`
	OccurrenceNumber   *int         `json:"occurrence_number" doc:"A posição na recorrência, a partir de 1."`
	OccurrenceDate     *civil.Date  `json:"occurrence_date" doc:"A data da recorrência, antes do ajuste ao dia útil."`
	ExternalID         *string      `json:"external_id"`
	Metadata           meta.Map     `json:"metadata"`
	CreatedAt          time.Time    `json:"created_at"`
	UpdatedAt          time.Time    `json:"updated_at"`
	Version            int64        `json:"version"`
}

// Location is the transaction's address.
func (r TransactionResponse) Location() string { return transactionsBase + "/" + r.ID.String() }

// ObjectVersion is the transaction's version.
func (r TransactionResponse) ObjectVersion() int64 { return r.Version }

// ToTransactionResponse converts a transaction to its wire form.
func ToTransactionResponse(t *Transaction) TransactionResponse {
	return TransactionResponse{t.ID, toBody(t)}
}

func toBody(t *Transaction) TransactionBody {
	return TransactionBody{
		Type: t.Type, Status: t.Status, Overdue: t.Overdue, AmountCents: t.AmountCents, Description: t.Description,
		DueDate: t.DueDate, CompetenceDate: t.CompetenceDate, AccountID: t.AccountID, CategoryID: t.CategoryID, ClientID: t.ClientID,
		Method: t.Method, DocumentNumber: t.DocumentNumber, PaidAt: t.PaidAt, PaidCents: t.PaidCents, InterestCents: t.InterestCents,
		DiscountCents: t.DiscountCents, FeeCents: t.FeeCents, SaleID: t.SaleID, PaymentID: t.PaymentID, TransferID: t.TransferID,
		InstallmentGroupID: t.InstallmentGroupID, InstallmentNumber: t.InstallmentNumber, InstallmentCount: t.InstallmentCount,
		RecurringID: t.RecurringID, OccurrenceNumber: t.OccurrenceNumber, OccurrenceDate: t.OccurrenceDate,
		ExternalID: t.ExternalID, Metadata: t.Metadata, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, Version: t.Version,
	}
}

func toTransactionResponses(list []Transaction) []TransactionResponse {
	responses := make([]TransactionResponse, len(list))
	for i := range list {
		responses[i] = ToTransactionResponse(&list[i])
	}
	return responses
}

type createTransactionRequest struct {
	Body financialTransactionInput `body:"true"`
}

func (h handlers) createTransaction(ctx context.Context, tx *db.Tx, req createTransactionRequest) (TransactionResponse, error) {
	t, err := h.service.CreateTransaction(ctx, tx, req.Body.toNewTransaction())
	return respond(t, err, ToTransactionResponse)
}

type listTransactionsRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at,due_date"`
	Type               string      `query:"type" enum:"income,expense,transfer_in,transfer_out"`
	Status             string      `query:"status" enum:"pending,paid,cancelled,overdue" doc:"overdue: pendentes já vencidos."`
	AccountID          *uuid.UUID  `query:"account_id"`
	CategoryID         *uuid.UUID  `query:"category_id"`
	ClientID           *uuid.UUID  `query:"client_id"`
	SaleID             *uuid.UUID  `query:"sale_id"`
	InstallmentGroupID *uuid.UUID  `query:"installment_group_id"`
	RecurringID        *uuid.UUID  `query:"recurring_id"`
	TransferID         *uuid.UUID  `query:"transfer_id" doc:"As pernas de uma transferência, e a tarifa."`
	DueFrom            *civil.Date `query:"due_from" doc:"Vencimento a partir deste dia (inclusive)."`
	DueTo              *civil.Date `query:"due_to" doc:"Vencimento até este dia (inclusive)."`
	PaidFrom           *civil.Date `query:"paid_from" doc:"Pagos a partir deste dia (inclusive), no fuso da empresa."`
	PaidTo             *civil.Date `query:"paid_to" doc:"Pagos até este dia (inclusive), no fuso da empresa."`
}

func (h handlers) listTransactions(ctx context.Context, r db.Reader, req listTransactionsRequest) (page.Result[TransactionResponse], error) {
	result, err := h.service.ListTransactions(ctx, r, TransactionFilter{
		ListFilter: req.Filter(), Type: req.Type, Status: req.Status, AccountID: req.AccountID, CategoryID: req.CategoryID, ClientID: req.ClientID,
		SaleID: req.SaleID, InstallmentGroupID: req.InstallmentGroupID, RecurringID: req.RecurringID, TransferID: req.TransferID,
		DueFrom: req.DueFrom, DueTo: req.DueTo, PaidFrom: req.PaidFrom, PaidTo: req.PaidTo, Page: req.Page,
	})
	return respondPage(result, err, ToTransactionResponse)
}

func (h handlers) getTransaction(ctx context.Context, r db.Reader, req idRequest) (TransactionResponse, error) {
	t, err := h.service.GetTransaction(ctx, r, req.ID)
	return respond(t, err, ToTransactionResponse)
}

type updateTransactionRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    financialTransactionPatch `body:"true"`
}

func (h handlers) updateTransaction(ctx context.Context, tx *db.Tx, req updateTransactionRequest) (TransactionResponse, error) {
	t, err := h.service.UpdateTransaction(ctx, tx, req.ID, req.IfMatch, TransactionChanges(req.Body))
	return respond(t, err, ToTransactionResponse)
}

func (h handlers) deleteTransaction(ctx context.Context, tx *db.Tx, req deleteRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteTransaction(ctx, tx, req.ID, req.IfMatch)
}

type historyRequest struct {
	httpapi.PageParams
	ID uuid.UUID `path:"id"`
}

func (h handlers) transactionHistory(ctx context.Context, r db.Reader, req historyRequest) (page.Result[httpapi.HistoryEntry], error) {
	return httpapi.HistoryPage(h.service.TransactionHistory(ctx, r, req.ID, req.Page))
}

type markPaidInput struct {
	PaidAt        time.Time   `json:"paid_at" required:"true"`
	AccountID     *uuid.UUID  `json:"account_id" doc:"Outra conta que não a do lançamento."`
	InterestCents money.Cents `json:"interest_cents" doc:"Juros e multa."`
	DiscountCents money.Cents `json:"discount_cents"`
	FeeCents      money.Cents `json:"fee_cents" doc:"Tarifa: diminui o que entra, aumenta o que sai."`
}

type markPaidRequest struct {
	ID   uuid.UUID     `path:"id"`
	Body markPaidInput `body:"true"`
}

func (h handlers) markPaid(ctx context.Context, tx *db.Tx, req markPaidRequest) (TransactionResponse, error) {
	in := req.Body
	t, err := h.service.MarkPaid(ctx, tx, req.ID, Settling{
		PaidAt: in.PaidAt, AccountID: in.AccountID, Interest: in.InterestCents, Discount: in.DiscountCents, Fee: in.FeeCents,
	})
	return respond(t, err, ToTransactionResponse)
}

func (h handlers) reopen(ctx context.Context, tx *db.Tx, req idRequest) (TransactionResponse, error) {
	t, err := h.service.Reopen(ctx, tx, req.ID)
	return respond(t, err, ToTransactionResponse)
}

func (h handlers) cancel(ctx context.Context, tx *db.Tx, req idRequest) (TransactionResponse, error) {
	t, err := h.service.Cancel(ctx, tx, req.ID)
	return respond(t, err, ToTransactionResponse)
}
