package jsonval

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

const mebibyte = 1 << 20

// hostileBodies are what a client may send under the cap of 1 MiB to make the
// server work; refused says that the body is not valid.
var hostileBodies = []struct {
	name    string
	body    string
	refused bool
}{
	{"100,000 elements", "[" + repeatTo(mebibyte*2/10, "1,") + "1]", false},
	{"as many elements as fit", "[" + repeatTo(mebibyte, "1,") + "1]", false},
	{"empty arrays", "[" + repeatTo(mebibyte, "[],") + "1]", false},
	{"small objects", "[" + repeatTo(mebibyte, `{"":1},`) + "1]", false},
	{"100,000 names", manyNames(100_000), false},
	{"a million digits", strings.Repeat("7", mebibyte), false},
	{"a million zeros", "1" + strings.Repeat("0", mebibyte), false},
	{"a million digits after the point", "0." + strings.Repeat("0", mebibyte) + "1", false},
	{"a million digits in the exponent", "[" + strings.Repeat("7", 100) + "e" + strings.Repeat("9", mebibyte) + "]", false},
	{"one long text", `"` + strings.Repeat("a", mebibyte) + `"`, false},
	{"escapes", `"` + repeatTo(mebibyte, `\u00e9`) + `"`, false},
	{"decomposed text", `"` + repeatTo(mebibyte, "e\u0301") + `"`, false},
	{"text that NFC triples", `"` + repeatTo(mebibyte, "\U0001D160") + `"`, false},
	{"combining marks only", `"` + repeatTo(mebibyte, "\u0301\u0327") + `"`, false},
	{"a long name", `{"` + strings.Repeat("a", mebibyte) + `":1}`, false},
	{"10,000 levels", strings.Repeat("[", 10_000), true},
	{"a million levels", strings.Repeat(`{"a":`, mebibyte/5), true},
	{"wide and deep", repeatTo(mebibyte, strings.Repeat("[", MaxDepth)+strings.Repeat("]", MaxDepth)), true},
	{"a duplicate at the end", strings.TrimSuffix(manyNames(90_000), "}") + `,"n1":1}`, true},
	{"an error under a long name", `{"` + strings.Repeat("a", mebibyte) + `":{"b":tru}}`, true},
}

func repeatTo(length int, s string) string { return strings.Repeat(s, length/len(s)) }

func manyNames(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"n%d":1`, i)
	}
	return "{" + b.String()[1:] + "}"
}

// TestParse_CostIsLinear bounds what a body of 1 MiB costs. The worst (a value of
// 16 bytes for every 2 of the body, on a stack that grows) allocates about 50
// bytes in all for each byte, and takes under 0.1 s; something quadratic would
// take many seconds.
func TestParse_CostIsLinear(t *testing.T) {
	const (
		maxPerByte = 80
		maxTime    = 10 * time.Second
	)
	for _, c := range hostileBodies {
		t.Run(c.name, func(t *testing.T) {
			begin := time.Now()
			allocated, err := allocatedBytes([]byte(c.body))
			took := time.Since(begin)

			if (err != nil) != c.refused {
				t.Errorf("error = %v", err)
			}
			if perByte := allocated / uint64(len(c.body)); perByte > maxPerByte {
				t.Errorf("%d bytes allocated for each byte of the body", perByte)
			}
			if took > maxTime {
				t.Errorf("took %s", took)
			}
		})
	}
}

// allocatedBytes parses body and evaluates the first number in it.
func allocatedBytes(body []byte) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := Parse(body)
	if items := v.Items(); len(items) > 0 {
		v = items[0]
	}
	_ = v.Number().Canonical()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// BenchmarkParse_Hostile shows the time for each byte, which must be about the
// same for all of them.
func BenchmarkParse_Hostile(b *testing.B) {
	for _, c := range hostileBodies {
		b.Run(c.name, func(b *testing.B) {
			body := []byte(c.body)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				v, _ := Parse(body)
				_ = v.Number().Canonical()
			}
		})
	}
}

func BenchmarkParse_200Bytes(b *testing.B) {
	body := []byte(`{"client_id":"0190b8f2-7d5e-7c3a-9a55-0d7f3a1c2b4e","description":"Instala\u00e7\u00e3o el\u00e9trica",` +
		`"amount_cents":125000,"due_on":"2025-03-31","items":[{"name":"Cabo 10 mm","qty":12.5}]}`)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(body); err != nil {
			b.Fatal(err)
		}
	}
}
