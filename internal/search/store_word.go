package search

import (
	"github.com/google/uuid"
	"gorm.io/gorm"
)

// MatchWord narrows q to the rows whose column holds the id of a record of the
// resource that has a word beginning so. The column's name is the code's own.
func MatchWord(q *gorm.DB, column string, tenant uuid.UUID, resource, word string) *gorm.DB {
	return q.Where(column+" IN ("+byBeginning+")", tenant, resource, word, word+last)
}
