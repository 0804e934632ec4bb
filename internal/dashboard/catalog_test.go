package dashboard_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestVariations_AreMadeOfTheProductsAttributesAndSold(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Loja", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	b := newBrowser(t, srv).signedIn(o)
	b.open("/produtos/novo")
	b.fill("name", "Camiseta")
	b.fill("price_cents", "50")
	b.fill("attributes", "Azul")
	b.submit("Criar produto")
	if got := b.besideField("attributes"); !strings.Contains(got, "um atributo por linha") {
		t.Errorf("beside the attributes: %q", got)
	}
	b.do(set("attributes", "Cor/tom: Azul, Verde\nMed. livre: 1,5 m; 2 m;"))
	b.submit("Criar produto")
	product := strings.TrimPrefix(b.path(), "/produtos/")
	b.wantText("Cor/tom: Azul, Verde · Med. livre: 1,5 m; 2 m;", "Variações", "Crie uma para cada combinação")

	b.submit("Nova variação")
	b.wantText("Vazio: o do produto, R$ 50,00.")
	b.do(choose("opcao-0", "Verde"), choose("opcao-1", "1,5 m"))
	b.fill("sku", "CAM-V")
	b.fill("gtin", "123")
	b.submit("Criar variação")
	if b.besideField("gtin") == "" {
		t.Errorf("the GTIN's error is not beside it:\n%s", b.where())
	}
	if got := js[string](b, `document.querySelector("[name=opcao-1]").value`); got != "1,5 m" {
		t.Errorf("the option chosen is lost: %q", got)
	}
	b.do(set("gtin", ""))
	b.submit("Criar variação")
	b.wantText("Registro criado.", "Cor/tom: Verde · Med. livre: 1,5 m", "CAM-V", "R$ 50,00, o do produto")
	b.wantAccessible("variation")
	variation := b.path()
	b.submit("Editar")
	b.fill("price_cents", "60")
	b.do(choose("opcao-0", "Azul"))
	b.submit("Gravar")
	b.wantText("Cor/tom: Azul", "R$ 60,00")
	b.submit("Arquivar")
	b.wantText("Arquivado")
	b.submit("Reativar")
	b.wantText("História", "Reativação")

	p := o.person(t)
	p.post("/produtos/"+product+"/variacoes/novo", url.Values{
		"_chave": {p.formKey("/produtos/"+product+"/variacoes/novo", "/produtos/"+product+"/variacoes/novo")}, "opcao-0": {"Azul"}, "opcao-1": {"1,5 m"},
	}).wantStatus(t, 409)
	b.open("/vendas/novo")
	b.do(choose("items-0-item", "product:"+product+":"+variation[strings.LastIndex(variation, "/")+1:]))
	b.submit("Criar venda")
	b.wantText("Camiseta", "R$ 60,00")
	b.open(variation + "/acao/excluir")
	b.submit("Excluir")
	b.wantText("Outros registros se referem a este")
	b.open("/produtos/" + product)
	b.submit("Nova variação")
	b.do(choose("opcao-0", "Verde"), choose("opcao-1", "2 m"))
	b.submit("Criar variação")
	b.open(b.path() + "/acao/excluir")
	b.submit("Excluir")
	b.wantText("Registro excluído.", "Cor/tom: Azul · Med. livre: 1,5 m")
	b.wantNoText("Med. livre: 2 m")

	b.submit("Editar")
	b.submit("Gravar")
	b.wantText("Cor/tom: Azul, Verde · Med. livre: 1,5 m; 2 m;")
	if got := key.Get(t, "/public/v1/products/"+product).Want(t, 200).String(); !strings.Contains(got, `"1,5 m"`) {
		t.Errorf("the attributes have changed: %s", got)
	}
}

func TestCategories_AreATreeThatRefusesACycleBesideItsParent(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Loja", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	made := func(name, parent string) string {
		body := testkit.M{"name": name, "parent_id": nil}
		if parent != "" {
			body["parent_id"] = parent
		}
		return key.Post(t, "/public/v1/product_categories", body).Want(t, 201).ID()
	}
	for i := range 101 {
		made(fmt.Sprintf("Grupo %03d", i), "")
	}
	b := newBrowser(t, srv).signedIn(o)
	b.open("/categorias-de-produtos")
	b.submit("Nova categoria de produtos")
	b.fill("name", "Vestuário")
	b.submit("Criar categoria")
	clothes := strings.TrimPrefix(b.path(), "/categorias-de-produtos/")
	b.open("/categorias-de-produtos")
	b.wantText("Grupo 000", "Grupo 100")
	b.submit("Subcategoria de Vestuário")
	b.fill("name", "Camisetas")
	b.submit("Criar categoria")
	b.wantText("Dentro de", "Vestuário")
	shirts := strings.TrimPrefix(b.path(), "/categorias-de-produtos/")
	b.open("/categorias-de-produtos")
	if js[int](b, `document.querySelectorAll("main li li a.link-quiet").length`) != 1 {
		t.Errorf("the category is not below the other:\n%s", b.where())
	}
	b.wantAccessible("tree")
	edit := "/categorias-de-produtos/" + clothes + "/editar"
	b.open(edit)
	if offered := js[string](b, `document.querySelector("[name=parent_id]").innerText`); strings.Contains(offered, "Camisetas") || !strings.Contains(offered, "Grupo 100") {
		t.Errorf("it can be put below: %s", offered)
	}

	p := o.person(t)
	cycle := p.post(edit, url.Values{"_chave": {p.formKey(edit, edit)}, "name": {"Vestuário"}, "parent_id": {shirts}}).wantStatus(t, 422)
	if !strings.Contains(cycle.body, `id="e-parent_id">Uma categoria não pode ficar abaixo de si mesma.`) || !strings.Contains(cycle.body, `value="`+shirts+`" selected`) {
		t.Errorf("the cycle is not told beside the parent, or the choice is lost: %s", cycle.body)
	}
	deepest := shirts
	for _, name := range []string{"Três", "Quatro", "Cinco"} {
		deepest = made(name, deepest)
	}
	b.open("/categorias-de-produtos/novo?parent_id=" + deepest)
	b.fill("name", "Seis")
	b.submit("Criar categoria")
	if got := b.besideField("parent_id"); !strings.Contains(got, "no máximo 5 níveis") {
		t.Errorf("beside the parent: %q", got)
	}

	b.open("/produtos/novo")
	b.fill("name", "Regata")
	b.fill("price_cents", "30")
	b.do(choose("category_id", shirts))
	b.submit("Criar produto")
	b.wantText("Categoria", "Camisetas")
	b.open("/produtos?category_id=" + clothes)
	b.wantText("Nada encontrado")
	b.open("/produtos?category_id=" + shirts)
	b.wantText("Regata")
	b.open("/categorias-de-produtos/" + shirts + "/acao/excluir")
	b.submit("Excluir")
	b.wantText("Outros registros se referem a este")
}
