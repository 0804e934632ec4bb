package app

import (
	"context"
	"time"

	"fatureihoje/internal/jobs"
)

// jobConns is how many connections the job queue has beside the pool.
const jobConns = 3

// periodic is the work that one process does for all.
func (a *App) periodic() []jobs.Periodic {
	return []jobs.Periodic{
		{Name: "make_occurrences", Every: time.Hour, Run: a.makeOccurrences},
	}
}

// makeOccurrences makes what the recurring rules of all companies are due.
func (a *App) makeOccurrences(ctx context.Context) error {
	made, err := a.services.finance.MakeOccurrences(ctx, a.Pool)
	if made > 0 {
		a.Log.InfoContext(ctx, "occurrences of recurring rules made", "count", made)
	}
	return err
}

// runJobs works on the job queue until ctx ends.
func (a *App) runJobs(ctx context.Context) error {
	conn, err := a.Pool.OpenPlain(a.Config.DatabaseURL, jobConns)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	runner, err := jobs.New(jobs.Config{DB: conn, Log: a.Log, Periodic: a.periodic()})
	if err != nil {
		return err
	}
	return runner.Run(ctx)
}
