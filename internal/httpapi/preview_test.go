package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/testkit"
)

// person makes calls inside the process, as the dashboard does for somebody.
type person struct {
	server  *testkit.Server
	session *auth.Session
}

func personOf(t *testing.T, m testkit.Member, srv *testkit.Server) person {
	t.Helper()
	session, err := auth.NewAccessTokens(testkit.SessionKey(t), clock.System{}).Parse(m.Session(t).Secret)
	if err != nil {
		t.Fatal(err)
	}
	return person{srv, session}
}

func (p person) call(t *testing.T, c httpapi.Call, body any) (httpapi.Answer, *problem.Error) {
	t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	c.Session, c.Body = p.session, encoded
	answer, err := p.server.API().Call(httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/vendas", nil), c)
	if err == nil {
		return answer, nil
	}
	return answer, problem.As(err)
}

func (p person) preview(t *testing.T, route string, body any) (httpapi.Answer, *problem.Error) {
	t.Helper()
	return p.call(t, httpapi.Call{Route: route, Preview: true}, body)
}

func saleOf(cents int) testkit.M {
	return testkit.M{"items": []testkit.M{{"kind": "custom", "description": "Serviço", "quantity": "3.5", "unit_price_cents": cents, "discount_percent": "10"}}}
}

type saleJSON struct {
	Number     int64
	TotalCents int64 `json:"total_cents"`
}

func TestPreview_AnswersAsTheRealCallAndLeavesNothing(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant := srv.Tenant(t)
	owner := personOf(t, tenant.Owner, srv)

	for number := range int64(3) { // the first finds no counter yet
		before := tenant.Snapshot(t)
		answer, err := owner.preview(t, "createSale", saleOf(4290))
		if err != nil {
			t.Fatal(err)
		}
		var shown, made saleJSON
		if err := json.Unmarshal(answer.Body, &shown); err != nil {
			t.Fatal(err)
		}
		tenant.Snapshot(t).WantSame(t, before)
		if answer.Status != 201 || shown.TotalCents != 13514 || shown.Number != number+1 || answer.Location != "" || answer.ETag != "" {
			t.Errorf("the preview is %d %+v at %q", answer.Status, shown, answer.Location)
		}

		answer, err = owner.call(t, httpapi.Call{Route: "createSale"}, saleOf(4290))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(answer.Body, &made); err != nil {
			t.Fatal(err)
		}
		if made != shown {
			t.Errorf("shown %+v, made %+v", shown, made)
		}
	}
}

func TestPreview_IsRefusedLikeTheRealCall(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant := srv.Tenant(t)
	owner := personOf(t, tenant.Owner, srv)
	named := testkit.M{"name": "Camiseta", "price_cents": 4990, "external_id": "x"}
	if _, err := owner.call(t, httpapi.Call{Route: "createProduct"}, named); err != nil {
		t.Fatal(err)
	}
	before := tenant.Snapshot(t)

	for _, c := range []struct {
		route string
		body  any
		code  problem.Code
	}{
		{"createSale", testkit.M{"items": []testkit.M{}, "no_such_member": 1, "discount_cents": -1}, problem.ValidationFailed},
		{"createSale", testkit.M{"items": saleOf(1)["items"], "client_id": testkit.RandomID()}, problem.ValidationFailed},
		{"createSale", []int{}, problem.ValidationFailed},
		{"createProduct", named, problem.AlreadyExists}, // refused by a statement that travels with the commit
	} {
		_, shown := owner.preview(t, c.route, c.body)
		_, refused := owner.call(t, httpapi.Call{Route: c.route}, c.body)
		if shown == nil || refused == nil || shown.Code != c.code || refused.Code != c.code || !slices.Equal(shown.Fields, refused.Fields) {
			t.Errorf("%s %v: the preview gives %v, the real call %v", c.route, c.body, shown, refused)
		}
	}
	tenant.Snapshot(t).WantSame(t, before)
}

func TestPreview_NeedsThePermission(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant := srv.Tenant(t)
	reader := personOf(t, tenant.Member(t, "sales:read"), srv)

	_, err := reader.preview(t, "createSale", saleOf(100))
	if err == nil || err.Code != problem.Forbidden || err.RequiredPermission != "sales:write" {
		t.Errorf("got %v", err)
	}
	if _, err := (person{srv, nil}).preview(t, "createSale", saleOf(100)); err == nil || err.Code != problem.Unauthorized {
		t.Errorf("without a session: %v", err)
	}
}

func TestPreview_WithAKeyOrOfAReadIsAMistake(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant := srv.Tenant(t)
	owner := personOf(t, tenant.Owner, srv)
	before := tenant.Snapshot(t)

	for _, c := range []httpapi.Call{
		{Route: "createSale", Preview: true, Key: "k"}, {Route: "listSales", Preview: true}, {Route: "refreshSession", Preview: true},
	} {
		if _, err := owner.call(t, c, saleOf(100)); err == nil || err.Code != problem.InternalError {
			t.Errorf("%s: %v", c.Route, err)
		}
	}
	tenant.Snapshot(t).WantSame(t, before)
}

func TestPreview_DoesNotWaitLongForALock(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant := srv.Tenant(t)
	owner := personOf(t, tenant.Owner, srv)
	key := tenant.Key(t)
	key.Post(t, "/sales", saleOf(100)).Want(t, 201)
	holder := srv.Database.Connect(t)
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := holder.Exec(context.Background(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec("BEGIN")
	exec("SELECT 1 FROM counters WHERE tenant_id = $1 FOR UPDATE", tenant.ID)

	began := time.Now()
	_, err := owner.preview(t, "createSale", saleOf(100))
	exec("ROLLBACK")

	if err == nil || err.Code != problem.ServiceUnavailable || time.Since(began) > 30*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	if number := key.Post(t, "/sales", saleOf(100)).Want(t, 201).Text("number"); number != "2" {
		t.Errorf("the next sale is number %s", number)
	}
}

func TestPreview_GivesItsConnectionBackHoweverItEnds(t *testing.T) {
	t.Parallel()
	type endRequest struct {
		Body struct {
			How string `json:"how" required:"true"`
		} `body:"true"`
	}
	called := false
	srv := testkit.New(t, testkit.WithRoutes(httpapi.Write(httpapi.Op{
		ID: "end", Method: http.MethodPost, Path: httpapi.PublicBase + "/ends", Tag: "Teste", Summary: "Termina", Body: httpapi.BodyRequired,
	}, func(_ context.Context, tx *db.Tx, req endRequest) (httpapi.Nothing, error) {
		tx.AfterCommit(func() { called = true })
		switch req.Body.How {
		case "panic":
			panic("struck")
		case "error":
			return httpapi.Nothing{}, errors.New("nobody foresaw this")
		}
		return httpapi.Nothing{}, nil
	})))
	tenant := srv.Tenant(t)
	owner := personOf(t, tenant.Owner, srv)

	for how, want := range map[string]problem.Code{"well": "", "error": problem.InternalError, "panic": problem.InternalError} {
		_, err := owner.preview(t, "end", testkit.M{"how": how})
		if (err == nil) != (want == "") || err != nil && err.Code != want {
			t.Errorf("%s: %v", how, err)
		}
		if n := srv.Pool().Stats().InUse; n != 0 {
			t.Errorf("%s: %d connections are kept", how, n)
		}
	}
	if called {
		t.Error("what waits for the commit was called")
	}
	if _, err := owner.call(t, httpapi.Call{Route: "end"}, testkit.M{"how": "well"}); err != nil || !called {
		t.Errorf("the real call: %v, called after its commit: %t", err, called)
	}
}
