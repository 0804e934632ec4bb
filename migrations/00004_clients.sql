-- +goose Up

CREATE TABLE clients (
    tenant_id              uuid        NOT NULL CONSTRAINT clients_tenant_id_fkey REFERENCES tenants (id),
    id                     uuid        NOT NULL,
    kind                   text        NOT NULL CONSTRAINT clients_kind_check CHECK (kind IN ('person', 'company')),
    name                   text        NOT NULL,
    name_sort              text COLLATE "C" NOT NULL, -- lower case, without accents
    document               text,
    trade_name             text,
    state_registration     text,
    municipal_registration text,
    email                  text,
    email_key              text, -- in lower case, for the filter
    phone                  text,
    mobile                 text,
    birth_date             date,
    tags                   text[]      NOT NULL DEFAULT '{}',
    notes                  text,
    status                 text        NOT NULL CONSTRAINT clients_status_check CHECK (status IN ('active', 'archived')),
    external_id            text,
    metadata               jsonb       NOT NULL DEFAULT '{}',
    created_at             timestamptz NOT NULL,
    updated_at             timestamptz NOT NULL,
    version                bigint      NOT NULL,
    CONSTRAINT clients_pkey PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX clients_document_key ON clients (tenant_id, document) WHERE status = 'active' AND document IS NOT NULL;
CREATE UNIQUE INDEX clients_external_id_key ON clients (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX clients_created_at_idx ON clients (tenant_id, created_at, id);
CREATE INDEX clients_updated_at_idx ON clients (tenant_id, updated_at, id);
CREATE INDEX clients_archived_idx ON clients (tenant_id, created_at, id) WHERE status = 'archived';
CREATE INDEX clients_name_sort_idx ON clients (tenant_id, name_sort, id);
CREATE INDEX clients_document_idx ON clients (tenant_id, document) WHERE document IS NOT NULL;
CREATE INDEX clients_email_key_idx ON clients (tenant_id, email_key) WHERE email_key IS NOT NULL;

CREATE TABLE client_addresses (
    tenant_id   uuid        NOT NULL CONSTRAINT client_addresses_tenant_id_fkey REFERENCES tenants (id),
    id          uuid        NOT NULL,
    client_id   uuid        NOT NULL,
    kind        text        NOT NULL CONSTRAINT client_addresses_kind_check
                            CHECK (kind IN ('billing', 'shipping', 'service', 'other')),
    is_default  boolean     NOT NULL DEFAULT false,
    label       text,
    postal_code text        NOT NULL,
    street      text        NOT NULL,
    number      text,
    complement  text,
    district    text,
    city        text        NOT NULL,
    state       text        NOT NULL,
    city_code   text,
    country     text        NOT NULL DEFAULT 'BR',
    external_id text,
    metadata    jsonb       NOT NULL DEFAULT '{}',
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    version     bigint      NOT NULL,
    CONSTRAINT client_addresses_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT client_addresses_client_id_fkey FOREIGN KEY (tenant_id, client_id)
        REFERENCES clients (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX client_addresses_client_id_idx ON client_addresses (tenant_id, client_id, created_at, id);
CREATE UNIQUE INDEX client_addresses_is_default_key ON client_addresses (tenant_id, client_id, kind) WHERE is_default;
CREATE UNIQUE INDEX client_addresses_external_id_key ON client_addresses (tenant_id, external_id) WHERE external_id IS NOT NULL;

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['clients', 'client_addresses'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', t);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fh_app', t);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP TABLE client_addresses, clients;
