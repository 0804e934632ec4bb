package money_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/money"
)

func TestSplit_GivesTheExtraCentavosToTheFirst(t *testing.T) {
	tests := []struct {
		total money.Cents
		n     int
		want  []money.Cents
	}{
		{10_000, 3, []money.Cents{3334, 3333, 3333}},
		{10, 3, []money.Cents{4, 3, 3}},
		{5, 3, []money.Cents{2, 2, 1}},
		{1, 3, []money.Cents{1, 0, 0}},
		{0, 2, []money.Cents{0, 0}},
		{80_000, 12, []money.Cents{6667, 6667, 6667, 6667, 6667, 6667, 6667, 6667, 6666, 6666, 6666, 6666}},
		{money.Max, 1, []money.Cents{money.Max}},
		{money.Max, 2, []money.Cents{50_000_000_000, 49_999_999_999}},
	}
	for _, tt := range tests {
		if got := money.Split(tt.total, tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("%d in %d: got %d, want %d", tt.total, tt.n, got, tt.want)
		}
	}
}

func TestSplit_AddsUpWithPartsAtMostOneApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total, n := drawAmount(t, "total"), rapid.IntRange(1, 400).Draw(t, "n")

		parts := money.Split(total, n)

		if len(parts) != n || sum(parts) != total {
			t.Fatalf("%d parts add up to %d", len(parts), sum(parts))
		}
		if first, last := parts[0], parts[n-1]; first-last > 1 || slices.Max(parts) != first || slices.Min(parts) != last {
			t.Fatalf("got %d", parts)
		}
	})
}

func TestSplitByWeight_GivesTheLeftoverToTheLargestRemainder(t *testing.T) {
	tests := []struct {
		name    string
		total   money.Cents
		weights []money.Cents
		want    []money.Cents
	}{
		{"even", 10, []money.Cents{5, 5}, []money.Cents{5, 5}},
		{"equal remainders, first line first", 10, []money.Cents{1, 1, 1}, []money.Cents{4, 3, 3}},
		{"largest remainder is last", 10, []money.Cents{101, 101, 198}, []money.Cents{3, 2, 5}},
		{"zero weight gets nothing", 7, []money.Cents{0, 3, 0}, []money.Cents{0, 7, 0}},
		{"all zero", 3, []money.Cents{0, 0}, []money.Cents{2, 1}},
		{"nothing to divide", 0, []money.Cents{1, 2}, []money.Cents{0, 0}},
		{"limits", money.Max, []money.Cents{money.Max, money.Max}, []money.Cents{50_000_000_000, 49_999_999_999}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := money.SplitByWeight(tt.total, tt.weights); !slices.Equal(got, tt.want) {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestSplitByWeight_AddsUpAndTurnsNoLineNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := drawWeights(t)
		all := sum(weights)
		total := money.Cents(rapid.Int64Range(0, int64(all)).Draw(t, "total"))
		before := slices.Clone(weights)

		parts := money.SplitByWeight(total, weights)

		if sum(parts) != total || !slices.Equal(weights, before) {
			t.Fatalf("%d add up to %d, want %d", parts, sum(parts), total)
		}
		for i, part := range parts {
			if part < 0 || part > weights[i] {
				t.Fatalf("line %d of %d gets %d", i, weights[i], part)
			}
		}
	})
}

func TestSplitByWeight_GivesEachWithinOneOfItsExactShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights, total := drawWeights(t), drawAmount(t, "total")
		all := sum(weights)
		if all == 0 {
			t.Skip("no weight")
		}

		parts := money.SplitByWeight(total, weights)

		if sum(parts) != total {
			t.Fatalf("%d add up to %d, want %d", parts, sum(parts), total)
		}
		for i, part := range parts {
			floor := new(big.Int).Mul(big.NewInt(int64(total)), big.NewInt(int64(weights[i])))
			floor.Div(floor, big.NewInt(int64(all)))
			if above := int64(part) - floor.Int64(); above != 0 && above != 1 {
				t.Fatalf("line %d of %d gets %d, exact share from %s", i, weights[i], part, floor)
			}
		}
	})
}

func TestSplit_PanicsOnWhatCallersMustHaveRefused(t *testing.T) {
	calls := map[string]func(){
		"no parts":        func() { money.Split(1, 0) },
		"negative parts":  func() { money.Split(1, -1) },
		"negative total":  func() { money.Split(-1, 1) },
		"no weights":      func() { money.SplitByWeight(1, nil) },
		"negative weight": func() { money.SplitByWeight(1, []money.Cents{1, -1}) },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

func drawWeights(t *rapid.T) []money.Cents {
	weight := rapid.Custom(func(t *rapid.T) money.Cents { return drawAmount(t, "weight") })
	return rapid.SliceOfN(weight, 1, 30).Draw(t, "weights")
}

func sum(amounts []money.Cents) money.Cents {
	var total money.Cents
	for _, amount := range amounts {
		total += amount
	}
	return total
}
