package money

import (
	"math/big"

	"github.com/govalues/decimal"
)

// LineTotal is q × unit, rounded half up to a centavo: the only rounding of a
// line. It reports ErrSign for a negative unit price, and ErrRange for a total
// above Max.
func LineTotal(q Quantity, unit Cents) (Cents, error) {
	if unit < 0 {
		return 0, ErrSign
	}
	price, err := decimal.New(int64(unit), 0)
	if err != nil {
		return 0, err
	}
	// Mul fails only if the product has more than 19 whole digits, and is exact
	// up to 19 digits in all: more than a total up to Max with 4 places has.
	product, err := q.value.Mul(price)
	if err != nil {
		return 0, ErrRange
	}
	return roundHalfUp(product)
}

// DiscountedLineTotal is q × unit less the discount off, rounded half up to a
// centavo once, at the end. It reports what LineTotal reports.
func DiscountedLineTotal(q Quantity, unit Cents, off Percent) (Cents, error) {
	if unit < 0 {
		return 0, ErrSign
	}
	whole, fraction, ok := q.value.Int64(quantityPlaces)
	if !ok {
		return 0, ErrRange
	}
	const quantityOne = 2 * quantityHalf
	exact := big.NewInt(whole*quantityOne + fraction)
	exact.Mul(exact, big.NewInt(int64(unit)))
	exact.Mul(exact, big.NewInt(hundredPercent-off.hundredths))
	exact.Add(exact, big.NewInt(quantityOne*hundredPercent/2))
	exact.Quo(exact, big.NewInt(quantityOne*hundredPercent))
	if !exact.IsInt64() || exact.Int64() > int64(Max) {
		return 0, ErrRange
	}
	return Cents(exact.Int64()), nil
}

// PercentOf is p of amount, rounded half up to a centavo (away from zero for a
// negative amount). It holds for every amount: taking the whole ten-thousandths
// apart first keeps the product within 64 bits.
func PercentOf(p Percent, amount Cents) Cents {
	whole, rest := amount/hundredPercent, amount%hundredPercent
	part := Cents(p.hundredths)
	half := Cents(hundredPercent / 2)
	if amount < 0 {
		half = -half
	}
	return whole*part + (rest*part+half)/hundredPercent
}

// roundHalfUp rounds a value that is not negative and has at most the places of
// a quantity. decimal.Round would not do: it rounds half to even.
func roundHalfUp(value decimal.Decimal) (Cents, error) {
	whole, fraction, ok := value.Int64(quantityPlaces)
	if !ok {
		return 0, ErrRange
	}
	if fraction >= quantityHalf {
		whole++
	}
	if whole > int64(Max) {
		return 0, ErrRange
	}
	return Cents(whole), nil
}
