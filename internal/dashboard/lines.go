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
	emptyRows = 3         // how many rows wait to be filled
	maxRows   = 500       // as many as a document has lines
	rowsField = "_linhas" // how many rows the form had
	moreField = "_mais"   // asks for more rows
	maxVaried = 10        // products whose variations a search shows: each takes a call
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

// itemsSource is where the rows of a document search what they are of.
const itemsSource = "itens"

// catalogue is what the row's select offers before a search: what the form's
// rows have already, then some products and services.
func (v *visit) catalogue(lines []object) ([]choice, error) {
	found, err := v.findItems("")
	if err != nil {
		return nil, err
	}
	choices, offered := []choice{{"", "Avulso"}}, map[string]bool{"": true}
	add := func(value, text string) {
		if !offered[value] {
			offered[value] = true
			choices = append(choices, choice{value, text})
		}
	}
	for _, line := range lines {
		add(lineItem(line), line.text("description"))
	}
	for _, o := range found {
		add(o.Value, o.Text)
	}
	for _, r := range v.rows(nil) {
		if item := v.cell(r, "item"); v.form != nil && !offered[item] {
			add(item, orElse(v.itemName(item), "(o escolhido)"))
		}
	}
	return choices, nil
}

// findItems lists products, by their variations where they have such, and services.
func (v *visit) findItems(q string) ([]option, error) {
	products, err := v.findProducts(q)
	if err != nil {
		return nil, err
	}
	services, err := v.find(serviceSource(), q)
	if err != nil {
		return nil, err
	}
	for _, s := range services {
		products = append(products, option{kindService + ":" + s.Value, s.Text, joined(" · ", "serviço", s.Hint)})
	}
	return products, nil
}

func (v *visit) findProducts(q string) ([]option, error) {
	if !v.who.may("products:read") {
		return nil, nil
	}
	query := activeByName()
	query.Set("limit", "20")
	if q = strings.TrimSpace(q); q != "" {
		query.Set("q", q)
	}
	found, err := get[list[object]](v, "listProducts", nil, query)
	if err != nil {
		return nil, err
	}
	var options []option
	varied := 0
	for _, o := range found.Data {
		if len(o.all("attributes")) == 0 || varied == maxVaried {
			options = append(options, option{kindProduct + ":" + o.id(), o.text("name"), joined(" · ", o.text("sku"), reais(o.text("price_cents")))})
			continue
		}
		varied++
		variations, err := v.findVariations(o)
		if err != nil {
			return nil, err
		}
		options = append(options, variations...)
	}
	return options, nil
}

// findVariations lists the variations of a product, by one of which it is sold;
// the product itself where it has none yet.
func (v *visit) findVariations(product object) ([]option, error) {
	found, err := get[list[object]](v, "listProductVariations", []string{product.id()}, url.Values{"limit": {maxChoices}, "status": {"active"}})
	if err != nil {
		return nil, err
	}
	if len(found.Data) == 0 {
		return []option{{kindProduct + ":" + product.id(), product.text("name"), reais(product.text("price_cents"))}}, nil
	}
	var options []option
	for _, variation := range found.Data {
		options = append(options, option{
			kindProduct + ":" + product.id() + ":" + variation.id(), variationName(product, variation),
			joined(" · ", variation.text("sku"), reais(orElse(variation.text("price_cents"), product.text("price_cents")))),
		})
	}
	return options, nil
}

func variationName(product, variation object) string {
	return product.text("name") + " — " + optionsText(product, variation)
}

// itemName is what a row's item is called, "" where it cannot be seen.
func (v *visit) itemName(item string) string {
	kind, id, _ := strings.Cut(item, ":")
	switch kind {
	case kindService:
		return v.nameOf(serviceSource(), id)
	case kindProduct:
		product, variation, varied := strings.Cut(id, ":")
		p, err := get[object](v, "getProduct", []string{product}, nil)
		if err != nil || !varied {
			return p.text("name")
		}
		o, err := get[object](v, "getProductVariation", []string{product, variation}, nil)
		if err != nil {
			return p.text("name")
		}
		return variationName(p, o)
	}
	return ""
}

// optionsText names a variation by its options, in the order of the product's attributes.
func optionsText(product, variation object) string {
	var parts []string
	for _, a := range product.all("attributes") {
		chosen, _ := variation.inner("options")[a.text("name")].(string)
		parts = append(parts, chosen)
	}
	return joined(", ", parts...)
}
