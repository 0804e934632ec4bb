package testkit

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/httpapi"
)

const (
	publicBase     = httpapi.PublicBase
	managementBase = httpapi.ManagementBase
)

// M is a JSON object.
type M = map[string]any

// Client is a credential that makes calls. Its methods may be used by several
// goroutines at once.
type Client struct {
	Server *Server
	Tenant *Tenant
	KeyID  uuid.UUID // of the API key or the session
	Secret string    // the token's text; "" sends no credential

	space uuid.UUID // whose idempotency keys it uses
	base  string
}

// Anonymous returns a client without a credential.
func (s *Server) Anonymous() *Client { return &Client{Server: s, base: publicBase} }

// On returns the same credential at another server, on the same database.
func (c Client) On(s *Server) *Client {
	c.Server = s
	return &c
}

// CallOption changes one call.
type CallOption func(*call)

type call struct {
	header  http.Header
	stream  io.Reader
	mayFail bool
	ctx     context.Context
}

// Key sends an Idempotency-Key.
func Key(key string) CallOption { return Header("Idempotency-Key", key) }

// Header adds a header; more than one of a name are all sent. An empty
// Authorization or Content-Type takes the client's own away.
func Header(name, value string) CallOption {
	return func(c *call) {
		c.header[http.CanonicalHeaderKey(name)] = append(c.header[http.CanonicalHeaderKey(name)], value)
	}
}

// Chunked sends the body of r without a declared length.
func Chunked(r io.Reader) CallOption { return func(c *call) { c.stream = r } }

// Until gives the call up when ctx ends; no response is then expected.
func Until(ctx context.Context) CallOption {
	return func(c *call) { c.ctx, c.mayFail = ctx, true }
}

// RequestID sends an X-Request-Id, by which a fault finds the request.
func RequestID(id string) CallOption { return Header("X-Request-Id", id) }

// MayFail announces that a 5xx, or no response at all, is expected.
func MayFail() CallOption { return func(c *call) { c.mayFail = true } }

// Get reads.
func (c *Client) Get(t testing.TB, path string, options ...CallOption) *Response {
	t.Helper()
	return c.Do(t, http.MethodGet, path, nil, options...)
}

// Post creates, or acts. The body is nil for none, a string or []byte to be
// sent as it is, or a value to be encoded.
func (c *Client) Post(t testing.TB, path string, body any, options ...CallOption) *Response {
	t.Helper()
	return c.Do(t, http.MethodPost, path, body, options...)
}

// Patch changes.
func (c *Client) Patch(t testing.TB, path string, body any, options ...CallOption) *Response {
	t.Helper()
	return c.Do(t, http.MethodPatch, path, body, options...)
}

// Delete removes.
func (c *Client) Delete(t testing.TB, path string, options ...CallOption) *Response {
	t.Helper()
	return c.Do(t, http.MethodDelete, path, nil, options...)
}

// callLimit bounds a call to a server that does not answer.
const callLimit = 90 * time.Second

// Do makes a call. A path that does not begin with one of the two APIs is below
// the client's own. The response is never nil; without one its status is 0.
func (c *Client) Do(t testing.TB, method, path string, body any, options ...CallOption) *Response {
	t.Helper()
	o := call{header: http.Header{}, ctx: context.Background()}
	for _, option := range options {
		option(&o)
	}
	sent := encode(t, body)
	ctx, cancel := context.WithTimeout(o.ctx, callLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.Server.BaseURL+c.fullPath(path), o.reader(sent))
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return &Response{}
	}
	c.setHeaders(req, o.header, len(sent) > 0 || o.stream != nil)
	answer, err := client.Do(req)
	if err != nil {
		if !o.mayFail {
			t.Errorf("%s %s: %v", method, path, err)
		}
		return &Response{}
	}
	defer func() { _ = answer.Body.Close() }()
	received, err := io.ReadAll(answer.Body)
	if err != nil && !o.mayFail {
		t.Errorf("%s %s: read the response: %v", method, path, err)
	}
	r := &Response{Status: answer.StatusCode, Header: answer.Header, Body: received, method: method, path: path}
	if r.Status >= http.StatusInternalServerError && !o.mayFail {
		t.Errorf("%s\nlogged: %s", r, c.Server.LogOf(r))
	}
	c.Server.contract.check(t, exchange{req.Method, req.URL, sent, o.stream != nil, r})
	return r
}

// client keeps connections alive between calls and never follows a redirect:
// the API has none.
var client = &http.Client{ //nolint:gochecknoglobals // it is what the calls of all tests share
	Transport:     &http.Transport{MaxIdleConnsPerHost: 128, DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (c *Client) fullPath(path string) string {
	lower := strings.ToLower(path)
	if strings.HasPrefix(lower, "/public/") || strings.HasPrefix(lower, "/dashboard/") || strings.HasPrefix(lower, "/docs/") {
		return path
	}
	return c.base + path
}

func (o *call) reader(sent []byte) io.Reader {
	if o.stream != nil {
		return struct{ io.Reader }{o.stream} // its type must not tell its length
	}
	if sent == nil {
		return nil
	}
	return bytes.NewReader(sent)
}

func (c *Client) setHeaders(req *http.Request, given http.Header, hasBody bool) {
	if c.Secret != "" {
		req.Header.Set("Authorization", "Bearer "+c.Secret)
	}
	if hasBody {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, given)
	for _, name := range []string{"Authorization", "Content-Type"} {
		if len(given[name]) == 1 && given[name][0] == "" {
			req.Header.Del(name)
		}
	}
}

func encode(t testing.TB, body any) []byte {
	t.Helper()
	switch b := body.(type) {
	case nil:
		return nil
	case string:
		return []byte(b)
	case []byte:
		return b
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		t.Errorf("testkit: encode the body: %v", err)
	}
	return encoded
}

// exchange is a request and its response, as the contract looks at them.
type exchange struct {
	method   string
	url      *url.URL
	sent     []byte
	streamed bool
	response *Response
}
