package money

import (
	"cmp"
	"math/bits"
	"slices"
)

// Split divides total, which is not negative, into n parts that add up to it
// and differ by at most one centavo. The first parts carry the extra centavos:
// 10000 in 3 is 3334, 3333, 3333. It panics if n is below 1 or total negative;
// callers have validated both.
func Split(total Cents, n int) []Cents {
	mustNotBeNegative(total)
	parts := make([]Cents, n)
	base, extra := total/Cents(n), int(total%Cents(n))
	for i := range parts {
		parts[i] = base
		if i < extra {
			parts[i]++
		}
	}
	return parts
}

// SplitByWeight divides total over lines in proportion to their weights, in
// whole centavos that add up to total: each line gets its share rounded down,
// and the centavos left over go to the largest remainders, the earlier line
// first among equals. A total up to the sum of the weights never gives a line
// more than its weight, so a discount spread this way turns no line negative.
// Weights that are all zero divide the total evenly.
//
// It panics if total or a weight is negative, or if there are no weights.
func SplitByWeight(total Cents, weights []Cents) []Cents {
	mustNotBeNegative(total)
	mustNotBeNegative(weights...)
	var sum Cents
	for _, w := range weights {
		sum += w
	}
	if sum == 0 {
		return Split(total, len(weights))
	}

	parts := make([]Cents, len(weights))
	remainders := make([]remainder, len(weights))
	left := total
	for i, w := range weights {
		parts[i], remainders[i].size = share(total, w, sum)
		remainders[i].line = i
		left -= parts[i]
	}
	for _, r := range largest(remainders)[:left] {
		parts[r.line]++
	}
	return parts
}

// share is total × weight / sum rounded down, and the remainder. The product has
// up to 128 bits; the quotient is at most total.
func share(total, weight, sum Cents) (Cents, uint64) {
	high, low := bits.Mul64(uint64(total), uint64(weight)) //nolint:gosec // neither is negative
	quotient, rest := bits.Div64(high, low, uint64(sum))   //nolint:gosec // not negative
	return Cents(quotient), rest                           //nolint:gosec // at most total
}

// remainder is what rounding down cut off a line's share, in parts of the sum
// of the weights.
type remainder struct {
	line int
	size uint64
}

// largest sorts the remainders, the largest first and equals in line order.
func largest(remainders []remainder) []remainder {
	slices.SortStableFunc(remainders, func(a, b remainder) int {
		return cmp.Compare(b.size, a.size)
	})
	return remainders
}

func mustNotBeNegative(amounts ...Cents) {
	for _, amount := range amounts {
		if amount < 0 {
			panic("money: split of a negative amount")
		}
	}
}
