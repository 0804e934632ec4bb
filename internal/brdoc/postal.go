package brdoc

import "strings"

const (
	postalCodeLength = 8
	postalCodeLayout = "#####-###"
)

// ParsePostalCode reads a CEP, with or without its hyphen, and returns its 8
// digits. It reports ErrPostalCode. Whether the Correios use the code is not
// known here.
func ParsePostalCode(s string) (string, error) {
	s = strings.TrimSpace(s)
	bare, ok := digits(s, "-")
	if !ok || len(bare) != postalCodeLength || allZeros(bare) || !fits(s, postalCodeLayout) {
		return "", ErrPostalCode
	}
	return bare, nil
}
