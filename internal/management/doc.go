// Package management is the API by which a company's people administer it, the
// same that the dashboard uses: signing in, members, invitations, API keys, the
// look at idempotency keys, the audit log. It also holds the calls of the
// public API by which an integration sees itself: who it is, whom it may name,
// and what became of an idempotency key.
//
// The rules live in package auth; here are wire types and the route table.
package management
