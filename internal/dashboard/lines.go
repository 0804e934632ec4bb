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
	moreField = "_mais"   // asks for the form again, with more of what it names
	moreLines = "1"
	moreParts = "parcelas"
	maxVaried = 10 // products whose variations a search shows: each takes a call

	// wholeRows is up to how many rows each offers the whole catalogue before a
	// search. In a longer form only the empty ones do: a page of 500 rows stays small.
	wholeRows = 20
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
	rows := make([]row, v.shown(len(lines), slots{field: rowsField, more: moreLines, spare: emptyRows, most: maxRows}))
	for i := range rows {
		rows[i].n = i
		if i < len(lines) && v.form == nil {
			rows[i].line = lines[i]
		}
	}
	return rows
}

// slots is a part of a form that repeats.
type slots struct {
	field string // how many it had
	more  string // what the button that asks for more of them says
	spare int    // wait to be filled
	most  int
}

// shown is how many a form shows: as many as it had, or else as the record has
// and some to fill; more where its button asks for them.
func (v *visit) shown(have int, s slots) int {
	count := have + s.spare
	if v.form != nil {
		count, _ = strconv.Atoi(v.form.Get(s.field))
		if v.form.Get(moreField) == s.more {
			count += s.spare
		}
	}
	return min(max(count, s.spare), s.most)
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

// placing says which rows of the form the items and the parts of a body are of.
type placing struct {
	rows  []row
	parts []part
}

var (
	itemPointer = regexp.MustCompile(`^/items/(\d+)(?:/(\w+))?`)
	partPointer = regexp.MustCompile(`^/payment_plan/installments/(\d+)(?:/(\w+))?`)
)

// placed puts the API's errors beside the fields of the form that they are of.
func placed(err error, from placing) error {
	p := problem.As(err)
	if len(p.Fields) == 0 {
		return err
	}
	moved := *p
	moved.Fields = slices.Clone(p.Fields)
	for i, field := range moved.Fields {
		moved.Fields[i].Pointer = from.pointer(field.Pointer)
	}
	return &moved
}

func (from placing) pointer(pointer string) string {
	if at := itemPointer.FindStringSubmatch(pointer); at != nil {
		n, err := strconv.Atoi(at[1])
		if err != nil || n >= len(from.rows) {
			return "/items"
		}
		return "/" + from.rows[n].name(rowField(at[2]))
	}
	if at := partPointer.FindStringSubmatch(pointer); at != nil {
		n, err := strconv.Atoi(at[1])
		if err == nil && n < len(from.parts) {
			return "/" + from.parts[n].name(partField(at[2]))
		}
	}
	switch pointer {
	case "/discount_cents", "/discount_percent":
		return "/discount"
	case "/payment_plan/first_due_date", "/payment_plan/method":
		return strings.Replace(pointer, "payment_plan/", "plan_", 1)
	case "/payment_plan/installments":
		return "/parts"
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

// catalogue is what the rows' selects offer before a search: what the form's
// rows have already, then some products and services.
type catalogue struct {
	choices []choice
	fills   map[string]fills // by item, where they are known
}

// of is what the select of a row offers, of as many rows as the form has.
func (c catalogue) of(item string, rows int) []choice {
	if item == "" || rows <= wholeRows {
		return c.choices
	}
	return []choice{c.choices[0], {item, chosen(c.choices, item)}}
}

func (v *visit) catalogue(lines []object) (catalogue, error) {
	found, err := v.findItems("")
	if err != nil {
		return catalogue{}, err
	}
	c := catalogue{choices: []choice{{"", "Avulso"}}, fills: map[string]fills{}}
	offered := map[string]bool{"": true}
	add := func(value, text string) {
		if !offered[value] {
			offered[value] = true
			c.choices = append(c.choices, choice{value, text})
		}
	}
	for _, line := range lines {
		add(lineItem(line), line.text("description"))
	}
	for _, o := range found {
		add(o.Value, o.Text)
		c.fills[o.Value] = *o.Fills
	}
	for _, r := range v.rows(nil) {
		if item := v.cell(r, "item"); v.form != nil && !offered[item] {
			add(item, orElse(v.itemName(item), "(o escolhido)"))
		}
	}
	return c, nil
}

// findItems lists products, by their variations where they have such, and services.
func (v *visit) findItems(q string) ([]option, error) {
	products, err := v.findProducts(q)
	if err != nil {
		return nil, err
	}
	services, err := v.findServices(q)
	return append(products, services...), err
}

// itemOption offers an item of the catalogue: what it is beside its name, and its price.
func itemOption(item, name, beside, price string) option {
	return option{item, name, joined(" · ", beside, reais(price)), &fills{name, reaisOnly(price)}}
}

func (v *visit) findServices(q string) ([]option, error) {
	if !v.who.may("services:read") {
		return nil, nil
	}
	found, err := get[list[object]](v, "listServices", nil, itemQuery(q))
	if err != nil {
		return nil, err
	}
	options := make([]option, len(found.Data))
	for i, o := range found.Data {
		options[i] = itemOption(kindService+":"+o.id(), o.text("name"), "serviço", o.text("price_cents"))
	}
	return options, nil
}

func itemQuery(q string) url.Values {
	query := activeByName()
	query.Set("limit", "20")
	if q = strings.TrimSpace(q); q != "" {
		query.Set("q", q)
	}
	return query
}

func (v *visit) findProducts(q string) ([]option, error) {
	if !v.who.may("products:read") {
		return nil, nil
	}
	found, err := get[list[object]](v, "listProducts", nil, itemQuery(q))
	if err != nil {
		return nil, err
	}
	var options []option
	varied := 0
	for _, o := range found.Data {
		if len(o.all("attributes")) == 0 || varied == maxVaried {
			options = append(options, productOption(o))
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

func productOption(o object) option {
	return itemOption(kindProduct+":"+o.id(), o.text("name"), o.text("sku"), o.text("price_cents"))
}

// findVariations lists the variations of a product, by one of which it is sold;
// the product itself where it has none yet.
func (v *visit) findVariations(product object) ([]option, error) {
	found, err := get[list[object]](v, "listProductVariations", []string{product.id()}, url.Values{"limit": {maxChoices}, "status": {"active"}})
	if err != nil {
		return nil, err
	}
	if len(found.Data) == 0 {
		return []option{productOption(product)}, nil
	}
	var options []option
	for _, variation := range found.Data {
		options = append(options, itemOption(
			kindProduct+":"+product.id()+":"+variation.id(), variationName(product, variation), variation.text("sku"),
			orElse(variation.text("price_cents"), product.text("price_cents")),
		))
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

// lineDiscount is the discount of a line in words, "" for none.
func lineDiscount(line object) string {
	text := discountText(line)
	switch {
	case text == "", text == "0%", text == "0,00":
		return ""
	case strings.HasSuffix(text, "%"):
		return "menos " + text
	}
	return "menos R$ " + text
}
