package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/google/uuid"

	"fatureihoje/internal/id"
)

// Kind is the purpose of a token, and its prefix. A token of one kind is never
// taken for another.
type Kind string

// The kinds of token. Every one carries its tenant, so that a look-up always
// names its tenant.
const (
	LiveKey    Kind = "fh_live_"
	TestKey    Kind = "fh_test_"
	Refresh    Kind = "fh_refresh_"
	Invitation Kind = "fh_invite_"
	Reset      Kind = "fh_reset_"
	PublicLink Kind = "fh_link_"
)

// ErrToken is a text that is not a token of the kind that was asked for: a
// typo, a truncation, or a guess. No database has to be asked.
var ErrToken = errors.New("not a valid token")

// Token is a credential that is shown once and stored only as a hash.
//
// Its text is the kind's prefix, the tenant's id and 32 random bytes, both in
// base62, and a CRC-32 of all that, so that a scanner can tell a leaked one and
// a mistyped one is refused at once. A Refresh token has its session's id behind
// the tenant's, so that an old one still finds the session that it was of.
type Token struct {
	Kind    Kind
	Tenant  uuid.UUID // of a Reset: the sign-in, which stands outside the tenants
	Session uuid.UUID // of a Refresh
	text    string
}

const (
	secretBytes     = 32
	idChars         = 22
	secretChars     = 43
	checksumChars   = 6
	tokenBodyLength = idChars + secretChars + checksumChars
)

// NewToken makes a token of a tenant.
func NewToken(kind Kind, tenant uuid.UUID) Token {
	return newToken(Token{Kind: kind, Tenant: tenant}, tenant[:])
}

// NewRefreshToken makes the refresh token of a session.
func NewRefreshToken(tenant, session uuid.UUID) Token {
	return newToken(Token{Kind: Refresh, Tenant: tenant, Session: session}, tenant[:], session[:])
}

func newToken(t Token, ids ...[]byte) Token {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails: it ends the program instead
	text := string(t.Kind)
	for _, part := range append(ids, secret) {
		text += id.EncodeBase62(part)
	}
	t.text = text + checksum(text)
	return t
}

// ParseToken reads a token of one of the kinds, or returns ErrToken.
func ParseToken(text string, kinds ...Kind) (Token, error) {
	for _, kind := range kinds {
		if body, ok := strings.CutPrefix(text, string(kind)); ok && len(body) == kind.bodyLength() {
			return parseToken(kind, body, text)
		}
	}
	return Token{}, ErrToken
}

func (k Kind) bodyLength() int {
	if k == Refresh {
		return idChars + tokenBodyLength
	}
	return tokenBodyLength
}

func parseToken(kind Kind, body, text string) (Token, error) {
	split := len(text) - checksumChars
	if checksum(text[:split]) != text[split:] {
		return Token{}, ErrToken
	}
	t := Token{Kind: kind, text: text}
	ids := []*uuid.UUID{&t.Tenant}
	if kind == Refresh {
		ids = append(ids, &t.Session)
	}
	for i, into := range ids {
		raw, err := id.DecodeBase62(body[i*idChars:(i+1)*idChars], len(uuid.UUID{}))
		if err != nil {
			return Token{}, ErrToken
		}
		*into = uuid.UUID(raw)
	}
	return t, nil
}

// Reveal returns the token's text, for the one answer that shows it.
func (t Token) Reveal() string { return t.text }

// Hash is what the database holds. The token has 256 random bits, so a plain
// hash cannot be searched for.
func (t Token) Hash() [sha256.Size]byte { return sha256.Sum256([]byte(t.text)) }

// Hint is the end of the token, by which its owner tells it from others.
func (t Token) Hint() string { return t.text[len(t.text)-4:] }

// String keeps a token out of logs.
func (t Token) String() string { return string(t.Kind) + "…" }

func checksum(text string) string {
	sum := uint64(crc32.ChecksumIEEE([]byte(text)))
	return fmt.Sprintf("%06s", base62(sum))
}

func base62(n uint64) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	var digits [11]byte
	at := len(digits)
	for n > 0 {
		at--
		digits[at] = alphabet[n%62]
		n /= 62
	}
	return string(digits[at:])
}
