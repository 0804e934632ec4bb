package management_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/testkit"
)

// refresh renews a session by a token, at any server of the database.
func refresh(t *testing.T, s *testkit.Server, token string) *testkit.Response {
	t.Helper()
	return s.Anonymous().Post(t, on("/refresh"), testkit.M{"refresh_token": token})
}

// renewed is the person with the tokens of an answer.
func renewed(t *testing.T, s *testkit.Server, p person, r *testkit.Response) person {
	t.Helper()
	return entered(t, s, p.email, r.Want(t, http.StatusOK))
}

// race renews the session of one token n times at the same moment.
func race(t *testing.T, s *testkit.Server, p person, n int) []person {
	t.Helper()
	siblings := make([]person, n)
	for i, r := range testkit.AtOnce(n, func(int) *testkit.Response { return refresh(t, s, p.refresh) }) {
		siblings[i] = renewed(t, s, p, r)
	}
	return siblings
}

func wantEnded(t *testing.T, s *testkit.Server, all ...person) {
	t.Helper()
	for i, p := range all {
		if r := p.Get(t, on("/me")); r.Status != http.StatusUnauthorized {
			t.Errorf("access token %d still works: %s", i, r)
		}
		refresh(t, s, p.refresh).WantProblem(t, http.StatusUnauthorized, "unauthorized")
	}
}

// standing is a server whose clock stands, and that clock.
func standing(t *testing.T) (*testkit.Server, *clock.Fake) {
	t.Helper()
	now := clock.NewFake(clock.System{}.Now())
	return testkit.New(t, testkit.WithClock(now)), now
}

func TestRefresh_OfOneTokenAtOnceGivesEachItsOwnTokens(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(clock.System{}.Now())
	processes := []*testkit.Server{testkit.New(t, testkit.WithClock(now)), testkit.New(t, testkit.WithClock(now))}
	owner := signUp(t, processes[0])

	answers := testkit.AtOnce(10, func(i int) *testkit.Response { return refresh(t, processes[i%2], owner.refresh) })

	siblings := make([]person, len(answers))
	for i, r := range answers {
		siblings[i] = renewed(t, processes[i%2], owner, r)
		siblings[i].Get(t, on("/me")).Want(t, http.StatusOK)
	}
	for range 2 { // each goes on by itself, at its own time
		for i, sibling := range siblings {
			now.Advance(time.Minute)
			siblings[i] = renewed(t, processes[i%2], owner, refresh(t, processes[i%2], sibling.refresh))
			siblings[i].Get(t, on("/me")).Want(t, http.StatusOK)
		}
	}
	if n := len(siblings[0].All(t, on("/sessions"))); n != 1 {
		t.Errorf("the person sees %d sessions", n)
	}
}

func TestRefresh_RotatesAndEndsTheSessionOnReuseAfterTheLeeway(t *testing.T) {
	t.Parallel()
	s, now := standing(t)
	owner := signUp(t, s)
	siblings := race(t, s, owner, 3)

	now.Advance(auth.RefreshLeeway - clock.Precision)
	siblings = append(siblings, renewed(t, s, owner, refresh(t, s, owner.refresh)))
	now.Advance(clock.Precision)
	refresh(t, s, owner.refresh).WantProblem(t, http.StatusUnauthorized, "unauthorized")

	wantEnded(t, s, siblings...)
	events := testkit.Column[string](t, s.Database, `SELECT action FROM audit_log WHERE tenant_id = $1`, owner.tenant)
	if !slices.Contains(events, "session.refresh_reused") {
		t.Errorf("the audit log has %v", events)
	}
}

func TestRefresh_EndsTheSessionOnReuseOfAnOlderTokenAtOnce(t *testing.T) {
	t.Parallel()
	s, _ := standing(t)
	owner := signUp(t, s)
	siblings := race(t, s, owner, 2)
	third := renewed(t, s, owner, refresh(t, s, siblings[0].refresh))

	refresh(t, s, owner.refresh).WantProblem(t, http.StatusUnauthorized, "unauthorized")

	wantEnded(t, s, append(siblings, third)...)
}

func TestRefresh_LetsASiblingBeLateWhileAnotherGoesOn(t *testing.T) {
	t.Parallel()
	s, now := standing(t)
	owner := signUp(t, s)
	siblings := race(t, s, owner, 2)

	quick := renewed(t, s, owner, refresh(t, s, siblings[0].refresh))
	late := renewed(t, s, owner, refresh(t, s, siblings[1].refresh))
	lateAgain := renewed(t, s, owner, refresh(t, s, siblings[1].refresh)) // and races with itself
	now.Advance(time.Hour)

	for _, p := range []person{quick, late, lateAgain} {
		renewed(t, s, owner, refresh(t, s, p.refresh))
	}
}

func TestRefresh_KeepsABoundedNumberOfTokens(t *testing.T) {
	t.Parallel()
	s, now := standing(t)
	owner := signUp(t, s)
	var last person
	for range 40 {
		last = renewed(t, s, owner, refresh(t, s, owner.refresh))
		now.Advance(time.Millisecond)
	}

	n := testkit.Value[int](t, s.Database, `SELECT count(*) FROM session_tokens WHERE tenant_id = $1 AND spent_at IS NULL`, owner.tenant)
	if n != 32 {
		t.Errorf("the session goes on by %d tokens", n)
	}
	now.Advance(time.Minute)
	renewed(t, s, owner, refresh(t, s, last.refresh))
	if n := testkit.Value[int](t, s.Database, `SELECT count(*) FROM session_tokens WHERE tenant_id = $1 AND spent_at IS NOT NULL`, owner.tenant); n != 1 {
		t.Errorf("%d tokens that were given up are kept", n)
	}
}

func TestRefresh_EndsAllSiblingsAtOnce(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	for name, end := range map[string]func(t *testing.T, owner, member person){
		"by its own sign-out":  func(t *testing.T, _, m person) { m.Post(t, on("/logout"), nil).Want(t, http.StatusNoContent) },
		"by all sessions' end": func(t *testing.T, _, m person) { m.Post(t, on("/logout_all"), nil).Want(t, http.StatusNoContent) },
		"by a deactivation": func(t *testing.T, o, m person) {
			o.Post(t, on("/members/"+m.member+"/deactivate"), nil).Want(t, http.StatusOK)
		},
		"by a password reset": func(t *testing.T, _, m person) {
			s.Anonymous().Post(t, on("/password_reset"), testkit.M{"email": m.email}).Want(t, http.StatusAccepted)
			s.Anonymous().Post(t, on("/password_reset/confirm"), testkit.M{"token": resetLink(t, s, m.email), "password": "outro-cavalo-correto"}).
				Want(t, http.StatusNoContent)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner := signUp(t, s)
			member := owner.colleague(t, "admin")
			siblings := race(t, s, member, 3)

			end(t, owner, siblings[0])

			wantEnded(t, s, append(siblings, member)...)
		})
	}
}
