package app

import (
	"html/template"
	"net/http"
	"strings"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/publicpages"
)

// mux sends a request to the APIs, to the documentation, to the pages of public
// links, or to the dashboard, which has every other path.
func (a *App) mux() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /docs/errors/{code}", a.errorPage)
	mux.Handle(publicpages.Path, a.publicPages())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case httpapi.Serves(r.URL.Path):
			a.API.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/docs/"), strings.HasPrefix(r.URL.Path, publicpages.Path):
			mux.ServeHTTP(w, r)
		default:
			a.dashboard.ServeHTTP(w, r)
		}
	})
}

// publicPages serves quotes and receipts to whoever has their link.
func (a *App) publicPages() http.Handler {
	s := a.services
	return publicpages.New(publicpages.Config{
		Pool: a.Pool, Members: s.members, Clients: s.clients, CRM: s.crm, Quotes: s.quotes, Sales: s.sales, Log: a.Log,
	})
}

// errorPage explains one code: every problem's type links here.
func (a *App) errorPage(w http.ResponseWriter, r *http.Request) {
	def, ok := problem.Lookup(problem.Code(r.PathValue("code")))
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	h.Set("X-Content-Type-Options", "nosniff")
	if err := errorTemplate.Execute(w, def); err != nil {
		a.Log.WarnContext(r.Context(), "error page not written", "error", err)
	}
}

var errorTemplate = template.Must(template.New("error").Parse(`<!doctype html>
<html lang="pt-BR"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{{.Code}} · Faturei Hoje</title>
<style>body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}code{font-size:.95em}</style>
<h1>{{.Title.PT}}</h1>
<p><code>{{.Status}} {{.Code}}</code></p>
<p>{{.Advice.PT}}</p>
<p lang="en">{{.Advice.EN}}</p>
</html>
`))
