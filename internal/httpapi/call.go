package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/origin"
	"fatureihoje/internal/problem"
)

// Call is a request to a route of the table that the dashboard makes for a
// person, inside the process. It meets the same permissions, rules and
// idempotency as one that comes over the wire; only the answer is not written.
type Call struct {
	Route   string        // the operation's id
	Session *auth.Session // nil for an Open route
	IDs     []string      // of the path, in order
	Query   url.Values
	Body    []byte // JSON; nil for none
	IfMatch string // an ETag
	Key     string // the idempotency key, on any method; "" for none

	// Preview shows what a Write route would answer, by the very same rules, and
	// leaves nothing. The caller is authenticated, permissions are checked, and
	// the request is decoded, validated, handled and encoded; what the handler
	// queued is sent too, so that the database refuses what it would refuse. Then
	// the transaction is rolled back instead of committed: no row, number, audit
	// row or job stays, and nothing that waits for the commit (a mail) happens.
	//
	// The answer has the status and the body of the real call, with an id, a
	// number and a version that the next real call may give to another object; it
	// has no Location and no ETag, since nothing is there. The error is that of
	// the real call.
	//
	// A preview takes the locks that the real call takes and gives them back as
	// soon as its answer is encoded. It waits for none longer than two seconds:
	// where one is held for longer, the error is a service_unavailable.
	//
	// It is a programming error, a 500, to preview with a Key, or a route that
	// is not a Write; and of no use for one whose handler acts outside its
	// transaction.
	Preview bool
}

// Answer is what a call has come to.
type Answer struct {
	Status   int
	Body     []byte // JSON; empty for none
	Location string
	ETag     string
	Replayed bool // an earlier call with the same key made it
}

// Call makes a call for the person behind r. The error is a *problem.Error, as
// it would have been answered; what is a 500 has been logged.
func (a *API) Call(r *http.Request, c Call) (answer Answer, err error) {
	route := a.byID[c.Route]
	if route == nil {
		return answer, problem.As(errors.New("httpapi: no route " + c.Route))
	}
	if c.Preview && (route.kind != kindWrite || c.Key != "") {
		return answer, problem.As(errors.New("httpapi: a preview is of a Write route and without a key: " + c.Route))
	}
	x := a.callExchange(r, route, c)
	defer x.release()
	defer func() {
		if panicked := recover(); panicked != nil {
			a.conf.Log.ErrorContext(r.Context(), "call panicked", "request_id", x.requestID, "operation", route.ID, "panic", panicked, "stack", stack())
			err = x.abandon(context.Background(), errors.New("panic"))
		}
		if err != nil {
			err = x.logged(err)
		}
	}()
	outcome, err := x.callOutcome(c)
	if c.Preview {
		outcome.Location, outcome.ETag = "", ""
	}
	return Answer{Status: outcome.Status, Body: outcome.Body, Location: outcome.Location, ETag: outcome.ETag, Replayed: x.replayed}, err
}

// callExchange is the exchange of a call: as if r's sender had sent it.
func (a *API) callExchange(r *http.Request, route *Route, c Call) *exchange {
	header := http.Header{"User-Agent": {r.UserAgent()}}
	if c.IfMatch != "" {
		header.Set("If-Match", c.IfMatch)
	}
	made := (&http.Request{
		Method: route.Method, URL: &url.URL{Path: pathWith(route.Path, c.IDs), RawQuery: c.Query.Encode()}, Header: header,
	}).WithContext(r.Context())
	x := &exchange{
		api: a, route: route, w: unwritten{http.Header{}}, r: made, requestID: RequestID(r), ip: a.client(r),
		key: c.Key, preview: c.Preview, began: a.conf.Clock.Now(),
	}
	if c.Session != nil {
		x.credential = c.Session
	}
	return x
}

func (x *exchange) callOutcome(c Call) (idempotency.Outcome, error) {
	ids := c.IDs
	request, exists := x.route.request.newRequest(func(string) (id string) {
		if len(ids) > 0 {
			id, ids = ids[0], ids[1:]
		}
		return id
	})
	if !exists {
		return idempotency.Outcome{}, problem.Missing()
	}
	x.request = request
	value, err := parseBody(c.Body)
	if err != nil {
		return idempotency.Outcome{}, err
	}
	x.value = value
	ctx, cancel := x.context()
	defer cancel()
	if x.route.kind == kindOpen {
		return x.callOpen(ctx)
	}
	if x.credential == nil {
		return idempotency.Outcome{}, unauthorized()
	}
	return x.callAs(ctx)
}

func (x *exchange) callAs(ctx context.Context) (outcome idempotency.Outcome, err error) {
	if x.conn, err = x.api.conf.Pool.Acquire(ctx); err != nil {
		return outcome, unavailable(err)
	}
	stored, err := x.admit(ctx, nil)
	if err != nil {
		return outcome, x.abandon(ctx, err)
	}
	if stored != nil {
		x.replayed = true
		return *stored, nil
	}
	if outcome, err = x.execute(ctx); err != nil {
		return outcome, x.abandon(ctx, err)
	}
	return outcome, nil
}

func (x *exchange) callOpen(ctx context.Context) (idempotency.Outcome, error) {
	if err := x.limitOpen(); err != nil {
		return idempotency.Outcome{}, err
	}
	response, err := x.runOpen(ctx)
	if err != nil {
		return idempotency.Outcome{}, unavailable(err)
	}
	return x.encode(response)
}

// runOpen decodes and runs a route without a credential.
func (x *exchange) runOpen(ctx context.Context) (any, error) {
	if err := x.decode(); err != nil {
		return nil, err
	}
	ctx = origin.With(ctx, origin.Origin{Type: origin.Member, RequestID: x.requestID, IP: x.ip, UserAgent: x.r.UserAgent()})
	return x.route.run(ctx, nil, x.request)
}

// logged returns err as a problem, and logs one that is a 500.
func (x *exchange) logged(err error) *problem.Error {
	p := problem.As(err)
	if p.Status() >= http.StatusInternalServerError {
		x.api.conf.Log.Error("request failed", "request_id", x.requestID, "operation", x.operation(), "code", string(p.Code), "error", errors.Unwrap(p))
	}
	return p
}

// RequestID returns the id that a request came with, if it is fit to be
// answered, or a new one.
func RequestID(r *http.Request) string { return requestID(r) }

// Scopes returns what a request to the table's routes needs; ok is false for a
// path that none has.
func Scopes(routes []Route, method, path string) (scopes []string, ok bool) {
	segments := strings.Split(path, "/")
	for _, r := range routes {
		if r.Method == method && matches(strings.Split(r.Path, "/"), segments) {
			return r.Scopes, true
		}
	}
	return nil, false
}

func matches(template, segments []string) bool {
	if len(template) != len(segments) {
		return false
	}
	for i, t := range template {
		if t != segments[i] && !strings.HasPrefix(t, "{") {
			return false
		}
	}
	return true
}

func pathWith(template string, ids []string) string {
	segments := strings.Split(template, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") && len(ids) > 0 {
			segments[i], ids = url.PathEscape(ids[0]), ids[1:]
		}
	}
	return strings.Join(segments, "/")
}

// unwritten takes the headers of an answer that nobody writes.
type unwritten struct{ header http.Header }

func (u unwritten) Header() http.Header         { return u.header }
func (u unwritten) Write(b []byte) (int, error) { return len(b), nil }
func (u unwritten) WriteHeader(int)             {}
