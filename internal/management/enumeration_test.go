package management_test

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/config"
	"fatureihoje/internal/testkit"
)

// emails are one of each kind that an answer must not tell apart.
func emails(t *testing.T, s *testkit.Server) map[string]string {
	t.Helper()
	owner := signUp(t, s)
	gone := owner.colleague(t, "admin")
	owner.Post(t, on("/members/"+gone.member+"/deactivate"), nil).Want(t, http.StatusOK)
	return map[string]string{"known": owner.email, "unknown": newEmail(), "deactivated": gone.email}
}

// ways are the calls that take an e-mail of somebody who is not signed in, and
// must not tell whether anybody has it.
func ways() map[string]testkit.M {
	return map[string]testkit.M{"/login": {"password": password + "!"}, "/password_reset": {}}
}

func withEmail(body testkit.M, email string) testkit.M {
	body = maps.Clone(body)
	body["email"] = email
	return body
}

// shape is all of an answer but what belongs to the request alone.
func shape(r *testkit.Response) string {
	h := r.Header.Clone()
	h.Del("X-Request-Id")
	h.Del("Date")
	return fmt.Sprintf("%d\n%v\n%s", r.Status, h, strings.ReplaceAll(string(r.Body), r.RequestID(), "ID"))
}

func TestAnswers_DoNotTellWhetherAnEMailIsKnown(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	kinds := emails(t, s)
	for path, body := range ways() {
		unknown := shape(s.Anonymous().Post(t, on(path), withEmail(body, kinds["unknown"])))
		for name, email := range kinds {
			if got := shape(s.Anonymous().Post(t, on(path), withEmail(body, strings.ToUpper(email)))); got != unknown {
				t.Errorf("%s: %s differs from unknown:\n%s\n---\n%s", path, name, got, unknown)
			}
		}
	}
	right, wrong := signIn(t, s, kinds["deactivated"], password), signIn(t, s, newEmail(), password)
	if shape(right) != shape(wrong) {
		t.Errorf("the right password of a deactivated person: %s", right)
	}
}

// TestAnswers_TakeTheSameTimeForEveryEMail does not run beside other tests.
func TestAnswers_TakeTheSameTimeForEveryEMail(t *testing.T) {
	// A mail server that never answers: whoever waits for it, waits long.
	mute, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mute.Close() })
	s := testkit.New(t, testkit.WithConfig(func(c *config.Config) { c.SMTPURL = "smtp://" + mute.Addr().String() + "?from=x@example.com" }))
	kinds := emails(t, s)
	for path, body := range ways() {
		var timed []testkit.Timed
		for name, email := range kinds {
			timed = append(timed, testkit.Timed{Name: path + " " + name, Do: func() { s.Anonymous().Post(t, on(path), withEmail(body, email)) }})
		}
		testkit.WantAlikeInTime(t, 15, timed...)
	}
}

func TestInvite_DoesNotTellWhetherAnEMailIsKnownElsewhere(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner, kinds := company(t, s), emails(t, s)
	members := func(email string) []string {
		r := owner.Post(t, on("/invitations"), testkit.M{"email": email, "role": "admin"}).Want(t, http.StatusCreated)
		return slices.Sorted(maps.Keys(object(r.JSON(), "invitation")))
	}

	unknown := members(kinds["unknown"])
	for name, email := range kinds {
		if got := members(email); !slices.Equal(got, unknown) {
			t.Errorf("%s: %v, unknown: %v", name, got, unknown)
		}
	}
}
