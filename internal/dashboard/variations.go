package dashboard

import (
	"errors"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"fatureihoje/internal/problem"
)

func variationPages() resource {
	return resource{
		path: "/produtos/{de}/variacoes", api: "variations", owner: "Produto", icon: "package", title: "Variações", one: "variação", make: "Nova variação",
		emptyText: "Crie uma para cada combinação que você vende. Com a primeira, o produto passa a ser vendido por elas.",
		read:      "products:read", write: "products:write",
		list: "listProductVariations", get: "getProductVariation", create: "createProductVariation", update: "updateProductVariation",
		history: "listProductVariationHistory", called: optionsOf,
		columns: []attribute{
			{label: "Variação", value: func(_ *visit, o object) string { return optionsOf(o) }},
			skuColumn(),
			{label: "Preço", value: func(_ *visit, o object) string { return variationPrice(o) }},
			{label: "Situação", state: activeState},
		},
		facts:   []attribute{named("Produto", "product_id", productSource()), cents("Custo", "cost_cents"), plain("GTIN", "gtin"), plain("Id externo", "external_id"), instant("Criada em", "created_at")},
		grow:    variationFields,
		actions: catalogActions("archiveProductVariation", "unarchiveProductVariation", "deleteProductVariation"),
	}
}

func productSource() source {
	return source{name: "produtos", list: "listProducts", get: "getProduct", permission: "products:read", path: "/produtos", offered: activeByName(), search: true}
}

// optionsOf names a variation by its options where the product's own order of
// attributes is not at hand.
func optionsOf(variation object) string {
	var parts []string
	for attribute, value := range variation.inner("options") {
		if text, ok := value.(string); ok {
			parts = append(parts, attribute+": "+text)
		}
	}
	slices.Sort(parts)
	return joined(" · ", parts...)
}

func variationPrice(variation object) string {
	price := reais(variation.text("effective_price_cents"))
	if variation["price_cents"] == nil {
		return price + ", o do produto"
	}
	return price
}

// variationsSection shows the variations of a product that has attributes.
func variationsSection(v *visit, res resource, o object) (templ.Component, error) {
	if len(o.all("attributes")) == 0 {
		return nil, nil //nolint:nilnil // nothing to see
	}
	return children(variationPages)(v, res, o)
}

// variationFields are a select for each attribute of the product, and the
// fields of every variation.
func variationFields(v *visit, res resource, _ object) ([]formField, error) {
	product, err := get[object](v, "getProduct", []string{res.parentID}, nil)
	if err != nil {
		return nil, err
	}
	var fields []formField
	for n, a := range product.all("attributes") {
		fields = append(fields, optionField(n, a))
	}
	return append(fields,
		text("sku", "SKU").hinted("O seu código desta variação.").upTo("60"), gtinField(),
		money("price_cents", "Preço").hinted("Vazio: o do produto, "+reais(product.text("price_cents"))+"."),
		money("cost_cents", "Custo"), externalID()), nil
}

// optionField chooses one value of an attribute, whose name may hold anything.
func optionField(n int, attribute object) formField {
	name := attribute.text("name")
	values, _ := attribute["values"].([]any)
	choices := []choice{{"", "–"}}
	for _, value := range values {
		if text, ok := value.(string); ok {
			choices = append(choices, choice{text, text})
		}
	}
	return formField{
		input:   input{name: "opcao-" + statusText(n), pointer: problem.Join("/options", name), label: name, required: true},
		choices: choices, into: []string{"options", name},
		show: func(_ *visit, o object) string {
			text, _ := o.inner("options")[name].(string)
			return text
		},
	}
}

// attributesField holds the attributes of a product, one a line.
func attributesField() formField {
	return formField{
		input: input{
			name: "attributes", label: "Atributos", area: true, placeholder: "Cor: Azul, Verde",
			hint: "No que as variações deste produto diferem: até três, um por linha, como “Tamanho: P, M, G”. Sem atributos, o produto é um só.",
		},
		show: func(_ *visit, o object) string { return attributeLines(o, "\n") },
		as:   func(v *visit, text string) (any, error) { return readAttributes(v.record, text) },
	}
}

var errAttributes = errors.New("Escreva um atributo por linha, como “Cor: Azul, Verde”.") //nolint:revive,staticcheck // a person reads it

// attributeLines writes the attributes of a product as readAttributes reads them.
func attributeLines(product object, separator string) string {
	var lines []string
	for _, a := range product.all("attributes") {
		var values []string
		for _, value := range a["values"].([]any) {
			text, _ := value.(string)
			values = append(values, text)
		}
		lines = append(lines, a.text("name")+": "+joinValues(values))
	}
	return strings.Join(lines, separator)
}

// joinValues separates values by commas; by semicolons where one holds a comma, as in 1,5 L.
func joinValues(values []string) string {
	if !strings.Contains(strings.Join(values, ""), ",") {
		return strings.Join(values, ", ")
	}
	return strings.Join(values, "; ") + ";"
}

// readAttributes reads what was typed. What a product had and nobody touched
// stays as it is, also where no line can say it.
func readAttributes(product object, text string) (any, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if product != nil && text == attributeLines(product, "\n") {
		return product["attributes"], nil
	}
	attributes := []M{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, list, found := strings.Cut(line, ":")
		values := splitValues(list)
		if !found || len(values) == 0 {
			return nil, errAttributes
		}
		attributes = append(attributes, M{"name": strings.TrimSpace(name), "values": values})
	}
	return attributes, nil
}

func splitValues(list string) []string {
	separator := ","
	if strings.Contains(list, ";") {
		separator = ";"
	}
	var values []string
	for value := range strings.SplitSeq(list, separator) {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}
