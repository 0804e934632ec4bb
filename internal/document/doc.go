// Package document is what quotes, service orders and sales have in common:
// lines with their discounts and totals, payment plans, numbers without gaps,
// and the public links under which a client sees a document.
//
// What always holds: a line's total is rounded half up once; a document's total
// is the sum of its lines' totals, less its own discount, plus shipping; no
// discount is above what it discounts; names and prices are copies, so that a
// later change of the catalogue changes no document.
package document
