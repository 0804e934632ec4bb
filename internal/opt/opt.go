// Package opt has the member of a PATCH body: absent, null or a value. JSON merge
// semantics (RFC 7396) need all three, and a pointer tells only two apart.
//
// The package knows no JSON: the HTTP layer fills a Field with Set and SetNull.
package opt

// Field is a member that may be absent, null or a value. The zero value is
// absent.
type Field[T any] struct {
	state state
	value T
}

// state is what was sent.
type state uint8

const (
	absent state = iota
	null
	present
)

// Absent is the member that was not sent: keep what there is.
func Absent[T any]() Field[T] { return Field[T]{} }

// Null is the member that was sent as null: clear what there is.
func Null[T any]() Field[T] { return Field[T]{state: null} }

// Of is the member that was sent with the value v.
func Of[T any](v T) Field[T] { return Field[T]{state: present, value: v} }

// IsSet says whether the member was sent, as null or with a value.
func (f Field[T]) IsSet() bool { return f.state != absent }

// IsNull says whether the member was sent as null.
func (f Field[T]) IsNull() bool { return f.state == null }

// Value is the value that was sent; false if there was none.
func (f Field[T]) Value() (T, bool) { return f.value, f.state == present }

// Or is what the member leaves in the place of current: current itself if it is
// absent, nil if it is null, and otherwise a pointer to a copy of the value.
func (f Field[T]) Or(current *T) *T {
	switch f.state {
	case null:
		return nil
	case present:
		return &f.value
	}
	return current
}

// SetNull makes the member null.
func (f *Field[T]) SetNull() { *f = Null[T]() }

// Set gives the member the value v.
func (f *Field[T]) Set(v T) { *f = Of(v) }

// Slot gives the member a value, the zero value at first, and returns a pointer
// to it for a decoder to fill.
func (f *Field[T]) Slot() any {
	f.state = present
	return &f.value
}

// Assign changes a member that always has a value: null gives it its default.
func Assign[T any](member *T, f Field[T], fallback T) {
	switch f.state {
	case null:
		*member = fallback
	case present:
		*member = f.value
	}
}

// Map turns the value of a member into another type; absent and null stay so.
func Map[A, B any](f Field[A], convert func(A) B) Field[B] {
	if f.state != present {
		return Field[B]{state: f.state}
	}
	return Of(convert(f.value))
}

// OrZero is what p points to, and the zero value where it is nil.
func OrZero[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// Replaced reports that a reference was given anew: now is there, and is not what
// was there before.
func Replaced[T comparable](before, now *T) bool {
	return now != nil && (before == nil || *before != *now)
}
