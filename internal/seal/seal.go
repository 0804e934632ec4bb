// Package seal encrypts the few secrets that the server must read again, such
// as a TOTP secret or a payment provider's credentials, before they are stored.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
)

// ErrSealed is a sealed text that this key does not open, or that was sealed
// for another owner.
var ErrSealed = errors.New("sealed data cannot be opened")

// Sealer encrypts with AES-256-GCM. What it seals is bound to an owner: a row's
// secret that is copied to another row does not open there.
type Sealer struct{ aead cipher.AEAD }

// New returns the sealer of a key of 32 bytes.
func New(key []byte) (*Sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make the sealer: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("make the sealer: %w", err)
	}
	return &Sealer{aead}, nil
}

// Seal encrypts plain for its owner, such as the id of its row.
func (s *Sealer) Seal(plain, owner []byte) []byte {
	nonce := make([]byte, s.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails: it ends the program instead
	return s.aead.Seal(nonce, nonce, plain, owner)
}

// Open decrypts what Seal made for this owner, or returns ErrSealed.
func (s *Sealer) Open(sealed, owner []byte) ([]byte, error) {
	size := s.aead.NonceSize()
	if len(sealed) < size {
		return nil, ErrSealed
	}
	plain, err := s.aead.Open(nil, sealed[:size], sealed[size:], owner)
	if err != nil {
		return nil, ErrSealed
	}
	return plain, nil
}
