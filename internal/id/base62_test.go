package id_test

import (
	"bytes"
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/id"
)

func TestEncodeBase62_AtTheLimits(t *testing.T) {
	tests := []struct {
		name string
		in   []byte
		want string
	}{
		{"nothing", nil, ""},
		{"one byte", []byte{61}, "0z"},
		{"16 zeros", make([]byte, 16), strings.Repeat("0", 22)},
		{"16 ones", bytes.Repeat([]byte{0xff}, 16), "7n42DGM5Tflk9n8mt7Fhc7"},
		{"32 zeros", make([]byte, 32), strings.Repeat("0", 43)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := id.EncodeBase62(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestBase62_RoundTripsAtItsFixedLength(t *testing.T) {
	lengths := map[int]int{16: 22, 32: 43}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{16, 32, 0, 1, 5, 33, 64}).Draw(t, "size")
		b := drawBytes(t, size)

		text := id.EncodeBase62(b)
		back, err := id.DecodeBase62(text, size)

		if err != nil || !bytes.Equal(back, b) {
			t.Fatalf("%x became %s, then %x, %v", b, text, back, err)
		}
		if want, fixed := lengths[size]; fixed && len(text) != want {
			t.Fatalf("%d bytes became %d characters", size, len(text))
		}
	})
}

func TestBase62_SortsAsItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawBytes(t, 16), drawBytes(t, 16)

		if bytes.Compare(a, b) != strings.Compare(id.EncodeBase62(a), id.EncodeBase62(b)) {
			t.Fatalf("%x and %x", a, b)
		}
	})
}

func TestDecodeBase62_AcceptsExactlyTheTextsOfItsBytes(t *testing.T) {
	limit := new(big.Int).Lsh(big.NewInt(1), 128)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9A-Za-z]{22}`).Draw(t, "text")

		b, err := id.DecodeBase62(text, 16)

		if value := base62Value(text); value.Cmp(limit) >= 0 {
			if !errors.Is(err, id.ErrBase62Overflow) {
				t.Fatalf("got %x, %v", b, err)
			}
		} else if err != nil || new(big.Int).SetBytes(b).Cmp(value) != 0 || id.EncodeBase62(b) != text {
			t.Fatalf("got %x, %v", b, err)
		}
	})
}

func TestDecodeBase62_RefusesWithTypedErrors(t *testing.T) {
	const largest = "7n42DGM5Tflk9n8mt7Fhc7"
	tests := []struct {
		name, in string
		size     int
		want     error
	}{
		{"largest", largest, 16, nil},
		{"one above", "7n42DGM5Tflk9n8mt7Fhc8", 16, id.ErrBase62Overflow},
		{"all z", strings.Repeat("z", 22), 16, id.ErrBase62Overflow},
		{"all z, 32 bytes", strings.Repeat("z", 43), 32, id.ErrBase62Overflow},
		{"empty", "", 16, id.ErrBase62Length},
		{"short", largest[1:], 16, id.ErrBase62Length},
		{"long", "0" + largest, 16, id.ErrBase62Length},
		{"length of another size", largest, 32, id.ErrBase62Length},
		{"negative size", "", -1, id.ErrBase62Length},
		{"hyphen", largest[:21] + "-", 16, id.ErrBase62Alphabet},
		{"accent", largest[:20] + "é", 16, id.ErrBase62Alphabet},
		{"NUL", largest[:21] + "\x00", 16, id.ErrBase62Alphabet},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := id.DecodeBase62(tt.in, tt.size)
			if !errors.Is(err, tt.want) || (err != nil && got != nil) {
				t.Errorf("got %x, %v, want %v", got, err, tt.want)
			}
		})
	}
}

// The race detector costs the encoder one more.
func TestBase62_AllocatesNoMoreThanItsResult(t *testing.T) {
	secret := bytes.Repeat([]byte{0xab}, 32)
	text := id.EncodeBase62(secret)

	encode := testing.AllocsPerRun(100, func() { id.EncodeBase62(secret) })
	decode := testing.AllocsPerRun(100, func() { _, _ = id.DecodeBase62(text, 32) })

	if encode > 2 || decode > 1 {
		t.Errorf("encoding allocates %v times, decoding %v", encode, decode)
	}
}

// base62Value reads text by the arithmetic of math/big, whose own alphabet has
// the lower case first.
func base62Value(text string) *big.Int {
	swapped := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, text)
	value, _ := new(big.Int).SetString(swapped, 62)
	return value
}

func drawBytes(t *rapid.T, size int) []byte {
	return rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "bytes")
}

func BenchmarkEncodeBase62(b *testing.B) {
	secret := bytes.Repeat([]byte{0xab}, 32)
	b.ReportAllocs()
	for b.Loop() {
		id.EncodeBase62(secret)
	}
}

func BenchmarkDecodeBase62(b *testing.B) {
	text := id.EncodeBase62(bytes.Repeat([]byte{0xab}, 32))
	b.ReportAllocs()
	for b.Loop() {
		_, _ = id.DecodeBase62(text, 32)
	}
}
