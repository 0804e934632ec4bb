// Package money does the project's arithmetic on amounts, quantities and
// percentages. Amounts are whole centavos of the real (BRL); there is no float
// anywhere, and no rounding except where a function says so: half up, once.
//
// Amounts, quantities and percentages have no sign: direction is a matter of
// the document they stand in. A balance, which may be negative, can be a Cents
// too, and is never parsed.
package money
