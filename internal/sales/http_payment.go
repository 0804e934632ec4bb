package sales

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

func paymentRoutes(h handlers) []httpapi.Route {
	read, write := []string{canRead}, []string{canWrite}
	const path = base + "/{id}/payments"
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createSalePayment", Method: http.MethodPost, Path: path, Tag: tag, Summary: "Registra um pagamento recebido",
			Scopes: write, Status: http.StatusCreated, Body: httpapi.BodyRequired, Errors: []string{"invalid_state", "already_exists"},
			Example: httpapi.Example{Body: `{"amount_cents": 5000, "method": "pix"}`},
		}, h.createPayment),
		httpapi.List(httpapi.Op{ID: "listSalePayments", Path: path, Tag: tag, Summary: "Lista os pagamentos de uma venda", Scopes: read}, h.listPayments),
		httpapi.Read(httpapi.Op{ID: "getSalePayment", Path: path + "/{payment_id}", Tag: tag, Summary: "Consulta um pagamento", Scopes: read}, h.getPayment),
		httpapi.List(httpapi.Op{
			ID: "listSalePaymentHistory", Path: path + "/{payment_id}/history", Tag: tag, Summary: "Lista as mudanças de situação de um pagamento", Scopes: read,
		}, h.paymentHistory),
		httpapi.Write(httpapi.Op{
			ID: "cancelSalePayment", Method: http.MethodPost, Path: path + "/{payment_id}/cancel", Tag: tag,
			Summary: "Cancela um pagamento: saldo e lançamentos voltam ao que eram", Scopes: write, Body: httpapi.BodyOptional,
			Errors: []string{"invalid_state"}, Example: httpapi.Example{Body: `{"reason": "Lançado em duplicidade"}`},
		}, h.cancelPayment),
	}
}

type salePaymentInput struct {
	AmountCents            money.Cents  `json:"amount_cents" required:"true" minimum:"1" doc:"Até o saldo da venda."`
	Method                 string       `json:"method" required:"true" enum:"pix,cash,credit_card,debit_card,boleto,bank_transfer,check,other"`
	PaidAt                 *time.Time   `json:"paid_at" doc:"Agora, se não vier."`
	AccountID              *uuid.UUID   `json:"account_id" doc:"A conta da venda, se não vier."`
	FinancialTransactionID *uuid.UUID   `json:"financial_transaction_id" doc:"O lançamento a quitar; sem ele, o que vence primeiro."`
	FeeCents               *money.Cents `json:"fee_cents"`
	Notes                  *string      `json:"notes" maxLength:"5000"`
	ExternalID             *string      `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata               meta.Map     `json:"metadata"`
}

func (in salePaymentInput) toNewPayment() NewPayment {
	return NewPayment{
		AmountCents: in.AmountCents, Method: in.Method, PaidAt: in.PaidAt, AccountID: in.AccountID,
		FinancialTransactionID: in.FinancialTransactionID, FeeCents: opt.OrZero(in.FeeCents), Notes: in.Notes,
		ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
}

type salePaymentCancelInput struct {
	Reason *string `json:"reason" maxLength:"500"`
}

type salePaymentResponse struct {
	ID                     uuid.UUID           `json:"id"`
	Status                 string              `json:"status" enum:"confirmed,pending,processing,failed,declined,expired,cancelled"`
	AmountCents            money.Cents         `json:"amount_cents"`
	Method                 string              `json:"method"`
	PaidAt                 time.Time           `json:"paid_at"`
	AccountID              *uuid.UUID          `json:"account_id" doc:"Como foi dada; os lançamentos dizem a conta que se moveu."`
	FinancialTransactionID *uuid.UUID          `json:"financial_transaction_id" doc:"Como foi dado; os lançamentos dizem o pagamento que os quitou."`
	FeeCents               money.Cents         `json:"fee_cents"`
	Notes                  *string             `json:"notes"`
	CancelledAt            *time.Time          `json:"cancelled_at"`
	CancelReason           *string             `json:"cancel_reason"`
	Sale                   paymentSaleResponse `json:"sale"`
	ExternalID             *string             `json:"external_id"`
	Metadata               meta.Map            `json:"metadata"`
	CreatedAt              time.Time           `json:"created_at"`
	UpdatedAt              time.Time           `json:"updated_at"`
	Version                int64               `json:"version"`
}

// paymentSaleResponse is what a payment says of its sale.
type paymentSaleResponse struct {
	ID           uuid.UUID   `json:"id"`
	Status       string      `json:"status" enum:"open,partially_paid,paid,cancelled"`
	PaidCents    money.Cents `json:"paid_cents"`
	BalanceCents money.Cents `json:"balance_cents"`
}

// Location is the payment's address.
func (r salePaymentResponse) Location() string {
	return base + "/" + r.Sale.ID.String() + "/payments/" + r.ID.String()
}

// ObjectVersion is the payment's version.
func (r salePaymentResponse) ObjectVersion() int64 { return r.Version }

func respondPayment(p *Payment, s *Sale, err error) (salePaymentResponse, error) {
	if err != nil {
		return salePaymentResponse{}, err
	}
	return salePaymentResponse{
		ID: p.ID, Status: p.Status, AmountCents: p.AmountCents, Method: p.Method, PaidAt: p.PaidAt, AccountID: p.AccountID,
		FinancialTransactionID: p.FinancialTransactionID, FeeCents: p.FeeCents, Notes: p.Notes, CancelledAt: p.CancelledAt,
		CancelReason: p.CancelReason, Sale: paymentSaleResponse{s.ID, s.Status, s.PaidCents, s.Balance()},
		ExternalID: p.ExternalID, Metadata: p.Metadata, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, Version: p.Version,
	}, nil
}

type createSalePaymentRequest struct {
	ID   uuid.UUID        `path:"id"`
	Body salePaymentInput `body:"true"`
}

func (h handlers) createPayment(ctx context.Context, tx *db.Tx, req createSalePaymentRequest) (salePaymentResponse, error) {
	return respondPayment(h.service.Pay(ctx, tx, req.ID, req.Body.toNewPayment()))
}

type listSalePaymentsRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at"`
	ID                 uuid.UUID `path:"id"`
	Status             string    `query:"status" enum:"confirmed,pending,processing,failed,declined,expired,cancelled"`
	Method             string    `query:"method" enum:"pix,cash,credit_card,debit_card,boleto,bank_transfer,check,other"`
}

func (h handlers) listPayments(ctx context.Context, r db.Reader, req listSalePaymentsRequest) (page.Result[salePaymentResponse], error) {
	result, sale, err := h.service.ListPayments(ctx, r, PaymentFilter{
		ListFilter: req.Filter(), SaleID: req.ID, Status: req.Status, Method: req.Method, Page: req.Page,
	})
	return page.Map(result, func(p Payment) salePaymentResponse {
		response, _ := respondPayment(&p, sale, nil)
		return response
	}), err
}

type salePaymentRequest struct {
	ID        uuid.UUID `path:"id"`
	PaymentID uuid.UUID `path:"payment_id"`
}

func (h handlers) getPayment(ctx context.Context, r db.Reader, req salePaymentRequest) (salePaymentResponse, error) {
	return respondPayment(h.service.GetPayment(ctx, r, req.ID, req.PaymentID))
}

type cancelSalePaymentRequest struct {
	ID        uuid.UUID              `path:"id"`
	PaymentID uuid.UUID              `path:"payment_id"`
	Body      salePaymentCancelInput `body:"true"`
}

func (h handlers) cancelPayment(ctx context.Context, tx *db.Tx, req cancelSalePaymentRequest) (salePaymentResponse, error) {
	return respondPayment(h.service.CancelPayment(ctx, tx, req.ID, req.PaymentID, req.Body.Reason))
}

type salePaymentHistoryRequest struct {
	httpapi.PageParams
	ID        uuid.UUID `path:"id"`
	PaymentID uuid.UUID `path:"payment_id"`
}

func (h handlers) paymentHistory(ctx context.Context, r db.Reader, req salePaymentHistoryRequest) (page.Result[httpapi.HistoryEntry], error) {
	return historyPage(h.service.PaymentHistory(ctx, r, req.ID, req.PaymentID, req.Page))
}
