-- +goose Up

-- Balances are kept, not computed: moved_cents is the sum of the account's paid
-- movements, pending_cents of its pending ones, income positive and expense
-- negative. Only increments write them, in the transaction of the movement. They
-- are beyond the limit of one amount, and far from the end of a bigint.
CREATE TABLE financial_accounts (
    tenant_id             uuid        NOT NULL CONSTRAINT financial_accounts_tenant_id_fkey REFERENCES tenants (id),
    id                    uuid        NOT NULL,
    name                  text        NOT NULL,
    kind                  text        NOT NULL CONSTRAINT financial_accounts_kind_check
                                      CHECK (kind IN ('cash', 'checking', 'savings', 'credit_card', 'investment', 'payment_provider', 'other')),
    bank_code             text,
    agency                text,
    number                text,
    opening_balance_cents bigint      NOT NULL,
    opening_date          date        NOT NULL,
    is_default            boolean     NOT NULL,
    moved_cents           bigint      NOT NULL DEFAULT 0,
    pending_cents         bigint      NOT NULL DEFAULT 0,
    external_id           text,
    metadata              jsonb       NOT NULL DEFAULT '{}',
    created_at            timestamptz NOT NULL,
    updated_at            timestamptz NOT NULL,
    version               bigint      NOT NULL,
    CONSTRAINT financial_accounts_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT financial_accounts_name_key UNIQUE (tenant_id, name)
) WITH (fillfactor = 50); -- an increment finds room in its own page, and touches no index
CREATE UNIQUE INDEX financial_accounts_is_default_key ON financial_accounts (tenant_id) WHERE is_default;
CREATE UNIQUE INDEX financial_accounts_external_id_key ON financial_accounts (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX financial_accounts_created_at_idx ON financial_accounts (tenant_id, created_at, id);
CREATE INDEX financial_accounts_updated_at_idx ON financial_accounts (tenant_id, updated_at, id);

CREATE TABLE financial_categories (
    tenant_id   uuid        NOT NULL CONSTRAINT financial_categories_tenant_id_fkey REFERENCES tenants (id),
    id          uuid        NOT NULL,
    name        text        NOT NULL,
    kind        text        NOT NULL CONSTRAINT financial_categories_kind_check CHECK (kind IN ('income', 'expense')),
    parent_id   uuid,
    position    integer     NOT NULL,
    external_id text,
    metadata    jsonb       NOT NULL DEFAULT '{}',
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    version     bigint      NOT NULL,
    CONSTRAINT financial_categories_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT financial_categories_parent_id_fkey FOREIGN KEY (tenant_id, parent_id) REFERENCES financial_categories (tenant_id, id)
);
CREATE INDEX financial_categories_parent_id_idx ON financial_categories (tenant_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX financial_categories_external_id_key ON financial_categories (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX financial_categories_created_at_idx ON financial_categories (tenant_id, created_at, id);
CREATE INDEX financial_categories_updated_at_idx ON financial_categories (tenant_id, updated_at, id);

CREATE TABLE financial_rules (
    tenant_id       uuid        NOT NULL CONSTRAINT financial_rules_tenant_id_fkey REFERENCES tenants (id),
    id              uuid        NOT NULL,
    type            text        NOT NULL CONSTRAINT financial_rules_type_check CHECK (type IN ('income', 'expense')),
    amount_cents    bigint      NOT NULL CONSTRAINT financial_rules_amount_cents_check CHECK (amount_cents > 0),
    description     text        NOT NULL,
    account_id      uuid        NOT NULL,
    category_id     uuid,
    client_id       uuid,
    method          text,
    document_number text,
    frequency       text        NOT NULL CONSTRAINT financial_rules_frequency_check
                                CHECK (frequency IN ('weekly', 'biweekly', 'monthly', 'bimonthly', 'quarterly', 'semiannual', 'yearly')),
    start_date      date        NOT NULL,
    end_date        date,
    count           integer,
    due_day         integer     CONSTRAINT financial_rules_due_day_check CHECK (due_day BETWEEN 1 AND 31),
    business_day    text        NOT NULL CONSTRAINT financial_rules_business_day_check CHECK (business_day IN ('none', 'next', 'previous')),
    status          text        NOT NULL CONSTRAINT financial_rules_status_check CHECK (status IN ('active', 'paused', 'ended')),
    first_date      date        NOT NULL, -- of occurrence 1; all others are reckoned from it
    next_number     integer     NOT NULL, -- of the occurrence to be made next
    next_date       date,                 -- its date; NULL after the last
    external_id     text,
    metadata        jsonb       NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    version         bigint      NOT NULL,
    CONSTRAINT financial_rules_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT financial_rules_account_id_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES financial_accounts (tenant_id, id),
    CONSTRAINT financial_rules_category_id_fkey FOREIGN KEY (tenant_id, category_id) REFERENCES financial_categories (tenant_id, id),
    CONSTRAINT financial_rules_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id)
);
CREATE INDEX financial_rules_account_id_idx ON financial_rules (tenant_id, account_id);
CREATE INDEX financial_rules_category_id_idx ON financial_rules (tenant_id, category_id) WHERE category_id IS NOT NULL;
CREATE INDEX financial_rules_client_id_idx ON financial_rules (tenant_id, client_id) WHERE client_id IS NOT NULL;
CREATE UNIQUE INDEX financial_rules_external_id_key ON financial_rules (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX financial_rules_created_at_idx ON financial_rules (tenant_id, created_at, id);
CREATE INDEX financial_rules_updated_at_idx ON financial_rules (tenant_id, updated_at, id);
CREATE INDEX financial_rules_next_date_idx ON financial_rules (next_date) WHERE status = 'active'; -- of all tenants: the generator's

CREATE TABLE financial_transactions (
    tenant_id            uuid        NOT NULL CONSTRAINT financial_transactions_tenant_id_fkey REFERENCES tenants (id),
    id                   uuid        NOT NULL,
    type                 text        NOT NULL CONSTRAINT financial_transactions_type_check
                                     CHECK (type IN ('income', 'expense', 'transfer_in', 'transfer_out')),
    status               text        NOT NULL CONSTRAINT financial_transactions_status_check CHECK (status IN ('pending', 'paid', 'cancelled')),
    amount_cents         bigint      NOT NULL CONSTRAINT financial_transactions_amount_cents_check CHECK (amount_cents > 0),
    description          text        NOT NULL,
    due_date             date        NOT NULL,
    competence_date      date        NOT NULL,
    account_id           uuid        NOT NULL,
    category_id          uuid,
    client_id            uuid,
    method               text,
    document_number      text,
    paid_at              timestamptz,
    interest_cents       bigint      NOT NULL,
    discount_cents       bigint      NOT NULL,
    fee_cents            bigint      NOT NULL,
    paid_cents           bigint      CONSTRAINT financial_transactions_paid_cents_check CHECK (paid_cents >= 0), -- what moved the account
    sale_id              uuid,
    payment_id           uuid,       -- the sale's payment that paid it
    transfer_id          uuid,
    installment_group_id uuid,
    installment_number   integer,
    installment_count    integer,
    recurring_id         uuid,
    occurrence_number    integer,    -- within the rule, from 1
    occurrence_date      date,       -- before it was moved to a business day
    external_id          text,
    metadata             jsonb       NOT NULL DEFAULT '{}',
    created_at           timestamptz NOT NULL,
    updated_at           timestamptz NOT NULL,
    version              bigint      NOT NULL,
    CONSTRAINT financial_transactions_pkey PRIMARY KEY (tenant_id, id),
    CONSTRAINT financial_transactions_paid_check CHECK ((status = 'paid') = (paid_at IS NOT NULL) AND (status = 'paid') = (paid_cents IS NOT NULL)),
    CONSTRAINT financial_transactions_transfer_check CHECK (type IN ('income', 'expense') OR transfer_id IS NOT NULL),
    CONSTRAINT financial_transactions_account_id_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES financial_accounts (tenant_id, id),
    CONSTRAINT financial_transactions_category_id_fkey FOREIGN KEY (tenant_id, category_id) REFERENCES financial_categories (tenant_id, id),
    CONSTRAINT financial_transactions_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id),
    CONSTRAINT financial_transactions_recurring_id_fkey FOREIGN KEY (tenant_id, recurring_id) REFERENCES financial_rules (tenant_id, id)
);
CREATE UNIQUE INDEX financial_transactions_occurrence_key ON financial_transactions (tenant_id, recurring_id, occurrence_date) WHERE recurring_id IS NOT NULL;
CREATE UNIQUE INDEX financial_transactions_external_id_key ON financial_transactions (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX financial_transactions_created_at_idx ON financial_transactions (tenant_id, created_at, id);
CREATE INDEX financial_transactions_updated_at_idx ON financial_transactions (tenant_id, updated_at, id);
CREATE INDEX financial_transactions_due_date_idx ON financial_transactions (tenant_id, due_date, id);
CREATE INDEX financial_transactions_account_id_idx ON financial_transactions (tenant_id, account_id, due_date, id);
CREATE INDEX financial_transactions_category_id_idx ON financial_transactions (tenant_id, category_id, due_date, id) WHERE category_id IS NOT NULL;
CREATE INDEX financial_transactions_client_id_idx ON financial_transactions (tenant_id, client_id, due_date, id) WHERE client_id IS NOT NULL;
CREATE INDEX financial_transactions_sale_id_idx ON financial_transactions (tenant_id, sale_id) WHERE sale_id IS NOT NULL;
CREATE INDEX financial_transactions_transfer_id_idx ON financial_transactions (tenant_id, transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX financial_transactions_installments_idx ON financial_transactions (tenant_id, installment_group_id) WHERE installment_group_id IS NOT NULL;
-- The two of the reports, which read nothing else.
CREATE INDEX financial_transactions_paid_at_idx ON financial_transactions (tenant_id, paid_at) INCLUDE (type, paid_cents) WHERE status = 'paid';
CREATE INDEX financial_transactions_pending_idx ON financial_transactions (tenant_id, due_date) INCLUDE (type, amount_cents) WHERE status = 'pending';

-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['financial_accounts', 'financial_categories', 'financial_rules', 'financial_transactions'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY tenant ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', t);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fh_app', t);
    END LOOP;
END $$;
-- +goose StatementEnd

-- The generator finds the rules that may have an occurrence to make.
CREATE POLICY sweep ON financial_rules TO fh_sweeper USING (status = 'active' AND next_date IS NOT NULL);
GRANT SELECT (tenant_id, id, status, next_date) ON financial_rules TO fh_sweeper;

-- +goose Down
DROP TABLE financial_transactions, financial_rules, financial_categories, financial_accounts;
