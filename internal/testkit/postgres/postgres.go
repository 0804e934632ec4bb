// Package postgres starts throw-away PostgreSQL servers for tests.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fatureihoje/internal/db/embedded"
)

// Variable names the server that tests use, as its superuser.
const Variable = "FH_TEST_DATABASE_URL"

// Durability is what a server promises.
type Durability bool

// A fast server may lose commits when it is killed; a durable one loses none,
// and is what a test needs that kills anything.
const (
	Fast    Durability = false
	Durable Durability = true
)

// maxConnections leaves room for several packages of parallel tests.
const maxConnections = 500

// Server is a PostgreSQL in a temporary folder.
type Server struct {
	URL      string // as the superuser
	folder   string
	embedded *embedded.Server
}

// Start starts a server in a new folder.
func Start(ctx context.Context, d Durability) (*Server, error) {
	folder, err := os.MkdirTemp("", "fh-test-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	s := &Server{folder: folder}
	// PostgreSQL refuses to run as root; its own user must be able to enter.
	if err := os.Chmod(folder, 0o711); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	s.embedded, err = embedded.Start(ctx, embedded.Options{DataDir: s.dataDir(), Fresh: d == Fast, MaxConnections: maxConnections})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	s.URL = s.embedded.URL()
	return s, nil
}

func (s *Server) dataDir() string { return filepath.Join(s.folder, "data") }

// Remove stops the server and deletes its folder.
func (s *Server) Remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// What an immediate shutdown leaves behind is deleted anyway.
	_ = s.embedded.Stop(ctx)
	return errors.Join(embedded.Remove(s.dataDir()), os.RemoveAll(s.folder))
}
