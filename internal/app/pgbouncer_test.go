package app_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"fatureihoje/internal/config"
	"fatureihoje/internal/testkit"
)

// TestServer_WorksBehindPgBouncerInTransactionMode proves that nothing of a
// session is needed between transactions: connections are shared by all.
func TestServer_WorksBehindPgBouncerInTransactionMode(t *testing.T) {
	t.Parallel()
	pooled := startPgBouncer(t, testkit.NewDatabase(t))
	key := pooled.Tenant(t).Key(t, "clients:read", "clients:write")

	var all sync.WaitGroup
	for range 24 {
		all.Go(func() {
			idempotency := testkit.Key(testkit.NewKey())
			body := testkit.M{"name": "João Souza", "tags": []string{"vip"}, "addresses": []testkit.M{
				{"postal_code": "01310100", "street": "Av. Paulista", "city": "São Paulo", "state": "SP"},
				{"postal_code": "20040002", "street": "Av. Rio Branco", "city": "Rio de Janeiro", "state": "RJ"},
			}}
			first := key.Post(t, "/clients", body, idempotency).Want(t, 201)
			second := key.Post(t, "/clients", body, idempotency).Want(t, 201)
			if !second.Replayed() || string(first.Body) != string(second.Body) {
				t.Errorf("want a replay of %s, got %s", first, second)
			}
			key.Patch(t, "/clients/"+first.ID(), testkit.M{"notes": "nota"}).Want(t, 200)
		})
	}
	all.Wait()

	if got := key.All(t, "/clients?q=joao&tag=vip"); len(got) != 24 {
		t.Errorf("want 24 clients, got %d", len(got))
	}
}

// startPgBouncer returns a server whose every connection goes through a
// PgBouncer with four connections behind it.
func startPgBouncer(t *testing.T, d *testkit.Database) *testkit.Server {
	t.Helper()
	binary, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Fatal("pgbouncer is missing: apt-get install pgbouncer")
	}
	behind, err := url.Parse(d.URL)
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	dir, err := os.MkdirTemp("/tmp", "fh-pgbouncer-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	password, _ := behind.User.Password()
	ini := fmt.Sprintf(`[databases]
pooled = host=%s port=%s dbname=%s user=%s password=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
logfile = %s/log
`, behind.Hostname(), behind.Port(), behind.Path[1:], behind.User.Username(), password, port, dir)
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(ini), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	runPgBouncer(t, binary, file)
	awaitPort(t, port)
	pooled := fmt.Sprintf("postgres://%s@127.0.0.1:%d/pooled?sslmode=disable", behind.User.Username(), port)
	return testkit.New(t, testkit.WithDatabase(d), testkit.WithConfig(func(c *config.Config) { c.DatabaseURL = pooled }))
}

// runPgBouncer starts it as a plain user: it refuses to be root.
func runPgBouncer(t *testing.T, binary, file string) {
	t.Helper()
	cmd := exec.Command(binary, "-q", file)
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGQUIT)
		_ = cmd.Wait()
	})
}

func freePort(t *testing.T) int {
	t.Helper()
	var c net.ListenConfig
	l, err := c.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

func awaitPort(t *testing.T, port int) {
	t.Helper()
	testkit.Eventually(t, "pgbouncer listens", func() bool {
		c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
		if err != nil {
			return false
		}
		_ = c.Close()
		return true
	})
}
