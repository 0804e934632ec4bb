package httpapi

import (
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
)

// schemas builds the JSON schemas of wire types, from the same tags that the
// decoders check. Named structs become components of the document.
type schemas struct {
	components map[string]*huma.Schema
	types      map[string]reflect.Type
}

const componentPrefix = "#/components/schemas/"

func newSchemas() *schemas {
	return &schemas{components: map[string]*huma.Schema{}, types: map[string]reflect.Type{}}
}

// of returns the schema of a type under its field's constraints.
func (s *schemas) of(t reflect.Type, c constraints) *huma.Schema {
	schema := s.shape(t, c)
	if c.doc != "" {
		schema.Description = c.doc
	}
	if c.example != "" {
		schema.Examples = []any{c.example}
	}
	return schema
}

func (s *schemas) shape(t reflect.Type, c constraints) *huma.Schema {
	if elem, ok := optionalElem(t); ok {
		return nullable(s.shape(elem, c), !c.required)
	}
	if t.Kind() == reflect.Pointer {
		return nullable(s.shape(t.Elem(), c), true)
	}
	if schema := valueSchema(t, c); schema != nil {
		return schema
	}
	switch t.Kind() {
	case reflect.String:
		return textSchema(c)
	case reflect.Bool:
		return &huma.Schema{Type: huma.TypeBoolean}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: bound(c.minimum), Maximum: bound(c.maximum)}
	case reflect.Slice:
		return &huma.Schema{
			Type: huma.TypeArray, Items: s.of(t.Elem(), c.element()), UniqueItems: c.unique,
			MinItems: positive(c.minItems), MaxItems: positive(c.maxItems),
		}
	case reflect.Map:
		return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: s.of(t.Elem(), c.element()), MaxProperties: positive(c.maxItems)}
	case reflect.Struct:
		return s.ref(t)
	case reflect.Interface:
		return &huma.Schema{}
	}
	panic("httpapi: no schema for " + t.String())
}

// ref registers a struct as a component and refers to it.
func (s *schemas) ref(t reflect.Type) *huma.Schema {
	name := componentName(t)
	if known, ok := s.types[name]; ok && known != t {
		panic("httpapi: two types are named " + name + " in the document: " + known.String() + ", " + t.String())
	}
	if _, ok := s.components[name]; !ok {
		s.types[name] = t
		s.components[name] = &huma.Schema{} // a type may contain itself
		*s.components[name] = *s.object(t)
	}
	return &huma.Schema{Ref: componentPrefix + name}
}

func (s *schemas) object(t reflect.Type) *huma.Schema {
	o := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: false}
	for _, sf := range reflect.VisibleFields(t) {
		name := jsonName(sf)
		if name == "" {
			continue
		}
		c := constraintsOf(sf.Tag)
		o.Properties[name] = nullable(s.of(sf.Type, c), isInput(t) && !c.required && takesNull(sf.Type))
		if s.requires(t, sf, c) {
			o.Required = append(o.Required, name)
		}
	}
	return o
}

// requires reports whether a member is always there: in a request where its tag
// says so, in a response unless it may be omitted.
func (s *schemas) requires(t reflect.Type, sf reflect.StructField, c constraints) bool {
	if _, patch := optionalElem(sf.Type); patch {
		return false
	}
	if isInput(t) {
		return c.required
	}
	return !strings.Contains(sf.Tag.Get("json"), ",omit")
}

// isInput tells wire types of requests, by their names.
func isInput(t reflect.Type) bool {
	name := t.Name()
	for _, suffix := range []string{"Input", "Patch"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// componentName is a type's name in the document: clientResponse is Client,
// Page[clientResponse] is ClientPage, createClientInput is CreateClientInput.
func componentName(t reflect.Type) string {
	name := t.Name()
	if inner, ok := strings.CutPrefix(name, "Page["); ok {
		inner = strings.TrimSuffix(inner, "]")
		if i := strings.LastIndexByte(inner, '.'); i >= 0 {
			inner = inner[i+1:]
		}
		return exported(strings.TrimSuffix(inner, "Response")) + "Page"
	}
	return exported(strings.TrimSuffix(strings.TrimSuffix(name, "Response"), "Body"))
}

func exported(name string) string {
	r := []rune(name)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

// valueSchema is the schema of a value type; nil for any other.
func valueSchema(t reflect.Type, c constraints) *huma.Schema {
	text := func(format, doc string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Format: format, Description: doc}
	}
	switch t {
	case reflect.TypeFor[uuid.UUID]():
		return text("uuid", "")
	case reflect.TypeFor[civil.Date]():
		return text("date", "")
	case reflect.TypeFor[time.Time]():
		return text("date-time", "")
	case reflect.TypeFor[money.Cents]():
		return centsSchema(c)
	case reflect.TypeFor[money.Quantity]():
		return decimalSchema("Decimal maior que zero, com até 4 casas.")
	case reflect.TypeFor[money.Percent]():
		return decimalSchema("Percentual de 0 a 100, com até 2 casas.")
	case reflect.TypeFor[meta.Map]():
		return metadataSchema(false)
	case reflect.TypeFor[meta.Patch]():
		return metadataSchema(true)
	}
	return nil
}

func centsSchema(c constraints) *huma.Schema {
	lowest, highest := 0.0, float64(money.Max)
	if c.minimum != nil {
		lowest = float64(*c.minimum)
	}
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &lowest, Maximum: &highest, Description: "Centavos de real."}
}

func decimalSchema(doc string) *huma.Schema {
	return &huma.Schema{
		OneOf: []*huma.Schema{{Type: huma.TypeString, Pattern: `^[0-9]+(\.[0-9]+)?$`}, {Type: huma.TypeNumber}}, Description: doc,
	}
}

func metadataSchema(patch bool) *huma.Schema {
	length, pairs := meta.MaxValueLength, meta.MaxPairs
	return &huma.Schema{
		Type: huma.TypeObject, MaxProperties: &pairs,
		AdditionalProperties: &huma.Schema{Type: huma.TypeString, MaxLength: &length, Nullable: patch},
		Description:          "Pares do integrador: até 50, nomes de até 40 caracteres, valores de até 500.",
	}
}

func textSchema(c constraints) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, MinLength: positive(c.minLength), MaxLength: positive(c.maxLength)}
	for _, v := range c.enum {
		s.Enum = append(s.Enum, v)
	}
	if c.format.name != "" {
		s.Description = c.format.doc
		s.Examples = []any{c.format.example}
		if c.format.name == "email" {
			s.Format = "email"
		}
	}
	return s
}

// nullable lets a schema be null. A reference cannot say so itself.
func nullable(s *huma.Schema, yes bool) *huma.Schema {
	if !yes {
		return s
	}
	if s.Ref != "" || s.OneOf != nil {
		return &huma.Schema{AnyOf: []*huma.Schema{s, {Type: "null"}}, Description: s.Description}
	}
	s.Nullable = true
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

func positive(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func bound(n *int64) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}
