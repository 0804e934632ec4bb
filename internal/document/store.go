package document

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/money"
	"fatureihoje/internal/search"
	"fatureihoje/internal/text"
)

// Table is where the lines of a kind of document are.
type Table string

// The tables of lines.
const (
	QuoteItems        Table = "quote_items"
	ServiceOrderItems Table = "service_order_items"
	SaleItems         Table = "sale_items" // of a version of a sale
)

// lineRow is a line as its table holds it.
type lineRow struct {
	TenantID   uuid.UUID `gorm:"primaryKey"`
	ID         uuid.UUID
	DocumentID uuid.UUID
	Position   int
	Line       `gorm:"embedded"`
}

// InsertLines writes the lines of a document in one statement.
func InsertLines(ctx context.Context, tx *db.Tx, table Table, documentID uuid.UUID, lines []Line) error {
	if len(lines) == 0 {
		return nil
	}
	rows, err := json.Marshal(toJSON(lines))
	if err != nil {
		return fmt.Errorf("encode %s of %s: %w", table, documentID, err)
	}
	if err := tx.Gorm(ctx).Exec(fmt.Sprintf(insertLines, table), tx.TenantID(), documentID, string(rows)).Error; err != nil {
		return vanished(fmt.Errorf("insert %s of %s: %w", table, documentID, err), table)
	}
	return nil
}

// insertLines takes the lines as one parameter, so that the statement is the
// same whatever their number, and is prepared once.
const insertLines = `
INSERT INTO %s (tenant_id, id, document_id, position, kind, product_id, variation_id, service_id, description, unit,
                quantity, unit_price_cents, discount_cents, discount_percent, gross_cents, total_cents)
SELECT CAST(? AS uuid), x.id, CAST(? AS uuid), x.position, x.kind, x.product_id, x.variation_id, x.service_id, x.description, x.unit,
       x.quantity, x.unit_price_cents, x.discount_cents, x.discount_percent, x.gross_cents, x.total_cents
FROM jsonb_to_recordset(CAST(? AS jsonb)) AS x (
    id uuid, position integer, kind text, product_id uuid, variation_id uuid, service_id uuid, description text, unit text,
    quantity numeric, unit_price_cents bigint, discount_cents bigint, discount_percent numeric, gross_cents bigint, total_cents bigint)`

// lineJSON is a line as insertLines reads it.
type lineJSON struct {
	ID              uuid.UUID      `json:"id"`
	Position        int            `json:"position"`
	Kind            string         `json:"kind"`
	ProductID       *uuid.UUID     `json:"product_id"`
	VariationID     *uuid.UUID     `json:"variation_id"`
	ServiceID       *uuid.UUID     `json:"service_id"`
	Description     string         `json:"description"`
	Unit            string         `json:"unit"`
	Quantity        money.Quantity `json:"quantity"`
	UnitPriceCents  money.Cents    `json:"unit_price_cents"`
	DiscountCents   *money.Cents   `json:"discount_cents"`
	DiscountPercent *money.Percent `json:"discount_percent"`
	GrossCents      money.Cents    `json:"gross_cents"`
	TotalCents      money.Cents    `json:"total_cents"`
}

func toJSON(lines []Line) []lineJSON {
	rows := make([]lineJSON, len(lines))
	for i, l := range lines {
		rows[i] = lineJSON{
			ID: id.New(), Position: i, Kind: l.Kind, ProductID: l.ProductID, VariationID: l.VariationID, ServiceID: l.ServiceID,
			Description: l.Description, Unit: l.Unit, Quantity: l.Quantity, UnitPriceCents: l.UnitPriceCents,
			DiscountCents: l.Cents, DiscountPercent: l.Percent, GrossCents: l.GrossCents, TotalCents: l.TotalCents,
		}
	}
	return rows
}

// ReplaceLines writes the lines in the place of those that a document has.
func ReplaceLines(ctx context.Context, tx *db.Tx, table Table, documentID uuid.UUID, lines []Line) error {
	err := tx.Gorm(ctx).Table(string(table)).Where("tenant_id = ? AND document_id = ?", tx.TenantID(), documentID).Delete(&lineRow{}).Error
	if err != nil {
		return fmt.Errorf("delete %s of %s: %w", table, documentID, err)
	}
	return InsertLines(ctx, tx, table, documentID, lines)
}

// Lines reads the lines of several documents at once, each in its order.
func Lines(ctx context.Context, r db.Reader, table Table, documentIDs ...uuid.UUID) (map[uuid.UUID][]Line, error) {
	byDocument := make(map[uuid.UUID][]Line, len(documentIDs))
	if len(documentIDs) == 0 {
		return byDocument, nil
	}
	var rows []lineRow
	err := r.Gorm(ctx).Table(string(table)).Where("tenant_id = ? AND document_id IN ?", r.TenantID(), documentIDs).
		Order("document_id, position, id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", table, err)
	}
	for _, row := range rows {
		byDocument[row.DocumentID] = append(byDocument[row.DocumentID], row.Line)
	}
	return byDocument, nil
}

// vanished answers for a reference that was deleted after it was looked up.
func vanished(err error, table Table) error {
	return db.Reference(err, map[string]string{
		string(table) + "_product_id":   "/items",
		string(table) + "_variation_id": "/items",
		string(table) + "_service_id":   "/items",
	})
}

// Kinds of number.
const (
	QuoteNumber        = "quote"
	ServiceOrderNumber = "service_order"
	SaleNumber         = "sale"
)

type counterRow struct{ Value int64 }

// NextNumber takes the tenant's next number of a kind: from 1, without gaps or
// repeats, since a rollback gives it back. Its row stays locked until the
// transaction ends, so it is taken as late as can be, after every other lock.
func NextNumber(ctx context.Context, tx *db.Tx, kind string) (int64, error) {
	var row counterRow
	err := tx.Gorm(ctx).Raw(`INSERT INTO counters (tenant_id, kind, value) VALUES (?, ?, 1)
		ON CONFLICT (tenant_id, kind) DO UPDATE SET value = counters.value + 1 RETURNING value`, tx.TenantID(), kind).Scan(&row).Error
	if err != nil || row.Value == 0 {
		return 0, fmt.Errorf("take the next %s number: %w", kind, err)
	}
	return row.Value, nil
}

// Match narrows q, over a table with number and client_id, to the documents
// whose number begins with the digits of the query and whose client has every
// word of it. clientResource is the resource of clients in the search.
func Match(q *gorm.DB, tenant uuid.UUID, clientResource, query string) *gorm.DB {
	words := text.Tokens(query)
	if len(words) == 0 {
		return q.Where("false")
	}
	for _, word := range words {
		if text.Digits(word) == word {
			q = q.Where(numberBegins(word))
			continue
		}
		q = search.MatchWord(q, "client_id", tenant, clientResource, word)
	}
	return q
}

// numberBegins is the ranges of the numbers that begin with these digits, which
// an index on the number answers.
func numberBegins(digits string) string {
	first, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || first == 0 {
		return "false"
	}
	var ranges []string
	for low, size := first, int64(1); ; low, size = low*10, size*10 {
		ranges = append(ranges, fmt.Sprintf("(number >= %d AND number < %d)", low, low+size))
		if low > math.MaxInt32 {
			break
		}
	}
	return "(" + strings.Join(ranges, " OR ") + ")"
}
