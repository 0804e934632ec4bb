package idempotency

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func FuzzParseKey(f *testing.F) {
	for _, seed := range [][2]string{
		{"5c1f2f6e-8a0c-4f0e-9b57-3f6d1b0a7c11", ""},
		{"a", "a "},
		{"a", "b"},
		{"", ""},
		{" \t", ""},
		{`"quoted"`, ""},
		{"a\x00b", ""},
		{"caf\xe9", ""},
		{"\u0085", ""},
		{"e\u0301", "\u00e9"},
		{strings.Repeat("é", 128), ""},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		values := []string{first}
		if second != "" {
			values = append(values, second)
		}

		key, present, err := ParseKey(values)

		if !present {
			t.Error("a key that was sent is absent")
		}
		if err != nil {
			if _, ok := errors.AsType[*KeyError](err); !ok || key != "" {
				t.Errorf("key %q, error %v", key, err)
			}
			return
		}
		if len(key) < 1 || len(key) > MaxKeyBytes || !utf8.ValidString(key) || strings.ContainsFunc(key, unicode.IsControl) {
			t.Errorf("accepted %q", key)
		}
		for _, value := range values {
			if strings.Trim(value, " \t") != key {
				t.Errorf("%q became %q", value, key)
			}
		}
		if again, _, err := ParseKey([]string{key}); again != key || err != nil {
			t.Errorf("%q is read again as %q, %v", key, again, err)
		}
	})
}

// FuzzDecodeParts checks that nothing but the output of Encode is accepted.
func FuzzDecodeParts(f *testing.F) {
	for _, body := range []string{"", `{"a":1,"b":2}`, `[1]`, `null`} {
		f.Add(testFingerprinter.Of(post(f, body)).Parts.Encode())
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, encoded []byte) {
		parts, err := DecodeParts(encoded)

		if err == nil && !bytes.Equal(parts.Encode(), encoded) {
			t.Errorf("%x is encoded again as %x", encoded, parts.Encode())
		}
		if places := Differs(parts, parts); places != nil {
			t.Errorf("parts differ from themselves in %q", places)
		}
	})
}
