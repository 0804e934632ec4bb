// Command withpostgres runs a command beside a PostgreSQL of its own:
//
//	go run ./internal/testkit/withpostgres -- go test ./...
//
// The command finds the server in FH_TEST_DATABASE_URL. Packages under test
// share it, each with a database of its own; it is fast and forgets everything
// at the end. A server that is already named there is used as it is.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"fatureihoje/internal/testkit/postgres"
)

// exitUsage is what a shell gives for a command that cannot be run.
const exitUsage = 127

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[i+1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: withpostgres -- command [argument...]")
		return exitUsage
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	if os.Getenv(postgres.Variable) != "" {
		return runCommand(args, os.Environ(), signals)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	server, err := postgres.Start(ctx, postgres.Fast)
	if err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
		return 1
	}
	code := runCommand(args, append(os.Environ(), postgres.Variable+"="+server.URL), signals)
	if err := server.Remove(); err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
		code = max(code, 1)
	}
	return code
}

// runCommand returns the command's exit code; signals are passed on to it.
func runCommand(args, environ []string, signals <-chan os.Signal) int {
	cmd := exec.Command(args[0], args[1:]...) //nolint:noctx // the command ends it, or a signal
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdin, os.Stdout, os.Stderr, environ
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "withpostgres:", err)
		return exitUsage
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s) // it may have ended meanwhile
		case err := <-ended:
			return exitCode(err)
		}
	}
}

// exitCode follows the shells: 128 and the number for a death by signal.
func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		return 1
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}
