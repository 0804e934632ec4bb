-- +goose Up

-- The two trees of categories: alike, and apart, so that a foreign key keeps a
-- product out of the categories of services.
-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['product_categories', 'service_categories'] LOOP
        EXECUTE format($table$
            CREATE TABLE %1$s (
                tenant_id   uuid        NOT NULL CONSTRAINT %1$s_tenant_id_fkey REFERENCES tenants (id),
                id          uuid        NOT NULL,
                name        text        NOT NULL,
                parent_id   uuid,
                position    integer     NOT NULL CONSTRAINT %1$s_position_check CHECK (position >= 0),
                external_id text,
                metadata    jsonb       NOT NULL DEFAULT '{}',
                created_at  timestamptz NOT NULL,
                updated_at  timestamptz NOT NULL,
                version     bigint      NOT NULL,
                CONSTRAINT %1$s_pkey PRIMARY KEY (tenant_id, id),
                CONSTRAINT %1$s_parent_id_fkey FOREIGN KEY (tenant_id, parent_id) REFERENCES %1$s (tenant_id, id)
            )$table$, t);
        -- Roots are siblings too.
        EXECUTE format('CREATE UNIQUE INDEX %1$s_name_key ON %1$s (tenant_id, parent_id, name) NULLS NOT DISTINCT', t);
        EXECUTE format('CREATE UNIQUE INDEX %1$s_external_id_key ON %1$s (tenant_id, external_id) WHERE external_id IS NOT NULL', t);
        EXECUTE format('CREATE INDEX %1$s_created_at_idx ON %1$s (tenant_id, created_at, id)', t);
        EXECUTE format('CREATE INDEX %1$s_updated_at_idx ON %1$s (tenant_id, updated_at, id)', t);
    END LOOP;
END $$;
-- +goose StatementEnd

-- One row per tenant and tree. Whoever changes the shape of the tree holds it,
-- so that two changes at once make neither a cycle nor a tree too deep.
CREATE TABLE category_trees (
    tenant_id uuid   NOT NULL CONSTRAINT category_trees_tenant_id_fkey REFERENCES tenants (id),
    resource  text   NOT NULL,
    changes   bigint NOT NULL,
    CONSTRAINT category_trees_pkey PRIMARY KEY (tenant_id, resource)
);

CREATE TABLE products (
    tenant_id   uuid        NOT NULL CONSTRAINT products_tenant_id_fkey REFERENCES tenants (id),
    id          uuid        NOT NULL,
    name        text        NOT NULL,
    name_sort   text COLLATE "C" NOT NULL, -- lower case, without accents
    sku         text,
    gtin        text,
    description text,
    category_id uuid,
    unit        text        NOT NULL,
    price_cents bigint      NOT NULL CONSTRAINT products_price_cents_check CHECK (price_cents >= 0),
    cost_cents  bigint      CONSTRAINT products_cost_cents_check CHECK (cost_cents >= 0),
    ncm         text,
    attributes  jsonb       NOT NULL, -- [{"name": "Cor", "values": ["Azul"]}]
    status      text        NOT NULL CONSTRAINT products_status_check CHECK (status IN ('active', 'archived')),
    external_id text,
    metadata    jsonb       NOT NULL DEFAULT '{}',
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    version     bigint      NOT NULL,
    CONSTRAINT products_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT products_category_id_fkey FOREIGN KEY (tenant_id, category_id) REFERENCES product_categories (tenant_id, id)
);
CREATE UNIQUE INDEX products_external_id_key ON products (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX products_created_at_idx ON products (tenant_id, created_at, id);
CREATE INDEX products_archived_idx ON products (tenant_id, created_at, id) WHERE status = 'archived';
CREATE INDEX products_updated_at_idx ON products (tenant_id, updated_at, id);
CREATE INDEX products_name_sort_idx ON products (tenant_id, name_sort, id);
CREATE INDEX products_category_id_idx ON products (tenant_id, category_id, created_at, id) WHERE category_id IS NOT NULL;

CREATE TABLE product_variations (
    tenant_id   uuid        NOT NULL CONSTRAINT product_variations_tenant_id_fkey REFERENCES tenants (id),
    id          uuid        NOT NULL,
    product_id  uuid        NOT NULL,
    options     jsonb       NOT NULL, -- {"Cor": "Azul"}
    option_key  text COLLATE "C" NOT NULL, -- the options in one spelling
    sku         text,
    gtin        text,
    price_cents bigint      CONSTRAINT product_variations_price_cents_check CHECK (price_cents >= 0), -- NULL: the product's
    cost_cents  bigint      CONSTRAINT product_variations_cost_cents_check CHECK (cost_cents >= 0),
    status      text        NOT NULL CONSTRAINT product_variations_status_check CHECK (status IN ('active', 'archived')),
    external_id text,
    metadata    jsonb       NOT NULL DEFAULT '{}',
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    version     bigint      NOT NULL,
    CONSTRAINT product_variations_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT product_variations_product_id_fkey FOREIGN KEY (tenant_id, product_id)
        REFERENCES products (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX product_variations_option_key_key ON product_variations (tenant_id, product_id, option_key);
CREATE UNIQUE INDEX product_variations_external_id_key ON product_variations (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX product_variations_product_id_idx ON product_variations (tenant_id, product_id, created_at, id);

-- The SKUs of products (variation_id NULL) and of their variations, in one
-- table, so that one index keeps them apart.
CREATE TABLE product_skus (
    tenant_id    uuid NOT NULL CONSTRAINT product_skus_tenant_id_fkey REFERENCES tenants (id),
    sku          text COLLATE "C" NOT NULL,
    product_id   uuid NOT NULL,
    variation_id uuid,
    CONSTRAINT product_skus_pkey PRIMARY KEY (tenant_id, sku),
    CONSTRAINT product_skus_product_id_fkey FOREIGN KEY (tenant_id, product_id)
        REFERENCES products (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT product_skus_variation_id_fkey FOREIGN KEY (tenant_id, variation_id)
        REFERENCES product_variations (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX product_skus_owner_key ON product_skus (tenant_id, product_id, variation_id) NULLS NOT DISTINCT;
CREATE INDEX product_skus_variation_id_idx ON product_skus (tenant_id, variation_id) WHERE variation_id IS NOT NULL;

CREATE TABLE services (
    tenant_id        uuid        NOT NULL CONSTRAINT services_tenant_id_fkey REFERENCES tenants (id),
    id               uuid        NOT NULL,
    name             text        NOT NULL,
    name_sort        text COLLATE "C" NOT NULL,
    description      text,
    category_id      uuid,
    price_cents      bigint      NOT NULL CONSTRAINT services_price_cents_check CHECK (price_cents >= 0),
    cost_cents       bigint      CONSTRAINT services_cost_cents_check CHECK (cost_cents >= 0),
    duration_minutes integer     CONSTRAINT services_duration_minutes_check CHECK (duration_minutes BETWEEN 1 AND 1440),
    service_code     text,
    status           text        NOT NULL CONSTRAINT services_status_check CHECK (status IN ('active', 'archived')),
    external_id      text,
    metadata         jsonb       NOT NULL DEFAULT '{}',
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    version          bigint      NOT NULL,
    CONSTRAINT services_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT services_category_id_fkey FOREIGN KEY (tenant_id, category_id) REFERENCES service_categories (tenant_id, id)
);
CREATE UNIQUE INDEX services_external_id_key ON services (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX services_created_at_idx ON services (tenant_id, created_at, id);
CREATE INDEX services_archived_idx ON services (tenant_id, created_at, id) WHERE status = 'archived';
CREATE INDEX services_updated_at_idx ON services (tenant_id, updated_at, id);
CREATE INDEX services_name_sort_idx ON services (tenant_id, name_sort, id);
CREATE INDEX services_category_id_idx ON services (tenant_id, category_id, created_at, id) WHERE category_id IS NOT NULL;

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['product_categories', 'service_categories', 'category_trees',
                             'products', 'product_variations', 'product_skus', 'services'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', t);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fh_app', t);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP TABLE services, product_skus, product_variations, products, category_trees, service_categories, product_categories;
