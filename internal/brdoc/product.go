package brdoc

import "strings"

const (
	ncmLength = 8
	ncmLayout = "####.##.##"
)

// ParseGTIN reads a product's bar code of 8, 12, 13 or 14 digits and verifies
// its check digit. The length is kept: the NF-e wants the code as it is printed.
// It reports ErrGTIN or ErrGTINCheckDigit.
func ParseGTIN(s string) (string, error) {
	s = strings.TrimSpace(s)
	if !allDigits(s) || allZeros(s) {
		return "", ErrGTIN
	}
	switch len(s) {
	case 8, 12, 13, 14:
	default:
		return "", ErrGTIN
	}
	if !gtinChecks(s) {
		return "", ErrGTINCheckDigit
	}
	return s, nil
}

// gtinChecks says whether the digits, weighed 1 and 3 in turn from the check
// digit leftwards, add to a multiple of 10 (GS1 General Specifications, 7.9).
func gtinChecks(s string) bool {
	sum, weight := 0, 1
	for i := len(s) - 1; i >= 0; i-- {
		sum += int(s[i]-'0') * weight
		weight = 4 - weight
	}
	return sum%10 == 0
}

// ParseNCM reads a code of the Nomenclatura Comum do Mercosul, with or without
// its dots (8471.30.12), and returns its 8 digits. It reports ErrNCM. Whether
// the code exists in the current table is not known here.
func ParseNCM(s string) (string, error) {
	s = strings.TrimSpace(s)
	bare, ok := digits(s, ".")
	if !ok || len(bare) != ncmLength || !fits(s, ncmLayout) {
		return "", ErrNCM
	}
	return bare, nil
}
