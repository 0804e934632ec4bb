package db

import (
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// Texts is a text[] column.
type Texts []string

// Value writes the array's literal; nil is an empty array, not NULL.
func (t Texts) Value() (driver.Value, error) {
	list := []string(t)
	if list == nil {
		list = []string{}
	}
	text, err := pgtype.NewMap().Encode(pgtype.TextArrayOID, pgtype.TextFormatCode, list, nil)
	if err != nil {
		return nil, fmt.Errorf("write a text array: %w", err)
	}
	return string(text), nil
}

// Scan reads the array's literal; NULL is an empty array.
func (t *Texts) Scan(src any) error {
	*t = Texts{}
	if src == nil {
		return nil
	}
	return pgtype.NewMap().SQLScanner((*[]string)(t)).Scan(src)
}

// GormDataType names the column's type.
func (Texts) GormDataType() string { return "text[]" }

// Instants returns a parameter that is cast to timestamptz[].
func Instants(at []time.Time) Texts {
	texts := make(Texts, len(at))
	for i, instant := range at {
		texts[i] = instant.UTC().Format(time.RFC3339Nano) // in UTC: old offsets have seconds, which the format has not
	}
	return texts
}

// uuidArray returns ids as a parameter that is cast to uuid[].
func uuidArray(ids []uuid.UUID) Texts {
	texts := make(Texts, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return texts
}
