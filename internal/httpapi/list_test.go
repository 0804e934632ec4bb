package httpapi_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestPage_HasALimitOfOneToAHundred(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	for _, limit := range []string{"0", "-1", "101", "100000000", "abc", "1.5", "1e3", "", "+5", "９", "9223372036854775808"} {
		if r := key.Get(t, "/clients?limit="+url.QueryEscape(limit)); r.Status != 422 {
			t.Errorf("limit=%s: %s", limit, r)
		}
	}
	key.Get(t, "/clients?limit=1&limit=2").WantFieldErrors(t, "?limit repeated")
	key.Get(t, "/clients?page=1").WantFieldErrors(t, "?page unknown_parameter")
	key.Get(t, "/clients?limit=100").Want(t, 200)
}

func TestCursor_OpensOnlyTheListThatItIsOf(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	for _, k := range []*testkit.Client{key, other} {
		for i := range 3 {
			k.Post(t, "/clients", testkit.M{"name": fmt.Sprintf("Ana %d", i), "email": "a@example.com"}).Want(t, 201)
		}
	}
	cursor := func(k *testkit.Client, query string) string {
		return k.Get(t, "/clients?limit=1"+query).Want(t, 200).Text("next_cursor")
	}
	good := cursor(key, "")
	raw, err := base64.RawURLEncoding.DecodeString(good)
	if err != nil {
		t.Fatalf("not base64url: %v", err)
	}
	raw[len(raw)-1] ^= 1
	flipped := base64.RawURLEncoding.EncodeToString(raw)

	key.Get(t, "/clients?cursor="+good).Want(t, 200)
	key.Get(t, "/clients?limit=2&cursor="+good).Want(t, 200) // the size of a page may change
	for name, bad := range map[string]string{
		"another tenant's": cursor(other, ""), "another order's": cursor(key, "&order=asc"), "another filter's": cursor(key, "&status=active"),
		"another sort's": cursor(key, "&sort=name"), "truncated": good[:len(good)-4], "flipped": flipped, "random": "AAAA", "padded": good + "==",
		"no base64": "a b'", "long": strings.Repeat("A", 900),
	} {
		r := key.Get(t, "/clients?cursor="+url.QueryEscape(bad))
		if r.Status != 400 || r.Code() != "invalid_request" {
			t.Errorf("%s: %s", name, r)
		}
	}
	key.Get(t, "/clients/"+key.All(t, "/clients")[0]["id"].(string)+"/addresses?cursor="+good).WantProblem(t, 400, "invalid_request")
}

func TestSearch_TakesWildcardsLiterally(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	key.Post(t, "/clients", testkit.M{"name": "Ana Souza"}).Want(t, 201)
	for _, q := range []string{"%", "_", "50% off", `\`, "'", "s_za", "%ana%", `";--`, "*", "a*"} {
		r := key.Get(t, "/clients?q="+url.QueryEscape(q)).Want(t, 200)
		if n := len(r.Data(t)); n != 0 && q != "%ana%" && q != "a*" {
			t.Errorf("%s finds %d", q, n)
		}
	}
	key.Get(t, "/clients?q="+strings.Repeat("a", 101)).WantFieldErrors(t, "?q too_long")
	key.Get(t, "/clients?q="+strings.Repeat("a", 10_000)).WantFieldErrors(t, "?q too_long")
}
