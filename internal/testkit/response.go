package testkit

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Response is what came back.
type Response struct {
	Status int // 0: nothing came back
	Header http.Header
	Body   []byte

	method, path string
}

// String is the response in a message of a failed test.
func (r *Response) String() string {
	body := string(r.Body)
	if len(body) > 1000 {
		body = body[:1000] + "…"
	}
	return fmt.Sprintf("%s %s: %d %s", r.method, r.path, r.Status, body)
}

// Want stops the test unless the status is this one.
func (r *Response) Want(t testing.TB, status int) *Response {
	t.Helper()
	if r.Status != status {
		t.Fatalf("want %d, got %s", status, r)
	}
	return r
}

// WantProblem stops the test unless the response is this problem.
func (r *Response) WantProblem(t testing.TB, status int, code string) *Response {
	t.Helper()
	if r.Status != status || r.Code() != code {
		t.Fatalf("want %d %s, got %s", status, code, r)
	}
	return r
}

// WantFieldErrors stops the test unless the response is a 422 with exactly
// these errors, each written as "pointer code", in any order.
func (r *Response) WantFieldErrors(t testing.TB, want ...string) *Response {
	t.Helper()
	r.WantProblem(t, http.StatusUnprocessableEntity, "validation_failed")
	got := r.FieldErrors(t)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("want the errors\n%s\ngot\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
	return r
}

// FieldErrors lists the errors of members, each as "pointer code".
func (r *Response) FieldErrors(t testing.TB) []string {
	t.Helper()
	var problem struct {
		Errors []struct{ Pointer, Code string }
	}
	r.Decode(t, &problem)
	var list []string
	for _, e := range problem.Errors {
		list = append(list, e.Pointer+" "+e.Code)
	}
	return list
}

// Decode reads the body into v.
func (r *Response) Decode(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(r.Body, v); err != nil {
		t.Fatalf("%s: %v", r, err)
	}
}

// JSON is the body as an object; nil where it is none. Numbers keep their text.
func (r *Response) JSON() M {
	var m M
	dec := json.NewDecoder(strings.NewReader(string(r.Body)))
	dec.UseNumber()
	if dec.Decode(&m) != nil {
		return nil
	}
	return m
}

// Text is a member of the body: a text as it is, null as "", and anything else
// as its JSON.
func (r *Response) Text(member string) string {
	switch v := r.JSON()[member].(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		encoded, _ := json.Marshal(v)
		return string(encoded)
	}
}

// ID is the object's id.
func (r *Response) ID() string { return r.Text("id") }

// Code is the code of a problem.
func (r *Response) Code() string { return r.Text("code") }

// Data are the objects of a page.
func (r *Response) Data(t testing.TB) []M {
	t.Helper()
	var page struct{ Data []M }
	r.Decode(t, &page)
	return page.Data
}

// Replayed reports that the response is a stored one.
func (r *Response) Replayed() bool { return r.Header.Get("Idempotent-Replayed") != "" }

// RequestID is the id of the request.
func (r *Response) RequestID() string { return r.Header.Get("X-Request-Id") }

// stored are the headers that a replay repeats.
func stored(h http.Header) [3]string {
	return [3]string{h.Get("Content-Type"), h.Get("Location"), h.Get("ETag")}
}

// WantReplayOf stops the test unless r is the stored response first, byte for
// byte, and says that it is one.
func (r *Response) WantReplayOf(t testing.TB, first *Response) *Response {
	t.Helper()
	if first.Replayed() {
		t.Fatalf("the first response was a replay: %s", first)
	}
	if r.Header.Get("Idempotent-Replayed") != "true" {
		t.Fatalf("want a replay, got %s", r)
	}
	if r.Status != first.Status || string(r.Body) != string(first.Body) || stored(r.Header) != stored(first.Header) {
		t.Fatalf("the replay differs:\nfirst  %s %v\nreplay %s %v", first, stored(first.Header), r, stored(r.Header))
	}
	return r
}

// All reads a list to its end, page by page.
func (c *Client) All(t testing.TB, path string) []M {
	t.Helper()
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	var all []M
	for cursor := ""; ; {
		r := c.Get(t, path+separator+"limit=100"+cursor).Want(t, http.StatusOK)
		all = append(all, r.Data(t)...)
		next := r.Text("next_cursor")
		if next == "" {
			return all
		}
		cursor = "&cursor=" + next
	}
}
