// Package serviceorders owns the work that a company does for its clients: what
// is to be done, where and on what, by whom and when, and the billing of it by a
// sale.
//
// What always holds: an order's status moves only along its table; what it
// charges for stays as it is while a live sale bills it; an order that came from
// a quote is billed only where the quote is, once.
package serviceorders
