package testkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"fatureihoje/internal/testkit/postgres"
)

// Main runs a package's tests and then removes what they made. Call it from
// TestMain; it does not return.
func Main(m *testing.M) {
	current.inMain = true
	code := m.Run()
	if err := current.close(); err != nil {
		fmt.Fprintln(os.Stderr, "testkit:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// process is what the tests of this process share. Everything in it is made by
// the first test that needs it.
type process struct {
	inMain bool

	postgres func() (string, error) // the server's URL
	database func() (*Database, error)
	server   func() (*program, error)

	mu      sync.Mutex
	closers []func() error
}

var current = newProcess() //nolint:gochecknoglobals // the tests of one process share one server

func newProcess() *process {
	p := &process{}
	p.postgres = sync.OnceValues(p.startPostgres)
	p.database = sync.OnceValues(p.makeDatabase)
	p.server = sync.OnceValues(p.startServer)
	return p
}

// atEnd has close called when the tests have ended, last come first.
func (p *process) atEnd(f func() error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closers = append(p.closers, f)
}

func (p *process) close() error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i]())
	}
	return errors.Join(errs...)
}

// startPostgres takes the server that the environment names, or starts one.
func (p *process) startPostgres() (string, error) {
	if !p.inMain {
		return "", errors.New("the package has no TestMain that calls testkit.Main")
	}
	if url := os.Getenv(postgres.Variable); url != "" {
		return url, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	server, err := postgres.Start(ctx, postgres.Fast)
	if err != nil {
		return "", err
	}
	p.atEnd(server.Remove)
	return server.URL, nil
}

// startLimit bounds what a test waits for a server or a database to be made.
const startLimit = 2 * time.Minute

// makeDatabase makes the database of the package under test.
func (p *process) makeDatabase() (*Database, error) {
	url, err := p.postgres()
	if err != nil {
		return nil, err
	}
	d, err := createDatabase(url)
	if err != nil {
		return nil, err
	}
	p.atEnd(d.drop)
	return d, nil
}

func (p *process) startServer() (*program, error) {
	d, err := p.database()
	if err != nil {
		return nil, err
	}
	program, err := start(d, settings{})
	if err != nil {
		return nil, err
	}
	p.atEnd(program.close)
	return program, nil
}
