// Package search finds records by the beginnings of the words in them, without
// case or accents, and by the digits of documents and phones in any spelling.
//
// The words are kept as rows and compared as ranges, which an index answers
// also under row-level security; LIKE and trigram operators are not leakproof
// and would read every row of the tenant.
package search

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/text"
)

// MaxQueryLength is the longest text that a search takes, in characters.
const MaxQueryLength = 100

// maxTokens bounds the rows of one record.
const maxTokens = 64

// Words returns the tokens of free texts, such as a name and an e-mail.
func Words(texts ...string) []string {
	var tokens []string
	for _, t := range texts {
		tokens = append(tokens, text.Tokens(t)...)
	}
	return tokens
}

// Tag returns the token of a tag, which is found only whole. No word begins so.
func Tag(tag string) string { return "#" + tag }

// Phone returns the tokens of an E.164 number: with and without the country
// code, and without the area code.
func Phone(e164 string) []string {
	digits := text.Digits(e164)
	tokens := []string{digits}
	if national, ok := strings.CutPrefix(digits, "55"); ok && len(national) > 2 {
		tokens = append(tokens, national, national[2:])
	}
	return tokens
}

// Index queues the writing of a new record's tokens.
func Index(tx *db.Tx, resource string, id uuid.UUID, tokens []string) {
	if tokens = distinct(tokens); len(tokens) > 0 {
		tx.Later(insertTokens, tx.TenantID(), resource, id, tokens)
	}
}

// Reindex queues the replacing of a record's old tokens by new ones.
func Reindex(tx *db.Tx, resource string, id uuid.UUID, old, tokens []string) {
	old, tokens = distinct(old), distinct(tokens)
	Remove(tx, resource, id, without(old, tokens))
	Index(tx, resource, id, without(tokens, old))
}

func without(tokens, others []string) []string {
	return slices.DeleteFunc(slices.Clone(tokens), func(t string) bool { return slices.Contains(others, t) })
}

// Remove queues the removal of a record's tokens. They are named, so that no
// index by record is needed.
func Remove(tx *db.Tx, resource string, id uuid.UUID, tokens []string) {
	if tokens = distinct(tokens); len(tokens) > 0 {
		tx.Later(deleteTokens, tx.TenantID(), resource, id, tokens)
	}
}

func distinct(tokens []string) []string {
	tokens = slices.Clone(tokens)
	slices.Sort(tokens)
	tokens = slices.DeleteFunc(slices.Compact(tokens), func(t string) bool { return t == "" })
	return tokens[:min(len(tokens), maxTokens)]
}
