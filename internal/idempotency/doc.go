// Package idempotency makes a request happen once, whatever dies, repeats,
// races, rotates or loses permission. It knows no route and no domain.
//
// The life of a key:
//
//  1. Claim: one INSERT … ON CONFLICT DO NOTHING decides who runs. It commits
//     at once, without waiting for the disk: the business commit, which does
//     wait, comes later in the same log.
//  2. Run: the caller's transaction, whose last statement is Complete. It
//     stores the answer under the attempt's fence, so that an attempt that was
//     overtaken rolls back whole.
//  3. Release, on every other end: the key is free, or remembered as failed.
//
// An attempt that dies leaves a reservation that lapses by itself. A key with
// an effect outside the database is undecided, and time alone never frees it.
package idempotency
