package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/requestlog"
)

// task is background work that is done again and again. Many processes may do
// it on one database.
type task struct {
	name  string
	every time.Duration
	run   func(context.Context) error
}

func (a *App) tasks() []task {
	return []task{
		{"count replays and conflicts", time.Second, a.flushCounters},
		{"write the request log", time.Second, a.flushRequests},
		{"note the use of API keys", 30 * time.Second, a.flushUsage},
		{"sweep idempotency keys", time.Minute, a.sweepKeys},
		{"sweep sessions, invitations and password resets", time.Hour, a.sweepAccess},
		{"make partitions", 12 * time.Hour, a.makePartitions},
	}
}

func (a *App) flushCounters(ctx context.Context) error {
	return a.Idempotency.Counters().Flush(ctx, a.Pool)
}

func (a *App) flushUsage(ctx context.Context) error { return a.Usage.Flush(ctx, a.Pool) }

func (a *App) sweepKeys(ctx context.Context) error {
	_, err := idempotency.Sweep(ctx, a.Pool)
	return err
}

func (a *App) sweepAccess(ctx context.Context) error {
	swept, err := auth.Sweep(ctx, a.Pool)
	if swept.Sum() > 0 {
		a.Log.InfoContext(ctx, "ended sessions, invitations and password resets deleted",
			"sessions", swept.Sessions, "invitations", swept.Invitations, "password_resets", swept.Resets)
	}
	return err
}

func (a *App) flushRequests(ctx context.Context) error { return a.Requests.Flush(ctx, a.Pool) }

func (a *App) makePartitions(ctx context.Context) error {
	return errors.Join(db.EnsurePartitions(ctx, a.Pool), requestlog.Maintain(ctx, a.Pool))
}

// Background runs every task until ctx ends, and then, once more, those that
// hold counts in memory.
func (a *App) Background(ctx context.Context) {
	var all sync.WaitGroup
	for _, t := range a.tasks() {
		all.Go(func() { a.repeat(ctx, t) })
	}
	all.Go(func() { a.repeat(ctx, task{"work on the job queue", 10 * time.Second, a.runJobs}) })
	all.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	a.once(last, task{name: "count replays and conflicts", run: a.flushCounters})
	a.once(last, task{name: "note the use of API keys", run: a.flushUsage})
	a.once(last, task{name: "write the request log", run: a.flushRequests})
	a.Mail.Wait()
}

func (a *App) repeat(ctx context.Context, t task) {
	tick := time.NewTicker(t.every)
	defer tick.Stop()
	for a.once(ctx, t); ; a.once(ctx, t) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (a *App) once(ctx context.Context, t task) {
	if err := t.run(ctx); err != nil && ctx.Err() == nil {
		a.Log.WarnContext(ctx, "background task failed; it is tried again", "task", t.name, "error", err)
	}
}
