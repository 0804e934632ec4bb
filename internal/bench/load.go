package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
)

// body is the request of every POST: a client as an integrator sends it.
const body = `{"name":"Ana Souza","email":"ana@example.com","mobile":"+5511912345678","tags":["vip"],"notes":"Prefere contato por WhatsApp."}`

// benchCase is one thing to measure.
type benchCase struct {
	name    string
	program *program
	request func(connection, n int) []byte // nil: pgbench
	status  int
}

func (w *world) cases() []benchCase {
	fixed := uuid.NewString()
	return []benchCase{
		{name: "pgbench, the same SQL"},
		{"POST with a key", w.api, func(_, _ int) []byte { return w.post(uuid.NewString()) }, 201},
		{"POST without a key", w.api, func(_, _ int) []byte { return w.post("") }, 201},
		{"plain echo + gorm", w.plain, func(_, _ int) []byte { return w.post("") }, 201},
		{"replay", w.api, func(connection, _ int) []byte { return w.post(fixed + strconv.Itoa(connection)) }, 201},
		{"GET one", w.api, func(_, _ int) []byte { return w.get() }, 200},
	}
}

func (w *world) post(key string) []byte {
	if key != "" {
		key = "Idempotency-Key: " + key + "\r\n"
	}
	return fmt.Appendf(nil, "POST /public/v1/clients HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s",
		w.token.Reveal(), key, len(body), body)
}

func (w *world) get() []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n\r\n", w.client, w.token.Reveal())
}

// measurement is one case in one round.
type measurement struct {
	requests int
	seconds  float64
	p50, p99 time.Duration
	cpu      time.Duration // of the server, for each request
	flushes  float64       // of the WAL, for each request
	wal      float64       // bytes, for each request
}

func (w *world) measure(ctx context.Context, c benchCase, connections int, each time.Duration) (measurement, error) {
	if err := w.prepare(ctx, c, connections); err != nil {
		return measurement{}, err
	}
	before, err := w.counts(ctx)
	if err != nil {
		return measurement{}, err
	}
	var m measurement
	if c.request == nil {
		m, err = w.pgbench(ctx, connections, each)
	} else {
		cpu := c.program.cpu()
		m, err = w.load(ctx, c, connections, each)
		m.cpu = (c.program.cpu() - cpu) / time.Duration(max(m.requests, 1))
	}
	if err != nil {
		return m, err
	}
	after, err := w.counts(ctx)
	m.flushes = float64(after.flushes-before.flushes) / float64(max(m.requests, 1))
	m.wal = float64(after.wal-before.wal) / float64(max(m.requests, 1))
	return m, err
}

// prepare makes what the case repeats or reads, outside of its figures.
func (w *world) prepare(ctx context.Context, c benchCase, connections int) error {
	if c.request == nil {
		return nil
	}
	_, err := w.load(ctx, c, connections, 300*time.Millisecond)
	return err
}

type walCounts struct{ flushes, wal int64 }

func (w *world) counts(ctx context.Context) (c walCounts, err error) {
	err = w.admin.QueryRow(ctx, `SELECT wal_sync, wal_bytes::int8 FROM pg_stat_wal`).Scan(&c.flushes, &c.wal)
	return c, err
}

// load keeps every connection busy with one request after the other.
func (w *world) load(ctx context.Context, c benchCase, connections int, each time.Duration) (measurement, error) {
	ctx, cancel := context.WithTimeout(ctx, each)
	defer cancel()
	took := make([][]time.Duration, connections)
	errs := make([]error, connections)
	var all sync.WaitGroup
	start := time.Now()
	for i := range connections {
		all.Go(func() { took[i], errs[i] = drive(ctx, c, i) })
	}
	all.Wait()
	m := measurement{seconds: time.Since(start).Seconds()}
	m.summarise(slices.Concat(took...))
	return m, errors.Join(errs...)
}

func (m *measurement) summarise(took []time.Duration) {
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	m.requests, m.p50, m.p99 = len(took), took[len(took)/2], took[len(took)*99/100]
}

func drive(ctx context.Context, c benchCase, connection int) ([]time.Duration, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", c.program.address.String())
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	var took []time.Duration
	for n := 0; ctx.Err() == nil; n++ {
		start := time.Now()
		if _, err := conn.Write(c.request(connection, n)); err != nil {
			return took, err
		}
		response, err := readResponse(r)
		if err != nil {
			return took, err
		}
		if response.status != c.status {
			return took, fmt.Errorf("status %d: %s", response.status, response.body)
		}
		took = append(took, time.Since(start))
	}
	return took, nil
}

type response struct {
	status   int
	location string
	body     []byte
}

// readResponse reads just enough HTTP to go on: a client library would take
// more of the machine than the server does.
func readResponse(r *bufio.Reader) (response, error) {
	var resp response
	length := 0
	for line := 0; ; line++ {
		raw, err := r.ReadSlice('\n')
		if err != nil {
			return resp, err
		}
		text := bytes.TrimRight(raw, "\r\n")
		if len(text) == 0 {
			break
		}
		if line == 0 {
			resp.status, _ = strconv.Atoi(string(text[9:12]))
			continue
		}
		name, value, _ := bytes.Cut(text, []byte(": "))
		switch string(name) {
		case "Content-Length":
			length, _ = strconv.Atoi(string(value))
		case "Location":
			resp.location = string(value)
		}
	}
	resp.body = make([]byte, length)
	_, err := io.ReadFull(r, resp.body)
	return resp, err
}

// create posts one client and returns its path.
func (w *world) create(ctx context.Context) (string, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", w.api.address.String())
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write(w.post("")); err != nil {
		return "", err
	}
	resp, err := readResponse(bufio.NewReader(conn))
	if err == nil && resp.status != 201 {
		err = fmt.Errorf("create a client: %d %s", resp.status, resp.body)
	}
	return resp.location, err
}
