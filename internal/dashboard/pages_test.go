package dashboard_test

import (
	"os"
	"testing"

	"fatureihoje/internal/testkit"
)

// pictured is one page in one state.
type pictured struct {
	name string
	path string
	then func(*browser)
}

type view struct {
	name          string
	width, height int64
	theme         string
}

// views are how the nth page is looked at: in all themes and widths where pictures
// are taken, otherwise in one, since the crawl looks at every kind of page in both
// themes.
func views(n int) []view {
	all := []view{{"390-claro", 390, 844, "light"}, {"1280-escuro", 1280, 800, "dark"}, {"1280-claro", 1280, 800, "light"}, {"390-escuro", 390, 844, "dark"}}
	if os.Getenv(pictureFolder) == "" {
		return all[n%2 : n%2+1]
	}
	return all
}

func (b *browser) look(pages []pictured) {
	b.t.Helper()
	for n, p := range pages {
		for _, view := range views(n) {
			b.size(view.width, view.height)
			b.theme(view.theme)
			b.open(p.path)
			if p.then != nil {
				p.then(b)
			}
			b.wantAccessible(p.name + " " + view.name)
			b.shoot(p.name + "-" + view.name)
		}
	}
}

func TestScreenshot_PagesBeforeASession(t *testing.T) {
	t.Parallel()
	newBrowser(t, testkit.New(t)).look([]pictured{
		{"entrar", "/entrar", nil},
		{"entrar-recusado", "/entrar", func(b *browser) {
			b.fill("email", "ninguem@example.com")
			b.fill("password", "não é esta")
			b.submit("Entrar")
		}},
		{"cadastro", "/cadastro", nil},
		{"cadastro-recusado", "/cadastro", func(b *browser) {
			for name, text := range map[string]string{"company_name": "Oficina", "name": "Ana", "email": "ana@example", "password": "curta"} {
				b.fill(name, text)
			}
			b.submit("Criar conta")
		}},
		{"esqueci", "/esqueci-a-senha", nil},
		{"redefinir", "/redefinir-senha?token=x", nil},
		{"convite", "/convite?token=x", nil},
	})
}

func TestScreenshot_PagesOfANewCompany(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	newBrowser(t, srv).signedIn(signUp(t, srv, "Oficina Souza", "Ana Souza")).look([]pictured{
		{"inicio-vazio", "/", nil},
		{"chaves-vazio", "/chaves", nil},
		{"idempotencia-vazio", "/idempotencia", nil},
		{"requisicoes-vazio", "/requisicoes", nil},
		{"clientes-vazio", "/clientes", nil},
		{"nada", "/nao-existe", nil},
		{"cliente-novo", "/clientes/novo", nil},
	})
}

func TestScreenshot_PagesOfABusyCompany(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	f := newFull(t, srv)
	newBrowser(t, srv).signedIn(f.owner).look([]pictured{
		{"inicio", "/", nil},
		{"chaves", "/chaves", nil},
		{"chave-nova", "/chaves/nova", nil},
		{"chave", "/chaves/" + f.keyID, nil},
		{"chave-editar", "/chaves/" + f.keyID + "/editar", nil},
		{"chave-rotacionar", "/chaves/" + f.keyID + "/rotacionar", nil},
		{"chave-revogar", "/chaves/" + f.keyID + "/revogar", nil},
		{"idempotencia", "/idempotencia", nil},
		{"idempotencia-chave", "/idempotencia/" + f.idemID, nil},
		{"requisicoes", "/requisicoes", nil},
		{"requisicao", "/requisicoes/" + f.requestID, nil},
		{"clientes", "/clientes", nil},
		{"cliente", "/clientes/" + f.clientID, nil},
		{"cliente-editar", "/clientes/" + f.clientID + "/editar", nil},
		{"cliente-excluir", "/clientes/" + f.clientID + "/acao/excluir", nil},
		{"membros", "/membros", nil},
		{"membro", "/membros/" + f.memberID, nil},
		{"convidar", "/membros/convidar", nil},
		{"empresa", "/empresa", nil},
		{"auditoria", "/auditoria", nil},
		{"conta", "/conta", nil},
	})
}

func TestScreenshot_PagesOfTheBusiness(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina Souza", "Ana Souza")
	key, _ := o.key(t, "ERP", "clients:write")
	client := key.Post(t, "/public/v1/clients", testkit.M{"name": long}).Want(t, 201).ID()
	pages := business(t, o, client)
	flush(t, srv)
	newBrowser(t, srv).signedIn(o).look(append(pages, pictured{"inicio-negocio", "/", nil}))
}
