package dashboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"fatureihoje/internal/testkit"
)

const password = "cavalo-bateria-grampo"

// owner is a signed-up person with a session.
type owner struct {
	Email   string
	Access  string
	Refresh string
	server  *testkit.Server
}

type grant struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
}

func signUp(t *testing.T, s *testkit.Server, company, name string) *owner {
	t.Helper()
	o := &owner{Email: uuid.NewString()[:8] + "@example.com", server: s}
	answer := s.Anonymous().Post(t, "/dashboard/v1/signup", testkit.M{"company_name": company, "name": name, "email": o.Email, "password": password}).Want(t, 201)
	var g grant
	if err := json.Unmarshal(answer.Body, &g); err != nil {
		t.Fatal(err)
	}
	o.Access, o.Refresh = g.Access, g.Refresh
	return o
}

// api is a client of the management API in the owner's session.
func (o *owner) api() *testkit.Client { return &testkit.Client{Server: o.server, Secret: o.Access} }

// key makes an API key by the management API.
func (o *owner) key(t *testing.T, name string, scopes ...string) (client *testkit.Client, id string) {
	t.Helper()
	answer := o.api().Post(t, "/dashboard/v1/api_keys", testkit.M{"name": name, "scopes": scopes}).Want(t, 201)
	var made struct {
		Key    struct{ ID string } `json:"api_key"`
		Secret string
	}
	if err := json.Unmarshal(answer.Body, &made); err != nil {
		t.Fatal(err)
	}
	return &testkit.Client{Server: o.server, Secret: made.Secret}, made.Key.ID
}

func flush(t *testing.T, s *testkit.Server) {
	t.Helper()
	s.For(t).FlushCounters()
	if err := s.App.Requests.Flush(context.Background(), s.Pool()); err != nil {
		t.Fatal(err)
	}
	if err := s.App.Usage.Flush(context.Background(), s.Pool()); err != nil {
		t.Fatal(err)
	}
}

// full is a company where much has happened.
type full struct {
	*owner
	keyID     string
	idemID    string // of a key with a whole life
	requestID string
	clientID  string
	memberID  string
}

const long = "Comércio e Representações Internacionais de Autopeças Sant’Ana do Livramento & Filhos Sociedade Limitada"

func newFull(t *testing.T, s *testkit.Server) *full {
	t.Helper()
	f := &full{owner: signUp(t, s, long, "Maria Aparecida de Albuquerque Cavalcanti e Vasconcelos")}
	var key *testkit.Client
	key, f.keyID = f.key(t, "Loja virtual", "clients:read", "clients:write", "sales:read", "sales:write", "finance:read")
	f.key(t, strings.Repeat("integração-", 7), "clients:read")
	for i := range 4 {
		f.key(t, fmt.Sprintf("Sistema %d", i), "clients:read")
	}
	idem := "pedido-2026-000123-" + uuid.NewString()
	body := testkit.M{"name": long, "email": "compras@example.com", "document": "52998224725", "mobile": "11912345678", "tags": []string{"vip", "atacado"}}
	first := key.Post(t, "/public/v1/clients", body, testkit.Key(idem)).Want(t, 201)
	f.clientID, f.requestID = first.ID(), first.RequestID()
	key.Post(t, "/public/v1/clients", body, testkit.Key(idem)).Want(t, 201)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Outro"}, testkit.Key(idem)).Want(t, 422)
	key.Post(t, "/public/v1/clients", body, testkit.Key(idem)).Want(t, 201)
	for i := range 55 {
		key.Post(t, "/public/v1/clients", testkit.M{"name": fmt.Sprintf("Cliente %02d", i)}, testkit.Key(uuid.NewString())).Want(t, 201)
	}
	key.Post(t, "/public/v1/clients/"+f.clientID+"/archive", nil).Want(t, 200)
	key.Post(t, "/public/v1/clients/"+f.clientID+"/unarchive", nil).Want(t, 200)
	key.Get(t, "/public/v1/nowhere").Want(t, 404)
	f.api().Post(t, "/dashboard/v1/invitations", testkit.M{"email": "bruno.de.oliveira.santos@financeiro.example.com", "role": "member", "permissions": []string{"clients:read"}}).Want(t, 201)
	flush(t, s)
	found := f.api().Get(t, "/dashboard/v1/idempotency_keys?key="+idem).Want(t, 200).JSON()
	f.idemID = found["data"].([]any)[0].(map[string]any)["id"].(string)
	members := f.api().Get(t, "/dashboard/v1/members").Want(t, 200).JSON()
	f.memberID = members["data"].([]any)[0].(map[string]any)["id"].(string)
	return f
}
