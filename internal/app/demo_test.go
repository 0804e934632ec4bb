package app_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fatureihoje/internal/app"
	"fatureihoje/internal/brdoc"
	"fatureihoje/internal/testkit"
)

// runDemo runs `api demo` on a database, and returns what it prints.
func runDemo(t *testing.T, d *testkit.Database, dataDir string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := app.Run(t.Context(), app.Process{
		Args: []string{"demo"}, Stdout: &out, Stderr: io.Discard,
		Environ: []string{
			"DATABASE_URL=" + d.URL, "FH_DATA_DIR=" + dataDir, "FH_SIGNUP=closed",
			"FH_SECRET_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
		},
	})
	return out.String(), err
}

func TestDemo_IsMadeOnceByProcessesThatStartAtOnce(t *testing.T) {
	t.Parallel()
	d, dir := testkit.NewDatabase(t), filepath.Join(t.TempDir(), "var")
	key := regexp.MustCompile(`fh_live_[0-9A-Za-z]+`)
	s := testkit.New(t, testkit.WithDatabase(d))

	printed := testkit.AtOnce(3, func(int) string {
		text, err := runDemo(t, d, dir)
		if err != nil {
			t.Error(err)
		}
		return key.FindString(text)
	})

	if printed[0] == "" || printed[1] != printed[0] || printed[2] != printed[0] {
		t.Fatalf("printed were the keys %q", printed)
	}
	for table, want := range map[string]int{"tenants": 1, "members": 1, "api_keys": 1, "clients": 6} {
		if n := testkit.Value[int](t, d, `SELECT count(*) FROM `+table); n != want {
			t.Errorf("%s has %d rows", table, n)
		}
	}
	c := s.Anonymous()
	c.Secret = printed[0]
	c.Get(t, "/public/v1/clients").Want(t, http.StatusOK)
	again, err := runDemo(t, d, dir)
	if err != nil || key.FindString(again) != printed[0] {
		t.Errorf("the next start prints %s, %v", again, err)
	}
	password := regexp.MustCompile(`Senha +(\S+)`).FindStringSubmatch(again)[1]
	s.Anonymous().Post(t, "/dashboard/v1/login", testkit.M{"email": "demo@fatureihoje.example", "password": password}).Want(t, http.StatusOK)
	file, err := os.Stat(filepath.Join(dir, "demo.json"))
	if err != nil || file.Mode().Perm() != 0o600 {
		t.Errorf("demo.json: %v, %v", file, err)
	}
	if !strings.Contains(again, `curl -sS -i -X POST http://127.0.0.1:8080/public/v1/clients -H "Authorization: Bearer `+printed[0]+`"`) {
		t.Errorf("printed %s", again)
	}
}

func TestDemo_HasRecordsOfEveryKind(t *testing.T) {
	t.Parallel()
	d, dir := testkit.NewDatabase(t), t.TempDir()
	s := testkit.New(t, testkit.WithDatabase(d))
	printed, err := runDemo(t, d, dir)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Anonymous()
	c.Secret = regexp.MustCompile(`fh_live_[0-9A-Za-z]+`).FindString(printed)

	for path, want := range map[string]int{
		"/clients": 6, "/clients?q=12ABC34501DE35": 1, "/leads": 4, "/leads?status=converted": 1,
		"/tasks": 5, "/tasks?overdue=true": 1, "/tasks?status=done": 1, "/appointments": 4,
		"/products": 6, "/services": 4, "/financial_accounts": 2, "/financial_transactions?type=transfer_out": 1,
		"/financial_transactions?status=overdue": 1, "/financial_transactions/recurring": 1,
		"/quotes?status=draft": 1, "/quotes?status=sent": 1, "/quotes?status=approved": 1,
		"/service_orders?status=in_progress": 1, "/service_orders?status=completed": 1,
		"/sales?status=paid": 1, "/sales?status=partially_paid": 1, "/sales?status=open": 1, "/sales?status=cancelled": 1,
	} {
		if got := len(c.All(t, path)); got != want {
			t.Errorf("%s has %d records, want %d", path, got, want)
		}
	}
	wantEveryListFilled(t, s, c)
	for _, client := range c.All(t, "/clients") {
		document, _ := client["document"].(string)
		if parsed, err := brdoc.ParseDocument(document); err != nil || string(parsed) != document {
			t.Errorf("the document %q: %v", document, err)
		}
	}
	if text, err := verifyLedger(t, d); err != nil || !strings.Contains(text, "1 companies verified, 0 discrepancies") {
		t.Errorf("%s %v", text, err)
	}
	before := testkit.Value[string](t, d, rowsOfDemo)
	if _, err := runDemo(t, d, dir); err != nil {
		t.Error(err)
	}
	if after := testkit.Value[string](t, d, rowsOfDemo); after != before {
		t.Errorf("a second start makes %s of %s", after, before)
	}
}

// rowsOfDemo counts what a second start could add to.
const rowsOfDemo = `SELECT concat_ws(' ',
	(SELECT count(*) FROM clients), (SELECT count(*) FROM products), (SELECT count(*) FROM leads), (SELECT count(*) FROM tasks),
	(SELECT count(*) FROM financial_transactions), (SELECT count(*) FROM quotes), (SELECT count(*) FROM service_orders),
	(SELECT count(*) FROM sales), (SELECT count(*) FROM audit_log))`

// wantEveryListFilled reads each list of the public API; one below a record must
// have something for at least one record. Histories are of what happened, and a
// client that was never archived has none.
func wantEveryListFilled(t *testing.T, s *testkit.Server, c *testkit.Client) {
	t.Helper()
	for _, r := range s.Routes() {
		if !strings.HasPrefix(r.ID, "list") || !strings.HasPrefix(r.Path, "/public/v1/") || strings.HasSuffix(r.Path, "/history") {
			continue
		}
		parent, child, nested := strings.Cut(r.Path, "/{id}")
		found := 0
		for _, record := range c.All(t, parent) {
			if found++; nested {
				found += len(c.All(t, parent+"/"+record["id"].(string)+child)) - 1
			}
		}
		if found == 0 {
			t.Errorf("%s is empty", r.Path)
		}
	}
}

func TestDemo_OfAnotherDataFolderIsLeftAlone(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t)
	if _, err := runDemo(t, d, t.TempDir()); err != nil {
		t.Fatal(err)
	}

	_, err := runDemo(t, d, t.TempDir())

	if err == nil || !strings.Contains(err.Error(), "demo.json") {
		t.Errorf("got %v", err)
	}
	if n := testkit.Value[int](t, d, `SELECT count(*) FROM tenants`); n != 1 {
		t.Errorf("there are %d companies", n)
	}
}
