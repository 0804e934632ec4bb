package problem

import (
	"errors"
	"fmt"
	"time"
)

// Text is one sentence in the two languages of the API.
type Text struct {
	PT string
	EN string
}

// T makes a Text.
func T(pt, en string) Text { return Text{PT: pt, EN: en} }

// Tf makes a Text from two formats that take the same arguments.
func Tf(pt, en string, args ...any) Text {
	return Text{PT: fmt.Sprintf(pt, args...), EN: fmt.Sprintf(en, args...)}
}

// In returns the text in English or in Brazilian Portuguese.
func (t Text) In(english bool) string {
	if english {
		return t.EN
	}
	return t.PT
}

// Error is a refusal that the caller is told of. Only Code must be set; what is
// left out is not in the answer.
type Error struct {
	Code   Code
	Detail Text // the registry's advice where empty

	Reason             string        // a finer, stable word within the code
	Fields             []Field       // each invalid member or parameter
	RequiredPermission string        // for Forbidden
	LackedBy           string        // api_key or member, for Forbidden
	Differs            []string      // for IdempotencyKeyReused
	Current            string        // for InvalidState: the status now
	Allowed            []string      // for InvalidState: the actions that it allows
	UsedBy             string        // for ResourceInUse: what refers to it
	Location           string        // answered as the Location header
	RetryAfter         time.Duration // answered as Retry-After, in whole seconds, rounded up
	Allow              string        // answered as the Allow header

	// Cause is for the log alone.
	Cause error
}

// Error describes the problem for the log.
func (e *Error) Error() string {
	text := string(e.Code)
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	for _, f := range e.Fields {
		text += " " + f.Pointer + ":" + f.Code
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Status returns the HTTP status of the problem's code.
func (e *Error) Status() int {
	def, ok := byCode[e.Code]
	if !ok {
		return byCode[InternalError].Status
	}
	return def.Status
}

// As returns the problem in err's chain. An error without one is internal: it
// becomes a 500 that keeps err as its cause.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Code: InternalError, Cause: err}
}

// Is reports whether err's chain holds a problem with this code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// Missing is the answer for an id that does not exist or belongs to another
// tenant: the two are indistinguishable.
func Missing() *Error { return &Error{Code: NotFound} }

// Invalid wraps the errors of single fields; nil where there is none.
func Invalid(fields ...Field) error {
	if len(fields) == 0 {
		return nil
	}
	return &Error{Code: ValidationFailed, Fields: fields}
}

// Conflicting is a 409 conflict with its reason.
func Conflicting(reason string, detail Text) *Error {
	return &Error{Code: Conflict, Reason: reason, Detail: detail}
}
