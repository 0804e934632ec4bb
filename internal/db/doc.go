// Package db is the only way to PostgreSQL: the pool, transactions that are
// bound to one tenant, batches that travel in one round trip, the migrations,
// and the classification of what the database refuses.
//
// A store takes a *Tx or a Reader and cannot be called without one; a domain
// cannot open one. So every write of a request is inside the transaction that
// its idempotency key completes, and the compiler proves it.
//
// Three fences keep tenants apart: a Tx inserts and reads under its own tenant
// id, row-level security hides every other row from the server's role, and
// every key is composite with the tenant, so that a reference across tenants
// cannot even be stored.
package db
