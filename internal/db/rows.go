package db

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"strconv"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// Get reads a row of the tenant by its id, or returns a not_found problem.
func Get[Row any](ctx context.Context, r Reader, id uuid.UUID) (*Row, error) {
	return one[Row](r.Gorm(ctx).Where("tenant_id = ? AND id = ?", r.TenantID(), id))
}

// GetForUpdate is Get that locks the row until the transaction ends.
func GetForUpdate[Row any](ctx context.Context, tx *Tx, id uuid.UUID) (*Row, error) {
	q := tx.Gorm(ctx).Clauses(clause.Locking{Strength: "UPDATE"})
	return one[Row](q.Where("tenant_id = ? AND id = ?", tx.TenantID(), id))
}

func one[Row any](q *gorm.DB) (*Row, error) {
	var row Row
	err := q.Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, problem.Missing()
	}
	if err != nil {
		return nil, fmt.Errorf("get %T: %w", row, err)
	}
	return &row, nil
}

// Insert queues a new row, or a slice of new rows for one multi-row INSERT. It
// travels with the commit, or with the next query of the transaction, and costs
// no round trip of its own. refused says what a broken constraint means.
func Insert(ctx context.Context, tx *Tx, rows any, refused func(error) error) error {
	session := tx.conn.pool.gorm.Session(&gorm.Session{NewDB: true, Context: ctx, DryRun: true})
	built := session.Create(rows)
	if built.Error != nil {
		return fmt.Errorf("build the insert of %T: %w", rows, built.Error)
	}
	s := Statement{SQL: built.Statement.SQL.String()}
	if reflect.Indirect(reflect.ValueOf(rows)).Kind() == reflect.Struct {
		s.Name = statementName(s.SQL) // the same text for each row of the table
	}
	tx.later.steps = append(tx.later.steps, step{statement: s, args: built.Statement.Vars, refused: refused})
	tx.unwritten = true
	return nil
}

// statementName names a generated statement by its text.
func statementName(sql string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(sql))
	return "insert_" + strconv.FormatUint(h.Sum64(), 36)
}

// Update writes all columns of a row but those that never change.
func Update[Row any](ctx context.Context, tx *Tx, row *Row, id uuid.UUID) error {
	// UpdateColumns: gorm would put a time of its own into updated_at.
	result := tx.Gorm(ctx).Model(row).Where("tenant_id = ? AND id = ?", tx.TenantID(), id).
		Select("*").Omit("tenant_id", "id", "created_at").UpdateColumns(row)
	if result.Error != nil {
		return result.Error
	}
	if result.RowsAffected != 1 {
		return problem.Missing()
	}
	return nil
}

// Delete removes a row of the tenant. A row that others refer to is not
// removed: the problem names what refers to it.
func Delete[Row any](ctx context.Context, tx *Tx, id uuid.UUID) error {
	var row Row
	result := tx.Gorm(ctx).Where("tenant_id = ? AND id = ?", tx.TenantID(), id).Delete(&row)
	if v, used := Violated(result.Error, ForeignKey); used {
		return &problem.Error{Code: problem.ResourceInUse, UsedBy: v.Table, Cause: result.Error}
	}
	if result.Error != nil {
		return result.Error
	}
	if result.RowsAffected != 1 {
		return problem.Missing()
	}
	return nil
}

// ListFilter is what every list can be narrowed by. The ranges include their
// beginning and exclude their end.
type ListFilter struct {
	IDs                    []uuid.UUID // nil: all
	CreatedFrom, CreatedTo *time.Time
	UpdatedFrom, UpdatedTo *time.Time
	ExternalID             string
}

// Apply narrows q.
func (f ListFilter) Apply(q *gorm.DB) *gorm.DB {
	bounds := []struct {
		condition string
		at        *time.Time
	}{
		{"created_at >= ?", f.CreatedFrom},
		{"created_at < ?", f.CreatedTo},
		{"updated_at >= ?", f.UpdatedFrom},
		{"updated_at < ?", f.UpdatedTo},
	}
	for _, b := range bounds {
		if b.at != nil {
			q = q.Where(b.condition, *b.at)
		}
	}
	if f.IDs != nil {
		// One parameter whatever their number, so that the statement has one text.
		q = q.Where("id = ANY(CAST(? AS uuid[]))", uuidArray(f.IDs))
	}
	if f.ExternalID != "" {
		q = q.Where("external_id = ?", f.ExternalID)
	}
	return q
}

// WithTimes adds the orders that every list has.
func WithTimes(columns SortColumns) SortColumns {
	all := SortColumns{"created_at": TimeColumn("created_at"), "updated_at": TimeColumn("updated_at")}
	for word, column := range columns {
		all[word] = column
	}
	return all
}

// TimesPosition is the place of a row in one of the orders of WithTimes.
func TimesPosition(sort string, createdAt, updatedAt time.Time, id uuid.UUID) page.Position {
	if sort == "updated_at" {
		return TimePosition(updatedAt, id)
	}
	return TimePosition(createdAt, id)
}
