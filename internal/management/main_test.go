package management_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const password = "cavalo-bateria-grampo"

// on is a path of the management API.
func on(path string) string { return httpapi.ManagementBase + path }

func newEmail() string { return "p-" + uuid.NewString() + "@example.com" }

// person is somebody who is signed in.
type person struct {
	*testkit.Client
	email   string
	tenant  string
	member  string
	refresh string

	company *testkit.Tenant // of somebody who has no password, see company
}

// company makes a company straight in the database: no password is hashed, so
// it is quick, and nobody can sign in with one.
func company(t *testing.T, s *testkit.Server) person {
	t.Helper()
	made := s.Tenant(t)
	return person{made.Session(t), made.Owner.Email, made.ID.String(), made.Owner.ID.String(), "", made}
}

// signUp makes a company through the API.
func signUp(t *testing.T, s *testkit.Server) person {
	t.Helper()
	email := newEmail()
	r := s.Anonymous().Post(t, on("/signup"), testkit.M{
		"company_name": "Oficina Souza", "name": "Dona Souza", "email": email, "password": password,
	}).Want(t, http.StatusCreated)
	return entered(t, s, email, r)
}

// entered is the person of an answer that opened a session.
func entered(t *testing.T, s *testkit.Server, email string, r *testkit.Response) person {
	t.Helper()
	var g struct {
		Tenant, Member            struct{ ID string }
		AccessToken, RefreshToken string
	}
	decode(t, r, &g)
	c := s.Anonymous()
	c.Secret = g.AccessToken
	return person{c, email, g.Tenant.ID, g.Member.ID, g.RefreshToken, nil}
}

// decode reads a body whose members are in snake_case.
func decode(t *testing.T, r *testkit.Response, g *struct {
	Tenant, Member            struct{ ID string }
	AccessToken, RefreshToken string
},
) {
	t.Helper()
	body := r.JSON()
	g.AccessToken, g.RefreshToken = r.Text("access_token"), r.Text("refresh_token")
	g.Tenant.ID, _ = object(body, "tenant")["id"].(string)
	g.Member.ID, _ = object(body, "member")["id"].(string)
	if g.AccessToken == "" || g.RefreshToken == "" || g.Tenant.ID == "" || g.Member.ID == "" {
		t.Fatalf("not an open session: %s", r)
	}
}

func object(m testkit.M, member string) testkit.M {
	o, _ := m[member].(testkit.M)
	return o
}

func signIn(t *testing.T, s *testkit.Server, email, password string, more ...testkit.M) *testkit.Response {
	t.Helper()
	body := testkit.M{"email": email, "password": password}
	for _, m := range more {
		for k, v := range m {
			body[k] = v
		}
	}
	return s.Anonymous().Post(t, on("/login"), body)
}

// invite asks a person in, and returns the token of the link.
func (p person) invite(t *testing.T, email, role string, permissions ...string) string {
	t.Helper()
	body := testkit.M{"email": email, "role": role}
	if permissions != nil {
		body["permissions"] = permissions
	}
	return tokenOf(t, p.Post(t, on("/invitations"), body).Want(t, http.StatusCreated).Text("accept_url"))
}

func tokenOf(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil || u.Query().Get("token") == "" {
		t.Fatalf("no token in the link %q", link)
	}
	return u.Query().Get("token")
}

// colleague makes a second person of the company, who is signed in.
func (p person) colleague(t *testing.T, role string, permissions ...string) person {
	t.Helper()
	if p.company != nil {
		m := p.company.Member(t, permissions...)
		p.Server.Database.Exec(t, `UPDATE members SET role = $3 WHERE tenant_id = $1 AND id = $2`, p.company.ID, m.ID, role)
		return person{m.Session(t), m.Email, p.tenant, m.ID.String(), "", p.company}
	}
	email := newEmail()
	token := p.invite(t, email, role, permissions...)
	r := p.Server.Anonymous().Post(t, on("/invitations/accept"), testkit.M{"token": token, "name": "Colega", "password": password})
	return entered(t, p.Server, email, r.Want(t, http.StatusCreated))
}

// key makes an API key, and returns the client of the public API and its id.
func (p person) key(t *testing.T, body testkit.M) (*testkit.Client, string) {
	t.Helper()
	r := p.Post(t, on("/api_keys"), body).Want(t, http.StatusCreated)
	return p.public(r), object(r.JSON(), "api_key")["id"].(string)
}

// public is a client of the public API, with the secret of an answer.
func (p person) public(r *testkit.Response) *testkit.Client {
	c := p.Server.Anonymous()
	c.Secret = r.Text("secret")
	return c
}
