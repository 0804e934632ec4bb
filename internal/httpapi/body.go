package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"fatureihoje/internal/jsonval"
	"fatureihoje/internal/problem"
)

// MaxBodyBytes is the largest body that any request may have, padding included.
const MaxBodyBytes = 1 << 20

// declaredTooLarge judges a body by its declared length, before anything else.
func declaredTooLarge(r *http.Request) bool { return r.ContentLength > MaxBodyBytes }

// readBody reads a body and counts it: no more than the limit is ever read.
// An absent and an empty body give nil.
func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.ContentLength == 0 {
		return nil, nil
	}
	limited := io.LimitReader(r.Body, MaxBodyBytes+1)
	body, err := readSized(limited, r.ContentLength)
	if errors.Is(err, http.ErrLineTooLong) { // a chunk whose very header does not end
		return nil, &problem.Error{Code: problem.RequestTooLarge}
	}
	if err != nil {
		return nil, &problem.Error{Code: problem.MalformedJSON, Cause: err, Detail: problem.T(
			"O corpo não chegou inteiro.", "The body did not arrive whole.")}
	}
	if len(body) > MaxBodyBytes {
		return nil, &problem.Error{Code: problem.RequestTooLarge}
	}
	return body, nil
}

func readSized(r io.Reader, declared int64) ([]byte, error) {
	if declared < 0 {
		return io.ReadAll(r)
	}
	body := make([]byte, declared)
	_, err := io.ReadFull(r, body)
	return body, err
}

// checkMediaType refuses a body that is not plain JSON.
func checkMediaType(r *http.Request, body []byte) error {
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return &problem.Error{Code: problem.UnsupportedMediaType}
	}
	if len(body) == 0 {
		return nil
	}
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return &problem.Error{Code: problem.UnsupportedMediaType}
	}
	if mediaType == "application/json" || r.Method == http.MethodPatch && mediaType == "application/merge-patch+json" {
		return nil
	}
	return &problem.Error{Code: problem.UnsupportedMediaType}
}

// parseBody reads the JSON of a body. An absent body is an empty object: what a
// creation misses then comes as the errors of its members.
func parseBody(body []byte) (*jsonval.Value, error) {
	if len(body) == 0 {
		body = []byte("{}")
	}
	value, err := jsonval.Parse(body)
	if err == nil {
		return &value, nil
	}
	var syntax *jsonval.SyntaxError
	if errors.As(err, &syntax) {
		return nil, &problem.Error{Code: problem.MalformedJSON, Reason: string(syntax.Reason), Detail: malformed(syntax)}
	}
	return nil, &problem.Error{Code: problem.MalformedJSON, Cause: err}
}

func malformed(e *jsonval.SyntaxError) problem.Text {
	pt, en := "não é um JSON válido", "is not valid JSON"
	switch e.Reason {
	case jsonval.BOM:
		pt, en = "começa com uma marca de ordem de bytes (BOM)", "begins with a byte order mark (BOM)"
	case jsonval.DuplicateName:
		pt, en = "repete um nome no mesmo objeto", "repeats a name in one object"
	case jsonval.InvalidUTF8:
		pt, en = "não é UTF-8 válido", "is not valid UTF-8"
	case jsonval.TrailingData:
		pt, en = "continua depois do fim do valor", "goes on after the end of the value"
	case jsonval.TooDeep:
		pt, en = "tem mais de 64 níveis", "is nested deeper than 64 levels"
	}
	return problem.Tf("O corpo %[1]s (byte %[3]d). Nenhuma chave de idempotência foi usada.",
		"The body %[2]s (byte %[3]d). No idempotency key was used.", pt, en, e.Offset)
}
