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

// CreateProduct adds an active product.
func (s *Service) CreateProduct(ctx context.Context, tx *db.Tx, p Product) (*Product, error) {
	p.begin(tx.Now())
	p.Status = StatusActive
	p.settle()
	if err := p.validate(); err != nil {
		return nil, err
	}
	if err := insertProduct(ctx, tx, &p); err != nil {
		return nil, err
	}
	record(ctx, tx, ProductResource, "created", p.ID)
	return &p, nil
}

// GetProduct returns a product.
func (s *Service) GetProduct(ctx context.Context, r db.Reader, productID uuid.UUID) (*Product, error) {
	return getProduct(ctx, r, productID)
}

// ListProducts returns a page of products.
func (s *Service) ListProducts(ctx context.Context, r db.Reader, f ProductFilter) (page.Result[Product], error) {
	return listProducts(ctx, r, f)
}

// UpdateProduct changes a product whose version satisfies match. Its attributes
// stay such that its variations fit: 409 attributes_in_use otherwise.
func (s *Service) UpdateProduct(ctx context.Context, tx *db.Tx, productID uuid.UUID, match etag.Match, ch ProductChanges) (*Product, error) {
	p, err := productForUpdate(ctx, tx, productID, match)
	if err != nil {
		return nil, err
	}
	old := *p
	p.apply(ch)
	if err := p.validate(); err != nil {
		return nil, err
	}
	if err := s.followProduct(ctx, tx, p, &old); err != nil {
		return nil, err
	}
	p.advance(tx.Now())
	if err := updateProduct(ctx, tx, p, &old); err != nil {
		return nil, err
	}
	record(ctx, tx, ProductResource, "updated", p.ID)
	return p, nil
}

// followProduct looks after what hangs on a product's name, codes and
// attributes: its variations, and the words by which it is found.
func (s *Service) followProduct(ctx context.Context, tx *db.Tx, p, old *Product) error {
	tokens, oldTokens := p.tokens(), old.tokens()
	sameTokens := slices.Equal(tokens, oldTokens)
	if sameTokens && slices.EqualFunc(p.Attributes, old.Attributes, sameAttribute) {
		return nil
	}
	variations, err := variationsOf(ctx, tx, p.ID)
	if err != nil {
		return err
	}
	for _, v := range variations {
		if !v.Options.fit(p.Attributes) {
			return problem.Conflicting("attributes_in_use", problem.T(
				"Há variações que não cabem nos novos atributos; altere-as ou exclua-as antes.",
				"There are variations that do not fit the new attributes; change or delete them first."))
		}
	}
	if !sameTokens {
		reword(tx, p.ID, rewording{oldTokens, tokens, tokensOf(variations)})
	}
	return nil
}

func sameAttribute(a, b Attribute) bool {
	return a.Name == b.Name && slices.Equal(a.Values, b.Values)
}

// ChangeProductStatus archives or unarchives a product.
func (s *Service) ChangeProductStatus(ctx context.Context, tx *db.Tx, productID uuid.UUID, action string) (*Product, error) {
	p, err := productForUpdate(ctx, tx, productID, etag.Match{})
	if err != nil {
		return nil, err
	}
	if err := (life{ProductResource, p.ID, &p.Status}).act(ctx, tx, action); err != nil {
		return nil, err
	}
	p.advance(tx.Now())
	if err := updateProduct(ctx, tx, p, p); err != nil {
		return nil, err
	}
	record(ctx, tx, ProductResource, action+"d", p.ID)
	return p, nil
}

// DeleteProduct removes a product that nothing refers to, with its variations.
func (s *Service) DeleteProduct(ctx context.Context, tx *db.Tx, productID uuid.UUID, match etag.Match) error {
	p, err := productForUpdate(ctx, tx, productID, match)
	if err != nil {
		return err
	}
	variations, err := variationsOf(ctx, tx, p.ID)
	if err != nil {
		return err
	}
	record(ctx, tx, ProductResource, "deleted", p.ID)
	forget(tx, p, variations)
	return removeProduct(ctx, tx, p.ID)
}

// ProductHistory returns a page of the changes of a product's status.
func (s *Service) ProductHistory(ctx context.Context, r db.Reader, productID uuid.UUID, p page.Request) (page.Result[history.Entry], error) {
	if _, err := getProduct(ctx, r, productID); err != nil {
		return page.Result[history.Entry]{}, err
	}
	return history.List(ctx, r, ProductResource, productID, p)
}

func productForUpdate(ctx context.Context, tx *db.Tx, productID uuid.UUID, match etag.Match) (*Product, error) {
	p, err := getProductForUpdate(ctx, tx, productID)
	if err != nil {
		return nil, err
	}
	return p, match.Check(p.Version)
}
