-- +goose Up

-- The refresh tokens by which a session goes on. There is one for each holder:
-- processes that renew a session at the same moment each get their own. A token
-- that is not here is used up, and whoever brings it ends its session.
CREATE TABLE session_tokens (
    tenant_id   uuid        NOT NULL,
    session_id  uuid        NOT NULL,
    token_hash  bytea       NOT NULL,
    parent_hash bytea,                -- the token that was given up for this one; NULL: the first
    created_at  timestamptz NOT NULL,
    spent_at    timestamptz,          -- first given up; kept for the leeway
    CONSTRAINT session_tokens_pkey PRIMARY KEY (tenant_id, session_id, token_hash),
    CONSTRAINT session_tokens_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE session_tokens ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON session_tokens USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON session_tokens TO fh_app;

INSERT INTO session_tokens (tenant_id, session_id, token_hash, created_at)
SELECT tenant_id, id, refresh_hash, refreshed_at FROM sessions WHERE ended_at IS NULL;
ALTER TABLE sessions DROP COLUMN refresh_hash;

-- The sweep finds what has ended, whenever that was: how long it is kept is its
-- own to know, and the policies keep it from what is still open.
CREATE INDEX sessions_ended_idx ON sessions (least(expires_at, ended_at), tenant_id, id);
CREATE INDEX invitations_ended_idx ON invitations (least(expires_at, accepted_at, revoked_at), tenant_id, id);
CREATE INDEX password_resets_ended_idx ON password_resets (least(expires_at, used_at), id);
CREATE POLICY sweep ON sessions TO fh_sweeper USING (least(expires_at, ended_at) <= now());
CREATE POLICY sweep ON invitations TO fh_sweeper USING (least(expires_at, accepted_at, revoked_at) <= now());
GRANT SELECT (tenant_id, id, expires_at, ended_at) ON sessions TO fh_sweeper;
GRANT SELECT (tenant_id, id, expires_at, accepted_at, revoked_at) ON invitations TO fh_sweeper;
GRANT DELETE ON sessions, invitations, password_resets TO fh_app;

-- +goose Down
REVOKE DELETE ON sessions, invitations, password_resets FROM fh_app;
REVOKE SELECT (tenant_id, id, expires_at, accepted_at, revoked_at) ON invitations FROM fh_sweeper;
REVOKE SELECT (tenant_id, id, expires_at, ended_at) ON sessions FROM fh_sweeper;
DROP POLICY sweep ON invitations;
DROP POLICY sweep ON sessions;
DROP INDEX password_resets_ended_idx, invitations_ended_idx, sessions_ended_idx;

-- Every session ends: its tokens are gone.
ALTER TABLE sessions ADD COLUMN refresh_hash bytea NOT NULL DEFAULT '';
ALTER TABLE sessions ALTER COLUMN refresh_hash DROP DEFAULT;
UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL;
DROP TABLE session_tokens;
