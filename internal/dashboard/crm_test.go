package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestChecklist_TicksPersistAndASecondClickIsHarmless(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	b := newBrowser(t, srv).signedIn(o)
	b.open("/tarefas/novo")
	b.fill("title", "Enviar o orçamento")
	b.do(set("checklist", "Conferir as peças\nCalcular o frete\nLigar"))
	b.submit("Criar tarefa")
	b.wantText("Passos", "0 de 3", "Calcular o frete")
	b.wantAccessible("checklist")
	task := b.path()

	b.submit("Calcular o frete")
	b.wantText("1 de 3")
	b.open(task)
	if got := js[string](b, `document.querySelector("[aria-checked=true]").innerText.trim()`); got != "Calcular o frete" {
		t.Errorf("ticked: %q", got)
	}
	b.submit("Editar")
	b.do(set("checklist", "Ligar\nCalcular o frete e o prazo\nConferir as peças"))
	b.submit("Gravar")
	b.wantText("1 de 3")
	if got := js[string](b, `document.querySelector("[aria-checked=true]").innerText.trim()`); got != "Calcular o frete e o prazo" {
		t.Errorf("ticked after the edit: %q", got)
	}

	p := o.person(t)
	tick := url.Values{"_chave": {p.formKey(task, task+"/passos")}, "passo": {"0"}, "texto": {"Ligar"}, "feito": {"true"}}
	for _, a := range testkit.AtOnce(6, func(int) answer { return p.post(task+"/passos", tick) }) {
		if a.StatusCode != http.StatusSeeOther && a.StatusCode != http.StatusConflict {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
	}
	p.post(task+"/passos", tick).wantStatus(t, 303)
	if got := p.get(task).body; !strings.Contains(got, "2 de 3") {
		t.Error("the second click took the tick away")
	}
	stale := url.Values{"_chave": {p.formKey(task, task+"/passos")}, "passo": {"0"}, "texto": {"Outro"}, "feito": {"true"}}
	if got := p.post(task+"/passos", stale).wantStatus(t, 409); !strings.Contains(got.body, "Os passos mudaram") {
		t.Errorf("got %s", got.body)
	}

	b.open(task)
	b.submit("Começar")
	b.submit("Concluir")
	if js[bool](b, `document.querySelector("main [role=checkbox]") !== null`) {
		t.Error("the steps of a task that is done can be ticked")
	}
	b.submit("Editar")
	if names := js[string](b, `[...document.querySelectorAll("main .panel [name]:not([type=hidden])")].map((f) => f.name).join()`); names != "description,external_id" {
		t.Errorf("a task that is done offers %s", names)
	}
	b.fill("description", "Foi por e-mail.")
	b.submit("Gravar")
	b.wantText("Alterações gravadas.", "Foi por e-mail.", "2 de 3")
}

func TestTasks_ReferToOneRecordThatCanBeChangedForAnother(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": "Padaria"}).Want(t, 201).ID()
	sale := key.Post(t, "/public/v1/sales", testkit.M{"items": []testkit.M{{"kind": "custom", "description": "Pintura", "quantity": "1", "unit_price_cents": 100}}}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)
	b.open("/tarefas/novo?client_id=" + client)
	b.fill("title", "Ligar")
	b.do(choose("sale_id", sale))
	b.submit("Criar tarefa")
	if got := b.besideField("sale_id"); !strings.Contains(got, "um só registro") {
		t.Errorf("beside the sale: %q", got)
	}
	b.do(set("sale_id", ""))
	b.submit("Criar tarefa")
	b.wantText("Padaria")
	b.submit("Editar")
	b.do(set("client_id", ""), choose("sale_id", sale))
	b.submit("Gravar")
	b.wantText("Venda 1")
	b.wantNoText("Padaria")
	b.open("/tarefas?client_id=" + client)
	b.wantText("Nada encontrado")
}

func TestLeads_AreConvertedToAClientThatIsThere(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": "Padaria Central Ltda."}).Want(t, 201).ID()
	lead := key.Post(t, "/public/v1/leads", testkit.M{"name": "Rui da padaria"}).Want(t, 201).ID()
	lost := key.Post(t, "/public/v1/leads", testkit.M{"name": "Lia"}).Want(t, 201).ID()
	b := newBrowser(t, srv).signedIn(o)
	b.open("/leads/" + lead)
	b.submit("Nova tarefa")
	b.fill("title", "Mandar proposta")
	b.submit("Criar tarefa")
	b.open("/leads/" + lead)
	b.wantText("Mandar proposta")
	b.submit("Novo orçamento")
	b.fill("items-0-description", "Pães")
	b.fill("items-0-price", "12")
	b.submit("Criar orçamento")
	b.open("/leads/" + lead)
	b.wantText("R$ 12,00")

	b.submit("Converter em cliente")
	b.do(choose("client_id", client))
	b.wantAccessible("conversion")
	b.submit("Converter em cliente")
	if b.path() != "/clientes/"+client {
		t.Errorf("led to %s", b.path())
	}
	b.wantText("Padaria Central Ltda.")
	b.open("/leads/" + lead)
	b.wantText("Convertido", "Padaria Central Ltda.")
	b.submit("Editar")
	if js[bool](b, `document.querySelector("[name=name]") !== null`) {
		t.Error("the name of a converted lead can be changed")
	}

	b.open("/leads/" + lost + "/acao/perdido")
	b.do(set("lost_reason", " "))
	b.submit("Marcar perdido")
	if b.besideField("lost_reason") == "" {
		t.Errorf("a lead is lost without a reason:\n%s", b.where())
	}
	b.fill("lost_reason", "Fechou com outro")
	b.submit("Marcar perdido")
	b.wantText("Perdido", "Fechou com outro")
	b.submit("Reabrir")
	b.submit("Converter em cliente")
	b.submit("Converter em cliente")
	b.wantText("Registro criado.", "Lia", "Endereços")
}
