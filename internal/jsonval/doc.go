// Package jsonval reads a request body once, into a value that is exact: the
// idempotency fingerprint and the typed decoding of a request both start from
// it, so what is compared, validated and stored can never be three readings of
// the same bytes.
//
// It is stricter than RFC 8259 where the standard leaves room: duplicate member
// names, a BOM, invalid UTF-8 and lone surrogates are errors, as RFC 7493
// (I-JSON) asks. Text is brought to NFC; numbers are never turned into floats.
package jsonval
