package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"fatureihoje/internal/clock"
)

// The roles that the migrations make. The server's statements run as one of
// them; neither owns a table, is a superuser, or bypasses row-level security.
const (
	RoleApp   = "fh_app"     // sees one tenant, the one that its transaction names
	RoleSweep = "fh_sweeper" // sees what is due, of all tenants, in the few tables that have sweeps
)

// Config is what a pool needs.
type Config struct {
	URL            string // of a PostgreSQL 15 or newer, or of a PgBouncer in front of it
	MaxConns       int
	AcquireTimeout time.Duration // how long a request waits for a connection; 0: 5 s
	IdleInTx       time.Duration // after which the server ends a transaction that nobody uses; 0: 2 min
	Clock          clock.Clock
	Logger         *slog.Logger
	Tracer         QueryTracer // nil: no traces
}

// QueryTracer is told of each statement of a store.
type QueryTracer = pgx.QueryTracer

// Pool is the process's connections to the database.
type Pool struct {
	sql            *sql.DB
	gorm           *gorm.DB
	acquireTimeout time.Duration
	setRole        bool // the login is not RoleApp itself, so each transaction takes the role
	prepare        bool // named statements outlive a transaction: no pooler in between
	clock          clock.Clock
	log            *slog.Logger
}

// Open connects, and finds out what it talks to: whether a pooler such as
// PgBouncer stands in between (then no statement is prepared by name), and
// whether transactions must take the server's role. It fails where the schema
// is not there or its roles cannot be taken.
func Open(ctx context.Context, c Config) (*Pool, error) {
	conf, err := pgx.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("read the database URL: %w", errURL)
	}
	p := &Pool{acquireTimeout: orDefault(c.AcquireTimeout, 5*time.Second), clock: c.Clock, log: c.Logger}
	if err := p.probe(ctx, conf); err != nil {
		return nil, err
	}
	if !p.prepare {
		conf.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	conf.Tracer = c.Tracer
	setUp := stdlib.OptionAfterConnect(p.afterConnect(orDefault(c.IdleInTx, 2*time.Minute)))
	p.sql = stdlib.OpenDB(*conf, setUp)
	p.sql.SetMaxOpenConns(c.MaxConns)
	p.sql.SetMaxIdleConns(c.MaxConns)
	p.sql.SetConnMaxIdleTime(5 * time.Minute)
	p.gorm, err = gorm.Open(postgres.New(postgres.Config{Conn: p.sql}), &gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		Logger:                 logger.Discard,
		NowFunc:                c.Clock.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("set up gorm: %w", err)
	}
	return p, nil
}

// probe asks one connection what the pool will be working with.
func (p *Pool) probe(ctx context.Context, conf *pgx.ConnConfig) error {
	probe := conf.Copy()
	probe.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(ctx, probe)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var user string
	var pid uint32
	err = conn.QueryRow(ctx, `SELECT current_user::text, pg_backend_pid()::int8`).Scan(&user, &pid)
	if err != nil {
		return fmt.Errorf("ask the database who we are: %w", err)
	}
	p.setRole = user != RoleApp
	// A pooler hands out a process id of its own, so the two differ behind one.
	p.prepare = pid == conn.PgConn().PID()
	if !p.setRole {
		return nil
	}
	if _, err := conn.Exec(ctx, "BEGIN; SET LOCAL ROLE "+RoleSweep+"; SET LOCAL ROLE "+RoleApp+"; ROLLBACK"); err != nil {
		return fmt.Errorf("take the roles %s and %s (does the schema exist, and may %q take them?): %w", RoleApp, RoleSweep, user, err)
	}
	return nil
}

// afterConnect makes instants come back in UTC, and sets the net under
// transactions that a fault leaves open. Behind a pooler session settings do
// not stick, and the operator sets it there.
func (p *Pool) afterConnect(idleInTx time.Duration) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		conn.TypeMap().RegisterType(&pgtype.Type{
			Name: "timestamptz", OID: pgtype.TimestamptzOID, Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		if !p.prepare {
			return nil
		}
		_, err := conn.Exec(ctx, fmt.Sprintf("SET idle_in_transaction_session_timeout = %d", idleInTx.Milliseconds()))
		return err
	}
}

// Close ends the pool; connections in use end when they are released.
func (p *Pool) Close() error { return p.sql.Close() }

// Ping reports whether the database answers.
func (p *Pool) Ping(ctx context.Context) error { return p.sql.PingContext(ctx) }

// Stats returns what the pool is doing, for the metrics.
func (p *Pool) Stats() sql.DBStats { return p.sql.Stats() }

// Acquire takes a connection for one request, waiting no longer than the
// pool's time-out. A request takes one and no second, so that a full pool
// cannot wait for itself.
func (p *Pool) Acquire(ctx context.Context) (*Conn, error) {
	wait, cancel := context.WithTimeout(ctx, p.acquireTimeout)
	defer cancel()
	c, err := p.sql.Conn(wait)
	if err != nil {
		return nil, errors.Join(ErrUnavailable, fmt.Errorf("acquire a connection: %w", err))
	}
	return &Conn{pool: p, sql: c}, nil
}

func orDefault(d, fallback time.Duration) time.Duration {
	if d == 0 {
		return fallback
	}
	return d
}

// errURL replaces the driver's own error, which may quote the URL's password.
var errURL = errors.New("it is not a PostgreSQL connection URL")
