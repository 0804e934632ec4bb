package management

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

func memberRoutes(h handlers) []httpapi.Route {
	const path = base + "/members"
	return []httpapi.Route{
		httpapi.List(httpapi.Op{ID: "listMembers", Path: path, Tag: tagMembers, Summary: "Lista os membros da empresa"}, h.members),
		httpapi.Read(httpapi.Op{ID: "getMember", Path: path + "/{id}", Tag: tagMembers, Summary: "Consulta um membro"}, h.member),
		httpapi.Write(httpapi.Op{
			ID: "updateMember", Method: http.MethodPatch, Path: path + "/{id}", Tag: tagMembers, Summary: "Altera o papel e as permissões de um membro",
			Scopes: managers(), Body: httpapi.BodyRequired, Errors: []string{"conflict"},
			Example: httpapi.Example{Body: `{"role": "member", "permissions": ["clients:read", "sales:write"]}`},
		}, h.updateMember),
		httpapi.Write(httpapi.Op{
			ID: "deactivateMember", Method: http.MethodPost, Path: path + "/{id}/deactivate", Tag: tagMembers,
			Summary: "Desativa um membro: sessões e chaves de API param na hora", Scopes: managers(), Errors: []string{"invalid_state"},
		}, h.deactivate),
		httpapi.Write(httpapi.Op{
			ID: "reactivateMember", Method: http.MethodPost, Path: path + "/{id}/reactivate", Tag: tagMembers, Summary: "Reativa um membro",
			Scopes: managers(), Errors: []string{"invalid_state"},
		}, h.reactivate),
	}
}

func invitationRoutes(h handlers) []httpapi.Route {
	const path = base + "/invitations"
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createInvitation", Method: http.MethodPost, Path: path, Tag: tagMembers,
			Summary: "Convida uma pessoa para a empresa; um convite anterior do mesmo e-mail deixa de valer",
			Scopes:  managers(), Status: http.StatusCreated, Body: httpapi.BodyRequired, Secret: true, Errors: []string{"already_exists"},
			Example: httpapi.Example{Body: `{"email": "bruno@example.com", "role": "member", "permissions": ["clients:read", "sales:write"]}`},
		}, h.invite),
		httpapi.List(httpapi.Op{ID: "listInvitations", Path: path, Tag: tagMembers, Summary: "Lista os convites pendentes", Scopes: managers()}, h.invitations),
		httpapi.Write(httpapi.Op{
			ID: "deleteInvitation", Method: http.MethodDelete, Path: path + "/{id}", Tag: tagMembers, Summary: "Cancela um convite pendente",
			Scopes: managers(), Status: http.StatusNoContent,
		}, h.revokeInvitation),
	}
}

type memberResponse struct {
	ID          uuid.UUID `json:"id"`
	Name        string    `json:"name"`
	Email       string    `json:"email"`
	Role        string    `json:"role" enum:"owner,admin,member" doc:"owner e admin têm todas as permissões."`
	Permissions []string  `json:"permissions" doc:"As de um membro; vazio para owner e admin."`
	Active      bool      `json:"active"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	Version     int64     `json:"version"`
}

// ObjectVersion is the member's version.
func (r memberResponse) ObjectVersion() int64 { return r.Version }

// Location is the member's address.
func (r memberResponse) Location() string { return base + "/members/" + r.ID.String() }

func toMember(c auth.Colleague) memberResponse {
	return memberResponse{
		ID: c.ID, Name: c.Name, Email: c.Email, Role: c.Role, Permissions: c.Permissions, Active: c.Active,
		CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, Version: c.Version,
	}
}

func respondMember(c *auth.Colleague, err error) (memberResponse, error) {
	if err != nil {
		return memberResponse{}, err
	}
	return toMember(*c), nil
}

type listMembersRequest struct {
	httpapi.PageParams
	Active *bool `query:"active"`
}

func (h handlers) members(ctx context.Context, r db.Reader, req listMembersRequest) (page.Result[memberResponse], error) {
	result, err := h.Members.List(ctx, r, auth.ColleagueFilter{Active: req.Active, Page: req.Page})
	return page.Map(result, toMember), err
}

func (h handlers) member(ctx context.Context, r db.Reader, req idRequest) (memberResponse, error) {
	return respondMember(h.Members.Get(ctx, r, req.ID))
}

type memberPatch struct {
	Role        opt.Field[string]   `json:"role" required:"true" enum:"owner,admin,member"`
	Permissions opt.Field[[]string] `json:"permissions" maxItems:"50" minLength:"1" maxLength:"40" unique:"true"`
}

type updateMemberRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    memberPatch `body:"true"`
}

func (h handlers) updateMember(ctx context.Context, tx *db.Tx, req updateMemberRequest) (memberResponse, error) {
	return respondMember(h.Members.Update(ctx, tx, req.ID, req.IfMatch, auth.AccessChanges(req.Body)))
}

func (h handlers) deactivate(ctx context.Context, tx *db.Tx, req idRequest) (memberResponse, error) {
	return respondMember(h.Members.Deactivate(ctx, tx, req.ID))
}

func (h handlers) reactivate(ctx context.Context, tx *db.Tx, req idRequest) (memberResponse, error) {
	return respondMember(h.Members.Reactivate(ctx, tx, req.ID))
}

type invitationResponse struct {
	ID          uuid.UUID `json:"id"`
	Email       string    `json:"email"`
	Role        string    `json:"role" enum:"owner,admin,member"`
	Permissions []string  `json:"permissions"`
	InvitedBy   uuid.UUID `json:"invited_by" doc:"O membro que convidou."`
	CreatedAt   time.Time `json:"created_at"`
	ExpiresAt   time.Time `json:"expires_at"`
}

func toInvitation(i auth.Invite) invitationResponse {
	return invitationResponse{
		ID: i.ID, Email: i.Email, Role: i.Role, Permissions: i.Permissions, InvitedBy: i.InvitedBy,
		CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt,
	}
}

type invitationInput struct {
	Email       string   `json:"email" required:"true" minLength:"1" format:"email"`
	Role        string   `json:"role" required:"true" enum:"owner,admin,member"`
	Permissions []string `json:"permissions" maxItems:"50" minLength:"1" maxLength:"40" unique:"true" doc:"De um membro; owner e admin têm todas."`
}

type inviteRequest struct {
	Body invitationInput `body:"true"`
}

type newInvitationResponse struct {
	Invitation invitationResponse `json:"invitation"`
	AcceptURL  string             `json:"accept_url" doc:"O link que a pessoa abre; é mostrado só agora."`
}

func (h handlers) invite(ctx context.Context, tx *db.Tx, req inviteRequest) (newInvitationResponse, error) {
	i, link, err := h.Members.Invite(ctx, tx, req.Body.Email, auth.Access{Role: req.Body.Role, Permissions: req.Body.Permissions})
	if err != nil {
		return newInvitationResponse{}, err
	}
	return newInvitationResponse{Invitation: toInvitation(*i), AcceptURL: link}, nil
}

type listInvitationsRequest struct {
	httpapi.PageParams
}

func (h handlers) invitations(ctx context.Context, r db.Reader, req listInvitationsRequest) (page.Result[invitationResponse], error) {
	result, err := h.Members.Invites(ctx, r, req.Page)
	return page.Map(result, toInvitation), err
}

func (h handlers) revokeInvitation(ctx context.Context, tx *db.Tx, req idRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.Members.RevokeInvite(ctx, tx, req.ID)
}
