package dashboard_test

import (
	"net/url"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

// mayOnly makes an owner a member with these permissions alone.
func (o *owner) mayOnly(t *testing.T, permissions ...string) *owner {
	t.Helper()
	o.server.Database.Exec(t, `UPDATE members SET role = 'member', permissions = $2 WHERE email = $1`, o.Email, permissions)
	return o
}

func (b *browser) wantNoText(parts ...string) {
	b.t.Helper()
	text := b.text()
	for _, part := range parts {
		if strings.Contains(text, part) {
			b.t.Errorf("the page says %q:\n%s", part, b.where())
		}
	}
}

// besideField is the error beside a field, "" for none.
func (b *browser) besideField(name string) string {
	b.t.Helper()
	return js[string](b, `document.getElementById("e-`+name+`")?.innerText ?? ""`)
}

func TestAddresses_AreKeptOnTheClientsPage(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": "Padaria"}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)
	b.open("/clientes/" + client)
	b.wantText("Endereços", "Nenhum endereço cadastrado.")

	b.submit("Novo endereço")
	b.fill("postal_code", "123")
	b.fill("street", "Av. Paulista")
	b.fill("number", "1000")
	b.fill("district", "Bela Vista")
	b.fill("city", "São Paulo")
	b.do(choose("state", "SP"), choose("kind", "billing"), checkAll(`"is_default"`))
	b.submit("Criar endereço")
	if b.besideField("postal_code") == "" || js[string](b, `document.querySelector("[name=street]").value`) != "Av. Paulista" {
		t.Errorf("the CEP's error is not beside it, or what was typed is lost:\n%s", b.where())
	}
	b.wantAccessible("refused address")
	b.fill("postal_code", "01310-100")
	b.fill("city_code", "3304557")
	b.submit("Criar endereço")
	if b.besideField("city_code") == "" {
		t.Errorf("a code of another state is not told of:\n%s", b.where())
	}
	b.fill("city_code", "3550308")
	b.submit("Criar endereço")
	if b.path() != "/clientes/"+client {
		t.Errorf("led to %s", b.path())
	}
	b.wantText("Registro criado.", "Av. Paulista, 1000", "Bela Vista, São Paulo – SP, CEP 01310-100", "Cobrança", "Padrão")
	b.wantAccessible("client with an address")

	b.submit("Editar Av. Paulista, 1000")
	if got := js[string](b, `document.querySelector("[name=postal_code]").value`); got != "01310-100" {
		t.Errorf("the CEP is shown as %q", got)
	}
	b.fill("complement", "Sala 42")
	b.fill("label", "Matriz")
	b.submit("Gravar")
	b.wantText("Alterações gravadas.", "Av. Paulista, 1000, Sala 42", "Matriz · Cobrança")
	b.submit("Excluir Av. Paulista, 1000, Sala 42")
	b.submit("Excluir")
	b.wantText("Registro excluído.", "Nenhum endereço cadastrado.")
}

func TestClients_HaveEveryFieldAndFilter(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Outro"}).Want(t, 201)
	p := o.person(t)
	whole := url.Values{
		"_chave": {p.formKey("/clientes/novo", "/clientes/novo")}, "name": {"Comércio Lima"}, "document": {"12.ABC.345/01DE-35"}, "kind": {""}, "trade_name": {"Lima"},
		"state_registration": {"ISENTO"}, "municipal_registration": {"778"}, "email": {"lima@example.com"}, "tags": {"vip, atacado"}, "external_id": {"erp-1"},
	}

	page := p.post("/clientes/novo", whole).wantStatus(t, 303).Header.Get("Location")

	for _, want := range []string{"Empresa", "Lima", "ISENTO", "778", "vip, atacado", "erp-1", "12.ABC.345/01DE-35"} {
		if got := p.get(page).body; !strings.Contains(got, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	for _, query := range []string{"tag=vip", "document=12.ABC.345%2F01DE-35", "email=lima@example.com", "status=active&tag=atacado"} {
		if got := p.get("/clientes?"+query).wantStatus(t, 200).body; !strings.Contains(got, "Comércio Lima") || strings.Contains(got, ">Outro<") {
			t.Errorf("%s does not narrow the list", query)
		}
	}
	got := p.get("/clientes?ordem=name+desc").body
	if strings.Index(got, "Comércio Lima") < strings.Index(got, ">Outro<") {
		t.Error("the list is not in the order asked for")
	}
}
