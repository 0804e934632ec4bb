package money_test

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/money"
)

func TestParseCents_AcceptsEveryFormOfAWholeAmount(t *testing.T) {
	tests := map[string]money.Cents{
		"0": 0, "0.0": 0, "0e5": 0, "0e999999999": 0, "0E-99999999999999999999": 0,
		"1": 1, "10": 10, "10.0": 10, "100e-2": 1, "0.01e2": 1,
		"1000": 1000, "1000.0": 1000, "1e3": 1000, "10.00e2": 1000, "1E+3": 1000, "1e03": 1000,
		"99999999999": money.Max, "99999999999.000": money.Max, "9.9999999999e10": money.Max,
		"1" + strings.Repeat("0", 1000) + "e-1000":   1,
		"0." + strings.Repeat("0", 1000) + "1e+1001": 1,
	}
	for in, want := range tests {
		got, err := money.ParseCents(in)
		if got != want || err != nil {
			t.Errorf("%.40s: got %d, %v, want %d", in, got, err, want)
		}
	}
}

func TestParseCents_RefusesWithStableCode(t *testing.T) {
	tests := map[string]money.Error{
		"": money.ErrSyntax, "-": money.ErrSyntax, "NaN": money.ErrSyntax, "Infinity": money.ErrSyntax,
		`"10"`: money.ErrSyntax, "10,50": money.ErrSyntax, "R$ 10": money.ErrSyntax, "１０": money.ErrSyntax,
		"true": money.ErrSyntax, "null": money.ErrSyntax, "0x10": money.ErrSyntax, " 10": money.ErrSyntax, "10 ": money.ErrSyntax,
		"+1": money.ErrSyntax, "01": money.ErrSyntax, "00": money.ErrSyntax, ".5": money.ErrSyntax, "1.": money.ErrSyntax,
		"1e": money.ErrSyntax, "1e+": money.ErrSyntax, "1e+-1": money.ErrSyntax, "1e1.5": money.ErrSyntax, "1_000": money.ErrSyntax,
		"1.e1": money.ErrSyntax, "--1": money.ErrSyntax, "1\x00": money.ErrSyntax,

		"-1": money.ErrSign, "-0": money.ErrSign, "-0.5": money.ErrSign, "-1e400": money.ErrSign,

		"0.001": money.ErrFraction, "10.005": money.ErrFraction, "10.5": money.ErrFraction, "1e-1": money.ErrFraction,
		"1e-999999999": money.ErrFraction, "1e-99999999999999999999999": money.ErrFraction,
		"99999999999999999.99": money.ErrFraction, "15e-1": money.ErrFraction,

		"100000000000": money.ErrRange, "1e11": money.ErrRange, "1e400": money.ErrRange, "9.99999999999e11": money.ErrRange,
		"1e999999999": money.ErrRange, "1e99999999999999999999999": money.ErrRange,
		"18446744073709551617": money.ErrRange, strings.Repeat("9", 100_000): money.ErrRange,
	}
	for in, want := range tests {
		got, err := money.ParseCents(in)
		if got != 0 || !errors.Is(err, want) {
			t.Errorf("%.40s: got %d, %v, want %v", in, got, err, want)
		}
	}
}

func TestParseCents_AgreesWithExactRationals(t *testing.T) {
	limit := new(big.Rat).SetInt64(int64(money.Max))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?(0|[1-9][0-9]{0,13})(\.[0-9]{1,5})?([eE][-+]?[0-9]{1,2})?`).Draw(t, "text")
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%q is no rational", text)
		}

		got, err := money.ParseCents(text)

		accepted := text[0] != '-' && exact.IsInt() && exact.Cmp(limit) <= 0
		if accepted != (err == nil) {
			t.Fatalf("%q: %v", text, err)
		}
		if accepted && exact.Num().Int64() != int64(got) {
			t.Fatalf("%q: got %d", text, got)
		}
	})
}

func TestParseCents_ReadsBackEveryAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := drawAmount(t, "amount")

		got, err := money.ParseCents(strconv.FormatInt(int64(amount), 10))

		if got != amount || err != nil {
			t.Fatalf("got %d, %v, want %d", got, err, amount)
		}
	})
}

func TestSum_RefusesWhatNoDocumentCanHold(t *testing.T) {
	tests := []struct {
		name    string
		amounts []money.Cents
		want    money.Cents
		err     error
	}{
		{"nothing", nil, 0, nil},
		{"up to Max", []money.Cents{money.Max - 1, 1}, money.Max, nil},
		{"above Max", []money.Cents{money.Max, 1}, 0, money.ErrRange},
		{"below -Max", []money.Cents{-money.Max, -1}, 0, money.ErrRange},
		{"above Max on the way only", []money.Cents{money.Max, money.Max, -money.Max}, money.Max, nil},
		{"beyond 64 bits", []money.Cents{math.MaxInt64, 1, math.MinInt64}, 0, money.ErrRange},
		{"beyond 64 bits below", []money.Cents{math.MinInt64, -1, math.MaxInt64}, 0, money.ErrRange},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := money.Sum(tt.amounts...)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("got %d, %v", got, err)
			}
		})
	}
}

func TestCents_Format(t *testing.T) {
	tests := map[money.Cents]string{
		0: "R$ 0,00", 1: "R$ 0,01", 10: "R$ 0,10", 100: "R$ 1,00", 99_999: "R$ 999,99",
		100_000: "R$ 1.000,00", 123_456: "R$ 1.234,56", 123_456_789: "R$ 1.234.567,89",
		money.Max: "R$ 999.999.999,99", -1: "-R$ 0,01", -123_456: "-R$ 1.234,56",
		math.MinInt64: "-R$ 92.233.720.368.547.758,08",
	}
	for in, want := range tests {
		if got := in.Format(); got != want {
			t.Errorf("%d: got %q, want %q", in, got, want)
		}
	}
}

// drawAmount draws an amount the API may hold, with the limits well represented.
func drawAmount(t *rapid.T, label string) money.Cents {
	limits := rapid.SampledFrom([]money.Cents{0, 1, 2, money.Max - 1, money.Max})
	whole := rapid.Map(rapid.Int64Range(0, int64(money.Max)), func(v int64) money.Cents { return money.Cents(v) })
	return rapid.OneOf(whole, whole, limits).Draw(t, label)
}

func BenchmarkParseCents(b *testing.B) {
	for _, in := range []string{"1990", "10.00e2", "1e999999999"} {
		b.Run(in, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = money.ParseCents(in)
			}
		})
	}
}
