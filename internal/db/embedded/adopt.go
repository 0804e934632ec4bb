package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// adopt returns the live server of the site's cluster, or nil when there is
// none. A server that is about to answer, or about to end because its starter
// died, is waited for.
func adopt(ctx context.Context, s site, r resolver) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	major := s.existingMajor()
	dir := s.clusterDir(major)
	var lastErr error
	for {
		pm, ok := readPostmaster(dir)
		if !ok {
			return nil, nil
		}
		if !servesFolder(pm.pid, dir) {
			return nil, removeMisleadingFile(s, dir, pm)
		}
		server, err := adoptAt(ctx, s, dir, pm)
		if err == nil {
			server.binDir = adoptedBinDir(ctx, s, r, pm, major)
			s.log.InfoContext(ctx, "using the PostgreSQL that already runs", "process", pm.pid, "port", pm.port)
			return server, nil
		}
		if !isPassing(err) {
			return nil, fmt.Errorf("adopt process %d: %w", pm.pid, err)
		}
		lastErr = err
		if err := pause(ctx, pollInterval); err != nil {
			return nil, fmt.Errorf("PostgreSQL, process %d, runs on %s but does not answer: %w", pm.pid, dir, errors.Join(err, lastErr))
		}
	}
}

func adoptAt(ctx context.Context, s site, dir string, pm postmaster) (*Server, error) {
	password, err := readPassword(s.dataDir)
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, dir, password, pm.port); err != nil {
		return nil, err
	}
	return &Server{url: serverURL(password, pm.port, databaseName), done: make(chan struct{})}, nil
}

// adoptedBinDir never downloads: the server runs already.
func adoptedBinDir(ctx context.Context, s site, r resolver, pm postmaster, major int) string {
	if st, ok := readState(s.dataDir, pm); ok {
		return st.BinDir
	}
	r.npm = ""
	bin, err := r.find(ctx, major)
	if err != nil {
		return ""
	}
	return bin.dir
}

// removeMisleadingFile deletes the postmaster.pid of a dead server whose process
// id belongs to someone else by now: PostgreSQL would take that process for a
// running server and refuse to start. A plain stale file is left to PostgreSQL,
// which also uses it to look for leftover processes.
func removeMisleadingFile(s site, dir string, pm postmaster) error {
	if err := syscall.Kill(pm.pid, 0); errors.Is(err, syscall.ESRCH) {
		return nil
	}
	s.log.Info("removing the process file of a dead server: its id belongs to another process", "process", pm.pid)
	err := os.Remove(postmasterFile(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove stale postmaster.pid: %w", err)
	}
	return nil
}
