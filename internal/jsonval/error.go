package jsonval

import "fmt"

// Reason says why a body was refused.
type Reason string

// The reasons for refusing a body.
const (
	Empty         Reason = "empty"          // nothing but white space
	BOM           Reason = "bom"            // a byte order mark in front
	Malformed     Reason = "malformed"      // not JSON, or cut off
	DuplicateName Reason = "duplicate_name" // one name twice in an object, compared in NFC
	InvalidUTF8   Reason = "invalid_utf8"   // in the bytes, or as the escape of a lone surrogate
	TrailingData  Reason = "trailing_data"  // anything but white space after the value
	TooDeep       Reason = "too_deep"       // arrays and objects nested deeper than MaxDepth
)

// SyntaxError is the only error that Parse returns.
type SyntaxError struct {
	// Offset is the byte of the body at or after which reading stopped.
	Offset int64
	Reason Reason
	// Pointer is the RFC 6901 pointer of the value or member in error; where that
	// is over 256 bytes, of the nearest value around it that is not. It is made of
	// the client's own names: fit for the answer, not for a log.
	Pointer string
}

// Error names the reason and the offset, and nothing out of the body.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("json: %s at byte %d", e.Reason, e.Offset)
}
