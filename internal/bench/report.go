package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"
)

// report gathers the rounds and prints their medians.
type report struct {
	out    io.Writer
	order  []row
	rounds map[row][]measurement
}

type row struct {
	name        string
	connections int
}

func newReport(out io.Writer) *report { return &report{out: out, rounds: map[row][]measurement{}} }

func (r *report) add(name string, connections int, m measurement) {
	at := row{name, connections}
	if r.rounds[at] == nil {
		r.order = append(r.order, at)
	}
	r.rounds[at] = append(r.rounds[at], m)
	_, _ = fmt.Fprintf(r.out, "  %-24s %2d connections: %6.0f/s\n", name, connections, m.perSecond())
}

func (m measurement) perSecond() float64 { return float64(m.requests) / m.seconds }

func (r *report) print() {
	_, _ = fmt.Fprintf(r.out, "\n| case | connections | req/s | p50 ms | p99 ms | server CPU µs | flushes | WAL bytes |\n|---|---|---|---|---|---|---|---|\n")
	for _, at := range r.order {
		rounds := r.rounds[at]
		_, _ = fmt.Fprintf(r.out, "| %s | %d | %.0f | %.2f | %.2f | %d | %.2f | %.0f |\n", at.name, at.connections,
			median(rounds, measurement.perSecond), median(rounds, func(m measurement) float64 { return ms(m.p50) }),
			median(rounds, func(m measurement) float64 { return ms(m.p99) }), int(median(rounds, func(m measurement) float64 { return float64(m.cpu.Microseconds()) })),
			median(rounds, func(m measurement) float64 { return m.flushes }), median(rounds, func(m measurement) float64 { return m.wal }))
	}
	r.ratios()
}

// ratios prints the aims: medians of the ratios of the same round.
func (r *report) ratios() {
	_, _ = fmt.Fprintf(r.out, "\n| ratio | connections | median |\n|---|---|---|\n")
	pairs := [][2]string{
		{"POST with a key", "pgbench, the same SQL"},
		{"POST with a key", "POST without a key"},
		{"POST with a key", "plain echo + gorm"},
		{"replay", "POST with a key"},
	}
	for _, connections := range r.levels() {
		for _, p := range pairs {
			above, below := r.rounds[row{p[0], connections}], r.rounds[row{p[1], connections}]
			if len(above) == 0 || len(above) != len(below) {
				continue
			}
			ratios := make([]float64, len(above))
			for i := range above {
				ratios[i] = above[i].perSecond() / below[i].perSecond()
			}
			slices.Sort(ratios)
			_, _ = fmt.Fprintf(r.out, "| %s / %s | %d | %.2f |\n", p[0], p[1], connections, ratios[len(ratios)/2])
		}
	}
}

func (r *report) levels() []int {
	var all []int
	for _, at := range r.order {
		all = append(all, at.connections)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func median[T cmp.Ordered](rounds []measurement, f func(measurement) T) T {
	values := make([]T, len(rounds))
	for i, m := range rounds {
		values[i] = f(m)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
