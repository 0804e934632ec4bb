package auth

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

// RefreshLeeway is how long a refresh token goes on opening its session after it
// was given up: processes that share one, and renew at the same moment, must not
// look like a thief and an owner. Each of them gets a token of its own.
const RefreshLeeway = 10 * time.Second

// maxSessionTokens is how many tokens a session may go on by at once. Where a
// new one exceeds it, the one that was given first goes; it is the one whose
// holder has been away longest, most often an answer that got lost.
const maxSessionTokens = 32

// issueToken gives a session a token to go on by. parent is the hash of the one
// that was given up for it; nil: none was.
func issueToken(ctx context.Context, tx *db.Tx, sessionID uuid.UUID, parent []byte) (Token, error) {
	token := NewRefreshToken(tx.TenantID(), sessionID)
	hash := token.Hash()
	err := tx.Gorm(ctx).Exec(`INSERT INTO session_tokens (tenant_id, session_id, token_hash, parent_hash, created_at) VALUES (?, ?, ?, ?, ?)`,
		tx.TenantID(), sessionID, hash[:], parent, tx.Now()).Error
	if err != nil {
		return Token{}, fmt.Errorf("insert a token of session %s: %w", sessionID, err)
	}
	return token, nil
}

// spendToken gives a session's token up. It decides who may go on: false is a
// token that was given up longer ago than the leeway, that a successor of has
// been given up since, or that was never there. The caller holds the session's
// lock, so that its refreshes are decided one after the other.
func spendToken(ctx context.Context, tx *db.Tx, sessionID uuid.UUID, hash []byte) (bool, error) {
	result := tx.Gorm(ctx).Exec(`UPDATE session_tokens SET spent_at = coalesce(spent_at, ?)
		WHERE tenant_id = ? AND session_id = ? AND token_hash = ? AND created_at > ? AND (spent_at IS NULL OR spent_at > ?)`,
		tx.Now(), tx.TenantID(), sessionID, hash, tx.Now().Add(-SessionLife), tx.Now().Add(-RefreshLeeway))
	if result.Error != nil {
		return false, fmt.Errorf("spend a token of session %s: %w", sessionID, result.Error)
	}
	return result.RowsAffected == 1, nil
}

// forgetTokens removes what a session does not go on by any more, now that one
// token was given up: the one before it, those whose leeway is over, and those
// beyond the most that there may be when the next is added.
func forgetTokens(ctx context.Context, tx *db.Tx, sessionID uuid.UUID, spent []byte) error {
	err := tx.Gorm(ctx).Exec(`DELETE FROM session_tokens WHERE tenant_id = @tenant AND session_id = @session AND (
		spent_at <= @leeway
		OR token_hash = (SELECT parent_hash FROM session_tokens WHERE tenant_id = @tenant AND session_id = @session AND token_hash = @spent)
		OR token_hash IN (SELECT token_hash FROM session_tokens WHERE tenant_id = @tenant AND session_id = @session AND spent_at IS NULL
			ORDER BY created_at DESC, token_hash OFFSET @kept))`,
		map[string]any{
			"tenant": tx.TenantID(), "session": sessionID, "spent": spent,
			"leeway": tx.Now().Add(-RefreshLeeway), "kept": maxSessionTokens - 1,
		}).Error
	if err != nil {
		return fmt.Errorf("forget old tokens of session %s: %w", sessionID, err)
	}
	return nil
}
