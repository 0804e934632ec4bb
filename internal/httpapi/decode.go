package httpapi

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/id"
	"fatureihoje/internal/jsonval"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/text"
)

// decoder reads v, which is not null, into dst, and reports what is wrong at pointer.
type decoder func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value)

// validator is a wire type with rules that span its members, or that its tags
// cannot say. It is asked also where single members are already in error, so
// that all errors come at once.
type validator interface {
	Validate(pointer string, f *problem.Fields)
}

// optional is an opt.Field of any type.
type optional interface {
	SetNull()
	Slot() any // marks the field as given and returns a pointer to its value
}

// decoderOf compiles the decoder of a type under the constraints of its field.
func decoderOf(t reflect.Type, c constraints) decoder {
	switch t {
	case reflect.TypeFor[uuid.UUID]():
		return textDecoder(c, func(s string) (any, error) { return coded(id.Parse(s))("uuid") })
	case reflect.TypeFor[civil.Date]():
		return textDecoder(c, func(s string) (any, error) { return coded(civil.Parse(s))("date") })
	case reflect.TypeFor[time.Time]():
		return textDecoder(c, func(s string) (any, error) { return coded(parseInstant(s))("instant") })
	case reflect.TypeFor[money.Cents]():
		return numberDecoder(false, func(s string) (any, error) { return money.ParseCents(s) }, c)
	case reflect.TypeFor[money.Quantity]():
		return numberDecoder(true, func(s string) (any, error) { return money.ParseQuantity(s) }, c)
	case reflect.TypeFor[money.Percent]():
		return numberDecoder(true, func(s string) (any, error) { return money.ParsePercent(s) }, c)
	case reflect.TypeFor[meta.Map]():
		return decodeMetadata
	case reflect.TypeFor[meta.Patch]():
		return decodeMetadataPatch
	}
	return decoderOfKind(t, c)
}

func decoderOfKind(t reflect.Type, c constraints) decoder {
	switch t.Kind() {
	case reflect.String:
		return stringDecoder(c)
	case reflect.Bool:
		return decodeBool
	case reflect.Int, reflect.Int32, reflect.Int64:
		return intDecoder(c)
	case reflect.Slice:
		return arrayDecoder(t, c)
	case reflect.Map:
		return stringMapDecoder(c)
	case reflect.Struct:
		return objectDecoder(t)
	}
	panic("httpapi: no decoder for " + t.String())
}

func coded[T any](v T, err error) func(code string) (any, error) {
	return func(code string) (any, error) {
		if err != nil {
			return nil, fieldCode(code)
		}
		return v, nil
	}
}

// parseInstant reads RFC 3339 with any offset. PostgreSQL keeps microseconds.
func parseInstant(s string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, err
	}
	if y := at.UTC().Year(); y < 1900 || y > 2200 {
		return time.Time{}, fieldCode("instant")
	}
	return at.UTC().Truncate(time.Microsecond), nil
}

func textDecoder(_ constraints, parse func(string) (any, error)) decoder {
	return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
		if v.Kind() != jsonval.KindString {
			wrongType(f, pointer, "um texto", "a text")
			return
		}
		parsed, err := parse(v.Text())
		if err != nil {
			addField(f, problem.FieldOf(pointer, err))
			return
		}
		dst.Set(reflect.ValueOf(parsed))
	}
}

// numberDecoder reads an exact number by its own spelling, from a JSON number
// or, where decimals are meant, from a string too.
func numberDecoder(stringsToo bool, parse func(string) (any, error), c constraints) decoder {
	return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
		var literal string
		switch {
		case v.Kind() == jsonval.KindNumber:
			literal = v.Number().Literal()
		case stringsToo && v.Kind() == jsonval.KindString:
			literal = v.Text()
		default:
			wrongType(f, pointer, "um número", "a number")
			return
		}
		parsed, err := parse(literal)
		if err != nil {
			addField(f, problem.FieldOf(pointer, err))
			return
		}
		if cents, ok := parsed.(money.Cents); ok && !inRange(f, int64(cents), pointer, c) {
			return
		}
		dst.Set(reflect.ValueOf(parsed))
	}
}

func inRange(f *problem.Fields, n int64, pointer string, c constraints) bool {
	if c.minimum != nil && n < *c.minimum {
		f.Add(pointer, "minimum", problem.Tf("O mínimo é %d.", "The minimum is %d.", *c.minimum))
		return false
	}
	if c.maximum != nil && n > *c.maximum {
		f.Add(pointer, "maximum", problem.Tf("O máximo é %d.", "The maximum is %d.", *c.maximum))
		return false
	}
	return true
}

func stringDecoder(c constraints) decoder {
	return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
		if v.Kind() != jsonval.KindString {
			wrongType(f, pointer, "um texto", "a text")
			return
		}
		if s, ok := checkText(f, v.Text(), pointer, c); ok {
			dst.SetString(s)
		}
	}
}

// checkText normalises a text and checks it against its constraints.
func checkText(f *problem.Fields, raw, pointer string, c constraints) (string, bool) {
	s := text.Normalize(raw)
	length := text.Length(s)
	switch {
	case text.HasNUL(s):
		addCode(f, pointer, "control_character")
	case c.minLength > 0 && length == 0:
		addCode(f, pointer, "required")
	case c.minLength > 0 && !text.Visible(s):
		addCode(f, pointer, "invisible")
	case length < c.minLength:
		f.Add(pointer, "too_short", problem.Tf("O mínimo é de %d caracteres.", "The minimum is %d characters.", c.minLength))
	case c.maxLength > 0 && length > c.maxLength:
		f.Add(pointer, "too_long", problem.Tf("O máximo é de %d caracteres.", "The maximum is %d characters.", c.maxLength))
	case c.enum != nil && !slices.Contains(c.enum, s):
		all := strings.Join(c.enum, ", ")
		f.Add(pointer, "enum", problem.Tf("Use um destes valores: %s.", "Use one of these values: %s.", all))
	case c.format.parse != nil:
		return parseText(f, s, pointer, c)
	default:
		return s, true
	}
	return "", false
}

func parseText(f *problem.Fields, s, pointer string, c constraints) (string, bool) {
	parsed, err := c.format.parse(s)
	if err != nil {
		addField(f, problem.FieldOf(pointer, err))
		return "", false
	}
	return parsed, true
}

func decodeBool(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
	if v.Kind() != jsonval.KindBool {
		wrongType(f, pointer, "true ou false", "true or false")
		return
	}
	dst.SetBool(v.Bool())
}

func intDecoder(c constraints) decoder {
	return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
		if v.Kind() != jsonval.KindNumber {
			wrongType(f, pointer, "um número inteiro", "a whole number")
			return
		}
		n, ok := v.Number().Int64()
		if !ok || dst.OverflowInt(n) {
			wrongType(f, pointer, "um número inteiro", "a whole number")
			return
		}
		if inRange(f, n, pointer, c) {
			dst.SetInt(n)
		}
	}
}

func arrayDecoder(t reflect.Type, c constraints) decoder {
	decode := memberDecoder(t.Elem(), c.element())
	return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
		if v.Kind() != jsonval.KindArray {
			wrongType(f, pointer, "uma lista", "a list")
			return
		}
		items := v.Items()
		if c.maxItems > 0 && len(items) > c.maxItems {
			tooManyItems(f, pointer, c.maxItems)
			return
		}
		if len(items) < c.minItems {
			f.Add(pointer, "too_few_items", problem.Tf("O mínimo é de %d itens.", "The minimum is %d items.", c.minItems))
			return
		}
		list := reflect.MakeSlice(t, len(items), len(items))
		for i := range items {
			decode(f, &items[i], problem.At(pointer, i), list.Index(i))
		}
		if c.unique {
			checkUnique(f, list, pointer)
		}
		dst.Set(list)
	}
}

func checkUnique(f *problem.Fields, list reflect.Value, pointer string) {
	seen := map[any]bool{}
	for i := range list.Len() {
		value := list.Index(i).Interface()
		if seen[value] {
			addCode(f, problem.At(pointer, i), "not_unique")
		}
		seen[value] = true
	}
}

func stringMapDecoder(c constraints) decoder {
	return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
		if v.Kind() != jsonval.KindObject {
			wrongType(f, pointer, "um objeto", "an object")
			return
		}
		members := v.Members()
		if c.maxItems > 0 && len(members) > c.maxItems {
			tooManyItems(f, pointer, c.maxItems)
			return
		}
		pairs := reflect.MakeMapWithSize(dst.Type(), len(members))
		for i := range members {
			at := problem.Join(pointer, members[i].Name)
			if members[i].Value.Kind() != jsonval.KindString {
				wrongType(f, at, "um texto", "a text")
				continue
			}
			if s, ok := checkText(f, members[i].Value.Text(), at, c.element()); ok {
				pairs.SetMapIndex(reflect.ValueOf(members[i].Name), reflect.ValueOf(s))
			}
		}
		dst.Set(pairs)
	}
}

// memberDecoder decodes a value that may be null: a pointer or an opt.Field
// takes null, any other type refuses it.
func memberDecoder(t reflect.Type, c constraints) decoder {
	if elem, ok := optionalElem(t); ok {
		inner := decoderOf(elem, c)
		return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
			field := dst.Addr().Interface().(optional)
			if v.Kind() != jsonval.KindNull {
				inner(f, v, pointer, reflect.ValueOf(field.Slot()).Elem())
				return
			}
			if c.required {
				addCode(f, pointer, "null")
				return
			}
			field.SetNull()
		}
	}
	if t.Kind() == reflect.Pointer {
		inner := decoderOf(t.Elem(), c)
		return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
			if v.Kind() == jsonval.KindNull {
				return
			}
			dst.Set(reflect.New(t.Elem()))
			inner(f, v, pointer, dst.Elem())
		}
	}
	inner := decoderOf(t, c)
	return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
		if v.Kind() == jsonval.KindNull {
			if !c.required && takesNull(t) {
				return
			}
			addCode(f, pointer, "null")
			return
		}
		inner(f, v, pointer, dst)
	}
}

// takesNull reports that null means the same as absent: lists and maps, whose
// zero value is "none".
func takesNull(t reflect.Type) bool { return t.Kind() == reflect.Slice || t.Kind() == reflect.Map }

// optionalElem returns the T of an opt.Field[T].
func optionalElem(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct || !reflect.PointerTo(t).Implements(reflect.TypeFor[optional]()) {
		return nil, false
	}
	slot := reflect.New(t).Interface().(optional).Slot()
	return reflect.TypeOf(slot).Elem(), true
}

type objectField struct {
	name     string
	index    []int
	required bool
	decode   decoder
}

// objectDecoder decodes a struct by its json tags; embedded structs lend their
// members.
func objectDecoder(t reflect.Type) decoder {
	fields := objectFields(t)
	byName := make(map[string]*objectField, len(fields))
	for i := range fields {
		byName[fields[i].name] = &fields[i]
	}
	validates := reflect.PointerTo(t).Implements(reflect.TypeFor[validator]())
	return func(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
		if v.Kind() != jsonval.KindObject {
			wrongType(f, pointer, "um objeto", "an object")
			return
		}
		members := v.Members()
		for i := range members {
			at := problem.Join(pointer, members[i].Name)
			field, known := byName[members[i].Name]
			if !known {
				addCode(f, at, "unknown_member")
				continue
			}
			field.decode(f, &members[i].Value, at, dst.FieldByIndex(field.index))
		}
		for i := range fields {
			if _, given := v.Get(fields[i].name); fields[i].required && !given {
				addCode(f, problem.Join(pointer, fields[i].name), "required")
			}
		}
		if validates {
			dst.Addr().Interface().(validator).Validate(pointer, f)
		}
	}
}

func objectFields(t reflect.Type) []objectField {
	var fields []objectField
	for _, sf := range reflect.VisibleFields(t) {
		name := jsonName(sf)
		if name == "" {
			continue
		}
		c := constraintsOf(sf.Tag)
		if _, patch := optionalElem(sf.Type); patch {
			// A PATCH may leave a required member out, but not clear it.
			fields = append(fields, objectField{name, sf.Index, false, memberDecoder(sf.Type, c)})
			continue
		}
		fields = append(fields, objectField{name, sf.Index, c.required, memberDecoder(sf.Type, c)})
	}
	return fields
}

// jsonName returns a field's name on the wire, "" for a field that has none.
func jsonName(sf reflect.StructField) string {
	name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
	if !sf.IsExported() || name == "-" {
		return ""
	}
	return name
}

func decodeMetadata(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
	pairs := meta.Map{}
	eachPair(f, v, pointer, func(name, at string, value *jsonval.Value) {
		if s, ok := metadataValue(f, value, at); ok {
			pairs[name] = s
		}
	})
	dst.Set(reflect.ValueOf(pairs))
}

func decodeMetadataPatch(f *problem.Fields, v *jsonval.Value, pointer string, dst reflect.Value) {
	pairs := meta.Patch{}
	eachPair(f, v, pointer, func(name, at string, value *jsonval.Value) {
		if value.Kind() == jsonval.KindNull {
			pairs[name] = nil
		} else if s, ok := metadataValue(f, value, at); ok {
			pairs[name] = &s
		}
	})
	dst.Set(reflect.ValueOf(pairs))
}

func eachPair(f *problem.Fields, v *jsonval.Value, pointer string, visit func(name, at string, value *jsonval.Value)) {
	if v.Kind() != jsonval.KindObject {
		wrongType(f, pointer, "um objeto de textos", "an object of texts")
		return
	}
	members := v.Members()
	if len(members) > meta.MaxPairs {
		f.Add(pointer, "too_many_items", problem.Tf("O máximo é de %d pares.", "The maximum is %d pairs.", meta.MaxPairs))
		return
	}
	for i := range members {
		at := problem.Join(pointer, members[i].Name)
		name, ok := checkText(f, members[i].Name, at, constraints{minLength: 1, maxLength: meta.MaxNameLength})
		if ok {
			visit(name, at, &members[i].Value)
		}
	}
}

func metadataValue(f *problem.Fields, v *jsonval.Value, at string) (string, bool) {
	if v.Kind() != jsonval.KindString {
		wrongType(f, at, "um texto", "a text")
		return "", false
	}
	return checkText(f, v.Text(), at, constraints{maxLength: meta.MaxValueLength})
}

func tooManyItems(f *problem.Fields, pointer string, limit int) {
	f.Add(pointer, "too_many_items", problem.Tf("O máximo é de %d itens.", "The maximum is %d items.", limit))
}

func wrongType(f *problem.Fields, pointer, pt, en string) {
	f.Add(pointer, "type", problem.T("Informe "+pt+".", "Give "+en+"."))
}

func addCode(f *problem.Fields, pointer, code string) {
	addField(f, problem.FieldOf(pointer, fieldCode(code)))
}

func addField(f *problem.Fields, field problem.Field) { f.Add(field.Pointer, field.Code, field.Detail) }
