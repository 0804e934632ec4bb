package auth_test

import (
	"context"
	"slices"
	"testing"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/testkit"
)

// Each fills a table for a member with rows of one name: when they expire, and
// when they ended otherwise, if they did.
const (
	fillSessions = `INSERT INTO sessions (tenant_id, id, member_id, login_id, user_agent, created_at, refreshed_at, expires_at, ended_at)
		SELECT $1, gen_random_uuid(), $2, $3, $4, now(), now(), now() + $5::interval, now() + $6::interval FROM generate_series(1, $7::int)`
	fillTokens      = `INSERT INTO session_tokens (tenant_id, session_id, token_hash, created_at) SELECT tenant_id, id, 'x', created_at FROM sessions`
	fillInvitations = `INSERT INTO invitations (tenant_id, id, email, role, token_hash, invited_by, created_at, expires_at, accepted_at, revoked_at)
		SELECT $1, gen_random_uuid(), $3, 'admin', sha256(gen_random_uuid()::text::bytea), $2, now(), now() + $4::interval, now() + $5::interval, now() + $6::interval
		FROM generate_series(1, $7::int)`
	fillResets = `INSERT INTO password_resets (id, login_id, token_hash, created_at, expires_at, used_at)
		SELECT gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), now(), now() + $2::interval, now() + $3::interval FROM generate_series(1, $4::int)`
)

func TestSweep_DeletesWhatEndedLongAgoAndNothingElse(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t) // a sweep is over all tenants
	srv := testkit.New(t, testkit.WithDatabase(d))
	a, b := srv.Tenant(t), srv.Tenant(t)
	for _, m := range []testkit.Member{a.Owner, b.Owner} {
		tenant := a.ID
		if m.ID == b.Owner.ID {
			tenant = b.ID
		}
		d.Exec(t, fillSessions, tenant, m.ID, m.LoginID, "ended", "20 days", "-31 days", 600)
		d.Exec(t, fillSessions, tenant, m.ID, m.LoginID, "expired", "-31 days", nil, 600)
		d.Exec(t, fillSessions, tenant, m.ID, m.LoginID, "ended lately", "20 days", "-29 days", 3)
		d.Exec(t, fillSessions, tenant, m.ID, m.LoginID, "alive", "1 day", nil, 4)
		d.Exec(t, fillInvitations, tenant, m.ID, "expired", "-31 days", nil, nil, 5)
		d.Exec(t, fillInvitations, tenant, m.ID, "accepted", "-25 days", "-31 days", nil, 5)
		d.Exec(t, fillInvitations, tenant, m.ID, "cancelled", "-25 days", nil, "-31 days", 5)
		d.Exec(t, fillInvitations, tenant, m.ID, "accepted lately", "1 day", "-29 days", nil, 6)
		d.Exec(t, fillInvitations, tenant, m.ID, "pending", "1 day", nil, nil, 7)
		d.Exec(t, fillResets, m.LoginID, "-31 days", nil, 600)
		d.Exec(t, fillResets, m.LoginID, "-31 days", "-31 days", 600)
		d.Exec(t, fillResets, m.LoginID, "-29 days", "-29 days", 8)
		d.Exec(t, fillResets, m.LoginID, "1 hour", nil, 9)
	}
	d.Exec(t, fillTokens)

	swept, err := auth.Sweep(context.Background(), srv.Pool())
	if err != nil {
		t.Fatal(err)
	}

	if want := (auth.Swept{Sessions: 2_400, Invitations: 30, Resets: 2_400}); swept != want {
		t.Errorf("deleted %+v, want %+v", swept, want)
	}
	left := testkit.Column[string](t, d, `
		SELECT user_agent || ' ' || count(*) FROM sessions GROUP BY user_agent
		UNION ALL SELECT email || ' ' || count(*) FROM invitations GROUP BY email
		UNION ALL SELECT 'resets ' || count(*) FROM password_resets
		UNION ALL SELECT 'tokens ' || count(*) FROM session_tokens`)
	slices.Sort(left)
	if want := []string{"accepted lately 12", "alive 8", "ended lately 6", "pending 14", "resets 34", "tokens 14"}; !slices.Equal(left, want) {
		t.Errorf("left %v, want %v", left, want)
	}
	if again, err := auth.Sweep(context.Background(), srv.Pool()); err != nil || again.Sum() != 0 {
		t.Errorf("a second sweep deleted %+v, %v", again, err)
	}
}

// TestSweep_SeesOnlyWhatHasEnded: the policies keep the sweeper from what is
// still open, whatever its statement says, and from what it need not read.
func TestSweep_SeesOnlyWhatHasEnded(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t)
	tenant := testkit.New(t, testkit.WithDatabase(d)).Tenant(t)
	m := tenant.Owner
	d.Exec(t, fillSessions, tenant.ID, m.ID, m.LoginID, "ended", "1 day", "-1 second", 2)
	d.Exec(t, fillSessions, tenant.ID, m.ID, m.LoginID, "alive", "1 day", nil, 5)
	d.Exec(t, fillInvitations, tenant.ID, m.ID, "expired", "-1 second", nil, nil, 3)
	d.Exec(t, fillInvitations, tenant.ID, m.ID, "pending", "1 day", nil, nil, 5)
	conn := d.Connect(t)
	if _, err := conn.Exec(context.Background(), "SET ROLE fh_sweeper"); err != nil {
		t.Fatal(err)
	}

	for table, want := range map[string]int{"sessions": 2, "invitations": 3} {
		var n int
		if err := conn.QueryRow(context.Background(), "SELECT count(id) FROM "+table).Scan(&n); err != nil || n != want {
			t.Errorf("the sweeper sees %d %s, %v", n, table, err)
		}
		if _, err := conn.Exec(context.Background(), "DELETE FROM "+table); err == nil {
			t.Errorf("the sweeper may delete %s", table)
		}
	}
}

func TestSweep_ByManyAtOnceIsHarmless(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t)
	srv := testkit.New(t, testkit.WithDatabase(d))
	tenant := srv.Tenant(t)
	m := tenant.Owner
	d.Exec(t, fillSessions, tenant.ID, m.ID, m.LoginID, "ended", "1 day", "-40 days", 1_500)
	d.Exec(t, fillResets, m.LoginID, "-40 days", nil, 1_500)

	var total auth.Swept
	for i, swept := range testkit.AtOnce(3, func(int) auth.Swept {
		swept, err := auth.Sweep(context.Background(), srv.Pool())
		if err != nil {
			t.Error(err)
		}
		return swept
	}) {
		t.Logf("%d deleted %+v", i, swept)
		total.Sessions += swept.Sessions
		total.Resets += swept.Resets
	}

	left := testkit.Value[int](t, d, `SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM password_resets)`)
	if left != 0 || total.Sessions != 1_500 || total.Resets != 1_500 {
		t.Errorf("deleted %+v, left %d", total, left)
	}
}
