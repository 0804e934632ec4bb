package auth

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// LockMember locks a member until tx ends: what must not be true of two records
// of one member at once, such as two appointments at one hour, is decided under
// this lock. It is the first lock of its transaction. Others may go on referring
// to the member meanwhile. A member who does not exist is no error.
func LockMember(ctx context.Context, tx *db.Tx, memberID uuid.UUID) error {
	err := tx.Gorm(ctx).Exec("SELECT FROM members WHERE tenant_id = ? AND id = ? FOR NO KEY UPDATE", tx.TenantID(), memberID).Error
	if err != nil {
		return fmt.Errorf("lock member %s: %w", memberID, err)
	}
	return nil
}

// Assignable checks that a record may newly be given to a member: one of the
// company, and active. Otherwise the error is a 422 at pointer, the member of
// the body that names them.
func Assignable(ctx context.Context, r db.Reader, memberID uuid.UUID, pointer string) error {
	var active []bool
	err := r.Gorm(ctx).Raw("SELECT active FROM members WHERE tenant_id = ? AND id = ?", r.TenantID(), memberID).Scan(&active).Error
	switch {
	case err != nil:
		return fmt.Errorf("read member %s: %w", memberID, err)
	case len(active) == 0:
		return problem.Invalid(problem.UnknownReference(pointer))
	case !active[0]:
		return problem.Invalid(problem.Field{Pointer: pointer, Code: "inactive_member", Detail: problem.T(
			"Este membro está desativado.", "This member is deactivated.")})
	}
	return nil
}
