package text_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/text"
)

func TestValidEmail_Accepts(t *testing.T) {
	addresses := []string{
		"maria@exemplo.com.br",
		"MARIA.silva+notas@Exemplo.COM",
		"o'brien_x-y@sub.exemplo.co",
		"a@b.io",
		"123@456.com",
		"contato@açaí.com.br",
		"contato@xn--aa-4iaz.com.br",
		"contato@例え.jp",
		strings.Repeat("a", 64) + "@exemplo.com",
		"a@" + strings.Repeat("b", 63) + ".com",
		"a@" + strings.Repeat("b23456789.", 24) + "b2345.com.br",
	}
	for _, s := range addresses {
		if err := text.ValidEmail(s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
}

func TestValidEmail_RefusesWithStableCode(t *testing.T) {
	tests := map[string]text.EmailError{
		"":                           text.ErrEmailFormat,
		"maria":                      text.ErrEmailFormat,
		"@exemplo.com":               text.ErrEmailFormat,
		"maria@":                     text.ErrEmailFormat,
		"maria@@exemplo.com":         text.ErrEmailFormat,
		"a@b.com, c@d.com":           text.ErrEmailFormat,
		"Maria <maria@exemplo.com>":  text.ErrEmailLocal,
		" maria@exemplo.com":         text.ErrEmailLocal,
		"ma ria@exemplo.com":         text.ErrEmailLocal,
		`"maria"@exemplo.com`:        text.ErrEmailLocal,
		".maria@exemplo.com":         text.ErrEmailLocal,
		"maria.@exemplo.com":         text.ErrEmailLocal,
		"ma..ria@exemplo.com":        text.ErrEmailLocal,
		"joão@exemplo.com":           text.ErrEmailLocal,
		"maria\r\nBcc:x@exemplo.com": text.ErrEmailLocal,
		"maria\x00@exemplo.com":      text.ErrEmailLocal,
		"maria@exemplo":              text.ErrEmailDomain,
		"maria@exemplo.com.":         text.ErrEmailDomain,
		"maria@.exemplo.com":         text.ErrEmailDomain,
		"maria@exemplo..com":         text.ErrEmailDomain,
		"maria@-exemplo.com":         text.ErrEmailDomain,
		"maria@exemplo-.com":         text.ErrEmailDomain,
		"maria@exem_plo.com":         text.ErrEmailDomain,
		"maria@exemplo.com\n":        text.ErrEmailDomain,
		"maria@exem plo.com":         text.ErrEmailDomain,
		"maria@[127.0.0.1]":          text.ErrEmailDomain,
		"maria@127.0.0.1":            text.ErrEmailDomain,
		"maria@exemplo.c":            text.ErrEmailDomain,
		"maria@xn--.com":             text.ErrEmailDomain,

		strings.Repeat("a", 65) + "@exemplo.com":                  text.ErrEmailLength,
		"ab@" + strings.Repeat("b23456789.", 24) + "b2345.com.br": text.ErrEmailLength,
		"a@" + strings.Repeat("b", 64) + ".com":                   text.ErrEmailDomain,
		"a@" + strings.Repeat("b.", 100_000) + "com":              text.ErrEmailLength,
	}
	for s, want := range tests {
		if err := text.ValidEmail(s); !errors.Is(err, want) {
			t.Errorf("%.60q: got %v, want %v", s, err, want)
		}
	}
}

func TestNormalizeEmail_MakesEqualAddressesEqual(t *testing.T) {
	tests := map[string]string{
		"Maria@Exemplo.COM.br":   "maria@exemplo.com.br",
		" maria@exemplo.com.br ": "maria@exemplo.com.br",
		"a@AÇAÍ.com.br":          "a@xn--aa-4iaz.com.br",
		"a@ac\u0327ai\u0301.com": "a@xn--aa-4iaz.com",
		"a@XN--AA-4IAZ.com":      "a@xn--aa-4iaz.com",
		"Not An Address":         "not an address",
		"":                       "",
	}
	for in, want := range tests {
		if got := text.NormalizeEmail(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestNormalizeEmail_KeepsValidAddressesValidAndStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(
			rapid.StringMatching(`[A-Za-z0-9.+_-]{1,10}@([A-Za-z0-9áçÍß-]{1,8}\.){1,3}[A-Za-zé]{2,4}`),
			rapid.String(),
		).Draw(t, "s")

		once := text.NormalizeEmail(s)

		if again := text.NormalizeEmail(once); again != once {
			t.Fatalf("%q became %q", once, again)
		}
		if text.ValidEmail(s) == nil && text.ValidEmail(once) != nil {
			t.Fatalf("%q became the invalid %q", s, once)
		}
	})
}
