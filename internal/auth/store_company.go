package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// TableName names the table.
func (Company) TableName() string { return "tenants" }

// insertCompany adds a company, or returns an already_exists problem: for the
// sandbox of one that has a sandbox, and for an id that was given and is taken.
func insertCompany(ctx context.Context, tx *db.Tx, c *Company) error {
	err := tx.Gorm(ctx).Create(c).Error
	v, taken := db.Violated(err, db.Unique)
	if taken && v.Constraint == "tenants_sandbox_of_key" {
		return &problem.Error{Code: problem.AlreadyExists, Cause: err, Detail: problem.T(
			"Esta empresa já tem um ambiente de testes.", "This company has a sandbox already.")}
	}
	if taken {
		return &problem.Error{Code: problem.AlreadyExists, Cause: err}
	}
	if err != nil {
		return fmt.Errorf("insert company: %w", err)
	}
	return nil
}

// getCompany reads the transaction's own company.
func getCompany(ctx context.Context, r db.Reader) (*Company, error) {
	return oneCompany(r.Gorm(ctx), r.TenantID())
}

func getCompanyForUpdate(ctx context.Context, tx *db.Tx) (*Company, error) {
	return oneCompany(tx.Gorm(ctx).Clauses(clause.Locking{Strength: "UPDATE"}), tx.TenantID())
}

func oneCompany(q *gorm.DB, id uuid.UUID) (*Company, error) {
	var c Company
	err := q.Where("id = ?", id).Take(&c).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, problem.Missing()
	}
	if err != nil {
		return nil, fmt.Errorf("get company %s: %w", id, err)
	}
	return &c, nil
}

func updateCompany(ctx context.Context, tx *db.Tx, c *Company) error {
	err := tx.Gorm(ctx).Exec(`UPDATE tenants SET name = ?, document = ?, time_zone = ?, updated_at = ?, version = ? WHERE id = ?`,
		c.Name, c.Document, c.TimeZone, c.UpdatedAt, c.Version, tx.TenantID()).Error
	if err != nil {
		return fmt.Errorf("update company %s: %w", c.ID, err)
	}
	return nil
}

// sandboxOf returns the id of the company's sandbox, uuid.Nil where it has none.
func sandboxOf(ctx context.Context, tx *db.Tx) (uuid.UUID, error) {
	var found idRow
	err := tx.Gorm(ctx).Raw(`SELECT id FROM tenants WHERE sandbox_of = ?`, tx.TenantID()).Scan(&found).Error
	if err != nil {
		return uuid.Nil, fmt.Errorf("look for the sandbox: %w", err)
	}
	return found.ID, nil
}

// idRow is a result of one id; gorm would take a bare UUID for a list of bytes.
type idRow struct{ ID uuid.UUID }

// mirrorMember brings a member of the real company to the sandbox that the
// transaction is bound to.
var mirrorMember = db.Statement{Name: "member_mirror", SQL: `
INSERT INTO members (tenant_id, id, login_id, name, email, role, permissions, active, created_at, updated_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)
ON CONFLICT (tenant_id, id) DO UPDATE
SET name = excluded.name, role = excluded.role, permissions = excluded.permissions, active = excluded.active,
    updated_at = excluded.updated_at, version = members.version + 1`}
