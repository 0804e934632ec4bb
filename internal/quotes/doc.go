// Package quotes owns the offers that a company makes: to a client or to a
// lead, sent by a public link, approved or rejected there or through the API,
// and billed by a sale.
//
// What always holds: a quote's content changes only while it is a draft; a
// quote is billed by one live sale at most, made from it or from a service order
// that came from it, and is converted exactly as long as that sale lives; a
// public link shows nothing once it is revoked or the quote has expired.
package quotes
