package meta

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// Value writes the pairs as JSON text, never NULL.
func (m Map) Value() (driver.Value, error) {
	if m == nil {
		return "{}", nil
	}
	text, err := json.Marshal(map[string]string(m))
	return string(text), err
}

// Scan reads a jsonb column.
func (m *Map) Scan(src any) error {
	*m = Map{}
	switch v := src.(type) {
	case nil:
		return nil
	case []byte:
		return json.Unmarshal(v, (*map[string]string)(m))
	case string:
		return json.Unmarshal([]byte(v), (*map[string]string)(m))
	}
	return fmt.Errorf("read metadata from a %T", src)
}

// GormDataType names the column's type.
func (Map) GormDataType() string { return "jsonb" }
