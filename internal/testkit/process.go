package testkit

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/db"
)

// Process is the real program as a process of its own, which a test may kill.
type Process struct {
	*Server

	cmd   *exec.Cmd
	env   []string
	admin string
	ended chan struct{}
}

// StartProcess builds the program, once, and starts it on a database. The
// environment adds to what every server under test has, such as
// FH_REQUEST_TIMEOUT=1s. It is ended with the test.
func StartProcess(t testing.TB, d *Database, environ ...string) *Process {
	t.Helper()
	contract, err := productContract()
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	listen, admin := freeAddress(t), freeAddress(t)
	p := &Process{Server: &Server{&program{Database: d, BaseURL: "http://" + listen, log: &logBuffer{}, contract: contract}, t}, admin: admin}
	p.env = slices.Concat(os.Environ(), []string{
		"DATABASE_URL=" + d.URL, "FH_LISTEN=" + listen, "FH_ADMIN_LISTEN=" + admin, "FH_RATE_LIMIT=0", "FH_LOGIN_RATE_LIMIT=0",
		"FH_SECRET_KEY=" + base64.StdEncoding.EncodeToString([]byte(Secret)), "FH_LOG_FORMAT=json",
	}, environ)
	p.pool = openPool(t, d)
	t.Cleanup(func() { p.Kill(t) })
	p.Restart(t)
	return p
}

// openPool opens connections by which the factories reach the database of a
// program that runs elsewhere.
func openPool(t testing.TB, d *Database) *db.Pool {
	t.Helper()
	pool, err := db.Open(context.Background(), db.Config{URL: d.URL, MaxConns: 2, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

// Restart starts the program again, at the same address.
func (p *Process) Restart(t testing.TB) {
	t.Helper()
	binary, err := buildProgram()
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	p.cmd = exec.Command(binary, "serve") //nolint:noctx // it lives until the test kills it
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr, p.cmd.Dir = p.env, p.log, p.log, t.TempDir()
	p.cmd.SysProcAttr = childOf()
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("testkit: start the program: %v", err)
	}
	p.ended = make(chan struct{})
	go func(cmd *exec.Cmd, ended chan struct{}) { _ = cmd.Wait(); close(ended) }(p.cmd, p.ended)
	Eventually(t, "the program is ready", func() bool {
		select {
		case <-p.ended:
			t.Fatalf("the program ended at its start:\n%s", p.Log())
		default:
		}
		return answersOK("http://" + p.admin + "/readyz")
	})
}

// Signal sends the program a signal, such as SIGSTOP.
func (p *Process) Signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Errorf("testkit: signal the program: %v", err)
	}
}

// Kill ends the program at once, and returns when it is gone.
func (p *Process) Kill(t testing.TB) {
	t.Helper()
	if p.ended == nil {
		return
	}
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

func answersOK(url string) bool {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = r.Body.Close()
	return r.StatusCode == http.StatusOK
}

// buildProgram builds cmd/api for the tests of this process.
var buildProgram = sync.OnceValues(func() (string, error) { //nolint:gochecknoglobals // built once
	dir, err := os.MkdirTemp("", "fh-bin-")
	if err != nil {
		return "", err
	}
	current.atEnd(func() error { return os.RemoveAll(dir) })
	binary := filepath.Join(dir, "api")
	out, err := exec.Command("go", "build", "-o", binary, "fatureihoje/cmd/api").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return binary, nil
})

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
