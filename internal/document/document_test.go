package document_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/document"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/problem"
)

// oracleLine is a line in fractions, which round nothing.
func oracleLine(l document.LineDraft) (gross, total money.Cents, tooMuch bool) {
	quantity, _ := new(big.Rat).SetString(l.Quantity.String())
	exact := new(big.Rat).Mul(quantity, new(big.Rat).SetInt64(int64(*l.UnitPrice)))
	gross = halfUp(exact)
	switch {
	case l.Discount.Cents != nil:
		return gross, gross - *l.Discount.Cents, *l.Discount.Cents > gross
	case l.Discount.Percent != nil:
		percent, _ := new(big.Rat).SetString(l.Discount.Percent.String())
		share := new(big.Rat).Sub(big.NewRat(1, 1), percent.Quo(percent, big.NewRat(100, 1)))
		return gross, halfUp(exact.Mul(exact, share)), false
	}
	return gross, gross, false
}

func halfUp(r *big.Rat) money.Cents {
	doubled := new(big.Int).Mul(r.Num(), big.NewInt(2))
	doubled.Add(doubled, r.Denom())
	return money.Cents(doubled.Quo(doubled, new(big.Int).Mul(r.Denom(), big.NewInt(2))).Int64())
}

func quantities() *rapid.Generator[money.Quantity] {
	return rapid.Custom(func(t *rapid.T) money.Quantity {
		q, err := money.ParseQuantity(fmt.Sprintf("%d.%04d", rapid.IntRange(0, 999).Draw(t, "whole"), rapid.IntRange(1, 9999).Draw(t, "places")))
		if err != nil {
			t.Fatal(err)
		}
		return q
	})
}

func percents() *rapid.Generator[money.Percent] {
	return rapid.Custom(func(t *rapid.T) money.Percent {
		hundredths := rapid.IntRange(0, 10_000).Draw(t, "percent")
		p, err := money.ParsePercent(fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100))
		if err != nil {
			t.Fatal(err)
		}
		return p
	})
}

func discounts(most int64) *rapid.Generator[document.Discount] {
	return rapid.Custom(func(t *rapid.T) document.Discount {
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 0:
			return document.Discount{}
		case 1:
			cents := money.Cents(rapid.Int64Range(0, most).Draw(t, "cents"))
			return document.Discount{Cents: &cents}
		}
		percent := percents().Draw(t, "percent")
		return document.Discount{Percent: &percent}
	})
}

func drafts() *rapid.Generator[document.Draft] {
	return rapid.Custom(func(t *rapid.T) document.Draft {
		d := document.Draft{Discount: discounts(5_000).Draw(t, "discount"), Shipping: money.Cents(rapid.Int64Range(0, 10_000).Draw(t, "shipping"))}
		for range rapid.IntRange(0, 12).Draw(t, "lines") {
			price := money.Cents(rapid.Int64Range(0, 99_999).Draw(t, "price"))
			description := "Serviço"
			d.Lines = append(d.Lines, document.LineDraft{
				Kind: document.KindCustom, Description: &description, Quantity: quantities().Draw(t, "quantity"), UnitPrice: &price,
				Discount: discounts(20_000).Draw(t, "line discount"),
			})
		}
		return d
	})
}

func TestPrice_AgreesWithFractions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drafts().Draw(t, "draft")
		var f problem.Fields
		got, err := document.Price(context.Background(), nil, nil, d, nil, &f)
		if err != nil {
			t.Fatal(err)
		}

		var subtotal, lines money.Cents
		refused := false
		for i, l := range d.Lines {
			gross, total, tooMuch := oracleLine(l)
			refused = refused || tooMuch
			if f.Has(fmt.Sprintf("/items/%d/discount_cents", i)) != tooMuch {
				t.Fatalf("line %d of %d, discount %d: refused is wrong", i, gross, *l.Discount.Cents)
			}
			if tooMuch {
				continue
			}
			if got.Lines[i].GrossCents != gross || got.Lines[i].TotalCents != total {
				t.Fatalf("line %d: want %d and %d, got %+v", i, gross, total, got.Lines[i])
			}
			if total < 0 || total > gross {
				t.Fatalf("line %d: %d of %d", i, total, gross)
			}
			subtotal, lines = subtotal+gross, lines+total
		}
		if refused {
			return
		}
		off := money.Cents(0)
		if d.Discount.Percent != nil {
			off = money.PercentOf(*d.Discount.Percent, lines)
		} else if d.Discount.Cents != nil {
			off = *d.Discount.Cents
		}
		if f.Has("/discount_cents") != (off > lines) {
			t.Fatalf("a discount of %d on %d: refused is %v", off, lines, f.Has("/discount_cents"))
		}
		if off > lines {
			return
		}
		want := document.Totals{SubtotalCents: subtotal, DiscountTotalCents: subtotal - lines + off, ShippingCents: d.Shipping, TotalCents: lines - off + d.Shipping}
		if got.Totals != want {
			t.Fatalf("want %+v, got %+v", want, got.Totals)
		}
		if got.SubtotalCents-got.DiscountTotalCents+got.ShippingCents != got.TotalCents {
			t.Fatalf("the sums do not add up: %+v", got.Totals)
		}
	})
}

func TestPrice_RoundsALineHalfUpOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		quantity, percent string
		price, want       money.Cents
	}{
		{"1.5", "0", 333, 500},    // 499.5
		{"1", "10", 105, 95},      // 94.5: of the product, not 105 less a rounded 11
		{"0.3333", "50", 100, 17}, // 16.665
		{"0.005", "0", 100, 1},    // 0.5
		{"0.0049", "0", 100, 0},
		{"3", "100", 9999, 0},
	} {
		q, _ := money.ParseQuantity(c.quantity)
		p, _ := money.ParsePercent(c.percent)
		description := "x"
		var f problem.Fields
		got, err := document.Price(context.Background(), nil, nil, document.Draft{Lines: []document.LineDraft{{
			Kind: document.KindCustom, Description: &description, Quantity: q, UnitPrice: &c.price, Discount: document.Discount{Percent: &p},
		}}}, nil, &f)
		if err != nil || !f.Empty() || got.TotalCents != c.want {
			t.Errorf("%s × %d less %s%%: want %d, got %d (%v, %v)", c.quantity, c.price, c.percent, c.want, got.TotalCents, err, f.Err())
		}
	}
}

func TestPlan_PartsAddUpAndDifferByACent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := money.Cents(rapid.Int64Range(0, 1_000_000).Draw(t, "amount"))
		first := civil.Date{Year: 2026, Month: 1, Day: rapid.IntRange(1, 31).Draw(t, "day")}
		plan := document.Plan{Count: rapid.IntRange(1, document.MaxInstallments).Draw(t, "count"), FirstDueDate: &first}
		var f problem.Fields

		parts := plan.Parts(amount, "/payment_plan", &f)

		if amount == 0 {
			if len(parts) != 0 || !f.Empty() {
				t.Fatalf("nothing to pay: %v, %v", parts, f.Err())
			}
			return
		}
		if money.Cents(plan.Count) > amount {
			if f.Empty() {
				t.Fatalf("%d centavos in %d parts were accepted", amount, plan.Count)
			}
			return
		}
		var sum money.Cents
		for i, part := range parts {
			sum += part.Amount
			if part.Amount < parts[len(parts)-1].Amount || part.Amount > parts[len(parts)-1].Amount+1 {
				t.Fatalf("parts %v", parts)
			}
			if want := civil.MonthlyOccurrence(first, i); part.DueDate != want {
				t.Fatalf("part %d is due on %s, want %s", i, part.DueDate, want)
			}
		}
		if sum != amount || len(parts) != plan.Count {
			t.Fatalf("%d parts of %d add up to %d", len(parts), amount, sum)
		}
	})
}

func TestPlan_RefusesPartsThatDoNotAddUp(t *testing.T) {
	t.Parallel()
	plan := document.Plan{Installments: []document.Installment{{Amount: 100}, {Amount: 50}}}
	for amount, fits := range map[money.Cents]bool{150: true, 149: false, 151: false, 0: false} {
		var f problem.Fields
		plan.Parts(amount, "/payment_plan", &f)
		if f.Empty() != fits {
			t.Errorf("150 in parts of %d: %v", amount, f.Err())
		}
	}
}

func TestChanges_KeepPricesOfLinesThatStay(t *testing.T) {
	t.Parallel()
	price, ten := money.Cents(1000), money.Cents(10)
	q, _ := money.ParseQuantity("2")
	percent, _ := money.ParsePercent("5")
	description := "x"
	var f problem.Fields
	before, err := document.Price(context.Background(), nil, nil, document.Draft{
		Lines:    []document.LineDraft{{Kind: document.KindCustom, Description: &description, Quantity: q, UnitPrice: &price}},
		Discount: document.Discount{Cents: &ten},
	}, nil, &f)
	if err != nil {
		t.Fatal(err)
	}

	after, err := document.Changes{DiscountPercent: opt.Of(percent)}.Apply(context.Background(), nil, nil, before, &f)

	if err != nil || !f.Empty() {
		t.Fatal(err, f.Err())
	}
	if after.Discount.Cents != nil || after.TotalCents != 1900 || after.Lines[0] != before.Lines[0] {
		t.Errorf("got %+v", after)
	}
}
