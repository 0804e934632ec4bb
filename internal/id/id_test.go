package id_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"fatureihoje/internal/id"
)

func TestNew_GrowsAndIsVersion7(t *testing.T) {
	previous := id.New()
	for range 1000 {
		next := id.New()
		if next.Version() != 7 || next.Variant() != uuid.RFC4122 || next.String() <= previous.String() {
			t.Fatalf("%s after %s", next, previous)
		}
		previous = next
	}
}

func TestParse_AcceptsOneFormInAnyCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := uuid.UUID(drawBytes(t, 16))

		lower, errLower := id.Parse(want.String())
		upper, errUpper := id.Parse(strings.ToUpper(want.String()))

		if lower != want || upper != want || errLower != nil || errUpper != nil {
			t.Fatalf("%s: %s, %v, %s, %v", want, lower, errLower, upper, errUpper)
		}
	})
}

func TestParse_RefusesOtherForms(t *testing.T) {
	const valid = "01957a3c-5b1e-7c3d-8f2a-9b4e6d7c8a01"
	for _, s := range []string{
		"", " ", "1", "null",
		"{" + valid + "}",
		"urn:uuid:" + valid,
		strings.ReplaceAll(valid, "-", ""),
		valid + " ",
		" " + valid[1:],
		valid[:35] + "g",
		valid[:35],
		strings.Replace(valid, "-", "_", 1),
		"01957a3c5-b1e-7c3d-8f2a-9b4e6d7c8a01",
		"' OR 1=1 --" + valid[11:],
	} {
		if got, err := id.Parse(s); !errors.Is(err, id.ErrUUID) || got != uuid.Nil {
			t.Errorf("%q: got %s, %v", s, got, err)
		}
	}
}
