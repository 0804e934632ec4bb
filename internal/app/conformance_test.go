package app_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/testkit"
)

// These tests walk the route table: a new route is tried in all of them.

// eachRoute runs f for every route of the public API that wanted lets through,
// each with a tenant of its own.
func eachRoute(t *testing.T, wanted func(httpapi.Route) bool, f func(t *testing.T, key *testkit.Client, r httpapi.Route)) {
	t.Helper()
	t.Parallel()
	srv := testkit.New(t)
	tried := 0
	for _, r := range srv.Routes() {
		if !strings.HasPrefix(r.Path, httpapi.PublicBase+"/") || !wanted(r) {
			continue
		}
		tried++
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			f(t, srv.Tenant(t).Key(t), r)
		})
	}
	if tried == 0 {
		t.Error("no route was tried")
	}
}

func authenticated(r httpapi.Route) bool { return r.Authenticated() }

func scoped(r httpapi.Route) bool { return len(r.Scopes) > 0 }

func withIDs(r httpapi.Route) bool { return strings.Contains(r.Path, "{") }

func takesBody(r httpapi.Route) bool {
	return r.Method == http.MethodPost || r.Method == http.MethodPatch
}

func TestRoutes_RefuseACallerWithoutALivingCredential(t *testing.T) {
	eachRoute(t, authenticated, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req := newRequest(t, key, r)
		before := key.Tenant.Snapshot(t)
		unknown, revoked := *key, key.Tenant.Key(t)
		unknown.Secret = auth.NewToken(auth.LiveKey, key.Tenant.ID).Reveal()
		revoked.Revoke(t)
		cases := map[string]struct {
			client *testkit.Client
			code   string
		}{
			"none":         {key.Server.Anonymous(), "unauthorized"},
			"unknown":      {&unknown, "unauthorized"},
			"mistyped":     {mistyped(key), "unauthorized"},
			"revoked":      {revoked, "api_key_revoked"},
			"of a session": {key.Tenant.Session(t), "unauthorized"},
		}
		after := key.Tenant.Snapshot(t)
		for name, c := range cases {
			got := req.send(t, c.client, testkit.Key(testkit.NewKey()))
			if got.Status != 401 || got.Code() != c.code || got.Header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s: want 401 %s with WWW-Authenticate, got %s", name, c.code, got)
			}
		}
		key.Tenant.Snapshot(t).WantSame(t, after)
		key.Tenant.Snapshot(t).WantSame(t, before, "api_keys", "sessions")
	})
}

// mistyped returns the key with its last character changed.
func mistyped(key *testkit.Client) *testkit.Client {
	c := *key
	last := "A"
	if strings.HasSuffix(c.Secret, last) {
		last = "B"
	}
	c.Secret = c.Secret[:len(c.Secret)-1] + last
	return &c
}

func TestRoutes_RefuseACallerWithoutThePermission(t *testing.T) {
	eachRoute(t, scoped, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req := newRequest(t, key, r)
		for _, missing := range r.Scopes {
			rest := slices.DeleteFunc(auth.Permissions(), func(p string) bool { return p == missing })
			for lackedBy, caller := range map[string]*testkit.Client{
				"api_key": key.Tenant.Key(t, rest...),
				"member":  key.Tenant.Member(t, rest...).Key(t),
			} {
				before := key.Tenant.Snapshot(t)
				idem := testkit.NewKey()
				got := req.send(t, caller, testkit.Key(idem)).WantProblem(t, 403, "forbidden")
				if got.Text("required_permission") != missing || got.Text("lacked_by") != lackedBy {
					t.Errorf("want %s lacked by %s, got %s", missing, lackedBy, got)
				}
				key.Tenant.Snapshot(t).WantSame(t, before)
			}
		}
	})
}

func TestRoutes_AnswerForAnotherTenantsIDsAsForUnknownOnes(t *testing.T) {
	eachRoute(t, withIDs, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		other := elsewhere(t, key)
		foreign, own := newRequest(t, other, r), newRequest(t, key, r)
		unknown := own
		unknown.path = fillPath(r.Path, randomIDs(r))
		foreign.body = own.body
		before := other.Tenant.Snapshot(t)

		got, want := foreign.send(t, key), unknown.send(t, key)

		want.WantProblem(t, 404, "not_found")
		if !bytes.Equal(withoutRequestID(t, got), withoutRequestID(t, want)) {
			t.Errorf("told apart:\n%s\n%s", got, want)
		}
		other.Tenant.Snapshot(t).WantSame(t, before)
	})
}

func TestRoutes_TakeAnotherTenantsIDsInABodyForUnknownOnes(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	for _, r := range srv.Routes() {
		if !strings.Contains(r.Example.Body, `"{`) || !strings.HasPrefix(r.Path, httpapi.PublicBase+"/") {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			key, other := srv.For(t).Tenant(t).Key(t), srv.For(t).Tenant(t).Key(t)
			own := newRequest(t, key, r)
			for at := range strings.Count(r.Example.Body, `"{`) {
				foreign := own
				foreign.body = fillOne(t, r, at, key, func(name string) string { return placeholders()[name](t, other) })
				unknown := own
				unknown.body = fillOne(t, r, at, key, func(string) string { return testkit.RandomID() })
				got, want := foreign.send(t, key), unknown.send(t, key)
				if want.Status != 404 && want.Status != 422 {
					t.Errorf("an unknown id: %s", want)
				}
				if got.Status != want.Status || got.Code() != want.Code() || !slices.Equal(got.FieldErrors(t), want.FieldErrors(t)) {
					t.Errorf("told apart:\n%s\n%s", got, want)
				}
			}
		})
	}
}

// fillOne fills a route's example with records of key, but the placeholder
// number at as other says.
func fillOne(t *testing.T, r httpapi.Route, at int, key *testkit.Client, other func(string) string) string {
	t.Helper()
	n := -1
	return httpapi.FillExample(r.Example.Body, func(name string) string {
		if n++; n == at {
			return other(name)
		}
		return placeholders()[name](t, key)
	})
}

func randomIDs(r httpapi.Route) []string {
	ids := make([]string, strings.Count(r.Path, "{"))
	for i := range ids {
		ids[i] = testkit.RandomID()
	}
	return ids
}

func withoutRequestID(t *testing.T, r *testkit.Response) []byte {
	t.Helper()
	m := r.JSON()
	delete(m, "request_id")
	encoded, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func TestRoutes_HaveNoPathForAMalformedID(t *testing.T) {
	eachRoute(t, withIDs, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req := newRequest(t, key, r)
		for _, malformed := range []string{
			"abc", "0", "-1", "2147483648", "9223372036854775808", "'", "1%20OR%201=1", "%00", "", "..",
			"00000000-0000-0000-0000-00000000000", "{01a22ddf-ccb7-77c6-9639-ce51a96c81d7}",
		} {
			if malformed == "" && strings.HasSuffix(r.Path, "}") {
				continue // that is the list
			}
			bad := req
			bad.path = fillPath(r.Path, slices.Repeat([]string{malformed}, strings.Count(r.Path, "{")))
			if got := bad.send(t, key); got.Status != 404 && got.Status != 405 {
				t.Errorf("%s: %s", bad.path, got)
			}
		}
	})
}

func TestRoutes_TakeThePathInAnyCaseAndWithATrailingSlash(t *testing.T) {
	eachRoute(t, authenticated, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		for _, spell := range []func(string) string{strings.ToUpper, func(p string) string { return p + "/" }} {
			key := elsewhere(t, key)
			req := newRequest(t, key, r)
			req.path = spell(req.path)
			req.send(t, key).Want(t, r.Status)
		}
	})
}

func TestRoutes_RefuseABodyOverTheLimit(t *testing.T) {
	eachRoute(t, authenticated, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req := newRequest(t, key, r)
		large := req
		large.body = slices.Concat([]byte(`{}`), bytes.Repeat([]byte(" "), httpapi.MaxBodyBytes-1))
		chunked := func() testkit.CallOption { return testkit.Chunked(bytes.NewReader(large.body.([]byte))) }
		before := key.Tenant.Snapshot(t)

		large.send(t, key, testkit.Key(testkit.NewKey())).WantProblem(t, 413, "request_too_large")
		large.send(t, key.Server.Anonymous()).WantProblem(t, 413, "request_too_large")
		req.send(t, key, testkit.Key(testkit.NewKey()), chunked()).WantProblem(t, 413, "request_too_large")
		req.send(t, key.Server.Anonymous(), chunked()).WantProblem(t, 401, "unauthorized")

		key.Tenant.Snapshot(t).WantSame(t, before)
	})
}

func TestRoutes_RefuseABodyThatCannotBeRead(t *testing.T) {
	eachRoute(t, takesBody, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req := newRequest(t, key, r)
		send := func(body string, options ...testkit.CallOption) *testkit.Response {
			bad := req
			bad.body = body
			return bad.send(t, key, append(options, testkit.Key(testkit.NewKey()))...)
		}
		before := key.Tenant.Snapshot(t)

		deep := strings.Repeat("[", 10_000)
		for _, malformed := range []string{`{`, `{"a":1,"a":2}`, "\ufeff{}", `{"a":"` + "\xff" + `"}`, `{} {}`, `{"a":` + deep, `{"a":"\ud800"}`, "not json"} {
			send(malformed).WantProblem(t, 400, "malformed_json")
		}
		send(`{}`, testkit.Header("Content-Type", "text/plain")).WantProblem(t, 415, "unsupported_media_type")
		send(`{}`, testkit.Header("Content-Type", "")).WantProblem(t, 415, "unsupported_media_type")
		send(`{}`, testkit.Header("Content-Encoding", "gzip")).WantProblem(t, 415, "unsupported_media_type")
		for _, wrong := range []string{`null`, `[]`, `"text"`, `1e400`, `true`} {
			send(wrong).WantProblem(t, 422, "validation_failed")
		}
		unknown := send(`{"no_such_member":1}`).WantProblem(t, 422, "validation_failed")
		if !slices.Contains(unknown.FieldErrors(t), "/no_such_member unknown_member") {
			t.Errorf("the unknown member is not named: %s", unknown)
		}
		if r.Body == httpapi.BodyRequired && r.Method == http.MethodPost {
			send(``).WantProblem(t, 422, "validation_failed")
		}

		key.Tenant.Snapshot(t).WantSame(t, before)
	})
}

func TestRoutes_RefuseAnUnknownParameterOnAGet(t *testing.T) {
	reads := func(r httpapi.Route) bool { return r.Method == http.MethodGet && r.Authenticated() }
	eachRoute(t, reads, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req := newRequest(t, key, r)
		misspelt := req
		misspelt.query = strings.TrimPrefix(req.query+"&no_such_parameter=1", "&")
		if got := misspelt.send(t, key); !slices.Contains(got.FieldErrors(t), "?no_such_parameter unknown_parameter") {
			t.Errorf("the parameter is not named: %s", got)
		}
		first := req.send(t, key).Want(t, 200)
		if tag := first.Header.Get("ETag"); tag != "" {
			req.send(t, key, testkit.Header("If-None-Match", tag)).Want(t, 304)
		}
	})
}

func TestRoutes_IgnoreTheIdempotencyKeyOutsideOfPosts(t *testing.T) {
	others := func(r httpapi.Route) bool { return r.Method != http.MethodPost && r.Authenticated() }
	eachRoute(t, others, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		other := elsewhere(t, key)
		newRequest(t, other, r).send(t, other, testkit.Key("")).Want(t, r.Status)
		got := newRequest(t, key, r).send(t, key, testkit.Key("one"), testkit.Key("two")).Want(t, r.Status)
		if got.Replayed() || key.State(t, "one") != "absent" {
			t.Errorf("the key had an effect: %s", got)
		}
	})
}

// post reports a POST of the public API: each of them takes a key.
func post(r httpapi.Route) bool { return r.Method == http.MethodPost }

func TestPosts_RunOnceForRepetitionsInSequence(t *testing.T) {
	eachRoute(t, post, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req, idem := newRequest(t, key, r), testkit.NewKey()

		first := req.send(t, key, testkit.Key(idem)).Want(t, r.Status)
		done := key.Tenant.Snapshot(t)
		wantRepetition(t, r, req.send(t, key, testkit.Key(idem)), first)
		slash := req
		slash.path = strings.ToUpper(req.path) + "/"
		wantRepetition(t, r, slash.send(t, key, testkit.Key(idem)), first)

		key.Server.For(t).FlushCounters()
		key.Tenant.Snapshot(t).WantSame(t, done)
	})
}

// wantRepetition stops the test unless got is what a repetition of a request
// that is done gets.
func wantRepetition(t *testing.T, r httpapi.Route, got, first *testkit.Response) {
	t.Helper()
	if !r.Secret {
		got.WantReplayOf(t, first)
		return
	}
	got.WantProblem(t, 409, "conflict")
	if got.Text("reason") != "response_not_stored" {
		t.Fatalf("want response_not_stored, got %s", got)
	}
}

func TestPosts_RunOnceForRepetitionsAtOnce(t *testing.T) {
	const repetitions = 16
	eachRoute(t, post, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		want := effectOf(t, key, r)
		req, idem := newRequest(t, key, r), testkit.NewKey()
		before := key.Tenant.Snapshot(t)

		all := testkit.AtOnce(repetitions, func(int) *testkit.Response { return req.send(t, key, testkit.Key(idem)) })

		var first *testkit.Response
		for _, got := range all {
			if got.Status == r.Status && !got.Replayed() {
				if first != nil {
					t.Fatalf("ran twice:\n%s\n%s", first, got)
				}
				first = got
			}
		}
		if first == nil {
			t.Fatalf("none ran: %v", all)
		}
		for _, got := range all {
			if got == first || got.Status == 409 && got.Code() == "idempotency_in_progress" && got.Header.Get("Retry-After") != "" {
				continue
			}
			wantRepetition(t, r, got, first)
		}
		wantEffect(t, key, before, want)
	})
}

// elsewhere is a key of a new tenant, where an example that has a unique name
// can be sent once more.
func elsewhere(t *testing.T, key *testkit.Client) *testkit.Client {
	t.Helper()
	return key.Server.For(t).Tenant(t).Key(t)
}

// effectOf tells what one request of a route changes in a new tenant, by trying
// it in one: the first of its kind may make a row that all later ones share.
func effectOf(t *testing.T, key *testkit.Client, r httpapi.Route) []string {
	t.Helper()
	key = elsewhere(t, key)
	req := newRequest(t, key, r)
	before := key.Tenant.Snapshot(t)
	req.send(t, key, testkit.Key(testkit.NewKey())).Want(t, r.Status)
	return key.Tenant.Snapshot(t).Changes(before)
}

func wantEffect(t *testing.T, key *testkit.Client, before testkit.Snapshot, want []string) {
	t.Helper()
	if got := key.Tenant.Snapshot(t).Changes(before); !slices.Equal(got, want) {
		t.Fatalf("one request changes %v; now changed: %v", want, got)
	}
}

func TestPosts_RefuseTheKeyForAnotherRequest(t *testing.T) {
	eachRoute(t, post, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req, idem := newRequest(t, key, r), testkit.NewKey()
		first := req.send(t, key, testkit.Key(idem)).Want(t, r.Status)
		done := key.Tenant.Snapshot(t)
		otherBody, otherQuery, otherPath := req, req, req
		otherBody.body = withMember(t, req.body, "no_such_member", "s3cret")
		otherQuery.query = "page=s3cret"
		otherPath.path = otherPostPath(r)

		for differs, other := range map[string]request{
			`["body/no_such_member"]`: otherBody, `["query"]`: otherQuery, `["path"]`: otherPath,
		} {
			got := other.send(t, key, testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")
			if got.Text("differs") != differs || strings.Contains(string(got.Body), "s3cret") {
				t.Errorf("want differs %s and no value, got %s", differs, got)
			}
		}

		wantRepetition(t, r, req.send(t, key, testkit.Key(idem)), first)
		key.Tenant.Snapshot(t).WantSame(t, done)
	})
}

// otherPostPath is a POST that the route is not.
func otherPostPath(r httpapi.Route) string {
	if r.Path == httpapi.PublicBase+"/clients" {
		return "/clients/" + testkit.RandomID() + "/archive"
	}
	return "/clients"
}

func withMember(t testing.TB, body any, name string, value any) string {
	t.Helper()
	m := testkit.M{}
	if text, ok := body.(string); ok {
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
	}
	m = maps.Clone(m)
	m[name] = value
	encoded, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

func TestPosts_RunForTheRetryAfterAFaultBeforeTheCommit(t *testing.T) {
	for kind, status := range map[testkit.Kind]int{testkit.Refuses: 500, testkit.EndsConnection: 503} {
		t.Run(string(kind), func(t *testing.T) {
			eachRoute(t, post, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
				want := effectOf(t, key, r)
				req, idem := newRequest(t, key, r), testkit.NewKey()
				before := key.Tenant.Snapshot(t)
				fault := key.Server.Database.Strike(t, idem, testkit.AtCompletion, kind)

				req.send(t, key, testkit.Key(idem), testkit.MayFail()).Want(t, status)
				key.Tenant.Snapshot(t).WantSame(t, before, "idempotency_keys")
				if state := key.State(t, idem); state != "failed" {
					t.Fatalf("the key is %s", state)
				}
				other := req
				other.body = withMember(t, req.body, "no_such_member", 1)
				other.send(t, key, testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")
				fault.Lift(t)

				first := req.send(t, key, testkit.Key(idem)).Want(t, r.Status)
				wantEffect(t, key, before, want)
				wantRepetition(t, r, req.send(t, key, testkit.Key(idem)), first)
				wantEffect(t, key, before, want)
			})
		})
	}
}

func TestPosts_CheckPermissionsOnAReplay(t *testing.T) {
	eachRoute(t, post, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req, idem := newRequest(t, key, r), testkit.NewKey()
		first := req.send(t, key, testkit.Key(idem)).Want(t, r.Status)
		done := key.Tenant.Snapshot(t)

		if len(r.Scopes) > 0 {
			key.SetScopes(t)
			req.send(t, key, testkit.Key(idem)).WantProblem(t, 403, "forbidden")
			key.SetScopes(t, auth.Permissions()...)
		}
		wantRepetition(t, r, req.send(t, key, testkit.Key(idem)), first)
		key.Tenant.Owner.SetActive(t, false)
		req.send(t, key, testkit.Key(idem)).WantProblem(t, 401, "unauthorized")
		key.Tenant.Owner.SetActive(t, true)
		key.Revoke(t)
		req.send(t, key, testkit.Key(idem)).WantProblem(t, 401, "api_key_revoked")

		key.Tenant.Snapshot(t).WantSame(t, done, "api_keys")
	})
}

func TestPosts_FreeTheKeyOfARequestThatNeverBegan(t *testing.T) {
	eachRoute(t, post, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req, idem := newRequest(t, key, r), testkit.NewKey()
		bad := req
		bad.body = withMember(t, req.body, "no_such_member", 1)

		bad.send(t, key, testkit.Key(idem)).WantProblem(t, 422, "validation_failed")

		if state := key.State(t, idem); state != "absent" {
			t.Errorf("the key is %s", state)
		}
		req.send(t, key, testkit.Key(idem)).Want(t, r.Status)
	})
}

func TestPosts_NeedAKeyWhereTheAPIKeySaysSo(t *testing.T) {
	eachRoute(t, post, func(t *testing.T, key *testkit.Client, r httpapi.Route) {
		req := newRequest(t, key, r)
		key.Server.Database.Exec(t, "UPDATE api_keys SET require_idempotency_key = true WHERE id = $1", key.KeyID)
		before := key.Tenant.Snapshot(t)

		req.send(t, key).WantProblem(t, 400, "idempotency_key_required")
		for _, name := range []string{"X-Idempotency-Key", "X-Idempotency", "Idempotent-Key", "Idempotence-Key"} {
			got := req.send(t, key, testkit.Header(name, "k")).WantProblem(t, 400, "idempotency_key_invalid")
			if !strings.Contains(got.Text("detail"), "Idempotency-Key") {
				t.Errorf("the right header is not named: %s", got)
			}
		}
		for _, invalid := range []string{"", "  ", strings.Repeat("k", 256), "k\xff", "k\u0085"} {
			req.send(t, key, testkit.Key(invalid)).WantProblem(t, 400, "idempotency_key_invalid")
		}
		req.send(t, key, testkit.Key("one"), testkit.Key("two")).WantProblem(t, 400, "idempotency_key_invalid")

		key.Tenant.Snapshot(t).WantSame(t, before)
		req.send(t, key, testkit.Key("one"), testkit.Key("one")).Want(t, r.Status)
	})
}
