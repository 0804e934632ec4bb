-- +goose Up

-- Every request of the public API that names an API key, for 30 days, and its
-- counts by the hour, for longer. Both are written in batches, off the path of
-- the requests; no body is ever stored.

CREATE TABLE request_log (
    tenant_id       uuid        NOT NULL,
    id              uuid        NOT NULL,
    at              timestamptz NOT NULL,
    api_key_id      uuid        NOT NULL,
    api_key_name    text        NOT NULL, -- as it was when the row was written
    method          text        NOT NULL,
    route           text        NOT NULL, -- the route's template; '' where no route has the path
    path            text        NOT NULL,
    query           text        NOT NULL, -- people's data masked
    status          smallint    NOT NULL,
    code            text        NOT NULL, -- the problem's; '' for none
    duration_ms     integer     NOT NULL,
    idempotency_key text        NOT NULL,
    replayed        boolean     NOT NULL,
    request_id      text        NOT NULL,
    ip              text        NOT NULL,
    user_agent      text        NOT NULL,
    CONSTRAINT request_log_pkey PRIMARY KEY (tenant_id, at, id) -- the order in which it is read
) PARTITION BY RANGE (at);
CREATE INDEX request_log_request_id_idx ON request_log (tenant_id, request_id);
CREATE INDEX request_log_idempotency_key_idx ON request_log (tenant_id, idempotency_key, at) WHERE idempotency_key <> '';
CREATE TABLE request_log_default PARTITION OF request_log DEFAULT;

-- Calls, refusals and failures, and repetitions that ran nothing: what the
-- dashboard draws, without a scan of the log.
CREATE TABLE request_usage (
    tenant_id  uuid        NOT NULL,
    hour       timestamptz NOT NULL,
    api_key_id uuid        NOT NULL,
    calls      bigint      NOT NULL,
    errors     bigint      NOT NULL, -- 4xx and 5xx, without the conflicts
    replays    bigint      NOT NULL,
    conflicts  bigint      NOT NULL, -- repetitions refused while the first still ran
    CONSTRAINT request_usage_pkey PRIMARY KEY (tenant_id, hour, api_key_id)
);

ALTER TABLE request_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON request_log USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
ALTER TABLE request_usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON request_usage USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);
GRANT SELECT, INSERT ON request_log TO fh_app;
GRANT SELECT, INSERT, UPDATE ON request_usage TO fh_app;

-- Like ensure_monthly_partitions: the server's role owns nothing, so functions
-- of the owner make the days ahead and drop those behind. A lock that somebody
-- holds is not waited for: the next run comes.
-- +goose StatementBegin
CREATE FUNCTION ensure_request_log_partitions(days_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET lock_timeout = '2s' AS $$
DECLARE
    day date;
    partition_name text;
BEGIN
    FOR i IN 0 .. least(greatest(days_ahead, 0), 30) LOOP
        day := (now() AT TIME ZONE 'UTC')::date + i;
        partition_name := 'request_log_' || to_char(day, 'YYYYMMDD');
        CONTINUE WHEN to_regclass('public.' || partition_name) IS NOT NULL;
        BEGIN
            EXECUTE format('CREATE TABLE public.%I PARTITION OF public.request_log FOR VALUES FROM (%L) TO (%L)',
                partition_name, day || ' 00:00+00', (day + 1) || ' 00:00+00');
        EXCEPTION WHEN duplicate_table OR unique_violation THEN NULL; -- another process made it
        END;
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION drop_request_log_partitions(days_kept integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET lock_timeout = '2s' AS $$
DECLARE
    first_kept date := (now() AT TIME ZONE 'UTC')::date - greatest(days_kept, 7);
    partition_name text;
BEGIN
    FOR partition_name IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'public.request_log'::regclass AND c.relname ~ '^request_log_\d{8}$'
          AND to_date(right(c.relname, 8), 'YYYYMMDD') < first_kept
    LOOP
        EXECUTE format('DROP TABLE IF EXISTS public.%I', partition_name);
    END LOOP;
    DELETE FROM public.request_log_default WHERE at < first_kept::timestamp AT TIME ZONE 'UTC';
    DELETE FROM public.request_usage WHERE hour < now() - interval '400 days';
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION ensure_request_log_partitions(integer), drop_request_log_partitions(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_request_log_partitions(integer), drop_request_log_partitions(integer) TO fh_app;
SELECT ensure_request_log_partitions(3);

-- +goose Down
DROP TABLE request_log, request_usage;
DROP FUNCTION ensure_request_log_partitions(integer), drop_request_log_partitions(integer);
