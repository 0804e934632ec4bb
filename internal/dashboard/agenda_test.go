package dashboard_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/testkit"
)

func TestAgenda_RefusesTwoAtOnceBesideTheTimeAndThenAllowsIt(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	member := o.api().Get(t, "/dashboard/v1/members").Want(t, 200).Data(t)[0]["id"].(string)
	service := key.Post(t, "/public/v1/services", testkit.M{"name": "Troca de óleo", "price_cents": 9000}).Want(t, 201).ID()
	key.Post(t, "/public/v1/appointments", testkit.M{
		"title": "Revisão", "starts_at": "2030-03-04T14:00:00-03:00", "ends_at": "2030-03-04T15:00:00-03:00", "assignee_member_id": member,
	}).Want(t, 201)
	b := newBrowser(t, srv).signedIn(o)
	b.open("/agenda/novo")
	b.fill("title", "Visita técnica")
	b.do(set("starts_at", "2030-03-04T14:30"), set("ends_at", "2030-03-04T15:30"), choose("assignee_member_id", member), choose("service_id", service))
	b.submit("Criar compromisso")

	if got := b.besideField("starts_at"); !strings.Contains(got, "Pode coincidir com outros") || strings.Contains(b.text(), "allow_overlap") {
		t.Errorf("the taken time is not told beside it, for a person: %q\n%s", got, b.where())
	}
	if got := js[string](b, `["title", "starts_at", "ends_at", "assignee_member_id", "service_id"].map((n) => document.querySelector("main [name=" + n + "]").value).join("|")`); got != "Visita técnica|2030-03-04T14:30|2030-03-04T15:30|"+member+"|"+service {
		t.Errorf("what was typed is lost: %s", got)
	}
	b.wantAccessible("taken time")
	b.shoot("jornada-horario-ocupado")
	b.do(checkAll(`"allow_overlap"`))
	b.submit("Criar compromisso")
	b.wantText("Registro criado.", "Visita técnica", "04/03/2030 14:30", "Troca de óleo", "Pode coincidir com outros do responsável")
	b.open("/agenda/semana?semana=2030-03-06")
	b.wantText("14:30 – 15:30", "Visita técnica", "14:00 – 15:00", "Revisão")
}

// dayOf is the day of the week's page that shows a text, "" for none.
func (b *browser) dayOf(text string) string {
	b.t.Helper()
	return js[string](b, fmt.Sprintf(`[...document.querySelectorAll("main ol > li")].find((day) => day.innerText.includes(%q))?.querySelector("time").dateTime ?? ""`, text))
}

func TestWeek_HasTheDaysOfTheCompanysZone(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	o.server.Database.Exec(t, `UPDATE tenants SET time_zone = 'America/Manaus' WHERE id = (SELECT tenant_id FROM members WHERE email = $1)`, o.Email)
	key, _ := o.key(t, "ERP", everything()...)
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": "Padaria"}).Want(t, 201).ID()
	for title, start := range map[string]string{
		"Tarde da noite": "2026-12-03T23:30:00-04:00", "Primeiro minuto": "2026-11-30T00:00:00-04:00",
		"Último minuto": "2026-12-06T23:59:00-04:00", "Semana anterior": "2026-11-29T23:59:00-04:00", "Semana seguinte": "2026-12-07T00:00:00-04:00",
	} {
		begins, err := time.Parse(time.RFC3339, start)
		if err != nil {
			t.Fatal(err)
		}
		key.Post(t, "/public/v1/appointments", testkit.M{"title": title, "starts_at": begins, "ends_at": begins.Add(time.Hour), "client_id": client}).Want(t, 201)
	}
	b := newBrowser(t, srv).signedIn(o)
	b.open("/agenda/semana?semana=2026-12-02")

	b.wantText("30 de novembro a 6 de dezembro de 2026", "23:30 – 00:30 (04/12)", "Padaria", "Marcado")
	for title, day := range map[string]string{
		"Tarde da noite": "2026-12-03", "Primeiro minuto": "2026-11-30", "Último minuto": "2026-12-06", "Semana anterior": "", "Semana seguinte": "",
	} {
		if got := b.dayOf(title); got != day {
			t.Errorf("%s stands on %q, not %q", title, got, day)
		}
	}
	b.submit("Próxima")
	b.wantText("7 a 13 de dezembro de 2026", "Semana seguinte")
	b.submit("Anterior")
	b.submit("Anterior")
	b.wantText("Semana anterior")
	b.submit("Novo compromisso em 25/11")
	if got := js[string](b, `document.querySelector("[name=starts_at]").value + " " + document.querySelector("[name=ends_at]").value`); got != "2026-11-25T09:00 2026-11-25T10:00" {
		t.Errorf("a new appointment of the day begins with %s", got)
	}
	b.open("/agenda/semana?semana=ontem")
	b.submit("Hoje")
	manaus := time.FixedZone("", -4*3600)
	if got, want := b.dayOf("Hoje"), time.Now().In(manaus).Format(time.DateOnly); got != want {
		t.Errorf("today is %q, not %q", got, want)
	}
	b.submit("Lista")
	b.wantText("Tarde da noite")
}

func TestNames_OfClientsAreNotToldWithoutThePermission(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": "Segredo Ltda."}).Want(t, 201).ID()
	task := key.Post(t, "/public/v1/tasks", testkit.M{"title": "Ligar", "client_id": client}).Want(t, 201).ID()
	appointment := key.Post(t, "/public/v1/appointments", testkit.M{
		"title": "Visita", "starts_at": "2030-03-04T14:00:00-03:00", "ends_at": "2030-03-04T15:00:00-03:00", "client_id": client,
	}).Want(t, 201).ID()
	p := o.mayOnly(t, "tasks:read", "tasks:write", "appointments:read", "appointments:write").person(t)

	for _, path := range []string{
		"/tarefas", "/tarefas/" + task, "/tarefas/" + task + "/editar", "/tarefas/exportar", "/agenda", "/agenda/" + appointment, "/agenda/" + appointment + "/editar",
		"/agenda/semana?semana=2030-03-04", "/agenda/exportar", "/procurar/clientes?q=seg",
	} {
		if got := p.get(path); strings.Contains(got.body, "Segredo") || got.StatusCode >= 500 {
			t.Errorf("%s: %d %s", path, got.StatusCode, got.body)
		}
	}
	if got := p.get("/agenda/semana?semana=2030-03-04").wantStatus(t, 200).body; !strings.Contains(got, "Visita") {
		t.Error("the appointment is not shown")
	}
}

func TestReaders_SeeNoButtonsThatWrite(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Loja", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	shirt := key.Post(t, "/public/v1/products", testkit.M{
		"name": "Camiseta", "price_cents": 5000, "attributes": []testkit.M{{"name": "Cor", "values": []string{"Azul"}}},
	}).Want(t, 201).ID()
	blue := key.Post(t, "/public/v1/products/"+shirt+"/variations", testkit.M{"options": testkit.M{"Cor": "Azul"}}).Want(t, 201).ID()
	category := key.Post(t, "/public/v1/product_categories", testkit.M{"name": "Vestuário"}).Want(t, 201).ID()
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": "Padaria"}).Want(t, 201).ID()
	key.Post(t, "/public/v1/clients/"+client+"/addresses", testkit.M{"postal_code": "01310100", "street": "Av. Paulista", "city": "São Paulo", "state": "SP"}).Want(t, 201)
	task := key.Post(t, "/public/v1/tasks", testkit.M{"title": "Ligar", "checklist": []testkit.M{{"title": "Achar o número", "done": true}}}).Want(t, 201).ID()
	p := o.mayOnly(t, "clients:read", "products:read", "services:read", "tasks:read", "appointments:read", "leads:read").person(t)

	for _, path := range []string{
		"/clientes", "/clientes/" + client, "/produtos", "/produtos/" + shirt, "/produtos/" + shirt + "/variacoes/" + blue, "/servicos", "/categorias-de-produtos",
		"/categorias-de-produtos/" + category, "/categorias-de-servicos", "/leads", "/tarefas", "/tarefas/" + task, "/agenda", "/agenda/semana",
	} {
		_, main, _ := strings.Cut(p.get(path).wantStatus(t, 200).body, "<main")
		for _, writes := range []string{"/novo", "/editar", "/acao/", `method="post"`} {
			if strings.Contains(main, writes) {
				t.Errorf("%s offers %s", path, writes)
			}
		}
	}
	p.get("/produtos/"+shirt+"/variacoes/novo").wantStatus(t, 403)
}
