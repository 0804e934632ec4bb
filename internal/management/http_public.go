package management

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/page"
)

// publicRoutes are what any living API key may ask about itself.
func publicRoutes(h handlers) []httpapi.Route {
	const base = httpapi.PublicBase
	return []httpapi.Route{
		httpapi.Read(httpapi.Op{ID: "getMe", Path: base + "/me", Tag: tagCompany, Summary: "Consulta o que esta chave de API é e pode"}, h.me),
		httpapi.List(httpapi.Op{ID: "listPeople", Path: base + "/members", Tag: tagCompany, Summary: "Lista os membros, para escolher responsáveis"}, h.people),
		httpapi.Read(httpapi.Op{
			ID: "lookupIdempotencyKey", Path: base + "/idempotency_keys/lookup", Tag: tagLookup,
			Summary: "Conta o que houve com uma chave de idempotência desta chave de API", Errors: []string{"not_found"},
		}, h.lookup),
	}
}

type meResponse struct {
	Tenant      meTenantResponse `json:"tenant"`
	Member      meMemberResponse `json:"member"`
	APIKey      meKeyResponse    `json:"api_key"`
	Permissions []string         `json:"permissions" doc:"O que esta chave pode agora: os seus scopes que o membro também tem."`
}

type meTenantResponse struct {
	ID       uuid.UUID `json:"id"`
	Name     string    `json:"name"`
	TimeZone string    `json:"time_zone"`
	Mode     string    `json:"mode" enum:"live,test"`
}

type meMemberResponse struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
	Role string    `json:"role" enum:"owner,admin,member"`
}

type meKeyResponse struct {
	ID                    uuid.UUID  `json:"id"`
	Name                  string     `json:"name"`
	Scopes                []string   `json:"scopes"`
	RequireIdempotencyKey bool       `json:"require_idempotency_key"`
	ExpiresAt             *time.Time `json:"expires_at"`
}

func (h handlers) me(ctx context.Context, _ db.Reader, _ emptyRequest) (meResponse, error) {
	c := auth.CallerFrom(ctx)
	return meResponse{
		Tenant: meTenantResponse{ID: c.Tenant.ID, Name: c.Tenant.Name, TimeZone: c.Tenant.TimeZone, Mode: c.Tenant.Mode},
		Member: meMemberResponse{ID: c.Member.ID, Name: c.Member.Name, Role: c.Member.Role},
		APIKey: meKeyResponse{
			ID: c.APIKey.ID, Name: c.APIKey.Name, Scopes: c.APIKey.Scopes, RequireIdempotencyKey: c.APIKey.RequireIdempotencyKey,
			ExpiresAt: c.APIKey.ExpiresAt,
		},
		Permissions: c.Effective(),
	}, nil
}

type personResponse struct {
	ID     uuid.UUID `json:"id"`
	Name   string    `json:"name"`
	Active bool      `json:"active"`
}

func (h handlers) people(ctx context.Context, r db.Reader, req listMembersRequest) (page.Result[personResponse], error) {
	result, err := h.Members.List(ctx, r, auth.ColleagueFilter{Active: req.Active, Page: req.Page})
	return page.Map(result, func(c auth.Colleague) personResponse { return personResponse{ID: c.ID, Name: c.Name, Active: c.Active} }), err
}
