package money

import (
	"math"
	"strconv"
)

// Cents is an amount in centavos of the real.
type Cents int64

// Max is the largest amount the API reads, keeps or computes: R$ 999.999.999,99.
const Max Cents = 99_999_999_999

// maxDigits are the digits of Max, which are all nines: an amount is above Max
// when it has more.
const maxDigits = 11

// ParseCents reads an amount from the literal text of a JSON number. Whatever
// equals a whole number of centavos is accepted: 1000, 1000.0, 1e3, 10.00e2.
//
// It reports ErrSyntax; ErrSign for any minus, that of -0 included; ErrFraction,
// ahead of the range because a fraction tells of an amount sent in reais; or
// ErrRange above Max.
func ParseCents(text string) (Cents, error) {
	n, ok := parseNumber(text)
	switch {
	case !ok:
		return 0, ErrSyntax
	case n.negative:
		return 0, ErrSign
	case n.places() > 0:
		return 0, ErrFraction
	case n.wholeDigits() > maxDigits:
		return 0, ErrRange
	}
	return Cents(n.units(0)), nil
}

// Sum adds amounts of either sign. It reports ErrRange if the total is beyond
// Max on either side.
func Sum(amounts ...Cents) (Cents, error) {
	var total Cents
	for _, amount := range amounts {
		if overflows(total, amount) {
			return 0, ErrRange
		}
		total += amount
	}
	if total > Max || total < -Max {
		return 0, ErrRange
	}
	return total, nil
}

func overflows(a, b Cents) bool {
	if b > 0 {
		return a > math.MaxInt64-b
	}
	return a < math.MinInt64-b
}

// Format writes the amount as Brazilians read it: R$ 1.234,56, -R$ 0,01.
func (c Cents) Format() string {
	sign, magnitude := "", uint64(c) //nolint:gosec // negated below, which holds for the least int64 too
	if c < 0 {
		sign, magnitude = "-", -magnitude
	}
	reais, centavos := magnitude/100, magnitude%100
	return sign + "R$ " + groupThousands(strconv.FormatUint(reais, 10)) +
		"," + string([]byte{byte('0' + centavos/10), byte('0' + centavos%10)})
}

func groupThousands(digits string) string {
	out := make([]byte, 0, len(digits)+len(digits)/3)
	for i := range len(digits) {
		if left := len(digits) - i; i > 0 && left%3 == 0 {
			out = append(out, '.')
		}
		out = append(out, digits[i])
	}
	return string(out)
}
