package seal_test

import (
	"bytes"
	"testing"

	"fatureihoje/internal/seal"
)

func TestOpen_OnlyWithItsKeyAndForItsOwner(t *testing.T) {
	t.Parallel()
	s, err := seal.New(bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	other, err := seal.New(bytes.Repeat([]byte{2}, 32))
	if err != nil {
		t.Fatal(err)
	}
	sealed := s.Seal([]byte("segredo"), []byte("ana"))
	damaged := bytes.Clone(sealed)
	damaged[len(damaged)-1] ^= 1

	if plain, err := s.Open(sealed, []byte("ana")); err != nil || string(plain) != "segredo" {
		t.Errorf("got %q, %v", plain, err)
	}
	if bytes.Equal(sealed, s.Seal([]byte("segredo"), []byte("ana"))) || bytes.Contains(sealed, []byte("segredo")) {
		t.Error("the sealed text gives its content away")
	}
	for name, open := range map[string]func() ([]byte, error){
		"another owner": func() ([]byte, error) { return s.Open(sealed, []byte("bia")) },
		"another key":   func() ([]byte, error) { return other.Open(sealed, []byte("ana")) },
		"damaged":       func() ([]byte, error) { return s.Open(damaged, []byte("ana")) },
		"short":         func() ([]byte, error) { return s.Open(sealed[:5], []byte("ana")) },
	} {
		if _, err := open(); err == nil {
			t.Errorf("%s opens it", name)
		}
	}
	if _, err := seal.New([]byte("short")); err == nil {
		t.Error("a short key was taken")
	}
}
