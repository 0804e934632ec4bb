package auth

import (
	"net/netip"
	"slices"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// MaxAllowedIPs is how many networks one API key's list holds.
const MaxAllowedIPs = 50

// MaxGrace is the longest time that a rotated key may go on.
const MaxGrace = 7 * 24 * time.Hour

// IssuedKey is an API key as those who manage it see it: never its secret.
//
// A line is what rotation makes of one key: generations with the same name,
// scopes, member and limits, of which the newest is in use, and the one before
// it perhaps still in its grace.
type IssuedKey struct {
	ID                    uuid.UUID
	MemberID              uuid.UUID
	LineID                uuid.UUID
	Generation            int
	Name                  string
	Hint                  string // the end of the secret, to tell keys apart
	SecretHash            []byte
	Scopes                db.Texts
	AllowedIPs            db.Texts `gorm:"column:allowed_ips;type:cidr[]"` // empty: from anywhere
	RequireIdempotencyKey bool
	ExpiresAt             *time.Time
	EndsAt                *time.Time // dead from then on
	EndedReason           *string
	CreatedBy             uuid.UUID
	CreatedAt             time.Time
	UpdatedAt             time.Time
	Version               int64

	// At is the database's instant at which the key was read, by which its state
	// is told: authentication goes by the same clock.
	At         time.Time  `gorm:"->"`
	LastUsedAt *time.Time `gorm:"->"`
	LastIP     *string    `gorm:"->;column:last_ip"`
}

// The states of an API key.
const (
	KeyActive  = "active"
	KeyEnding  = "ending" // rotated, and in its grace
	KeyExpired = "expired"
	KeyRevoked = "revoked"
	KeyRotated = "rotated"
)

// Why an API key ended.
const (
	endedRevoked = "revoked"
	endedRotated = "rotated"
)

// State is what the key is now.
func (k *IssuedKey) State() string {
	switch {
	case k.EndsAt != nil && !k.EndsAt.After(k.At):
		if k.EndedReason != nil && *k.EndedReason == endedRotated {
			return KeyRotated
		}
		return KeyRevoked
	case k.ExpiresAt != nil && !k.ExpiresAt.After(k.At):
		return KeyExpired
	case k.EndsAt != nil:
		return KeyEnding
	}
	return KeyActive
}

// Lives reports that the key opens the API now.
func (k *IssuedKey) Lives() bool {
	s := k.State()
	return s == KeyActive || s == KeyEnding
}

// refuseDead is the problem of an action on a key that has ended.
func (k *IssuedKey) refuseDead() error {
	if k.Lives() {
		return nil
	}
	return &problem.Error{Code: problem.InvalidState, Current: k.State(), Allowed: []string{}}
}

// end has the key die at an instant, unless it dies earlier anyway.
func (k *IssuedKey) end(at time.Time, reason string) {
	if k.EndsAt == nil || k.EndsAt.After(at) {
		k.EndsAt, k.EndedReason = &at, &reason
	}
}

// NewKey is what a creation asks for.
type NewKey struct {
	Name                  string
	Scopes                []Permission
	MemberID              *uuid.UUID // nil: the caller
	ExpiresAt             *time.Time
	AllowedIPs            []string
	RequireIdempotencyKey bool

	Token *Token // nil: a new one
}

// KeyChanges are the members of a PATCH of an API key.
type KeyChanges struct {
	Name                  opt.Field[string]
	Scopes                opt.Field[[]Permission]
	ExpiresAt             opt.Field[time.Time]
	AllowedIPs            opt.Field[[]string]
	RequireIdempotencyKey opt.Field[bool]
}

// KeyFilter selects API keys of a list; zero values select all.
type KeyFilter struct {
	MemberID uuid.UUID
	LineID   uuid.UUID
	Living   *bool
	Page     page.Request
}

// apply changes k, and collects what is wrong with the changes.
func (k *IssuedKey) apply(ch KeyChanges, f *problem.Fields) {
	if name, ok := ch.Name.Value(); ok {
		k.Name = name
	}
	if scopes, ok := ch.Scopes.Value(); ok {
		checkScopes(f, scopes)
		k.Scopes = scopes
	}
	if ch.ExpiresAt.IsSet() {
		k.ExpiresAt = ch.ExpiresAt.Or(nil)
		checkExpiry(f, k.ExpiresAt, k.At)
	}
	if ch.AllowedIPs.IsSet() {
		list, _ := ch.AllowedIPs.Value()
		k.AllowedIPs = networks(f, list)
	}
	if require, ok := ch.RequireIdempotencyKey.Value(); ok {
		k.RequireIdempotencyKey = require
	}
}

func checkScopes(f *problem.Fields, scopes []Permission) {
	unknown := Unknown(scopes)
	for i, p := range scopes {
		if slices.Contains(unknown, p) {
			f.Add(problem.At("/scopes", i), "unknown_permission", problem.T("Esta permissão não existe.", "This permission does not exist."))
		}
	}
}

func checkExpiry(f *problem.Fields, at *time.Time, now time.Time) {
	if at != nil && !at.After(now) {
		f.Add("/expires_at", "past", problem.T("A validade já passou.", "The expiry is in the past."))
	}
}

// networks reads a list of networks and single addresses into the form in which
// PostgreSQL keeps a cidr: 10.1.2.3/8 is 10.0.0.0/8, an address is its own
// network, and an IPv4 address in IPv6 clothes is the IPv4 address.
func networks(f *problem.Fields, list []string) []string {
	read := []string{}
	for i, text := range list {
		prefix, err := parseNetwork(text)
		if err != nil {
			f.Add(problem.At("/allowed_ips", i), "network", problem.T(
				"Informe um endereço IP ou uma rede, como 203.0.113.0/24.", "Give an IP address or a network, such as 203.0.113.0/24."))
			continue
		}
		if canonical := prefix.String(); !slices.Contains(read, canonical) {
			read = append(read, canonical)
		}
	}
	return read
}

func parseNetwork(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.WithZone("").Unmap()
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		return prefix, err
	}
	const mapped = 96 // the bits in front of an IPv4 address in IPv6 clothes
	if prefix.Addr().Is4In6() && prefix.Bits() >= mapped {
		prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-mapped)
	}
	return prefix.Masked(), nil
}
