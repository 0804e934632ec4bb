package app

import (
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/config"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/page"
)

// Deps is what an App is built on.
type Deps struct {
	Config config.Config
	Pool   *db.Pool
	Clock  clock.Clock
	Log    *slog.Logger
}

// App is the wired program, without its listeners: tests start it as the
// server does.
type App struct {
	Deps
	API         *httpapi.API
	Idempotency *idempotency.Engine
	Usage       *auth.Usage
	handler     http.Handler
}

// services are the rules of every domain, in the order of their dependencies.
type services struct {
	clients *clients.Service
}

// New wires the program.
func New(d Deps) (*App, error) {
	keys, err := deriveKeys(d.Config.Secret)
	if err != nil {
		return nil, err
	}
	a := &App{Deps: d, Usage: auth.NewUsage(d.Clock)}
	a.Idempotency = idempotency.NewEngine(idempotency.Config{
		Secret: keys.fingerprint, Reservation: d.Config.Reservation, Retention: d.Config.Retention,
	})
	tokens := auth.NewAccessTokens(keys.session, d.Clock)
	public, management, err := Documents()
	if err != nil {
		return nil, err
	}
	a.API = httpapi.New(httpapi.Config{
		Pool: d.Pool, Idempotency: a.Idempotency, Tokens: tokens, Usage: a.Usage,
		Cursors: page.NewSigner(keys.cursor), Clock: d.Clock, Log: d.Log, BaseURL: d.Config.BaseURL,
		RequestTimeout: d.Config.RequestTimeout, RateLimit: d.Config.RateLimit, LoginRateLimit: d.Config.LoginRateLimit,
		TrustedProxies: d.Config.ProxyPrefixes,
		Documents: []httpapi.Served{
			{Path: httpapi.PublicBase + "/openapi.json", JSON: public},
			{Path: httpapi.ManagementBase + "/openapi.json", JSON: management},
		},
	}, routes(newServices()))
	a.handler = a.mux()
	return a, nil
}

func newServices() services {
	return services{clients: clients.NewService()}
}

// routes is the whole table.
func routes(s services) []httpapi.Route {
	var all []httpapi.Route
	all = append(all, clients.Routes(s.clients)...)
	return all
}

// ServeHTTP serves the APIs and the documentation.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// keys are derived from the one secret, each for one purpose.
type keys struct {
	session     []byte // signs access tokens
	cursor      []byte // signs cursors
	fingerprint []byte // keys the hashes that locate a difference
	seal        []byte // encrypts secrets at rest
}

func deriveKeys(secret []byte) (k keys, err error) {
	for purpose, key := range map[string]*[]byte{
		"session": &k.session, "cursor": &k.cursor, "fingerprint": &k.fingerprint, "seal": &k.seal,
	} {
		if *key, err = hkdf.Key(sha256.New, secret, nil, "fatureihoje "+purpose, sha256.Size); err != nil {
			return k, fmt.Errorf("derive the %s key: %w", purpose, err)
		}
	}
	return k, nil
}
