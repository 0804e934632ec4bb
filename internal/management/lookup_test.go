package management_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestMe_TellsWhatTheKeyIsAndMay(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	clerk := owner.colleague(t, "member", "clients:read", "sales:read")
	key, id := clerk.key(t, testkit.M{"name": "Loja", "scopes": []string{"clients:read", "sales:read"}})
	owner.Patch(t, on("/members/"+clerk.member), testkit.M{"permissions": []string{"clients:read"}}).Want(t, http.StatusOK)

	r := key.Get(t, "/public/v1/me").Want(t, http.StatusOK)

	me := r.JSON()
	if object(me, "tenant")["id"] != owner.tenant || object(me, "member")["id"] != clerk.member || object(me, "api_key")["id"] != id {
		t.Errorf("got %s", r)
	}
	if r.Text("permissions") != `["clients:read"]` || len(object(me, "api_key")["scopes"].([]any)) != 2 {
		t.Errorf("got %s", r)
	}
}

func TestPublicMembers_ShowsNamesToAnyLivingKey(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	clerk := owner.colleague(t, "member")
	owner.Post(t, on("/members/"+clerk.member+"/deactivate"), nil).Want(t, http.StatusOK)
	key, _ := owner.key(t, testkit.M{"name": "k", "scopes": []string{"sales:read"}})

	list := key.All(t, "/public/v1/members")

	if len(list) != 2 || len(list[0]) != 3 || list[0]["active"] != false {
		t.Errorf("got %v", list)
	}
	if active := key.All(t, "/public/v1/members?active=true"); len(active) != 1 || active[0]["id"] != owner.member {
		t.Errorf("got %v", active)
	}
}

func TestLookup_TellsWhatBecameOfAKey(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := company(t, s)
	key, _ := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	other, _ := owner.key(t, testkit.M{"name": "outra", "scopes": []string{"sales:read"}})
	const k = ` "Pedido" nº 1/á & cafe` + "\u0301"
	look := func(c *testkit.Client, k string) *testkit.Response {
		return c.Get(t, "/public/v1/idempotency_keys/lookup?key="+url.QueryEscape(k))
	}
	first := key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, http.StatusCreated)
	key.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).WantReplayOf(t, first)
	s.FlushCounters()

	r := look(key, k).Want(t, http.StatusOK)

	want := map[string]string{
		"state": "done", "response_stored": "true", "method": "POST", "path": "/public/v1/clients", "status": "201",
		"resource": s.Config.BaseURL + first.Header.Get("Location"), "replays": "1",
	}
	for member, value := range want {
		if r.Text(member) != value {
			t.Errorf("%s is %s", member, r.Text(member))
		}
	}
	look(other, k).Want(t, http.StatusNotFound)
	look(key, strings.ToLower(k)).Want(t, http.StatusNotFound)
	look(key, strings.ReplaceAll(k, "e\u0301", "é")).Want(t, http.StatusNotFound) // byte for byte
	s.Database.Exec(t, `UPDATE idempotency_keys SET expires_at = now() WHERE tenant_id = $1 AND key = $2`, owner.tenant, strings.TrimSpace(k))
	look(key, k).Want(t, http.StatusNotFound)
}

func TestLookup_RefusesWhatIsNoKey(t *testing.T) {
	t.Parallel()
	owner := company(t, testkit.New(t))
	key, _ := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	const path = "/public/v1/idempotency_keys/lookup"

	for query, code := range map[string]string{
		"": "empty", "?key=": "empty", "?key=%20%09": "empty", "?key=" + strings.Repeat("a", 256): "too_long",
		"?key=a%00b": "control_character", "?key=%ff": "encoding", "?key=a&key=b": "repeated",
	} {
		if got := key.Get(t, path+query).FieldErrors(t); len(got) != 1 || got[0] != "?key "+code {
			t.Errorf("%s: got %v", query, got)
		}
	}
	key.Get(t, path+"?chave=a&key=a").WantFieldErrors(t, "?chave unknown_parameter")
}

func TestIdempotencyKeys_AreSeenByThoseWhoManageTheirAPIKey(t *testing.T) {
	t.Parallel()
	s := testkit.New(t)
	owner := company(t, s)
	clerk := owner.colleague(t, "member", narrow()...)
	ownerKey, ownerKeyID := owner.key(t, testkit.M{"name": "k", "scopes": narrow()})
	clerkKey, clerkKeyID := clerk.key(t, testkit.M{"name": "k", "scopes": narrow()})
	ownerKey.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key("do-dono")).Want(t, http.StatusCreated)
	clerkKey.Post(t, "/public/v1/clients", testkit.M{"name": "Ana"}, testkit.Key("da-loja")).Want(t, http.StatusCreated)
	list := func(p person, query string) []testkit.M { return p.All(t, on("/idempotency_keys"+query)) }

	if all := list(owner, "?api_key_id="+clerkKeyID); len(all) != 1 || all[0]["key"] != "da-loja" || all[0]["api_key_id"] != clerkKeyID {
		t.Errorf("got %v", all)
	}
	if all := list(owner, "?key=do-dono&state=done"); len(all) != 1 || all[0]["api_key_id"] != ownerKeyID {
		t.Errorf("got %v", all)
	}
	if all := list(owner, "?state=failed"); len(all) != 0 {
		t.Errorf("got %v", all)
	}
	own := list(clerk, "")
	if len(own) != 1 || own[0]["key"] != "da-loja" || len(list(clerk, "?api_key_id="+ownerKeyID)) != 0 {
		t.Errorf("got %v", own)
	}
	theirs := list(owner, "?key=do-dono")[0]["id"].(string)
	owner.Get(t, on("/idempotency_keys/"+theirs)).Want(t, http.StatusOK)
	clerk.Get(t, on("/idempotency_keys/"+theirs)).Want(t, http.StatusNotFound)
	company(t, s).Get(t, on("/idempotency_keys/"+theirs)).Want(t, http.StatusNotFound)
}
