package jsonval

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"
)

// MaxDepth is how deep arrays and objects may be nested: [[]] has depth 2.
const MaxDepth = 64

const (
	// maxBodyBytes keeps every position within the bits of a Value, also where
	// NFC makes text three times as long. The HTTP layer stops far below it.
	maxBodyBytes    = 1 << 27
	maxPointerBytes = 256

	bom        = "\xef\xbb\xbf"
	whiteSpace = " \t\r\n"
)

// Parse reads body as exactly one JSON text. Its cost is linear in the length
// of body, whatever its shape. The value does not refer to body, which may be
// overwritten as soon as Parse has returned. Errors are *SyntaxError.
//
// NFC is that of golang.org/x/text: it puts a U+034F into a run of more than 30
// combining marks (the stream-safe format of UAX #15), which no real text has.
func Parse(body []byte) (Value, error) {
	if err := checkBytes(body); err != nil {
		return Value{}, err
	}
	p := parsers.Get().(*parser)
	defer p.release()
	return p.parse(body)
}

// checkBytes refuses what can be told without the grammar.
func checkBytes(body []byte) error {
	switch {
	case bytes.HasPrefix(body, []byte(bom)):
		return &SyntaxError{Reason: BOM}
	case len(body) > maxBodyBytes:
		return &SyntaxError{Offset: maxBodyBytes, Reason: Malformed}
	case !utf8.Valid(body):
		return &SyntaxError{Offset: int64(validPrefix(body)), Reason: InvalidUTF8}
	case len(bytes.TrimLeft(body, whiteSpace)) == 0:
		return &SyntaxError{Offset: int64(len(body)), Reason: Empty}
	}
	return nil
}

// validPrefix returns how many bytes of b come before its first invalid UTF-8.
func validPrefix(b []byte) int {
	n := 0
	for {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size <= 1 {
			return n
		}
		n += size
	}
}

// parser is the work space of one Parse. jsontext knows the grammar; the parser
// turns its tokens into a document.
type parser struct {
	input   bytes.Buffer // the one kind of reader that jsontext does not copy
	decoder jsontext.Decoder
	doc     *document
	text    strings.Builder // becomes doc.text

	// Stacks of the children of the containers that are still open: only at its
	// end is it known how many a container has.
	items   []Value
	members []Member

	unquoted []byte
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

func (p *parser) parse(body []byte) (Value, error) {
	p.input = *bytes.NewBuffer(body)
	// jsontext checks neither names nor UTF-8: names are compared after NFC; and
	// the bytes of body are known to be valid, so that a lone surrogate is the only
	// thing left that cannot be unquoted.
	p.decoder.Reset(&p.input, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	p.doc = new(document)
	p.text.Grow(len(body))

	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	if rest := bytes.TrimLeft(body[p.decoder.InputOffset():], whiteSpace); len(rest) > 0 {
		return Value{}, &SyntaxError{Offset: int64(len(body) - len(rest)), Reason: TrailingData}
	}
	p.doc.text = p.text.String()
	return v, nil
}

// release gives p back without the body and its values, and without the memory
// that an unusually large body made it take.
func (p *parser) release() {
	const keep = 1 << 10

	p.input = bytes.Buffer{}
	p.decoder.Reset(&p.input)
	p.doc = nil
	p.text = strings.Builder{}
	p.items = popTo(p.items, 0)
	p.members = popTo(p.members, 0)
	if cap(p.items) > keep || cap(p.members) > keep || cap(p.unquoted) > 16*keep {
		*p = parser{}
	}
	parsers.Put(p)
}

// value reads one value inside depth open containers.
func (p *parser) value(depth int) (Value, error) {
	switch p.decoder.PeekKind() {
	case jsontext.KindBeginObject:
		return p.object(depth + 1)
	case jsontext.KindBeginArray:
		return p.array(depth + 1)
	case jsontext.KindString:
		start, end, err := p.string()
		return newValue(p.doc, KindString, start, end-start), err
	case jsontext.KindNumber:
		return p.number()
	default:
		return p.literal()
	}
}

func (p *parser) object(depth int) (Value, error) {
	if err := p.open(depth); err != nil {
		return Value{}, err
	}
	base := len(p.members)
	var names nameSet
	for p.decoder.PeekKind() != jsontext.KindEndObject {
		start, end, err := p.string()
		if err != nil {
			return Value{}, err
		}
		name := p.text.String()[start:end]
		if names.has(p.members[base:], name) {
			return Value{}, p.refuse(DuplicateName)
		}
		p.members = append(p.members, Member{Name: name})
		i := len(p.members) - 1
		v, err := p.value(depth)
		if err != nil {
			return Value{}, err
		}
		p.members[i].Value = v
	}
	if err := p.delimiter(); err != nil {
		return Value{}, err
	}
	v := newValue(p.doc, KindObject, len(p.doc.members), len(p.members)-base)
	p.doc.members = append(p.doc.members, p.members[base:]...)
	p.members = popTo(p.members, base)
	return v, nil
}

func (p *parser) array(depth int) (Value, error) {
	if err := p.open(depth); err != nil {
		return Value{}, err
	}
	base := len(p.items)
	for p.decoder.PeekKind() != jsontext.KindEndArray {
		v, err := p.value(depth)
		if err != nil {
			return Value{}, err
		}
		p.items = append(p.items, v)
	}
	if err := p.delimiter(); err != nil {
		return Value{}, err
	}
	v := newValue(p.doc, KindArray, len(p.doc.items), len(p.items)-base)
	p.doc.items = append(p.doc.items, p.items[base:]...)
	p.items = popTo(p.items, base)
	return v, nil
}

// open reads the delimiter that begins a container of the given depth.
func (p *parser) open(depth int) error {
	if err := p.delimiter(); err != nil {
		return err
	}
	if depth > MaxDepth {
		return p.refuse(TooDeep)
	}
	return nil
}

func (p *parser) delimiter() error {
	_, err := p.decoder.ReadToken()
	return p.malformed(err)
}

// string reads a string, or the name of a member, into the text.
func (p *parser) string() (start, end int, err error) {
	raw, err := p.decoder.ReadValue()
	if err != nil {
		return 0, 0, p.malformed(err)
	}
	content := []byte(raw[1 : len(raw)-1])
	if bytes.IndexByte(content, '\\') >= 0 {
		if p.unquoted, err = jsontext.AppendUnquote(p.unquoted[:0], raw); err != nil {
			return 0, 0, p.refuse(InvalidUTF8)
		}
		content = p.unquoted
	}
	if !norm.NFC.IsNormal(content) {
		content = norm.NFC.Bytes(content)
	}
	start = p.text.Len()
	p.text.Write(content)
	return start, p.text.Len(), nil
}

func (p *parser) number() (Value, error) {
	raw, err := p.decoder.ReadValue()
	if err != nil {
		return Value{}, p.malformed(err)
	}
	start := p.text.Len()
	p.text.Write(raw)
	return newValue(p.doc, KindNumber, start, len(raw)), nil
}

// literal reads null, false or true; it also meets whatever is no value at all.
func (p *parser) literal() (Value, error) {
	token, err := p.decoder.ReadToken()
	if err != nil {
		return Value{}, p.malformed(err)
	}
	switch token.Kind() {
	case jsontext.KindTrue:
		return newValue(nil, KindBool, 0, 1), nil
	case jsontext.KindFalse:
		return newValue(nil, KindBool, 0, 0), nil
	default:
		return Value{}, nil
	}
}

// malformed turns an error of jsontext into ours.
func (p *parser) malformed(err error) error {
	if err == nil {
		return nil
	}
	refused := &SyntaxError{Offset: p.decoder.InputOffset(), Reason: Malformed}
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		refused.Offset = s.ByteOffset
		refused.Pointer = shorten(s.JSONPointer)
	}
	return refused
}

// refuse is the error of what was read last.
func (p *parser) refuse(reason Reason) error {
	return &SyntaxError{
		Offset:  p.decoder.InputOffset(),
		Reason:  reason,
		Pointer: shorten(p.decoder.StackPointer()),
	}
}

func shorten(pointer jsontext.Pointer) string {
	for len(pointer) > maxPointerBytes {
		pointer = pointer.Parent()
	}
	return string(pointer)
}

// nameSet tells whether an object has a name already: by comparison while it
// has few, by a map (which a client cannot aim collisions at) from then on.
type nameSet struct {
	seen map[string]struct{}
}

// has reports whether name is among members, which are those before it.
func (s *nameSet) has(members []Member, name string) bool {
	const few = 16
	if len(members) < few {
		return slices.ContainsFunc(members, func(m Member) bool { return m.Name == name })
	}
	if s.seen == nil {
		s.seen = make(map[string]struct{}, 2*few)
		for _, m := range members {
			s.seen[m.Name] = struct{}{}
		}
	}
	_, found := s.seen[name]
	s.seen[name] = struct{}{}
	return found
}

// popTo cuts a stack down to n elements and forgets those above.
func popTo[T any](stack []T, n int) []T {
	clear(stack[n:])
	return stack[:n]
}
