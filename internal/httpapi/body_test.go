package httpapi_test

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"fatureihoje/internal/testkit"
)

const limit = 1 << 20

// padded is a creation of exactly n bytes.
func padded(n int) string {
	const body = `{"name":"Ana"}`
	return body + strings.Repeat(" ", n-len(body))
}

func TestBody_IsTakenUpToExactlyTheLimit(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	idem := testkit.NewKey()

	key.Post(t, "/clients", padded(limit+1), testkit.Key(idem)).WantProblem(t, 413, "request_too_large")
	key.Post(t, "/clients", nil, testkit.Chunked(strings.NewReader(padded(limit+1))), testkit.Key(idem)).WantProblem(t, 413, "request_too_large")
	wantCount(t, key, 0)

	first := key.Post(t, "/clients", padded(limit), testkit.Key(idem)).Want(t, 201)
	key.Post(t, "/clients", nil, testkit.Chunked(strings.NewReader(padded(limit))), testkit.Key(idem)).WantReplayOf(t, first)
}

// endless is a body without an end.
type endless struct{ read atomic.Int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read.Add(int64(len(p)))
	return len(p), nil
}

func TestBody_IsNotReadBeyondTheLimit(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, options := range [][]testkit.CallOption{{}, {testkit.Key(testkit.NewKey())}} {
		body := &endless{}
		r := key.Post(t, "/clients", nil, append(options, testkit.Chunked(io.LimitReader(body, 200<<20)), testkit.MayFail())...)
		if r.Status != 0 && r.Code() != "request_too_large" {
			t.Errorf("got %s", r)
		}
		if n := body.read.Load(); n > 20*limit {
			t.Errorf("%d bytes were taken", n)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 100<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

func TestBody_IsReadHoweverItIsFramed(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	idem := testkit.NewKey()

	first := key.Post(t, "/clients", nil, testkit.Chunked(strings.NewReader(`{"name":"Ana"}`)), testkit.Key(idem)).Want(t, 201)
	if first.Text("name") != "Ana" {
		t.Errorf("the fields were not read: %s", first)
	}
	key.Post(t, "/clients", `{"name":"Ana"}`, testkit.Key(idem)).WantReplayOf(t, first)
	key.Post(t, "/clients", nil, testkit.Chunked(strings.NewReader(""))).WantFieldErrors(t, "/name required")
	key.Post(t, "/clients", `{"name":"Ana"}`, testkit.Header("Content-Type", "Application/JSON; charset=utf-8")).Want(t, 201)
}

func TestBody_OfAnActionMayBeAbsentEmptyOrAnEmptyObject(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	idem := testkit.NewKey()
	path := "/clients/" + key.Post(t, "/clients", testkit.M{"name": "Ana"}).ID() + "/archive"

	first := key.Post(t, path, nil, testkit.Header("Content-Type", ""), testkit.Key(idem)).Want(t, 200)
	for _, same := range []*testkit.Response{
		key.Post(t, path, "", testkit.Key(idem)),
		key.Post(t, path, nil, testkit.Chunked(strings.NewReader("")), testkit.Key(idem)),
		key.Post(t, path, "{}", testkit.Key(idem)),
		key.Post(t, path, " { } ", testkit.Key(idem)),
	} {
		same.WantReplayOf(t, first)
	}
	for _, other := range []string{"null", "[]", `"a"`} {
		key.Post(t, path, other, testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")
		key.Post(t, path, other).WantProblem(t, 422, "validation_failed")
	}
	key.Post(t, path, "text").WantProblem(t, 400, "malformed_json")
}

func TestBody_IsComparedByContent(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	idem := testkit.NewKey()
	post := func(body string) *testkit.Response { return key.Post(t, "/clients", body, testkit.Key(idem)) }
	first := post(`{"name":"João","tags":["x","y"],"metadata":{"a":"1","b":"2"}}`).Want(t, 201)

	for _, same := range []string{
		"\n { \"tags\" : [ \"x\", \"y\" ], \"metadata\":{\"b\":\"2\",\"a\":\"1\"}, \"name\":\"Jo\\u00e3o\" } \r\n\t",
		`{"name":"Joa` + "\u0303" + `o","tags":["x","y"],"metadata":{"a":"1","b":"2"}}`,
	} {
		post(same).WantReplayOf(t, first)
	}
	for body, differs := range map[string]string{
		`{"name":"João","tags":["y","x"],"metadata":{"a":"1","b":"2"}}`:              `["body/tags"]`,
		`{"name":"João","tags":["x","y"],"metadata":{"a":"1","b":"3"}}`:              `["body/metadata"]`,
		`{"name":"João","tags":["x","y"],"metadata":{"a":"1","b":"2"},"notes":null}`: `["body/notes"]`,
		`{"name":"Joao","tags":["x","y"],"metadata":{"a":"1","b":"2"}}`:              `["body/name"]`,
		`[]`: `["body"]`,
	} {
		r := post(body).WantProblem(t, 422, "idempotency_key_reused")
		if r.Text("differs") != differs {
			t.Errorf("%s: want differs %s, got %s", body, differs, r)
		}
	}
}

func TestBody_IsRefusedBeforeAnyKeyIsTouched(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	for body, reason := range map[string]string{
		`{"name":"A","name":"B"}`:                "duplicate_name",
		`{"name":"A"}{"name":"B"}`:               "trailing_data",
		`{"name":"A"} xyz`:                       "trailing_data",
		`{"name":"A"}]`:                          "trailing_data",
		"{\"name\":\"A\"}\x00":                   "trailing_data",
		"\ufeff" + `{"name":"A"}`:                "",
		`{"name":"` + "\xff" + `"}`:              "",
		`{"name":"\ud800"}`:                      "",
		`{"name":"a` + "\x01" + `"}`:             "",
		`{"name":` + strings.Repeat("[", 65):     "",
		strings.Repeat(`{"a":`, 10_000) + "1":    "",
		`{"caf` + "\u00e9\":1,\"cafe\u0301\":2}": "duplicate_name",
	} {
		idem := testkit.NewKey()
		r := key.Post(t, "/clients", body, testkit.Key(idem)).WantProblem(t, 400, "malformed_json")
		if reason != "" && r.Text("reason") != reason {
			t.Errorf("%.60q: want the reason %s, got %s", body, reason, r)
		}
		if state := key.State(t, idem); state != "absent" {
			t.Errorf("%.60q: the key is %s", body, state)
		}
		key.Post(t, "/clients", `{"name":"A"}`+" \n", testkit.Key(idem)).Want(t, 201)
	}
}

// TestBody_OfAnyShapeGetsAnAnswer tries what has crashed decoders.
func TestBody_OfAnyShapeGetsAnAnswer(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	for _, value := range []string{`[]`, `{}`, `1e400`, `-0`, `1e-400`, `123456789012345678901234567890`, `true`, `null`, `"` + strings.Repeat("x", 10_000) + `"`, `""`, `"\u200b"`} {
		for _, member := range []string{"name", "document", "email", "phone", "birth_date", "tags", "metadata", "addresses", "kind", "external_id", "notes"} {
			idem := testkit.NewKey()
			body := `{"name":"Ana","` + member + `":` + value + `}`
			if member == "name" {
				body = `{"name":` + value + `}`
			}
			r := key.Post(t, "/clients", body, testkit.Key(idem))
			if r.Status != 201 && r.Status != 422 {
				t.Errorf("%.80s: %s", body, r)
			}
			if r.Status == 422 {
				key.Post(t, "/clients", `{"name":"Ana"}`, testkit.Key(idem)).Want(t, 201)
			}
		}
	}
	many := "[" + strings.TrimSuffix(strings.Repeat("{},", 100_000), ",") + "]"
	for _, member := range []string{"notes", "tags", "addresses"} {
		key.Post(t, "/clients", `{"name":"Ana","`+member+`":`+many+`}`).WantProblem(t, 422, "validation_failed")
	}
}

func TestText_WithNULIsRefusedByItsMember(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	idem := testkit.NewKey()

	key.Post(t, "/clients", `{"name":"a\u0000b","notes":"x\u0000"}`, testkit.Key(idem)).
		WantFieldErrors(t, "/name control_character", "/notes control_character")
	key.Get(t, "/clients?q=a%00b").WantFieldErrors(t, "?q control_character")

	if state := key.State(t, idem); state != "absent" {
		t.Errorf("the key is %s", state)
	}
	wantCount(t, key, 0)
}

func TestText_IsKeptInNFC(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	idem := testkit.NewKey()

	composed := key.Post(t, "/clients", testkit.M{"name": "Caf\u00e9", "external_id": "caf\u00e9"}, testkit.Key(idem)).Want(t, 201)
	key.Post(t, "/clients", testkit.M{"name": "Cafe\u0301", "external_id": "cafe\u0301"}, testkit.Key(idem)).WantReplayOf(t, composed)
	key.Post(t, "/clients", testkit.M{"name": "Outro", "external_id": "cafe\u0301"}).WantProblem(t, 409, "already_exists")
	decomposed := key.Post(t, "/clients", testkit.M{"name": "  Cafe\u0301\t"}).Want(t, 201)

	if decomposed.Text("name") != "Caf\u00e9" {
		t.Errorf("kept as %q", decomposed.Text("name"))
	}
	for _, q := range []string{"caf%C3%A9", "cafe%CC%81", "CAFE"} {
		if found := key.All(t, "/clients?q="+q); len(found) != 2 {
			t.Errorf("%s finds %d", q, len(found))
		}
	}
	for _, blank := range []string{"", "  ", "\u200b\u200d", "\u00a0", "\u2060"} {
		key.Post(t, "/clients", testkit.M{"name": blank}).WantProblem(t, 422, "validation_failed")
	}
}

func TestBody_OfAGetOrDeleteDoesNothingWithinTheLimit(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	id := key.Post(t, "/clients", testkit.M{"name": "Ana"}).Want(t, 201).ID()

	key.Do(t, "GET", "/clients/"+id, "not json").Want(t, 200)
	key.Do(t, "DELETE", "/clients/"+id, bytes.Repeat([]byte("x"), limit+1)).WantProblem(t, 413, "request_too_large")
	key.Do(t, "DELETE", "/clients/"+id, "not json").Want(t, 204)
}
