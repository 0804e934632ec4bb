package dashboard_test

import (
	"bytes"
	"encoding/csv"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/xuri/excelize/v2"

	"fatureihoje/internal/testkit"
)

// formulas are names that a spreadsheet would take for more than a text.
func formulas() []string {
	return []string{`=HYPERLINK("http://x";"y")`, "+1", "-1+1", "@SUM(1)", "＝1+1", "＋1", "Ana; \"Souza\"\nFilha"}
}

var link = regexp.MustCompile(`href="([^"]+)"`)

// exports lists the files that the pages of the navigation offer, as CSV.
func exports(t *testing.T, p *person) []string {
	t.Helper()
	var files []string
	seen, queue := map[string]bool{"/": true}, []string{"/"}
	for len(queue) > 0 {
		page := p.get(queue[0]).wantStatus(t, 200)
		queue = queue[1:]
		for _, found := range link.FindAllStringSubmatch(page.body, -1) {
			at := html.UnescapeString(found[1])
			switch {
			case seen[at] || strings.Contains(at, "?"):
			case strings.HasSuffix(at, "/exportar"):
				files = append(files, at)
			case regexp.MustCompile(`^/[a-z-]+(/[a-z-]+)?$`).MatchString(at) && !strings.Contains(at, "/nov") && at != "/docs/":
				queue = append(queue, at)
			}
			seen[at] = true
		}
	}
	return files
}

// spreadsheet is a file of both kinds, by its column and row.
func (p *person) sheet(t *testing.T, path string) (csvRows [][]string, book *excelize.File) {
	t.Helper()
	a := p.get(path).wantStatus(t, 200)
	text, marked := strings.CutPrefix(a.body, "\ufeff")
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	if err != nil || !marked || !strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment") {
		t.Fatalf("%s: %v, marked %t: %s", path, err, marked, a.body)
	}
	x := p.get(path+"?formato=xlsx").wantStatus(t, 200)
	book, err = excelize.OpenReader(bytes.NewReader([]byte(x.body)))
	if err != nil || !strings.HasSuffix(x.Header.Get("Content-Disposition"), `.xlsx"`) {
		t.Fatalf("%s: %v %v", path, err, x.Header)
	}
	t.Cleanup(func() { _ = book.Close() })
	return rows, book
}

func TestExport_IsHarmlessInASpreadsheet(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "=1+1", everything()...)
	line := func(text string) []testkit.M {
		return []testkit.M{{"kind": "custom", "description": text, "quantity": "1", "unit_price_cents": 1000}}
	}
	for _, name := range formulas() {
		client := key.Post(t, "/public/v1/clients", testkit.M{"name": name, "notes": name}, testkit.Header("User-Agent", "=cmd|' /C calc'!A0")).Want(t, 201).ID()
		for path, body := range map[string]testkit.M{
			"/leads": {"name": name}, "/tasks": {"title": name}, "/services": {"name": name, "price_cents": 100}, "/products": {"name": name, "price_cents": 100},
			"/appointments":   {"title": name, "starts_at": "2030-03-02T14:00:00-03:00", "ends_at": "2030-03-02T15:00:00-03:00", "allow_overlap": true},
			"/quotes":         {"client_id": client, "items": line(name), "notes": name},
			"/service_orders": {"client_id": client, "title": name, "items": line(name)}, "/sales": {"client_id": client, "items": line(name), "notes": name},
			"/financial_transactions": {"type": "expense", "description": name, "amount_cents": 100, "due_date": "2030-01-31", "client_id": client},
			"/financial_accounts":     {"name": name, "kind": "cash"}, "/financial_categories": {"name": name, "kind": "income"},
			"/product_categories": {"name": name}, "/service_categories": {"name": name},
		} {
			key.Post(t, "/public/v1"+path, body).Want(t, 201)
		}
	}
	flush(t, srv)
	p := o.person(t)

	files := exports(t, p)
	for _, wanted := range []string{"/clientes/exportar", "/leads/exportar", "/vendas/exportar", "/financeiro/exportar", "/requisicoes/exportar", "/auditoria/exportar"} {
		if !slices.Contains(files, wanted) {
			t.Errorf("no page offers %s: %v", wanted, files)
		}
	}
	for _, path := range files {
		rows, book := p.sheet(t, path)
		if len(rows) < len(formulas())+1 {
			t.Errorf("%s: %d rows", path, len(rows))
		}
		for _, row := range rows {
			for n, text := range row {
				if text != "" && strings.ContainsRune("=+-@＝＋\t\r", []rune(text)[0]) {
					t.Errorf("%s, %s: a formula: %q", path, rows[0][n], text)
				}
			}
		}
		wantNoFormula(t, path, book)
	}
}

func wantNoFormula(t *testing.T, path string, book *excelize.File) {
	t.Helper()
	rows, err := book.GetRows("Lista")
	if err != nil {
		t.Fatal(err)
	}
	exact := false
	for y, row := range rows {
		for x := range row {
			at, err := excelize.CoordinatesToCellName(x+1, y+1)
			if err != nil {
				t.Fatal(err)
			}
			if formula, err := book.GetCellFormula("Lista", at); formula != "" || err != nil {
				t.Errorf("%s, %s: a formula: %s, %v", path, at, formula, err)
			}
			exact = exact || row[x] == formulas()[0]
		}
	}
	if !exact && path != "/requisicoes/exportar" && path != "/auditoria/exportar" && path != "/vendas/exportar" && path != "/orcamentos/exportar" {
		t.Errorf("%s: the name is not there as it was given", path)
	}
}

func TestExport_KeepsNumbersAndDatesAsSuch(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", everything()...)
	account := key.Post(t, "/public/v1/financial_accounts", testkit.M{"name": "Banco", "kind": "checking"}).Want(t, 201).ID()
	key.Post(t, "/public/v1/financial_transactions", testkit.M{
		"type": "expense", "description": "Aluguel", "amount_cents": 123456, "due_date": "2026-03-31", "paid_at": "2026-03-31T23:30:00-03:00", "account_id": account,
	}).Want(t, 201)

	rows, book := o.person(t).sheet(t, "/financeiro/exportar")
	column := func(label string) int {
		t.Helper()
		n := slices.Index(rows[0], label)
		if n < 0 {
			t.Fatalf("no column %q: %v", label, rows[0])
		}
		return n
	}
	for label, want := range map[string]string{"Valor (R$)": "1234,56", "Vencimento": "31/03/2026", "Pago em": "31/03/2026 23:30", "Conta": "Banco"} {
		if got := rows[1][column(label)]; got != want {
			t.Errorf("CSV, %s: %q", label, got)
		}
		at, err := excelize.CoordinatesToCellName(column(label)+1, 2)
		if err != nil {
			t.Fatal(err)
		}
		got, err := book.GetCellValue("Lista", at)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]string{"Valor (R$)": "1,234.56"}[label]; want != "" && got != want {
			t.Errorf("XLSX, %s: %q", label, got)
		}
		raw, err := book.GetCellValue("Lista", at, excelize.Options{RawCellValue: true})
		if _, isNumber := strconv.ParseFloat(raw, 64); label != "Conta" && (err != nil || isNumber != nil) {
			t.Errorf("XLSX, %s is no number: %q, %v", label, raw, err)
		}
	}
	if accounts, _ := o.person(t).sheet(t, "/contas/exportar"); !strings.Contains(strings.Join(accounts[1], ";")+strings.Join(accounts[2], ";"), ";-1234,56") {
		t.Errorf("a negative balance is no number: %v", accounts)
	}
}

func TestExport_IsOfTheWholeListAsItIsFiltered(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	o := signUp(t, srv, "Oficina", "Ana")
	key, _ := o.key(t, "ERP", "clients:read", "clients:write")
	testkit.AtOnce(4, func(n int) bool {
		for range 60 {
			key.Post(t, "/public/v1/clients", testkit.M{"name": "Cliente " + uuid.NewString(), "tags": []string{strconv.Itoa(n)}}).Want(t, 201)
		}
		return true
	})
	p := o.person(t)

	all, book := p.sheet(t, "/clientes/exportar")
	inBook, err := book.GetRows("Lista")
	if err != nil || len(all) != 241 || len(inBook) != 241 {
		t.Errorf("%v: %d rows in the CSV, %d in the workbook", err, len(all), len(inBook))
	}
	ids := map[string]bool{}
	for _, row := range all[1:] {
		ids[row[0]] = true
	}
	if len(ids) != 240 {
		t.Errorf("%d clients", len(ids))
	}
	if some := p.get("/clientes/exportar?status=archived").wantStatus(t, 200); strings.Count(some.body, "\r\n") != 1 {
		t.Errorf("the filter is lost: %s", some.body)
	}
	if wrong := p.get("/clientes/exportar?status=xyz"); wrong.StatusCode != 422 || wrong.Header.Get("Content-Disposition") != "" {
		t.Errorf("a wrong filter: %d %v", wrong.StatusCode, wrong.Header)
	}
}
