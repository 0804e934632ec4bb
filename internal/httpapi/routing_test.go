package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestPath_ThatIsUnknownIsAProblemWithoutACredential(t *testing.T) {
	t.Parallel()
	anyone := testkit.New(t).Anonymous()
	for _, path := range []string{
		"/public/v1/nothing", "/public/v1/clients/1/2/3/4", "/public/v1", "/public/v1/", "/public/v2/clients",
		"/public/v1/clients//addresses", "/public/v1/%63lients", "/public/v1/clients%2f", "/public/v1/clients/%00",
	} {
		for _, method := range []string{"GET", "POST"} {
			if r := anyone.Do(t, method, path, nil); r.Status != 404 || r.Code() != "not_found" {
				t.Errorf("%s %s: %s", method, path, r)
			}
		}
	}
}

func TestMethod_ThatIsUnknownIsNamedBeforeAuthentication(t *testing.T) {
	t.Parallel()
	anyone := testkit.New(t).Anonymous()

	r := anyone.Do(t, "PUT", "/clients", nil).WantProblem(t, 405, "method_not_allowed")

	allow := r.Header.Get("Allow")
	if !strings.Contains(allow, "GET") || !strings.Contains(allow, "POST") {
		t.Errorf("Allow: %q", allow)
	}
	anyone.Do(t, "OPTIONS", "/clients", nil).WantProblem(t, 405, "method_not_allowed")
	anyone.Do(t, "DELETE", "/clients", nil).WantProblem(t, 405, "method_not_allowed")
}

func TestMethod_IsNotOverridden(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	id := key.Post(t, "/clients", testkit.M{"name": "Ana"}).Want(t, 201).ID()
	for _, header := range []string{"X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"} {
		key.Do(t, "GET", "/clients/"+id, nil, testkit.Header(header, "DELETE")).Want(t, 200)
	}
	key.Get(t, "/clients/"+id+"?_method=DELETE").Want(t, 422)
	key.Get(t, "/clients/"+id).Want(t, 200)
}

// TestPath_NeverRedirects: neither a trailing slash nor a path that looks like
// another host leads anywhere else.
func TestPath_NeverRedirects(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	idem := testkit.NewKey()
	first := key.Post(t, "/clients/", testkit.M{"name": "Ana"}, testkit.Key(idem)).Want(t, 201)
	key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem)).WantReplayOf(t, first)
	key.Post(t, "/Public/V1/CLIENTS/", testkit.M{"name": "Ana"}, testkit.Key(idem)).WantReplayOf(t, first)
	key.Get(t, "/CLIENTS/"+strings.ToUpper(first.ID())+"/").Want(t, 200)

	for _, path := range []string{"//evil.example/%2f..", "/%5Cevil.example/", "//evil.example/public/v1/clients/", "/public/v1/../../evil", "/docs/../..//evil.example"} {
		r, err := http.DefaultTransport.RoundTrip(httptest.NewRequest(http.MethodGet, key.Server.BaseURL+path, nil))
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		to := r.Header.Get("Location")
		if strings.HasPrefix(to, "//") || strings.Contains(to, `\`) || strings.Contains(to, ":") {
			t.Errorf("%s: %d to %s", path, r.StatusCode, to)
		}
	}
}

func TestID_ThatIsMalformedIsUnknownInAPathAndInvalidElsewhere(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	for _, id := range []string{"abc", "2147483648", "9223372036854775808", "-1", "1%20OR%201=1", "'", "%00"} {
		r := key.Get(t, "/clients/"+id).WantProblem(t, 404, "not_found")
		if strings.Contains(strings.ToLower(string(r.Body)), "sql") || strings.Contains(string(r.Body), "uuid") {
			t.Errorf("%s: %s", id, r)
		}
	}
	for _, query := range []string{
		"sort=name;select+pg_sleep(5)", "sort=(case+when+1=1+then+id+end)", "sort=id", "sort=document", "sort=", "status=%zz", "status=active;tag=vip",
	} {
		key.Get(t, "/clients?"+query).WantProblem(t, 422, "validation_failed")
	}
	key.Get(t, "/clients?order=asc,(select+1)").WantFieldErrors(t, "?order enum")
}

// TestMembers_ThatTheServerKeepsAreRefused: nothing is assigned from a query, a
// body or a read-only member.
func TestMembers_ThatTheServerKeepsAreRefused(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	other := testkit.New(t).Tenant(t)

	key.Post(t, "/clients", testkit.M{
		"name": "Ana", "id": testkit.RandomID(), "tenant_id": other.ID, "created_at": "2020-01-01T00:00:00Z", "status": "archived", "version": 9,
	}).WantFieldErrors(t, "/id unknown_member", "/tenant_id unknown_member", "/created_at unknown_member", "/status unknown_member", "/version unknown_member")
	r := key.Post(t, "/clients?tenant_id="+other.ID.String()+"&id="+testkit.RandomID()+"&IsAdmin=true", testkit.M{"name": "Ana"}).Want(t, 201)

	key.Get(t, "/clients/"+r.ID()).Want(t, 200)
	other.Key(t).Get(t, "/clients/"+r.ID()).Want(t, 404)
}

func TestErrors_ComeAllAtOnce(t *testing.T) {
	t.Parallel()
	newKey(t).Post(t, "/clients", testkit.M{
		"name": "", "email": "x", "document": "111.111.111-11", "phone": "(00) 1", "tags": []string{"a", "a"}, "birth_date": "2020-02-30",
		"addresses": []testkit.M{{"postal_code": "1", "state": "XX", "street": "R", "city": "C"}}, "metadata": testkit.M{"a": 1}, "typo": true,
	}).WantFieldErrors(t, "/name required", "/email email_format", "/document document_repeated", "/phone phone_invalid", "/tags/1 not_unique",
		"/birth_date date", "/addresses/0/postal_code postal_code_invalid", "/addresses/0/state state_invalid", "/metadata/a type", "/typo unknown_member")
}
