package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/config"
	"fatureihoje/internal/db"
	"fatureihoje/internal/db/embedded"
)

// base is a configuration with an open, migrated database under it.
type base struct {
	deps
	postgres *embedded.Server // nil where DATABASE_URL is set
	tracing  *tracing
}

type deps = Deps

// open reads the configuration, starts or adopts the embedded PostgreSQL where
// no other is configured, migrates, and opens the pool.
func open(ctx context.Context, p *Process) (*base, error) {
	c, err := config.FromEnv(p.Environ)
	if err != nil {
		return nil, fmt.Errorf("configuration:\n%w", err)
	}
	b := &base{deps: Deps{Config: c, Clock: clock.System{}, Log: newLogger(p.Stderr, c)}}
	if err := b.start(ctx); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *base) start(ctx context.Context) (err error) {
	if b.Config.Embedded() {
		if err := b.startEmbedded(ctx); err != nil {
			return err
		}
	}
	applied, err := migrate(ctx, b.Config.MigrateDatabaseURL)
	if err != nil {
		return err
	}
	if len(applied) > 0 {
		b.Log.InfoContext(ctx, "schema migrated", "migrations", len(applied))
	}
	if b.embedded() {
		if b.Config.DatabaseURL, err = db.AppURL(ctx, b.Config.MigrateDatabaseURL); err != nil {
			return err
		}
	}
	if b.tracing, err = startTracing(ctx, b.Config.OTLPEndpoint); err != nil {
		return err
	}
	b.Tracer = b.tracing.tracer()
	b.Pool, err = db.Open(ctx, db.Config{
		Tracer: b.tracing.queries(),
		URL:    b.Config.DatabaseURL, MaxConns: b.Config.DBPool, IdleInTx: 2 * b.Config.RequestTimeout, Clock: b.Clock, Logger: b.Log,
	})
	return err
}

func (b *base) startEmbedded(ctx context.Context) (err error) {
	b.postgres, err = embedded.Start(ctx, embedded.Options{DataDir: b.Config.DataDir, Logger: b.Log})
	if err != nil {
		return err
	}
	b.Config.UseEmbedded(b.postgres.URL())
	if b.Config.Secret != nil {
		return nil
	}
	secret, err := loadSecret(b.Config.DataDir)
	if err != nil {
		return err
	}
	return b.Config.SetSecret(secret)
}

func (b *base) embedded() bool { return b.postgres != nil }

// databaseDone is closed when the embedded PostgreSQL has ended; it never is
// where the database is somebody else's.
func (b *base) databaseDone() <-chan struct{} {
	if b.postgres == nil || b.postgres.Adopted() {
		return nil
	}
	return b.postgres.Done()
}

// close ends the pool, the traces, and then the embedded PostgreSQL.
func (b *base) close() {
	if b.Pool != nil {
		_ = b.Pool.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	if b.tracing != nil {
		if err := b.tracing.stop(ctx); err != nil {
			b.Log.Warn("the last traces were not sent", "error", err)
		}
	}
	if b.postgres != nil {
		if err := b.postgres.Stop(ctx); err != nil {
			b.Log.Warn("the embedded PostgreSQL did not stop cleanly; it recovers at its next start", "error", err)
		}
	}
}

func newLogger(w io.Writer, c config.Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // checked by the configuration
	options := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "text" || c.LogFormat == "" && isTerminal(w) {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
