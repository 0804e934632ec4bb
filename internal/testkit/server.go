package testkit

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"fatureihoje/internal/app"
	"fatureihoje/internal/auth"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/config"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/page"
)

// Server is a running program and the test that looks at it.
type Server struct {
	*program
	t testing.TB
}

// program is the whole application behind a listener on this machine.
type program struct {
	App      *app.App // nil where a test serves routes of its own
	Database *Database
	BaseURL  string
	Config   config.Config

	api      *httpapi.API
	pool     *db.Pool
	http     *httptest.Server
	proxy    *Proxy // nil without WithProxy
	log      *logBuffer
	contract *contract
}

// Option changes the server that New starts.
type Option func(*settings)

type settings struct {
	clock    clock.Clock
	config   []func(*config.Config)
	database *Database
	proxied  bool
	routes   []httpapi.Route
}

// WithClock sets what the program takes for the present. Idempotency keys and
// credentials go by the database's clock.
func WithClock(c clock.Clock) Option { return func(s *settings) { s.clock = c } }

// WithConfig changes the configuration. Rate limits are off unless it sets them.
func WithConfig(change func(*config.Config)) Option {
	return func(s *settings) { s.config = append(s.config, change) }
}

// WithReservation sets how long a running attempt keeps its key; a short one
// lets an attempt be overtaken while it still runs.
func WithReservation(d time.Duration) Option {
	return WithConfig(func(c *config.Config) { c.Reservation = d })
}

// WithDatabase uses another database than the package's.
func WithDatabase(d *Database) Option { return func(s *settings) { s.database = d } }

// WithProxy puts a proxy between the program and its database, which the test
// can cut: Server.Proxy.
func WithProxy() Option { return func(s *settings) { s.proxied = true } }

// Alone starts a server of the test's own without changing anything.
func Alone() Option { return func(*settings) {} }

// WithRoutes serves these routes in place of the program's: for tests of the
// HTTP layer itself.
func WithRoutes(routes ...httpapi.Route) Option { return func(s *settings) { s.routes = routes } }

// New returns a server on the package's database: without options the one that
// the package's tests share, otherwise one of its own.
func New(t testing.TB, options ...Option) *Server {
	t.Helper()
	if len(options) == 0 {
		shared, err := current.server()
		if err != nil {
			t.Fatalf("testkit: %v", err)
		}
		return &Server{shared, t}
	}
	var s settings
	for _, o := range options {
		o(&s)
	}
	if s.database == nil {
		s.database = PackageDatabase(t)
	}
	p, err := start(s.database, s)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() {
		if err := p.close(); err != nil {
			t.Errorf("testkit: %v", err)
		}
	})
	return &Server{p, t}
}

// For returns the same server for another test, such as a subtest.
func (s *Server) For(t testing.TB) *Server { return &Server{s.program, t} }

// Secret is the secret key of every server under test.
const Secret = "0123456789abcdef0123456789abcdef"

func start(d *Database, s settings) (*program, error) {
	p := &program{Database: d, log: &logBuffer{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		return nil, err
	}
	databaseURL := d.URL
	if s.proxied {
		if p.proxy, err = newProxy(d.URL); err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		databaseURL = p.proxy.URL
	}
	if p.Config, err = configFor(databaseURL, listener.Addr().String(), s.config); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	if err := p.wire(s); err != nil {
		return nil, errors.Join(err, listener.Close(), p.close())
	}
	p.http = &httptest.Server{Listener: listener, Config: &http.Server{Handler: p.handler(), ReadHeaderTimeout: time.Minute}}
	p.http.Start()
	p.BaseURL = p.http.URL
	return p, nil
}

func configFor(databaseURL, listen string, changes []func(*config.Config)) (config.Config, error) {
	c, err := config.FromEnv([]string{
		"DATABASE_URL=" + databaseURL, "FH_LISTEN=" + listen, "FH_RATE_LIMIT=0", "FH_LOGIN_RATE_LIMIT=0", "FH_LOG_LEVEL=debug",
		"FH_SECRET_KEY=" + base64.StdEncoding.EncodeToString([]byte(Secret)),
	})
	for _, change := range changes {
		change(&c)
	}
	return c, err
}

// wire builds the program on the database.
func (p *program) wire(s settings) (err error) {
	if s.clock == nil {
		s.clock = clock.System{}
	}
	log := slog.New(slog.NewJSONHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	p.pool, err = db.Open(ctx, db.Config{
		URL: p.Config.DatabaseURL, MaxConns: p.Config.DBPool, IdleInTx: 2 * p.Config.RequestTimeout, Clock: s.clock, Logger: log,
	})
	if err != nil {
		return err
	}
	p.App, err = app.New(app.Deps{Config: p.Config, Pool: p.pool, Clock: s.clock, Log: log})
	if err != nil {
		return err
	}
	p.api = p.App.API
	if s.routes == nil {
		p.contract, err = productContract()
		return err
	}
	if p.api, err = p.apiOf(s.routes, s.clock, log); err != nil {
		return err
	}
	p.contract, err = contractOf(s.routes)
	return err
}

// apiOf serves a test's own routes as the program serves its.
func (p *program) apiOf(routes []httpapi.Route, c clock.Clock, log *slog.Logger) (*httpapi.API, error) {
	session, sessionErr := deriveKey("session")
	cursor, cursorErr := deriveKey("cursor")
	return httpapi.New(httpapi.Config{
		Pool: p.pool, Idempotency: p.App.Idempotency, Tokens: auth.NewAccessTokens(session, c), Usage: p.App.Usage,
		Cursors: page.NewSigner(cursor), Clock: c, Log: log, BaseURL: p.Config.BaseURL,
		RequestTimeout: p.Config.RequestTimeout, RateLimit: p.Config.RateLimit, LoginRateLimit: p.Config.LoginRateLimit,
		TrustedProxies: p.Config.ProxyPrefixes,
	}, routes), errors.Join(sessionErr, cursorErr)
}

func (p *program) handler() http.Handler {
	if p.api != p.App.API {
		return p.api
	}
	return p.App
}

func (p *program) close() error {
	if p.http != nil {
		p.http.CloseClientConnections()
		p.http.Close()
	}
	var errs []error
	if p.pool != nil {
		errs = append(errs, p.pool.Close())
	}
	if p.proxy != nil {
		errs = append(errs, p.proxy.close())
	}
	return errors.Join(errs...)
}

// Stop ends a server of the test's own before its end, with its connections to
// the database.
func (s *Server) Stop() {
	s.t.Helper()
	if err := s.close(); err != nil {
		s.t.Errorf("testkit: %v", err)
	}
}

// Pool is the program's connections to the database.
func (s *Server) Pool() *db.Pool { return s.pool }

// Proxy is the way to the database of a server that was started WithProxy.
func (s *Server) Proxy() *Proxy { return s.proxy }

// Routes is the table that the server serves.
func (s *Server) Routes() []httpapi.Route { return s.api.Routes() }

// API is what serves the table.
func (s *Server) API() *httpapi.API { return s.api }

// Log returns everything that the server has logged.
func (s *Server) Log() string { return s.log.String() }

// LogOf returns what the server has logged of one request.
func (s *Server) LogOf(r *Response) string { return s.log.linesWith(r.RequestID()) }

// FlushCounters writes the counts of replays and conflicts that are still in
// memory, as the program does each second.
func (s *Server) FlushCounters() {
	s.t.Helper()
	if err := s.App.Idempotency.Counters().Flush(context.Background(), s.pool); err != nil {
		s.t.Fatalf("testkit: flush the counters: %v", err)
	}
}

// deriveKey derives a key from the secret as the program does it.
func deriveKey(purpose string) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, []byte(Secret), nil, "fatureihoje "+purpose, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive the %s key: %w", purpose, err)
	}
	return key, nil
}
