package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
)

// Op is what a route is beside its handler.
type Op struct {
	ID      string // camelCase; the operation's name in SDKs
	Method  string // set by Read and List
	Path    string // such as /public/v1/clients/{id}
	Summary string // one line, Portuguese
	Tag     string // the resource's name in the documentation
	Scopes  []string
	Status  int // of success; 200 where left out
	// OtherStatus is a second status of success, which the response asks for with
	// its StatusCode: a preview that makes nothing is no 201.
	OtherStatus int
	Body        BodyKind

	// Secret answers are never stored: a repetition is told that the operation ran.
	Secret bool
	// Unkeyed routes of the management API take no idempotency key: their request
	// holds a password, of which not even a fingerprint is kept.
	Unkeyed bool
	// Located routes answer a Location with a 200 too, such as a conversion.
	Located bool
	// Example is a request that works once its references exist. A POST or PATCH
	// without one fails the conformance suite.
	Example Example
	// Errors lists the codes that this route gives beside those that its kind gives anyway.
	Errors []string
	// Login marks a route that is slowed like a sign-in.
	Login bool
}

// BodyKind says what a route does with a request's body.
type BodyKind int

// The kinds of body. A creation needs one; an action may come without.
const (
	BodyNone     BodyKind = iota // GET, DELETE
	BodyRequired                 // an object
	BodyOptional                 // an object; absent, empty and {} are the same
)

// Example is a request of the documentation, and the first that the conformance
// suite sends. {placeholders} in it are the names of fixtures.
type Example struct {
	Body     string // JSON
	Query    string
	Response string // JSON; what the documentation shows, made by `api openapi`
}

// kind is how a route's handler uses the database.
type kind int

const (
	kindRead kind = iota
	kindWrite
	kindOpen
)

// Route is one entry of the table.
type Route struct {
	Op
	kind     kind
	list     bool
	request  *plan        // how the request is decoded
	response reflect.Type // nil: no body
	run      func(ctx context.Context, tx *db.Tx, req reflect.Value) (any, error)
}

// Read makes a route of a handler that only reads.
func Read[Req, Resp any](op Op, h func(context.Context, db.Reader, Req) (Resp, error)) Route {
	op.Method = http.MethodGet
	r := newRoute[Req, Resp](op, kindRead)
	r.run = func(ctx context.Context, tx *db.Tx, req reflect.Value) (any, error) {
		return h(ctx, tx, req.Interface().(Req))
	}
	return r
}

// List makes a route of a handler that reads one page. Req embeds ListParams.
func List[Req, Item any](op Op, h func(context.Context, db.Reader, Req) (page.Result[Item], error)) Route {
	op.Method = http.MethodGet
	r := newRoute[Req, Page[Item]](op, kindRead)
	r.list = true
	r.run = func(ctx context.Context, tx *db.Tx, req reflect.Value) (any, error) {
		result, err := h(ctx, tx, req.Interface().(Req))
		if err != nil {
			return nil, err
		}
		return newPage(ctx, result), nil
	}
	return r
}

// Write makes a route of a handler that writes in one transaction: a POST, a
// PATCH or a DELETE. The handler may run again after a deadlock, so it changes
// nothing but the database.
func Write[Req, Resp any](op Op, h func(context.Context, *db.Tx, Req) (Resp, error)) Route {
	if op.Unkeyed && strings.HasPrefix(op.Path, PublicBase) {
		panic("httpapi: " + op.ID + ": every POST of the public API takes a key")
	}
	r := newRoute[Req, Resp](op, kindWrite)
	r.run = func(ctx context.Context, tx *db.Tx, req reflect.Value) (any, error) {
		return h(ctx, tx, req.Interface().(Req))
	}
	return r
}

// Open makes a route that needs no credential, such as a sign-in. It has no
// tenant before its handler finds one, and so no idempotency key.
func Open[Req, Resp any](op Op, h func(context.Context, Req) (Resp, error)) Route {
	if strings.HasPrefix(op.Path, PublicBase) && op.Method != http.MethodGet {
		panic("httpapi: " + op.ID + ": a public route that writes has a credential and a key")
	}
	r := newRoute[Req, Resp](op, kindOpen)
	r.run = func(ctx context.Context, _ *db.Tx, req reflect.Value) (any, error) {
		return h(ctx, req.Interface().(Req))
	}
	return r
}

// Nothing is the response of a route that answers 204.
type Nothing struct{}

// The bases of the two APIs.
const (
	PublicBase     = "/public/v1"
	ManagementBase = "/dashboard/v1"
)

// newRoute compiles the request's plan; a mistake in the table stops the start.
func newRoute[Req, Resp any](op Op, k kind) Route {
	if op.Status == 0 {
		op.Status = http.StatusOK
	}
	r := Route{Op: op, kind: k, request: compileRequest(reflect.TypeFor[Req](), op)}
	if resp := reflect.TypeFor[Resp](); resp != reflect.TypeFor[Nothing]() {
		r.response = resp
	}
	return r
}

// Authenticated reports that the route needs a credential.
func (r Route) Authenticated() bool { return r.kind != kindOpen }

// keyed reports that the route takes an idempotency key.
func (r Route) keyed() bool { return r.Method == http.MethodPost && r.kind == kindWrite && !r.Unkeyed }

// answersLocation reports that a 200 of this route carries a Location too.
func (r Route) answersLocation() bool { return r.Located }

// public reports that the route belongs to the public API.
func (r Route) public() bool { return strings.HasPrefix(r.Path, PublicBase) }
