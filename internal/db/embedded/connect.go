package embedded

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	connectTimeout = 5 * time.Second

	// SQLSTATEs of a server that will answer, or be gone, in a moment.
	cannotConnectNow   = "57P03" // starting up, shutting down or in recovery
	adminShutdown      = "57P01"
	tooManyConnections = "53300"
)

var errOtherCluster = errors.New("the server on the port is not the one of the data folder")

// prepare connects, makes sure that it is the cluster of clusterDir that
// answers, and makes the database if it is missing.
func prepare(ctx context.Context, clusterDir, password string, port int) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, serverURL(password, port, "postgres"))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var folder string
	var exists bool
	err = conn.QueryRow(ctx,
		`SELECT current_setting('data_directory'), EXISTS (SELECT FROM pg_database WHERE datname = $1)`,
		databaseName).Scan(&folder, &exists)
	if err != nil {
		return fmt.Errorf("ask for the data folder: %w", err)
	}
	if !sameFolder(folder, clusterDir) {
		return fmt.Errorf("%w: it serves %s", errOtherCluster, folder)
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+databaseName); err != nil {
		return fmt.Errorf("create database: %w", err)
	}
	return nil
}

func sameFolder(a, b string) bool {
	aInfo, aErr := os.Stat(a)
	bInfo, bErr := os.Stat(b)
	return aErr == nil && bErr == nil && os.SameFile(aInfo, bInfo)
}

// isPassing reports whether an attempt may succeed a moment later. A refusal of
// the password or of the database is not: it would only be repeated.
func isPassing(err error) bool {
	var refusal *pgconn.PgError
	if errors.As(err, &refusal) {
		return slices.Contains([]string{cannotConnectNow, adminShutdown, tooManyConnections}, refusal.Code)
	}
	var network net.Error
	var connect *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connect) || pgconn.SafeToRetry(err)
}

// isTransient reports whether a launch may succeed a moment later.
func isTransient(err error) bool {
	var exit *exitError
	return errors.As(err, &exit) && exit.isTransient()
}

// exitError is the end of a server before it answered.
type exitError struct {
	cause error
	said  string // the end of its log
}

func (e *exitError) Error() string {
	return fmt.Sprintf("postgres ended while starting (%v), its log ends:\n%s", e.cause, e.said)
}

func (e *exitError) Unwrap() error { return e.cause }

// isTransient reads the log: PostgreSQL leaves with status 1 for every reason.
// Its messages are in English, as we set its locale.
func (e *exitError) isTransient() bool {
	for _, reason := range []string{
		"Address already in use",                // the port was free when we chose it
		"pre-existing shared memory block",      // processes of a killed server are still ending
		`lock file "postmaster.pid" already ex`, // the same, or its id was just reused
	} {
		if strings.Contains(e.said, reason) {
			return true
		}
	}
	return false
}
