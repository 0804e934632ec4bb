// Command bench measures the API on this machine, in one run: pgbench with the
// same SQL by hand, POST /clients with an idempotency key, without one,
// replayed, the plain echo and gorm handler that one would write without any
// of this, and a GET. The cases alternate, so that what else the machine does
// falls on all of them.
//
// It keeps a durable PostgreSQL of its own (fsync on) in a temporary folder,
// and runs the real server beside it. Figures of one machine say little; the
// ratios between the cases travel.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

func main() {
	var o options
	flag.DurationVar(&o.each, "each", 4*time.Second, "how long each case runs in each round")
	flag.IntVar(&o.rounds, "rounds", 5, "how often the cases alternate")
	flag.StringVar(&o.connections, "connections", "1,8,32", "numbers of connections, separated by commas")
	flag.StringVar(&o.only, "only", "", "run only the cases whose name contains this")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of the server, during the first case that -only names, to this file")
	flag.IntVar(&o.stored, "stored", 1000, "idempotency keys to store before the measurement")
	plain := flag.String("plain", "", "serve the plain handler on this database URL (used by the benchmark itself)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *plain != "" {
		err = servePlain(ctx, *plain)
	} else {
		err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

type options struct {
	each        time.Duration
	rounds      int
	connections string
	only        string
	profile     string
	stored      int
}

func run(ctx context.Context, o options) error {
	w, err := newWorld(ctx, o)
	if err != nil {
		return err
	}
	defer w.close()
	var levels []int
	for text := range strings.SplitSeq(o.connections, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("connections: %w", err)
		}
		levels = append(levels, n)
	}
	if o.profile != "" {
		return w.profiled(ctx, o, levels[len(levels)-1])
	}
	r := newReport(os.Stdout)
	for _, connections := range levels {
		if err := w.level(ctx, o, connections, r); err != nil {
			return err
		}
	}
	r.print()
	return nil
}

// profiled writes where the server's CPU goes during the cases that -only names.
func (w *world) profiled(ctx context.Context, o options, connections int) error {
	for _, c := range w.cases() {
		if c.request == nil || c.program != w.api || !strings.Contains(c.name, o.only) {
			continue
		}
		written := make(chan error, 1)
		go func() { written <- w.api.profile(ctx, o.each, o.profile) }()
		if _, err := w.load(ctx, c, connections, o.each+time.Second); err != nil {
			return err
		}
		return <-written
	}
	return fmt.Errorf("no case of the server is named %q", o.only)
}

// level alternates the cases at one number of connections.
func (w *world) level(ctx context.Context, o options, connections int, r *report) error {
	for range o.rounds {
		for _, c := range w.cases() {
			if o.only != "" && !strings.Contains(c.name, o.only) {
				continue
			}
			m, err := w.measure(ctx, c, connections, o.each)
			if err != nil {
				return fmt.Errorf("%s at %d connections: %w", c.name, connections, err)
			}
			r.add(c.name, connections, m)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}
