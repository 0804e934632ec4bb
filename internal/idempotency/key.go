package idempotency

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxKeyBytes is the length of the longest key.
const MaxKeyBytes = 255

// KeyError says what is wrong with an Idempotency-Key. It never holds the key:
// whoever reads the message could use it.
type KeyError struct {
	Reason string
}

// The reasons of a KeyError.
const (
	KeyEmpty            = "empty"
	KeyTooLong          = "too_long"          // over MaxKeyBytes
	KeyEncoding         = "encoding"          // not UTF-8
	KeyControlCharacter = "control_character" // C0, DEL or C1
	KeyAmbiguous        = "ambiguous"         // sent twice, with different values
)

func (e *KeyError) Error() string { return "idempotency key: " + e.Reason }

// ParseKey reads the values of all Idempotency-Key headers of a request. A key
// that was sent is present, also where err, always a *KeyError, refuses it.
//
// White space around it (space and tab, as RFC 9110 has it) does not belong to
// the key; everything else does: quotes, case, and the form of its Unicode.
func ParseKey(values []string) (key string, present bool, err error) {
	if len(values) == 0 {
		return "", false, nil
	}
	key = trimKey(values[0])
	for _, other := range values[1:] {
		if trimKey(other) != key {
			return "", true, &KeyError{KeyAmbiguous}
		}
	}
	if reason := refuseKey(key); reason != "" {
		return "", true, &KeyError{reason}
	}
	return key, true, nil
}

func trimKey(value string) string { return strings.Trim(value, " \t") }

// refuseKey returns the reason why key cannot be used, or "".
func refuseKey(key string) string {
	switch {
	case key == "":
		return KeyEmpty
	case len(key) > MaxKeyBytes:
		return KeyTooLong
	case !utf8.ValidString(key): // a client that writes Latin-1 gets here
		return KeyEncoding
	case strings.ContainsFunc(key, unicode.IsControl):
		return KeyControlCharacter
	}
	return ""
}

// lookAlikes are the names by which clients of other APIs, or in a hurry, send
// the key.
func lookAlikes() []string {
	return []string{"X-Idempotency-Key", "X-Idempotency", "Idempotent-Key", "Idempotence-Key"}
}

// LookAlike returns the name of a header that was sent and was probably meant to
// be Idempotency-Key, or "". A request with such a header and without the right
// one must be refused: its sender believes to be protected.
func LookAlike(h http.Header) string {
	for _, name := range lookAlikes() {
		if len(h.Values(name)) > 0 {
			return name
		}
	}
	return ""
}
