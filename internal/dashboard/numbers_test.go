package dashboard

import "testing"

func TestParseReais_ReadsBothWaysOfWriting(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"1.234,56": 123456, "1234.56": 123456, "1234,56": 123456, "R$ 1.234,56": 123456, "1.234": 123400, "1234": 123400, " 0,05 ": 5,
		"0.05": 5, "1.234.567,00": 123456700, "10.50": 1050,
	} {
		if got, err := parseReais(text); err != nil || got != want {
			t.Errorf("%q: want %d, got %d (%v)", text, want, got, err)
		}
	}
	for _, text := range []string{"", "mil", "1,5", "1,234", "1.5", "0.125", "-1", "+1", "1.23.456", "1234.567,00", "1,", ",50", "1.", "1,2,3", "99999999999999"} {
		if got, err := parseReais(text); err == nil {
			t.Errorf("%q was read as %d", text, got)
		}
	}
}

func TestParseDecimal_ReadsQuantities(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"2": "2", "1,5": "1.5", "12.5": "12.5", "0.125": "0.125", "1,125": "1.125", "1.000": "1000", "1.000,5": "1000.5"} {
		if got, err := parseDecimal(text); err != nil || got != want {
			t.Errorf("%q: want %s, got %s (%v)", text, want, got, err)
		}
	}
}

func TestParseDiscount_IsAnAmountOrAPercentage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]any{
		"10": {"discount_cents", int64(1000)}, "10,50": {"discount_cents", int64(1050)}, "5%": {"discount_percent", "5"}, " 12,5 % ": {"discount_percent", "12.5"},
	} {
		if member, value, err := parseDiscount(text); err != nil || member != want[0] || value != want[1] {
			t.Errorf("%q: got %s %v (%v)", text, member, value, err)
		}
	}
	if _, value, err := parseDiscount("x%"); err == nil {
		t.Errorf("x%% was read as %v", value)
	}
}

func TestPlacing_FindsTheRowThatALineCameFrom(t *testing.T) {
	t.Parallel()
	from := placing{rows: []row{{n: 0}, {n: 4}}, parts: []part{{n: 2}}}
	for pointer, want := range map[string]string{
		"/items": "/items", "/items/1/quantity": "/items-4-quantity", "/items/0": "/items-0-item", "/items/1/variation_id": "/items-4-item",
		"/items/1/unit_price_cents": "/items-4-price", "/items/1/discount_percent": "/items-4-discount", "/items/9/quantity": "/items",
		"/discount_percent": "/discount", "/payment_plan": "/plan_count", "/payment_plan/installments": "/parts",
		"/payment_plan/installments/0/amount_cents": "/parts-2-amount", "/payment_plan/installments/0/due_date": "/parts-2-date",
		"/payment_plan/first_due_date": "/plan_first_due_date", "/client_id": "/client_id",
	} {
		if got := from.pointer(pointer); got != want {
			t.Errorf("%s: want %s, got %s", pointer, want, got)
		}
	}
}
