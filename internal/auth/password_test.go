package auth_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fatureihoje/internal/auth"
)

func TestPasswords_MatchTheirHashAlone(t *testing.T) {
	t.Parallel()
	p := auth.NewPasswords()
	hash, err := p.Hash(t.Context(), "cavalo-bateria")
	if err != nil {
		t.Fatal(err)
	}

	for password, want := range map[string]bool{"cavalo-bateria": true, "Cavalo-bateria": false, "": false} {
		if got, err := p.Matches(t.Context(), password, hash); got != want || err != nil {
			t.Errorf("%q: %v, %v", password, got, err)
		}
	}
	if got, err := p.Matches(t.Context(), "", ""); got || err != nil {
		t.Errorf("nobody's password matches: %v, %v", got, err)
	}
	if p.Hashed() != 5 {
		t.Errorf("%d hashes were computed", p.Hashed())
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("the hash is %s", hash)
	}
	other, _ := p.Hash(t.Context(), "cavalo-bateria")
	if other == hash {
		t.Error("two hashes of one password are equal")
	}
	for _, broken := range []string{"!", "$argon2i$v=19$m=1,t=1,p=1$YQ$YQ", "$argon2id$v=19$m=19456,t=2,p=1$YQ$YQ"} {
		if _, err := p.Matches(t.Context(), "x", broken); err == nil {
			t.Errorf("%q was read", broken)
		}
	}
}

func TestPasswords_NothingIsHashedForARequestThatHasEnded(t *testing.T) {
	t.Parallel()
	p := auth.NewPasswords()
	gone, cancel := context.WithCancel(t.Context())
	cancel()

	_, err := p.Hash(gone, "x")

	if !errors.Is(err, context.Canceled) || p.Hashed() != 0 {
		t.Errorf("got %v after %d hashes", err, p.Hashed())
	}
}
