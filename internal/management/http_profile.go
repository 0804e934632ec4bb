package management

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/page"
)

// profileRoutes are what a person does with the own account.
func profileRoutes(h handlers) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Read(httpapi.Op{ID: "getProfile", Path: base + "/me", Tag: tagProfile, Summary: "Consulta quem está na sessão"}, h.profile),
		httpapi.Write(httpapi.Op{
			ID: "updateProfile", Method: http.MethodPatch, Path: base + "/me", Tag: tagProfile, Summary: "Altera o próprio nome nesta empresa",
			Body: httpapi.BodyRequired, Errors: []string{"conflict"}, Example: httpapi.Example{Body: `{"name": "Ana Maria Souza"}`},
		}, h.rename),
		httpapi.Write(httpapi.Op{
			ID: "changePassword", Method: http.MethodPost, Path: base + "/me/password", Unkeyed: true, Tag: tagProfile,
			Summary: "Troca a senha e encerra as outras sessões da pessoa", Status: http.StatusNoContent, Body: httpapi.BodyRequired,
			Example: httpapi.Example{Body: `{"current_password": "cavalo-bateria-grampo", "password": "outro-cavalo-correto"}`},
		}, h.changePassword),
		httpapi.Write(httpapi.Op{
			ID: "startTotp", Method: http.MethodPost, Path: base + "/me/totp", Tag: tagProfile,
			Summary: "Cria o segredo do segundo fator, que só vale depois de confirmado", Secret: true,
		}, h.startTOTP),
		httpapi.Write(httpapi.Op{
			ID: "confirmTotp", Method: http.MethodPost, Path: base + "/me/totp/confirm", Tag: tagProfile,
			Summary: "Ativa o segundo fator com um código dele", Status: http.StatusNoContent, Body: httpapi.BodyRequired,
			Example: httpapi.Example{Body: `{"code": "123456"}`},
		}, h.confirmTOTP),
		httpapi.Write(httpapi.Op{
			ID: "disableTotp", Method: http.MethodDelete, Path: base + "/me/totp", Tag: tagProfile, Summary: "Desativa o segundo fator",
			Status: http.StatusNoContent, Errors: []string{"not_found"},
		}, h.disableTOTP),
		httpapi.List(httpapi.Op{ID: "listSessions", Path: base + "/sessions", Tag: tagProfile, Summary: "Lista as próprias sessões abertas nesta empresa"}, h.sessions),
		httpapi.Write(httpapi.Op{
			ID: "endSession", Method: http.MethodDelete, Path: base + "/sessions/{id}", Tag: tagProfile, Summary: "Encerra uma sessão própria",
			Status: http.StatusNoContent,
		}, h.endSession),
	}
}

type profileResponse struct {
	Tenant      tenantResponse    `json:"tenant"`
	Member      memberResponse    `json:"member"`
	Tenants     []companyResponse `json:"tenants" doc:"As empresas em que esta pessoa pode entrar."`
	Permissions []string          `json:"permissions" doc:"O que a pessoa pode nesta empresa."`
	Manages     bool              `json:"manages" doc:"Administra membros, chaves de API e configurações."`
	TOTPEnabled bool              `json:"totp_enabled"`
}

func toProfile(ctx context.Context, p *auth.Profile, err error) (profileResponse, error) {
	if err != nil {
		return profileResponse{}, err
	}
	caller := auth.CallerFrom(ctx)
	return profileResponse{
		Tenant: toTenant(p.Company), Member: toMember(p.Member), Tenants: toCompanies(p.Companies),
		Permissions: caller.Effective(), Manages: caller.Member.Has(auth.Manage), TOTPEnabled: p.TOTPEnabled,
	}, nil
}

func (h handlers) profile(ctx context.Context, r db.Reader, _ emptyRequest) (profileResponse, error) {
	p, err := h.Accounts.Profile(ctx, r)
	return toProfile(ctx, p, err)
}

type profileInput struct {
	Name string `json:"name" required:"true" minLength:"1" maxLength:"120"`
}

type renameRequest struct {
	Body profileInput `body:"true"`
}

func (h handlers) rename(ctx context.Context, tx *db.Tx, req renameRequest) (profileResponse, error) {
	p, err := h.Accounts.Rename(ctx, tx, req.Body.Name)
	return toProfile(ctx, p, err)
}

type passwordInput struct {
	CurrentPassword string `json:"current_password" required:"true" minLength:"1" maxLength:"200"`
	Password        string `json:"password" required:"true" minLength:"10" maxLength:"200"`
}

type changePasswordRequest struct {
	Body passwordInput `body:"true"`
}

func (h handlers) changePassword(ctx context.Context, tx *db.Tx, req changePasswordRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.Accounts.ChangePassword(ctx, tx, req.Body.CurrentPassword, req.Body.Password)
}

type totpResponse struct {
	Secret string `json:"secret" doc:"Base32, para digitar no aplicativo."`
	URL    string `json:"url" doc:"otpauth://, para um QR code."`
}

func (h handlers) startTOTP(ctx context.Context, tx *db.Tx, _ emptyRequest) (totpResponse, error) {
	f, err := h.Accounts.StartTOTP(ctx, tx)
	if err != nil {
		return totpResponse{}, err
	}
	return totpResponse{Secret: f.Secret, URL: f.URL}, nil
}

type totpConfirmInput struct {
	Code string `json:"code" required:"true" minLength:"6" maxLength:"6"`
}

type confirmTOTPRequest struct {
	Body totpConfirmInput `body:"true"`
}

func (h handlers) confirmTOTP(ctx context.Context, tx *db.Tx, req confirmTOTPRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.Accounts.ConfirmTOTP(ctx, tx, req.Body.Code)
}

func (h handlers) disableTOTP(ctx context.Context, tx *db.Tx, _ emptyRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.Accounts.DisableTOTP(ctx, tx)
}

type sessionResponse struct {
	ID          uuid.UUID `json:"id"`
	Current     bool      `json:"current" doc:"É a sessão desta chamada."`
	UserAgent   string    `json:"user_agent"`
	IP          string    `json:"ip"`
	CreatedAt   time.Time `json:"created_at"`
	RefreshedAt time.Time `json:"refreshed_at"`
	ExpiresAt   time.Time `json:"expires_at"`
}

type listSessionsRequest struct {
	httpapi.PageParams
}

func (h handlers) sessions(ctx context.Context, r db.Reader, req listSessionsRequest) (page.Result[sessionResponse], error) {
	result, err := h.Accounts.Sessions(ctx, r, req.Page)
	current := auth.CallerFrom(ctx).SessionID
	return page.Map(result, func(s auth.SignedIn) sessionResponse {
		return sessionResponse{
			ID: s.ID, Current: s.ID == current, UserAgent: s.UserAgent, IP: s.IP,
			CreatedAt: s.CreatedAt, RefreshedAt: s.RefreshedAt, ExpiresAt: s.ExpiresAt,
		}
	}), err
}

type idRequest struct {
	ID uuid.UUID `path:"id"`
}

func (h handlers) endSession(ctx context.Context, tx *db.Tx, req idRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.Accounts.End(ctx, tx, req.ID)
}
