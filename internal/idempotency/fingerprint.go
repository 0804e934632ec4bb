package idempotency

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"maps"
	"slices"
	"strings"
	"sync"

	"fatureihoje/internal/jsonval"
)

// Request is what makes two requests with one key the same request.
type Request struct {
	Method string         // upper case
	Path   string         // as routed: lower case, without a trailing slash
	Query  string         // the text after '?', as sent
	Body   *jsonval.Value // nil for an absent or an empty body, which is the same as {}
}

// Version is the canonical form that new fingerprints are made with.
const Version int16 = 1

// Fingerprint is what is kept of a request to recognise its repetition. Two
// requests are the same if Version and Sum are.
type Fingerprint struct {
	Version int16
	Sum     [32]byte
	Parts   Parts
}

// forms holds every canonical form that a stored row may have been made with.
//
// A canonical form never changes, for a deployed change would turn the retries
// of a day into idempotency_key_reused. To improve one, write its successor
// beside it, add that here, and raise Version: new rows use it, while a row of
// an older version is compared by Sum or FingerprintAs of that version. A form
// may be removed 24 hours (the retention of keys) after the last server that
// wrote it has stopped. The golden test pins each form.
var forms = map[int16]form{ //nolint:gochecknoglobals // a table, read only
	1: {target: (*canonical).targetV1, query: (*canonical).queryV1, value: (*canonical).valueV1},
}

// form writes the parts of a request. Each must be injective and end where it
// can be told from its own bytes, so that their concatenation is injective too.
type form struct {
	target func(*canonical, Request) // method and path
	query  func(*canonical, Request)
	value  func(*canonical, *jsonval.Value) // the body, or a value in it
}

// Fingerprinter computes fingerprints. It may be used by many goroutines.
type Fingerprinter struct {
	macs sync.Pool
}

// NewFingerprinter returns a Fingerprinter whose parts are keyed by secret. The
// sums do not depend on it: after a change of the secret repetitions are still
// recognised, and only Differs names too much for a day.
func NewFingerprinter(secret []byte) *Fingerprinter {
	secret = bytes.Clone(secret)
	return &Fingerprinter{sync.Pool{New: func() any { return hmac.New(sha256.New, secret) }}}
}

// Of returns the fingerprint of r in the current version.
func (f *Fingerprinter) Of(r Request) Fingerprint {
	fingerprint, _ := f.FingerprintAs(Version, r)
	return fingerprint
}

// FingerprintAs returns the fingerprint of r as an older version made it, whose
// parts can be compared with those stored then; false if it is unknown.
func (f *Fingerprinter) FingerprintAs(version int16, r Request) (Fingerprint, bool) {
	form, ok := forms[version]
	if !ok {
		return Fingerprint{}, false
	}
	c := newCanonical()
	defer c.release()
	return Fingerprint{version, form.sum(c, version, r), f.parts(c, version, r)}, true
}

// Sum returns only the sum of r under version; false if that is unknown.
func (f *Fingerprinter) Sum(version int16, r Request) ([32]byte, bool) {
	form, ok := forms[version]
	if !ok {
		return [32]byte{}, false
	}
	c := newCanonical()
	defer c.release()
	return form.sum(c, version, r), true
}

func (form form) sum(c *canonical, version int16, r Request) [32]byte {
	c.reset()
	c.buf = binary.BigEndian.AppendUint16(c.buf, uint16(version)) //nolint:gosec // small and positive
	form.target(c, r)
	form.query(c, r)
	form.value(c, bodyOf(r))
	return sha256.Sum256(c.buf)
}

// bodyOf makes an absent body an empty object.
func bodyOf(r Request) *jsonval.Value {
	if r.Body != nil {
		return r.Body
	}
	empty, _ := jsonval.Parse([]byte("{}"))
	return &empty
}

// canonical is the work space in which a canonical form is written.
type canonical struct {
	buf   []byte
	order []*jsonval.Member // members being sorted, a stack
	mac   []byte
}

var canonicals = sync.Pool{New: func() any { return new(canonical) }}

func newCanonical() *canonical { return canonicals.Get().(*canonical) }

// release gives c back, but not the memory that a large body made it take.
func (c *canonical) release() {
	if cap(c.buf) > 64<<10 || cap(c.order) > 1<<10 {
		*c = canonical{}
	}
	canonicals.Put(c)
}

func (c *canonical) reset() { c.buf = c.buf[:0] }

// text writes s behind its length.
func (c *canonical) text(s string) {
	c.buf = binary.AppendUvarint(c.buf, uint64(len(s)))
	c.buf = append(c.buf, s...)
}

func (c *canonical) targetV1(r Request) {
	c.text(r.Method)
	c.text(r.Path)
}

func (c *canonical) queryV1(r Request) { c.text(r.Query) }

// valueV1 writes v as a byte for its kind, then its content: numbers up to a
// semicolon, all else behind its length or its count.
func (c *canonical) valueV1(v *jsonval.Value) {
	switch v.Kind() {
	case jsonval.KindNull:
		c.buf = append(c.buf, 'n')
	case jsonval.KindBool:
		c.boolV1(v.Bool())
	case jsonval.KindNumber:
		c.buf = append(c.buf, '#')
		c.buf = v.Number().AppendCanonical(c.buf)
		c.buf = append(c.buf, ';')
	case jsonval.KindString:
		c.buf = append(c.buf, '"')
		c.text(v.Text())
	case jsonval.KindArray:
		c.arrayV1(v.Items())
	case jsonval.KindObject:
		c.objectV1(v.Members())
	}
}

func (c *canonical) boolV1(b bool) {
	if b {
		c.buf = append(c.buf, 't')
	} else {
		c.buf = append(c.buf, 'f')
	}
}

func (c *canonical) arrayV1(items []jsonval.Value) {
	c.buf = append(c.buf, '[')
	c.buf = binary.AppendUvarint(c.buf, uint64(len(items)))
	for i := range items {
		c.valueV1(&items[i])
	}
}

// objectV1 writes the members in the order of the bytes of their names.
func (c *canonical) objectV1(members []jsonval.Member) {
	c.buf = append(c.buf, '{')
	c.buf = binary.AppendUvarint(c.buf, uint64(len(members)))
	base := len(c.order)
	for i := range members {
		c.order = append(c.order, &members[i])
	}
	slices.SortFunc(c.order[base:], func(a, b *jsonval.Member) int { return strings.Compare(a.Name, b.Name) })
	for i := range members {
		m := c.order[base+i]
		c.text(m.Name)
		c.valueV1(&m.Value)
	}
	clear(c.order[base:])
	c.order = c.order[:base]
}

// Parts locate a difference between two requests without holding a value of
// either: a keyed hash of the method and path, of the query, and of each member
// of the body. The names of members are kept as text.
//
// A body that is no object, or has more than 64 members or a name of more than
// 64 bytes, is kept as one hash.
type Parts struct {
	version int16
	target  partHash
	query   partHash

	byMember bool
	members  []memberPart // if byMember, ordered by name
	body     partHash     // if not byMember
}

const (
	maxPartMembers   = 64
	maxPartNameBytes = 64
)

// partHash is HMAC-SHA256, cut: enough to tell two values of one client apart,
// and keyed because a hash of an amount or a tax number is easily guessed.
type partHash [8]byte

type memberPart struct {
	name string
	hash partHash
}

func (f *Fingerprinter) parts(c *canonical, version int16, r Request) Parts {
	form, body := forms[version], bodyOf(r)
	mac := f.macs.Get().(hash.Hash)
	defer f.macs.Put(mac)

	// A label keeps equal bytes in different places from having equal hashes; for
	// a member, so does its name.
	hashOf := func(label byte, write func()) partHash {
		c.reset()
		c.buf = append(c.buf, label)
		write()
		return c.keyedHash(mac)
	}
	p := Parts{
		version:  version,
		target:   hashOf('p', func() { form.target(c, r) }),
		query:    hashOf('q', func() { form.query(c, r) }),
		byMember: listsMembers(body),
	}
	if !p.byMember {
		p.body = hashOf('b', func() { form.value(c, body) })
		return p
	}
	members := body.Members()
	p.members = make([]memberPart, len(members))
	for i := range members {
		m := &members[i]
		p.members[i] = memberPart{m.Name, hashOf('m', func() { c.text(m.Name); form.value(c, &m.Value) })}
	}
	slices.SortFunc(p.members, func(a, b memberPart) int { return strings.Compare(a.name, b.name) })
	return p
}

// keyedHash returns the hash of what has been written.
func (c *canonical) keyedHash(mac hash.Hash) partHash {
	mac.Reset()
	mac.Write(c.buf)
	c.mac = mac.Sum(c.mac[:0])
	return partHash(c.mac[:len(partHash{})])
}

func listsMembers(body *jsonval.Value) bool {
	tooLong := func(m jsonval.Member) bool { return len(m.Name) > maxPartNameBytes }
	members := body.Members()
	return body.Kind() == jsonval.KindObject && len(members) <= maxPartMembers && !slices.ContainsFunc(members, tooLong)
}

// Differs says where two requests differ: "path" (or the method), "query", then
// "body", or "body/" and the name of each member that is not the same or is in
// only one of them, escaped as in a JSON pointer. Parts of two versions, or of
// two secrets, cannot be compared: the former differ nowhere, the latter
// everywhere.
func Differs(stored, now Parts) []string {
	if stored.version != now.version {
		return nil
	}
	var places []string
	if stored.target != now.target {
		places = append(places, "path")
	}
	if stored.query != now.query {
		places = append(places, "query")
	}
	if stored.byMember && now.byMember {
		for _, name := range differingMembers(stored.members, now.members) {
			places = append(places, "body/"+pointerEscaper.Replace(name))
		}
	} else if stored.byMember != now.byMember || stored.body != now.body {
		places = append(places, "body")
	}
	return places
}

// differingMembers returns the names that the two lists do not have in common,
// hash included, in order.
func differingMembers(stored, now []memberPart) []string {
	hashes := make(map[string]partHash, len(now))
	for _, m := range now {
		hashes[m.name] = m.hash
	}
	var names []string
	for _, m := range stored {
		if hash, found := hashes[m.name]; !found || hash != m.hash {
			names = append(names, m.name)
		}
		delete(hashes, m.name)
	}
	names = slices.AppendSeq(names, maps.Keys(hashes))
	slices.Sort(names)
	return names
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// wholeBody stands where the number of members does, for a body kept as one hash.
const wholeBody = 0xff

// Encode returns p as bytes to be stored: the version, the hashes of target and
// query, the number of members, then each as the length of its name, the name
// and its hash.
func (p Parts) Encode() []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(p.version)) //nolint:gosec // small and positive
	b = append(b, p.target[:]...)
	b = append(b, p.query[:]...)
	if !p.byMember {
		b = append(b, wholeBody)
		return append(b, p.body[:]...)
	}
	b = append(b, byte(len(p.members))) //nolint:gosec // at most maxMembers
	for _, m := range p.members {
		b = append(b, byte(len(m.name))) //nolint:gosec // at most maxMemberName
		b = append(b, m.name...)
		b = append(b, m.hash[:]...)
	}
	return b
}

var errParts = errors.New("parts of a fingerprint: not what Encode writes")

// DecodeParts reads what Encode has written; anything else is an error.
func DecodeParts(encoded []byte) (Parts, error) {
	d := partsDecoder{rest: encoded}
	p := Parts{version: int16(binary.BigEndian.Uint16(d.take(2))), target: d.hash(), query: d.hash()} //nolint:gosec // what Encode wrote
	count := int(d.take(1)[0])
	if p.byMember = count != wholeBody; p.byMember {
		p.members = d.members(count)
	} else {
		p.body = d.hash()
	}
	if d.failed || len(d.rest) > 0 {
		return Parts{}, errParts
	}
	return p, nil
}

// partsDecoder reads from rest. Once it has failed it yields zeros.
type partsDecoder struct {
	rest   []byte
	failed bool
}

func (d *partsDecoder) take(n int) []byte {
	if len(d.rest) < n {
		d.failed = true
		return make([]byte, n)
	}
	taken := d.rest[:n]
	d.rest = d.rest[n:]
	return taken
}

func (d *partsDecoder) hash() partHash { return partHash(d.take(len(partHash{}))) }

// members reads count members, whose names must be in order.
func (d *partsDecoder) members(count int) []memberPart {
	if count > maxPartMembers {
		d.failed = true
		return nil
	}
	members := make([]memberPart, 0, count)
	for i := range count {
		length := int(d.take(1)[0])
		m := memberPart{string(d.take(length)), d.hash()}
		if length > maxPartNameBytes || i > 0 && m.name <= members[i-1].name {
			d.failed = true
		}
		members = append(members, m)
	}
	return members
}
