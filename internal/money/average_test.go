package money_test

import (
	"math"
	"testing"

	"fatureihoje/internal/money"
)

func TestAverage_RoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		total money.Cents
		count int64
		want  money.Cents
	}{
		{0, 0, 0},
		{0, 3, 0},
		{100, 1, 100},
		{100, 3, 33},
		{200, 3, 67},
		{1, 2, 1},
		{3, 2, 2},
		{1, 3, 0},
		{5, 10, 1},
		{4, 10, 0},
		{25, 10, 3},
		{35, 10, 4},
		{math.MaxInt64, math.MaxInt64, 1},
		{math.MaxInt64, 1, math.MaxInt64},
		{math.MaxInt64 - 1, math.MaxInt64, 1},
		{math.MaxInt64 / 2, math.MaxInt64, 0},
	} {
		if got := money.Average(c.total, c.count); got != c.want {
			t.Errorf("%d / %d: want %d, got %d", c.total, c.count, c.want, got)
		}
	}
}
