package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/httpapi"
)

// pgbench runs the statements of a keyed POST as a person would send them by
// hand, in the same three round trips and under the same role.
func (w *world) pgbench(ctx context.Context, connections int, each time.Duration) (measurement, error) {
	script := filepath.Join(w.dir, "post.sql")
	if err := os.WriteFile(script, []byte(w.script()), 0o600); err != nil {
		return measurement{}, err
	}
	logPrefix := filepath.Join(w.dir, "pgbench")
	cmd := exec.CommandContext(ctx, filepath.Join(w.tools, "pgbench"), "-n", "-M", "prepared", "-c", strconv.Itoa(connections), //nolint:gosec // our own arguments
		"-j", strconv.Itoa(min(2, connections)), "-T", strconv.Itoa(max(1, int(each.Seconds()))), "-f", script, "-l", "--log-prefix", logPrefix, w.appURL)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return measurement{}, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	return readPgbench(string(out), logPrefix)
}

func readPgbench(out, logPrefix string) (measurement, error) {
	var m measurement
	found := regexp.MustCompile(`number of transactions actually processed: (\d+)`).FindStringSubmatch(out)
	rate := regexp.MustCompile(`tps = ([0-9.]+)`).FindStringSubmatch(out)
	if found == nil || rate == nil {
		return m, fmt.Errorf("pgbench said: %s", out)
	}
	processed, _ := strconv.Atoi(found[1])
	tps, _ := strconv.ParseFloat(rate[1], 64)
	took, err := pgbenchLatencies(logPrefix)
	if err != nil {
		return m, err
	}
	m.summarise(took)
	m.requests, m.seconds = processed, float64(processed)/tps
	return m, nil
}

func pgbenchLatencies(prefix string) ([]time.Duration, error) {
	files, err := filepath.Glob(prefix + ".*")
	if err != nil {
		return nil, err
	}
	var took []time.Duration
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(raw)) {
			fields := strings.Fields(line)
			us, err := strconv.ParseInt(fields[2], 10, 64)
			if err != nil {
				return nil, err
			}
			took = append(took, time.Duration(us)*time.Microsecond)
		}
		if err := os.Remove(f); err != nil {
			return nil, err
		}
	}
	return took, nil
}

// script writes the hot path's own statements with values in the place of their
// parameters, so that the two never drift apart.
func (w *world) script() string {
	hash := w.token.Hash()
	key := ":k1::text || '-' || :k2::text"
	rowID := fmt.Sprintf("encode(substr(sha256(uuid_send('%s'::uuid) || convert_to(%s, 'UTF8')), 1, 16), 'hex')::uuid", w.keyID, key)
	fence := "md5(" + key + ")::uuid"
	begin := fmt.Sprintf("BEGIN;\nSET LOCAL app.tenant_id = '%s';\n", w.tenant)
	claim := fill(httpapi.ClaimSQL(auth.KindAPIKey), []string{
		fmt.Sprintf("'%s'::uuid", w.tenant), fmt.Sprintf(`'\x%x'::bytea`, hash), "'127.0.0.1'", "ARRAY['clients' || chr(58) || 'write']", key, "'POST'", "'/public/v1/clients'",
		"1", `'\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'::bytea`, `'\x00'::bytea`, fence, "'bench'", "180.0::float8", "86400.0::float8",
	})
	insert := fmt.Sprintf(`INSERT INTO clients (tenant_id, id, kind, name, name_sort, email, email_key, mobile, tags, notes, status, metadata, created_at, updated_at, version)
VALUES ('%s', md5('c' || %s)::uuid, 'person', 'Ana Souza', 'ana souza', 'ana@example.com', 'ana@example.com', '+5511912345678', '{vip}', 'Prefere contato por WhatsApp.', 'active', '{}', now(), now(), 1)`, w.tenant, key)
	words := fmt.Sprintf(`INSERT INTO search_tokens (tenant_id, resource, id, token) SELECT '%s'::uuid, 'client', md5('c' || %s)::uuid,
unnest('{ana,souza,example,com,5511912345678,11912345678,912345678,#vip}'::text[])`, w.tenant, key)
	audit := fmt.Sprintf(`INSERT INTO audit_log (tenant_id, id, at, actor_type, actor_id, actor_name, action, resource, resource_id, details, request_id, ip)
VALUES ('%s', md5('a' || %s)::uuid, now(), 'api_key', '%s', 'bench', 'client.created', 'client', md5('c' || %s)::uuid, '{}', 'bench', '127.0.0.1')`, w.tenant, key, w.keyID, key)
	finish := fmt.Sprintf(`WITH done AS (UPDATE idempotency_keys SET state = 'done', completed_at = now(), status = 201, content_type = 'application/json',
location = '/public/v1/clients/00000000-0000-0000-0000-000000000000', etag = '"v1-0011223344556677"', body = convert_to(repeat('x', 600), 'UTF8'), shaped_by = '{}'
WHERE tenant_id = '%s' AND id = %s AND fence = %s AND state = 'in_flight' RETURNING id) SELECT 1 / count(*) FROM done`, w.tenant, rowID, fence)
	return "\\set k1 random(1, 9000000000000000000)\n\\set k2 random(1, 9000000000000000000)\n" +
		"\\startpipeline\n" + begin + "SET LOCAL synchronous_commit = off;\n" + claim + ";\nCOMMIT;\n" + begin + "\\endpipeline\n" +
		insert + ";\n" +
		"\\startpipeline\n" + words + ";\n" + audit + ";\n" + finish + ";\nCOMMIT;\n\\endpipeline\n"
}

// fill replaces $14 … $1, from the highest, so that $1 does not eat $14.
func fill(sql string, values []string) string {
	for i := len(values); i > 0; i-- {
		sql = strings.ReplaceAll(sql, "$"+strconv.Itoa(i), "("+values[i-1]+")")
	}
	return strings.ReplaceAll(sql, "\n\n", "\n")
}
