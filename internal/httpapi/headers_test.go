package httpapi_test

import (
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/config"
	"fatureihoje/internal/testkit"
)

func TestCredential_IsReadFromOneAuthorizationHeaderOnly(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	get := func(path string, options ...testkit.CallOption) *testkit.Response {
		return key.Get(t, path, options...)
	}

	get("/clients", testkit.Header("Authorization", "bearer "+key.Secret)).Want(t, 200)
	get("/clients", testkit.Header("Authorization", "BEARER "+key.Secret)).Want(t, 200)
	for name, options := range map[string][]testkit.CallOption{
		"two headers":  {testkit.Header("Authorization", "Bearer "+key.Secret), testkit.Header("Authorization", "Bearer "+key.Secret)},
		"basic":        {testkit.Header("Authorization", "Basic "+key.Secret)},
		"no scheme":    {testkit.Header("Authorization", key.Secret)},
		"truncated":    {testkit.Header("Authorization", "Bearer "+key.Secret[:len(key.Secret)-1])},
		"empty":        {testkit.Header("Authorization", "Bearer ")},
		"a cookie":     {testkit.Header("Authorization", ""), testkit.Header("Cookie", "session="+key.Secret)},
		"other header": {testkit.Header("Authorization", ""), testkit.Header("X-Api-Key", key.Secret)},
	} {
		if r := get("/clients", options...); r.Status != 401 || r.Code() != "unauthorized" || r.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: %s", name, r)
		}
	}
	for _, in := range []string{"api_key", "access_token", "token", "key"} {
		get("/clients?"+in+"="+key.Secret, testkit.Header("Authorization", "")).WantProblem(t, 401, "unauthorized")
	}
	if strings.Contains(key.Server.Log(), key.Secret) {
		t.Error("the log holds the key")
	}
}

func TestRequestID_IsTheCallersOwnWhereItIsVisibleASCII(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	long := strings.Repeat("x", 128)
	for given, kept := range map[string]bool{"abc-123": true, long: true, long + "x": false, "a b": false, "ção": false, "": false} {
		r := key.Get(t, "/clients/"+testkit.RandomID(), testkit.RequestID(given)).Want(t, 404)
		if got := r.RequestID(); (got == given) != kept || got == "" || r.Text("request_id") != got {
			t.Errorf("%.20q became %q", given, got)
		}
	}
	if a, b := key.Get(t, "/clients"), key.Get(t, "/clients"); a.RequestID() == b.RequestID() {
		t.Error("two requests have one id")
	}
	testkit.New(t).Anonymous().Get(t, "/nothing", testkit.RequestID("abc")).Want(t, 404)
}

func TestRequestID_OfAReplayIsItsOwn(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	idem := testkit.NewKey()

	first := key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem))
	again := key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem)).WantReplayOf(t, first)

	if first.RequestID() == again.RequestID() {
		t.Error("the replay has the first request's id")
	}
}

func TestReplayed_IsSaidOnReplaysOnly(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	idem := testkit.NewKey()
	ana := testkit.M{"name": "Ana"}
	first := key.Post(t, "/clients", ana, testkit.Key(idem)).Want(t, 201)
	for name, r := range map[string]*testkit.Response{
		"first":       first,
		"without key": key.Post(t, "/clients", ana).Want(t, 201),
		"reused":      key.Post(t, "/clients", testkit.M{"name": "Bia"}, testkit.Key(idem)).Want(t, 422),
		"conflict":    key.Post(t, "/clients/"+first.ID()+"/unarchive", nil, testkit.Key(testkit.NewKey())).Want(t, 409),
		"read":        key.Get(t, "/clients", testkit.Key(idem)).Want(t, 200),
		"patch":       key.Patch(t, "/clients/"+first.ID(), ana, testkit.Key(idem)).Want(t, 200),
	} {
		if r.Replayed() {
			t.Errorf("%s: %s", name, r)
		}
	}
	key.Post(t, "/clients", ana, testkit.Key(idem)).WantReplayOf(t, first)
}

func TestLanguage_IsPortugueseUnlessEnglishIsAskedFor(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	for language, english := range map[string]bool{"": false, "pt-BR": false, "en": true, "en-US,en;q=0.9": true, "fr": false, "*": false} {
		r := key.Post(t, "/clients", testkit.M{}, testkit.Header("Accept-Language", language)).Want(t, 422)
		if got := strings.Contains(string(r.Body), "Required member."); got != english {
			t.Errorf("%q: %s", language, r)
		}
		if got := strings.Contains(string(r.Body), "Campo obrigatório."); got == english {
			t.Errorf("%q: %s", language, r)
		}
	}
}

func TestResponses_CannotBeReadAsAnythingElse(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	name := `</script><img src=x onerror=alert(1)>`
	for _, r := range []*testkit.Response{
		key.Post(t, "/clients", testkit.M{"name": name}).Want(t, 201), key.Get(t, "/clients").Want(t, 200), key.Get(t, "/clients/x").Want(t, 404),
		key.Server.Anonymous().Get(t, "/clients").Want(t, 401), key.Get(t, "/clients?"+"%3Cscript%3E=1").Want(t, 422),
	} {
		if r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", r, r.Header)
		}
		if r.Status >= 400 && strings.Contains(string(r.Body), "<script>") {
			t.Errorf("an error echoes markup: %s", r)
		}
	}
	if r := key.Get(t, "/clients"); r.Data(t)[0]["name"] != name {
		t.Errorf("not returned as stored: %s", r)
	}
}

// TestCORS_IsOff: a browser's page of another origin gets nothing.
func TestCORS_IsOff(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	origin := testkit.Header("Origin", "https://evil.example")
	for _, r := range []*testkit.Response{
		key.Get(t, "/clients", origin), key.Post(t, "/clients", testkit.M{"name": "Ana"}, origin),
		key.Do(t, "OPTIONS", "/clients", nil, origin, testkit.Header("Access-Control-Request-Method", "POST")),
	} {
		for name := range r.Header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: %s", r, name)
			}
		}
	}
}

func TestETag_GuardsWritesByTheVersionAndReadsByTheWhole(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	first := key.Post(t, "/clients", testkit.M{"name": "Ana"}).Want(t, 201)
	path, tag := "/clients/"+first.ID(), first.Header.Get("ETag")
	match := func(tags ...string) []testkit.CallOption {
		var options []testkit.CallOption
		for _, v := range tags {
			options = append(options, testkit.Header("If-Match", v))
		}
		return options
	}

	if got := key.Get(t, path).Header.Get("ETag"); got != tag || !strings.HasPrefix(tag, `"v1-`) {
		t.Fatalf("ETag of the creation %s, of the reading %s", tag, got)
	}
	same := key.Get(t, path, testkit.Header("If-None-Match", `"x", W/`+tag)).Want(t, 304)
	if len(same.Body) != 0 || same.Header.Get("ETag") != tag {
		t.Errorf("304 with %q and the tag %s", same.Body, same.Header.Get("ETag"))
	}
	second := key.Patch(t, path, testkit.M{"notes": "a"}, match(tag)...).Want(t, 200)
	key.Get(t, path, testkit.Header("If-None-Match", tag)).Want(t, 200)
	for _, stale := range []string{tag, `"nonsense"`, `nonsense`, `"v-"`, `"v99-00"`, ``} {
		key.Patch(t, path, testkit.M{"notes": "b"}, match(stale)...).WantProblem(t, 412, "precondition_failed")
		key.Delete(t, path, match(stale)...).WantProblem(t, 412, "precondition_failed")
	}
	key.Patch(t, path, testkit.M{"notes": "c"}, match(`"nonsense", `+second.Header.Get("ETag"))...).Want(t, 200)
	key.Patch(t, path, testkit.M{"notes": "d"}, match("*")...).Want(t, 200)
	key.Patch(t, path, testkit.M{"notes": "e"}).Want(t, 200)
	last := key.Get(t, path)
	if last.Text("version") != "5" || last.Text("notes") != "e" {
		t.Errorf("after five versions: %s", last)
	}
	key.Delete(t, path, match(last.Header.Get("ETag"))...).Want(t, 204)
}

func TestRateLimit_RefusesBeforeTheKeyIsTouched(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC))
	srv := testkit.New(t, testkit.WithClock(now), testkit.WithConfig(func(c *config.Config) { c.RateLimit = 2 }))
	tenant := srv.Tenant(t)
	key, idem := tenant.Key(t), testkit.NewKey()
	ana := testkit.M{"name": "Ana"}

	first := key.Get(t, "/clients").Want(t, 200)
	if first.Header.Get("RateLimit-Policy") != `"requests";q=2;w=1` || first.Header.Get("RateLimit") != `"requests";r=3;t=0` {
		t.Errorf("headers: %q, %q", first.Header.Get("RateLimit-Policy"), first.Header.Get("RateLimit"))
	}
	for range 3 {
		key.Get(t, "/clients").Want(t, 200)
	}
	refused := key.Post(t, "/clients", ana, testkit.Key(idem)).WantProblem(t, 429, "rate_limited")
	if seconds, err := strconv.Atoi(refused.Header.Get("Retry-After")); err != nil || seconds < 1 {
		t.Errorf("Retry-After: %q", refused.Header.Get("Retry-After"))
	}
	if state := key.State(t, idem); state != "absent" {
		t.Errorf("the key is %s", state)
	}
	tenant.Key(t).Get(t, "/clients").Want(t, 200) // another API key has a budget of its own

	now.Advance(time.Second)
	done := key.Post(t, "/clients", ana, testkit.Key(idem)).Want(t, 201)
	key.Post(t, "/clients", ana, testkit.Key(idem)).WantReplayOf(t, done)
	key.Post(t, "/clients", ana, testkit.Key(idem)).WantProblem(t, 429, "rate_limited") // a replay counts like any other
}

func TestClientAddress_IsThePeersUnlessAProxyIsTrusted(t *testing.T) {
	t.Parallel()
	const allowed = "203.0.113.7"
	forwarded := []string{allowed, allowed + ", 127.0.0.1", "198.51.100.1, " + allowed, "[::1]", "::ffff:" + allowed, "garbage"}
	for name, c := range map[string]struct {
		trusted []netip.Prefix
		want    map[string]int
	}{
		"no proxy": {nil, map[string]int{}},
		"a proxy": {
			[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			map[string]int{allowed: 200, allowed + ", 127.0.0.1": 200, "198.51.100.1, " + allowed: 200, "::ffff:" + allowed: 200},
		},
	} {
		srv := testkit.New(t, testkit.WithConfig(func(conf *config.Config) { conf.ProxyPrefixes = c.trusted }))
		key := srv.Tenant(t).Key(t)
		srv.Database.Exec(t, "UPDATE api_keys SET allowed_ips = '{203.0.113.0/24}' WHERE id = $1", key.KeyID)
		for _, header := range forwarded {
			want := c.want[header]
			if want == 0 {
				want = 403
			}
			r := key.Get(t, "/clients", testkit.Header("X-Forwarded-For", header), testkit.Header("X-Real-IP", allowed))
			if r.Status != want || want == 403 && r.Text("reason") != "ip_not_allowed" {
				t.Errorf("%s: X-Forwarded-For %q: want %d, got %s", name, header, want, r)
			}
		}
	}
}
