package management_test

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"testing"

	"github.com/google/uuid"
)

func prefixes(list ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(list))
	for i, text := range list {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

// address is one of many client addresses.
func address(n int) string { return fmt.Sprintf("198.51.100.%d", n%250+1) }

func uuidOf(t *testing.T, text string) uuid.UUID {
	t.Helper()
	u, err := uuid.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// hexOf is how a bytea that holds the text would be printed.
func hexOf(text string) string { return hex.EncodeToString([]byte(text)) }
