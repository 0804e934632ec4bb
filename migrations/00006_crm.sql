-- +goose Up

CREATE TABLE leads (
    tenant_id             uuid        NOT NULL CONSTRAINT leads_tenant_id_fkey REFERENCES tenants (id),
    id                    uuid        NOT NULL,
    name                  text        NOT NULL,
    email                 text,
    phone                 text,
    company_name          text,
    source                text,
    interest              text,
    estimated_value_cents bigint      CONSTRAINT leads_estimated_value_cents_check CHECK (estimated_value_cents >= 0),
    assignee_member_id    uuid,
    notes                 text,
    status                text        NOT NULL CONSTRAINT leads_status_check
                                      CHECK (status IN ('new', 'contacted', 'qualified', 'converted', 'lost')),
    lost_reason           text,
    client_id             uuid, -- what the lead became
    external_id           text,
    metadata              jsonb       NOT NULL DEFAULT '{}',
    created_at            timestamptz NOT NULL,
    updated_at            timestamptz NOT NULL,
    version               bigint      NOT NULL,
    CONSTRAINT leads_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT leads_assignee_member_id_fkey FOREIGN KEY (tenant_id, assignee_member_id) REFERENCES members (tenant_id, id),
    CONSTRAINT leads_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id),
    CONSTRAINT leads_converted_check CHECK ((status = 'converted') = (client_id IS NOT NULL)),
    CONSTRAINT leads_lost_check CHECK ((status = 'lost') = (lost_reason IS NOT NULL))
);
CREATE UNIQUE INDEX leads_external_id_key ON leads (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX leads_created_at_idx ON leads (tenant_id, created_at, id);
CREATE INDEX leads_updated_at_idx ON leads (tenant_id, updated_at, id);
CREATE INDEX leads_status_idx ON leads (tenant_id, status, created_at, id);
CREATE INDEX leads_assignee_member_id_idx ON leads (tenant_id, assignee_member_id, created_at, id) WHERE assignee_member_id IS NOT NULL;
CREATE INDEX leads_client_id_idx ON leads (tenant_id, client_id) WHERE client_id IS NOT NULL;

CREATE TABLE tasks (
    tenant_id          uuid        NOT NULL CONSTRAINT tasks_tenant_id_fkey REFERENCES tenants (id),
    id                 uuid        NOT NULL,
    title              text        NOT NULL,
    description        text,
    due_at             timestamptz,
    priority           text        NOT NULL CONSTRAINT tasks_priority_check CHECK (priority IN ('low', 'normal', 'high')),
    assignee_member_id uuid,
    client_id          uuid,
    lead_id            uuid,
    checklist          jsonb       NOT NULL DEFAULT '[]',
    status             text        NOT NULL CONSTRAINT tasks_status_check
                                   CHECK (status IN ('open', 'in_progress', 'done', 'cancelled')),
    done_at            timestamptz,
    external_id        text,
    metadata           jsonb       NOT NULL DEFAULT '{}',
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    version            bigint      NOT NULL,
    CONSTRAINT tasks_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT tasks_assignee_member_id_fkey FOREIGN KEY (tenant_id, assignee_member_id) REFERENCES members (tenant_id, id),
    CONSTRAINT tasks_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id),
    CONSTRAINT tasks_lead_id_fkey FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id),
    CONSTRAINT tasks_link_check CHECK (num_nonnulls(client_id, lead_id) <= 1),
    CONSTRAINT tasks_done_check CHECK ((status = 'done') = (done_at IS NOT NULL))
);
CREATE UNIQUE INDEX tasks_external_id_key ON tasks (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX tasks_created_at_idx ON tasks (tenant_id, created_at, id);
CREATE INDEX tasks_updated_at_idx ON tasks (tenant_id, updated_at, id);
CREATE INDEX tasks_status_idx ON tasks (tenant_id, status, created_at, id);
CREATE INDEX tasks_due_at_idx ON tasks (tenant_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_assignee_member_id_idx ON tasks (tenant_id, assignee_member_id, created_at, id) WHERE assignee_member_id IS NOT NULL;
CREATE INDEX tasks_client_id_idx ON tasks (tenant_id, client_id, created_at, id) WHERE client_id IS NOT NULL;
CREATE INDEX tasks_lead_id_idx ON tasks (tenant_id, lead_id, created_at, id) WHERE lead_id IS NOT NULL;

-- For equality beside overlap in one exclusion constraint.
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE appointments (
    tenant_id          uuid        NOT NULL CONSTRAINT appointments_tenant_id_fkey REFERENCES tenants (id),
    id                 uuid        NOT NULL,
    title              text        NOT NULL,
    starts_at          timestamptz NOT NULL,
    ends_at            timestamptz NOT NULL,
    client_id          uuid,
    assignee_member_id uuid,
    location           text,
    notes              text,
    allow_overlap      boolean     NOT NULL DEFAULT false,
    status             text        NOT NULL CONSTRAINT appointments_status_check
                                   CHECK (status IN ('scheduled', 'confirmed', 'completed', 'cancelled', 'no_show')),
    external_id        text,
    metadata           jsonb       NOT NULL DEFAULT '{}',
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    version            bigint      NOT NULL,
    CONSTRAINT appointments_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT appointments_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id),
    CONSTRAINT appointments_assignee_member_id_fkey FOREIGN KEY (tenant_id, assignee_member_id) REFERENCES members (tenant_id, id),
    CONSTRAINT appointments_span_check CHECK (ends_at > starts_at AND ends_at - starts_at <= interval '24 hours'),
    -- The net: the service decides under the member's lock, since inserts that
    -- meet only here wait for each other.
    CONSTRAINT appointments_slot_excl EXCLUDE USING gist
        (tenant_id WITH =, assignee_member_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
        WHERE (status IN ('scheduled', 'confirmed') AND NOT allow_overlap AND assignee_member_id IS NOT NULL)
);
CREATE UNIQUE INDEX appointments_external_id_key ON appointments (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX appointments_created_at_idx ON appointments (tenant_id, created_at, id);
CREATE INDEX appointments_updated_at_idx ON appointments (tenant_id, updated_at, id);
CREATE INDEX appointments_starts_at_idx ON appointments (tenant_id, starts_at, id);
CREATE INDEX appointments_status_idx ON appointments (tenant_id, status, starts_at, id);
CREATE INDEX appointments_assignee_member_id_idx ON appointments (tenant_id, assignee_member_id, starts_at, id) WHERE assignee_member_id IS NOT NULL;
CREATE INDEX appointments_client_id_idx ON appointments (tenant_id, client_id, starts_at, id) WHERE client_id IS NOT NULL;

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['leads', 'tasks', 'appointments'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', t);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fh_app', t);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP TABLE appointments, tasks, leads;
