package brdoc

import "strings"

// Document is a CPF or a CNPJ in normal form: digits and upper-case letters,
// no punctuation. One made by ParseDocument is valid.
type Document string

// Kind tells the two documents apart.
type Kind string

// The kinds of Document.
const (
	CPF  Kind = "cpf"  // a person's, 11 digits
	CNPJ Kind = "cnpj" // a company's, 14 characters
)

// The layouts show where punctuation usually stands; # is a character.
const (
	cpfLayout  = "###.###.###-##"
	cnpjLayout = "##.###.###/####-##"
)

// checkDigits is how many characters at the end of a Document verify the rest.
const checkDigits = 2

// ParseDocument reads a CPF or a CNPJ, each separator in its usual place or
// left out, letters in any case. The CNPJ may be alphanumeric (Instrução
// Normativa RFB 2.229/2024): letters in the first twelve positions, never in
// the check digits. A single digit repeated is refused although its check
// digits match: it is what people type to get past a form.
//
// It reports ErrDocumentCharacters, ErrDocumentLength, ErrDocumentRepeated or
// ErrDocumentCheckDigits.
func ParseDocument(s string) (Document, error) {
	s = strings.TrimSpace(s)
	bare, ok := alphanumerics(s, "./-")
	if !ok {
		return "", ErrDocumentCharacters
	}

	d := Document(bare)
	if d.Kind() == "" {
		return "", ErrDocumentLength
	}
	if !d.digitsInPlace() || !fits(s, d.layout()) {
		return "", ErrDocumentCharacters
	}
	if repeated(bare) {
		return "", ErrDocumentRepeated
	}
	if !d.checks() {
		return "", ErrDocumentCheckDigits
	}
	return d, nil
}

// Kind tells which document d is by its length, or "" if it is neither.
func (d Document) Kind() Kind {
	switch len(d) {
	case 11:
		return CPF
	case 14:
		return CNPJ
	}
	return ""
}

// Format returns d with its punctuation, as people write it: 529.982.247-25 or
// 12.ABC.345/01DE-35.
func (d Document) Format() string {
	if d.Kind() == "" {
		return string(d)
	}
	return punctuate(string(d), d.layout())
}

// Mask returns d for logs: formatted, with all but the check digits hidden.
func Mask(d Document) string {
	if d.Kind() == "" {
		return strings.Repeat("*", len(d))
	}
	hidden := strings.Repeat("*", len(d)-checkDigits) + string(d[len(d)-checkDigits:])
	return punctuate(hidden, d.layout())
}

func (d Document) layout() string {
	if d.Kind() == CPF {
		return cpfLayout
	}
	return cnpjLayout
}

// digitsInPlace says whether letters stand only where the kind allows them.
func (d Document) digitsInPlace() bool {
	if d.Kind() == CPF {
		return allDigits(string(d))
	}
	return allDigits(string(d[len(d)-checkDigits:]))
}

func (d Document) checks() bool {
	maxWeight := 9 // CNPJ: the weights 2 to 9 repeat
	if d.Kind() == CPF {
		maxWeight = 11
	}
	for end := len(d) - checkDigits; end < len(d); end++ {
		if checkDigit(d[:end], maxWeight) != d[end] {
			return false
		}
	}
	return true
}

// checkDigit is the modulus 11 digit that follows body. A character is worth
// its ASCII code less 48, which leaves digits at their own value and makes A 17
// (Instrução Normativa RFB 2.229/2024, annex); weights grow from 2 at the right.
func checkDigit(body Document, maxWeight int) byte {
	sum, weight := 0, 2
	for i := len(body) - 1; i >= 0; i-- {
		sum += int(body[i]-'0') * weight
		if weight++; weight > maxWeight {
			weight = 2
		}
	}
	if rest := sum % 11; rest >= 2 {
		return byte('0' + 11 - rest)
	}
	return '0'
}

func repeated(s string) bool {
	return strings.Count(s, s[:1]) == len(s)
}
