package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"fatureihoje/internal/problem"
)

var (
	// ErrUnavailable is a database that cannot be reached, or a pool with no
	// connection free in time. Nothing was written.
	ErrUnavailable = errors.New("database unavailable")
	// ErrOutcomeUnknown is a COMMIT whose answer did not come. The idempotency
	// key settles what became of it.
	ErrOutcomeUnknown = errors.New("outcome of the commit unknown")
)

// Violation is a constraint that a statement broke.
type Violation struct {
	Kind       ViolationKind
	Constraint string // the constraint's name
	Table      string // for a foreign key on delete: the table that still refers
}

// ViolationKind tells constraints apart, by SQLSTATE.
type ViolationKind string

// The kinds of constraint that stores turn into errors of their domain.
const (
	Unique     ViolationKind = "23505"
	ForeignKey ViolationKind = "23503"
	Exclusion  ViolationKind = "23P01"
	CheckFails ViolationKind = "23514"
)

// Violated returns the constraint that err broke, if it is of this kind.
func Violated(err error, kind ViolationKind) (Violation, bool) {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != string(kind) {
		return Violation{}, false
	}
	return Violation{Kind: kind, Constraint: constraintName(pg), Table: pg.TableName}, true
}

// Reference turns the foreign key that a write broke into the error of the
// member that names what does not exist: pointers maps the beginnings of
// constraint names to JSON pointers. Any other error comes back as it is.
func Reference(err error, pointers map[string]string) error {
	v, ok := Violated(err, ForeignKey)
	if !ok {
		return err
	}
	for prefix, pointer := range pointers {
		if strings.HasPrefix(v.Constraint, prefix) {
			return problem.Invalid(problem.UnknownReference(pointer))
		}
	}
	return err
}

// ExternalID turns the unique index of a resource's external ids, whose name
// ends in _external_id_key, into the error that names the member. Any other
// error comes back as it is.
func ExternalID(err error) error {
	if v, ok := Violated(err, Unique); ok && strings.Contains(v.Constraint, "_external_id_key") {
		return problem.ExternalIDExists()
	}
	return err
}

// constraintName falls back to the message, since a distributed engine passes
// the name on only there.
func constraintName(pg *pgconn.PgError) string {
	if pg.ConstraintName != "" {
		return pg.ConstraintName
	}
	_, rest, ok := strings.Cut(pg.Message, `constraint "`)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// Retryable reports an error after which the same transaction may succeed:
// a deadlock or a failed serialisation.
func Retryable(err error) bool {
	code := sqlState(err)
	return code == "40001" || code == "40P01"
}

// DividedByZero reports the error by which a batch stops in front of its COMMIT.
func DividedByZero(err error) bool { return sqlState(err) == "22012" }

// Unavailable reports that the database could not be reached or stopped
// answering, as opposed to having refused a statement.
func Unavailable(err error) bool {
	if err == nil {
		return false
	}
	if errors.Is(err, ErrUnavailable) || errors.Is(err, ErrOutcomeUnknown) {
		return true
	}
	if code := sqlState(err); code != "" {
		return unavailableState(code)
	}
	var netErr net.Error
	var connErr *pgconn.ConnectError
	return errors.As(err, &connErr) || errors.As(err, &netErr) || pgconn.Timeout(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		strings.Contains(err.Error(), "conn closed")
}

// unavailableState lists the SQLSTATEs that speak of the server, not of the statement.
func unavailableState(code string) bool {
	switch {
	case strings.HasPrefix(code, "08"), strings.HasPrefix(code, "57P"), strings.HasPrefix(code, "53"), strings.HasPrefix(code, "58"):
		return true // connection, shutdown, resources, system
	case code == "XX000", code == "25006", code == "25P03", code == "57014", code == "55P03":
		return true // internal, read-only standby, idle in transaction, cancelled, lock time-out
	}
	return false
}

// refused reports that the server answered a statement with an error of its
// own, so that the COMMIT behind it did not run.
func refused(err error) bool {
	code := sqlState(err)
	return code != "" && !unavailableState(code)
}

func sqlState(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	return ""
}

// cutAny returns the first word of a statement.
func cutAny(sql string) (word, rest string, ok bool) {
	return strings.Cut(strings.TrimSpace(sql), " ")
}
