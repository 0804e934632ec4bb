// Package embedded starts and keeps a real PostgreSQL below a data folder, for
// when no DATABASE_URL is configured: one command on a fresh machine is enough.
//
// The data folder holds:
//
//	postgres-<major>/      the cluster (elsewhere when its user can't go there: postgres-location says where)
//	postgres-bin-<v>/      binaries from npm, when the machine has none
//	postgres-password      of the role fh_owner, mode 0600
//	postgres-state.json    the running server's process, port and binaries
//	postgres.log           what the server says; the previous one is postgres.log.1
//	postgres.lock          held while a process starts up
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	ownerRole    = "fh_owner"
	databaseName = "fatureihoje"

	// answerLimit bounds the wait for a server's answer where the context has no
	// earlier deadline. It leaves room for the recovery of a large write-ahead
	// log after a crash. A download of binaries is not counted.
	answerLimit = 2 * time.Minute

	pollInterval = 10 * time.Millisecond
)

// Options say which server to start. Only DataDir is required.
type Options struct {
	// DataDir is made if missing.
	DataDir string
	// Fresh trades durability for speed: the cluster is thrown away by the
	// caller after its tests. A power cut may corrupt it, and a killed server
	// loses the last commits.
	Fresh bool
	// MaxConnections is 100 when zero. An adopted server keeps its own.
	MaxConnections int
	// Logger may be nil: then nothing is logged.
	Logger *slog.Logger
}

// Server is a PostgreSQL that answers connections: one this process started, or
// one it found running on the same data folder and adopted.
type Server struct {
	url      string
	binDir   string
	child    *child // nil when adopted
	done     chan struct{}
	stopping atomic.Bool
}

// Start returns once the server answers a connection and has the database. It
// adopts the live server of the data folder if there is one; processes that
// start on one folder at the same moment take turns. An end of ctx stops the
// start, not the server that Start returned.
func Start(ctx context.Context, o Options) (*Server, error) {
	s, err := start(ctx, o.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("start embedded postgres: %w", err)
	}
	return s, nil
}

func start(ctx context.Context, o Options) (*Server, error) {
	site, unlock, err := enter(ctx, o.DataDir, o.Logger)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return startOn(ctx, site, newResolver(site), o)
}

// enter locks the data folder, then finds the place of its cluster.
func enter(ctx context.Context, dataDir string, log *slog.Logger) (site, func(), error) {
	dataDir, err := makeDataDir(dataDir)
	if err != nil {
		return site{}, nil, err
	}
	unlock, err := lock(ctx, dataDir, log)
	if err != nil {
		return site{}, nil, err
	}
	s, err := locate(dataDir, log)
	if err != nil {
		unlock()
		return site{}, nil, err
	}
	return s, unlock, nil
}

// startOn adopts or launches, and begins again while the only obstacle is one
// that passes: the port was taken meanwhile, or processes of a killed server
// have not all ended yet.
func startOn(ctx context.Context, site site, r resolver, o Options) (*Server, error) {
	retry, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	for {
		s, err := adopt(ctx, site, r)
		if s != nil || err != nil {
			return s, err
		}
		s, err = launch(ctx, site, r, o)
		if !isTransient(err) {
			return s, err
		}
		site.log.InfoContext(ctx, "postgres can't start yet, trying again", "reason", err)
		if sleepErr := pause(retry, 5*pollInterval); sleepErr != nil {
			return nil, errors.Join(sleepErr, err)
		}
	}
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.MaxConnections == 0 {
		o.MaxConnections = 100
	}
	return o
}

// URL connects as the superuser that owns the database. It holds the password.
func (s *Server) URL() string { return s.url }

// Adopted reports whether the server was running before Start. It then belongs
// to another process (or to an earlier Start of this one) and ends with it.
func (s *Server) Adopted() bool { return s.child == nil }

// BinDir is where the programs of this server's version live. Only postgres and
// initdb are sure to be there: the npm package has no psql, for instance. Empty
// for an adopted server whose programs could not be found.
func (s *Server) BinDir() string { return s.binDir }

// Done is closed when a server that this process started has ended, for
// whatever reason. For an adopted server it never is: nobody here waits on it.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop asks a server that this process started for a fast shutdown (open
// transactions are rolled back, everything is written) and waits for its end.
// When ctx ends first it demands an immediate one, which the next start
// recovers from, and says so in the error. An adopted server is left alone.
func (s *Server) Stop(ctx context.Context) error {
	if s.Adopted() {
		return nil
	}
	s.stopping.Store(true)
	s.child.signal(syscall.SIGINT)
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
	}
	s.child.signal(syscall.SIGQUIT)
	<-s.done
	return fmt.Errorf("stop embedded postgres: fast shutdown cut short: %w", ctx.Err())
}

func serverURL(password string, port int, database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(ownerRole, password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// pause waits for d or for the end of ctx, whose error it returns.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
