package catalog

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/search"
	"fatureihoje/internal/text"
)

// tokens are the words by which the product itself is found. Its variations add
// their codes to them: the product is found by all, and each is kept once.
func (p *Product) tokens() []string {
	return codeTokens(search.Words(p.Name), p.SKU, p.GTIN)
}

// tokens are the words by which the product is found through this variation.
func (v *Variation) tokens() []string { return codeTokens(nil, v.SKU, v.GTIN) }

func tokensOf(variations []Variation) []string {
	var tokens []string
	for i := range variations {
		tokens = append(tokens, variations[i].tokens()...)
	}
	return tokens
}

// codeTokens adds codes to tokens, by their parts and as a whole: CAM-AZ is
// found as cam, az and camaz.
func codeTokens(tokens []string, codes ...*string) []string {
	for _, code := range codes {
		if code == nil {
			continue
		}
		parts := text.Tokens(*code)
		tokens = append(append(tokens, parts...), strings.Join(parts, ""))
	}
	return tokens
}

// rewording is a change of the words of a product, or of one of its variations.
type rewording struct {
	old, new []string
	staying  []string // what the rest of the product is found by
}

// reword changes the words by which a product is found, under its lock.
func reword(tx *db.Tx, productID uuid.UUID, w rewording) {
	search.Remove(tx, ProductResource, productID, without(w.old, w.new, w.staying))
	search.Index(tx, ProductResource, productID, without(w.new, w.old, w.staying))
}

// forget removes all words of a product, record by record: search takes no more
// at once than one record has.
func forget(tx *db.Tx, p *Product, variations []Variation) {
	search.Remove(tx, ProductResource, p.ID, p.tokens())
	for i := range variations {
		search.Remove(tx, ProductResource, p.ID, variations[i].tokens())
	}
}

func without(tokens []string, others ...[]string) []string {
	all := slices.Concat(others...)
	return slices.DeleteFunc(slices.Clone(tokens), func(token string) bool { return slices.Contains(all, token) })
}
