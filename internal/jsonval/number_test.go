package jsonval

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNumber_Canonical(t *testing.T) {
	nines := strings.Repeat("9", 1000)
	cases := []struct {
		canonical string
		literals  []string
	}{
		{"0", []string{"0", "-0", "0.0", "-0.00", "0e5", "0E-999999999999999999999", "-0.0e+00"}},
		{"1e1", []string{"10", "10.0", "1e1", "1E1", "1e+1", "1e01", "0.1e2", "0.001e4", "100e-1", "10.000"}},
		{"-12e-2", []string{"-0.12", "-12e-2", "-0.0012e2", "-1.20e-1"}},
		{"1e3", []string{"1000", "1000.0", "1e3", "10.00e2"}},
		{"9007199254740993e0", []string{"9007199254740993", "9007199254740993.0", "900719925474099.3e1"}},
		{"9007199254740992e0", []string{"9007199254740992"}},
		{"1e999999999", []string{"1e999999999", "10e999999998", "0.1e1000000000", "1E+0999999999"}},
		{"1e9223372036854775807", []string{"1e9223372036854775807", "10e9223372036854775806"}},
		{"1e9223372036854775808", []string{"1e9223372036854775808", "10e9223372036854775807", "0.1e9223372036854775809"}},
		{"1e-9223372036854775809", []string{"1e-9223372036854775809", "10e-9223372036854775810", "0.01e-9223372036854775807"}},
		// The two sides of the limit beyond which an exponent is kept as digits.
		{"1e999999999999999999", []string{"1e999999999999999999", "0.1e1000000000000000000", "10e999999999999999998"}},
		{"1e1000000000000000000", []string{"1e1000000000000000000", "10e999999999999999999", "0.1e1000000000000000001"}},
		{"1e-999999999999999999", []string{"1e-999999999999999999", "10e-1000000000000000000"}},
		{"1e-1000000000000000000", []string{"1e-1000000000000000000", "0.1e-999999999999999999"}},
		{"1e1" + strings.Repeat("0", 1000), []string{"10e" + nines, "1e1" + strings.Repeat("0", 1000)}},
		{"1e-1" + strings.Repeat("0", 1000), []string{"0.1e-" + nines}},
		{"1e-" + nines, []string{"1e-" + nines, "100e-1" + strings.Repeat("0", 999) + "1"}},
	}
	for _, c := range cases {
		for _, literal := range c.literals {
			if got := newNumber(literal).Canonical(); got != c.canonical {
				t.Errorf("%.60s is %.60s, want %.60s", literal, got, c.canonical)
			}
		}
	}
}

func TestNumber_Int64(t *testing.T) {
	cases := []struct {
		literal string
		want    int64
		ok      bool
	}{
		{"1000", 1000, true},
		{"1000.0", 1000, true},
		{"1e3", 1000, true},
		{"10.00e2", 1000, true},
		{"0", 0, true},
		{"-0.0", 0, true},
		{"0e99999999999999999999", 0, true},
		{"-12", -12, true},
		{"9007199254740993", 9007199254740993, true},
		{"9223372036854775807", 9223372036854775807, true},
		{"9223372036854775808", 0, false},
		{"-9223372036854775808", -9223372036854775808, true},
		{"-9223372036854775809", 0, false},
		{"922337203685477580.7e1", 9223372036854775807, true},
		{"1e18", 1e18, true},
		{"1e19", 0, false},
		{"1e400", 0, false},
		{"1.5", 0, false},
		{"1e-1", 0, false},
		{"0.1", 0, false},
		{"1e9999999999999999999", 0, false},
		{"1e-9999999999999999999", 0, false},
	}
	for _, c := range cases {
		if got, ok := newNumber(c.literal).Int64(); got != c.want || ok != c.ok {
			t.Errorf("%s is %d, %t", c.literal, got, ok)
		}
	}
}

func TestNumber_Decimal(t *testing.T) {
	cases := []struct {
		literal   string
		maxDigits int
		want      string
		ok        bool
	}{
		{"12.5", 3, "12.5", true},
		{"12.5", 2, "", false},
		{"125e-1", 3, "12.5", true},
		{"1000", 4, "1000", true},
		{"1e3", 4, "1000", true},
		{"1e3", 3, "", false},
		{"-0.05", 3, "-0.05", true},
		{"-0.05", 2, "", false},
		{"5e-2", 3, "0.05", true},
		{"0", 1, "0", true},
		{"-0.000", 1, "0", true},
		{"0", 0, "0", false},
		{"12.500", 3, "12.5", true},
		{"1.25e1", 3, "12.5", true},
		{"-1.25e4", 5, "-12500", true},
		{"1e999999", 100, "", false},
		{"1e-999999", 100, "", false},
		{"1e999999999999999999999", 100, "", false},
		{"1e9223372036854775807", 1 << 62, "", false},
		{"1e-9223372036854775807", 1 << 62, "", false},
	}
	for _, c := range cases {
		if got, ok := newNumber(c.literal).Decimal(c.maxDigits); ok != c.ok || ok && got != c.want {
			t.Errorf("%s in %d digits is %q, %t", c.literal, c.maxDigits, got, ok)
		}
	}
}

// TestNumber_AgreesWithBigRat compares with an implementation that expands.
func TestNumber_AgreesWithBigRat(t *testing.T) {
	literals := rapid.StringMatching(`-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?`)
	rapid.Check(t, func(t *rapid.T) {
		x, y := literals.Draw(t, "x"), literals.Draw(t, "y")
		if rapid.Bool().Draw(t, "related") {
			y = x[:len(x)-1] + rapid.SampledFrom([]string{"0", "1"}).Draw(t, "end")
		}
		a, b := newNumber(x), newNumber(y)

		if equal := rat(t, x).Cmp(rat(t, y)) == 0; (a.Canonical() == b.Canonical()) != equal {
			t.Fatalf("%s and %s: %s, %s", x, y, a.Canonical(), b.Canonical())
		}
		if rat(t, a.Canonical()).Cmp(rat(t, x)) != 0 {
			t.Fatalf("%s became %s", x, a.Canonical())
		}
		decimal, ok := a.Decimal(1000)
		if !ok || rat(t, decimal).Cmp(rat(t, x)) != 0 {
			t.Fatalf("%s became %s", x, decimal)
		}
		digits := len(strings.NewReplacer("-", "", ".", "").Replace(decimal))
		if _, ok := a.Decimal(digits); !ok {
			t.Fatalf("%s does not fit its own %d digits", decimal, digits)
		}
		if _, ok := a.Decimal(digits - 1); ok {
			t.Fatalf("%s fits %d digits", decimal, digits-1)
		}
	})
}

func rat(t *rapid.T, text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return r
}
