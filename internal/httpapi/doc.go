// Package httpapi turns a table of typed routes into an HTTP API: it is where a
// request is read, judged, claimed, run, answered and documented.
//
// A route is a value. From it come the registration, the permission check, the
// limits, the idempotency of every POST, the OpenAPI operation and the
// conformance tests; there is no other way to register one. Its handler gets a
// transaction, returns a value, and decides nothing about HTTP.
//
// A request is answered in this order, whatever is computed first: unknown
// route or method (404, 405), request id, declared length (413), the
// credential's form (401), rate limit (429), authentication (401), permission
// (403), counted length (413), media type (415), JSON (400), idempotency key
// (400), claim or replay (422, 409), decoding and validation (422), the
// handler, encoding, completion, commit, and only then a byte of the response.
package httpapi
