package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// helperVar makes the test binary start a server on the folder it names instead
// of running tests: a process that a test may kill.
const helperVar = "FH_EMBEDDED_TEST_SERVE"

func TestMain(m *testing.M) {
	if dataDir := os.Getenv(helperVar); dataDir != "" {
		serve(dataDir)
		return
	}
	os.Exit(m.Run())
}

// served is what a helper process says on its standard output.
type served struct {
	URL     string
	Adopted bool
}

// serve stops the server when its standard input ends.
func serve(dataDir string) {
	s, err := Start(context.Background(), Options{DataDir: dataDir, Fresh: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(served{URL: s.URL(), Adopted: s.Adopted()})
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = s.Stop(context.Background())
}

// helper is a test binary that runs serve.
type helper struct {
	cmd   *exec.Cmd
	stdin io.Closer
	out   *bufio.Reader
}

func startHelper(t *testing.T, dataDir string) *helper {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperVar+"="+dataDir)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	h := &helper{cmd: cmd, stdin: stdin, out: bufio.NewReader(stdout)}
	t.Cleanup(func() { stdin.Close(); _ = cmd.Wait() })
	return h
}

func (h *helper) answer(t *testing.T) served {
	t.Helper()
	var s served
	must(t, json.NewDecoder(h.out).Decode(&s))
	return s
}

func (h *helper) kill(t *testing.T) {
	t.Helper()
	must(t, h.cmd.Process.Kill())
	_ = h.cmd.Wait()
}

// openDir is a data folder to be, in a place that every user can reach: what
// t.TempDir returns is closed to PostgreSQL's user.
func openDir(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp("", "fh-embedded-")
	must(t, err)
	must(t, os.Chmod(parent, 0o711))
	dir := filepath.Join(parent, "var")
	t.Cleanup(func() {
		if err := Remove(dir); err != nil {
			t.Error(err)
		}
		os.RemoveAll(parent)
	})
	return dir
}

func startTest(t *testing.T, dataDir string) *Server {
	t.Helper()
	return startWith(t, Options{DataDir: dataDir, Fresh: true})
}

func startWith(t *testing.T, o Options) *Server {
	t.Helper()
	o.Logger = testLog(t)
	s, err := Start(testContext(t), o)
	must(t, err)
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	must(t, s.Stop(ctx))
}

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func testLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(t.Output(), nil))
}

func testSite(t *testing.T, dataDir string) site {
	t.Helper()
	s, unlock, err := enter(testContext(t), dataDir, testLog(t))
	must(t, err)
	unlock()
	return s
}

// addNote and notes write and read rows that must survive.
func addNote(t *testing.T, url, text string) {
	t.Helper()
	query(t, url, func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "CREATE TABLE IF NOT EXISTS notes (text text)"); err != nil {
			return err
		}
		_, err := conn.Exec(ctx, "INSERT INTO notes VALUES ($1)", text)
		return err
	})
}

func notes(t *testing.T, url string) string {
	t.Helper()
	return scan(t, url, "SELECT coalesce(string_agg(text, ' '), '') FROM notes")
}

func scan(t *testing.T, url, sql string) (value string) {
	t.Helper()
	query(t, url, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, sql).Scan(&value)
	})
	return value
}

func query(t *testing.T, url string, do func(context.Context, *pgx.Conn) error) {
	t.Helper()
	ctx := testContext(t)
	conn, err := pgx.Connect(ctx, url)
	must(t, err)
	defer conn.Close(ctx)
	must(t, do(ctx, conn))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("missing %q in:\n%s", part, text)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// eventually waits for what another process does.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for ctx := testContext(t); !happened(); {
		if err := pause(ctx, time.Millisecond); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
}
