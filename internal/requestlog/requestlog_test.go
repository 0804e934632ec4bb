package requestlog_test

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/id"
	"fatureihoje/internal/requestlog"
	"fatureihoje/internal/testkit"
)

// flush writes what the server has seen, as it does each second.
func flush(t *testing.T, s *testkit.Server) {
	t.Helper()
	if err := s.App.Requests.Flush(context.Background(), s.Pool()); err != nil {
		t.Fatal(err)
	}
}

func items(t *testing.T, r *testkit.Response) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, item := range r.Want(t, 200).JSON()["data"].([]any) {
		all = append(all, item.(map[string]any))
	}
	return all
}

func TestLog_KeepsEveryAnswerToAnAPIKey(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant := srv.Tenant(t)
	key, idem := tenant.Key(t), testkit.NewKey()
	body := testkit.M{"name": "Ana"}

	made := key.Post(t, "/clients", body, testkit.Key(idem), testkit.Header("User-Agent", strings.Repeat("é", 300))).Want(t, 201)
	key.Post(t, "/clients", body, testkit.Key(idem)).WantReplayOf(t, made)
	key.Post(t, "/clients", testkit.M{"name": "Outra"}, testkit.Key(idem)).WantProblem(t, 422, "idempotency_key_reused")
	key.Get(t, "/nowhere").WantProblem(t, 404, "not_found")
	key.Get(t, "/clients?q=Ana%20Souza&limit=2&document=52998224725&email=ana%40example.com").Want(t, 200)
	key.Revoke(t)
	key.Get(t, "/clients").WantProblem(t, 401, "api_key_revoked")
	unknown := *key
	unknown.Secret = auth.NewToken(auth.LiveKey, tenant.ID).Reveal()
	unknown.Get(t, "/clients").WantProblem(t, 401, "unauthorized")
	flush(t, srv)

	session := tenant.Session(t)
	all := items(t, session.Get(t, "/requests?order=asc"))
	if len(all) != 6 {
		t.Fatalf("want 6 requests, the unknown key's left out, got %d", len(all))
	}
	first := all[0]
	if first["request_id"] != made.RequestID() || fmt.Sprint(first["status"]) != "201" || first["route"] != "/public/v1/clients" ||
		first["idempotency_key"] != idem || first["replayed"] != false || len(first["user_agent"].(string)) != 200 {
		t.Errorf("the first: %v", first)
	}
	if all[1]["replayed"] != true || all[2]["code"] != "idempotency_key_reused" || all[3]["route"] != nil || all[5]["code"] != "api_key_revoked" {
		t.Errorf("the others: %v", all[1:])
	}
	if got := all[4]["query"]; got != "q=***&limit=2&document=***&email=***" {
		t.Errorf("people's data is in the log: %v", got)
	}
	for filter, want := range map[string]int{
		"idempotency_key=" + idem: 3, "replayed=true": 1, "status=4xx": 3, "status=201": 2, "method=GET": 3, "path=/public/v1/now": 1,
		"api_key_id=" + key.KeyID.String(): 6, "api_key_id=" + testkit.RandomID(): 0, "request_id=" + made.RequestID(): 1,
		"to=2001-01-01T00:00:00Z": 0, "from=2001-01-01T00:00:00Z": 6,
	} {
		if got := len(items(t, session.Get(t, "/requests?"+filter))); got != want {
			t.Errorf("%s: want %d, got %d", filter, want, got)
		}
	}
	session.Get(t, "/requests?status=9xx").WantProblem(t, 422, "validation_failed")
	one := session.Get(t, "/requests/"+made.RequestID()).Want(t, 200).JSON()
	if one["path"] != "/public/v1/clients" {
		t.Errorf("one: %v", one)
	}
	session.Get(t, "/requests/"+testkit.RandomID()).WantProblem(t, 404, "not_found")
}

func TestLog_IsSeenByThoseWhoManageTheKey(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant, other := srv.Tenant(t), srv.Tenant(t)
	member := tenant.Member(t, "clients:read")
	of := map[string]*testkit.Response{
		"owner": tenant.Key(t).Get(t, "/clients").Want(t, 200), "member": member.Key(t).Get(t, "/clients").Want(t, 200),
		"other": other.Key(t).Get(t, "/clients").Want(t, 200),
	}
	flush(t, srv)

	for viewer, sees := range map[*testkit.Client][]string{
		tenant.Session(t): {"owner", "member"}, member.Session(t): {"member"}, other.Session(t): {"other"},
		tenant.Member(t).Session(t): {},
	} {
		if got := items(t, viewer.Get(t, "/requests")); len(got) != len(sees) {
			t.Errorf("want the requests of %v, got %v", sees, got)
		}
		for whose, r := range of {
			want := 404
			for _, s := range sees {
				if s == whose {
					want = 200
				}
			}
			viewer.Get(t, "/requests/"+r.RequestID()).Want(t, want)
		}
		usage := viewer.Get(t, "/usage").Want(t, 200).JSON()
		if got := fmt.Sprint(usage["last_30_days"].(map[string]any)["calls"]); got != strconv.Itoa(len(sees)) {
			t.Errorf("want %d calls, got %v", len(sees), usage["last_30_days"])
		}
	}
}

func TestUsage_CountsRepetitionsThatRanNothing(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant := srv.Tenant(t)
	key, idem := tenant.Key(t), testkit.NewKey()
	for range 3 {
		key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem)).Want(t, 201)
	}
	key.Get(t, "/nowhere").Want(t, 404)
	flush(t, srv)
	key.Get(t, "/clients").Want(t, 200)
	flush(t, srv)

	usage := tenant.Session(t).Get(t, "/usage").Want(t, 200).JSON()
	for span, counts := range map[string]any{"24 h": usage["last_24_hours"], "30 d": usage["last_30_days"], "today": usage["days"].([]any)[29]} {
		c := counts.(map[string]any)
		delete(c, "date")
		if got := fmt.Sprint(c); got != "map[calls:5 conflicts:0 duplicates_avoided:2 errors:1 replays:2]" {
			t.Errorf("%s: %s", span, got)
		}
	}
	if days := usage["days"].([]any); len(days) != 30 {
		t.Errorf("want 30 days, got %d", len(days))
	}
}

func TestLog_DropsAndCountsWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	tenant := srv.Tenant(t)
	key, err := auth.ParseAPIKey(tenant.Key(t).Secret)
	if err != nil {
		t.Fatal(err)
	}
	log := requestlog.NewLog(slog.New(slog.DiscardHandler))
	const sent, room = 10_000, 8192
	for range sent {
		log.Observe(httpapi.Exchange{At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Credential: key, Method: "GET", Status: 200, RequestID: id.New().String()})
	}

	if got := log.Dropped(); got != sent-room {
		t.Errorf("want %d dropped, got %d", sent-room, got)
	}
	if err := log.Flush(context.Background(), srv.Pool()); err != nil {
		t.Fatal(err)
	}
	if got := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM request_log WHERE tenant_id = $1`, tenant.ID); got != room {
		t.Errorf("want %d rows, got %d", room, got)
	}
}

func TestLog_WaitsForADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t, testkit.WithProxy())
	tenant := srv.Tenant(t)
	tenant.Key(t).Get(t, "/clients").Want(t, 200)
	srv.Proxy().Cut()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := srv.App.Requests.Flush(ctx, srv.Pool()); err == nil {
		t.Fatal("wrote to a database that is away")
	}
	srv.Proxy().Restore()

	flush(t, srv)

	if got := testkit.Value[int](t, srv.Database, `SELECT count(*) FROM request_log WHERE tenant_id = $1`, tenant.ID); got != 1 {
		t.Errorf("want the row, got %d", got)
	}
}

func TestMaintain_MakesTheDaysAheadAndDropsThoseBehind(t *testing.T) {
	t.Parallel()
	d := testkit.NewDatabase(t)
	d.Exec(t, `CREATE TABLE request_log_20200101 PARTITION OF request_log FOR VALUES FROM ('2020-01-01 00:00+00') TO ('2020-01-02 00:00+00')`)
	srv := testkit.New(t, testkit.WithDatabase(d))

	if err := requestlog.Maintain(context.Background(), srv.Pool()); err != nil {
		t.Fatal(err)
	}

	if n := testkit.Value[int](t, d, `SELECT count(*) FROM pg_inherits WHERE inhparent = 'request_log'::regclass AND inhrelid::regclass::text ~ '\d{8}$'`); n != 4 {
		t.Errorf("want the partitions of today and three days, got %d", n)
	}
	if n := testkit.Value[int](t, d, `SELECT count(*) FROM pg_class WHERE relname = 'request_log_20200101'`); n != 0 {
		t.Error("the partition of 2020 is still there")
	}
}
