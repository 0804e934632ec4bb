package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"fatureihoje/internal/problem"
)

// DocumentInfo is what a document says of itself.
type DocumentInfo struct {
	Title       string
	Version     string
	Description string
}

// Document returns the OpenAPI 3.1 document of those routes whose path begins
// with base, as indented JSON. It depends on the table alone, so it is the same
// on every machine.
func Document(info DocumentInfo, base string, routes []Route) ([]byte, error) {
	d := &document{schemas: newSchemas(), api: &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: info.Title, Version: info.Version, Description: info.Description,
			Contact: &huma.Contact{Name: "Faturei Hoje"},
			License: &huma.License{Name: "Apache-2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0.html"},
		},
		Servers: []*huma.Server{{URL: "/", Description: "Este servidor"}},
	}}
	d.schemas.ref(reflect.TypeFor[problemBody]())
	for _, r := range routes {
		if strings.HasPrefix(r.Path, base) {
			d.add(r)
		}
	}
	d.finish(base)
	return d.json()
}

type document struct {
	schemas *schemas
	api     *huma.OpenAPI
	tags    []string
}

func (d *document) add(r Route) {
	op := &huma.Operation{
		OperationID: r.ID, Method: r.Method, Path: r.Path, Summary: r.Summary, Tags: []string{r.Tag},
		Description: d.describe(r), Parameters: d.parameters(r), Responses: d.responses(r),
	}
	if r.kind == kindOpen {
		op.Security = []map[string][]string{}
	}
	if r.request.body != nil {
		op.RequestBody = d.requestBody(r)
	}
	if !slices.Contains(d.tags, r.Tag) {
		d.tags = append(d.tags, r.Tag)
	}
	d.api.AddOperation(op)
}

// describe says what the table knows beyond the summary.
func (d *document) describe(r Route) string {
	text := r.Summary + "."
	if len(r.Scopes) > 0 {
		text += " Permissão: `" + strings.Join(r.Scopes, "`, `") + "`."
	}
	if r.Secret {
		text += " A resposta mostra um segredo e nunca fica guardada: a repetição com a mesma chave recebe 409 `conflict`, `response_not_stored`."
	}
	return text
}

func (d *document) requestBody(r Route) *huma.RequestBody {
	media := &huma.MediaType{Schema: d.schemas.of(r.request.typ.FieldByIndex(r.request.body).Type, constraints{})}
	if r.Example.Body != "" {
		media.Example = exampleValue(r.Example.Body)
	}
	return &huma.RequestBody{
		Required: r.Body == BodyRequired,
		Content:  map[string]*huma.MediaType{jsonType: media},
	}
}

// exampleValue is an example as JSON, with an id in the place of each {fixture}.
func exampleValue(text string) any {
	var v any
	if err := json.Unmarshal([]byte(FillExample(text, exampleID)), &v); err != nil {
		panic("httpapi: example is not JSON: " + text)
	}
	return v
}

// exampleID is a stable UUIDv7 for a fixture's name.
func exampleID(name string) string {
	u := uuid.NewSHA1(uuid.NameSpaceURL, []byte(name))
	u[6] = 0x70 | u[6]&0x0f
	return u.String()
}

// FillExample replaces each "{name}" in an example by what fill gives for it.
func FillExample(text string, fill func(name string) string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, `"{`)
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		name, after, _ := strings.Cut(rest, `}"`)
		out.WriteString(strconv.Quote(fill(name)))
		text = after
	}
}

func (d *document) parameters(r Route) []*huma.Param {
	var list []*huma.Param
	for _, f := range r.request.path {
		t := r.request.typ.FieldByIndex(f.index).Type
		list = append(list, &huma.Param{
			Name: f.name, In: "path", Required: true, Schema: d.schemas.of(t, constraints{}), Description: "Identificador.",
			Example: pathExample(t, f.name),
		})
	}
	for _, q := range r.request.query {
		list = append(list, d.queryParameter(r, q))
	}
	if r.keyed() {
		list = append(list, keyParameter())
	}
	if r.request.ifMatch != nil {
		list = append(list, headerParameter("If-Match", "A ETag da versão que se quer alterar; outra versão recebe 412."))
	}
	return list
}

func pathExample(t reflect.Type, name string) any {
	if t == reflect.TypeFor[uuid.UUID]() {
		return exampleID(name)
	}
	return 1
}

func (d *document) queryParameter(r Route, q queryField) *huma.Param {
	t := r.request.typ.FieldByIndex(q.index).Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	c := q.c
	if q.name == "sort" {
		c.enum = r.request.sorts
	}
	p := &huma.Param{Name: q.name, In: "query", Schema: d.schemas.of(t, c), Description: q.c.doc, Required: q.c.required}
	if t.Kind() == reflect.Slice {
		explode := false // one parameter, with commas
		p.Style, p.Explode = "form", &explode
	}
	return p
}

func keyParameter() *huma.Param {
	shortest, longest := 1, 255
	return &huma.Param{
		Name: "Idempotency-Key", In: "header", Example: "6b7f0e8a-4c21-4d9e-9f3a-71c5d8b2e044",
		Schema:      &huma.Schema{Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest},
		Description: "Um valor por operação, de 1 a 255 bytes; um UUID v4 é o recomendado. Repita a mesma requisição com a mesma chave quantas vezes precisar: o efeito acontece uma vez.",
	}
}

func headerParameter(name, doc string) *huma.Param {
	return &huma.Param{Name: name, In: "header", Schema: &huma.Schema{Type: huma.TypeString}, Description: doc}
}

func (d *document) responses(r Route) map[string]*huma.Response {
	responses := map[string]*huma.Response{strconv.Itoa(r.Status): d.success(r, r.Status)}
	if r.OtherStatus != 0 {
		responses[strconv.Itoa(r.OtherStatus)] = d.success(r, r.OtherStatus)
	}
	for status, codes := range r.problems() {
		responses[strconv.Itoa(status)] = d.problemResponse(codes)
	}
	return responses
}

func (d *document) success(r Route, status int) *huma.Response {
	resp := &huma.Response{Description: http.StatusText(status), Headers: map[string]*huma.Header{
		"X-Request-Id": {Schema: &huma.Schema{Type: huma.TypeString}, Description: "O id desta requisição."},
	}}
	if r.response != nil {
		media := &huma.MediaType{Schema: d.schemas.of(r.response, constraints{})}
		if r.Example.Response != "" {
			media.Example = exampleValue(r.Example.Response)
		}
		resp.Content = map[string]*huma.MediaType{jsonType: media}
	}
	if r.keyed() {
		resp.Headers["Idempotent-Replayed"] = &huma.Header{
			Schema: &huma.Schema{Type: huma.TypeString, Enum: []any{"true"}}, Description: "Esta é a resposta guardada; nada foi executado agora.",
		}
	}
	return resp
}

func (d *document) problemResponse(codes []problem.Code) *huma.Response {
	examples := map[string]*huma.Example{}
	var titles []string
	for _, code := range codes {
		def, _ := problem.Lookup(code)
		titles = append(titles, def.Title.PT)
		examples[string(code)] = &huma.Example{Summary: def.Title.PT, Value: map[string]any{
			"type": "https://api.example.com/docs/errors/" + string(code), "title": def.Title.PT, "status": def.Status,
			"detail": def.Advice.PT, "code": string(code), "request_id": exampleID("request"),
		}}
	}
	return &huma.Response{
		Description: strings.Join(titles, "; "),
		Content: map[string]*huma.MediaType{"application/problem+json": {
			Schema: &huma.Schema{Ref: componentPrefix + componentName(reflect.TypeFor[problemBody]())}, Examples: examples,
		}},
	}
}

// problems lists every code that the route can give, by status: those of its
// kind, and those that its entry names.
func (r Route) problems() map[int][]problem.Code {
	codes := []problem.Code{problem.RequestTooLarge, problem.InternalError, problem.ServiceUnavailable}
	if r.kind != kindOpen {
		codes = append(codes, problem.Unauthorized, problem.Forbidden, problem.RateLimited)
		if r.public() {
			codes = append(codes, problem.APIKeyExpired, problem.APIKeyRevoked)
		}
	}
	if r.Login {
		codes = append(codes, problem.RateLimited)
	}
	if r.list {
		codes = append(codes, problem.InvalidRequest)
	}
	if len(r.request.path) > 0 {
		codes = append(codes, problem.NotFound)
	}
	if r.Method == http.MethodGet || r.request.body != nil || r.keyed() {
		codes = append(codes, problem.ValidationFailed)
	}
	if r.Method == http.MethodPost || r.Method == http.MethodPatch {
		codes = append(codes, problem.MalformedJSON, problem.UnsupportedMediaType)
	}
	if r.keyed() {
		codes = append(codes, problem.IdempotencyKeyInvalid, problem.IdempotencyKeyRequired,
			problem.IdempotencyInProgress, problem.Conflict, problem.IdempotencyKeyReused)
	}
	if r.request.ifMatch != nil {
		codes = append(codes, problem.PreconditionFailed)
	}
	for _, code := range r.Errors {
		codes = append(codes, problem.Code(code))
	}
	return byStatus(codes)
}

func byStatus(codes []problem.Code) map[int][]problem.Code {
	grouped := map[int][]problem.Code{}
	slices.Sort(codes)
	for _, code := range slices.Compact(codes) {
		def, ok := problem.Lookup(code)
		if !ok {
			panic("httpapi: unknown code " + string(code))
		}
		grouped[def.Status] = append(grouped[def.Status], code)
	}
	return grouped
}

func (d *document) finish(base string) {
	scheme := &huma.SecurityScheme{Type: "http", Scheme: "bearer", Description: "Chave de API, criada no painel."}
	if base == ManagementBase {
		scheme = &huma.SecurityScheme{Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "O access_token de uma sessão."}
	}
	d.api.Components = &huma.Components{SecuritySchemes: map[string]*huma.SecurityScheme{"bearer": scheme}}
	d.api.Security = []map[string][]string{{"bearer": {}}}
	for _, tag := range d.tags {
		d.api.Tags = append(d.api.Tags, &huma.Tag{Name: tag})
	}
}

// json writes the document with the components that huma's registry would hold.
func (d *document) json() ([]byte, error) {
	raw, err := json.Marshal(d.api)
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	var whole map[string]any
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	components, _ := whole["components"].(map[string]any)
	components["schemas"] = d.schemas.components
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(whole); err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	return out.Bytes(), nil
}
