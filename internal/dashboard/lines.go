package dashboard

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fatureihoje/internal/problem"
)

// The kinds of line in the API.
const (
	kindProduct = "product"
	kindService = "service"
	kindCustom  = "custom"
)

const (
	emptyRows    = 3         // how many rows wait to be filled
	maxRows      = 500       // as many as a document has lines
	rowsField    = "_linhas" // how many rows the form had
	moreField    = "_mais"   // asks for more rows
	maxCatalogue = "100"     // products, and services, that a row offers
	maxVaried    = 30        // products whose variations are offered: each takes a call
)

// row is a line of a document's form. Its fields are named items-N-field.
type row struct {
	n    int
	line object // what it held before; nil for a new one
}

func (r row) name(field string) string { return "items-" + strconv.Itoa(r.n) + "-" + field }

// rows are those that the form shows: of what was typed, or else of the record.
func (v *visit) rows(o object) []row {
	lines := o.all("items")
	count := len(lines) + emptyRows
	if v.form != nil {
		count, _ = strconv.Atoi(v.form.Get(rowsField))
		if v.form.Get(moreField) != "" {
			count += emptyRows
		}
	}
	rows := make([]row, min(max(count, emptyRows), maxRows))
	for i := range rows {
		rows[i].n = i
		if i < len(lines) && v.form == nil {
			rows[i].line = lines[i]
		}
	}
	return rows
}

// value is what a field of the row begins with.
func (r row) value(field string) string {
	if r.line == nil {
		return ""
	}
	switch field {
	case "item":
		return lineItem(r.line)
	case "description":
		return r.line.text("description")
	case "quantity":
		return decimal(r.line.text("quantity"))
	case "price":
		return reaisOnly(r.line.text("unit_price_cents"))
	case "discount":
		return discountText(r.line)
	case "was":
		return strings.Join([]string{r.value("item"), r.value("price"), r.value("description")}, wasSeparator)
	}
	return ""
}

// wasSeparator joins what a row's item, price and description were.
const wasSeparator = "|"

// lineItem is what a line takes from the catalogue, as a row's select names it;
// "" for a line of its own.
func lineItem(line object) string {
	switch line.text("kind") {
	case kindProduct:
		return strings.TrimSuffix(kindProduct+":"+line.text("product_id")+":"+line.text("variation_id"), ":")
	case kindService:
		return kindService + ":" + line.text("service_id")
	}
	return ""
}

// filled reports that a row holds something and is to stay.
func (v *visit) filled(r row) bool {
	for _, field := range []string{"item", "description", "quantity", "price", "discount"} {
		if v.cell(r, field) != "" {
			return v.form == nil || v.form.Get(r.name("remove")) == ""
		}
	}
	return false
}

// cell is what a field of a row holds.
func (v *visit) cell(r row, field string) string {
	return strings.TrimSpace(v.typed(r.name(field), r.value(field)))
}

// lines reads the rows that are filled, and says which rows they are.
func (v *visit) lines(f *problem.Fields) (items []M, from []row) {
	items = []M{}
	for _, r := range v.rows(nil) {
		if v.filled(r) {
			items, from = append(items, v.line(r, f)), append(from, r)
		}
	}
	return items, from
}

// line is a row as the API takes it.
func (v *visit) line(r row, f *problem.Fields) M {
	item := v.cell(r, "item")
	line := M{"kind": kindCustom, "quantity": "1"}
	kind, id, _ := strings.Cut(item, ":")
	switch kind {
	case kindProduct:
		line["kind"] = kind
		product, variation, varied := strings.Cut(id, ":")
		line["product_id"] = product
		if varied {
			line["variation_id"] = variation
		}
	case kindService:
		line["kind"], line["service_id"] = kind, id
	}
	description, price := v.cell(r, "description"), v.cell(r, "price")
	if was := strings.SplitN(v.cell(r, "was"), wasSeparator, 3); item != "" && len(was) == 3 && was[0] != item {
		// Another item was chosen: it does not take over what the catalogue said of the one before.
		if price == was[1] {
			price = ""
		}
		if description == was[2] {
			description = ""
		}
	}
	if description != "" {
		line["description"] = description
	}
	read := func(field, text string, parse func(string) (string, any, error)) {
		if text == "" {
			return
		}
		member, value, err := parse(text)
		if err != nil {
			f.Add("/"+r.name(field), "format", problem.T(err.Error(), err.Error()))
			return
		}
		line[member] = value
	}
	read("quantity", v.cell(r, "quantity"), func(text string) (string, any, error) {
		value, err := parseDecimal(text)
		return "quantity", value, err
	})
	read("price", price, func(text string) (string, any, error) {
		value, err := parseReais(text)
		return "unit_price_cents", value, err
	})
	read("discount", v.cell(r, "discount"), parseDiscount)
	return line
}

var itemPointer = regexp.MustCompile(`^/items/(\d+)(?:/(\w+))?`)

// placed puts the API's errors beside the fields of the form that they are of.
func placed(err error, from []row) error {
	p := problem.As(err)
	if len(p.Fields) == 0 {
		return err
	}
	moved := *p
	moved.Fields = slices.Clone(p.Fields)
	for i, field := range moved.Fields {
		moved.Fields[i].Pointer = formPointer(field.Pointer, from)
	}
	return &moved
}

func formPointer(pointer string, from []row) string {
	if at := itemPointer.FindStringSubmatch(pointer); at != nil {
		n, err := strconv.Atoi(at[1])
		if err != nil || n >= len(from) {
			return "/items"
		}
		return "/" + from[n].name(rowField(at[2]))
	}
	switch pointer {
	case "/discount_cents", "/discount_percent":
		return "/discount"
	case "/payment_plan/first_due_date", "/payment_plan/method":
		return strings.Replace(pointer, "payment_plan/", "plan_", 1)
	}
	if strings.HasPrefix(pointer, "/payment_plan") {
		return "/plan_count"
	}
	return pointer
}

// rowField is the field of a row that fills a member of a line.
func rowField(member string) string {
	switch member {
	case "description", "quantity":
		return member
	case "unit_price_cents":
		return "price"
	case "discount_cents", "discount_percent":
		return "discount"
	}
	return "item"
}

// choiceGroup is a part of the options of a select.
type choiceGroup struct {
	label   string
	choices []choice
}

// catalogue lists what a row can be of, as far as the person may see it: the
// first active products and services by name, and what the lines have already.
func (v *visit) catalogue(lines []object) ([]choiceGroup, error) {
	products, err := v.productChoices()
	if err != nil {
		return nil, err
	}
	services := []choice{}
	if v.who.may("services:read") {
		found, err := get[list[object]](v, "listServices", nil, byName())
		if err != nil {
			return nil, err
		}
		for _, o := range found.Data {
			services = append(services, choice{kindService + ":" + o.id(), o.text("name")})
		}
	}
	offered := map[string]bool{"": true}
	for _, c := range slices.Concat(products, services) {
		offered[c.value] = true
	}
	current := []choice{}
	for _, line := range lines {
		if item := lineItem(line); !offered[item] {
			offered[item] = true
			current = append(current, choice{item, line.text("description")})
		}
	}
	groups := []choiceGroup{{"Já no documento", current}, {"Produtos", products}, {"Serviços", services}}
	return slices.DeleteFunc(groups, func(g choiceGroup) bool { return len(g.choices) == 0 }), nil
}

func byName() url.Values {
	return url.Values{"limit": {maxCatalogue}, "sort": {"name"}, "order": {"asc"}, "status": {"active"}}
}

func (v *visit) productChoices() ([]choice, error) {
	if !v.who.may("products:read") {
		return nil, nil
	}
	found, err := get[list[object]](v, "listProducts", nil, byName())
	if err != nil {
		return nil, err
	}
	var choices []choice
	varied := 0
	for _, o := range found.Data {
		var variations []choice
		if varied < maxVaried && len(o.all("attributes")) > 0 {
			varied++
			if variations, err = v.variationChoices(o); err != nil {
				return nil, err
			}
		}
		if len(variations) == 0 {
			variations = []choice{{kindProduct + ":" + o.id(), o.text("name")}}
		}
		choices = append(choices, variations...)
	}
	return choices, nil
}

// variationChoices lists the variations of a product, by one of which it is sold.
func (v *visit) variationChoices(product object) ([]choice, error) {
	found, err := get[list[object]](v, "listProductVariations", []string{product.id()}, url.Values{"limit": {maxCatalogue}, "status": {"active"}})
	if err != nil {
		return nil, err
	}
	var choices []choice
	for _, variation := range found.Data {
		choices = append(choices, choice{kindProduct + ":" + product.id() + ":" + variation.id(), product.text("name") + " — " + optionsText(product, variation)})
	}
	return choices, nil
}

// optionsText names a variation by its options, in the order of the product's attributes.
func optionsText(product, variation object) string {
	var parts []string
	for _, a := range product.all("attributes") {
		parts = append(parts, variation.text("options."+a.text("name")))
	}
	return joined(", ", parts...)
}
