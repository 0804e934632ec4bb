-- +goose Up

-- What every domain writes beside its own rows: who did what, how a status
-- came about, and the words by which a person finds a record.

CREATE TABLE audit_log (
    tenant_id   uuid        NOT NULL,
    id          uuid        NOT NULL,
    at          timestamptz NOT NULL,
    actor_type  text        NOT NULL,
    actor_id    uuid,
    actor_name  text        NOT NULL DEFAULT '',
    action      text        NOT NULL,
    resource    text        NOT NULL,
    resource_id uuid,
    details     jsonb       NOT NULL DEFAULT '{}',
    request_id  text        NOT NULL DEFAULT '',
    ip          text        NOT NULL DEFAULT '',
    CONSTRAINT audit_log_pkey PRIMARY KEY (tenant_id, at, id) -- the order in which it is read
) PARTITION BY RANGE (at);
CREATE TABLE audit_log_default PARTITION OF audit_log DEFAULT;

ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_log USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
GRANT SELECT, INSERT ON audit_log TO fh_app; -- append-only

-- The server's role owns nothing, so the partitions ahead are made by a
-- function of the owner. A row without a partition goes to the default one.
-- +goose StatementBegin
CREATE FUNCTION ensure_monthly_partitions(months_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    first_day date;
    partition_name text;
BEGIN
    FOR i IN 0 .. least(greatest(months_ahead, 0), 24) LOOP
        first_day := (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => i))::date;
        partition_name := 'audit_log_' || to_char(first_day, 'YYYYMM');
        CONTINUE WHEN to_regclass('public.' || partition_name) IS NOT NULL;
        BEGIN
            EXECUTE format('CREATE TABLE public.%I PARTITION OF public.audit_log FOR VALUES FROM (%L) TO (%L)',
                partition_name, first_day || ' 00:00+00', (first_day + interval '1 month')::date || ' 00:00+00');
        EXCEPTION WHEN duplicate_table OR unique_violation THEN NULL; -- another process made it
        END;
    END LOOP;
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION ensure_monthly_partitions(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_monthly_partitions(integer) TO fh_app;
SELECT ensure_monthly_partitions(2);

CREATE TABLE status_history (
    tenant_id   uuid        NOT NULL CONSTRAINT status_history_tenant_id_fkey REFERENCES tenants (id),
    id          uuid        NOT NULL,
    resource    text        NOT NULL,
    resource_id uuid        NOT NULL,
    at          timestamptz NOT NULL,
    action      text        NOT NULL,
    from_status text,
    to_status   text        NOT NULL,
    reason      text,
    actor_type  text        NOT NULL,
    actor_id    uuid,
    actor_name  text        NOT NULL DEFAULT '',
    CONSTRAINT status_history_pkey PRIMARY KEY (tenant_id, id)
);
-- By id: of two transactions that waited for one row, the one that began first
-- may have come second, and at is when they began.
CREATE INDEX status_history_resource_idx ON status_history (tenant_id, resource, resource_id, id);

-- Normalised words, compared as ranges: LIKE, trigram and text-search operators
-- are not leakproof, so under row-level security they cannot use an index. Rows
-- are derived from their records and many, so no foreign key checks each.
CREATE TABLE search_tokens (
    tenant_id   uuid NOT NULL,
    resource    text COLLATE "C" NOT NULL,
    token       text COLLATE "C" NOT NULL,
    id          uuid NOT NULL, -- the record's
    CONSTRAINT search_tokens_pkey PRIMARY KEY (tenant_id, resource, token, id)
);
-- A search is a narrow range of words. With the usual hundred steps the planner
-- takes it for so many that reading the whole table looks cheaper.
ALTER TABLE search_tokens ALTER COLUMN token SET STATISTICS 1000;

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['status_history', 'search_tokens'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', t);
    END LOOP;
END $$;
-- +goose StatementEnd
GRANT SELECT, INSERT ON status_history TO fh_app;
GRANT SELECT, INSERT, DELETE ON search_tokens TO fh_app;

-- +goose Down
DROP TABLE search_tokens, status_history, audit_log;
DROP FUNCTION ensure_monthly_partitions(integer);
