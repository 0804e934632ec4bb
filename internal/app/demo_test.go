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
	for table, want := range map[string]int{"tenants": 1, "members": 1, "api_keys": 1, "clients": 3} {
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
