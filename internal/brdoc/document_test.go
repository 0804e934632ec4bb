package brdoc_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/brdoc"
)

func TestParseDocument_ReturnsNormalForm(t *testing.T) {
	tests := []struct {
		in     string
		want   brdoc.Document
		kind   brdoc.Kind
		format string
	}{
		{"52998224725", "52998224725", brdoc.CPF, "529.982.247-25"},
		{"529.982.247-25", "52998224725", brdoc.CPF, "529.982.247-25"},
		{"529982247-25", "52998224725", brdoc.CPF, "529.982.247-25"},
		{" 529.982.247-25\n", "52998224725", brdoc.CPF, "529.982.247-25"},
		{"000.000.001-91", "00000000191", brdoc.CPF, "000.000.001-91"},
		{"11.222.333/0001-81", "11222333000181", brdoc.CNPJ, "11.222.333/0001-81"},
		{"00.000.000/0001-91", "00000000000191", brdoc.CNPJ, "00.000.000/0001-91"},
		{"12.ABC.345/01DE-35", "12ABC34501DE35", brdoc.CNPJ, "12.ABC.345/01DE-35"},
		{"12.abc.345/01de-35", "12ABC34501DE35", brdoc.CNPJ, "12.ABC.345/01DE-35"},
		{"12ABC34501DE35", "12ABC34501DE35", brdoc.CNPJ, "12.ABC.345/01DE-35"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, err := brdoc.ParseDocument(tt.in)
			if err != nil {
				t.Fatal(err)
			}

			if got != tt.want || got.Kind() != tt.kind || got.Format() != tt.format {
				t.Errorf("got %q, %q, %q", got, got.Kind(), got.Format())
			}
		})
	}
}

func TestParseDocument_RefusesWithStableCode(t *testing.T) {
	tests := []struct {
		name, in string
		want     brdoc.Error
	}{
		{"empty", "", brdoc.ErrDocumentLength},
		{"ten digits", "5299822472", brdoc.ErrDocumentLength},
		{"twelve digits", "529982247250", brdoc.ErrDocumentLength},
		{"CPF that lost its zeros", "191", brdoc.ErrDocumentLength},
		{"very long", strings.Repeat("1", 10_000), brdoc.ErrDocumentLength},
		{"all ones", "111.111.111-11", brdoc.ErrDocumentRepeated},
		{"CPF of zeros", "00000000000", brdoc.ErrDocumentRepeated},
		{"CNPJ of zeros", "00.000.000/0000-00", brdoc.ErrDocumentRepeated},
		{"wrong CPF digit", "529.982.247-24", brdoc.ErrDocumentCheckDigits},
		{"wrong CNPJ digit", "11.222.333/0001-82", brdoc.ErrDocumentCheckDigits},
		{"wrong alphanumeric digit", "12.ABC.345/01DE-34", brdoc.ErrDocumentCheckDigits},
		{"letters as check digits", "12.ABC.345/01DE-3A", brdoc.ErrDocumentCharacters},
		{"letter in a CPF", "52998224A25", brdoc.ErrDocumentCharacters},
		{"separator out of place", "52.9982247-25", brdoc.ErrDocumentCharacters},
		{"doubled separator", "529..982.247-25", brdoc.ErrDocumentCharacters},
		{"trailing separator", "52998224725-", brdoc.ErrDocumentCharacters},
		{"CNPJ punctuation swapped", "11/222.333.0001-81", brdoc.ErrDocumentCharacters},
		{"inner space", "529 982 247 25", brdoc.ErrDocumentCharacters},
		{"comma", "529,982,247-25", brdoc.ErrDocumentCharacters},
		{"en dash", "529.982.247–25", brdoc.ErrDocumentCharacters},
		{"full-width digits", "５2998224725", brdoc.ErrDocumentCharacters},
		{"letter that upper-cases into ASCII", "12ABC3450ſDE35", brdoc.ErrDocumentCharacters},
		{"NUL", "52998224725\x00", brdoc.ErrDocumentCharacters},
		{"invalid UTF-8", "5299822472\xff", brdoc.ErrDocumentCharacters},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := brdoc.ParseDocument(tt.in)

			if !errors.Is(err, tt.want) || got != "" {
				t.Errorf("got %q, %v, want %v", got, err, tt.want)
			}
		})
	}
}

// A modulus 11 rest of 0 and of 1 both give the digit 0, so some documents have
// a neighbour that is valid too; these have none.
func TestParseDocument_CatchesAnySingleWrongDigit(t *testing.T) {
	for _, valid := range []string{"52998224725", "11222333000181", "12345678000195"} {
		for at := range valid {
			for digit := '0'; digit <= '9'; digit++ {
				changed := valid[:at] + string(digit) + valid[at+1:]
				_, err := brdoc.ParseDocument(changed)
				if changed != valid && !errors.Is(err, brdoc.ErrDocumentCheckDigits) {
					t.Errorf("%s for %s: %v", changed, valid, err)
				}
			}
		}
	}
}

func TestParseDocument_ReadsBackItsOwnFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)

		again, err := brdoc.ParseDocument(strings.ToLower(d.Format()))

		if err != nil || again != d {
			t.Fatalf("%q became %q, %v", d, again, err)
		}
	})
}

// drawDocument finds the check digits by trying all hundred, so that it shares
// no arithmetic with the code it tests.
func drawDocument(t *rapid.T) brdoc.Document {
	body := rapid.StringMatching(`[0-9]{9}|[0-9A-Z]{12}`).Draw(t, "body")
	var found []brdoc.Document
	for tens := '0'; tens <= '9'; tens++ {
		for ones := '0'; ones <= '9'; ones++ {
			if d, err := brdoc.ParseDocument(body + string(tens) + string(ones)); err == nil {
				found = append(found, d)
			}
		}
	}
	if strings.Count(body, body[:1]) == len(body) && len(found) == 0 {
		t.Skip("repeated digit")
	}
	if len(found) != 1 {
		t.Fatalf("%q has the documents %q, want one", body, found)
	}
	return found[0]
}

func TestMask_ShowsOnlyCheckDigits(t *testing.T) {
	tests := []struct {
		in   brdoc.Document
		want string
	}{
		{"52998224725", "***.***.***-25"},
		{"12ABC34501DE35", "**.***.***/****-35"},
		{"123", "***"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := brdoc.Mask(tt.in); got != tt.want {
			t.Errorf("Mask(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestError_HasCodeAndText(t *testing.T) {
	var coded interface{ Code() string }
	_, err := brdoc.ParseDocument("1")
	if !errors.As(err, &coded) || coded.Code() != "document_length" || err.Error() == coded.Code() {
		t.Errorf("got %v", err)
	}
}

func BenchmarkParseDocument(b *testing.B) {
	for _, in := range []string{"529.982.247-25", "12.abc.345/01DE-35"} {
		b.Run(in, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := brdoc.ParseDocument(in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
