package jobs_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"fatureihoje/internal/jobs"
	"fatureihoje/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// start runs a process's part in the work until the returned function ends it.
func start(t *testing.T, srv *testkit.Server, periodic ...jobs.Periodic) (stop func()) {
	t.Helper()
	conn, err := srv.Pool().OpenPlain(srv.Database.URL, 3)
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, conn, periodic...)
}

func startOn(t *testing.T, conn *sql.DB, periodic ...jobs.Periodic) (stop func()) {
	t.Helper()
	runner, err := jobs.New(jobs.Config{
		DB: conn, Log: slog.New(slog.DiscardHandler), Periodic: periodic, PollInterval: 20 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := testkit.Async(func() error { return runner.Run(ctx) })
	stop = func() {
		cancel()
		if err := done(); err != nil {
			t.Error(err)
		}
		_ = conn.Close()
	}
	return stop
}

func TestRunner_WorksWhereNoStatementIsPrepared(t *testing.T) {
	t.Parallel()
	srv := alone(t)
	conn, err := srv.Pool().OpenPlain(srv.Database.URL+"&default_query_exec_mode=exec", 3) // as behind a pooler
	if err != nil {
		t.Fatal(err)
	}
	var runs atomic.Int64

	stop := startOn(t, conn, jobs.Periodic{Name: "count", Every: time.Hour, Run: func(context.Context) error { runs.Add(1); return nil }})
	defer stop()

	testkit.Eventually(t, "the work is done", func() bool { return runs.Load() == 1 })
}

func alone(t *testing.T) *testkit.Server {
	t.Helper()
	return testkit.New(t, testkit.WithDatabase(testkit.NewDatabase(t)))
}

func TestRunner_DoesTheWorkAsTheServersRole(t *testing.T) {
	t.Parallel()
	srv := alone(t)
	var runs atomic.Int64

	stop := start(t, srv, jobs.Periodic{Name: "count", Every: time.Hour, Run: func(context.Context) error { runs.Add(1); return nil }})
	testkit.Eventually(t, "the work is done", func() bool { return runs.Load() == 1 })
	testkit.Eventually(t, "the job is completed", func() bool {
		return testkit.Value[int64](t, srv.Database, `SELECT count(*) FROM river.river_job WHERE state = 'completed'`) == 1
	})

	stop()
	if n := runs.Load(); n != 1 {
		t.Errorf("ran %d times in an hour", n)
	}
}

func TestRunner_OfManyProcessesOneDoesTheWork(t *testing.T) {
	t.Parallel()
	srv := alone(t)
	var running, most, runs atomic.Int64
	work := jobs.Periodic{Name: "count", Every: 50 * time.Millisecond, Run: func(ctx context.Context) error {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		runs.Add(1)
		return nil
	}}

	stops := []func(){start(t, srv, work), start(t, srv, work), start(t, srv, work)}
	testkit.Eventually(t, "the work is done again", func() bool { return runs.Load() >= 3 })
	for _, stop := range stops {
		stop()
	}

	if most.Load() != 1 {
		t.Errorf("%d at once", most.Load())
	}
}

func TestRunner_StopsWithTheWorkItIsDoing(t *testing.T) {
	t.Parallel()
	srv := alone(t)
	began, release := make(chan struct{}), make(chan struct{})
	var ended atomic.Bool
	stop := start(t, srv, jobs.Periodic{Name: "slow", Every: time.Hour, Run: func(context.Context) error {
		close(began)
		<-release
		ended.Store(true)
		return nil
	}})
	<-began

	stopped := testkit.Async(func() bool { stop(); return ended.Load() })
	close(release)

	if !stopped() {
		t.Error("stopped before the work had ended")
	}
}

func TestRunner_TriesAgainWhatFailed(t *testing.T) {
	t.Parallel()
	srv := alone(t)
	var runs atomic.Int64
	stop := start(t, srv, jobs.Periodic{Name: "fails", Every: time.Hour, Run: func(context.Context) error {
		if runs.Add(1) == 1 {
			return errors.New("not now")
		}
		return nil
	}})
	defer stop()

	testkit.Eventually(t, "the work is tried again", func() bool { return runs.Load() >= 2 })
}
