package db

import (
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/page"
)

// SortColumn is a column that a list may be ordered by, and the type that a
// cursor's text is read as.
type SortColumn struct {
	name string
	cast string
}

// SortColumns names the orders of a list, by the word in its `sort` parameter.
type SortColumns map[string]SortColumn

// TimeColumn orders by a timestamptz column.
func TimeColumn(name string) SortColumn { return SortColumn{name, "timestamptz"} }

// TextColumn orders by a text column of collation "C".
func TextColumn(name string) SortColumn { return SortColumn{name, "text"} }

// NumberColumn orders by a bigint column.
func NumberColumn(name string) SortColumn { return SortColumn{name, "bigint"} }

// IDColumn orders by a UUID column.
func IDColumn(name string) SortColumn { return SortColumn{name, "uuid"} }

// DateColumn orders by a date column.
func DateColumn(name string) SortColumn { return SortColumn{name, "date"} }

// Keyset orders q by the requested column and then by id, starts it after the
// cursor, and reads one row more than the page holds. The order must be one of
// columns; the HTTP layer has refused any other.
func Keyset(q *gorm.DB, p page.Request, columns SortColumns) *gorm.DB {
	column := columns[p.Sort]
	direction, after := " ASC", " > "
	if p.Desc {
		direction, after = " DESC", " < "
	}
	if p.After != nil {
		q = q.Where("("+column.name+", id)"+after+"(CAST(? AS "+column.cast+"), ?)", p.After.Value, p.After.ID)
	}
	return q.Order(column.name + direction + ", id" + direction).Limit(p.Limit + 1)
}

// TimePosition is the place of a row in the order of a timestamptz column.
func TimePosition(at time.Time, id uuid.UUID) page.Position {
	return page.Position{Value: at.UTC().Format(time.RFC3339Nano), ID: id}
}
