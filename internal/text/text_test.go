package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"fatureihoje/internal/text"
)

func TestNormalize(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"composed", "Caf\u00e9", "Caf\u00e9"},
		{"decomposed", "Cafe\u0301", "Caf\u00e9"},
		{"outer white space", "\t\u00a0 Ana\u3000\r\n", "Ana"},
		{"inner white space kept", "Ana  Maria\nSilva", "Ana  Maria\nSilva"},
		{"compatibility forms kept", "nº ﬁ Ａ", "nº ﬁ Ａ"},
		{"zero width kept", "\u200bAna", "\u200bAna"},
		{"only white space", " \u2003\t", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := text.Normalize(tt.in); got != tt.want {
				t.Errorf("got %+q, want %+q", got, tt.want)
			}
		})
	}
}

func TestNormalize_IsStableAndBlindToComposition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawText(t)

		once := text.Normalize(s)

		if again := text.Normalize(once); again != once {
			t.Fatalf("%+q became %+q", once, again)
		}
		if other := text.Normalize(norm.NFD.String(s)); other != once {
			t.Fatalf("composed %+q, decomposed %+q", once, other)
		}
	})
}

func TestVisible(t *testing.T) {
	for _, s := range []string{"a", " a ", "0", ".", "é", "日", "🙂", "👩\u200d🔧", "\u200ba", "\U0001FAE9", "\u0301"} {
		if !text.Visible(s) {
			t.Errorf("%+q is taken for invisible", s)
		}
	}
	invisible := map[string]string{
		"empty":               "",
		"spaces":              " \t\r\n\u00a0\u2003\u3000\u0085\u2028",
		"zero width":          "\u200b\u200c\u200d\u2060",
		"byte order mark":     "\ufeff",
		"soft hyphen":         "\u00ad",
		"Hangul fillers":      "\u115f\u1160\u3164\uffa0",
		"grapheme joiner":     "\u034f",
		"directions":          "\u200e\u202e\u2066\u061c",
		"variation selectors": "\ufe0f\U000e0100\u180b",
		"tags":                "\U000e0001\U000e0041",
		"Khmer vowels":        "\u17b4\u17b5",
		"Mongolian separator": "\u180e",
		"Braille blank":       "\u2800",
		"controls":            "\x00\x07\x1b",
	}
	for name, s := range invisible {
		if text.Visible(s) {
			t.Errorf("%s is taken for visible", name)
		}
	}
}

func TestHasNUL(t *testing.T) {
	for s, want := range map[string]bool{"": false, "a": false, "0": false, "\x00": true, "a\x00b": true} {
		if text.HasNUL(s) != want {
			t.Errorf("%q: want %t", s, want)
		}
	}
}

func TestLength_CountsCharacters(t *testing.T) {
	for s, want := range map[string]int{"": 0, "João": 4, "日本": 2, "🙂": 1} {
		if got := text.Length(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}

func TestDigits(t *testing.T) {
	for s, want := range map[string]string{"": "", "(11) 91234-5678": "11912345678", "abc": "", "１2": "2"} {
		if got := text.Digits(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"no letters", " .-/ \u200b", nil},
		{"accents and case", "JOÃO da Conceição", []string{"joao", "da", "conceicao"}},
		{"decomposed", "Joa\u0303o", []string{"joao"}},
		{"split at punctuation", "Silva&Filhos-ME, 2.ª via", []string{"silva", "filhos", "me", "2", "a", "via"}},
		{"distinct, first order", "sol Sól lua SOL", []string{"sol", "lua"}},
		{"letters with digits", "iPhone15", []string{"iphone15"}},
		{"compatibility forms", "ＡＢＣ ﬁm nº", []string{"abc", "fim", "no"}},
		{"Turkish dotted I", "İSTANBUL", []string{"istanbul"}},
		{"cut", strings.Repeat("ã", 50), []string{strings.Repeat("a", 40)}},
		{"equal once cut", strings.Repeat("a", 41) + " " + strings.Repeat("a", 42), []string{strings.Repeat("a", 40)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := text.Tokens(tt.in); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTokens_AreTheirOwnTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawText(t)

		tokens := text.Tokens(s)

		if again := text.Tokens(strings.Join(tokens, " ")); !slices.Equal(again, tokens) {
			t.Fatalf("%+q became %+q", tokens, again)
		}
		if other := text.Tokens(text.Normalize(s)); !slices.Equal(other, tokens) {
			t.Fatalf("%+q, normalised %+q", tokens, other)
		}
		for _, token := range tokens {
			if token == "" || utf8.RuneCountInString(token) > 40 {
				t.Fatalf("token %q", token)
			}
		}
	})
}

// drawText mixes any text with one rich in accents, marks, spaces and the
// characters that fold oddly.
func drawText(t *rapid.T) string {
	tricky := rapid.SampledFrom([]rune("aAéÉe\u0301\u0303\u0327 \u00a0\u200bİıſK\u2126ßẞǅﬁºª½Σς가ᄀ\u1161ガ.-1９"))
	return rapid.OneOf(rapid.String(), rapid.StringOf(tricky)).Draw(t, "s")
}
