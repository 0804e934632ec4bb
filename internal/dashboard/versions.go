package dashboard

import "strconv"

// change is one thing that a version says otherwise than the one before it. One
// of them is "" where a line came or went.
type change struct{ what, before, after string }

// changesOf tells two versions of a sale apart.
func (v *visit) changesOf(before, after object) []change {
	var all []change
	for _, a := range []attribute{
		clientName(), instant("Vendida em", "sold_at"),
		{label: "Desconto no total", value: func(_ *visit, o object) string { return discountText(o) }},
		cents("Frete", "shipping_cents"), cents("Total", "total_cents"),
		{label: "Pagamento combinado", value: func(_ *visit, o object) string { return planText(o) }},
		named("Conta", "account_id", accountSource()), named("Categoria", "category_id", financialCategorySource("")),
	} {
		if was, is := a.value(v, before), a.value(v, after); was != is {
			all = append(all, change{a.label, was, is})
		}
	}
	return append(changesOfLines(before.all("items"), after.all("items")), all...)
}

// planText is a payment plan with all that can change in it.
func planText(o object) string {
	text := planWords(o)
	if ownParts(o) {
		for _, p := range heldParts(o) {
			text += " · " + brazilianDate(p.text("due_date")) + ", " + reais(p.text("amount_cents")) + methodWords(p.text("method"))
		}
	}
	return text
}

// changesOfLines tells lines apart that are of the same item, in their order;
// the others came or went.
func changesOfLines(before, after []object) []change {
	var all []change
	left := map[string][]object{}
	for _, line := range before {
		left[lineKey(line)] = append(left[lineKey(line)], line)
	}
	for _, line := range after {
		same := left[lineKey(line)]
		if len(same) == 0 {
			all = append(all, change{"Entrou: " + line.text("description"), "", lineText(line)})
			continue
		}
		left[lineKey(line)] = same[1:]
		if was, is := lineText(same[0]), lineText(line); was != is {
			all = append(all, change{line.text("description"), was, is})
		}
	}
	for _, line := range before {
		if gone := left[lineKey(line)]; len(gone) > 0 {
			left[lineKey(line)] = gone[1:]
			all = append(all, change{"Saiu: " + gone[0].text("description"), lineText(gone[0]), ""})
		}
	}
	return all
}

// lineKey is what a line is of: an item of the catalogue by its description, or
// a line of its own.
func lineKey(line object) string { return lineItem(line) + "|" + line.text("description") }

func lineText(line object) string {
	return joined(", ", decimal(line.text("quantity"))+" × "+reais(line.text("unit_price_cents")), lineDiscount(line)) + " = " + reais(line.text("total_cents"))
}

func versionBefore(version object) string {
	n, _ := strconv.Atoi(version.text("number"))
	return strconv.Itoa(n - 1)
}
