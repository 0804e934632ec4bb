package dashboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
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

// clerk is a member of the company with these permissions only.
func (o *owner) clerk(t *testing.T, permissions ...string) *person {
	t.Helper()
	made := &owner{Email: stranger(), server: o.server}
	invitation := o.api().Post(t, "/dashboard/v1/invitations", testkit.M{"email": made.Email, "role": "member", "permissions": permissions}).Want(t, 201)
	r := o.server.Anonymous().Post(t, "/dashboard/v1/invitations/accept", testkit.M{
		"token": tokenOf(t, invitation.Text("accept_url")), "name": "Caixa", "password": password,
	}).Want(t, 201)
	made.Access, made.Refresh = r.Text("access_token"), r.Text("refresh_token")
	return made.person(t)
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

// everything lists every permission.
func everything() []string { return auth.Permissions() }

// business makes a record of each kind, and returns their pages.
func business(t *testing.T, o *owner, clientID string) []pictured {
	t.Helper()
	key, _ := o.key(t, "ERP", everything()...)
	line := []testkit.M{
		{"kind": "custom", "description": "Instalação elétrica completa do galpão, com quadro novo e aterramento", "quantity": "12.5", "unit_price_cents": 9000},
		{"kind": "custom", "description": "Material", "discount_cents": 3000, "quantity": "1", "unit_price_cents": 48000},
	}
	pages := []pictured{}
	for _, one := range []struct {
		path, api string
		body      testkit.M
	}{
		{"/leads", "/leads", testkit.M{"name": "Padaria da Esquina", "interest": "Instalação elétrica", "estimated_value_cents": 1250000}},
		{"/tarefas", "/tasks", testkit.M{"title": "Ligar para o cliente", "due_at": "2020-01-31T10:00:00-03:00", "client_id": clientID}},
		{"/agenda", "/appointments", testkit.M{"title": "Visita técnica", "starts_at": "2030-03-02T14:00:00-03:00", "ends_at": "2030-03-02T15:30:00-03:00", "client_id": clientID}},
		{"/produtos", "/products", testkit.M{"name": "Óleo 5W30", "price_cents": 4290, "sku": "OLEO-5W30"}},
		{"/servicos", "/services", testkit.M{"name": "Troca de óleo", "price_cents": 15000, "duration_minutes": 45}},
		{"/orcamentos", "/quotes", testkit.M{"client_id": clientID, "items": line, "discount_percent": "5", "valid_until": "2030-01-31", "terms": "Garantia de 90 dias."}},
		{"/ordens", "/service_orders", testkit.M{"client_id": clientID, "items": line, "title": "Revisão do ar-condicionado", "scheduled_start": "2030-01-15T09:00:00-03:00"}},
		{"/vendas", "/sales", testkit.M{"client_id": clientID, "items": line, "payment_plan": testkit.M{"count": 2, "first_due_date": "2030-01-31", "method": "pix"}}},
		{"/financeiro", "/financial_transactions", testkit.M{"type": "expense", "description": "Aluguel de novembro", "amount_cents": 250000, "due_date": "2020-11-30"}},
		{"/financeiro", "/financial_transactions", testkit.M{"type": "income", "description": "Consultoria", "amount_cents": 480000, "due_date": "2020-11-30", "paid_at": time.Now()}},
	} {
		id := key.Post(t, "/public/v1"+one.api, one.body).Want(t, 201).ID()
		name := strings.TrimPrefix(one.path, "/")
		pages = append(pages, pictured{name + "-lista", one.path, nil}, pictured{name + "-um", one.path + "/" + id, nil})
	}
	pages = append(pages, financePages(t, key)...)
	for _, form := range []string{"leads", "tarefas", "agenda", "produtos", "servicos", "financeiro"} {
		pages = append(pages, pictured{form + "-novo", "/" + form + "/novo", nil})
	}
	pages = append(pages, catalogue(t, key)...)
	pages = append(pages, diary(t, key, clientID)...)
	for _, p := range slices.Clone(pages) {
		if name, found := strings.CutSuffix(p.name, "-um"); found && slices.Contains([]string{"orcamentos", "ordens", "vendas"}, name) {
			pages = append(pages, pictured{name + "-editar", p.path + "/editar", nil}, pictured{name + "-novo", "/" + name + "/novo", nil})
		}
	}
	pages = append(pages, documents(t, key, clientID)...)
	return pages
}

// catalogue makes a tree of categories, and a product with variations.
func catalogue(t *testing.T, key *testkit.Client) []pictured {
	t.Helper()
	parent := any(nil)
	for _, name := range []string{"Vestuário", "Camisetas e regatas", "Camisetas com estampas feitas por encomenda para eventos e empresas da região"} {
		parent = key.Post(t, "/public/v1/product_categories", testkit.M{"name": name, "parent_id": parent}).Want(t, 201).ID()
	}
	key.Post(t, "/public/v1/product_categories", testkit.M{"name": "Óleos"}).Want(t, 201)
	product := "/products/" + key.Post(t, "/public/v1/products", testkit.M{
		"name": "Camiseta básica", "price_cents": 4990, "sku": "CAM", "category_id": parent,
		"attributes": []testkit.M{{"name": "Cor", "values": []string{"Azul", "Verde-água"}}, {"name": "Tamanho", "values": []string{"P", "M", "G"}}},
	}).Want(t, 201).ID()
	key.Post(t, "/public/v1"+product+"/variations", testkit.M{"options": testkit.M{"Cor": "Azul", "Tamanho": "M"}}).Want(t, 201)
	variation := key.Post(t, "/public/v1"+product+"/variations", testkit.M{"options": testkit.M{"Cor": "Verde-água", "Tamanho": "G"}, "sku": "CAM-VA-G", "price_cents": 5490}).Want(t, 201).ID()
	page := strings.Replace(product, "/products", "/produtos", 1)
	return []pictured{
		{"categorias-arvore", "/categorias-de-produtos", nil},
		{"categorias-vazio", "/categorias-de-servicos", nil},
		{"categorias-uma", "/categorias-de-produtos/" + parent.(string), nil},
		{"categorias-nova", "/categorias-de-produtos/novo", nil},
		{"produtos-variado", page, nil},
		{"produtos-variado-editar", page + "/editar", nil},
		{"variacoes-uma", page + "/variacoes/" + variation, nil},
		{"variacoes-nova", page + "/variacoes/novo", nil},
	}
}

// diary makes a client's addresses, a week of appointments, a task with steps and a lead to convert.
func diary(t *testing.T, key *testkit.Client, clientID string) []pictured {
	t.Helper()
	address := testkit.M{"postal_code": "01310100", "street": "Avenida Paulista", "number": "1000", "complement": "Sala 42", "district": "Bela Vista", "city": "São Paulo", "state": "SP", "kind": "billing", "is_default": true}
	first := key.Post(t, "/public/v1/clients/"+clientID+"/addresses", address).Want(t, 201).ID()
	key.Post(t, "/public/v1/clients/"+clientID+"/addresses", testkit.M{"postal_code": "97573000", "street": "Rua dos Andradas", "city": "Sant’Ana do Livramento", "state": "RS", "label": "Depósito"}).Want(t, 201)
	at := func(when string) time.Time {
		begins, err := time.Parse(time.RFC3339, "2026-12-"+when+":00-03:00")
		if err != nil {
			t.Fatal(err)
		}
		return begins
	}
	for title, when := range map[string]string{
		"Troca de óleo": "01T09:00", "Levantamento para a instalação elétrica completa do galpão": "01T14:00", "Entrega": "03T23:30", "Paralelepipedosinconstitucionais": "05T08:00",
	} {
		key.Post(t, "/public/v1/appointments", testkit.M{"title": title, "starts_at": at(when), "ends_at": at(when).Add(time.Hour), "client_id": clientID}).Want(t, 201)
	}
	task := key.Post(t, "/public/v1/tasks", testkit.M{"title": "Preparar a visita", "client_id": clientID, "checklist": []testkit.M{
		{"title": "Separar as peças", "done": true}, {"title": "Conferir com o cliente se o portão do fundo estará aberto e quem vai receber a equipe na chegada"}, {"title": "Ligar"},
	}}).Want(t, 201).ID()
	lead := key.Post(t, "/public/v1/leads", testkit.M{"name": "Bruno Lima", "phone": "(11) 91234-5678"}).Want(t, 201).ID()
	return []pictured{
		{"clientes-enderecos", "/clientes/" + clientID, nil},
		{"enderecos-novo", "/clientes/" + clientID + "/enderecos/novo", nil},
		{"enderecos-editar", "/clientes/" + clientID + "/enderecos/" + first + "/editar", nil},
		{"agenda-semana", "/agenda/semana?semana=2026-12-01", nil},
		{"agenda-semana-hoje", "/agenda/semana", nil},
		{"tarefas-passos", "/tarefas/" + task, nil},
		{"tarefas-editar", "/tarefas/" + task + "/editar", nil},
		{"leads-converter", "/leads/" + lead + "/acao/converter", nil},
		{"leads-perdido", "/leads/" + lead + "/acao/perdido", nil},
	}
}
