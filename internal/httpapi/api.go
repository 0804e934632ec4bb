package httpapi

import (
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/trace"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/db"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/page"
)

// Config is what the API needs to serve its routes.
type Config struct {
	Pool           *db.Pool
	Idempotency    *idempotency.Engine
	Tokens         *auth.AccessTokens
	Usage          *auth.Usage
	Cursors        *page.Signer
	Clock          clock.Clock
	Log            *slog.Logger
	BaseURL        string         // what Location headers and problem types begin with
	RequestTimeout time.Duration  // from the claim to the commit
	RateLimit      int            // requests a second for each API key; 0: no limit
	LoginRateLimit int            // a minute, for each address; 0: no limit
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	Documents      []Served       // answered to anybody
	Tracer         trace.Tracer   // nil: no traces
	Observe        func(Exchange) // told of each public exchange after its answer, on the request's goroutine; nil: nobody
}

// Served is a JSON document at an address of its own.
type Served struct {
	Path string
	JSON []byte
}

// API is a table of routes, ready to serve.
type API struct {
	conf   Config
	echo   *echo.Echo
	routes []Route
	byID   map[string]*Route
	limits *limiter
	logins *limiter
	client func(*http.Request) string

	statements map[auth.CredentialKind]statements
}

// New registers the routes. Two routes with one method and path, or one id,
// stop the start.
func New(conf Config, routes []Route) *API {
	a := &API{
		conf: conf, echo: echo.New(), routes: routes, byID: map[string]*Route{},
		limits: newLimiter(perSecond(conf.RateLimit), conf.Clock),
		logins: newLimiter(perMinute(conf.LoginRateLimit), conf.Clock),
		client: clientAddress(conf.TrustedProxies), statements: newStatements(),
	}
	a.echo.HTTPErrorHandler = a.routingError
	seen := map[string]bool{}
	for _, r := range routes {
		if seen[r.ID] || seen[r.Method+r.Path] {
			panic("httpapi: registered twice: " + r.ID + " " + r.Method + " " + r.Path)
		}
		seen[r.ID], seen[r.Method+r.Path] = true, true
		a.byID[r.ID] = &r
		a.echo.Add(r.Method, echoPath(r.Path), a.handler(r))
	}
	for _, d := range conf.Documents {
		a.echo.GET(d.Path, func(c echo.Context) error {
			x := a.exchange(c, &Route{})
			x.write(http.StatusOK, jsonType, d.JSON)
			return nil
		})
	}
	return a
}

// Routes returns the table.
func (a *API) Routes() []Route { return a.routes }

// echoPath turns {id} into :id.
func echoPath(path string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

// ServeHTTP serves one request of either API. Paths are literal segments and
// ids: they are taken in any case and with a trailing slash, without a
// redirect, and an encoded or empty segment does not exist.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.ToLower(r.URL.Path)
	if strings.Contains(r.URL.EscapedPath(), "%") || strings.Contains(path, "//") {
		path = "/"
	}
	r2 := *r
	u := *r.URL
	u.Path, u.RawPath = strings.TrimSuffix(path, "/"), ""
	r2.URL = &u
	if r2.Method == http.MethodOptions {
		r2.Method = "options" // echo would answer it by itself; no route has this one
	}
	a.echo.ServeHTTP(w, &r2)
}

// Serves reports whether a path is of one of the two APIs, in whatever version:
// a caller of one that does not exist is told so as a caller, not as a visitor.
func Serves(path string) bool {
	path = strings.ToLower(path)
	return strings.HasPrefix(path, "/public/") || strings.HasPrefix(path, "/dashboard/")
}
