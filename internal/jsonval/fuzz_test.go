package jsonval

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// FuzzParse compares with encoding/json, which is laxer: whatever is accepted
// here must be valid there and mean the same, and whatever is called malformed
// must be invalid there.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		``, ` `, `null`, `true`, `-0.0e+10`, `1e99999999999999999999`, `"a\u00e9\ud83d\ude00"`, `"\ud83d"`, "\"e\u0301\"",
		`{"a":[1,{"b":null}],"c":"d"}`, `{"a":1,"a":2}`, `{"\u0061":1,"a":2}`, `[[[[]]]]`, `[1,]`, `{"a"}`, `{} x`, "\ufeff{}",
		"{}\x00", "\"\xff\"", `[01]`, `{"":{"":{"":0}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := Parse(body)

		if err == nil {
			if !json.Valid(body) {
				t.Fatal("accepted what is not JSON")
			}
			compare(t, &v, decode(t, body))
			return
		}
		refused, ok := errors.AsType[*SyntaxError](err)
		if !ok {
			t.Fatalf("error of type %T", err)
		}
		if refused.Offset < 0 || refused.Offset > int64(len(body)) {
			t.Errorf("offset %d of %d", refused.Offset, len(body))
		}
		if len(refused.Pointer) > maxPointerBytes || !utf8.ValidString(refused.Pointer) {
			t.Errorf("pointer %q", refused.Pointer)
		}
		switch refused.Reason {
		case Malformed, Empty, TrailingData, BOM:
			if json.Valid(body) {
				t.Errorf("%s, but it is JSON", refused.Reason)
			}
		}
	})
}

func decode(t *testing.T, body []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func compare(t *testing.T, v *Value, want any) {
	ok := true
	switch want := want.(type) {
	case nil:
		ok = v.Kind() == KindNull
	case bool:
		ok = v.Kind() == KindBool && v.Bool() == want
	case json.Number:
		ok = v.Kind() == KindNumber && v.Number().Literal() == want.String()
	case string:
		ok = v.Kind() == KindString && v.Text() == norm.NFC.String(want) && norm.NFC.IsNormalString(v.Text())
	case []any:
		ok = v.Kind() == KindArray && len(v.Items()) == len(want)
		for i := 0; ok && i < len(want); i++ {
			compare(t, &v.Items()[i], want[i])
		}
	case map[string]any:
		ok = v.Kind() == KindObject && len(v.Members()) == len(want)
		for name, child := range want {
			if m, found := v.Get(norm.NFC.String(name)); found {
				compare(t, m, child)
			} else {
				t.Errorf("member %q is lost", name)
			}
		}
	}
	if !ok {
		t.Errorf("got %s, want %#v", dump(*v, nil), want)
	}
}
