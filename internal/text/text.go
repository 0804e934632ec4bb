package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalize returns s in Unicode NFC without outer white space, so that a
// composed and a decomposed Café are one text in storage, search, uniqueness
// and fingerprint. What stands inside is kept as sent.
func Normalize(s string) string {
	return strings.TrimSpace(norm.NFC.String(s))
}

// Visible says whether s shows anything at all: false for the empty text and for
// one of only white space, controls, and characters that leave no mark, such as
// zero-width spaces, a byte order mark, a soft hyphen or Hangul fillers. A
// required text must be visible.
func Visible(s string) bool {
	return strings.ContainsFunc(s, isVisible)
}

// brailleBlank is the Braille pattern without dots. Unicode counts it as a
// symbol, and people use it to get past forms.
const brailleBlank = '\u2800'

// isVisible names what is invisible instead of what is visible, so that a
// character newer than the Go tables, such as next year's emoji, is accepted.
func isVisible(r rune) bool {
	return r != brailleBlank && !unicode.In(r,
		unicode.White_Space, unicode.Z, unicode.Cc, unicode.Cf,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// HasNUL says whether s holds U+0000, which PostgreSQL cannot store in a text.
func HasNUL(s string) bool {
	return strings.IndexByte(s, 0) >= 0
}

// Length counts characters (Unicode code points), as the limits in the OpenAPI
// document and PostgreSQL's char_length do.
func Length(s string) int {
	return utf8.RuneCountInString(s)
}

// Digits returns the ASCII digits of s, in order: what a search for a document
// or a telephone number compares.
func Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
}
