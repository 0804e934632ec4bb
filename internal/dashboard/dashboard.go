package dashboard

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/seal"
)

// Config is what the dashboard works with.
type Config struct {
	API        *httpapi.API
	Tokens     *auth.AccessTokens
	Secret     []byte // 32 bytes: signs forms, seals what a form must carry unread
	Clock      clock.Clock
	Log        *slog.Logger
	BaseURL    string
	SignupOpen bool
	MailSends  bool // otherwise links are shown to the person who asked for them
}

// Dashboard serves the pages.
type Dashboard struct {
	conf     Config
	sealer   *seal.Sealer
	renewals *renewals
	statics  map[string]static
	served   []resource // that the API has routes for; shared by all requests, never changed
	secure   bool       // cookies go over https only
	handler  http.Handler
}

// New returns the dashboard.
func New(c Config) (*Dashboard, error) {
	sealer, err := seal.New(c.Secret)
	if err != nil {
		return nil, err
	}
	statics, err := loadStatics()
	if err != nil {
		return nil, err
	}
	d := &Dashboard{conf: c, sealer: sealer, renewals: newRenewals(c.Clock), statics: statics, served: served(c.API.Routes()), secure: !local(c.BaseURL)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /static/{file}", d.serveStatic)
	d.routes(mux)
	protected := http.NewCrossOriginProtection()
	protected.SetDenyHandler(http.HandlerFunc(d.refuseOrigin))
	d.handler = headers(protected.Handler(forms(mux)))
	return d, nil
}

// ServeHTTP serves one page.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.handler.ServeHTTP(w, r) }

// local reports that the dashboard is reached without https on this machine.
func local(baseURL string) bool {
	u, err := url.Parse(baseURL)
	if err != nil || u.Scheme == "https" {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

// policy lets a page run and load only what this server serves.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		id := httpapi.RequestID(r)
		r.Header.Set("X-Request-Id", id) // one id for all calls of a page
		h.Set("X-Request-Id", id)
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// maxFormBytes bounds what a form may send: a document of 500 lines fits.
const maxFormBytes = 1 << 20

// forms lets only small forms through: a body of another kind is not read.
func forms(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
			if !strings.EqualFold(strings.TrimSpace(kind), "application/x-www-form-urlencoded") {
				http.Error(w, "Só formulários são aceitos aqui.", http.StatusUnsupportedMediaType)
				return
			}
			r.Body = http.MaxBytesReader(w, r.Body, maxFormBytes)
			var tooLarge *http.MaxBytesError
			if err := r.ParseForm(); errors.As(err, &tooLarge) {
				http.Error(w, "O formulário é grande demais.", http.StatusRequestEntityTooLarge)
				return
			} else if err != nil {
				http.Error(w, "O formulário não pôde ser lido.", http.StatusBadRequest)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func (d *Dashboard) refuseOrigin(w http.ResponseWriter, r *http.Request) {
	v := &visit{d: d, w: w, r: r}
	v.showError(http.StatusForbidden, "Pedido de outro site", "Este formulário veio de outro endereço, e nada foi alterado. Abra o painel e tente de novo.")
}
