package idempotency

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestParseKey_Accepts(t *testing.T) {
	longest := strings.Repeat("é", 127) + "x"
	cases := []struct {
		name   string
		values []string
		want   string
	}{
		{"a UUID", []string{"5c1f2f6e-8a0c-4f0e-9b57-3f6d1b0a7c11"}, "5c1f2f6e-8a0c-4f0e-9b57-3f6d1b0a7c11"},
		{"one byte", []string{"a"}, "a"},
		{"255 bytes", []string{longest}, longest},
		{"255 bytes after trimming", []string{" \t" + longest + "\t "}, longest},
		{"outer white space", []string{" \t order 12 \t"}, "order 12"},
		{"quotes, taken literally", []string{`"abc"`}, `"abc"`},
		{"a comma, taken literally", []string{"a, a"}, "a, a"},
		{"upper case, kept", []string{"ABC"}, "ABC"},
		{"a decomposed letter, kept", []string{"e\u0301"}, "e\u0301"},
		{"a replacement character that was sent", []string{"\ufffd"}, "\ufffd"},
		{"the first character after C1", []string{"\u00a0x"}, "\u00a0x"},
		{"one value three times", []string{"abc", "abc ", "\tabc"}, "abc"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			key, present, err := ParseKey(c.values)

			if key != c.want || !present || err != nil {
				t.Errorf("got %q, %t, %v", key, present, err)
			}
		})
	}
}

func TestParseKey_Refuses(t *testing.T) {
	cases := []struct {
		name   string
		values []string
		reason string
	}{
		{"an empty value", []string{""}, KeyEmpty},
		{"white space", []string{" \t "}, KeyEmpty},
		{"empty twice", []string{"", " "}, KeyEmpty},
		{"256 bytes", []string{strings.Repeat("k", 256)}, KeyTooLong},
		{"128 letters of two bytes", []string{strings.Repeat("é", 128)}, KeyTooLong},
		{"Latin-1", []string{"pre\xe7o"}, KeyEncoding},
		{"a C1 byte in Latin-1", []string{"a\x85"}, KeyEncoding},
		{"a surrogate", []string{"\xed\xa0\x80"}, KeyEncoding},
		{"a character cut off", []string{"caf\xc3"}, KeyEncoding},
		{"NUL", []string{"a\x00b"}, KeyControlCharacter},
		{"a tab inside", []string{"a\tb"}, KeyControlCharacter},
		{"a line feed at the end", []string{"a\n"}, KeyControlCharacter},
		{"DEL", []string{"a\x7f"}, KeyControlCharacter},
		{"the first of C1", []string{"a\u0080"}, KeyControlCharacter},
		{"NEL at the end", []string{"a\u0085"}, KeyControlCharacter},
		{"the last of C1", []string{"\u009fa"}, KeyControlCharacter},
		{"two values", []string{"secret-1", "secret-2"}, KeyAmbiguous},
		{"two values that differ in case", []string{"secret", "Secret"}, KeyAmbiguous},
		{"two values, one empty", []string{"secret", ""}, KeyAmbiguous},
		{"two forms of one text", []string{"\u00e9", "e\u0301"}, KeyAmbiguous},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			key, present, err := ParseKey(c.values)

			refused, ok := errors.AsType[*KeyError](err)
			if !ok || refused.Reason != c.reason || key != "" || !present {
				t.Fatalf("got %q, %t, %v", key, present, err)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the message shows the key: %v", err)
			}
		})
	}
}

func TestParseKey_AbsentIsNoError(t *testing.T) {
	for _, values := range [][]string{nil, {}} {
		if key, present, err := ParseKey(values); key != "" || present || err != nil {
			t.Errorf("got %q, %t, %v", key, present, err)
		}
	}
}

func TestLookAlike(t *testing.T) {
	for sent, want := range map[string]string{
		"x-idempotency-key": "X-Idempotency-Key",
		"X-IDEMPOTENCY":     "X-Idempotency",
		"Idempotent-Key":    "Idempotent-Key",
		"idempotence-key":   "Idempotence-Key",
		"Idempotency-Key":   "",
		"X-Request-Id":      "",
		"Idempotency":       "",
	} {
		h := http.Header{}
		h.Set(sent, "")

		if got := LookAlike(h); got != want {
			t.Errorf("%s looks like %q, want %q", sent, got, want)
		}
	}
}
