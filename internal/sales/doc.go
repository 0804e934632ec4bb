// Package sales owns what was sold and what was paid of it: sales with their
// versions, and their payments.
//
// What always holds: a sale's paid sum is that of its confirmed payments, and
// with what unfinished payments reserve it is never above the total; its status
// follows from them; one version is current, and every version stays as it was
// written; a quote and a service order are billed by one live sale at most; a
// cancelled sale stays cancelled.
//
// Locks are taken in one order: client, quote, service order, sale, payments,
// transactions, accounts; the counter of numbers last. Whatever changes a sale
// or its payments holds the sale's row.
package sales
