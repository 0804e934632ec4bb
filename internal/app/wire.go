package app

import (
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"

	"go.opentelemetry.io/otel/trace"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/catalog"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/config"
	"fatureihoje/internal/crm"
	"fatureihoje/internal/dashboard"
	"fatureihoje/internal/db"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/guide"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/mail"
	"fatureihoje/internal/management"
	"fatureihoje/internal/page"
	"fatureihoje/internal/quotes"
	"fatureihoje/internal/requestlog"
	"fatureihoje/internal/sales"
	"fatureihoje/internal/seal"
	"fatureihoje/internal/serviceorders"
)

// Deps is what an App is built on.
type Deps struct {
	Config config.Config
	Pool   *db.Pool
	Clock  clock.Clock
	Log    *slog.Logger
	Tracer trace.Tracer // nil: no traces
}

// App is the wired program, without its listeners: tests start it as the
// server does.
type App struct {
	Deps
	API         *httpapi.API
	Idempotency *idempotency.Engine
	Usage       *auth.Usage
	Requests    *requestlog.Log
	Mail        *mail.Outbox
	Passwords   *auth.Passwords
	services    services
	dashboard   *dashboard.Dashboard
	guides      *guide.Site
	handler     http.Handler
}

// services are the rules of every domain, in the order of their dependencies.
type services struct {
	accounts *auth.Accounts
	members  *auth.Members
	keys     *auth.Keys
	requests *requestlog.Service
	clients  *clients.Service
	catalog  *catalog.Service
	finance  *finance.Service
	crm      *crm.Service
	sales    *sales.Service
	quotes   *quotes.Service
	orders   *serviceorders.Service
	baseURL  string
}

// New wires the program.
func New(d Deps) (*App, error) {
	keys, err := deriveKeys(d.Config.Secret)
	if err != nil {
		return nil, err
	}
	a := &App{Deps: d, Usage: auth.NewUsage(d.Clock), Requests: requestlog.NewLog(d.Log), Passwords: auth.NewPasswords()}
	a.Idempotency = idempotency.NewEngine(idempotency.Config{
		Secret: keys.fingerprint, Reservation: d.Config.Reservation, Retention: d.Config.Retention,
	})
	tokens := auth.NewAccessTokens(keys.session, d.Clock)
	public, managed, err := Documents()
	if err != nil {
		return nil, err
	}
	if err := a.makeServices(keys, tokens); err != nil {
		return nil, err
	}
	a.API = httpapi.New(httpapi.Config{
		Pool: d.Pool, Idempotency: a.Idempotency, Tokens: tokens, Usage: a.Usage,
		Cursors: page.NewSigner(keys.cursor), Clock: d.Clock, Log: d.Log, BaseURL: d.Config.BaseURL,
		RequestTimeout: d.Config.RequestTimeout, RateLimit: d.Config.RateLimit, LoginRateLimit: d.Config.LoginRateLimit,
		TrustedProxies: d.Config.ProxyPrefixes, Observe: a.Requests.Observe, Tracer: d.Tracer,
		Documents: []httpapi.Served{
			{Path: httpapi.PublicBase + "/openapi.json", JSON: public},
			{Path: httpapi.ManagementBase + "/openapi.json", JSON: managed},
		},
	}, routes(a.services))
	a.dashboard, err = dashboard.New(dashboard.Config{
		API: a.API, Tokens: tokens, Secret: keys.form, Clock: d.Clock, Log: d.Log, BaseURL: d.Config.BaseURL,
		SignupOpen: d.Config.Signup == "open", MailSends: a.Mail.Sends(),
	})
	if err != nil {
		return nil, err
	}
	if a.guides, err = guide.New(d.Log); err != nil {
		return nil, err
	}
	a.handler = a.mux()
	return a, nil
}

func (a *App) makeServices(k keys, tokens *auth.AccessTokens) error {
	sealer, err := seal.New(k.seal)
	if err != nil {
		return err
	}
	if a.Mail, err = mail.NewOutbox(a.Config.SMTPURL, a.Log); err != nil {
		return err
	}
	apiKeys := auth.NewKeys()
	clientService, catalogService := clients.NewService(), catalog.NewService()
	financeService := finance.NewService(clientService.Referable)
	a.services = services{
		accounts: auth.NewAccounts(auth.AccountsConfig{
			Pool: a.Pool, Passwords: a.Passwords, Tokens: tokens, Sealer: sealer, Mail: a.Mail, Clock: a.Clock, Log: a.Log,
			BaseURL: a.Config.BaseURL, SignupOpen: a.Config.Signup == "open", AttemptsPerMinute: a.Config.LoginRateLimit,
			OnNewTenant: []auth.Founding{financeService.Seed},
		}),
		members:  auth.NewMembers(a.Config.BaseURL, a.Mail, financeService.Seed),
		keys:     apiKeys,
		requests: requestlog.NewService(apiKeys),
		clients:  clientService,
		catalog:  catalogService,
		finance:  financeService,
		crm:      crm.NewService(clientService, catalogService),
		baseURL:  a.Config.BaseURL,
	}
	a.makeDocuments(&a.services)
	return nil
}

// makeDocuments makes the services of the documents, which know each other: a
// sale tells what it was made from that it is cancelled.
func (a *App) makeDocuments(s *services) {
	s.sales = sales.NewService(s.clients, s.catalog, s.finance, s.baseURL)
	s.quotes = quotes.NewService(quotes.Config{
		Clients: s.clients, Catalog: s.catalog, Sales: s.sales, Leads: leadClients{s.crm}, Mail: a.Mail, BaseURL: s.baseURL,
	})
	s.orders = serviceorders.NewService(s.clients, s.catalog, s.sales, s.quotes)
	s.sales.BilledBy(s.quotes, s.orders)
}

// routes is the whole table.
func routes(s services) []httpapi.Route {
	var all []httpapi.Route
	all = append(all, management.Routes(management.Services{
		Accounts: s.accounts, Members: s.members, Keys: s.keys, Requests: s.requests, BaseURL: s.baseURL,
		Scopes: func(method, path string) ([]string, bool) { return httpapi.Scopes(all, method, path) },
	})...)
	all = append(all, requestlog.Routes(s.requests)...)
	all = append(all, clients.Routes(s.clients)...)
	all = append(all, catalog.Routes(s.catalog)...)
	all = append(all, crm.Routes(s.crm)...)
	all = append(all, quotes.Routes(s.quotes)...)
	all = append(all, serviceorders.Routes(s.orders)...)
	all = append(all, sales.Routes(s.sales)...)
	all = append(all, finance.Routes(s.finance)...)
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
	form        []byte // signs and seals what the dashboard's forms carry
}

func deriveKeys(secret []byte) (k keys, err error) {
	for purpose, key := range map[string]*[]byte{
		"session": &k.session, "cursor": &k.cursor, "fingerprint": &k.fingerprint, "seal": &k.seal, "form": &k.form,
	} {
		if *key, err = hkdf.Key(sha256.New, secret, nil, "fatureihoje "+purpose, sha256.Size); err != nil {
			return k, fmt.Errorf("derive the %s key: %w", purpose, err)
		}
	}
	return k, nil
}
