package document

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/problem"
)

// LinkPath is where public links begin, outside the API.
const LinkPath = "/p/"

// Link leads somebody without an account to one document. Its token is stored
// only as a hash.
type Link struct {
	ID         uuid.UUID
	Resource   string
	ResourceID uuid.UUID
	TokenHash  []byte
	CreatedAt  time.Time
	RevokedAt  *time.Time
}

type linkRow struct {
	TenantID uuid.UUID `gorm:"primaryKey"`
	Link     `gorm:"embedded"`
}

// TableName names the table.
func (linkRow) TableName() string { return "public_links" }

// NewLink makes a public link to a document and returns its token, which is
// never seen again. Links made before go on working.
func NewLink(ctx context.Context, tx *db.Tx, resource string, resourceID uuid.UUID) (auth.Token, error) {
	token := auth.NewToken(auth.PublicLink, tx.TenantID())
	hash := token.Hash()
	row := linkRow{tx.TenantID(), Link{ID: id.New(), Resource: resource, ResourceID: resourceID, TokenHash: hash[:], CreatedAt: tx.Now()}}
	if err := tx.Gorm(ctx).Create(&row).Error; err != nil {
		return auth.Token{}, fmt.Errorf("insert a public link of %s %s: %w", resource, resourceID, err)
	}
	return token, nil
}

// FindLink returns the live link of a token, or a not_found problem.
func FindLink(ctx context.Context, r db.Reader, token auth.Token) (*Link, error) {
	hash := token.Hash()
	var rows []linkRow
	err := r.Gorm(ctx).Where("tenant_id = ? AND token_hash = ? AND revoked_at IS NULL", r.TenantID(), hash[:]).Limit(1).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("find a public link: %w", err)
	}
	if len(rows) == 0 {
		return nil, problem.Missing()
	}
	return &rows[0].Link, nil
}

// RevokeLinks ends every public link of a document, or reports that it has none.
func RevokeLinks(ctx context.Context, tx *db.Tx, resource string, resourceID uuid.UUID) error {
	result := tx.Gorm(ctx).Exec(`UPDATE public_links SET revoked_at = ?
		WHERE tenant_id = ? AND resource = ? AND resource_id = ? AND revoked_at IS NULL`, tx.Now(), tx.TenantID(), resource, resourceID)
	if result.Error != nil {
		return fmt.Errorf("revoke the public links of %s %s: %w", resource, resourceID, result.Error)
	}
	if result.RowsAffected == 0 {
		return problem.Conflicting("no_link", problem.T("Não há link público ativo.", "There is no live public link."))
	}
	return nil
}
