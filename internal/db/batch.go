package db

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Statement is SQL of the hot path. On a direct connection it is prepared once
// under its name; behind a pooler it is sent whole each time.
type Statement struct {
	Name string
	SQL  string
}

// Row is one row of a result.
type Row interface {
	Scan(dest ...any) error
}

// errNotSent is a batch that failed before a byte of it left.
var errNotSent = errors.New("not sent")

// Batch is statements that travel together.
type Batch struct {
	steps []step
}

type step struct {
	statement Statement // without a name: sent whole
	args      []any
	scan      func(Row) error   // nil: the result is not read
	refused   func(error) error // what the database's refusal means; nil: itself
}

// Exec adds a statement without parameters.
func (b *Batch) Exec(s Statement) { b.steps = append(b.steps, step{statement: s}) }

// Query adds a statement; scan is called for each row of its result.
func (b *Batch) Query(s Statement, args []any, scan func(Row) error) {
	b.steps = append(b.steps, step{statement: s, args: args, scan: scan})
}

// run sends all steps with one Sync at the end and reads their results.
func (b *Batch) run(ctx context.Context, conn *pgx.Conn, prepare bool) error {
	wire := &pgconn.Batch{}
	for i := range b.steps {
		if err := b.steps[i].encode(ctx, conn, wire, prepare); err != nil {
			return errors.Join(errNotSent, err)
		}
	}
	results := conn.PgConn().ExecBatch(ctx, wire)
	err := b.read(results, conn)
	return errors.Join(err, results.Close())
}

func (s *step) encode(ctx context.Context, conn *pgx.Conn, wire *pgconn.Batch, prepare bool) error {
	var builder pgx.ExtendedQueryBuilder
	if s.statement.Name == "" || !prepare {
		if err := builder.Build(conn.TypeMap(), nil, s.args); err != nil {
			return fmt.Errorf("encode %s: %w", s.statement.label(), err)
		}
		wire.ExecParams(s.statement.SQL, builder.ParamValues, nil, builder.ParamFormats, builder.ResultFormats)
		return nil
	}
	prepared, err := conn.Prepare(ctx, s.statement.Name, s.statement.SQL)
	if err != nil {
		return fmt.Errorf("prepare %s: %w", s.statement.label(), err)
	}
	if err := builder.Build(conn.TypeMap(), prepared, native(s.args)); err != nil {
		return fmt.Errorf("encode %s: %w", s.statement.label(), err)
	}
	wire.ExecStatement(prepared, builder.ParamValues, builder.ParamFormats, builder.ResultFormats)
	return nil
}

// native replaces ids by the type that the driver encodes without a detour
// through text. It needs the parameters' types, which a prepared statement knows.
func native(args []any) []any {
	encoded := slices.Clone(args)
	for i, arg := range args {
		switch u := arg.(type) {
		case uuid.UUID:
			encoded[i] = [16]byte(u)
		case *uuid.UUID:
			encoded[i] = (*[16]byte)(u)
		}
	}
	return encoded
}

func (b *Batch) read(results *pgconn.MultiResultReader, conn *pgx.Conn) error {
	for i := range b.steps {
		s := &b.steps[i]
		if !results.NextResult() {
			return s.failed(endOf(results))
		}
		if err := s.read(results.ResultReader(), conn); err != nil {
			return s.failed(err)
		}
	}
	return nil
}

func (s *step) failed(err error) error {
	err = fmt.Errorf("%s: %w", s.statement.label(), err)
	if s.refused != nil {
		return s.refused(err)
	}
	return err
}

// endOf returns why a batch gave fewer results than it has steps.
func endOf(results *pgconn.MultiResultReader) error {
	if err := results.Close(); err != nil {
		return err
	}
	return errors.New("the batch ended early")
}

func (s *step) read(result *pgconn.ResultReader, conn *pgx.Conn) error {
	if s.scan == nil {
		_, err := result.Close()
		return err
	}
	rows := pgx.RowsFromResultReader(conn.TypeMap(), result)
	defer rows.Close()
	for rows.Next() {
		if err := s.scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s Statement) label() string {
	if s.Name != "" {
		return s.Name
	}
	word, _, _ := cutAny(s.SQL)
	return word
}
