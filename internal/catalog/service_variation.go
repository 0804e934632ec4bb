package catalog

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/history"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// CreateVariation adds an active variation to a product.
func (s *Service) CreateVariation(ctx context.Context, tx *db.Tx, productID uuid.UUID, v Variation) (*Variation, error) {
	p, err := getProductForUpdate(ctx, tx, productID)
	if err != nil {
		return nil, err
	}
	v.begin(tx.Now())
	v.ProductID, v.Status = p.ID, StatusActive
	if err := v.validate(p.Attributes); err != nil {
		return nil, err
	}
	others, err := variationsOf(ctx, tx, p.ID)
	if err != nil {
		return nil, err
	}
	if len(others) >= MaxVariations {
		return nil, problem.Conflicting("too_many_variations", problem.Tf(
			"Um produto tem no máximo %d variações.", "A product has at most %d variations.", MaxVariations))
	}
	if err := insertVariation(ctx, tx, &v); err != nil {
		return nil, err
	}
	reword(tx, p.ID, rewording{nil, v.tokens(), append(p.tokens(), tokensOf(others)...)})
	record(ctx, tx, VariationResource, "created", v.ID)
	v.priced(p)
	return &v, nil
}

// GetVariation returns a variation of a product.
func (s *Service) GetVariation(ctx context.Context, r db.Reader, productID, variationID uuid.UUID) (*Variation, error) {
	p, err := getProduct(ctx, r, productID)
	if err != nil {
		return nil, err
	}
	v, err := getVariation(ctx, r, p.ID, variationID)
	if err != nil {
		return nil, err
	}
	v.priced(p)
	return v, nil
}

// ListVariations returns a page of a product's variations.
func (s *Service) ListVariations(ctx context.Context, r db.Reader, f VariationFilter) (page.Result[Variation], error) {
	p, err := getProduct(ctx, r, f.ProductID)
	if err != nil {
		return page.Result[Variation]{}, err
	}
	result, err := listVariations(ctx, r, f)
	for i := range result.Items {
		result.Items[i].priced(p)
	}
	return result, err
}

// UpdateVariation changes a variation whose version satisfies match.
func (s *Service) UpdateVariation(ctx context.Context, tx *db.Tx, productID, variationID uuid.UUID, match etag.Match, ch VariationChanges) (*Variation, error) {
	p, v, err := variationForUpdate(ctx, tx, productID, variationID, match)
	if err != nil {
		return nil, err
	}
	old := *v
	v.apply(ch)
	if err := v.validate(p.Attributes); err != nil {
		return nil, err
	}
	v.advance(tx.Now())
	if err := updateVariation(ctx, tx, v, &old); err != nil {
		return nil, err
	}
	if err := rewordVariation(ctx, tx, p, &old, v); err != nil {
		return nil, err
	}
	record(ctx, tx, VariationResource, "updated", v.ID)
	v.priced(p)
	return v, nil
}

// ChangeVariationStatus archives or unarchives a variation.
func (s *Service) ChangeVariationStatus(ctx context.Context, tx *db.Tx, productID, variationID uuid.UUID, action string) (*Variation, error) {
	p, v, err := variationForUpdate(ctx, tx, productID, variationID, etag.Match{})
	if err != nil {
		return nil, err
	}
	if err := (life{VariationResource, v.ID, &v.Status}).act(ctx, tx, action); err != nil {
		return nil, err
	}
	v.advance(tx.Now())
	if err := updateVariation(ctx, tx, v, v); err != nil {
		return nil, err
	}
	record(ctx, tx, VariationResource, action+"d", v.ID)
	v.priced(p)
	return v, nil
}

// DeleteVariation removes a variation that nothing refers to.
func (s *Service) DeleteVariation(ctx context.Context, tx *db.Tx, productID, variationID uuid.UUID, match etag.Match) error {
	p, v, err := variationForUpdate(ctx, tx, productID, variationID, match)
	if err != nil {
		return err
	}
	if err := rewordVariation(ctx, tx, p, v, nil); err != nil {
		return err
	}
	record(ctx, tx, VariationResource, "deleted", v.ID)
	return removeVariation(ctx, tx, v)
}

// VariationHistory returns a page of the changes of a variation's status.
func (s *Service) VariationHistory(ctx context.Context, r db.Reader, productID, variationID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := getVariation(ctx, r, productID, variationID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, VariationResource, variationID, p)
}

// variationForUpdate reads a variation under its product's lock.
func variationForUpdate(ctx context.Context, tx *db.Tx, productID, variationID uuid.UUID, match etag.Match) (*Product, *Variation, error) {
	p, err := getProductForUpdate(ctx, tx, productID)
	if err != nil {
		return nil, nil, err
	}
	v, err := getVariation(ctx, tx, p.ID, variationID)
	if err != nil {
		return nil, nil, err
	}
	return p, v, match.Check(v.Version)
}

// rewordVariation has the product found by the words of a variation as it is
// now, nil where it is gone, and no longer by old ones that nothing else has.
func rewordVariation(ctx context.Context, tx *db.Tx, p *Product, old, now *Variation) error {
	w := rewording{old: old.tokens()}
	if now != nil {
		w.new = now.tokens()
	}
	if slices.Equal(w.old, w.new) {
		return nil
	}
	others, err := variationsOf(ctx, tx, p.ID)
	if err != nil {
		return err
	}
	others = slices.DeleteFunc(others, func(other Variation) bool { return other.ID == old.ID })
	w.staying = append(p.tokens(), tokensOf(others)...)
	reword(tx, p.ID, w)
	return nil
}
