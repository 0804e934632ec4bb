package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"fatureihoje/migrations"
)

// ErrSchemaBehind is a database whose schema is older than the binary and that
// this connection may not migrate.
var ErrSchemaBehind = errors.New("the schema is behind this version")

// Migrator applies the migrations over a direct connection of the owner.
type Migrator struct {
	sql      *sql.DB
	provider *goose.Provider
}

// NewMigrator connects to url. Several processes may migrate at the same time:
// one applies, the others wait for it.
func NewMigrator(url string) (*Migrator, error) {
	conf, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the database URL: %w", errURL)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("make the migrations' lock: %w", err)
	}
	conf.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn := stdlib.OpenDB(*conf)
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, migrations.FS, goose.WithSessionLocker(locker))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the migrations: %w", err), conn.Close())
	}
	return &Migrator{sql: conn, provider: provider}, nil
}

// Close ends the migrator's connections.
func (m *Migrator) Close() error { return m.sql.Close() }

// Up applies what is missing and returns the names of what it applied.
func (m *Migrator) Up(ctx context.Context) ([]string, error) {
	results, err := m.provider.Up(ctx)
	var applied []string
	for _, r := range results {
		applied = append(applied, r.Source.Path)
	}
	if err != nil {
		return applied, fmt.Errorf("migrate: %w", err)
	}
	return applied, nil
}

// MigrationStatus is one migration and whether the database has it.
type MigrationStatus struct {
	Name    string
	Applied bool
}

// Status lists every migration, oldest first.
func (m *Migrator) Status(ctx context.Context) ([]MigrationStatus, error) {
	all, err := m.provider.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the migrations' status: %w", err)
	}
	list := make([]MigrationStatus, len(all))
	for i, s := range all {
		list[i] = MigrationStatus{Name: s.Source.Path, Applied: s.State == goose.StateApplied}
	}
	return list, nil
}

// Ensure brings the schema up to date where this connection may, and otherwise
// returns ErrSchemaBehind unless it already is.
func (m *Migrator) Ensure(ctx context.Context) ([]string, error) {
	may, err := m.mayMigrate(ctx)
	if err != nil {
		return nil, err
	}
	if may {
		return m.Up(ctx)
	}
	behind, err := m.pending(ctx)
	if err != nil {
		return nil, err
	}
	if behind > 0 {
		return nil, fmt.Errorf("%w: %d migrations are missing, and this connection may not apply them: "+
			"run `api migrate up` with FH_MIGRATE_DATABASE_URL set to the owner's connection", ErrSchemaBehind, behind)
	}
	return nil, nil
}

// mayMigrate reports whether the connection may create in the schema.
func (m *Migrator) mayMigrate(ctx context.Context) (may bool, err error) {
	const q = `SELECT has_schema_privilege(current_user, 'public', 'CREATE')
		AND (to_regclass('public.tenants') IS NULL
		  OR pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = to_regclass('public.tenants')), 'USAGE'))`
	if err = m.sql.QueryRowContext(ctx, q).Scan(&may); err != nil {
		return false, fmt.Errorf("ask whether this connection may migrate: %w", err)
	}
	return may, nil
}

// pending counts the missing migrations without writing anything.
func (m *Migrator) pending(ctx context.Context) (int, error) {
	var exists bool
	if err := m.sql.QueryRowContext(ctx, `SELECT to_regclass('public.goose_db_version') IS NOT NULL`).Scan(&exists); err != nil {
		return 0, fmt.Errorf("look for the migrations' table: %w", err)
	}
	sources := m.provider.ListSources()
	if !exists {
		return len(sources), nil
	}
	var version int64
	const q = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`
	if err := m.sql.QueryRowContext(ctx, q).Scan(&version); err != nil {
		return 0, fmt.Errorf("read the schema's version: %w", err)
	}
	missing := 0
	for _, s := range sources {
		if s.Version > version {
			missing++
		}
	}
	return missing, nil
}

// EnsurePartitions makes the partitions of the log-like tables for the months
// to come. The server's role owns nothing, so a function of the owner does it.
func EnsurePartitions(ctx context.Context, pool *Pool) error {
	const monthsAhead = 2
	return pool.Global(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.Gorm(ctx).Exec("SELECT ensure_monthly_partitions(?)", monthsAhead).Error
	})
}
