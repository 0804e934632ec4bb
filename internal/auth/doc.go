// Package auth knows who calls: API keys and sessions, the members that they
// represent, the companies that members belong to, and what each may do at this
// moment. A credential names its tenant, is stored as a hash, and is judged
// anew on every request.
package auth
