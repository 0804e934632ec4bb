package auth

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

// endedRows are the rows of one table that end at an instant, and are deleted
// some time after it.
type endedRows struct {
	table string
	ended string // the instant, as SQL and as the table's index has it; it may lie ahead
}

func sessionsSweep() endedRows {
	return endedRows{"sessions", "least(expires_at, ended_at)"}
}

func invitationsSweep() endedRows {
	return endedRows{"invitations", "least(expires_at, accepted_at, revoked_at)"}
}

// endedRow is a row of some company, and when it ended.
type endedRow struct {
	TenantID uuid.UUID
	ID       uuid.UUID
	Ended    time.Time
}

// due reads a batch of what is to be deleted, of all companies, without a lock.
func (s endedRows) due(ctx context.Context, tx *db.Tx, after endedRow, limit int) ([]endedRow, error) {
	var rows []endedRow
	err := tx.Gorm(ctx).Raw(`SELECT tenant_id, id, `+s.ended+` AS ended FROM `+s.table+`
		WHERE `+s.ended+` <= ? AND (`+s.ended+`, tenant_id, id) > (?, ?, ?) ORDER BY `+s.ended+`, tenant_id, id LIMIT ?`,
		tx.Now().Add(-Retention), after.Ended, after.TenantID, after.ID, limit).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("find ended %s: %w", s.table, err)
	}
	return rows, nil
}

// delete deletes those of the rows that are still to be.
func (s endedRows) delete(ctx context.Context, tx *db.Tx, ids []uuid.UUID) (int64, error) {
	result := tx.Gorm(ctx).Exec(`DELETE FROM `+s.table+` WHERE tenant_id = ? AND id IN ? AND `+s.ended+` <= ?`,
		tx.TenantID(), ids, tx.Now().Add(-Retention))
	if result.Error != nil {
		return 0, fmt.Errorf("delete ended %s: %w", s.table, result.Error)
	}
	return result.RowsAffected, nil
}

// deleteResets deletes a batch of password resets.
func deleteResets(ctx context.Context, tx *db.Tx, limit int) (int64, error) {
	const ended = "least(expires_at, used_at)"
	result := tx.Gorm(ctx).Exec(`DELETE FROM password_resets WHERE id IN (
			SELECT id FROM password_resets WHERE `+ended+` <= ? ORDER BY `+ended+`, id LIMIT ?)`,
		tx.Now().Add(-Retention), limit)
	if result.Error != nil {
		return 0, fmt.Errorf("delete ended password resets: %w", result.Error)
	}
	return result.RowsAffected, nil
}
