package idempotency

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"fatureihoje/internal/jsonval"
)

var testFingerprinter = NewFingerprinter([]byte("a secret for tests"))

// post is a valid request; tests change what they are about.
func post(t testing.TB, body string) Request {
	t.Helper()
	r := Request{Method: "POST", Path: "/public/v1/clients"}
	if body == "" {
		return r
	}
	v, err := jsonval.Parse([]byte(body))
	if err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	r.Body = &v
	return r
}

func sumOf(t testing.TB, body string) [32]byte {
	t.Helper()
	return testFingerprinter.Of(post(t, body)).Sum
}

// TestOf_Golden pins version 1. If it fails, the canonical form has changed, and
// keys written before the change no longer recognise their repetition: make a
// new version instead.
func TestOf_Golden(t *testing.T) {
	r := post(t, `{"name":"João da Silva","amount":12.50,"big":9007199254740993,"far":-1e400,"active":true,"off":false,
		"notes":null,"tags":["a","\ud83d\ude00",[]],"address":{"zip":"01310-100","city":"São Paulo"}}`)
	r.Method, r.Path, r.Query = "POST", "/public/v1/clients", "origin=site&x=%20"

	fingerprint := testFingerprinter.Of(r)

	const sum = "9324005f153df5598a2fdeab5b56b37532c187bfafcd8e264f335a0dcc2a08e5"
	if got := hex.EncodeToString(fingerprint.Sum[:]); got != sum || fingerprint.Version != 1 {
		t.Errorf("sum = %s in version %d", got, fingerprint.Version)
	}
	const parts = "0001f23c0be675149bad4feb0cfeaaa53c01090661637469766520654b1e8ae7be4a07616464726573739b6ce8c3b56714f2" +
		"06616d6f756e7455a40c6bd1a4cc5c03626967782b01d257883ab4036661725e9fda4835d03f00046e616d6500bf3b055db4" +
		"1b67056e6f7465733815c0642fa6c42e036f6666867a85fbf2fe55020474616773abec54851d79165a"
	if got := hex.EncodeToString(fingerprint.Parts.Encode()); got != parts {
		t.Errorf("parts = %s", got)
	}
}

func TestOf_SameContentInAnotherSpelling(t *testing.T) {
	groups := [][]string{
		{`{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, "\r\n{ \"b\" : {\"d\":3 ,\"c\":2},\t\"a\":1}\n"},
		{`{"n":"João"}`, `{"n":"Jo\u00e3o"}`, `{"n":"Jo\u00E3o"}`, `{"\u006e":"\u004aoa\u0303o"}`, "{\"n\":\"Joa\u0303o\"}"},
		{`{"n":10}`, `{"n":10.0}`, `{"n":1e1}`, `{"n":1E+01}`, `{"n":0.1e2}`, `{"n":100e-1}`},
		{`{"n":0}`, `{"n":-0}`, `{"n":0.000}`, `{"n":0e999}`},
		{`{"n":1e999999999}`, `{"n":10e999999998}`},
		{`{"s":"a/b\n😀"}`, `{"s":"a\/b\u000a\ud83d\uDE00"}`},
		{"", `{}`, ` { } `},
	}
	for _, group := range groups {
		for _, body := range group[1:] {
			if sumOf(t, body) != sumOf(t, group[0]) {
				t.Errorf("%s and %s differ", group[0], body)
			}
		}
	}
}

func TestOf_OtherContent(t *testing.T) {
	bodies := []string{
		"", `null`, `[]`, `""`, `0`, `false`, `true`, `"0"`, `"null"`, `[null]`, `[[]]`, `[{}]`, `[[],[]]`, `[[[]]]`,
		`{"a":null}`, `{"a":{}}`, `{"a":[]}`, `{"a":""}`, `{"a":0}`, `{"a":false}`, `{"a":"0"}`, `{"A":0}`, `{"a ":0}`,
		`{"a":"b","c":1}`, `{"a":"b\",\"c\":1"}`, `{"a":"b","c":"1"}`, `{"a":{"b":1},"c":1}`, `{"a":{"b":1,"c":1}}`,
		`{"a":"b,c"}`, `{"a":["b","c"]}`, `{"a":["c","b"]}`, `{"a":["bc"]}`, `{"a":["b","c",""]}`, `{"a":["","b","c"]}`,
		`{"a":[1,2,3]}`, `{"a":[[1,2],3]}`, `{"a":[1,[2,3]]}`, `{"a":[12,3]}`, `{"a":[1,23]}`, `{"a":[123]}`,
		`{"ab":"c"}`, `{"a":"bc"}`, `{"":"abc"}`, `{"abc":""}`,
		`{"n":9007199254740993}`, `{"n":9007199254740992}`, `{"n":-9007199254740993}`, `{"n":"9007199254740993"}`,
		`{"n":1234567890123456789012345}`, `{"n":1234567890123456789012346}`,
		`{"n":0.1000000000000000000000001}`, `{"n":0.1}`, `{"n":0.01}`, `{"n":1e999999999}`, `{"n":1e999999998}`, `{"n":-1e999999999}`,
		`{"n":1e10000000000000000000000}`, `{"n":1e10000000000000000000001}`, `{"n":1e-10000000000000000000000}`,
		`{"s":"e"}`, `{"s":"é"}`, `{"s":"E"}`, `{"s":" e"}`, `{"s":"e\u0000"}`, `{"s":"e\u200b"}`, `{"s":"ﬁ"}`, `{"s":"fi"}`,
	}
	// Were a number not closed off, the length 48 of the longer name, which is the
	// byte '0', would be its last digit.
	shorter := strings.Repeat("x", 47)
	bodies = append(bodies, `{"":1e1,"/`+shorter+`":0}`, `{"":1e10,"`+shorter+`":0}`)
	seen := map[[32]byte]string{}
	for _, body := range bodies {
		sum := sumOf(t, body)
		if other, found := seen[sum]; found {
			t.Errorf("%s and %s are the same", body, other)
		}
		seen[sum] = body
	}
}

func TestOf_MethodPathAndQueryMatter(t *testing.T) {
	requests := []Request{
		{Method: "POST", Path: "/public/v1/clients"},
		{Method: "PUT", Path: "/public/v1/clients"},
		{Method: "POST", Path: "/public/v1/leads"},
		{Method: "POST", Path: "/public/v1/clients", Query: "origin=a"},
		{Method: "POST", Path: "/public/v1/clients", Query: "origin=b"},
		{Method: "POST", Path: "/public/v1/clients", Query: "origin=%61"},
		{Method: "POST", Path: "/public/v1/clients?origin=a"},
		{Method: "POST", Path: "/public/v1/clientsorigin=a"},
		{Method: "POST/public", Path: "/v1/clients"},
		{Method: "", Path: "POST/public/v1/clients"},
	}
	seen := map[[32]byte]Request{}
	for _, r := range requests {
		sum := testFingerprinter.Of(r).Sum
		if other, found := seen[sum]; found {
			t.Errorf("%+v and %+v are the same", r, other)
		}
		seen[sum] = r
	}
}

func TestOf_SumDoesNotDependOnTheSecret(t *testing.T) {
	r := post(t, `{"a":1}`)
	other := NewFingerprinter([]byte("another secret")).Of(r)
	this := testFingerprinter.Of(r)

	if other.Sum != this.Sum {
		t.Error("a change of the secret makes repetitions look like other requests")
	}
	if other.Parts.target == this.Parts.target || other.Parts.members[0].hash == this.Parts.members[0].hash {
		t.Error("the parts are not keyed")
	}
}

func TestSum_RecomputesAVersion(t *testing.T) {
	r := post(t, `{"a":1}`)

	if sum, ok := testFingerprinter.Sum(Version, r); !ok || sum != testFingerprinter.Of(r).Sum {
		t.Errorf("sum = %x, %t", sum, ok)
	}
	if as, ok := testFingerprinter.FingerprintAs(Version, r); !ok || !reflect.DeepEqual(as, testFingerprinter.Of(r)) {
		t.Errorf("fingerprint = %v, %t", as, ok)
	}
	for _, unknown := range []int16{0, -1, Version + 1} {
		if sum, ok := testFingerprinter.Sum(unknown, r); ok || sum != [32]byte{} {
			t.Errorf("version %d is known", unknown)
		}
		if _, ok := testFingerprinter.FingerprintAs(unknown, r); ok {
			t.Errorf("version %d is known", unknown)
		}
	}
}

func TestOf_IsSafeInParallel(t *testing.T) {
	for i := range 8 {
		body := fmt.Sprintf(`{"n":%d,"a":[%d,{"z":1,"y":"x"}]}`, i, i)
		want := NewFingerprinter([]byte("a secret for tests")).Of(post(t, body))
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			for range 500 {
				if got := testFingerprinter.Of(post(t, body)); !reflect.DeepEqual(got, want) {
					t.Fatalf("got %v, want %v", got, want)
				}
			}
		})
	}
}

func TestDiffers_NamesThePlaces(t *testing.T) {
	base := post(t, `{"amount_cents":100,"name":"Ana","tags":["a"]}`)
	elsewhere := post(t, `{"amount_cents":100,"name":"Ana","tags":["a"]}`)
	elsewhere.Path, elsewhere.Query = "/public/v1/leads", "x=1"
	otherMethod := base
	otherMethod.Method = "PUT"
	manyMembers := objectOf(t, maxPartMembers+1, "m%d")
	longName := `{"` + strings.Repeat("x", maxPartNameBytes+1) + `":1}`
	cases := []struct {
		name        string
		stored, now Request
		want        []string
	}{
		{"nothing", base, post(t, `{"tags":["a"],"name":"\u0041na","amount_cents":1e2}`), nil},
		{"path and query", base, elsewhere, []string{"path", "query"}},
		{"method", base, otherMethod, []string{"path"}},
		{"a value", base, post(t, `{"amount_cents":101,"name":"Ana","tags":["a"]}`), []string{"body/amount_cents"}},
		{"several, by name", base, post(t, `{"tags":["b"],"name":"Ana","amount_cents":"100"}`), []string{"body/amount_cents", "body/tags"}},
		{"a member only before", base, post(t, `{"amount_cents":100,"tags":["a"]}`), []string{"body/name"}},
		{"a member only now", base, post(t, `{"amount_cents":100,"name":"Ana","tags":["a"],"zip":null}`), []string{"body/zip"}},
		{"a member renamed", base, post(t, `{"amount_cents":100,"nome":"Ana","tags":["a"]}`), []string{"body/name", "body/nome"}},
		{"no body", base, post(t, ""), []string{"body/amount_cents", "body/name", "body/tags"}},
		{"no body and an empty one", post(t, ""), post(t, "{}"), nil},
		{"names to be escaped", post(t, `{"a/b":1,"a~b":1,"":1}`), post(t, `{}`), []string{"body/", "body/a~1b", "body/a~0b"}},
		{"no object", post(t, `[1]`), post(t, `[2]`), []string{"body"}},
		{"the same array", post(t, `[1]`), post(t, `[1.0]`), nil},
		{"an array for an object", base, post(t, `[]`), []string{"body"}},
		{"null for an object", post(t, ""), post(t, `null`), []string{"body"}},
		{"too many members", post(t, manyMembers), post(t, strings.Replace(manyMembers, `"m7":1`, `"m7":2`, 1)), []string{"body"}},
		{"too many members, the same", post(t, manyMembers), post(t, manyMembers), nil},
		{"too many members now", base, post(t, manyMembers), []string{"body"}},
		{"a long name", post(t, longName), post(t, strings.Replace(longName, "1", "2", 1)), []string{"body"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			stored, now := testFingerprinter.Of(c.stored), testFingerprinter.Of(c.now)

			if got := Differs(stored.Parts, now.Parts); !slices.Equal(got, c.want) {
				t.Errorf("differs = %q, want %q", got, c.want)
			}
			if got := Differs(now.Parts, stored.Parts); !slices.Equal(got, c.want) {
				t.Errorf("the other way round = %q, want %q", got, c.want)
			}
			if (stored.Sum == now.Sum) != (c.want == nil) {
				t.Error("the sums say something else than the parts")
			}
		})
	}
}

func TestDiffers_SaysNothingAcrossVersions(t *testing.T) {
	stored, now := testFingerprinter.Of(post(t, `{"a":1}`)).Parts, testFingerprinter.Of(post(t, `{"a":2}`)).Parts
	stored.version = 0

	if got := Differs(stored, now); got != nil {
		t.Errorf("differs = %q", got)
	}
}

// objectOf returns an object with n members whose names come from a format.
func objectOf(t *testing.T, n int, format string) string {
	t.Helper()
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"`+format+`":1`, i)
	}
	return "{" + strings.Join(members, ",") + "}"
}

func TestParts_SurviveEncoding(t *testing.T) {
	for _, body := range []string{
		"", `null`, `[1,2]`, `{"b":1,"a":2}`, `{"":1}`,
		objectOf(t, maxPartMembers, strings.Repeat("n", maxPartNameBytes-2)+"%02d"),
		objectOf(t, maxPartMembers+1, "n%d"),
		`{"` + strings.Repeat("é", maxPartNameBytes/2) + `":1}`,
	} {
		parts := testFingerprinter.Of(post(t, body)).Parts

		decoded, err := DecodeParts(parts.Encode())

		if err != nil || !reflect.DeepEqual(decoded, parts) {
			t.Errorf("%.40s: %v, %v", body, decoded, err)
		}
	}
}

func TestParts_HoldNoValues(t *testing.T) {
	encoded := testFingerprinter.Of(post(t, `{"name":"secret","nested":{"inner":"secret"}}`)).Parts.Encode()

	if bytes.Contains(encoded, []byte("secret")) || bytes.Contains(encoded, []byte("inner")) {
		t.Errorf("parts = %q", encoded)
	}
	if !bytes.Contains(encoded, []byte("nested")) {
		t.Error("the names of members are lost")
	}
}

func TestParts_EqualValuesInTwoMembersDoNotShow(t *testing.T) {
	parts := testFingerprinter.Of(post(t, `{"a":"x","b":"x"}`)).Parts

	if parts.members[0].hash == parts.members[1].hash {
		t.Error("two members with one value have one hash")
	}
}

func TestDecodeParts_RefusesWhatEncodeDoesNotWrite(t *testing.T) {
	valid := testFingerprinter.Of(post(t, `{"a":1,"b":2}`)).Parts.Encode()
	for n := range len(valid) {
		if _, err := DecodeParts(valid[:n]); err == nil {
			t.Errorf("accepted the first %d bytes of %d", n, len(valid))
		}
	}
	head := valid[:18]
	hash := "12345678"
	for name, encoded := range map[string]string{
		"a byte too many":  string(valid) + "x",
		"too many members": string(head) + "\x41" + strings.Repeat("\x01a"+hash, 65),
		"members unsorted": string(head) + "\x02" + "\x01b" + hash + "\x01a" + hash,
		"a member twice":   string(head) + "\x02" + "\x01a" + hash + "\x01a" + hash,
		"a name too long":  string(head) + "\x01" + "\x41" + strings.Repeat("n", 65) + hash,
	} {
		if _, err := DecodeParts([]byte(encoded)); err == nil {
			t.Errorf("accepted %s", name)
		}
	}
}

// TestOf_AnySpellingIsTheSameRequest spells random documents twice.
func TestOf_AnySpellingIsTheSameRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		document := drawDocument(t)
		one, two := spell(t, document), spell(t, document)

		a, b := fingerprintOf(t, one), fingerprintOf(t, two)

		if a.Sum != b.Sum {
			t.Fatalf("%s\n%s\nare not the same", one, two)
		}
		if places := Differs(a.Parts, b.Parts); places != nil {
			t.Fatalf("%s\n%s\ndiffer in %q", one, two, places)
		}
	})
}

// TestOf_AnyChangeIsAnotherRequest changes one place of a random document.
func TestOf_AnyChangeIsAnotherRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		document := drawDocument(t)
		changed := change(t, document)
		one, two := spell(t, document), spell(t, changed)

		a, b := fingerprintOf(t, one), fingerprintOf(t, two)

		if a.Sum == b.Sum {
			t.Fatalf("%s\n%s\nare the same", one, two)
		}
		places := Differs(a.Parts, b.Parts)
		if len(places) == 0 || !strings.HasPrefix(places[0], "body") {
			t.Fatalf("%s\n%s\ndiffer in %q", one, two, places)
		}
	})
}

func fingerprintOf(t *rapid.T, body string) Fingerprint {
	v, err := jsonval.Parse([]byte(body))
	if err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return testFingerprinter.Of(Request{Method: "POST", Path: "/public/v1/clients", Body: &v})
}

// node is a JSON value that is not spelled yet.
type node struct {
	kind     jsonval.Kind
	bool     bool
	text     string // NFC
	negative bool   // of a number, with digits and exponent
	digits   string // without zeros at either end; "" is 0
	exponent int
	names    []string // of an object, NFC
	children []node   // of an object or an array
}

// sampleRunes are letters with and without a composed form, what must be
// escaped, and what lies outside the basic plane.
var sampleRunes = []rune("aAzé ãç ộÅ 가\"\\/\b\f\n\r\t\x00\x1f\x7f\u0301\u0327\u2028😀\U0001D160ﬁ0")

func drawText(t *rapid.T) string {
	return norm.NFC.String(rapid.StringOfN(rapid.SampledFrom(sampleRunes), 0, 8, -1).Draw(t, "text"))
}

// drawDocument returns any value, but mostly an object.
func drawDocument(t *rapid.T) node {
	if rapid.IntRange(0, 3).Draw(t, "any kind") == 3 {
		return drawNode(t, 3)
	}
	return fill(t, node{kind: jsonval.KindObject}, 3)
}

func drawNode(t *rapid.T, depth int) node {
	last := jsonval.KindObject
	if depth == 0 {
		last = jsonval.KindString
	}
	return fill(t, node{kind: jsonval.Kind(rapid.IntRange(0, int(last)).Draw(t, "kind"))}, depth)
}

// fill gives n content of its kind, nested no deeper than depth.
func fill(t *rapid.T, n node, depth int) node {
	switch n.kind {
	case jsonval.KindBool:
		n.bool = rapid.Bool().Draw(t, "bool")
	case jsonval.KindNumber:
		n.digits = strings.Trim(rapid.StringMatching(`[0-9]{1,30}`).Draw(t, "digits"), "0")
		if n.digits != "" {
			n.negative = rapid.Bool().Draw(t, "negative")
			n.exponent = rapid.OneOf(rapid.IntRange(-30, 30), rapid.Int()).Draw(t, "exponent") / 4
		}
	case jsonval.KindString:
		n.text = drawText(t)
	case jsonval.KindArray:
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			n.children = append(n.children, drawNode(t, depth-1))
		}
	case jsonval.KindObject:
		for range rapid.IntRange(0, 5).Draw(t, "members") {
			if name := drawText(t); !slices.Contains(n.names, name) {
				n.names = append(n.names, name)
				n.children = append(n.children, drawNode(t, depth-1))
			}
		}
	}
	return n
}

// change returns a copy of n that differs in one place.
func change(t *rapid.T, n node) node {
	n.names, n.children = slices.Clone(n.names), slices.Clone(n.children)
	if len(n.children) > 0 && rapid.Bool().Draw(t, "inside") {
		i := rapid.IntRange(0, len(n.children)-1).Draw(t, "child")
		n.children[i] = change(t, n.children[i])
		return n
	}
	switch n.kind {
	case jsonval.KindNull:
		return node{kind: jsonval.KindBool}
	case jsonval.KindBool:
		n.bool = !n.bool
	case jsonval.KindNumber:
		return changeNumber(t, n)
	case jsonval.KindString:
		n.text += "x" // which composes with nothing
	case jsonval.KindArray:
		return changeArray(t, n)
	case jsonval.KindObject:
		return changeObject(t, n)
	}
	return n
}

func changeNumber(t *rapid.T, n node) node {
	if n.digits == "" {
		n.digits = "1"
		return n
	}
	switch rapid.IntRange(0, 3).Draw(t, "change of number") {
	case 0:
		n.negative = !n.negative
	case 1:
		n.exponent++
	case 2: // in the 25th digit behind the last
		n.digits += strings.Repeat("0", 24) + "1"
		n.exponent -= 25
	case 3:
		n.kind, n.text = jsonval.KindString, n.digits
	}
	return n
}

func changeArray(t *rapid.T, n node) node {
	for i := 1; i < len(n.children); i++ {
		if !reflect.DeepEqual(n.children[i-1], n.children[i]) && rapid.Bool().Draw(t, "reorder") {
			n.children[i-1], n.children[i] = n.children[i], n.children[i-1]
			return n
		}
	}
	if len(n.children) > 0 && rapid.Bool().Draw(t, "remove") {
		n.children = n.children[1:]
		return n
	}
	n.children = append(n.children, node{})
	return n
}

func changeObject(t *rapid.T, n node) node {
	if len(n.children) == 0 {
		return node{kind: jsonval.KindObject, names: []string{"new"}, children: []node{{}}}
	}
	switch rapid.IntRange(0, 2).Draw(t, "change of object") {
	case 0:
		n.names, n.children = n.names[1:], n.children[1:]
	case 1: // a name longer than all others
		n.names[0] = strings.Join(n.names, "") + "x"
	case 2:
		n.names = append(n.names, strings.Join(n.names, "")+"x")
		n.children = append(n.children, node{})
	}
	return n
}

// spell writes n as JSON in one of its many spellings.
func spell(t *rapid.T, n node) string {
	space := func() string { return rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n"}).Draw(t, "space") }
	switch n.kind {
	case jsonval.KindBool:
		return space() + strconv.FormatBool(n.bool) + space()
	case jsonval.KindNumber:
		return space() + spellNumber(t, n) + space()
	case jsonval.KindString:
		return space() + spellText(t, n.text) + space()
	case jsonval.KindArray:
		items := make([]string, len(n.children))
		for i, child := range n.children {
			items[i] = spell(t, child)
		}
		return space() + "[" + space() + strings.Join(items, ",") + "]" + space()
	case jsonval.KindObject:
		members := make([]string, len(n.children))
		for i, child := range n.children {
			members[i] = space() + spellText(t, n.names[i]) + space() + ":" + spell(t, child)
		}
		members = rapid.Permutation(members).Draw(t, "order")
		return space() + "{" + space() + strings.Join(members, ",") + "}" + space()
	default:
		return space() + "null" + space()
	}
}

// spellNumber puts the point somewhere in, before or after the digits.
func spellNumber(t *rapid.T, n node) string {
	sign := ""
	if n.negative || n.digits == "" && rapid.Bool().Draw(t, "negative zero") {
		sign = "-"
	}
	last := len(n.digits) + 5
	if n.digits == "" {
		last = 1 // 00 is no JSON
	}
	point := rapid.IntRange(-5, last).Draw(t, "point")
	digits := n.digits
	if point <= 0 {
		digits = strings.Repeat("0", 1-point) + digits
	}
	digits += strings.Repeat("0", max(0, point-len(n.digits), 1-len(digits)))
	whole := max(point, 1)
	text := sign + digits[:whole]
	zeros := strings.Repeat("0", rapid.IntRange(0, 3).Draw(t, "zeros"))
	if fraction := digits[whole:] + zeros; fraction != "" {
		text += "." + fraction
	}
	exponent := n.exponent + len(n.digits) - point
	if exponent == 0 && rapid.Bool().Draw(t, "no exponent") {
		return text
	}
	text += rapid.SampledFrom([]string{"e", "E"}).Draw(t, "e")
	if exponent < 0 {
		return text + strconv.Itoa(exponent)
	}
	return text + rapid.SampledFrom([]string{"", "+", "0", "+00"}).Draw(t, "plus") + strconv.Itoa(exponent)
}

// spellText writes text composed or decomposed, and escapes more than it must.
func spellText(t *rapid.T, text string) string {
	if rapid.Bool().Draw(t, "decomposed") {
		text = norm.NFD.String(text)
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		short, hasShort := shortEscapes[r]
		switch must := r < ' ' || r == '"' || r == '\\'; {
		case hasShort && rapid.Bool().Draw(t, "short escape"):
			b.WriteString(short)
		case must || rapid.Bool().Draw(t, "escape"):
			b.WriteString(escape(t, r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

var shortEscapes = map[rune]string{
	'"': `\"`, '\\': `\\`, '/': `\/`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`,
}

func escape(t *rapid.T, r rune) string {
	format := rapid.SampledFrom([]string{`\u%04x`, `\u%04X`}).Draw(t, "hexadecimal")
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune{r}) {
		fmt.Fprintf(&b, format, unit)
	}
	return b.String()
}

// benchmarkBody has about 200 bytes.
const benchmarkBody = `{"client_id":"0190b8f2-7d5e-7c3a-9a55-0d7f3a1c2b4e","description":"Instala\u00e7\u00e3o el\u00e9trica",` +
	`"amount_cents":125000,"due_on":"2025-03-31","items":[{"name":"Cabo 10 mm","qty":12.5}]}`

func BenchmarkOf_200Bytes(b *testing.B) {
	r := post(b, benchmarkBody)
	b.ReportAllocs()
	for b.Loop() {
		testFingerprinter.Of(r)
	}
}

func BenchmarkSum_200Bytes(b *testing.B) {
	r := post(b, benchmarkBody)
	b.ReportAllocs()
	for b.Loop() {
		testFingerprinter.Sum(Version, r)
	}
}

func BenchmarkOf_Hostile(b *testing.B) {
	for name, body := range map[string]string{
		"half a million elements": "[" + strings.Repeat("1,", 1<<19) + "1]",
		"a million digits":        strings.Repeat("7", 1<<20),
		"deep objects":            "[" + strings.Repeat(`{"a":{"c":{"b":1}}},`, 50_000) + "1]",
	} {
		b.Run(name, func(b *testing.B) {
			r := post(b, body)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				testFingerprinter.Of(r)
			}
		})
	}
}
