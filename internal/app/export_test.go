package app

import (
	"net/http"
	"time"
)

// PublicServer is the listener's server, as serve makes it.
func (a *App) PublicServer(requestTimeout time.Duration) *http.Server {
	return a.server(a, requestTimeout)
}
