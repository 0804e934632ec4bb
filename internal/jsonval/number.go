package jsonval

import (
	"strconv"
	"strings"
)

// Number is an exact decimal number: its significant digits, without zeros at
// either end, times a power of ten. It is never expanded and never a float, so
// 1e999999999 costs no more than 1. The zero Number is 0.
type Number struct {
	literal  string
	negative bool

	// The digits in two pieces, for the point may have stood between them; both
	// are empty for 0.
	head, tail string

	// The power of ten: exponent, or hugeExponent where that is not "". A huge one
	// was written with so many digits that it might not fit an int64.
	exponent     int64
	hugeExponent string
}

// newNumber reads a literal, which must follow the grammar of JSON.
func newNumber(literal string) Number {
	mantissa, power, found := strings.Cut(literal, "e")
	if !found {
		mantissa, power, _ = strings.Cut(literal, "E")
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")

	tail := strings.TrimRight(fraction, "0")
	shift := -len(tail)
	head := whole
	if tail == "" {
		head = strings.TrimRight(whole, "0")
		shift = len(whole) - len(head)
	}
	if head = strings.TrimLeft(head, "0"); head == "" {
		tail = strings.TrimLeft(tail, "0")
	}
	if head == "" && tail == "" {
		return Number{literal: literal}
	}
	n := Number{literal: literal, negative: negative, head: head, tail: tail}
	n.exponent, n.hugeExponent = readExponent(power, int64(shift))
	return n
}

// readExponent returns the exponent that was written, plus shift, which is no
// larger than a body is long. The second result is used for exponents of more
// than 18 digits only.
func readExponent(written string, shift int64) (int64, string) {
	digits, negative := strings.CutPrefix(written, "-")
	digits = strings.TrimLeft(digits, "+0")
	if len(digits) > 18 {
		return 0, addToDigits(digits, negative, shift)
	}
	exponent, _ := strconv.ParseInt("0"+digits, 10, 64)
	if negative {
		exponent = -exponent
	}
	return exponent + shift, ""
}

// addToDigits returns ±digits + shift in decimal. It adds the way one does on
// paper: math/big takes more than linear time to read and write decimals.
func addToDigits(digits string, negative bool, shift int64) string {
	carry := shift
	if negative {
		carry = -shift
	}
	sum := []byte(digits)
	for i := len(sum) - 1; i >= 0 && carry != 0; i-- {
		carry += int64(sum[i] - '0')
		digit := (carry%10 + 10) % 10
		sum[i] = byte('0' + digit)
		carry = (carry - digit) / 10
	}
	text := strings.TrimLeft(string(sum), "0")
	if carry > 0 {
		text = strconv.FormatInt(carry, 10) + string(sum)
	}
	if negative {
		text = "-" + text
	}
	return text
}

// Literal returns the number as it was sent.
func (n Number) Literal() string { return n.literal }

// Canonical returns sign, digits, "e" and exponent, such as "-12e-2" for -0.12;
// for zero of either sign, "0". Two numbers are equal exactly if their canonical
// forms are.
func (n Number) Canonical() string { return string(n.AppendCanonical(nil)) }

// AppendCanonical appends the canonical form to b.
func (n Number) AppendCanonical(b []byte) []byte {
	if n.isZero() {
		return append(b, '0')
	}
	b = n.appendSign(b)
	b = append(b, n.head...)
	b = append(b, n.tail...)
	b = append(b, 'e')
	if n.hugeExponent != "" {
		return append(b, n.hugeExponent...)
	}
	return strconv.AppendInt(b, n.exponent, 10)
}

// Int64 returns n if it is an integer in the range of an int64, however it was
// written: 1000, 1000.0 and 10.00e2 all are 1000.
func (n Number) Int64() (int64, bool) {
	const maxDigits = 19 // any 19 digits fit a uint64
	integer, ok := n.Decimal(maxDigits)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(integer, 10, 64)
	if err != nil {
		return 0, false
	}
	return i, true
}

// Decimal returns n in plain notation, such as "12.5", "-0.05" or "1000"; false
// if that has more than maxDigits digits, on both sides of the point together.
func (n Number) Decimal(maxDigits int) (string, bool) {
	if n.isZero() {
		return "0", maxDigits >= 1
	}
	digits := int64(len(n.head) + len(n.tail))
	limit := int64(maxDigits)
	if n.hugeExponent != "" || n.exponent > limit || n.exponent < -limit {
		return "", false
	}
	integerDigits := max(digits+n.exponent, 1)
	fractionDigits := max(-n.exponent, 0)
	if integerDigits+fractionDigits > limit {
		return "", false
	}
	return n.decimal(int(integerDigits), int(fractionDigits)), true
}

func (n Number) decimal(integerDigits, fractionDigits int) string {
	digits := n.head + n.tail
	if n.exponent > 0 {
		digits += strings.Repeat("0", int(n.exponent))
	}
	if missing := integerDigits + fractionDigits - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	b := n.appendSign(make([]byte, 0, len(digits)+2))
	b = append(b, digits[:integerDigits]...)
	if fractionDigits > 0 {
		b = append(b, '.')
		b = append(b, digits[integerDigits:]...)
	}
	return string(b)
}

func (n Number) isZero() bool { return n.head == "" && n.tail == "" }

func (n Number) appendSign(b []byte) []byte {
	if n.negative {
		return append(b, '-')
	}
	return b
}
