package civil

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// MarshalText writes YYYY-MM-DD. It refuses the zero value and days that do not
// exist, which would otherwise be written as some other day.
func (d Date) MarshalText() ([]byte, error) {
	if !d.exists() {
		return nil, ErrDay
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads as Parse does.
func (d *Date) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// Value gives d to a column of type date, as text, so that no session time zone
// touches it. It refuses what MarshalText refuses.
func (d Date) Value() (driver.Value, error) {
	if !d.exists() {
		return nil, ErrDay
	}
	return d.String(), nil
}

// Scan reads a column of type date. Drivers give it as text or as a midnight in
// some zone; of the latter the date is taken as it reads there. NULL is an
// error: use sql.Null or a pointer.
func (d *Date) Scan(src any) error {
	switch v := src.(type) {
	case time.Time:
		*d = dateIn(v)
		return nil
	case string:
		return d.UnmarshalText([]byte(v))
	case []byte:
		return d.UnmarshalText(v)
	}
	return fmt.Errorf("scan %T as date", src)
}
