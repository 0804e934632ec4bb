-- +goose Up

-- The numbers of a tenant's documents: the last one taken of each kind.
CREATE TABLE counters (
    tenant_id uuid   NOT NULL CONSTRAINT counters_tenant_id_fkey REFERENCES tenants (id),
    kind      text   NOT NULL,
    value     bigint NOT NULL,
    CONSTRAINT counters_pkey PRIMARY KEY (tenant_id, kind)
);

-- Links under which somebody without an account sees one document.
CREATE TABLE public_links (
    tenant_id   uuid        NOT NULL CONSTRAINT public_links_tenant_id_fkey REFERENCES tenants (id),
    id          uuid        NOT NULL,
    resource    text        NOT NULL,
    resource_id uuid        NOT NULL,
    token_hash  bytea       NOT NULL,
    created_at  timestamptz NOT NULL,
    revoked_at  timestamptz,
    CONSTRAINT public_links_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT public_links_token_hash_key UNIQUE (tenant_id, token_hash)
);
CREATE INDEX public_links_resource_idx ON public_links (tenant_id, resource, resource_id) WHERE revoked_at IS NULL;

CREATE TABLE quotes (
    tenant_id            uuid        NOT NULL CONSTRAINT quotes_tenant_id_fkey REFERENCES tenants (id),
    id                   uuid        NOT NULL,
    number               bigint      NOT NULL,
    client_id            uuid,
    lead_id              uuid,
    status               text        NOT NULL CONSTRAINT quotes_status_check
                                     CHECK (status IN ('draft', 'sent', 'approved', 'rejected', 'cancelled', 'converted')),
    valid_until          date,
    terms                text,
    notes                text,
    payment_plan         jsonb,
    discount_cents       bigint,
    discount_percent     numeric(5, 2),
    subtotal_cents       bigint      NOT NULL,
    discount_total_cents bigint      NOT NULL,
    shipping_cents       bigint      NOT NULL,
    total_cents          bigint      NOT NULL CONSTRAINT quotes_total_cents_check CHECK (total_cents >= 0),
    sent_at              timestamptz,
    sale_id              uuid, -- of the live sale that bills it
    external_id          text,
    metadata             jsonb       NOT NULL DEFAULT '{}',
    created_at           timestamptz NOT NULL,
    updated_at           timestamptz NOT NULL,
    version              bigint      NOT NULL,
    CONSTRAINT quotes_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT quotes_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id),
    CONSTRAINT quotes_lead_id_fkey FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id),
    CONSTRAINT quotes_number_key UNIQUE (tenant_id, number),
    CONSTRAINT quotes_customer_check CHECK (client_id IS NOT NULL OR lead_id IS NOT NULL),
    CONSTRAINT quotes_sale_id_check CHECK ((status = 'converted') = (sale_id IS NOT NULL))
);
CREATE UNIQUE INDEX quotes_external_id_key ON quotes (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX quotes_created_at_idx ON quotes (tenant_id, created_at, id);
CREATE INDEX quotes_updated_at_idx ON quotes (tenant_id, updated_at, id);
CREATE INDEX quotes_client_id_idx ON quotes (tenant_id, client_id, created_at, id) WHERE client_id IS NOT NULL;
CREATE INDEX quotes_lead_id_idx ON quotes (tenant_id, lead_id) WHERE lead_id IS NOT NULL;
CREATE INDEX quotes_status_idx ON quotes (tenant_id, status, created_at, id);

CREATE TABLE service_orders (
    tenant_id            uuid        NOT NULL CONSTRAINT service_orders_tenant_id_fkey REFERENCES tenants (id),
    id                   uuid        NOT NULL,
    number               bigint      NOT NULL,
    client_id            uuid        NOT NULL,
    address_id           uuid,
    quote_id             uuid,
    title                text        NOT NULL,
    description          text,
    equipment            jsonb,
    assignee_member_id   uuid,
    scheduled_start      timestamptz,
    scheduled_end        timestamptz,
    priority             text        NOT NULL CONSTRAINT service_orders_priority_check CHECK (priority IN ('low', 'normal', 'high')),
    status               text        NOT NULL CONSTRAINT service_orders_status_check
                                     CHECK (status IN ('open', 'in_progress', 'completed', 'cancelled')),
    custom_status        text,
    started_at           timestamptz,
    completed_at         timestamptz,
    completion_notes     text,
    cancel_reason        text,
    notes                text,
    discount_cents       bigint,
    discount_percent     numeric(5, 2),
    subtotal_cents       bigint      NOT NULL,
    discount_total_cents bigint      NOT NULL,
    shipping_cents       bigint      NOT NULL,
    total_cents          bigint      NOT NULL CONSTRAINT service_orders_total_cents_check CHECK (total_cents >= 0),
    payment_plan         jsonb, -- of the quote that it came from
    sale_id              uuid, -- of the live sale that bills it
    external_id          text,
    metadata             jsonb       NOT NULL DEFAULT '{}',
    created_at           timestamptz NOT NULL,
    updated_at           timestamptz NOT NULL,
    version              bigint      NOT NULL,
    CONSTRAINT service_orders_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT service_orders_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id),
    CONSTRAINT service_orders_address_id_fkey FOREIGN KEY (tenant_id, address_id) REFERENCES client_addresses (tenant_id, id),
    CONSTRAINT service_orders_quote_id_fkey FOREIGN KEY (tenant_id, quote_id) REFERENCES quotes (tenant_id, id),
    CONSTRAINT service_orders_assignee_member_id_fkey FOREIGN KEY (tenant_id, assignee_member_id) REFERENCES members (tenant_id, id),
    CONSTRAINT service_orders_number_key UNIQUE (tenant_id, number)
);
CREATE UNIQUE INDEX service_orders_external_id_key ON service_orders (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX service_orders_created_at_idx ON service_orders (tenant_id, created_at, id);
CREATE INDEX service_orders_updated_at_idx ON service_orders (tenant_id, updated_at, id);
CREATE INDEX service_orders_client_id_idx ON service_orders (tenant_id, client_id, created_at, id);
CREATE INDEX service_orders_status_idx ON service_orders (tenant_id, status, created_at, id);
CREATE INDEX service_orders_quote_id_idx ON service_orders (tenant_id, quote_id) WHERE quote_id IS NOT NULL;
CREATE INDEX service_orders_address_id_idx ON service_orders (tenant_id, address_id) WHERE address_id IS NOT NULL;

-- A sale as its current version says, and what was paid of it. Each version
-- stays as it was written.
CREATE TABLE sales (
    tenant_id            uuid        NOT NULL CONSTRAINT sales_tenant_id_fkey REFERENCES tenants (id),
    id                   uuid        NOT NULL,
    number               bigint      NOT NULL,
    client_id            uuid, -- NULL: over the counter
    quote_id             uuid,
    service_order_id     uuid,
    status               text        NOT NULL CONSTRAINT sales_status_check
                                     CHECK (status IN ('open', 'partially_paid', 'paid', 'cancelled')),
    current_version      integer     NOT NULL,
    sold_at              timestamptz NOT NULL,
    account_id           uuid,
    category_id          uuid,
    notes                text,
    payment_plan         jsonb, -- NULL where there was nothing to pay
    planned_cents        bigint      NOT NULL, -- what the plan divides
    discount_cents       bigint,
    discount_percent     numeric(5, 2),
    subtotal_cents       bigint      NOT NULL,
    discount_total_cents bigint      NOT NULL,
    shipping_cents       bigint      NOT NULL,
    total_cents          bigint      NOT NULL,
    paid_cents           bigint      NOT NULL, -- the sum of the confirmed payments
    cancelled_at         timestamptz,
    cancel_reason        text,
    external_id          text,
    metadata             jsonb       NOT NULL DEFAULT '{}',
    created_at           timestamptz NOT NULL,
    updated_at           timestamptz NOT NULL,
    version              bigint      NOT NULL,
    CONSTRAINT sales_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT sales_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id),
    CONSTRAINT sales_quote_id_fkey FOREIGN KEY (tenant_id, quote_id) REFERENCES quotes (tenant_id, id),
    CONSTRAINT sales_service_order_id_fkey FOREIGN KEY (tenant_id, service_order_id) REFERENCES service_orders (tenant_id, id),
    CONSTRAINT sales_account_id_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES financial_accounts (tenant_id, id),
    CONSTRAINT sales_category_id_fkey FOREIGN KEY (tenant_id, category_id) REFERENCES financial_categories (tenant_id, id),
    CONSTRAINT sales_number_key UNIQUE (tenant_id, number),
    CONSTRAINT sales_paid_cents_check CHECK (paid_cents BETWEEN 0 AND total_cents)
);
-- One billing of a quote and of an order, through whichever route.
CREATE UNIQUE INDEX sales_live_quote_id_key ON sales (tenant_id, quote_id) WHERE quote_id IS NOT NULL AND status <> 'cancelled';
CREATE UNIQUE INDEX sales_live_service_order_id_key ON sales (tenant_id, service_order_id) WHERE service_order_id IS NOT NULL AND status <> 'cancelled';
CREATE UNIQUE INDEX sales_external_id_key ON sales (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX sales_created_at_idx ON sales (tenant_id, created_at, id);
CREATE INDEX sales_updated_at_idx ON sales (tenant_id, updated_at, id);
CREATE INDEX sales_sold_at_idx ON sales (tenant_id, sold_at, id);
CREATE INDEX sales_client_id_idx ON sales (tenant_id, client_id, created_at, id) WHERE client_id IS NOT NULL;
CREATE INDEX sales_status_idx ON sales (tenant_id, status, created_at, id);
CREATE INDEX sales_quote_id_idx ON sales (tenant_id, quote_id) WHERE quote_id IS NOT NULL;
CREATE INDEX sales_account_id_idx ON sales (tenant_id, account_id) WHERE account_id IS NOT NULL;
CREATE INDEX sales_category_id_idx ON sales (tenant_id, category_id) WHERE category_id IS NOT NULL;
CREATE INDEX sales_service_order_id_idx ON sales (tenant_id, service_order_id) WHERE service_order_id IS NOT NULL;

ALTER TABLE quotes ADD CONSTRAINT quotes_sale_id_fkey FOREIGN KEY (tenant_id, sale_id) REFERENCES sales (tenant_id, id);
ALTER TABLE service_orders ADD CONSTRAINT service_orders_sale_id_fkey FOREIGN KEY (tenant_id, sale_id) REFERENCES sales (tenant_id, id);

CREATE TABLE sale_versions (
    tenant_id            uuid        NOT NULL CONSTRAINT sale_versions_tenant_id_fkey REFERENCES tenants (id),
    id                   uuid        NOT NULL,
    sale_id              uuid        NOT NULL,
    number               integer     NOT NULL,
    reason               text,
    client_id            uuid,
    sold_at              timestamptz NOT NULL,
    account_id           uuid,
    category_id          uuid,
    payment_plan         jsonb,
    planned_cents        bigint      NOT NULL,
    discount_cents       bigint,
    discount_percent     numeric(5, 2),
    subtotal_cents       bigint      NOT NULL,
    discount_total_cents bigint      NOT NULL,
    shipping_cents       bigint      NOT NULL,
    total_cents          bigint      NOT NULL,
    actor_type           text        NOT NULL,
    actor_id             uuid,
    actor_name           text        NOT NULL,
    created_at           timestamptz NOT NULL,
    CONSTRAINT sale_versions_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT sale_versions_sale_id_fkey FOREIGN KEY (tenant_id, sale_id) REFERENCES sales (tenant_id, id),
    CONSTRAINT sale_versions_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id),
    CONSTRAINT sale_versions_account_id_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES financial_accounts (tenant_id, id),
    CONSTRAINT sale_versions_category_id_fkey FOREIGN KEY (tenant_id, category_id) REFERENCES financial_categories (tenant_id, id),
    CONSTRAINT sale_versions_number_key UNIQUE (tenant_id, sale_id, number)
);
CREATE INDEX sale_versions_created_at_idx ON sale_versions (tenant_id, sale_id, created_at, id);

CREATE TABLE sale_payments (
    tenant_id                uuid        NOT NULL CONSTRAINT sale_payments_tenant_id_fkey REFERENCES tenants (id),
    id                       uuid        NOT NULL,
    sale_id                  uuid        NOT NULL,
    status                   text        NOT NULL CONSTRAINT sale_payments_status_check
                                         CHECK (status IN ('confirmed', 'pending', 'processing', 'failed', 'declined', 'expired', 'cancelled')),
    amount_cents             bigint      NOT NULL CONSTRAINT sale_payments_amount_cents_check CHECK (amount_cents > 0),
    method                   text        NOT NULL,
    paid_at                  timestamptz NOT NULL,
    account_id               uuid,
    financial_transaction_id uuid, -- the one that it was meant for; what it settled names the payment
    fee_cents                bigint      NOT NULL CONSTRAINT sale_payments_fee_cents_check CHECK (fee_cents >= 0),
    notes                    text,
    cancelled_at             timestamptz,
    cancel_reason            text,
    external_id              text,
    metadata                 jsonb       NOT NULL DEFAULT '{}',
    created_at               timestamptz NOT NULL,
    updated_at               timestamptz NOT NULL,
    version                  bigint      NOT NULL,
    CONSTRAINT sale_payments_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT sale_payments_sale_id_fkey FOREIGN KEY (tenant_id, sale_id) REFERENCES sales (tenant_id, id),
    CONSTRAINT sale_payments_account_id_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES financial_accounts (tenant_id, id)
);
CREATE UNIQUE INDEX sale_payments_external_id_key ON sale_payments (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX sale_payments_created_at_idx ON sale_payments (tenant_id, sale_id, created_at, id);
CREATE INDEX sale_payments_updated_at_idx ON sale_payments (tenant_id, sale_id, updated_at, id);

-- A movement that belongs to a sale, and the payment that settled it.
ALTER TABLE financial_transactions ADD CONSTRAINT financial_transactions_sale_id_fkey
    FOREIGN KEY (tenant_id, sale_id) REFERENCES sales (tenant_id, id);
ALTER TABLE financial_transactions ADD CONSTRAINT financial_transactions_payment_id_fkey
    FOREIGN KEY (tenant_id, payment_id) REFERENCES sale_payments (tenant_id, id);

-- What else a task may be about.
ALTER TABLE tasks ADD COLUMN quote_id uuid;
ALTER TABLE tasks ADD COLUMN service_order_id uuid;
ALTER TABLE tasks ADD COLUMN sale_id uuid;
ALTER TABLE tasks ADD CONSTRAINT tasks_quote_id_fkey FOREIGN KEY (tenant_id, quote_id) REFERENCES quotes (tenant_id, id);
ALTER TABLE tasks ADD CONSTRAINT tasks_service_order_id_fkey FOREIGN KEY (tenant_id, service_order_id) REFERENCES service_orders (tenant_id, id);
ALTER TABLE tasks ADD CONSTRAINT tasks_sale_id_fkey FOREIGN KEY (tenant_id, sale_id) REFERENCES sales (tenant_id, id);
ALTER TABLE tasks DROP CONSTRAINT tasks_link_check;
ALTER TABLE tasks ADD CONSTRAINT tasks_link_check CHECK (num_nonnulls(client_id, lead_id, quote_id, service_order_id, sale_id) <= 1);
CREATE INDEX tasks_quote_id_idx ON tasks (tenant_id, quote_id, created_at, id) WHERE quote_id IS NOT NULL;
CREATE INDEX tasks_service_order_id_idx ON tasks (tenant_id, service_order_id, created_at, id) WHERE service_order_id IS NOT NULL;
CREATE INDEX tasks_sale_id_idx ON tasks (tenant_id, sale_id, created_at, id) WHERE sale_id IS NOT NULL;

-- Lines of quotes, orders and versions of sales: names and prices are copies.
-- +goose StatementBegin
DO $$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT * FROM (VALUES
        ('quote_items', 'quotes'), ('service_order_items', 'service_orders'), ('sale_items', 'sale_versions')) AS x (items, document)
    LOOP
        EXECUTE format($table$
            CREATE TABLE %1$s (
                tenant_id        uuid           NOT NULL CONSTRAINT %1$s_tenant_id_fkey REFERENCES tenants (id),
                id               uuid           NOT NULL,
                document_id      uuid           NOT NULL,
                position         integer        NOT NULL,
                kind             text           NOT NULL CONSTRAINT %1$s_kind_check CHECK (kind IN ('product', 'service', 'custom')),
                product_id       uuid,
                variation_id     uuid,
                service_id       uuid,
                description      text           NOT NULL,
                unit             text           NOT NULL,
                quantity         numeric(13, 4) NOT NULL,
                unit_price_cents bigint         NOT NULL,
                discount_cents   bigint,
                discount_percent numeric(5, 2),
                gross_cents      bigint         NOT NULL,
                total_cents      bigint         NOT NULL CONSTRAINT %1$s_total_cents_check CHECK (total_cents >= 0),
                CONSTRAINT %1$s_pkey PRIMARY KEY (tenant_id, id),
                CONSTRAINT %1$s_document_id_fkey FOREIGN KEY (tenant_id, document_id) REFERENCES %2$s (tenant_id, id),
                CONSTRAINT %1$s_product_id_fkey FOREIGN KEY (tenant_id, product_id) REFERENCES products (tenant_id, id),
                CONSTRAINT %1$s_variation_id_fkey FOREIGN KEY (tenant_id, variation_id) REFERENCES product_variations (tenant_id, id),
                CONSTRAINT %1$s_service_id_fkey FOREIGN KEY (tenant_id, service_id) REFERENCES services (tenant_id, id)
            )$table$, t.items, t.document);
        EXECUTE format('CREATE UNIQUE INDEX %1$s_position_key ON %1$s (tenant_id, document_id, position)', t.items);
        EXECUTE format('CREATE INDEX %1$s_product_id_idx ON %1$s (tenant_id, product_id) WHERE product_id IS NOT NULL', t.items);
        EXECUTE format('CREATE INDEX %1$s_variation_id_idx ON %1$s (tenant_id, variation_id) WHERE variation_id IS NOT NULL', t.items);
        EXECUTE format('CREATE INDEX %1$s_service_id_idx ON %1$s (tenant_id, service_id) WHERE service_id IS NOT NULL', t.items);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['counters', 'public_links', 'quotes', 'quote_items', 'service_orders', 'service_order_items',
                             'sales', 'sale_versions', 'sale_items', 'sale_payments'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', t);
    END LOOP;
    -- Documents are cancelled, never deleted; a version is never changed.
    FOREACH t IN ARRAY ARRAY['counters', 'public_links', 'quotes', 'service_orders', 'sales', 'sale_payments'] LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO fh_app', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['quote_items', 'service_order_items'] LOOP
        EXECUTE format('GRANT SELECT, INSERT, DELETE ON %I TO fh_app', t);
    END LOOP;
    FOREACH t IN ARRAY ARRAY['sale_versions', 'sale_items'] LOOP
        EXECUTE format('GRANT SELECT, INSERT ON %I TO fh_app', t);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
ALTER TABLE tasks DROP CONSTRAINT tasks_link_check;
ALTER TABLE tasks DROP COLUMN sale_id;
ALTER TABLE tasks DROP COLUMN service_order_id;
ALTER TABLE tasks DROP COLUMN quote_id;
ALTER TABLE tasks ADD CONSTRAINT tasks_link_check CHECK (num_nonnulls(client_id, lead_id) <= 1);
ALTER TABLE financial_transactions DROP CONSTRAINT financial_transactions_payment_id_fkey;
ALTER TABLE financial_transactions DROP CONSTRAINT financial_transactions_sale_id_fkey;
ALTER TABLE service_orders DROP CONSTRAINT service_orders_sale_id_fkey;
ALTER TABLE quotes DROP CONSTRAINT quotes_sale_id_fkey;
DROP TABLE sale_payments, sale_items, sale_versions, sales, service_order_items, service_orders, quote_items, quotes, public_links, counters;
