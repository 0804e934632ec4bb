package management_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/testkit"
)

func narrow() []string { return []string{"clients:read", "clients:write"} }

func TestCreateAPIKey_ShowsItsSecretOnce(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))

	r := owner.Post(t, on("/api_keys"), testkit.M{"name": "Loja", "scopes": narrow()}).Want(t, http.StatusCreated)

	secret := r.Text("secret")
	key := object(r.JSON(), "api_key")
	if !strings.HasPrefix(secret, "fh_live_") || key["state"] != "active" || key["hint"] != secret[len(secret)-4:] {
		t.Errorf("got %s", r)
	}
	if r.Header.Get("Location") != on("/api_keys/"+key["id"].(string)) {
		t.Errorf("the location is %q", r.Header.Get("Location"))
	}
	for _, path := range []string{"/api_keys", "/api_keys/" + key["id"].(string), "/audit"} {
		if strings.Contains(owner.Get(t, on(path)).Want(t, http.StatusOK).String(), secret) {
			t.Errorf("%s shows the secret", path)
		}
	}
	owner.public(r).Get(t, "/public/v1/clients").Want(t, http.StatusOK)
}

func TestCreateAPIKey_RepeatedWithItsKeyMakesOneAndHidesTheSecret(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	body, k := testkit.M{"name": "Loja", "scopes": narrow()}, testkit.NewKey()
	owner.Post(t, on("/api_keys"), body, testkit.Key(k)).Want(t, http.StatusCreated)

	again := owner.Post(t, on("/api_keys"), body, testkit.Key(k))

	if again.WantProblem(t, http.StatusConflict, "conflict").Text("reason") != "response_not_stored" {
		t.Errorf("got %s", again)
	}
	if n := len(owner.All(t, on("/api_keys"))); n != 1 {
		t.Errorf("there are %d keys", n)
	}
}

func TestCreateAPIKey_RefusesWhatItsMakerOrMemberMayNot(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := company(t, s)
	clerk := owner.colleague(t, "member", "clients:read")
	foreign := company(t, s)
	gone := owner.colleague(t, "member", "clients:read")
	owner.Post(t, on("/members/"+gone.member+"/deactivate"), nil).Want(t, http.StatusOK)
	create := func(p person, member string, scopes ...string) *testkit.Response {
		body := testkit.M{"name": "k", "scopes": scopes}
		if member != "" {
			body["member_id"] = member
		}
		return p.Post(t, on("/api_keys"), body)
	}

	lacks := create(clerk, "", "clients:write").WantProblem(t, http.StatusForbidden, "forbidden")
	if lacks.Text("required_permission") != "clients:write" || lacks.Text("lacked_by") != "member" {
		t.Errorf("got %s", lacks)
	}
	create(owner, clerk.member, "clients:write").WantProblem(t, http.StatusForbidden, "forbidden")
	if r := create(clerk, owner.member, "clients:read").WantProblem(t, http.StatusForbidden, "forbidden"); r.Text("required_permission") != "manage" {
		t.Errorf("got %s", r)
	}
	for _, unknown := range []string{foreign.member, testkit.RandomID(), gone.member} {
		create(owner, unknown, "clients:read").WantFieldErrors(t, "/member_id unknown_reference")
	}
	create(owner, clerk.member, "clients:read").Want(t, http.StatusCreated)
	create(clerk, clerk.member, "clients:read").Want(t, http.StatusCreated)
	if n := testkit.Value[int](t, s.Database, `SELECT count(*) FROM api_keys WHERE tenant_id = $1`, owner.tenant); n != 2 {
		t.Errorf("there are %d keys", n)
	}
}

func TestCreateAPIKey_ReportsEveryInvalidMember(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))

	r := owner.Post(t, on("/api_keys"), testkit.M{
		"name": "k", "scopes": []string{"clients:read", "manage", "x:y"}, "expires_at": "2020-01-01T00:00:00Z",
		"allowed_ips": []string{"10.0.0.0/8", "10.0.0.0/99", "casa"},
	})

	r.WantFieldErrors(t, "/scopes/1 unknown_permission", "/scopes/2 unknown_permission", "/expires_at past",
		"/allowed_ips/1 network", "/allowed_ips/2 network")
	owner.Post(t, on("/api_keys"), testkit.M{"name": strings.Repeat("a", 81), "scopes": []string{}}).
		WantFieldErrors(t, "/name too_long", "/scopes too_few_items")
}

func TestAPIKey_WorksOnlyFromItsNetworks(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	key, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow(), "allowed_ips": []string{"127.0.0.1", "::ffff:10.1.2.3", "10.9.8.7/8", "10.0.0.0/8"}})

	got := owner.Get(t, on("/api_keys/"+id)).Want(t, http.StatusOK).Text("allowed_ips")
	key.Get(t, "/public/v1/clients").Want(t, http.StatusOK)
	owner.Patch(t, on("/api_keys/"+id), testkit.M{"allowed_ips": []string{"2001:db8::/32"}}).Want(t, http.StatusOK)

	if got != `["127.0.0.1/32","10.1.2.3/32","10.0.0.0/8"]` {
		t.Errorf("the networks are %s", got)
	}
	refused := key.Get(t, "/public/v1/clients").WantProblem(t, http.StatusForbidden, "forbidden")
	if refused.Text("reason") != "ip_not_allowed" {
		t.Errorf("got %s", refused)
	}
	owner.Patch(t, on("/api_keys/"+id), testkit.M{"allowed_ips": nil}).Want(t, http.StatusOK)
	key.Get(t, "/public/v1/clients").Want(t, http.StatusOK)
}

func TestUpdateAPIKey_TakesEffectOnTheNextRequest(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	key, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}).Want(t, http.StatusCreated)

	r := owner.Patch(t, on("/api_keys/"+id), testkit.M{"scopes": []string{"clients:read"}, "require_idempotency_key": true, "name": "novo"})

	if r.Want(t, http.StatusOK).Text("name") != "novo" || r.Text("version") != "2" {
		t.Errorf("got %s", r)
	}
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}).WantProblem(t, http.StatusForbidden, "forbidden")
	key.Get(t, "/public/v1/clients").Want(t, http.StatusOK)
	owner.Patch(t, on("/api_keys/"+id), testkit.M{"name": "x"}, testkit.Header("If-Match", `"v1-0"`)).Want(t, http.StatusPreconditionFailed)
	owner.Patch(t, on("/api_keys/"+id), testkit.M{"scopes": narrow()}).Want(t, http.StatusOK)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}).WantProblem(t, http.StatusBadRequest, "idempotency_key_required")
	owner.Patch(t, on("/api_keys/"+id), testkit.M{"expires_at": "2020-01-01T00:00:00Z"}).WantFieldErrors(t, "/expires_at past")
}

func TestRevokeAPIKey_EndsItOnTheNextRequest(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := company(t, s)
	key, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	elsewhere := key.On(testkit.New(t, testkit.Alone()))
	elsewhere.Get(t, "/public/v1/clients").Want(t, http.StatusOK)

	r := owner.Post(t, on("/api_keys/"+id+"/revoke"), nil).Want(t, http.StatusOK)

	for _, c := range []*testkit.Client{key, elsewhere} {
		c.Get(t, "/public/v1/clients").WantProblem(t, http.StatusUnauthorized, "api_key_revoked")
	}
	if r.Text("state") != "revoked" {
		t.Errorf("got %s", r)
	}
	again := owner.Post(t, on("/api_keys/"+id+"/revoke"), nil).WantProblem(t, http.StatusConflict, "invalid_state")
	if again.Text("current") != "revoked" {
		t.Errorf("got %s", again)
	}
	owner.Post(t, on("/api_keys/"+id+"/rotate"), nil).WantProblem(t, http.StatusConflict, "invalid_state")
	owner.Patch(t, on("/api_keys/"+id), testkit.M{"name": "x"}).WantProblem(t, http.StatusConflict, "invalid_state")
}

func TestRotateAPIKey_CarriesEverythingOverButTheSecret(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	clerk := owner.colleague(t, "member", narrow()...)
	expiry := time.Now().UTC().Add(48 * time.Hour).Format(time.RFC3339)
	for _, grace := range []int{0, 3600} {
		old, id := owner.key(t, testkit.M{
			"name": "Loja", "scopes": narrow(), "member_id": clerk.member, "expires_at": expiry,
			"allowed_ips": []string{"127.0.0.0/8"}, "require_idempotency_key": true,
		})
		k := testkit.NewKey()
		old.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, http.StatusCreated)

		r := owner.Post(t, on("/api_keys/"+id+"/rotate"), testkit.M{"grace_seconds": grace}).Want(t, http.StatusCreated)

		before, after := object(r.JSON(), "previous"), object(r.JSON(), "api_key")
		for _, member := range []string{"name", "member_id", "expires_at", "line_id", "require_idempotency_key"} {
			if before[member] != after[member] {
				t.Errorf("%s: %v became %v", member, before[member], after[member])
			}
		}
		for _, member := range []string{"scopes", "allowed_ips"} {
			if !slices.Equal(before[member].([]any), after[member].([]any)) {
				t.Errorf("%s: %v became %v", member, before[member], after[member])
			}
		}
		if before["id"] != id || after["id"] == id || after["generation"].(interface{ String() string }).String() != "2" {
			t.Errorf("got %s", r)
		}
		next := owner.public(r)
		fresh := next.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, http.StatusCreated)
		if fresh.Replayed() {
			t.Error("the new key sees the old key's space")
		}
		if grace == 0 {
			old.Get(t, "/public/v1/clients").WantProblem(t, http.StatusUnauthorized, "api_key_revoked")
			continue
		}
		replay := old.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, http.StatusCreated)
		if !replay.Replayed() {
			t.Error("the old key has lost its space in its grace")
		}
	}
}

// endsIn moves the end of a key in its grace, by the database's clock.
func endsIn(t *testing.T, s *testkit.Server, id, interval string) {
	t.Helper()
	if n := s.Database.Exec(t, `UPDATE api_keys SET ends_at = now() + $2::interval WHERE id = $1`, id, interval); n != 1 {
		t.Fatalf("there is no key %s", id)
	}
}

func TestRotateAPIKey_EndsTheOldOneAtItsDeadline(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := company(t, s)
	old, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	owner.Post(t, on("/api_keys/"+id+"/rotate"), testkit.M{"grace_seconds": 3600}).Want(t, http.StatusCreated)
	old.Get(t, "/public/v1/clients").Want(t, http.StatusOK)

	endsIn(t, s, id, "2 seconds")
	old.Get(t, "/public/v1/clients").Want(t, http.StatusOK)
	endsIn(t, s, id, "0 seconds") // at the deadline

	old.Get(t, "/public/v1/clients").WantProblem(t, http.StatusUnauthorized, "api_key_revoked")
	if state := owner.Get(t, on("/api_keys/"+id)).Text("state"); state != "rotated" {
		t.Errorf("the old key is %s", state)
	}
}

func TestRotateAPIKey_LeavesTwoLivingGenerationsAtMost(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	first, firstID := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	rotate := func(id string, grace int) *testkit.Response {
		return owner.Post(t, on("/api_keys/"+id+"/rotate"), testkit.M{"grace_seconds": grace})
	}
	pending := func(r *testkit.Response) {
		t.Helper()
		if r.WantProblem(t, http.StatusConflict, "conflict").Text("reason") != "rotation_pending" {
			t.Errorf("got %s", r)
		}
	}

	r := rotate(firstID, 3600).Want(t, http.StatusCreated)
	second, secondID := owner.public(r), object(r.JSON(), "api_key")["id"].(string)
	pending(rotate(firstID, 0))
	pending(rotate(firstID, 60))
	pending(rotate(secondID, 60))
	r = rotate(secondID, 0).Want(t, http.StatusCreated)
	third, thirdID := owner.public(r), object(r.JSON(), "api_key")["id"].(string)

	for _, dead := range []*testkit.Client{first, second} {
		dead.Get(t, "/public/v1/clients").Want(t, http.StatusUnauthorized)
	}
	third.Get(t, "/public/v1/clients").Want(t, http.StatusOK)
	if n := len(owner.All(t, on("/api_keys?living=true"))); n != 1 {
		t.Errorf("%d generations live", n)
	}
	r = rotate(thirdID, 3600).Want(t, http.StatusCreated)
	fourth := owner.public(r)
	owner.Post(t, on("/api_keys/"+object(r.JSON(), "api_key")["id"].(string)+"/revoke"), nil).Want(t, http.StatusOK)
	for _, dead := range []*testkit.Client{third, fourth} {
		dead.Get(t, "/public/v1/clients").Want(t, http.StatusUnauthorized)
	}
}

func TestRevokeAPIKey_OfTheOlderOneLeavesTheNewer(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	old, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	r := owner.Post(t, on("/api_keys/"+id+"/rotate"), testkit.M{"grace_seconds": 3600}).Want(t, http.StatusCreated)

	owner.Post(t, on("/api_keys/"+id+"/revoke"), nil).Want(t, http.StatusOK)

	old.Get(t, "/public/v1/clients").Want(t, http.StatusUnauthorized)
	owner.public(r).Get(t, "/public/v1/clients").Want(t, http.StatusOK)
	owner.Post(t, on("/api_keys/"+object(r.JSON(), "api_key")["id"].(string)+"/rotate"), testkit.M{"grace_seconds": 60}).Want(t, http.StatusCreated)
}

func TestRotateAPIKey_TenAtOnceMakeOne(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := company(t, s)
	for _, grace := range []int{0, 3600} {
		_, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})

		answers := testkit.AtOnce(10, func(int) *testkit.Response {
			return owner.Post(t, on("/api_keys/"+id+"/rotate"), testkit.M{"grace_seconds": grace})
		})

		won, lost := 0, 0
		for _, r := range answers {
			switch r.Status {
			case http.StatusCreated:
				won++
			case http.StatusConflict:
				lost++
			}
		}
		if won != 1 || lost != 9 {
			t.Errorf("grace %d: %d rotations won, %d conflicted", grace, won, lost)
		}
		n := testkit.Value[int](t, s.Database, `SELECT count(*) FROM api_keys WHERE line_id = $1`, id)
		if n != 2 {
			t.Errorf("grace %d: the line has %d generations", grace, n)
		}
	}
}

func TestRotateAPIKey_NeedsTheRightToCreateItsScopes(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	clerk := owner.colleague(t, "member", narrow()...)
	_, id := clerk.key(t, testkit.M{"name": "k", "scopes": narrow()})
	owner.Patch(t, on("/members/"+clerk.member), testkit.M{"permissions": []string{"clients:read"}}).Want(t, http.StatusOK)

	r := clerk.Post(t, on("/api_keys/"+id+"/rotate"), nil)

	if r.WantProblem(t, http.StatusForbidden, "forbidden").Text("required_permission") != "clients:write" {
		t.Errorf("got %s", r)
	}
	owner.Post(t, on("/api_keys/"+id+"/rotate"), testkit.M{"grace_seconds": 604_801}).WantFieldErrors(t, "/grace_seconds maximum")
	owner.Post(t, on("/api_keys/"+id+"/rotate"), testkit.M{"grace_seconds": -1}).WantFieldErrors(t, "/grace_seconds minimum")
}

func TestAPIKeys_OfOthersAreHiddenFromAMember(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	clerk := owner.colleague(t, "member", narrow()...)
	_, theirs := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	_, own := clerk.key(t, testkit.M{"name": "k", "scopes": narrow()})

	if list := clerk.All(t, on("/api_keys")); len(list) != 1 || list[0]["id"] != own {
		t.Errorf("a member sees %v", list)
	}
	if n := len(owner.All(t, on("/api_keys"))); n != 2 {
		t.Errorf("the owner sees %d", n)
	}
	clerk.Get(t, on("/api_keys/"+theirs)).Want(t, http.StatusNotFound)
	clerk.Patch(t, on("/api_keys/"+theirs), testkit.M{"name": "x"}).Want(t, http.StatusNotFound)
	clerk.Post(t, on("/api_keys/"+theirs+"/rotate"), nil).Want(t, http.StatusNotFound)
	clerk.Post(t, on("/api_keys/"+theirs+"/revoke"), nil).Want(t, http.StatusNotFound)
	clerk.Get(t, on("/api_keys/"+theirs+"/rotation_check")).Want(t, http.StatusNotFound)
	foreign := company(t, owner.Server)
	foreign.Get(t, on("/api_keys/"+theirs)).Want(t, http.StatusNotFound)
	foreign.Post(t, on("/api_keys/"+theirs+"/revoke"), nil).Want(t, http.StatusNotFound)
}

func TestAPIKey_FollowsItsMember(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	clerk := owner.colleague(t, "member", narrow()...)
	key, _ := clerk.key(t, testkit.M{"name": "k", "scopes": narrow()})
	k := testkit.NewKey()
	first := key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, http.StatusCreated)

	owner.Patch(t, on("/members/"+clerk.member), testkit.M{"permissions": []string{"clients:read"}}).Want(t, http.StatusOK)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).WantProblem(t, http.StatusForbidden, "forbidden")
	key.Get(t, "/public/v1/clients").Want(t, http.StatusOK)
	owner.Post(t, on("/members/"+clerk.member+"/deactivate"), nil).Want(t, http.StatusOK)
	key.Get(t, "/public/v1/clients").Want(t, http.StatusUnauthorized)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, http.StatusUnauthorized)

	owner.Post(t, on("/members/"+clerk.member+"/reactivate"), nil).Want(t, http.StatusOK)
	owner.Patch(t, on("/members/"+clerk.member), testkit.M{"permissions": narrow()}).Want(t, http.StatusOK)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).WantReplayOf(t, first)
}

func TestRotationCheck_NamesWhatARotationWouldLeaveBehind(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := company(t, s)
	key, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key("feita")).Want(t, http.StatusCreated)
	for k, state := range map[string]string{"voando": "in_flight", "incerta": "undecided", "falhou": "failed"} {
		key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, http.StatusCreated)
		s.Database.Exec(t, `UPDATE idempotency_keys SET state = $3 WHERE space_id = $1 AND key = $2`, id, k, state)
	}

	r := owner.Get(t, on("/api_keys/"+id+"/rotation_check")).Want(t, http.StatusOK)

	for member, want := range map[string]string{"in_flight": "1", "undecided": "1", "failed_unrepeated": "1"} {
		if r.Text(member) != want {
			t.Errorf("%s is %s", member, r.Text(member))
		}
	}
	if keys, _ := r.JSON()["keys"].([]any); len(keys) != 3 {
		t.Errorf("the keys are %v", keys)
	}
}

func TestAPIKey_IsRefusedInEveryWrongForm(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	key, _ := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	other := auth.NewToken(auth.LiveKey, uuidOf(t, owner.tenant)).Reveal()
	last := key.Secret[:len(key.Secret)-1] + map[bool]string{true: "1", false: "0"}[strings.HasSuffix(key.Secret, "0")]
	get := func(path string, headers ...string) *testkit.Response {
		c := owner.Server.Anonymous()
		var options []testkit.CallOption
		for _, h := range headers {
			options = append(options, testkit.Header("Authorization", h))
		}
		return c.Get(t, path, options...)
	}
	const path = "/public/v1/clients"

	get(path, "bearer "+key.Secret).Want(t, http.StatusOK)
	var first *testkit.Response
	for name, headers := range map[string][]string{
		"none": nil, "unknown": {"Bearer " + other}, "truncated": {"Bearer " + key.Secret[:40]}, "last character": {"Bearer " + last},
		"basic": {"Basic " + key.Secret}, "two headers": {"Bearer " + key.Secret, "Bearer " + key.Secret}, "bare": {key.Secret},
		"test prefix": {"Bearer " + strings.Replace(key.Secret, "fh_live_", "fh_test_", 1)},
	} {
		r := get(path, headers...).WantProblem(t, http.StatusUnauthorized, "unauthorized")
		if r.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: no WWW-Authenticate", name)
		}
		if first == nil {
			first = r
		}
		if r.Text("detail") != first.Text("detail") {
			t.Errorf("%s: another answer, %s", name, r)
		}
	}
	get(path+"?api_key="+key.Secret).Want(t, http.StatusUnauthorized)
}

func TestAPIKey_LastUseIsSeenAfterAFlush(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := company(t, s)
	key, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	key.Get(t, "/public/v1/clients").Want(t, http.StatusOK)

	if err := s.App.Usage.Flush(t.Context(), s.Pool()); err != nil {
		t.Fatal(err)
	}

	r := owner.Get(t, on("/api_keys/"+id)).Want(t, http.StatusOK)
	if r.Text("last_used_at") == "" || r.Text("last_ip") != "127.0.0.1" {
		t.Errorf("got %s", r)
	}
}

func TestAPIKey_ReadsDoNotWaitForItsLockedRow(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := company(t, s)
	key, id := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	conn := s.Database.Connect(t)
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `SELECT FROM api_keys WHERE id = $1 FOR UPDATE`, id); err != nil {
		t.Fatal(err)
	}

	answers := testkit.AtOnce(100, func(i int) *testkit.Response {
		if i%5 == 0 {
			return key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(testkit.NewKey()))
		}
		return key.Get(t, "/public/v1/clients")
	})

	for _, r := range answers {
		if r.Status >= http.StatusBadRequest {
			t.Errorf("got %s", r)
		}
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
}
