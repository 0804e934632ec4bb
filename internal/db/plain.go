package db

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// OpenPlain opens a few connections of their own to the database of the pool, as
// the server's role, for a library that brings its own SQL: the job queue. No
// business table is read or written over them, since they are bound to no tenant.
// Behind a pooler the role cannot be taken for good, and the login must inherit it.
func (p *Pool) OpenPlain(url string, maxConns int) (*sql.DB, error) {
	conf, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the database URL: %w", errURL)
	}
	if !p.prepare {
		conf.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	conn := stdlib.OpenDB(*conf, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		if !p.setRole || !p.prepare {
			return nil
		}
		_, err := conn.Exec(ctx, "SET ROLE "+RoleApp)
		return err
	}))
	conn.SetMaxOpenConns(maxConns)
	conn.SetMaxIdleConns(maxConns)
	return conn, nil
}
