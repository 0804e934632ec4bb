-- +goose Up

-- +goose StatementBegin
DO $$
BEGIN
    CREATE ROLE fh_sweeper NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
-- +goose StatementEnd

-- NOINHERIT: the server takes the sweeper's policies only where it asks for them.
-- +goose StatementBegin
DO $$
BEGIN
    CREATE ROLE fh_app NOLOGIN NOINHERIT;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    IF NOT pg_has_role('fh_app', 'fh_sweeper', 'MEMBER') THEN
        GRANT fh_sweeper TO fh_app;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation OR internal_error THEN NULL;
END $$;
-- +goose StatementEnd

GRANT USAGE ON SCHEMA public TO fh_app, fh_sweeper;

-- Outside the tenants: companies, people's sign-ins, and who signs in where.

CREATE TABLE tenants (
    id          uuid        NOT NULL CONSTRAINT tenants_pkey PRIMARY KEY,
    name        text        NOT NULL,
    document    text,
    time_zone   text        NOT NULL DEFAULT 'America/Sao_Paulo',
    mode        text        NOT NULL DEFAULT 'live' CONSTRAINT tenants_mode_check CHECK (mode IN ('live', 'test')),
    status      text        NOT NULL DEFAULT 'active' CONSTRAINT tenants_status_check CHECK (status IN ('active', 'suspended')),
    sandbox_of  uuid        CONSTRAINT tenants_sandbox_of_fkey REFERENCES tenants (id),
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    version     bigint      NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX tenants_sandbox_of_key ON tenants (sandbox_of) WHERE sandbox_of IS NOT NULL;

CREATE TABLE logins (
    id                uuid        NOT NULL CONSTRAINT logins_pkey PRIMARY KEY,
    email             text        NOT NULL CONSTRAINT logins_email_key UNIQUE,
    password_hash     text        NOT NULL,
    totp_secret       bytea,
    totp_confirmed_at timestamptz,
    totp_last_step    bigint,
    session_epoch     integer     NOT NULL DEFAULT 0, -- grows to end every session of the person, in all companies
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL
);

-- Where a sign-in may enter now: a deactivated member has no row.
CREATE TABLE login_tenants (
    login_id  uuid NOT NULL CONSTRAINT login_tenants_login_id_fkey REFERENCES logins (id),
    tenant_id uuid NOT NULL CONSTRAINT login_tenants_tenant_id_fkey REFERENCES tenants (id),
    member_id uuid NOT NULL,
    CONSTRAINT login_tenants_pkey PRIMARY KEY (login_id, tenant_id)
);

CREATE TABLE password_resets (
    id         uuid        NOT NULL CONSTRAINT password_resets_pkey PRIMARY KEY,
    login_id   uuid        NOT NULL CONSTRAINT password_resets_login_id_fkey REFERENCES logins (id),
    token_hash bytea       NOT NULL CONSTRAINT password_resets_token_hash_key UNIQUE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX password_resets_login_id_idx ON password_resets (login_id);

GRANT SELECT, INSERT, UPDATE ON tenants, logins, password_resets TO fh_app;
GRANT SELECT, INSERT, DELETE ON login_tenants TO fh_app;

-- Inside the tenants.

CREATE TABLE members (
    tenant_id   uuid        NOT NULL CONSTRAINT members_tenant_id_fkey REFERENCES tenants (id),
    id          uuid        NOT NULL,
    login_id    uuid        NOT NULL CONSTRAINT members_login_id_fkey REFERENCES logins (id),
    name        text        NOT NULL,
    email       text        NOT NULL,
    role        text        NOT NULL CONSTRAINT members_role_check CHECK (role IN ('owner', 'admin', 'member')),
    permissions text[]      NOT NULL DEFAULT '{}',
    active      boolean     NOT NULL DEFAULT true,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    version     bigint      NOT NULL DEFAULT 1,
    CONSTRAINT members_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT members_login_id_key UNIQUE (tenant_id, login_id)
);

CREATE TABLE invitations (
    tenant_id   uuid        NOT NULL CONSTRAINT invitations_tenant_id_fkey REFERENCES tenants (id),
    id          uuid        NOT NULL,
    email       text        NOT NULL,
    role        text        NOT NULL CONSTRAINT invitations_role_check CHECK (role IN ('owner', 'admin', 'member')),
    permissions text[]      NOT NULL DEFAULT '{}',
    token_hash  bytea       NOT NULL,
    invited_by  uuid        NOT NULL,
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    accepted_at timestamptz,
    revoked_at  timestamptz,
    CONSTRAINT invitations_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT invitations_token_hash_key UNIQUE (tenant_id, token_hash),
    CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (tenant_id, invited_by) REFERENCES members (tenant_id, id)
);

CREATE TABLE sessions (
    tenant_id    uuid        NOT NULL CONSTRAINT sessions_tenant_id_fkey REFERENCES tenants (id),
    id           uuid        NOT NULL,
    member_id    uuid        NOT NULL,
    login_id     uuid        NOT NULL CONSTRAINT sessions_login_id_fkey REFERENCES logins (id),
    login_epoch  integer     NOT NULL DEFAULT 0, -- the sign-in's session_epoch; another one ended this session
    refresh_hash bytea       NOT NULL,
    user_agent   text        NOT NULL DEFAULT '',
    ip           text        NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL,
    refreshed_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    ended_reason text,
    CONSTRAINT sessions_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT sessions_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id)
);
CREATE INDEX sessions_member_id_idx ON sessions (tenant_id, member_id, created_at);

CREATE TABLE api_keys (
    tenant_id               uuid        NOT NULL CONSTRAINT api_keys_tenant_id_fkey REFERENCES tenants (id),
    id                      uuid        NOT NULL,
    member_id               uuid        NOT NULL,
    line_id                 uuid        NOT NULL, -- the same through all rotations
    generation              integer     NOT NULL DEFAULT 1,
    name                    text        NOT NULL,
    hint                    text        NOT NULL, -- the last characters, to tell keys apart
    secret_hash             bytea       NOT NULL,
    scopes                  text[]      NOT NULL,
    allowed_ips             cidr[]      NOT NULL DEFAULT '{}',
    require_idempotency_key boolean     NOT NULL DEFAULT false,
    expires_at              timestamptz,
    ends_at                 timestamptz, -- revoked, or replaced: dead from this instant on
    ended_reason            text        CONSTRAINT api_keys_ended_reason_check CHECK (ended_reason IN ('revoked', 'rotated')),
    created_by              uuid        NOT NULL,
    created_at              timestamptz NOT NULL,
    updated_at              timestamptz NOT NULL,
    version                 bigint      NOT NULL DEFAULT 1,
    CONSTRAINT api_keys_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT api_keys_secret_hash_key UNIQUE (tenant_id, secret_hash),
    CONSTRAINT api_keys_generation_key UNIQUE (tenant_id, line_id, generation),
    CONSTRAINT api_keys_member_id_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id),
    CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (tenant_id, created_by) REFERENCES members (tenant_id, id)
);
CREATE INDEX api_keys_member_id_idx ON api_keys (tenant_id, member_id);
CREATE INDEX api_keys_created_at_idx ON api_keys (tenant_id, created_at, id);

-- Apart from api_keys, so that use never writes the row that authentication reads.
CREATE TABLE api_key_usage (
    tenant_id    uuid        NOT NULL CONSTRAINT api_key_usage_tenant_id_fkey REFERENCES tenants (id),
    id           uuid        NOT NULL, -- the API key's
    last_used_at timestamptz NOT NULL,
    last_ip      text        NOT NULL,
    CONSTRAINT api_key_usage_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT api_key_usage_id_fkey FOREIGN KEY (tenant_id, id) REFERENCES api_keys (tenant_id, id) ON DELETE CASCADE
);

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['members', 'invitations', 'sessions', 'api_keys', 'api_key_usage'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', t);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO fh_app', t);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP TABLE api_key_usage, api_keys, sessions, invitations, members, password_resets, login_tenants, logins, tenants;
