package testkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"fatureihoje/internal/app"
	"fatureihoje/internal/httpapi"
)

// contract is the OpenAPI documents of a server, against which every exchange
// is checked. The schemas are compiled once each: OpenAPI 3.1 is JSON Schema
// 2020-12, and kin-openapi would compile anew for each response.
type contract struct {
	operations []operation
	problem    string // the schema of a problem, for paths that no operation has

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

// operation is one entry of a document.
type operation struct {
	method   string
	segments []string
	location string // of its schemas, as a URL with a JSON pointer
	spec     operationSpec
}

type operationSpec struct {
	RequestBody *struct {
		Required bool
		Content  map[string]json.RawMessage
	}
	Parameters []struct{ Name, In string }
	Responses  map[string]struct {
		Content map[string]json.RawMessage
	}
}

var productContract = sync.OnceValues(func() (*contract, error) { //nolint:gochecknoglobals // compiled once, read only
	public, management, err := app.Documents()
	if err != nil {
		return nil, err
	}
	return newContract(public, management)
})

func contractOf(routes []httpapi.Route) (*contract, error) {
	document, err := httpapi.Document(httpapi.DocumentInfo{Title: "test", Version: "1"}, "/", routes)
	if err != nil {
		return nil, err
	}
	return newContract(document)
}

func newContract(documents ...[]byte) (*contract, error) {
	c := &contract{compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}}
	c.compiler.DefaultDraft(jsonschema.Draft2020)
	c.compiler.AssertFormat()
	for i, text := range documents {
		if err := c.add(fmt.Sprintf("https://openapi.invalid/%d.json", i), text); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *contract) add(location string, text []byte) error {
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	if err := c.compiler.AddResource(location, whole); err != nil {
		return err
	}
	var document struct {
		Paths map[string]map[string]operationSpec
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("read the OpenAPI document: %w", err)
	}
	for path, methods := range document.Paths {
		for method, spec := range methods {
			c.operations = append(c.operations, operation{
				method: strings.ToUpper(method), segments: strings.Split(path, "/"), spec: spec,
				location: location + "#/paths/" + escape(path) + "/" + method,
			})
		}
	}
	c.problem = location + "#/components/schemas/Problem"
	return nil
}

// escape writes one token of a JSON pointer in a URL.
func escape(token string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(token)
}

// find returns the operation of a request; literal segments go before ids.
func (c *contract) find(method, path string) *operation {
	segments := strings.Split(strings.TrimSuffix(strings.ToLower(path), "/"), "/")
	var best *operation
	for i := range c.operations {
		o := &c.operations[i]
		if o.method != method || !o.matches(segments) {
			continue
		}
		if best == nil || strings.Count(best.location, "%7B") > strings.Count(o.location, "%7B") {
			best = o
		}
	}
	return best
}

func (o *operation) matches(segments []string) bool {
	return slices.EqualFunc(o.segments, segments, func(template, got string) bool {
		return template == got || strings.HasPrefix(template, "{") && got != ""
	})
}

// check reports what an exchange has that the documents do not.
func (c *contract) check(t testing.TB, x exchange) {
	t.Helper()
	if !strings.HasPrefix(strings.ToLower(x.url.Path), publicBase) && !strings.HasPrefix(strings.ToLower(x.url.Path), managementBase) {
		return
	}
	o := c.find(x.method, x.url.EscapedPath())
	if err := c.checkResponse(o, x); err != nil {
		t.Errorf("not as documented: %s (%s): %v", x.response, x.response.Header.Get("Content-Type"), err)
	}
	if o == nil || x.response.Status >= http.StatusMultipleChoices {
		return
	}
	if err := c.checkRequest(o, x); err != nil {
		t.Errorf("accepted, but the document does not allow it: %s %s %s: %v", x.method, x.url, x.sent, err)
	}
}

func (c *contract) checkResponse(o *operation, x exchange) error {
	r := x.response
	schema := c.problem
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case o == nil && (r.Status == http.StatusNotFound || r.Status == http.StatusMethodNotAllowed):
		// No operation has it, so any operation's problem will do.
	case o == nil:
		return fmt.Errorf("no operation is documented for %s %s", x.method, x.url.Path)
	case r.Status == http.StatusNotModified:
		return nil
	default:
		documented, ok := o.spec.Responses[strconv.Itoa(r.Status)]
		if !ok {
			return fmt.Errorf("the status is not documented")
		}
		if len(documented.Content) == 0 {
			return empty(r.Body)
		}
		if _, ok := documented.Content[mediaType]; !ok {
			return fmt.Errorf("the media type is not documented")
		}
		schema = o.location + "/responses/" + strconv.Itoa(r.Status) + "/content/" + escape(mediaType) + "/schema"
	}
	return c.validate(schema, r.Body)
}

func empty(body []byte) error {
	if len(body) > 0 {
		return fmt.Errorf("no body is documented")
	}
	return nil
}

func (c *contract) checkRequest(o *operation, x exchange) error {
	if x.method == http.MethodGet {
		for name := range x.url.Query() {
			if !slices.ContainsFunc(o.spec.Parameters, func(p struct{ Name, In string }) bool { return p.In == "query" && p.Name == name }) {
				return fmt.Errorf("the query parameter %q is not documented", name)
			}
		}
		return nil
	}
	if x.streamed || x.method == http.MethodDelete {
		return nil
	}
	if o.spec.RequestBody == nil {
		return nil // actions take {} and nothing
	}
	if len(x.sent) == 0 {
		if o.spec.RequestBody.Required {
			return fmt.Errorf("the body is required")
		}
		return nil
	}
	return c.validate(o.location+"/requestBody/content/"+escape("application/json")+"/schema", x.sent)
}

func (c *contract) validate(location string, body []byte) error {
	schema, err := c.schema(location)
	if err != nil {
		return fmt.Errorf("compile %s: %w", location, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	return schema.Validate(value)
}

func (c *contract) schema(location string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.compiled[location]; ok {
		return s, nil
	}
	s, err := c.compiler.Compile(location)
	if err == nil {
		c.compiled[location] = s
	}
	return s, err
}
