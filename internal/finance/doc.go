// Package finance owns a company's money: its accounts, the categories, the
// transactions (single, transferred, in installments, recurring, of a sale), and
// the reports on them.
//
// What always holds: an account's balance is its opening balance plus its paid
// movements, and its projected balance that plus the pending ones; parts add up
// to their total; the two legs of a transfer cancel out; a rule has at most one
// occurrence on a date; one account is the default.
//
// How: a transaction is written only by insertTransactions, updateTransaction
// and removeTransaction of store_transaction.go, which queue the difference that
// they make for the balance of the account. Locks are taken in one order: sale,
// rule, transactions by id; the accounts come last, by id, with the commit
// (db.Tx.Increase). docs/adr/0006-account-balances.md says why, and
// `api verify-ledger` proves it on any database.
package finance
