package jsonval

import (
	"errors"
	"strings"
	"sync"
	"testing"
)

func mustParse(t testing.TB, body string) Value {
	t.Helper()
	v, err := Parse([]byte(body))
	if err != nil {
		t.Fatalf("Parse(%.80q): %v", body, err)
	}
	return v
}

func member(t testing.TB, v *Value, name string) *Value {
	t.Helper()
	m, ok := v.Get(name)
	if !ok {
		t.Fatalf("no member %q", name)
	}
	return m
}

func TestParse_ReadsEveryKindOfValue(t *testing.T) {
	v := mustParse(t, ` {"text":" a\n\u0041\ud83d\ude00 ", "number":-1.50e1, "yes":true, "no":false,
		"nothing":null, "list":[1,[2,3],{"x":"y"}], "empty":{}, "none":[], "":"" } `)

	if v.Kind() != KindObject || len(v.Members()) != 9 {
		t.Fatalf("kind %d with %d members", v.Kind(), len(v.Members()))
	}
	if got := member(t, &v, "text").Text(); got != " a\nA😀 " {
		t.Errorf("text = %q", got)
	}
	number := member(t, &v, "number").Number()
	if number.Literal() != "-1.50e1" || number.Canonical() != "-15e0" {
		t.Errorf("number = %s, %s", number.Literal(), number.Canonical())
	}
	if !member(t, &v, "yes").Bool() || member(t, &v, "no").Bool() {
		t.Error("the booleans are mixed up")
	}
	if member(t, &v, "nothing").Kind() != KindNull {
		t.Error("nothing is not null")
	}
	list := member(t, &v, "list").Items()
	if len(list) != 3 || list[1].Items()[1].Number().Literal() != "3" || member(t, &list[2], "x").Text() != "y" {
		t.Errorf("list = %v", list)
	}
	if m := member(t, &v, "empty"); m.Kind() != KindObject || len(m.Members()) != 0 {
		t.Error("empty is not an empty object")
	}
	if m := member(t, &v, "none"); m.Kind() != KindArray || len(m.Items()) != 0 {
		t.Error("none is not an empty array")
	}
	if m := member(t, &v, ""); m.Kind() != KindString || m.Text() != "" {
		t.Error("a member without a name is lost")
	}
	if _, ok := v.Get("absent"); ok {
		t.Error("found a member that was not sent")
	}
}

func TestParse_KeepsTheOrderSent(t *testing.T) {
	v := mustParse(t, `{"b":[3,1,2],"c":{"z":1,"y":{"q":1},"x":2},"a":0}`)

	var names []string
	for _, m := range v.Members() {
		names = append(names, m.Name)
	}
	for _, m := range member(t, &v, "c").Members() {
		names = append(names, m.Name)
	}
	for _, item := range member(t, &v, "b").Items() {
		names = append(names, item.Number().Literal())
	}

	if got := strings.Join(names, " "); got != "b c a z y x 3 1 2" {
		t.Errorf("order = %s", got)
	}
}

func TestParse_BringsTextAndNamesToNFC(t *testing.T) {
	for _, spelling := range []string{"Caf\u00e9", "Cafe\u0301", `Cafe\u0301`, `Caf\u00E9`, `\u0043afe` + "\u0301"} {
		v := mustParse(t, `{"`+spelling+`":"`+spelling+`"}`)
		if got := member(t, &v, "Caf\u00e9").Text(); got != "Caf\u00e9" {
			t.Errorf("%s is read as %+q", spelling, got)
		}
	}
}

func TestParse_TextThatNFCMakesLonger(t *testing.T) {
	const sent, nfc = "\U0001D160", "\U0001D158\U0001D165\U0001D16E"
	v := mustParse(t, `{"a":"`+strings.Repeat(sent, 100)+`","b":"end"}`)

	if member(t, &v, "a").Text() != strings.Repeat(nfc, 100) || member(t, &v, "b").Text() != "end" {
		t.Errorf("got %v", v.Members())
	}
}

func TestParse_ValueOutlivesTheBuffer(t *testing.T) {
	body := []byte(`{"name":"Maria","tags":["a\u0062"],"n":12}`)
	v, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}

	for i := range body {
		body[i] = 'X'
	}
	mustParse(t, `{"other":"body","tags":[9],"n":34}`)

	if member(t, &v, "name").Text() != "Maria" || member(t, &v, "tags").Items()[0].Text() != "ab" ||
		member(t, &v, "n").Number().Literal() != "12" {
		t.Error("the value changed with the buffer it was read from")
	}
}

func TestParse_Refuses(t *testing.T) {
	deep := strings.Repeat(`[`, MaxDepth+1)
	cases := []struct {
		name, body string
		reason     Reason
		offset     int64
		pointer    string
	}{
		{"no bytes", "", Empty, 0, ""},
		{"only white space", " \r\n\t ", Empty, 5, ""},
		{"a BOM", "\ufeff{}", BOM, 0, ""},
		{"a BOM alone", "\ufeff", BOM, 0, ""},
		{"UTF-16", "\xff\xfe{\x00}\x00", InvalidUTF8, 0, ""},
		{"Latin-1", "{\"a\":\"caf\xe9\"}", InvalidUTF8, 9, ""},
		{"a surrogate in UTF-8", "\"\xed\xa0\x80\"", InvalidUTF8, 1, ""},
		{"an overlong form", "\"\xc0\xaf\"", InvalidUTF8, 1, ""},
		{"a lone high surrogate", `{"a":["\ud83d"]}`, InvalidUTF8, 14, "/a/0"},
		{"a lone low surrogate", `{"a":"\ude00"}`, InvalidUTF8, 13, "/a"},
		{"surrogates in the wrong order", `"\ude00\ud83d"`, InvalidUTF8, 14, ""},
		{"a high surrogate before text", `"\ud83dabcdef"`, InvalidUTF8, 14, ""},
		{"a lone surrogate in a name", `{"\ud83d":1}`, InvalidUTF8, 9, "/\ufffd"},
		{"a name twice", `{"a":1,"b":2,"a":1}`, DuplicateName, 16, "/a"},
		{"a name twice, escaped", `{"a":1,"\u0061":1}`, DuplicateName, 15, "/a"},
		{"a name twice, after NFC", "{\"\u00e9\":1,\"e\u0301\":1}", DuplicateName, 13, "/e\u0301"},
		{"a name twice, deeper", `{"x":[{},{"a/~":1,"a/~":2}]}`, DuplicateName, 23, "/x/1/a~1~0"},
		{"an empty name twice", `{"":1,"":1}`, DuplicateName, 8, "/"},
		{"two values", `{"name":"A"}{"name":"B"}`, TrailingData, 12, ""},
		{"text after the value", `{"name":"A"} xyz`, TrailingData, 13, ""},
		{"a bracket after the value", `{"name":"A"}]`, TrailingData, 12, ""},
		{"a comma after the value", `1,`, TrailingData, 1, ""},
		{"NUL after the value", "{}\x00", TrailingData, 2, ""},
		{"a no-break space after the value", "{}\u00a0", TrailingData, 2, ""},
		{"one level too many", deep + strings.Repeat(`]`, MaxDepth+1), TooDeep, MaxDepth + 1, strings.Repeat("/0", MaxDepth)},
		{"one level too many, unclosed", deep, TooDeep, MaxDepth + 1, strings.Repeat("/0", MaxDepth)},
		{"NUL alone", "\x00", Malformed, 0, ""},
		{"no-break space in front", "\u00a0{}", Malformed, 0, ""},
		{"a form feed in front", "\f{}", Malformed, 0, ""},
		{"cut off in a string", `{"a":"b`, Malformed, 7, "/a"},
		{"cut off after a name", `{"a"`, Malformed, 4, "/a"},
		{"cut off in an array", `[1,`, Malformed, 3, ""},
		{"a comma before the end of an array", `[1,]`, Malformed, 2, ""},
		{"a comma before the end of an object", `{"a":1,}`, Malformed, 6, ""},
		{"two commas", `[1,,2]`, Malformed, 3, "/1"},
		{"no comma", `[1 2]`, Malformed, 3, ""},
		{"the wrong closing bracket", `[1}`, Malformed, 2, ""},
		{"a number for a name", `{1:2}`, Malformed, 1, ""},
		{"a bare name", `{a:2}`, Malformed, 1, ""},
		{"single quotes", `{'a':2}`, Malformed, 1, ""},
		{"NaN", `NaN`, Malformed, 0, ""},
		{"a leading plus", `+1`, Malformed, 0, ""},
		{"a leading point", `[.5]`, Malformed, 1, "/0"},
		{"a trailing point", `[1.]`, Malformed, 3, "/0"},
		{"an exponent without digits", `[1e]`, Malformed, 3, "/0"},
		{"True", `[True]`, Malformed, 1, "/0"},
		{"a raw control character", "[\"a\nb\"]", Malformed, 3, "/0"},
		{"an unknown escape", `["\x41"]`, Malformed, 2, "/0"},
		{"a comment", `[1 /* one */]`, Malformed, 3, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v, err := Parse([]byte(c.body))

			refused, ok := errors.AsType[*SyntaxError](err)
			if !ok {
				t.Fatalf("error = %v", err)
			}
			if want := (SyntaxError{c.offset, c.reason, c.pointer}); *refused != want {
				t.Errorf("error = %+v, want %+v", *refused, want)
			}
			if v != (Value{}) {
				t.Error("a refused body has a value")
			}
		})
	}
}

func TestParse_AcceptsTheDeepestNesting(t *testing.T) {
	mustParse(t, strings.Repeat(`[`, MaxDepth)+strings.Repeat(`]`, MaxDepth))
	mustParse(t, strings.Repeat(`{"a":`, MaxDepth)+"1"+strings.Repeat(`}`, MaxDepth))
	mustParse(t, `[`+strings.Repeat(`[[]],`, 100)+`[[]]]`)
}

func TestParse_FindsDuplicatesAmongManyNames(t *testing.T) {
	names := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`"n` + strings.Repeat("x", i) + `":[{"a":1,"b":2}],`)
		}
		return b.String()
	}
	for n := 1; n < 40; n++ {
		mustParse(t, `{`+names(n)+`"last":1}`)
		for _, again := range []string{"n", "n" + strings.Repeat("x", n-1)} {
			_, err := Parse([]byte(`{` + names(n) + `"` + again + `":1}`))
			if refused, ok := errors.AsType[*SyntaxError](err); !ok || refused.Reason != DuplicateName {
				t.Fatalf("%d names and one of them again: %v", n, err)
			}
		}
	}
}

func TestParse_ErrorShowsNothingOfTheBody(t *testing.T) {
	_, err := Parse([]byte(`{"secret":1,"secret":"secret"}`))

	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("error = %v", err)
	}
}

func TestParse_BoundsThePointer(t *testing.T) {
	long := strings.Repeat("x", 1000)
	_, err := Parse([]byte(`{"a":{"` + long + `":{"b":tru}}}`))

	refused, ok := errors.AsType[*SyntaxError](err)
	if !ok || refused.Pointer != "/a" {
		t.Errorf("error = %v", err)
	}
}

func TestParse_IsSafeInParallel(t *testing.T) {
	bodies := []string{`{"a":[1,2,{"b":"c"}]}`, `["x","y\u0041"]`, `{"a":1,"a":2}`, `[[[`, `"\ud800"`}
	want := make([]string, len(bodies))
	for i, body := range bodies {
		want[i] = dump(Parse([]byte(body)))
	}

	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 2000 {
				k := i % len(bodies)
				if got := dump(Parse([]byte(bodies[k]))); got != want[k] {
					t.Errorf("%s is read as %s, want %s", bodies[k], got, want[k])
					return
				}
			}
		})
	}
	group.Wait()
}

// dump writes a result of Parse for comparison.
func dump(v Value, err error) string {
	if err != nil {
		return err.Error()
	}
	switch v.Kind() {
	case KindString:
		return "'" + v.Text() + "'"
	case KindNumber:
		return v.Number().Canonical()
	case KindArray:
		text := "["
		for _, item := range v.Items() {
			text += dump(item, nil) + ","
		}
		return text + "]"
	case KindObject:
		text := "{"
		for _, m := range v.Members() {
			text += "'" + m.Name + "':" + dump(m.Value, nil) + ","
		}
		return text + "}"
	case KindBool:
		if v.Bool() {
			return "true"
		}
		return "false"
	default:
		return "null"
	}
}
