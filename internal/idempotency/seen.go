package idempotency

import (
	"crypto/sha256"
	"sync"
)

// Hint names a key before its space is known: by the credential and its text.
type Hint [16]byte

// HintOf returns the hint of a credential's key.
func HintOf(credential, key string) Hint {
	h := sha256.New()
	h.Write([]byte(credential))
	h.Write([]byte{0})
	h.Write([]byte(key))
	return Hint(h.Sum(nil)[:len(Hint{})])
}

// seen remembers which keys this process has answered lately. It decides
// nothing: for a key that is in it, a claim does not open a transaction ahead
// that a replay would only have to close again. Two generations bound it.
type seen struct {
	mu         sync.Mutex
	young, old map[Hint]struct{}
}

// maxSeen is the size of one generation.
const maxSeen = 50_000

func newSeen() *seen { return &seen{young: map[Hint]struct{}{}} }

// Answered reports whether this process has lately answered the key.
func (e *Engine) Answered(h Hint) bool {
	e.seen.mu.Lock()
	defer e.seen.mu.Unlock()
	_, young := e.seen.young[h]
	_, old := e.seen.old[h]
	return young || old
}

// Remember notes that the key has an answer.
func (e *Engine) Remember(h Hint) {
	e.seen.mu.Lock()
	defer e.seen.mu.Unlock()
	if len(e.seen.young) >= maxSeen {
		e.seen.old, e.seen.young = e.seen.young, map[Hint]struct{}{}
	}
	e.seen.young[h] = struct{}{}
}
