package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// launch starts a server on the cluster, which it makes if there is none, and
// waits until it answers.
func launch(ctx context.Context, s site, r resolver, o Options) (*Server, error) {
	bin, err := r.find(ctx, s.existingMajor())
	if err != nil {
		return nil, err
	}
	if err := ensureCluster(ctx, s, bin, o.Fresh); err != nil {
		return nil, err
	}
	password, err := readPassword(s.dataDir)
	if err != nil {
		return nil, err
	}
	log, err := openServerLog(s.dataDir)
	if err != nil {
		return nil, fmt.Errorf("server log: %w", err)
	}
	defer log.Close()
	port, err := freePort(ctx)
	if err != nil {
		return nil, fmt.Errorf("choose a port: %w", err)
	}
	l := launcher{site: s, bin: bin, port: port, password: password, log: log}
	return l.run(ctx, o)
}

type launcher struct {
	site     site
	bin      binaries
	port     int
	password string
	log      *serverLog
}

func (l launcher) run(ctx context.Context, o Options) (*Server, error) {
	c, err := startChild(childSpec{
		path:    filepath.Join(l.bin.dir, "postgres"),
		args:    l.args(o),
		account: l.site.account,
		output:  l.log.file,
	})
	if err != nil {
		return nil, fmt.Errorf("run postgres: %w", err)
	}
	if err := l.awaitAnswer(ctx, c); err != nil {
		c.signal(syscall.SIGQUIT)
		<-c.done
		return nil, err
	}
	// The note helps those who adopt; the server is as good without it.
	if err := writeState(l.site.dataDir, state{PID: c.pid(), Port: l.port, BinDir: l.bin.dir}); err != nil {
		l.site.log.WarnContext(ctx, "server note not written", "error", err)
	}
	s := &Server{url: serverURL(l.password, l.port, databaseName), binDir: l.bin.dir, child: c, done: make(chan struct{})}
	go l.watch(s)
	l.site.log.InfoContext(ctx, "PostgreSQL runs", "process", c.pid(), "port", l.port, "binaries", l.bin.dir, "cluster", l.clusterDir())
	return s, nil
}

func (l launcher) clusterDir() string { return l.site.clusterDir(l.bin.major) }

// args keep the server to this machine: one address, no socket folder (there is
// no place for one that every user may write to).
func (l launcher) args(o Options) []string {
	settings := []string{
		"listen_addresses=127.0.0.1",
		"port=" + strconv.Itoa(l.port),
		"unix_socket_directories=",
		"max_connections=" + strconv.Itoa(o.MaxConnections),
		"cluster_name=" + databaseName,
		"log_line_prefix=%m [%p] ",
		"logging_collector=off",
		"lc_messages=C",
	}
	if o.Fresh {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	args := []string{"-D", l.clusterDir()}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// awaitAnswer connects only after our own child has said, in the cluster's
// process file, that it listens: no stranger who took the port is asked.
func (l launcher) awaitAnswer(ctx context.Context, c *child) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	var lastErr error
	for {
		pm, ok := readPostmaster(l.clusterDir())
		if ok && pm.ready && pm.pid == c.pid() {
			lastErr = prepare(ctx, l.clusterDir(), l.password, l.port)
			if lastErr == nil || !isPassing(lastErr) {
				return lastErr
			}
		}
		select {
		case <-c.done:
			return &exitError{cause: c.err, said: l.log.since()}
		default:
		}
		if err := pause(ctx, pollInterval); err != nil {
			return fmt.Errorf("postgres does not answer: %w", errors.Join(err, lastErr))
		}
	}
}

// watch tells the server's users of its end.
func (l launcher) watch(s *Server) {
	<-s.child.done
	if !s.stopping.Load() {
		l.site.log.Error("PostgreSQL ended unexpectedly", "cause", s.child.err, "log", filepath.Join(l.site.dataDir, logName))
	}
	close(s.done)
}

func freePort(ctx context.Context) (int, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return listener.Addr().(*net.TCPAddr).Port, listener.Close()
}

const (
	logName     = "postgres.log"
	logMaxBytes = 10 << 20
)

// serverLog is the file that a server writes to, and where this one began.
type serverLog struct {
	file  *os.File
	begin int64
}

// openServerLog sets a large log aside; one old one is kept.
func openServerLog(dataDir string) (*serverLog, error) {
	path := filepath.Join(dataDir, logName)
	if info, err := os.Stat(path); err == nil && info.Size() > logMaxBytes {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	begin, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &serverLog{file: file, begin: begin}, nil
}

func (l *serverLog) since() string {
	said, _ := io.ReadAll(io.NewSectionReader(l.file, l.begin, 1<<16))
	return lastLines(string(said), 10)
}

func (l *serverLog) Close() error { return l.file.Close() }
