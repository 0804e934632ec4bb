package dashboard_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/uuid"

	"fatureihoje/internal/testkit"
)

func TestJourney_FromSignUpToAReplayedRequest(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	b := newBrowser(t, srv)
	b.open("/")
	if b.path() != "/entrar" {
		t.Fatalf("without a session / shows %s", b.path())
	}
	b.submit("Cadastre sua empresa")
	b.fill("company_name", "Padaria do Zé")
	b.fill("name", "José da Silva")
	b.fill("email", uuid.NewString()[:8]+"@example.com")
	b.fill("password", "curta")
	b.submit("Criar conta")
	if got := js[string](b, `document.querySelector("[name=company_name]").value`); got != "Padaria do Zé" {
		t.Fatalf("what was typed is lost: %q", got)
	}
	b.fill("password", password)
	b.submit("Criar conta")
	b.wantText("Olá, José da Silva.", "Comece em três passos")

	b.submit("Criar chave de API")
	b.fill("name", "Loja virtual")
	b.do(checkAll("scopes"))
	b.shoot("jornada-chave-preenchida")
	b.submit("Criar chave")
	b.wantText("Copie o segredo agora.")
	b.wantAccessible("secret")
	b.shoot("jornada-segredo")
	secret := js[string](b, `document.querySelector("#segredo").textContent`)
	if !strings.Contains(js[string](b, `document.querySelector("#comando").textContent`), secret) {
		t.Error("the curl line has another secret")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Fatal("no curl here: install it with `apt-get install -y curl`")
	}
	line := js[string](b, `document.querySelector("#comando").textContent`)
	for _, want := range []string{"HTTP/1.1 201", "Idempotent-Replayed: true"} {
		got, err := exec.CommandContext(t.Context(), "sh", "-c", line).Output()
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%v: %s printed\n%s", err, line, got)
		}
	}
	key, idem := &testkit.Client{Server: srv, Secret: secret}, "pedido-"+uuid.NewString()
	first := key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana Souza"}, testkit.Key(idem)).Want(t, 201)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana Souza"}, testkit.Key(idem)).WantReplayOf(t, first)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Bruno"}, testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")
	flush(t, srv)

	b.open("/idempotencia")
	b.fill("key", idem)
	b.click("Procurar")
	testkit.Eventually(t, "the list holds the one key", func() bool { return strings.HasSuffix(js[string](b, "location.search"), "state=&api_key_id=") })
	b.submit(idem)
	b.wantText("Concluída", "O que devo fazer agora?", "Nada. O pedido foi executado uma vez",
		"Reservou a chave, executou e guardou a resposta", "Repetição: recebeu a resposta guardada", "Outro pedido com a mesma chave: recusado",
		first.RequestID(), "Ana Souza")
	b.open("/requisicoes?replayed=true")
	b.wantText("201 repetida", "Loja virtual")
	b.open("/requisicoes/" + first.RequestID())
	b.wantText("POST /public/v1/clients", idem)
	b.open("/")
	b.wantText("Duplicidades evitadas", "1")
}

func TestJourney_RotatesWithAGraceAndRevokes(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	old, id := o.key(t, "Loja virtual", "clients:read", "clients:write")
	b := newBrowser(t, srv).signedIn(o)
	b.open("/chaves/" + id)
	b.submit("Rotacionar")
	b.wantText("Nenhum pedido está em andamento")
	b.submit("Rotacionar")
	b.wantText("Copie o segredo agora.", "continua valendo até")
	b.shoot("jornada-rotacionada")
	next := &testkit.Client{Server: srv, Secret: js[string](b, `document.querySelector("#segredo").textContent`)}
	old.Get(t, "/public/v1/clients").Want(t, 200)
	next.Get(t, "/public/v1/clients").Want(t, 200)
	b.submit("Já guardei o segredo")
	b.wantText("Gerações", "Em carência")

	srv.Database.Exec(t, "UPDATE api_keys SET ends_at = now() - interval '1 second' WHERE id = $1", id) // a day goes by
	old.Get(t, "/public/v1/clients").WantProblem(t, 401, "api_key_revoked")
	next.Get(t, "/public/v1/clients").Want(t, 200)
	b.open("/chaves/" + id)
	b.wantText("Substituída")

	b.open("/chaves")
	b.submit("Loja virtual")
	b.submit("Revogar")
	b.fill("name", "Outra")
	b.submit("Revogar agora")
	b.wantText("O nome digitado não é o desta chave.")
	next.Get(t, "/public/v1/clients").Want(t, 200)
	b.fill("name", "Loja virtual")
	b.submit("Revogar agora")
	b.wantText("Chave revogada.", "Revogada")
	next.Get(t, "/public/v1/clients").WantProblem(t, 401, "api_key_revoked")
}

func TestJourney_ApprovesAQuoteAndRecordsThePayment(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	b := newBrowser(t, srv).signedIn(o)
	b.open("/clientes")
	b.wantText("Nenhum cliente ainda")
	b.submit("Novo cliente")
	b.fill("name", "Ana Souza")
	b.fill("document", "111.111.111-11")
	b.submit("Criar cliente")
	b.wantText("Confira os campos marcados")
	b.fill("document", "529.982.247-25")
	b.fill("mobile", "(11) 91234-5678")
	b.submit("Criar cliente")
	b.wantText("Registro criado.", "529.982.247-25", "(11) 91234-5678")
	client := strings.TrimPrefix(b.path(), "/clientes/")
	quote := key.Post(t, "/public/v1/quotes", testkit.M{"client_id": client, "items": []testkit.M{
		{"kind": "custom", "description": "Revisão", "quantity": "2", "unit_price_cents": 61700},
	}}).Want(t, 201).ID()

	b.open("/orcamentos/" + quote)
	b.wantText("R$ 1.234,00", "Rascunho")
	b.submit("Enviar")
	b.submit("Enviar")
	b.wantText("Orçamento enviado", "/p/")
	b.wantAccessible("sent quote")
	b.submit("Voltar")
	b.wantText("Enviado")
	b.submit("Aprovar")
	b.wantText("Aprovado")
	b.submit("Converter em venda")
	b.submit("Converter em venda")
	b.wantText("Registro criado.", "Venda 1", "A receber", "Orçamento 1")
	b.open("/orcamentos/" + quote)
	b.wantText("Vendido", "Venda 1")
	b.open("/vendas")
	b.wantText("Ana Souza", "R$ 1.234,00")
	b.submit("1")
	b.submit("Registrar pagamento")
	b.fill("amount_cents", "mil")
	b.submit("Registrar pagamento")
	b.wantText("Informe um valor em reais")
	b.fill("amount_cents", "1.000,00")
	b.submit("Registrar pagamento")
	b.wantText("Paga em parte", "R$ 234,00")
	b.shoot("jornada-venda")

	b.open("/financeiro/novo")
	b.fill("description", "Aluguel")
	b.do(choose("type", "expense"))
	b.fill("amount_cents", "2.500")
	b.submit("Criar lançamento")
	b.wantText("Registro criado.", "R$ 2.500,00", "Em aberto")
	b.submit("Marcar pago")
	b.submit("Marcar pago")
	b.wantText("Pago em")
}
