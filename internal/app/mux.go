package app

import (
	"net/http"
	"strings"

	"fatureihoje/internal/guide"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/publicpages"
)

// mux sends a request to the APIs, to the documentation, to the pages of public
// links, or to the dashboard, which has every other path.
func (a *App) mux() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(guide.Path, a.guides.Handler())
	mux.Handle(publicpages.Path, a.publicPages())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case httpapi.Serves(r.URL.Path):
			a.API.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, guide.Path), strings.HasPrefix(r.URL.Path, publicpages.Path):
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
