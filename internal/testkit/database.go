package testkit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fatureihoje/internal/db"
	"fatureihoje/migrations"
)

// Database is a migrated database that the tests of this process have for
// themselves. Its methods act as the superuser, outside every tenant.
type Database struct {
	URL   string // as the superuser
	admin string // the server's own database, from which this one is dropped
	name  string
	pool  *pgxpool.Pool

	faults    sync.Once
	faultsErr error
}

// PackageDatabase returns the database of the package under test.
func PackageDatabase(t testing.TB) *Database {
	t.Helper()
	d, err := current.database()
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	return d
}

// NewDatabase makes one more database, for a test that changes what others
// would see. It is dropped when the test ends.
func NewDatabase(t testing.TB) *Database {
	t.Helper()
	server, err := current.postgres()
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	return NewDatabaseOn(t, server)
}

// NewDatabaseOn is NewDatabase on another server, such as a durable one.
func NewDatabaseOn(t testing.TB, serverURL string) *Database {
	t.Helper()
	d, err := createDatabase(serverURL)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() {
		if err := d.drop(); err != nil {
			t.Errorf("testkit: %v", err)
		}
	})
	return d
}

// Exec runs a statement as the superuser.
func (d *Database) Exec(t testing.TB, sql string, args ...any) int64 {
	t.Helper()
	tag, err := d.pool.Exec(context.Background(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return tag.RowsAffected()
}

// Value reads one value as the superuser.
func Value[T any](t testing.TB, d *Database, sql string, args ...any) (value T) {
	t.Helper()
	if err := d.pool.QueryRow(context.Background(), sql, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

// Column reads the first column of all rows as the superuser.
func Column[T any](t testing.TB, d *Database, sql string, args ...any) []T {
	t.Helper()
	rows, err := d.pool.Query(context.Background(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return values
}

// Rows reads rows into structs, column by column, as the superuser.
func Rows[T any](t testing.TB, d *Database, sql string, args ...any) []T {
	t.Helper()
	rows, err := d.pool.Query(context.Background(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	values, err := pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return values
}

// Connect opens a connection of the test's own, closed when it ends.
func (d *Database) Connect(t testing.TB) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), d.URL)
	if err != nil {
		t.Fatalf("testkit: connect: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// createDatabase copies the template of this schema.
func createDatabase(serverURL string) (*Database, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	admin, err := pgx.Connect(ctx, serverURL)
	if err != nil {
		return nil, fmt.Errorf("connect to the test server: %w", err)
	}
	defer func() { _ = admin.Close(context.WithoutCancel(ctx)) }()
	template, err := ensureTemplate(ctx, admin, serverURL)
	if err != nil {
		return nil, fmt.Errorf("make the template database: %w", err)
	}
	d := &Database{admin: serverURL, name: "fh_test_" + shortName() + "_" + randomName()}
	if _, err := admin.Exec(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", d.name, template)); err != nil {
		return nil, fmt.Errorf("copy the template database: %w", err)
	}
	if d.URL, err = withDatabase(serverURL, d.name); err != nil {
		return nil, err
	}
	conf, err := pgxpool.ParseConfig(d.URL)
	if err != nil {
		return nil, err
	}
	conf.ConnConfig.RuntimeParams["application_name"] = ownName
	d.pool, err = pgxpool.NewWithConfig(ctx, conf)
	return d, err
}

// ownName tells testkit's connections from those of the programs under test.
const ownName = "testkit"

// Reconnect ends testkit's own connections, so that what they did is in the
// statistics.
func (d *Database) Reconnect(t testing.TB) {
	t.Helper()
	d.pool.Reset()
	conn := d.Connect(t)
	Eventually(t, "testkit's connections have ended", func() bool {
		var n int
		err := conn.QueryRow(context.Background(), "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1", ownName).Scan(&n)
		return err == nil && n == 0
	})
	_ = conn.Close(context.Background())
}

// AwaitNoOther waits until no connection but testkit's own is left.
func (d *Database) AwaitNoOther(t testing.TB) {
	t.Helper()
	Eventually(t, "the program's connections have ended", func() bool {
		return Value[int](t, d, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name <> $1", ownName) == 0
	})
}

func (d *Database) drop() error {
	d.pool.Close()
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	admin, err := pgx.Connect(ctx, d.admin)
	if err != nil {
		return fmt.Errorf("connect to the test server: %w", err)
	}
	defer func() { _ = admin.Close(context.WithoutCancel(ctx)) }()
	_, err = admin.Exec(ctx, "DROP DATABASE "+d.name+" WITH (FORCE)")
	return err
}

// templateLock keeps processes that make the template at the same moment apart.
const templateLock = 0x666174757265

// ensureTemplate makes the template of this schema, once for all processes, and
// returns its name. Under its name it is always complete.
func ensureTemplate(ctx context.Context, admin *pgx.Conn, serverURL string) (string, error) {
	name, err := templateName()
	if err != nil {
		return "", err
	}
	if _, err := admin.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(templateLock)); err != nil {
		return "", err
	}
	defer func() {
		_, _ = admin.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(templateLock))
	}()
	var exists bool
	if err := admin.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&exists); err != nil || exists {
		return name, err
	}
	making := name + "_" + randomName()
	if _, err := admin.Exec(ctx, "CREATE DATABASE "+making); err != nil {
		return "", err
	}
	if err := migrateInto(ctx, serverURL, making); err != nil {
		_, dropErr := admin.Exec(context.WithoutCancel(ctx), "DROP DATABASE "+making+" WITH (FORCE)")
		return "", errors.Join(err, dropErr)
	}
	for _, sql := range []string{
		"ALTER DATABASE " + making + " ALLOW_CONNECTIONS false", // nothing may hold it while it is copied
		"ALTER DATABASE " + making + " RENAME TO " + name,
	} {
		if _, err := admin.Exec(ctx, sql); err != nil {
			return "", err
		}
	}
	return name, nil
}

func migrateInto(ctx context.Context, serverURL, database string) error {
	target, err := withDatabase(serverURL, database)
	if err != nil {
		return err
	}
	m, err := db.NewMigrator(target)
	if err != nil {
		return err
	}
	_, err = m.Up(ctx)
	return errors.Join(err, m.Close())
}

// templateName is of the schema's content: a changed migration is another template.
func templateName() (string, error) {
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, file := range files {
		text, err := migrations.FS.ReadFile(file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", file, len(text), text)
	}
	return "fh_template_" + hex.EncodeToString(h.Sum(nil)[:6]), nil
}

func withDatabase(serverURL, database string) (string, error) {
	u, err := url.Parse(serverURL)
	if err != nil {
		return "", errors.New("the test server's URL is not a URL")
	}
	u.Path = "/" + database
	return u.String(), nil
}

// shortName is the package under test, for whoever looks at the server.
func shortName() string {
	dir, err := os.Getwd()
	if err != nil {
		return "unknown"
	}
	return filepath.Base(dir)
}

func randomName() string {
	u := uuid.New()
	return hex.EncodeToString(u[:6])
}
