package sales

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/id"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/origin"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// CreateVersion gives a sale a complete new content. What was paid stays paid;
// what is left is planned again. Notes and the moment of the sale stay where
// the draft names none.
func (s *Service) CreateVersion(ctx context.Context, tx *db.Tx, saleID uuid.UUID, d VersionDraft) (*Sale, error) {
	var f problem.Fields
	before, err := s.Get(ctx, tx, saleID)
	if err != nil {
		return nil, err
	}
	// The client is locked ahead of the sale; one that it has already may be archived.
	if d.ClientID != nil && (before.ClientID == nil || *before.ClientID != *d.ClientID) {
		if err := f.Collect(s.clients.Referable(ctx, tx, *d.ClientID, "/client_id")); err != nil {
			return nil, err
		}
	}
	sale, err := getForUpdate(ctx, tx, saleID)
	if err != nil {
		return nil, err
	}
	if err := sale.takesVersion(d.BaseVersion); err != nil {
		return nil, err
	}
	content, err := document.Price(ctx, tx, s.catalog, d.Content, before.Lines, &f)
	if err != nil {
		return nil, err
	}
	return s.newVersion(ctx, tx, sale, content, d, &f)
}

// takesVersion refuses a version of a cancelled sale, and one that was made
// from another than the current one.
func (s *Sale) takesVersion(base *int) error {
	if s.Status == StatusCancelled {
		return actions().Refuse(s.Status)
	}
	if base != nil && *base != s.CurrentVersion {
		return problem.Conflicting("version_conflict", problem.Tf(
			"A versão atual da venda é a %d. Leia-a e refaça a alteração.", "The current version of the sale is %d. Read it and redo the change.", s.CurrentVersion))
	}
	return nil
}

func (s *Service) newVersion(ctx context.Context, tx *db.Tx, sale *Sale, content document.Content, d VersionDraft, f *problem.Fields) (*Sale, error) {
	paid, err := sumPayments(ctx, tx, sale.ID)
	if err != nil {
		return nil, err
	}
	if kept := paid.Paid + paid.Reserved; f.Empty() && content.TotalCents < kept {
		f.Add("/items", "below_paid", problem.Tf(
			"O total de %d centavos (%s) fica abaixo do que já foi pago ou reservado: %d (%s).",
			"The total of %d centavos (%s) is below what was paid or reserved already: %d (%s).",
			content.TotalCents, content.TotalCents.Format(), kept, kept.Format()))
	}
	terms := Terms{
		ClientID: d.ClientID, SoldAt: sale.SoldAt, AccountID: d.AccountID, CategoryID: d.CategoryID, PaymentPlan: d.PaymentPlan, Content: content,
	}
	if d.SoldAt != nil {
		terms.SoldAt = *d.SoldAt
	}
	var parts []document.Installment
	if f.Empty() {
		parts = terms.plan(content.TotalCents-paid.Paid, s.single(ctx), f)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	from := sale.Status
	sale.Terms = terms
	sale.CurrentVersion++
	if d.Notes != nil {
		sale.Notes = d.Notes
	}
	sale.settle()
	if err := s.writeVersion(ctx, tx, sale, d.Reason); err != nil {
		return nil, err
	}
	if err := s.finance.DropPending(ctx, tx, sale.ID); err != nil {
		return nil, err
	}
	if err := s.planTransactions(ctx, tx, sale, parts); err != nil {
		return nil, err
	}
	s.recordStatus(ctx, tx, sale, "version", from, opt.OrZero(d.Reason))
	return sale, s.save(ctx, tx, sale, "sale.versioned")
}

// writeVersion keeps the sale's terms as its current version.
func (s *Service) writeVersion(ctx context.Context, tx *db.Tx, sale *Sale, reason *string) error {
	by := origin.From(ctx)
	v := SaleVersion{
		ID: id.New(), SaleID: sale.ID, Number: sale.CurrentVersion, Reason: reason, Terms: sale.Terms,
		ActorType: by.Type, ActorName: by.Name, CreatedAt: tx.Now(),
	}
	if by.ID != uuid.Nil {
		v.ActorID = &by.ID
	}
	return insertVersion(ctx, tx, &v)
}

// GetVersion returns a version of a sale with its lines.
func (s *Service) GetVersion(ctx context.Context, r db.Reader, saleID uuid.UUID, number int) (*SaleVersion, error) {
	v, err := getVersion(ctx, r, saleID, number)
	if err != nil {
		return nil, err
	}
	lines, err := document.Lines(ctx, r, document.SaleItems, v.ID)
	v.Lines = lines[v.ID]
	return v, err
}

// ListVersions returns a page of a sale's versions, with their lines.
func (s *Service) ListVersions(ctx context.Context, r db.Reader, saleID uuid.UUID, p page.Request) (page.Result[SaleVersion], error) {
	if _, err := get(ctx, r, saleID); err != nil {
		return page.Result[SaleVersion]{}, err
	}
	result, err := listVersions(ctx, r, saleID, p)
	if err != nil {
		return result, err
	}
	ids := make([]uuid.UUID, len(result.Items))
	for i, v := range result.Items {
		ids[i] = v.ID
	}
	lines, err := document.Lines(ctx, r, document.SaleItems, ids...)
	for i := range result.Items {
		result.Items[i].Lines = lines[result.Items[i].ID]
	}
	return result, err
}
