package management

import (
	"fatureihoje/internal/auth"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/requestlog"
)

const base = httpapi.ManagementBase

// The sections of the documentation.
const (
	tagAccess  = "Acesso"
	tagProfile = "Minha conta"
	tagCompany = "Empresa"
	tagMembers = "Membros"
	tagKeys    = "Chaves de API"
	tagLookup  = "Chaves de idempotência"
	tagAudit   = "Auditoria"
)

// Services are what the routes call.
type Services struct {
	Accounts *auth.Accounts
	Members  *auth.Members
	Keys     *auth.Keys
	Requests *requestlog.Service
	Scopes   func(method, path string) (scopes []string, ok bool) // what a request of the public API needs
	BaseURL  string                                               // what the address of a resource begins with
}

// Routes returns the routes of the management API, and those of the public API
// by which an integration sees itself.
func Routes(s Services) []httpapi.Route {
	h := handlers{s}
	var all []httpapi.Route
	for _, part := range [][]httpapi.Route{
		accessRoutes(h), profileRoutes(h), companyRoutes(h), memberRoutes(h), invitationRoutes(h),
		keyRoutes(h), lookupRoutes(h), auditRoutes(h), publicRoutes(h),
	} {
		all = append(all, part...)
	}
	return all
}

type handlers struct{ Services }

// managers are the scopes of what only owners and admins do.
func managers() []string { return []string{auth.Manage} }
