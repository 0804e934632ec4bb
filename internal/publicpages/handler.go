package publicpages

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/crm"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/origin"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/quotes"
	"fatureihoje/internal/sales"
	"fatureihoje/internal/text"
)

// Config is what the pages stand on.
type Config struct {
	Pool    *db.Pool
	Members *auth.Members
	Clients *clients.Service
	CRM     *crm.Service
	Quotes  *quotes.Service
	Sales   *sales.Service
	Log     *slog.Logger
}

// Path is where the pages begin.
const Path = document.LinkPath

//go:embed page.css
var style string

//go:embed page.html
var source string

// pages is the handler.
type pages struct {
	Config
	template *template.Template
	policy   string
}

// New returns the handler of everything below Path.
func New(c Config) http.Handler {
	hash := sha256.Sum256([]byte(style))
	p := &pages{
		Config:   c,
		template: template.Must(template.New("page").Funcs(functions()).Parse(source)),
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
			"'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path+"{token}", p.show)
	mux.HandleFunc("POST "+Path+"{token}/approve", p.decide(quotes.ActionApprove))
	mux.HandleFunc("POST "+Path+"{token}/reject", p.decide(quotes.ActionReject))
	return mux
}

// show answers the document of a link.
func (p *pages) show(w http.ResponseWriter, r *http.Request) {
	token, err := auth.ParseToken(r.PathValue("token"), auth.PublicLink)
	if err != nil {
		p.fail(w, r, problem.Missing())
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeLimit)
	defer cancel()
	var v view
	err = p.Pool.Read(ctx, token.Tenant, func(ctx context.Context, reader db.Reader) (err error) {
		v, err = p.read(ctx, reader, token)
		return err
	})
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.write(w, http.StatusOK, v)
}

// timeLimit bounds what a page waits for the database.
const timeLimit = 30 * time.Second

// maxForm is more than the form's one field takes.
const maxForm = 16 << 10

// decide takes the client's decision on a quote and leads back to its page,
// which then says so. A second click finds the decision made, and changes
// nothing.
func (p *pages) decide(action string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, err := auth.ParseToken(r.PathValue("token"), auth.PublicLink)
		if err != nil {
			p.fail(w, r, problem.Missing())
			return
		}
		if !sameOrigin(r) {
			p.fail(w, r, &problem.Error{Code: problem.Forbidden})
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		reason := reasonOf(r.PostFormValue("reason"))
		// The decision outlives a client that hangs up.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), timeLimit)
		defer cancel()
		err = p.Pool.InTenant(ctx, token.Tenant, func(ctx context.Context, tx *db.Tx) error {
			ctx, _, err := p.company(ctx, tx)
			if err != nil {
				return err
			}
			_, err = p.Quotes.DecideByLink(ctx, tx, token, action, reason)
			return err
		})
		if err != nil && !problem.Is(err, problem.InvalidState) {
			p.fail(w, r, err)
			return
		}
		p.headers(w)
		http.Redirect(w, r, Path+token.Reveal(), http.StatusSeeOther) //nolint:gosec // a parsed token has nothing but letters and digits
	}
}

// company reads the company of the transaction and puts it into the context, as
// the one whose zone dates are read in. A suspended company shows nothing.
func (p *pages) company(ctx context.Context, r db.Reader) (context.Context, *auth.Company, error) {
	c, err := p.Members.Company(ctx, r)
	if err != nil {
		return ctx, nil, err
	}
	if c.Status != "active" {
		return ctx, nil, problem.Missing()
	}
	ctx = auth.WithCaller(ctx, &auth.Caller{Tenant: auth.Tenant{ID: c.ID, Name: c.Name, TimeZone: c.TimeZone, Mode: c.Mode}})
	return origin.With(ctx, origin.Origin{Type: origin.PublicLink, Name: "Link público"}), c, nil
}

// sameOrigin refuses forms that another site sends. The page's own policy of no
// Referer makes browsers send "Origin: null" where they do not say
// Sec-Fetch-Site; what then protects is that the address itself is a secret.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin" || site == "none"
	}
	from := r.Header.Get("Origin")
	if from == "" || from == "null" {
		return true
	}
	u, err := url.Parse(from)
	return err == nil && u.Host == r.Host
}

// maxReason is as long as the form lets a reason be, in characters.
const maxReason = 500

func reasonOf(raw string) string {
	reason := text.Normalize(strings.ReplaceAll(strings.ToValidUTF8(raw, ""), "\x00", ""))
	if runes := []rune(reason); len(runes) > maxReason {
		reason = string(runes[:maxReason])
	}
	return reason
}

// fail answers with a page that says nothing about the document.
func (p *pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	known := problem.As(err)
	status, v := known.Status(), view{}
	switch {
	case known.Code == problem.NotFound:
		v.Failure = "Este link não existe, foi encerrado ou passou da validade. Peça um novo a quem o enviou."
	case db.Unavailable(err):
		status = http.StatusServiceUnavailable
		v.Failure = "O serviço está indisponível no momento. Tente de novo em instantes."
	case status == http.StatusForbidden:
		v.Failure = "O pedido veio de outra página. Abra o link de novo e decida por ele."
	default:
		p.Log.ErrorContext(r.Context(), "public page failed", "error", err)
		v.Failure = "Algo deu errado do nosso lado. Tente de novo em instantes."
	}
	p.write(w, status, v)
}

func (p *pages) write(w http.ResponseWriter, status int, v view) {
	v.Style = template.CSS(style) //nolint:gosec // our own file
	var page bytes.Buffer
	if err := p.template.Execute(&page, v); err != nil {
		p.Log.Error("public page not rendered", "error", err)
		http.Error(w, "Erro interno", http.StatusInternalServerError)
		return
	}
	p.headers(w)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // a reader that has gone opens the link again
}

func (p *pages) headers(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", p.policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex, nofollow")
}
