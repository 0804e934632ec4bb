package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/argon2"
)

// The cost of a hash: 19 MiB and two passes, the smallest that OWASP's password
// storage cheat sheet has for argon2id.
const (
	argonMemory  = 19 * 1024 // KiB
	argonPasses  = 2
	argonThreads = 1
	argonSalt    = 16
	argonSum     = 32
)

// hashesAtOnce bounds the memory and the processors that sign-ins can take from
// the other requests.
const hashesAtOnce = 2

// Passwords hashes passwords, and compares them with their hashes.
type Passwords struct {
	slots  chan struct{}
	hashed atomic.Int64
}

// NewPasswords returns a hasher that works on two passwords at a time.
func NewPasswords() *Passwords { return &Passwords{slots: make(chan struct{}, hashesAtOnce)} }

// Hashed is how many hashes were computed so far.
func (p *Passwords) Hashed() int64 { return p.hashed.Load() }

// Hash returns the hash of a password, in the PHC string format.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	h := phc{memory: argonMemory, passes: argonPasses, threads: argonThreads, salt: make([]byte, argonSalt)}
	_, _ = rand.Read(h.salt) // never fails: it ends the program instead
	sum, err := p.sum(ctx, password, h)
	if err != nil {
		return "", err
	}
	h.sum = sum
	return h.String(), nil
}

// Matches reports whether hash is the password's. An empty hash, of a sign-in
// that does not exist, matches none and takes the same time.
func (p *Passwords) Matches(ctx context.Context, password, hash string) (bool, error) {
	h := nobody()
	if hash != "" {
		var err error
		if h, err = parsePHC(hash); err != nil {
			return false, err
		}
	}
	sum, err := p.sum(ctx, password, h)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(sum, h.sum) == 1, nil
}

// sum computes a hash, after waiting for its turn.
func (p *Passwords) sum(ctx context.Context, password string, h phc) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("wait to hash a password: %w", err)
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
	defer func() { <-p.slots }()
	p.hashed.Add(1)
	return argon2.IDKey([]byte(password), h.salt, h.passes, h.memory, h.threads, argonSum), nil
}

// phc is a hash with what it was made from. A hash of an older cost stays
// readable when the cost is raised.
type phc struct {
	memory  uint32
	passes  uint32
	threads uint8
	salt    []byte
	sum     []byte
}

// nobody is the hash that no password has: its sum is random.
func nobody() phc {
	h := phc{memory: argonMemory, passes: argonPasses, threads: argonThreads, salt: make([]byte, argonSalt), sum: make([]byte, argonSum)}
	_, _ = rand.Read(h.salt)
	_, _ = rand.Read(h.sum)
	return h
}

func (h phc) String() string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, h.passes, h.threads,
		b64.EncodeToString(h.salt), b64.EncodeToString(h.sum))
}

var errPHC = errors.New("a stored password hash cannot be read")

func parsePHC(text string) (h phc, err error) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, errPHC
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.threads); err != nil {
		return h, errPHC
	}
	var saltErr, sumErr error
	h.salt, saltErr = base64.RawStdEncoding.DecodeString(parts[4])
	h.sum, sumErr = base64.RawStdEncoding.DecodeString(parts[5])
	if saltErr != nil || sumErr != nil || len(h.sum) != argonSum {
		return h, errPHC
	}
	return h, nil
}
