-- +goose Up

-- One row for each key in use, and for each that was used in the last 24 hours.
CREATE TABLE idempotency_keys (
    tenant_id           uuid        NOT NULL,
    id                  uuid        NOT NULL, -- hash of the space and the key: what decides who runs
    space_id            uuid        NOT NULL, -- the API key, or for management calls the member
    key                 text        NOT NULL,
    method              text        NOT NULL,
    path                text        NOT NULL,
    fingerprint_version smallint    NOT NULL,
    fingerprint         bytea       NOT NULL,
    parts               bytea       NOT NULL, -- short keyed hashes that locate a difference
    state               text        NOT NULL CONSTRAINT idempotency_keys_state_check
                                    CHECK (state IN ('in_flight', 'undecided', 'done', 'failed')),
    fence               uuid        NOT NULL, -- random, new for each attempt
    request_id          text        NOT NULL, -- of the attempt that claimed it last
    first_seen_at       timestamptz NOT NULL DEFAULT now(),
    claimed_at          timestamptz NOT NULL DEFAULT now(),
    reserved_until      timestamptz NOT NULL,
    expires_at          timestamptz NOT NULL,
    completed_at        timestamptz,
    status              smallint,
    content_type        text,
    location            text,
    etag                text,
    body                bytea,   -- NULL on a done key: over the cap, or holding a secret
    shaped_by           text[]   NOT NULL DEFAULT '{}', -- permissions that the body shows
    replays             bigint   NOT NULL DEFAULT 0,
    conflicts           bigint   NOT NULL DEFAULT 0,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 1);

CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);
CREATE INDEX idempotency_keys_space_id_idx ON idempotency_keys (tenant_id, space_id, claimed_at);

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency_keys
    USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
-- The policy itself keeps the cleaner from a key that is alive or undecided.
CREATE POLICY sweep ON idempotency_keys TO fh_sweeper
    USING (expires_at <= now() AND state <> 'undecided');
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO fh_app;
GRANT SELECT, DELETE ON idempotency_keys TO fh_sweeper;

-- +goose Down
DROP TABLE idempotency_keys;
