package money

// Average is total divided by count, rounded half up to a centavo; 0 where
// there is nothing to divide by. It panics if either is negative.
func Average(total Cents, count int64) Cents {
	mustNotBeNegative(total, Cents(count))
	if count == 0 {
		return 0
	}
	whole, rest := total/Cents(count), total%Cents(count)
	if rest >= Cents(count)-rest { // twice the rest might not fit
		whole++
	}
	return whole
}
