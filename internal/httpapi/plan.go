package httpapi

import (
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/id"
	"fatureihoje/internal/jsonval"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// plan is how the request type of one route is filled. Its fields:
//
//	ID      uuid.UUID     `path:"id"`       // or int, for a numbered version
//	Status  string        `query:"status"`
//	IfMatch etag.Match                      // the If-Match header
//	Body    createClient  `body:"true"`
//	httpapi.ListParams    `sorts:"created_at,updated_at"`
type plan struct {
	typ     reflect.Type
	path    []pathField
	query   []queryField
	body    []int // index of the Body field; nil: none
	decode  decoder
	ifMatch []int
	page    []int // index of the embedded PageParams; nil: not a list
	sort    []int // index of the Sort field, of a list that has several orders
	sorts   []string
}

type pathField struct {
	name  string
	index []int
}

type queryField struct {
	name   string
	index  []int
	c      constraints
	decode func(f *problem.Fields, raw, pointer string, dst reflect.Value)
}

func compileRequest(t reflect.Type, op Op) *plan {
	p := &plan{typ: t}
	for _, sf := range reflect.VisibleFields(t) {
		switch {
		case sf.Type == reflect.TypeFor[ListParams]():
			p.sorts = strings.Split(sf.Tag.Get("sorts"), ",")
		case sf.Type == reflect.TypeFor[PageParams]():
			p.page = sf.Index
		case sf.Type == reflect.TypeFor[etag.Match]():
			p.ifMatch = sf.Index
		case sf.Tag.Get("path") != "":
			p.path = append(p.path, pathField{sf.Tag.Get("path"), sf.Index})
		case sf.Tag.Get("body") == "true":
			p.body, p.decode = sf.Index, decoderOf(sf.Type, constraints{})
		case sf.Tag.Get("query") != "" && sf.Tag.Get("query") != "-":
			c := constraintsOf(sf.Tag)
			p.query = append(p.query, queryField{sf.Tag.Get("query"), sf.Index, c, queryDecoder(sf.Type, c)})
			if sf.Name == "Sort" {
				p.sort = sf.Index
			}
		}
	}
	if (p.body != nil) != (op.Body != BodyNone) && op.Method != http.MethodPost {
		panic("httpapi: " + op.ID + ": the request's Body and Op.Body disagree")
	}
	if p.decode == nil {
		p.decode = objectDecoder(reflect.TypeFor[struct{}]())
	}
	return p
}

// newRequest returns an empty request with the ids of the path in it. ok is
// false for an id that is malformed: such a path does not exist.
func (p *plan) newRequest(param func(string) string) (req reflect.Value, ok bool) {
	req = reflect.New(p.typ).Elem()
	for _, field := range p.path {
		dst := req.FieldByIndex(field.index)
		switch dst.Type() {
		case reflect.TypeFor[uuid.UUID]():
			u, err := id.Parse(param(field.name))
			if err != nil {
				return req, false
			}
			dst.Set(reflect.ValueOf(u))
		default:
			n, err := strconv.ParseInt(param(field.name), 10, 32)
			if err != nil || n < 1 {
				return req, false
			}
			dst.SetInt(n)
		}
	}
	return req, true
}

// decodeBody reads the body into the request. A nil value is an absent body.
func (p *plan) decodeBody(f *problem.Fields, body *jsonval.Value, req reflect.Value) {
	var dst reflect.Value
	if p.body == nil {
		dst = reflect.New(reflect.TypeFor[struct{}]()).Elem()
	} else {
		dst = req.FieldByIndex(p.body)
	}
	if body.Kind() == jsonval.KindNull {
		addCode(f, "", "null")
		return
	}
	p.decode(f, body, "", dst)
}

// decodeRawQuery reads the text after the question mark. What of it cannot be
// read, such as a semicolon, must not fall away in silence either.
func (p *plan) decodeRawQuery(f *problem.Fields, raw string, req reflect.Value) {
	query, err := url.ParseQuery(raw)
	if err != nil {
		f.Add("?", "query_syntax", problem.T("A query string não pode ser lida.", "The query string cannot be read."))
		return
	}
	p.decodeQuery(f, query, req)
}

// decodeQuery reads the query into the request. A misspelt filter must not
// return everything, so what is not known is refused.
func (p *plan) decodeQuery(f *problem.Fields, query url.Values, req reflect.Value) {
	for name, values := range query {
		pointer := "?" + name
		i := slices.IndexFunc(p.query, func(q queryField) bool { return q.name == name })
		switch {
		case i < 0:
			addCode(f, pointer, "unknown_parameter")
		case len(values) > 1:
			addCode(f, pointer, "repeated")
		default:
			p.query[i].decode(f, values[0], pointer, req.FieldByIndex(p.query[i].index))
		}
	}
	if p.page != nil {
		p.decodePage(f, req)
	}
}

// decodePage turns the parameters of a list into the page that they ask for.
func (p *plan) decodePage(f *problem.Fields, req reflect.Value) {
	params := req.FieldByIndex(p.page).Addr().Interface().(*PageParams)
	params.Page = page.Request{Limit: params.Limit, Sort: "created_at", Desc: params.Order != "asc"}
	if params.Limit == 0 {
		params.Page.Limit = page.DefaultLimit
	}
	if p.sort == nil {
		return
	}
	params.Page.Sort = p.sorts[0]
	if word := req.FieldByIndex(p.sort).String(); word != "" {
		params.Page.Sort = word
	}
	if !slices.Contains(p.sorts, params.Page.Sort) {
		all := strings.Join(p.sorts, ", ")
		f.Add("?sort", "enum", problem.Tf("Use um destes valores: %s.", "Use one of these values: %s.", all))
	}
}

func queryDecoder(t reflect.Type, c constraints) func(*problem.Fields, string, string, reflect.Value) {
	if t.Kind() == reflect.Pointer {
		inner := queryDecoder(t.Elem(), c)
		return func(f *problem.Fields, raw, pointer string, dst reflect.Value) {
			dst.Set(reflect.New(t.Elem()))
			inner(f, raw, pointer, dst.Elem())
		}
	}
	switch t {
	case reflect.TypeFor[uuid.UUID]():
		return queryText(func(s string) (any, error) { return coded(id.Parse(s))("uuid") })
	case reflect.TypeFor[[]uuid.UUID]():
		return queryIDs(c)
	case reflect.TypeFor[Verbatim]():
		return func(_ *problem.Fields, raw, _ string, dst reflect.Value) { dst.SetString(raw) }
	case reflect.TypeFor[civil.Date]():
		return queryText(func(s string) (any, error) { return coded(civil.Parse(s))("date") })
	case reflect.TypeFor[time.Time]():
		// A plus sign that was not escaped arrives as a space.
		return queryText(func(s string) (any, error) { return coded(parseInstant(strings.ReplaceAll(s, " ", "+")))("instant") })
	}
	return queryDecoderOfKind(t, c)
}

// queryIDs reads ids with commas between them. One that is repeated counts once.
func queryIDs(c constraints) func(*problem.Fields, string, string, reflect.Value) {
	return func(f *problem.Fields, raw, pointer string, dst reflect.Value) {
		var ids []uuid.UUID
		for element := range strings.SplitSeq(raw, ",") {
			u, err := id.Parse(element)
			if err != nil {
				addCode(f, pointer, "uuid")
				return
			}
			if slices.Contains(ids, u) {
				continue
			}
			if c.maxItems > 0 && len(ids) == c.maxItems {
				tooManyItems(f, pointer, c.maxItems)
				return
			}
			ids = append(ids, u)
		}
		dst.Set(reflect.ValueOf(ids))
	}
}

// Verbatim is a query parameter that is taken byte for byte, where Unicode forms
// and outer white space make a difference: an idempotency key. It may hold
// anything; the handler judges it.
type Verbatim string

func queryText(parse func(string) (any, error)) func(*problem.Fields, string, string, reflect.Value) {
	return func(f *problem.Fields, raw, pointer string, dst reflect.Value) {
		parsed, err := parse(raw)
		if err != nil {
			addField(f, problem.FieldOf(pointer, err))
			return
		}
		dst.Set(reflect.ValueOf(parsed))
	}
}

func queryDecoderOfKind(t reflect.Type, c constraints) func(*problem.Fields, string, string, reflect.Value) {
	switch t.Kind() {
	case reflect.String:
		c.minLength = max(c.minLength, 1)
		return func(f *problem.Fields, raw, pointer string, dst reflect.Value) {
			if s, ok := checkText(f, strings.ToValidUTF8(raw, "\x00"), pointer, c); ok {
				dst.SetString(s)
			}
		}
	case reflect.Bool:
		return func(f *problem.Fields, raw, pointer string, dst reflect.Value) {
			if raw != "true" && raw != "false" {
				wrongType(f, pointer, "true ou false", "true or false")
				return
			}
			dst.SetBool(raw == "true")
		}
	case reflect.Int, reflect.Int64:
		return func(f *problem.Fields, raw, pointer string, dst reflect.Value) {
			n, err := strconv.ParseInt(raw, 10, 64)
			if err != nil || raw[0] == '+' {
				wrongType(f, pointer, "um número inteiro", "a whole number")
				return
			}
			if inRange(f, n, pointer, c) {
				dst.SetInt(n)
			}
		}
	}
	panic("httpapi: no query decoder for " + t.String())
}
