package money

import "strings"

// number is the value of a JSON number, digits × 10^exponent, read without
// expanding the exponent: 1e999999999 costs no more than 1.
type number struct {
	negative bool   // also for -0
	digits   string // no zeros at either end; empty for zero
	exponent int64  // 0 for zero
}

// exponentMax bounds the exponents that parseNumber tells apart. It is more
// than the digits of any text in memory can make up for, so a number beyond it
// is too large or too fine for every limit of this package, as it should be.
const exponentMax = 1 << 40

// parseNumber reads exactly the grammar of RFC 8259, section 6, and reports
// false for anything else: "+1", "01", ".5", "1.", "NaN", a space.
func parseNumber(text string) (number, bool) {
	rest, negative := strings.CutPrefix(text, "-")
	whole, rest := cutDigits(rest)
	fraction, rest, okFraction := cutFraction(rest)
	exponent, rest, okExponent := cutExponent(rest)

	leadingZero := len(whole) > 1 && whole[0] == '0'
	if whole == "" || leadingZero || !okFraction || !okExponent || rest != "" {
		return number{}, false
	}
	return newNumber(negative, whole, fraction, exponent), true
}

func newNumber(negative bool, whole, fraction string, exponent int64) number {
	digits := whole + fraction
	trimmed := strings.TrimRight(digits, "0")
	exponent += int64(len(digits)-len(trimmed)) - int64(len(fraction))
	trimmed = strings.TrimLeft(trimmed, "0")
	if trimmed == "" {
		exponent = 0
	}
	return number{negative: negative, digits: trimmed, exponent: exponent}
}

// places is how many decimal places the value needs.
func (n number) places() int64 { return max(0, -n.exponent) }

// wholeDigits is how many digits stand before the decimal point; it is zero or
// less for a value below 1.
func (n number) wholeDigits() int64 { return int64(len(n.digits)) + n.exponent }

// units counts the value in units of 10^-places. The caller has checked that it
// needs no more places, and that the count fits.
func (n number) units(places int64) int64 {
	var count int64
	for i := range len(n.digits) {
		count = count*10 + int64(n.digits[i]-'0')
	}
	if count == 0 {
		return 0
	}
	for range n.exponent + places {
		count *= 10
	}
	return count
}

// cutFraction cuts ".5" off the front of s. No point is an empty fraction; a
// point without digits is not one.
func cutFraction(s string) (fraction, rest string, ok bool) {
	rest, found := strings.CutPrefix(s, ".")
	if !found {
		return "", s, true
	}
	fraction, rest = cutDigits(rest)
	return fraction, rest, fraction != ""
}

// cutExponent cuts "e-5" off the front of s, saturating at ±exponentMax.
func cutExponent(s string) (exponent int64, rest string, ok bool) {
	if s == "" || (s[0] != 'e' && s[0] != 'E') {
		return 0, s, true
	}
	rest, negative := strings.CutPrefix(s[1:], "-")
	if !negative {
		rest = strings.TrimPrefix(rest, "+")
	}
	digits, rest := cutDigits(rest)
	for i := range len(digits) {
		exponent = min(exponent*10+int64(digits[i]-'0'), exponentMax)
	}
	if negative {
		exponent = -exponent
	}
	return exponent, rest, digits != ""
}

func cutDigits(s string) (digits, rest string) {
	end := 0
	for end < len(s) && '0' <= s[end] && s[end] <= '9' {
		end++
	}
	return s[:end], s[end:]
}
