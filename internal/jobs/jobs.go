// Package jobs runs work that recurs, once for all processes of one database, on
// the queue of River.
//
// A job is only the trigger. What it has to do stands in business tables, from
// which it derives it each time, so a job that is lost, repeated or cut short
// does no harm. The queue has connections of its own: it needs a *sql.Tx, and the
// program's transactions, which are bound to a tenant, are none.
package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivertype"
)

// Periodic is work that is done again and again, by one process at a time.
type Periodic struct {
	Name  string // stable: it is stored
	Every time.Duration
	Run   func(context.Context) error
}

// Config is what a runner needs.
type Config struct {
	DB       *sql.DB // closed by the caller, after Run
	Log      *slog.Logger
	Periodic []Periodic
	// PollInterval is how often the queue is looked at; 0: each 5 s. The queue
	// never listens, so that it works through a pooler.
	PollInterval time.Duration
}

const (
	schema        = "river"
	jobTimeout    = 10 * time.Minute
	rescueAfter   = 15 * time.Minute // a job of a process that died is taken by another
	softStop      = 20 * time.Second // until the context of a running job ends
	maxAttempts   = 3
	workers       = 2
	defaultPoll   = 5 * time.Second
	fetchCooldown = 100 * time.Millisecond
)

// Runner is a process's part in the work.
type Runner struct {
	client *river.Client[*sql.Tx]
}

// New prepares a runner.
func New(c Config) (*Runner, error) {
	work := &worker{byName: map[string]func(context.Context) error{}}
	registered := river.NewWorkers()
	if err := river.AddWorkerSafely(registered, work); err != nil {
		return nil, fmt.Errorf("register the worker: %w", err)
	}
	var periodic []*river.PeriodicJob
	for _, p := range c.Periodic {
		work.byName[p.Name] = p.Run
		periodic = append(periodic, river.NewPeriodicJob(river.PeriodicInterval(p.Every),
			func() (river.JobArgs, *river.InsertOpts) { return args{p.Name}, nil }, &river.PeriodicJobOpts{RunOnStart: true}))
	}
	if c.PollInterval == 0 {
		c.PollInterval = defaultPoll
	}
	client, err := river.NewClient(riverdatabasesql.New(c.DB), &river.Config{
		Schema: schema, Logger: c.Log, Workers: registered, PeriodicJobs: periodic,
		Queues:        map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workers}},
		PollOnly:      true,
		FetchCooldown: min(fetchCooldown, c.PollInterval), FetchPollInterval: c.PollInterval,
		JobTimeout: jobTimeout, RescueStuckJobsAfter: rescueAfter, SoftStopTimeout: softStop,
		ReindexerIndexNames: []string{}, // the server's role owns no index
	})
	if err != nil {
		return nil, fmt.Errorf("set up the job queue: %w", err)
	}
	return &Runner{client}, nil
}

// Run works until ctx ends, and then lets a running job end.
func (r *Runner) Run(ctx context.Context) error {
	if err := r.client.Start(ctx); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	<-r.client.Stopped()
	return nil
}

// args name the work of a job. One of a name is in the queue at a time.
type args struct {
	Name string `json:"name" river:"unique"`
}

// Kind names the job's type.
func (args) Kind() string { return "periodic" }

// InsertOpts keep one job of a name at a time: until it is done, another is not added.
func (args) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: maxAttempts, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}}}
}

type worker struct {
	river.WorkerDefaults[args]
	byName map[string]func(context.Context) error
}

var errUnknown = errors.New("no such work in this version")

// Work runs a job.
func (w *worker) Work(ctx context.Context, job *river.Job[args]) error {
	run, ok := w.byName[job.Args.Name]
	if !ok {
		return river.JobCancel(errUnknown)
	}
	return run(ctx)
}
