package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"fatureihoje/internal/db"
)

const (
	// drainTimeout is how long running requests have to end after a stop; the
	// request deadline bounds them anyway.
	drainTimeout = 65 * time.Second
	// A client that sends its headers or its body too slowly is let go.
	headerTimeout  = 10 * time.Second
	bodyTimeout    = 60 * time.Second
	idleTimeout    = 120 * time.Second
	maxHeaderBytes = 32 << 10
)

// serve runs the server until ctx ends, then lets running requests end.
func serve(ctx context.Context, p *Process) error {
	base, err := open(ctx, p)
	if err != nil {
		return err
	}
	defer base.close()
	a, err := New(base.deps)
	if err != nil {
		return err
	}
	listeners, err := listenAll(ctx, base.Config.Listen, base.Config.AdminListen)
	if err != nil {
		return err
	}
	if err := welcome(ctx, p, a, base.embedded()); err != nil {
		return err
	}
	return a.run(ctx, base, listeners)
}

// run serves on the listeners and does the background work until ctx ends or
// something that the server cannot do without is gone.
func (a *App) run(ctx context.Context, base *base, listeners [2]net.Listener) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	public := a.server(a, a.Config.RequestTimeout)
	admin := a.server(a.admin(), a.Config.RequestTimeout)
	for i, s := range []*http.Server{public, admin} {
		go func() {
			if err := s.Serve(listeners[i]); !errors.Is(err, http.ErrServerClosed) {
				cancel(fmt.Errorf("serve: %w", err))
			}
		}()
	}
	go func() {
		select {
		case <-base.databaseDone():
			cancel(errors.New("the embedded PostgreSQL ended; see postgres.log in the data folder"))
		case <-ctx.Done():
		}
	}()
	background := make(chan struct{})
	go func() { defer close(background); a.Background(ctx) }()
	a.Log.InfoContext(ctx, "serving", "address", listeners[0].Addr().String(), "admin", listeners[1].Addr().String())
	<-ctx.Done()
	a.Log.InfoContext(ctx, "stopping: letting running requests end")
	drain, done := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer done()
	err := errors.Join(public.Shutdown(drain), admin.Shutdown(drain))
	<-background
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		err = errors.Join(cause, err)
	}
	return err
}

func (a *App) server(h http.Handler, requestTimeout time.Duration) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, ReadTimeout: bodyTimeout, WriteTimeout: bodyTimeout + requestTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
	}
}

// listenAll takes both addresses before anything is served, so that a second
// server on one machine fails at once and says why.
func listenAll(ctx context.Context, addresses ...string) (listeners [2]net.Listener, err error) {
	var c net.ListenConfig
	for i, address := range addresses {
		if listeners[i], err = c.Listen(ctx, "tcp", address); err != nil {
			if i > 0 {
				_ = listeners[0].Close()
			}
			return listeners, fmt.Errorf("%w: is another server running? Set FH_LISTEN and FH_ADMIN_LISTEN to other addresses", err)
		}
	}
	return listeners, nil
}

// migrate brings the schema up to date, or stops the start where it may not.
func migrate(ctx context.Context, url string) (applied []string, err error) {
	m, err := db.NewMigrator(url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	return m.Ensure(ctx)
}
