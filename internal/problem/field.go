package problem

import (
	"errors"
	"strconv"
	"strings"
)

// Field is what is wrong with one member of the body (Pointer is an RFC 6901
// JSON pointer, "" for the whole body) or with one query parameter (Pointer is
// "?" and its name).
type Field struct {
	Pointer string
	Code    string
	Detail  Text
}

// Fields collects the errors of a request: each place is reported once, by the
// first rule that it breaks.
type Fields struct {
	list []Field
}

// Add reports an error at pointer.
func (f *Fields) Add(pointer, code string, detail Text) {
	if f.Has(pointer) {
		return
	}
	f.list = append(f.list, Field{Pointer: pointer, Code: code, Detail: detail})
}

// Has reports whether pointer, or a place inside it, is already in error.
func (f *Fields) Has(pointer string) bool {
	for _, e := range f.list {
		if e.Pointer == pointer || strings.HasPrefix(e.Pointer, pointer+"/") {
			return true
		}
	}
	return false
}

// Collect adds the member errors of a check that refused, so that they come
// together with the others. Any other error is for the caller to return.
func (f *Fields) Collect(err error) error {
	var p *Error
	if !errors.As(err, &p) || p.Code != ValidationFailed {
		return err
	}
	for _, e := range p.Fields {
		f.Add(e.Pointer, e.Code, e.Detail)
	}
	return nil
}

// Empty reports that nothing is wrong.
func (f *Fields) Empty() bool { return len(f.list) == 0 }

// Err returns the collected errors as one problem, or nil.
func (f *Fields) Err() error { return Invalid(f.list...) }

// Join appends a member's name to a JSON pointer.
func Join(pointer, name string) string {
	return pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// At appends an array's index to a JSON pointer.
func At(pointer string, index int) string { return pointer + "/" + strconv.Itoa(index) }

// Required is a member that must be there.
func Required(pointer string) Field {
	return Field{pointer, "required", T("Campo obrigatório.", "Required member.")}
}

// UnknownReference is an id in a body that does not exist in the tenant.
func UnknownReference(pointer string) Field {
	return Field{pointer, "unknown_reference", T("Não existe registro com este id.", "No record has this id.")}
}

// ArchivedReference is an id in a body of a record that is archived: it stays
// where it was used, and is not used anew.
func ArchivedReference(pointer string) Field {
	return Field{pointer, "archived_reference", T(
		"O registro está arquivado e não pode ser usado de novo.", "The record is archived and cannot be used anew.")}
}

// Exists is the 409 of a value that must be unique and is another record's.
func Exists(pointer string, detail Text) error {
	return &Error{Code: AlreadyExists, Detail: detail, Fields: []Field{{pointer, "already_exists", detail}}}
}

// ExternalIDExists is Exists for the integrator's own id.
func ExternalIDExists() error {
	return Exists("/external_id", T("Outro registro tem este external_id.", "Another record has this external_id."))
}
