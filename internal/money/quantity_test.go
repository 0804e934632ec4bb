package money_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/money"
)

var (
	_ fmt.Stringer  = money.Quantity{}
	_ driver.Valuer = money.Quantity{}
	_ sql.Scanner   = (*money.Quantity)(nil)
	_ fmt.Stringer  = money.Percent{}
	_ driver.Valuer = money.Percent{}
	_ sql.Scanner   = (*money.Percent)(nil)
)

func TestParseQuantity(t *testing.T) {
	tests := []struct {
		in, want string
		err      error
	}{
		{"1", "1", nil},
		{"1.0000000", "1", nil},
		{"2.50", "2.5", nil},
		{"1e2", "100", nil},
		{"10000000e-7", "1", nil},
		{"0.0001", "0.0001", nil},
		{"1e-4", "0.0001", nil},
		{"999999999.9999", "999999999.9999", nil},
		{"0", "", money.ErrQuantityRange},
		{"0.0", "", money.ErrQuantityRange},
		{"-0", "", money.ErrQuantityRange},
		{"-1", "", money.ErrQuantityRange},
		{"1000000000", "", money.ErrQuantityRange},
		{"1e999999999", "", money.ErrQuantityRange},
		{"0.00001", "", money.ErrQuantityPlaces},
		{"1e-999999999", "", money.ErrQuantityPlaces},
		{"999999999.99999", "", money.ErrQuantityPlaces},
		{"", "", money.ErrSyntax},
		{"1,5", "", money.ErrSyntax},
		{" 1", "", money.ErrSyntax},
		{"NaN", "", money.ErrSyntax},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, err := money.ParseQuantity(tt.in)
			if !errors.Is(err, tt.err) || err == nil && got.String() != tt.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestParsePercent(t *testing.T) {
	tests := []struct {
		in, want string
		err      error
	}{
		{"0", "0", nil},
		{"0.00", "0", nil},
		{"0.01", "0.01", nil},
		{"12.50", "12.5", nil},
		{"99.99", "99.99", nil},
		{"1e2", "100", nil},
		{"100.00", "100", nil},
		{"100.01", "", money.ErrPercentRange},
		{"101", "", money.ErrPercentRange},
		{"1e999999999", "", money.ErrPercentRange},
		{"-1", "", money.ErrPercentRange},
		{"-0", "", money.ErrPercentRange},
		{"0.001", "", money.ErrPercentPlaces},
		{"10%", "", money.ErrSyntax},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, err := money.ParsePercent(tt.in)
			if !errors.Is(err, tt.err) || err == nil && got.String() != tt.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestQuantity_SurvivesColumnAndJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, units := drawQuantity(t)

		column, err := q.Value()
		if err != nil {
			t.Fatal(err)
		}
		var padded, scanned money.Quantity
		if err := scanned.Scan(column); err != nil {
			t.Fatal(err)
		}
		if err := padded.Scan(fmt.Appendf(nil, "%d.%04d", units/10_000, units%10_000)); err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(q)

		if err != nil || string(body) != strconv.Quote(q.String()) || scanned != q || !padded.Equal(q) {
			t.Fatalf("%s: %s, %v, %s, %s", q, body, err, scanned, padded)
		}
	})
}

func TestPercent_SurvivesColumnAndJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, _ := drawPercent(t)

		column, err := p.Value()
		if err != nil {
			t.Fatal(err)
		}
		var scanned money.Percent
		if err := scanned.Scan(column); err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(p)

		if err != nil || string(body) != strconv.Quote(p.String()) || !scanned.Equal(p) {
			t.Fatalf("%s: %s, %v, %s", p, body, err, scanned)
		}
	})
}

func TestScan_RefusesFloatsNullAndValuesOutOfRange(t *testing.T) {
	for _, src := range []any{nil, 1.5, true, "NaN", "1000000000"} {
		var q money.Quantity
		var p money.Percent
		if q.Scan(src) == nil || p.Scan(src) == nil {
			t.Errorf("%v was accepted: %s, %s", src, q, p)
		}
	}
	var q money.Quantity
	if err := q.Scan(int64(3)); err != nil || q.String() != "3" {
		t.Errorf("got %s, %v", q, err)
	}
}

func TestLineTotal_RoundsHalfUpOnce(t *testing.T) {
	tests := []struct {
		quantity string
		unit     money.Cents
		want     money.Cents
		err      error
	}{
		{"1", 0, 0, nil},
		{"1", 1, 1, nil},
		{"1", money.Max, money.Max, nil},
		{"0.5", 1, 1, nil},
		{"0.4999", 1, 0, nil},
		{"2.5", 1, 3, nil},
		{"0.5", 5, 3, nil},
		{"0.0001", money.Max, 10_000_000, nil},
		{"1.5", 333, 500, nil},
		{"999999999.9999", 99, 99_000_000_000, nil},
		{"1.0001", 99_990_000_999, money.Max, nil},
		{"2", money.Max, 0, money.ErrRange},
		{"1.0001", money.Max, 0, money.ErrRange},
		{"999999999.9999", money.Max, 0, money.ErrRange},
		{"1", -1, 0, money.ErrSign},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s x %d", tt.quantity, tt.unit), func(t *testing.T) {
			got, err := money.LineTotal(parseQuantity(t, tt.quantity), tt.unit)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("got %d, %v, want %d, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestLineTotal_AgreesWithExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, units := drawQuantity(t)
		unit := rapid.OneOf(
			rapid.Int64Range(0, int64(money.Max)),
			rapid.Int64Range(0, min(int64(money.Max), int64(money.Max)*10_000/units+1)),
		).Draw(t, "unit")
		want := halfUp(units, unit, 10_000)

		got, err := money.LineTotal(q, money.Cents(unit))

		if want.Cmp(big.NewInt(int64(money.Max))) > 0 {
			if !errors.Is(err, money.ErrRange) {
				t.Fatalf("got %d, %v for %s", got, err, want)
			}
		} else if err != nil || want.Int64() != int64(got) {
			t.Fatalf("got %d, %v, want %s", got, err, want)
		}
	})
}

func TestPercentOf_AgreesWithExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, hundredths := drawPercent(t)
		amount := rapid.Int64Min(0).Draw(t, "amount")

		got := money.PercentOf(p, money.Cents(amount))

		if want := halfUp(hundredths, amount, 10_000); want.Int64() != int64(got) {
			t.Fatalf("got %d, want %s", got, want)
		}
		if mirrored := money.PercentOf(p, money.Cents(-amount)); mirrored != -got {
			t.Fatalf("%d of %d, %d of %d", got, amount, mirrored, -amount)
		}
	})
}

func TestPercentOf_AtTheLimits(t *testing.T) {
	tests := []struct {
		percent string
		amount  money.Cents
		want    money.Cents
	}{
		{"0", money.Max, 0},
		{"100", money.Max, money.Max},
		{"100", 1, 1},
		{"50", 1, 1},
		{"49.99", 1, 0},
		{"10", 5, 1},
		{"0.01", money.Max, 10_000_000},
		{"12.5", 0, 0},
	}
	for _, tt := range tests {
		p, err := money.ParsePercent(tt.percent)
		if err != nil {
			t.Fatal(err)
		}
		if got := money.PercentOf(p, tt.amount); got != tt.want {
			t.Errorf("%s%% of %d: got %d, want %d", tt.percent, tt.amount, got, tt.want)
		}
	}
}

// halfUp is a × b / scale rounded half up, in integers of any size.
func halfUp(a, b, scale int64) *big.Int {
	product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	product.Add(product, big.NewInt(scale/2))
	return product.Div(product, big.NewInt(scale))
}

// drawQuantity also returns the quantity in ten-thousandths.
func drawQuantity(t *rapid.T) (money.Quantity, int64) {
	units := rapid.OneOf(
		rapid.Int64Range(1, 9_999_999_999_999),
		rapid.Int64Range(1, 1_000_000),
		rapid.Just(int64(9_999_999_999_999)),
	).Draw(t, "ten-thousandths")
	return parseQuantity(t, fmt.Sprintf("%de-4", units)), units
}

// drawPercent also returns the percentage in hundredths.
func drawPercent(t *rapid.T) (money.Percent, int64) {
	hundredths := rapid.Int64Range(0, 10_000).Draw(t, "hundredths")
	p, err := money.ParsePercent(fmt.Sprintf("%de-2", hundredths))
	if err != nil {
		t.Fatal(err)
	}
	return p, hundredths
}

func parseQuantity(t interface{ Fatal(...any) }, text string) money.Quantity {
	q, err := money.ParseQuantity(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}
