package text

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tokenMax is the length at which a token is cut, in characters. It bounds the
// index entries; nobody searches by the fortieth letter of a word.
const tokenMax = 40

// Tokens returns the distinct words of s as search compares them, in the order
// of their first appearance: lower case, without accents (João is joao),
// compatibility forms made plain (nº is no, a full-width A is a), split at
// anything that is not a letter or a digit, each cut at 40 characters. What is
// indexed and what is searched for must both pass through here.
func Tokens(s string) []string {
	var tokens []string
	for word := range strings.FieldsFuncSeq(fold(s), isSeparator) {
		if word = cut(word, tokenMax); !slices.Contains(tokens, word) {
			tokens = append(tokens, word)
		}
	}
	return tokens
}

// fold takes the characters apart before it drops accents and case. Dropping
// every mark, spacing ones too, keeps words of Indian scripts in one piece.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}

func isSeparator(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// cut returns at most the first n characters of s.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
