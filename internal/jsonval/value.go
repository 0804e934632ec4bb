package jsonval

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of JSON value.
const (
	KindNull Kind = iota
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// Value is one JSON value; the zero Value is null. It is read-only, may be
// shared between goroutines, and keeps nothing of the bytes it was parsed from.
//
// An accessor of another kind returns the zero value: Text of a number is "".
type Value struct {
	// A body of 1 MiB can hold half a million values, so a Value is two words:
	// doc holds the contents of all of them, bits says which part is this one's.
	doc  *document
	bits uint64
}

// Member is one member of an object. Its name is NFC.
type Member struct {
	Name  string
	Value Value
}

// document holds what the values of one body consist of. The children of a
// container lie side by side.
type document struct {
	text    string // contents of strings, literals of numbers
	items   []Value
	members []Member
}

// The bits of a Value, from the lowest: its kind, the size of its part of the
// document (of a Bool: 1 is true), and where the part starts.
const (
	kindBits = 3
	sizeBits = 29
)

func newValue(doc *document, kind Kind, start, size int) Value {
	//nolint:gosec // both are offsets into a body of at most 1 MiB
	return Value{doc, uint64(start)<<(kindBits+sizeBits) | uint64(size)<<kindBits | uint64(kind)}
}

func (v *Value) start() int { return int(v.bits >> (kindBits + sizeBits)) }
func (v *Value) size() int  { return int(v.bits >> kindBits & (1<<sizeBits - 1)) }
func (v *Value) end() int   { return v.start() + v.size() }

// Kind returns the type of v.
func (v *Value) Kind() Kind { return Kind(v.bits & (1<<kindBits - 1)) }

// Bool reports whether v is true.
func (v *Value) Bool() bool { return v.Kind() == KindBool && v.size() == 1 }

// Text returns the content of a string, in NFC and otherwise as it was sent.
func (v *Value) Text() string {
	if v.Kind() != KindString {
		return ""
	}
	return v.doc.text[v.start():v.end()]
}

// Number returns the exact value of a number.
func (v *Value) Number() Number {
	if v.Kind() != KindNumber {
		return Number{}
	}
	return newNumber(v.doc.text[v.start():v.end()])
}

// Items returns the elements of an array. The slice must not be changed.
func (v *Value) Items() []Value {
	if v.Kind() != KindArray {
		return nil
	}
	return v.doc.items[v.start():v.end():v.end()]
}

// Members returns the members of an object in the order they were sent. The
// slice must not be changed.
func (v *Value) Members() []Member {
	if v.Kind() != KindObject {
		return nil
	}
	return v.doc.members[v.start():v.end():v.end()]
}

// Get returns the member called name, which must be NFC. The search is linear:
// to read most members of an object of any size, range over Members.
func (v *Value) Get(name string) (*Value, bool) {
	members := v.Members()
	for i := range members {
		if members[i].Name == name {
			return &members[i].Value, true
		}
	}
	return nil, false
}
