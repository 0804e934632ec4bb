package dashboard

import (
	"errors"
	"strings"
)

var errNumber = errors.New("Informe um número, como 2 ou 1,5.") //nolint:revive,staticcheck // a person reads it

// plainNumber takes apart a number as a person of Brazil writes it: 1.234,56 is
// 1234 and 56. A lone dot that cannot be one between thousands stands before
// the fraction too, as in 1234.56.
func plainNumber(text string) (whole, fraction string, err error) {
	whole, fraction, split := strings.Cut(text, ",")
	if !split && strings.Count(text, ".") == 1 {
		before, after, _ := strings.Cut(text, ".")
		if len(after) != 3 || strings.HasPrefix(before, "0") || len(before) > 3 {
			whole, fraction, split = before, after, true
		}
	}
	groups := strings.Split(whole, ".")
	for i, g := range groups {
		if g == "" || !digits(g) || i > 0 && len(g) != 3 || i == 0 && len(groups) > 1 && len(g) > 3 {
			return "", "", errNumber
		}
	}
	if !digits(fraction) || split && fraction == "" {
		return "", "", errNumber
	}
	return strings.Join(groups, ""), fraction, nil
}

func digits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}

// parseDecimal reads a number for a member that takes decimals, such as a quantity.
func parseDecimal(text string) (string, error) {
	whole, fraction, err := plainNumber(strings.TrimSpace(text))
	if err != nil || fraction == "" {
		return whole, err
	}
	return whole + "." + fraction, nil
}

// parseDiscount reads an amount in reais, or a percentage where the text ends
// in %, and names the member of the body that it is for.
func parseDiscount(text string) (member string, value any, err error) {
	text = strings.TrimSpace(text)
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		value, err = parseDecimal(percent)
		return "discount_percent", value, err
	}
	value, err = parseReais(text)
	return "discount_cents", value, err
}

// discountText writes the discount of a line or of a document as parseDiscount reads it.
func discountText(o object) string {
	if percent := o.text("discount_percent"); percent != "" {
		return decimal(percent) + "%"
	}
	if amount := o.text("discount_cents"); amount != "" {
		return reaisOnly(amount)
	}
	return ""
}
