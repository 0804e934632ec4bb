package httpapi

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fatureihoje/internal/brdoc"
	"fatureihoje/internal/text"
)

// constraints are what a field's tags ask of its value. They are read once, and
// both the check and the document come from them, so that what the document
// says is what is checked.
//
// The tags: required, minLength, maxLength (characters), minimum, maximum,
// minItems, maxItems, unique, enum (comma-separated), format (one of
// textFormats), doc, example, default.
type constraints struct {
	required             bool
	minLength, maxLength int // maxLength 0: none
	minimum, maximum     *int64
	minItems, maxItems   int // maxItems 0: none
	unique               bool
	enum                 []string
	format               textFormat
	doc, example         string
	defaultText          string
}

func constraintsOf(tag reflect.StructTag) constraints {
	c := constraints{
		required: tag.Get("required") == "true", unique: tag.Get("unique") == "true",
		minLength: intTag(tag, "minLength"), maxLength: intTag(tag, "maxLength"),
		minItems: intTag(tag, "minItems"), maxItems: intTag(tag, "maxItems"),
		minimum: boundTag(tag, "minimum"), maximum: boundTag(tag, "maximum"),
		doc: tag.Get("doc"), example: tag.Get("example"), defaultText: tag.Get("default"),
	}
	if enum := tag.Get("enum"); enum != "" {
		c.enum = strings.Split(enum, ",")
	}
	if name := tag.Get("format"); name != "" {
		i := slices.IndexFunc(textFormats(), func(f textFormat) bool { return f.name == name })
		if i < 0 {
			panic("httpapi: unknown format " + name)
		}
		c.format = textFormats()[i]
		if c.maxLength == 0 {
			c.maxLength = c.format.maxLength
		}
	}
	return c
}

// element returns the constraints of an array's items.
func (c constraints) element() constraints {
	return constraints{minLength: c.minLength, maxLength: c.maxLength, enum: c.enum, format: c.format, minimum: c.minimum, maximum: c.maximum}
}

func intTag(tag reflect.StructTag, name string) int {
	if b := boundTag(tag, name); b != nil {
		return int(*b)
	}
	return 0
}

func boundTag(tag reflect.StructTag, name string) *int64 {
	raw, ok := tag.Lookup(name)
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		panic("httpapi: tag " + name + " is not a number: " + raw)
	}
	return &n
}

// textFormat is a text with a normal form: what is stored and returned is what
// parse gives.
type textFormat struct {
	name      string
	parse     func(string) (string, error)
	maxLength int // of what may be sent
	example   string
	doc       string
}

func textFormats() []textFormat {
	return []textFormat{
		{"cpf-cnpj", parseDocument, 24, "12ABC34501DE35", "CPF ou CNPJ (inclusive alfanumérico); a pontuação é opcional e não é guardada."},
		{"cep", brdoc.ParsePostalCode, 12, "01310100", "CEP, 8 dígitos."},
		{"uf", parseState, 2, "SP", "Sigla da unidade federativa."},
		{"phone", brdoc.ParsePhone, 32, "+5511912345678", "Telefone; um número nacional com DDD é lido como brasileiro. Devolvido em E.164."},
		{"email", parseEmail, 254, "ana@example.com", "Endereço de e-mail."},
		{"state-registration", brdoc.ParseStateRegistration, 24, "110042490114", "Inscrição estadual, ou ISENTO."},
		{"gtin", brdoc.ParseGTIN, 20, "7891000315507", "GTIN (código de barras), com dígito verificador."},
		{"ncm", brdoc.ParseNCM, 12, "84713012", "NCM, 8 dígitos."},
		{"city-code", parseCityCode, 7, "3550308", "Código IBGE do município, 7 dígitos."},
	}
}

func parseDocument(s string) (string, error) {
	d, err := brdoc.ParseDocument(s)
	return string(d), err
}

func parseEmail(s string) (string, error) { return s, text.ValidEmail(s) }

func parseState(s string) (string, error) {
	state, err := brdoc.ParseState(s)
	return string(state), err
}

func parseCityCode(s string) (string, error) {
	if len(s) != 7 || strings.Trim(s, "0123456789") != "" {
		return "", fieldCode("city_code")
	}
	return s, nil
}

// fieldCode is an error that is only its code.
type fieldCode string

func (c fieldCode) Code() string  { return string(c) }
func (c fieldCode) Error() string { return string(c) }
