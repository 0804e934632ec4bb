package clients

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/search"
	"fatureihoje/internal/text"
)

// clientRow is a client as its table holds it.
type clientRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Client   `gorm:"embedded"`
	NameSort string
	EmailKey *string
}

// TableName names the table.
func (clientRow) TableName() string { return "clients" }

func toRow(tenant uuid.UUID, c *Client) *clientRow {
	row := &clientRow{TenantID: tenant, Client: *c, NameSort: strings.Join(text.Tokens(c.Name), " ")}
	if c.Email != nil {
		key := text.NormalizeEmail(*c.Email)
		row.EmailKey = &key
	}
	return row
}

func insert(ctx context.Context, tx *db.Tx, c *Client) error {
	if err := db.Insert(ctx, tx, toRow(tx.TenantID(), c), conflict); err != nil {
		return err
	}
	search.Index(tx, Resource, c.ID, c.tokens())
	return nil
}

func get(ctx context.Context, r db.Reader, id uuid.UUID) (*Client, error) {
	row, err := db.Get[clientRow](ctx, r, id)
	if err != nil {
		return nil, err
	}
	return &row.Client, nil
}

// statusForReference reads a client's status, "" for a client that does not
// exist. Until the transaction ends the client is neither archived nor deleted:
// a weaker lock would read a status from before an archiving that it waited for.
func statusForReference(ctx context.Context, tx *db.Tx, id uuid.UUID) (status string, err error) {
	err = tx.Gorm(ctx).Raw("SELECT status FROM clients WHERE tenant_id = ? AND id = ? FOR SHARE", tx.TenantID(), id).Scan(&status).Error
	if err != nil {
		return "", fmt.Errorf("read the status of client %s: %w", id, err)
	}
	return status, nil
}

// getForUpdate locks the client until the transaction ends; changes of its
// addresses take the same lock.
func getForUpdate(ctx context.Context, tx *db.Tx, id uuid.UUID) (*Client, error) {
	row, err := db.GetForUpdate[clientRow](ctx, tx, id)
	if err != nil {
		return nil, err
	}
	return &row.Client, nil
}

// update writes all of c's members, under the lock that getForUpdate took. The
// words by which it was found before are replaced.
func update(ctx context.Context, tx *db.Tx, c *Client, oldTokens []string) error {
	if err := db.Update(ctx, tx, toRow(tx.TenantID(), c), c.ID); err != nil {
		return conflict(fmt.Errorf("update client %s: %w", c.ID, err))
	}
	search.Reindex(tx, Resource, c.ID, oldTokens, c.tokens())
	return nil
}

func remove(ctx context.Context, tx *db.Tx, c *Client) error {
	if err := db.Delete[clientRow](ctx, tx, c.ID); err != nil {
		return fmt.Errorf("delete client %s: %w", c.ID, err)
	}
	search.Remove(tx, Resource, c.ID, c.tokens())
	return nil
}

func list(ctx context.Context, r db.Reader, f Filter) (page.Result[Client], error) {
	q := f.Apply(r.Gorm(ctx).Model(&clientRow{}).Where("tenant_id = ?", r.TenantID()))
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.Document != "" {
		q = q.Where("document = ?", f.Document)
	}
	if f.Email != "" {
		q = q.Where("email_key = ?", text.NormalizeEmail(f.Email))
	}
	if f.Tag != "" {
		q = search.MatchTag(q, r.TenantID(), Resource, f.Tag)
	}
	if f.Query != "" {
		q = search.Match(q, r.TenantID(), Resource, f.Query)
	}
	columns := db.WithTimes(db.SortColumns{"name": db.TextColumn("name_sort")})
	var rows []clientRow
	if err := db.Keyset(q, f.Page, columns).Find(&rows).Error; err != nil {
		return page.Result[Client]{}, fmt.Errorf("list clients: %w", err)
	}
	result := page.Cut(rows, f.Page.Limit, func(row clientRow) page.Position {
		if f.Page.Sort == "name" {
			return page.Position{Value: row.NameSort, ID: row.ID}
		}
		return db.TimesPosition(f.Page.Sort, row.CreatedAt, row.UpdatedAt, row.ID)
	})
	return page.Map(result, func(row clientRow) Client { return row.Client }), nil
}

// conflict turns the constraints of the two tables into the errors that a
// caller can act on.
func conflict(err error) error {
	if v, ok := db.Violated(err, db.Unique); ok && strings.HasPrefix(v.Constraint, "clients_document_key") {
		return problem.Exists("/document", problem.T("Outro cliente ativo tem este documento.", "Another active client has this document."))
	}
	return db.ExternalID(err)
}
