package crm

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// ChecklistItem is one step of a task.
type ChecklistItem struct {
	Title string `json:"title"`
	Done  bool   `json:"done"`
}

// Checklist is the steps of a task, in the order in which they were given.
type Checklist []ChecklistItem

// Value writes the steps as JSON text, never NULL.
func (c Checklist) Value() (driver.Value, error) {
	if c == nil {
		return "[]", nil
	}
	text, err := json.Marshal([]ChecklistItem(c))
	return string(text), err
}

// Scan reads a jsonb column.
func (c *Checklist) Scan(src any) error {
	*c = Checklist{}
	switch v := src.(type) {
	case []byte:
		return json.Unmarshal(v, (*[]ChecklistItem)(c))
	case string:
		return json.Unmarshal([]byte(v), (*[]ChecklistItem)(c))
	}
	return fmt.Errorf("read a checklist from a %T", src)
}

// GormDataType names the column's type.
func (Checklist) GormDataType() string { return "jsonb" }
