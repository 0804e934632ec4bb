package idempotency_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/testkit"
)

// dossierRoute is a POST whose response shows more to those who may see it. No
// handler lists what shaped its response: asking is recorded.
func dossierRoute() httpapi.Route {
	return httpapi.Write(httpapi.Op{
		ID: "createDossier", Method: http.MethodPost, Path: "/public/v1/dossiers", Summary: "Cria um dossiê", Tag: "Dossiês",
		Scopes: []string{"clients:write"}, Status: http.StatusCreated, Body: httpapi.BodyRequired,
	}, func(ctx context.Context, _ *db.Tx, req dossierRequest) (dossierResponse, error) {
		r := dossierResponse{Name: req.Body.Name}
		if auth.CallerFrom(ctx).May("finance:read") {
			balance := "segredo"
			r.Balance = &balance
		}
		return r, nil
	})
}

type dossierRequest struct {
	Body dossierInput `body:"true"`
}

type dossierInput struct {
	Name string `json:"name" required:"true"`
}

type dossierResponse struct {
	Name    string  `json:"name"`
	Balance *string `json:"balance,omitempty"`
}

func TestReplay_IsRefusedOnceAPermissionThatShapedItIsGone(t *testing.T) {
	t.Parallel()
	tenant := testkit.New(t, testkit.WithRoutes(dossierRoute())).Tenant(t)
	member := tenant.Member(t, "clients:write", "finance:read")
	key, idem := member.Key(t), testkit.NewKey()
	body := testkit.M{"name": "Ana"}
	first := key.Post(t, "/dossiers", body, testkit.Key(idem)).Want(t, 201)
	if first.Text("balance") == "" {
		t.Fatal("the response does not show the finance data")
	}

	lose := map[string]func(){
		"the member": func() { member.SetPermissions(t, "clients:write") },
		"the key":    func() { member.SetPermissions(t, "clients:write", "finance:read"); key.SetScopes(t, "clients:write") },
	}
	for who, loses := range lose {
		loses()
		r := key.Post(t, "/dossiers", body, testkit.Key(idem)).WantProblem(t, 409, "conflict")
		if r.Text("reason") != "access_changed" || strings.Contains(string(r.Body), "segredo") || r.Replayed() {
			t.Errorf("%s lost finance:read: %s", who, r)
		}
	}
	member.SetPermissions(t, "finance:read")
	key.SetScopes(t, auth.Permissions()...)
	key.Post(t, "/dossiers", body, testkit.Key(idem)).WantProblem(t, 403, "forbidden")

	member.SetPermissions(t, "clients:write", "finance:read")
	key.Post(t, "/dossiers", body, testkit.Key(idem)).WantReplayOf(t, first)
}

func TestReplay_StaysAsItWasWhenAPermissionIsGained(t *testing.T) {
	t.Parallel()
	tenant := testkit.New(t, testkit.WithRoutes(dossierRoute())).Tenant(t)
	member := tenant.Member(t, "clients:write")
	key, idem := member.Key(t), testkit.NewKey()
	body := testkit.M{"name": "Ana"}
	first := key.Post(t, "/dossiers", body, testkit.Key(idem)).Want(t, 201)

	member.SetPermissions(t, "clients:write", "finance:read")

	again := key.Post(t, "/dossiers", body, testkit.Key(idem)).WantReplayOf(t, first)
	if again.Text("balance") != "" {
		t.Errorf("the replay shows more than the first response: %s", again)
	}
}

func TestReplay_IsRefusedToADeadKeyWhateverElseIsWrong(t *testing.T) {
	t.Parallel()
	tenant := testkit.New(t).Tenant(t)
	member := tenant.Member(t, "clients:write")
	idem := testkit.NewKey()
	kill := map[string]struct {
		code string
		do   func(*testkit.Client)
	}{
		"revoked": {"api_key_revoked", func(c *testkit.Client) { c.Revoke(t) }},
		"expired": {"api_key_expired", func(c *testkit.Client) {
			c.Server.Database.Exec(t, "UPDATE api_keys SET expires_at = now() WHERE id = $1", c.KeyID)
		}},
		"its member is gone": {"unauthorized", func(*testkit.Client) { member.SetActive(t, false) }},
	}
	for how, k := range kill {
		key := member.Key(t)
		member.SetActive(t, true)
		first := key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
		key.SetScopes(t)

		k.do(key)

		r := key.Post(t, "/clients", ana(), testkit.Key(idem)).WantProblem(t, 401, k.code)
		if strings.Contains(string(r.Body), first.ID()) || r.Replayed() {
			t.Errorf("%s: the stored response shows: %s", how, r)
		}
	}
}

func TestReplay_IsRefusedWhileTheTenantIsSuspended(t *testing.T) {
	t.Parallel()
	key, idem := testkit.New(t).Tenant(t).Key(t), testkit.NewKey()
	first := key.Post(t, "/clients", ana(), testkit.Key(idem)).Want(t, 201)
	set := func(status string) {
		key.Server.Database.Exec(t, "UPDATE tenants SET status = $2 WHERE id = $1", key.Tenant.ID, status)
	}

	set("suspended")
	r := key.Post(t, "/clients", ana(), testkit.Key(idem)).WantProblem(t, 403, "forbidden")
	set("active")

	if r.Text("reason") != "tenant_suspended" {
		t.Errorf("reason: %s", r)
	}
	key.Post(t, "/clients", ana(), testkit.Key(idem)).WantReplayOf(t, first)
}

// A process remembers what it has answered only to save work: a key whose row
// is gone since runs again, in a transaction of its own.
func TestReplay_OfARowThatWasSweptRunsAgain(t *testing.T) {
	t.Parallel()
	key := testkit.New(t).Tenant(t).Key(t)
	k := testkit.NewKey()
	first := key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, 201)
	key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, 201)
	key.Server.Database.Exec(t, `DELETE FROM idempotency_keys WHERE key = $1`, k)

	again := key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, 201)

	if again.Replayed() || again.ID() == first.ID() {
		t.Errorf("want a new client, got %s", again)
	}
	if third := key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(k)).Want(t, 201); !third.Replayed() || third.ID() != again.ID() {
		t.Errorf("want the replay of %s, got %s", again, third)
	}
}
