// Package id makes and reads identifiers: the UUIDs of stored objects, and the
// base62 text of random bytes in API keys and public links.
package id

import "github.com/google/uuid"

// Error is a refusal. Its value is the stable code that integrators see.
type Error string

// What Parse and DecodeBase62 report.
const (
	ErrUUID           Error = "id_invalid"
	ErrBase62Length   Error = "base62_length"
	ErrBase62Alphabet Error = "base62_alphabet"
	ErrBase62Overflow Error = "base62_overflow"
)

// Code returns the stable code of the refusal.
func (e Error) Code() string { return string(e) }

// Error returns the reason in English, for logs and developers.
func (e Error) Error() string {
	switch e {
	case ErrUUID:
		return "id is not a UUID of 36 characters"
	case ErrBase62Length:
		return "base62 text does not have the length of its bytes"
	case ErrBase62Alphabet:
		return "base62 text has a character outside 0-9, A-Z, a-z"
	case ErrBase62Overflow:
		return "base62 text is beyond the largest value of its bytes"
	}
	return string(e)
}

// New returns a UUIDv7 (RFC 9562), later ones greater within a process, so that
// new rows land at the end of an index. It panics if the system has no random
// bytes, without which nothing here is safe.
func New() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// uuidLength is that of the form with hyphens.
const uuidLength = 36

// Parse reads a UUID of any version in the 36-character form, in any case. The
// other forms that uuid.Parse knows (braces, urn:uuid:, no hyphens) are refused:
// an id has one spelling. It reports ErrUUID.
func Parse(s string) (uuid.UUID, error) {
	if len(s) != uuidLength {
		return uuid.Nil, ErrUUID
	}
	parsed, err := uuid.Parse(s)
	if err != nil {
		return uuid.Nil, ErrUUID
	}
	return parsed, nil
}
