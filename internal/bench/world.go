package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/db/embedded"
	"fatureihoje/internal/id"
)

// world is the database, the two servers and the credentials of a run.
type world struct {
	dir      string
	postgres *embedded.Server
	admin    *pgx.Conn // counts flushes and WAL
	api      *program
	plain    *program
	tenant   uuid.UUID
	keyID    uuid.UUID
	token    auth.Token
	client   string // the path of one client, for the GET
	tools    string // where pgbench is
	appURL   string
}

func newWorld(ctx context.Context, o options) (*world, error) {
	dir, err := os.MkdirTemp("/tmp", "fh-bench-")
	if err != nil {
		return nil, err
	}
	w := &world{dir: dir, tenant: id.New(), keyID: id.New()}
	if err := w.start(ctx, o); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *world) start(ctx context.Context, o options) (err error) {
	w.postgres, err = embedded.Start(ctx, embedded.Options{DataDir: filepath.Join(w.dir, "var"), MaxConnections: 200})
	if err != nil {
		return err
	}
	w.tools = w.postgres.BinDir()
	m, err := db.NewMigrator(w.postgres.URL())
	if err != nil {
		return err
	}
	_, err = m.Up(ctx)
	if err = errors.Join(err, m.Close()); err != nil {
		return err
	}
	if w.admin, err = pgx.Connect(ctx, w.postgres.URL()); err != nil {
		return err
	}
	if err := w.seed(ctx, o.stored); err != nil {
		return err
	}
	return w.startServers(ctx, o)
}

// seed makes a company, its owner, an API key, and so many stored keys.
func (w *world) seed(ctx context.Context, stored int) error {
	login, member := id.New(), id.New()
	w.token = auth.NewToken(auth.LiveKey, w.tenant)
	hash := w.token.Hash()
	var b pgx.Batch
	b.Queue(`INSERT INTO tenants (id, name, created_at, updated_at) VALUES ($1, 'Oficina Souza', now(), now())`, w.tenant)
	b.Queue(`INSERT INTO logins (id, email, password_hash, created_at, updated_at) VALUES ($1, 'bench@example.com', '', now(), now())`, login)
	b.Queue(`INSERT INTO members (tenant_id, id, login_id, name, email, role, created_at, updated_at)
		VALUES ($1, $2, $3, 'Dona Souza', 'bench@example.com', 'owner', now(), now())`, w.tenant, member, login)
	b.Queue(`INSERT INTO api_keys (tenant_id, id, member_id, line_id, name, hint, secret_hash, scopes, created_by, created_at, updated_at)
		VALUES ($1, $2, $3, $2, 'bench', $4, $5, $6, $3, now(), now())`, w.tenant, w.keyID, member, w.token.Hint(), hash[:], auth.Permissions())
	b.Queue(`INSERT INTO idempotency_keys (tenant_id, id, space_id, key, method, path, fingerprint_version, fingerprint, parts, state,
			fence, request_id, reserved_until, expires_at, completed_at, status, content_type, body)
		SELECT $1, md5('stored' || n)::uuid, $2, 'stored-' || n, 'POST', '/public/v1/clients', 1, sha256(n::text::bytea), '', 'done',
			md5('fence' || n)::uuid, 'seed', now(), now() + interval '1 day', now(), 201, 'application/json', repeat('x', 600)::bytea
		FROM generate_series(1, $3::int) n`, w.tenant, w.keyID, stored)
	if err := w.admin.SendBatch(ctx, &b).Close(); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

// warm fills the tables a little and lets the planner see it: on empty tables
// it would choose plans that no server runs with for longer than a minute.
func (w *world) warm(ctx context.Context) error {
	location, err := w.create(ctx)
	if err != nil {
		return err
	}
	w.client = location
	for _, c := range w.cases() {
		if c.request == nil {
			continue
		}
		if _, err := w.load(ctx, c, 8, time.Second); err != nil {
			return err
		}
	}
	_, err = w.admin.Exec(ctx, "VACUUM ANALYZE")
	return err
}

func (w *world) startServers(ctx context.Context, o options) (err error) {
	binary := filepath.Join(w.dir, "api")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/api") //nolint:gosec // our own folder
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the server: %w", err)
	}
	// As docs/database.md advises: the server signs in as its own role.
	if w.appURL, err = db.AppURL(ctx, w.postgres.URL()); err != nil {
		return err
	}
	//nolint:gosec // a throw-away server of this run
	w.api, err = startProgram(ctx, binary, []string{"serve"}, map[string]string{
		"DATABASE_URL": w.appURL, "FH_MIGRATE_DATABASE_URL": w.postgres.URL(), "FH_SECRET_KEY": "YmVuY2gtYmVuY2gtYmVuY2gtYmVuY2gtYmVuY2gtYmU=",
		"FH_RATE_LIMIT": "0", "FH_LOG_LEVEL": "warn", "FH_DATA_DIR": w.dir,
	})
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if w.plain, err = startProgram(ctx, self, []string{"-plain", w.postgres.URL()}, nil); err != nil {
		return err
	}
	return w.warm(ctx)
}

func (w *world) close() {
	for _, p := range []*program{w.api, w.plain} {
		if p != nil {
			p.stop()
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if w.admin != nil {
		_ = w.admin.Close(ctx)
	}
	if w.postgres != nil {
		_ = w.postgres.Stop(ctx)
	}
	_ = embedded.Remove(filepath.Join(w.dir, "var"))
	_ = os.RemoveAll(w.dir)
}

// program is a server of its own process, so that its CPU can be told from ours.
type program struct {
	cmd     *exec.Cmd
	address netip.AddrPort
	admin   netip.AddrPort
}

func startProgram(ctx context.Context, binary string, args []string, environ map[string]string) (*program, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	adminAddress, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), binary, args...) //nolint:gosec // our own binaries
	cmd.Env = append(os.Environ(), "FH_LISTEN="+address.String(), "FH_ADMIN_LISTEN="+adminAddress.String())
	for name, value := range environ {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &program{cmd: cmd, address: address, admin: adminAddress}
	return p, p.await(ctx, "http://"+address.String()+"/public/v1/openapi.json")
}

// await polls until the server answers anything.
func (p *program) await(ctx context.Context, address string) error {
	for range 200 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		var refused *url.Error
		if !errors.As(err, &refused) {
			return err
		}
		if err := wait(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s did not answer", address)
}

// profile writes the CPU profile of the next seconds to a file.
func (p *program) profile(ctx context.Context, d time.Duration, file string) (err error) {
	address := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", p.admin, int(d.Seconds()))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, resp.Body)
	return errors.Join(err, out.Close())
}

func (p *program) stop() {
	_ = p.cmd.Process.Signal(os.Interrupt)
	_ = p.cmd.Wait()
}

// cpu is the processor time that the program has used so far.
func (p *program) cpu() time.Duration {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/stat")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(after)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // USER_HZ is 100
}

func freeAddress(ctx context.Context) (netip.AddrPort, error) {
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return netip.AddrPort{}, err
	}
	defer func() { _ = l.Close() }()
	return netip.ParseAddrPort(l.Addr().String())
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
