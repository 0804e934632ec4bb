package db_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
	"fatureihoje/migrations"
)

// businessTables are the tables that belong to tenants. A new table is added
// here, and so to every proof below.
func businessTables() []string {
	return []string{
		"api_key_usage", "api_keys", "appointments", "audit_log", "category_trees", "client_addresses", "clients", "counters",
		"financial_accounts", "financial_categories", "financial_rules", "financial_transactions", "idempotency_keys", "invitations",
		"leads", "members", "product_categories", "product_skus", "product_variations", "products", "public_links", "quote_items",
		"quotes", "request_log", "request_usage", "sale_items", "sale_payments", "sale_versions", "sales", "search_tokens",
		"service_categories", "service_order_items", "service_orders", "services", "session_tokens", "sessions", "status_history", "tasks",
	}
}

// outsideTenants are the only tables without a tenant, each for its reason.
func outsideTenants() map[string]string {
	return map[string]string{
		"tenants":          "the companies themselves",
		"logins":           "a person signs in once for all companies",
		"login_tenants":    "who signs in where",
		"password_resets":  "of a sign-in",
		"goose_db_version": "the migrations",
	}
}

// swept are the tables that the sweeper's role may touch, with its privileges.
func swept() []string {
	return []string{"financial_rules SELECT", "idempotency_keys DELETE,SELECT", "invitations SELECT", "sessions SELECT"}
}

func TestSchema_ListsEveryTableByName(t *testing.T) {
	t.Parallel()
	got := testkit.Column[string](t, testkit.PackageDatabase(t), `SELECT relname::text FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`)

	want := businessTables()
	for table := range outsideTenants() {
		want = append(want, table)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("add the table to businessTables() in internal/db/schema_test.go:\ngot  %v\nwant %v", got, want)
	}
}

// rule is a query of the catalogue that returns what breaks it.
type rule struct{ name, sql string }

func rules() []rule {
	return []rule{
		{"every business table has tenant_id uuid NOT NULL, first in its primary key", `
			SELECT t FROM unnest($1::text[]) t WHERE NOT EXISTS (
				SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
				WHERE i.indrelid = t::regclass AND i.indisprimary AND a.attname = 'tenant_id' AND a.attnotnull AND a.atttypid = 'uuid'::regtype)`},
		{"every business table has row-level security, not forced", `
			SELECT relname::text FROM pg_class WHERE oid = ANY ($1::text[]::regclass[]) AND (NOT relrowsecurity OR relforcerowsecurity)`},
		{"every business table has the tenant policy, for all commands and roles", `
			SELECT t FROM unnest($1::text[]) t WHERE NOT EXISTS (
				SELECT FROM pg_policy p WHERE p.polrelid = t::regclass AND p.polname = 'tenant' AND p.polcmd = '*' AND p.polpermissive AND p.polroles = '{0}'
				AND p.polwithcheck IS NULL AND pg_get_expr(p.polqual, p.polrelid) =
					'(tenant_id = (NULLIF(current_setting(''app.tenant_id''::text, true), ''''::text))::uuid)')`},
		{"every other policy is the sweeper's", `
			SELECT polrelid::regclass || '.' || polname FROM pg_policy
			WHERE polname <> 'tenant' AND (polroles <> ARRAY['fh_sweeper'::regrole::oid] OR NOT polrelid = ANY ($1::text[]::regclass[]))`},
		{"a foreign key to a business table carries the tenant on both sides", `
			SELECT c.conrelid::regclass || '.' || c.conname FROM pg_constraint c
			WHERE c.contype = 'f' AND c.confrelid = ANY ($1::text[]::regclass[]) AND NOT EXISTS (
				SELECT FROM generate_subscripts(c.conkey, 1) n
				JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[n] AND a.attname = 'tenant_id'
				JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[n] AND b.attname = 'tenant_id')`},
		{"a foreign key restricts or cascades, and is never deferrable", `
			SELECT conrelid::regclass || '.' || conname FROM pg_constraint
			WHERE contype = 'f' AND $1::text[] IS NOT NULL
				AND (confdeltype NOT IN ('a', 'r', 'c') OR confupdtype NOT IN ('a', 'r') OR condeferrable OR NOT convalidated)`},
		{"no constraint is deferrable", `
			SELECT conrelid::regclass || '.' || conname FROM pg_constraint WHERE condeferrable AND $1::text[] IS NOT NULL`},
		{"a unique index or an exclusion constraint of a business table contains the tenant", `
			SELECT i.indexrelid::regclass::text FROM pg_index i
			WHERE i.indrelid = ANY ($1::text[]::regclass[]) AND (i.indisunique OR i.indisexclusion) AND NOT EXISTS (
				SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = 'tenant_id' AND a.attnum = ANY (i.indkey))`},
		{"there are no triggers", `
			SELECT tgrelid::regclass || '.' || tgname FROM pg_trigger WHERE NOT tgisinternal AND $1::text[] IS NOT NULL`},
		{"every index is valid", `
			SELECT indexrelid::regclass::text FROM pg_index WHERE NOT (indisvalid AND indisready) AND $1::text[] IS NOT NULL`},
		{"the server's roles are neither superusers nor bypass row-level security", `
			SELECT rolname::text FROM pg_roles WHERE rolname IN ('fh_app', 'fh_sweeper') AND $1::text[] IS NOT NULL
				AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)`},
		{"the server's role takes the sweeper's policies only where it asks for them", `
			SELECT rolname::text FROM pg_roles WHERE rolname = 'fh_app' AND rolinherit AND $1::text[] IS NOT NULL`},
		{"the server's roles own nothing", `
			SELECT d.classid::regclass || ' ' || d.objid FROM pg_shdepend d
			WHERE d.refobjid IN ('fh_app'::regrole, 'fh_sweeper'::regrole) AND d.deptype = 'o' AND $1::text[] IS NOT NULL
				AND d.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`},
		{"the server's roles can neither truncate, nor refer to, nor add triggers to a table, nor create one", `
			SELECT c.oid::regclass || ' ' || p FROM pg_class c, unnest(ARRAY['TRUNCATE', 'REFERENCES', 'TRIGGER']) p
			WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND $1::text[] IS NOT NULL
				AND (has_table_privilege('fh_app', c.oid, p) OR has_table_privilege('fh_sweeper', c.oid, p))
			UNION ALL SELECT 'CREATE' WHERE has_schema_privilege('fh_app', 'public', 'CREATE')`},
		{"a partition is reached through its parent only, where its policies are", `
			SELECT c.oid::regclass::text FROM pg_class c WHERE c.relispartition AND $1::text[] IS NOT NULL AND c.relkind = 'r'
				AND (has_table_privilege('fh_app', c.oid, 'SELECT, INSERT, UPDATE, DELETE') OR has_table_privilege('fh_sweeper', c.oid, 'SELECT, INSERT, UPDATE, DELETE'))`},
		{"a function that acts as its owner fixes its search path", `
			SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef AND $1::text[] IS NOT NULL
				AND NOT EXISTS (SELECT FROM unnest(p.proconfig) c WHERE c LIKE 'search_path=%')`},
	}
}

func TestSchema_KeepsItsRules(t *testing.T) {
	t.Parallel()
	d := testkit.PackageDatabase(t)
	for _, r := range rules() {
		if broken := testkit.Column[string](t, d, r.sql, businessTables()); len(broken) > 0 {
			t.Errorf("%s, but not: %s", r.name, strings.Join(broken, ", "))
		}
	}
}

func TestSchema_GivesTheSweeperOnlyWhatItSweeps(t *testing.T) {
	t.Parallel()
	got := testkit.Column[string](t, testkit.PackageDatabase(t), `SELECT relname || ' ' || string_agg(p, ',' ORDER BY p)
		FROM pg_class, unnest(ARRAY['DELETE', 'INSERT', 'SELECT', 'UPDATE']) p
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND
			CASE p WHEN 'DELETE' THEN has_table_privilege('fh_sweeper', oid, p) ELSE has_any_column_privilege('fh_sweeper', oid, p) END
		GROUP BY relname ORDER BY 1`)

	if !slices.Equal(got, swept()) {
		t.Errorf("got %v, want %v", got, swept())
	}
}

// TestSchema_NamesEveryConstraint looks for each name in the migrations' text:
// one that PostgreSQL made up is not there, and may differ on another engine.
func TestSchema_NamesEveryConstraint(t *testing.T) {
	t.Parallel()
	text := migrationText(t)
	names := testkit.Column[string](t, testkit.PackageDatabase(t), `SELECT conname::text FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
		WHERE c.connamespace = 'public'::regnamespace AND NOT r.relispartition AND r.relname <> 'goose_db_version'
		UNION SELECT indexrelid::regclass::text FROM pg_index i JOIN pg_class r ON r.oid = i.indrelid
		WHERE r.relnamespace = 'public'::regnamespace AND NOT r.relispartition AND r.relname <> 'goose_db_version'`)

	if len(names) < 20 {
		t.Fatalf("only %d names", len(names))
	}
	for _, name := range names {
		if !named(text, name) {
			t.Errorf("%s is not named in a migration: write CONSTRAINT %s, or name the index", name, name)
		}
	}
}

// named reports that a text holds a name, or a template of it: a migration that
// makes several tables of one shape writes %1$s_pkey.
func named(text, name string) bool {
	pattern := regexp.QuoteMeta(name)
	for i, c := range name {
		if c == '_' {
			pattern += `|%(\d\$)?[sI]` + regexp.QuoteMeta(name[i:])
		}
	}
	return regexp.MustCompile(`(^|[^\w])(` + pattern + `)\b`).MatchString(text)
}

func migrationText(t *testing.T) string {
	t.Helper()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := migrations.FS.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		fmt.Fprintln(&all, up)
	}
	return all.String()
}

// TestSchema_UsesNothingThatADistributedEngineLacks reads the text for what the
// catalogue does not keep.
func TestSchema_UsesNothingThatADistributedEngineLacks(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{`(?i)SET NULL`, `(?i)SET DEFAULT`, `(?i)\bDEFERRABLE\b`, `(?i)CREATE\s+(CONSTRAINT\s+)?TRIGGER`, `(?i)\bserial\b`, `(?i)GENERATED\s+\w+\s+AS\s+IDENTITY`} {
		if found := regexp.MustCompile(pattern).FindString(migrationText(t)); found != "" {
			t.Errorf("a migration uses %s", found)
		}
	}
}
