package sales

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/history"
	"fatureihoje/internal/id"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// Pay records money that came for a sale, and settles its transactions with it:
// the one that is named, or the oldest due first.
func (s *Service) Pay(ctx context.Context, tx *db.Tx, saleID uuid.UUID, n NewPayment) (*Payment, *Sale, error) {
	sale, err := getForUpdate(ctx, tx, saleID)
	if err != nil {
		return nil, nil, err
	}
	if sale.Status == StatusCancelled {
		return nil, nil, actions().Refuse(sale.Status)
	}
	paid, err := sumPayments(ctx, tx, sale.ID)
	if err != nil {
		return nil, nil, err
	}
	if err := n.validate(sale, paid); err != nil {
		return nil, nil, err
	}
	p := Payment{
		ID: id.New(), SaleID: sale.ID, Status: PaymentConfirmed, AmountCents: n.AmountCents, Method: n.Method, PaidAt: tx.Now(),
		AccountID: n.AccountID, FinancialTransactionID: n.FinancialTransactionID, FeeCents: n.FeeCents, Notes: n.Notes,
		ExternalID: n.ExternalID, Metadata: n.Metadata, CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Version: 1,
	}
	if n.PaidAt != nil {
		p.PaidAt = *n.PaidAt
	}
	if err := insertPayment(ctx, tx, &p); err != nil {
		return nil, nil, err
	}
	if err := s.settle(ctx, tx, sale, &p); err != nil {
		return nil, nil, err
	}
	s.recordPayment(ctx, tx, &p, "create", "", "")
	audit.Record(ctx, tx, audit.Event{Action: "sale_payment.created", Resource: PaymentResource, ResourceID: p.ID})
	return &p, sale, s.afterPayments(ctx, tx, sale, paid.Paid+p.AmountCents, "payment")
}

// settle pays transactions of the sale, in the sale's account unless the
// payment names another.
func (s *Service) settle(ctx context.Context, tx *db.Tx, sale *Sale, p *Payment) error {
	account := p.AccountID
	if account == nil {
		account = sale.AccountID
	}
	_, err := s.finance.SettleSale(ctx, tx, sale.ID, finance.Settlement{
		PaymentID: p.ID, Amount: p.AmountCents, PaidAt: p.PaidAt, AccountID: account, Method: p.Method, Fee: p.FeeCents,
		TransactionID: p.FinancialTransactionID,
	})
	return err
}

// afterPayments writes what the payments of a sale now add up to, and the
// status that follows.
func (s *Service) afterPayments(ctx context.Context, tx *db.Tx, sale *Sale, paid money.Cents, action string) error {
	from := sale.Status
	sale.PaidCents = paid
	sale.settle()
	s.recordStatus(ctx, tx, sale, action, from, "")
	return s.save(ctx, tx, sale, "sale.payments_changed")
}

func (s *Service) recordPayment(ctx context.Context, tx *db.Tx, p *Payment, action, from, reason string) {
	history.Record(ctx, tx, history.Change{
		Resource: PaymentResource, ResourceID: p.ID, Action: action, From: from, To: p.Status, Reason: reason,
	})
}

// CancelPayment takes a confirmed payment back, once: the balance and the
// transactions are as they were before it.
func (s *Service) CancelPayment(ctx context.Context, tx *db.Tx, saleID, paymentID uuid.UUID, reason *string) (*Payment, *Sale, error) {
	sale, err := getForUpdate(ctx, tx, saleID)
	if err != nil {
		return nil, nil, err
	}
	p, err := getPayment(ctx, tx, saleID, paymentID)
	if err != nil {
		return nil, nil, err
	}
	if err := s.reverse(ctx, tx, p, reason); err != nil {
		return nil, nil, err
	}
	return p, sale, s.afterPayments(ctx, tx, sale, sale.PaidCents-p.AmountCents, "payment_cancelled")
}

// reverse cancels a payment and takes back what it settled.
func (s *Service) reverse(ctx context.Context, tx *db.Tx, p *Payment, reason *string) error {
	to, err := paymentActions().Next(actionCancel, p.Status)
	if err != nil {
		return err
	}
	from, now := p.Status, tx.Now()
	p.Status, p.CancelledAt, p.CancelReason = to, &now, reason
	p.UpdatedAt, p.Version = now, p.Version+1
	if err := updatePayment(ctx, tx, p); err != nil {
		return err
	}
	if err := s.finance.ReverseSettlement(ctx, tx, p.SaleID, p.ID); err != nil {
		return err
	}
	s.recordPayment(ctx, tx, p, actionCancel, from, opt.OrZero(reason))
	audit.Record(ctx, tx, audit.Event{Action: "sale_payment.cancelled", Resource: PaymentResource, ResourceID: p.ID})
	return nil
}

// cancelPayments takes back every payment of a sale that is being cancelled, if
// that was asked for. A payment whose end is not known yet stands in the way.
func (s *Service) cancelPayments(ctx context.Context, tx *db.Tx, sale *Sale, c Cancellation) error {
	live, err := livePayments(ctx, tx, sale.ID)
	if err != nil {
		return err
	}
	for _, p := range live {
		if p.Status != PaymentConfirmed {
			refusal := actions().Refuse(sale.Status)
			refusal.Reason = "payment_in_progress"
			return refusal
		}
	}
	if len(live) > 0 && !c.CancelPayments {
		return problem.Conflicting("has_payments", problem.T(
			"A venda tem pagamentos confirmados. Cancele-os antes, ou junto com a venda (cancel_payments: true).",
			"The sale has confirmed payments. Cancel them first, or send cancel_payments: true."))
	}
	for i := range live {
		if err := s.reverse(ctx, tx, &live[i], c.Reason); err != nil {
			return err
		}
	}
	sale.PaidCents = 0
	return nil
}

// GetPayment returns a payment of a sale, and the sale.
func (s *Service) GetPayment(ctx context.Context, r db.Reader, saleID, paymentID uuid.UUID) (*Payment, *Sale, error) {
	p, err := getPayment(ctx, r, saleID, paymentID)
	if err != nil {
		return nil, nil, err
	}
	sale, err := get(ctx, r, saleID)
	return p, sale, err
}

// ListPayments returns a page of a sale's payments, and the sale.
func (s *Service) ListPayments(ctx context.Context, r db.Reader, f PaymentFilter) (page.Result[Payment], *Sale, error) {
	sale, err := get(ctx, r, f.SaleID)
	if err != nil {
		return page.Result[Payment]{}, nil, err
	}
	result, err := listPayments(ctx, r, f)
	return result, sale, err
}

// PaymentHistory returns a page of the changes of a payment's status.
func (s *Service) PaymentHistory(ctx context.Context, r db.Reader, saleID, paymentID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := getPayment(ctx, r, saleID, paymentID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, PaymentResource, paymentID, p)
}
