package management

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
)

// accessRoutes are the ways in, and out.
func accessRoutes(h handlers) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Open(httpapi.Op{
			ID: "signUp", Method: http.MethodPost, Path: base + "/signup", Tag: tagAccess, Summary: "Cadastra uma empresa e seu proprietário",
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Login: true, Errors: []string{"already_exists", "forbidden"},
			Example: httpapi.Example{Body: `{"company_name": "Oficina Souza", "name": "Ana Souza", "email": "ana@example.com", "password": "cavalo-bateria-grampo"}`},
		}, h.signUp),
		httpapi.Open(httpapi.Op{
			ID: "signIn", Method: http.MethodPost, Path: base + "/login", Tag: tagAccess, Summary: "Entra com e-mail e senha",
			Body: httpapi.BodyRequired, Login: true, Errors: []string{"unauthorized"},
			Example: httpapi.Example{Body: `{"email": "ana@example.com", "password": "cavalo-bateria-grampo"}`},
		}, h.signIn),
		httpapi.Open(httpapi.Op{
			ID: "refreshSession", Method: http.MethodPost, Path: base + "/refresh", Tag: tagAccess,
			Summary: "Renova a sessão; o refresh_token vale uma vez, e um já usado há mais de 10 segundos encerra a sessão",
			Body:    httpapi.BodyRequired, Errors: []string{"unauthorized"},
			Example: httpapi.Example{Body: `{"refresh_token": "fh_refresh_…"}`},
		}, h.refresh),
		httpapi.Open(httpapi.Op{
			ID: "requestPasswordReset", Method: http.MethodPost, Path: base + "/password_reset", Tag: tagAccess,
			Summary: "Envia um link para redefinir a senha; a resposta é a mesma para um e-mail desconhecido",
			Status:  http.StatusAccepted, Body: httpapi.BodyRequired, Login: true,
			Example: httpapi.Example{Body: `{"email": "ana@example.com"}`},
		}, h.requestReset),
		httpapi.Open(httpapi.Op{
			ID: "confirmPasswordReset", Method: http.MethodPost, Path: base + "/password_reset/confirm", Tag: tagAccess,
			Summary: "Redefine a senha pelo link, uma vez, e encerra todas as sessões da pessoa",
			Status:  http.StatusNoContent, Body: httpapi.BodyRequired, Login: true,
			Example: httpapi.Example{Body: `{"token": "fh_reset_…", "password": "outro-cavalo-correto"}`},
		}, h.confirmReset),
		httpapi.Open(httpapi.Op{
			ID: "acceptInvitation", Method: http.MethodPost, Path: base + "/invitations/accept", Tag: tagAccess,
			Summary: "Aceita um convite; quem já tem conta informa a própria senha",
			Status:  http.StatusCreated, Body: httpapi.BodyRequired, Login: true, Errors: []string{"unauthorized", "already_exists"},
			Example: httpapi.Example{Body: `{"token": "fh_invite_…", "name": "Bruno Lima", "password": "cavalo-bateria-grampo"}`},
		}, h.accept),
		httpapi.Write(httpapi.Op{
			ID: "switchCompany", Method: http.MethodPost, Path: base + "/switch", Tag: tagAccess, Summary: "Abre uma sessão em outra empresa da mesma pessoa",
			Body: httpapi.BodyRequired, Secret: true, Example: httpapi.Example{Body: `{"tenant_id": "{tenant}"}`},
		}, h.switchCompany),
		httpapi.Write(httpapi.Op{
			ID: "signOut", Method: http.MethodPost, Path: base + "/logout", Tag: tagAccess, Summary: "Encerra esta sessão", Status: http.StatusNoContent,
		}, h.signOut),
		httpapi.Write(httpapi.Op{
			ID: "signOutAll", Method: http.MethodPost, Path: base + "/logout_all", Tag: tagAccess,
			Summary: "Encerra todas as sessões da pessoa, em todas as empresas", Status: http.StatusNoContent,
		}, h.signOutAll),
	}
}

type grantResponse struct {
	Tenant       tenantResponse    `json:"tenant"`
	Member       memberResponse    `json:"member"`
	Tenants      []companyResponse `json:"tenants" doc:"As empresas em que esta pessoa pode entrar."`
	AccessToken  string            `json:"access_token" doc:"JWT, para Authorization: Bearer."`
	RefreshToken string            `json:"refresh_token" doc:"Vale uma vez, em /refresh."`
	ExpiresIn    int64             `json:"expires_in" doc:"Segundos de vida do access_token."`
}

// companyResponse is a company in the list of those that a person may enter.
type companyResponse struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
	Mode string    `json:"mode" enum:"live,test"`
}

func toGrant(g *auth.Grant, err error) (grantResponse, error) {
	if err != nil {
		return grantResponse{}, err
	}
	return grantResponse{
		Tenant: toTenant(g.Company), Member: toMember(g.Member), Tenants: toCompanies(g.Companies),
		AccessToken: g.Access, RefreshToken: g.Refresh.Reveal(), ExpiresIn: int64(auth.AccessTokenLife.Seconds()),
	}, nil
}

func toCompanies(all []auth.Membership) []companyResponse {
	list := make([]companyResponse, len(all))
	for i, m := range all {
		list[i] = companyResponse{ID: m.TenantID, Name: m.Name, Mode: m.Mode}
	}
	return list
}

type signUpInput struct {
	CompanyName string `json:"company_name" required:"true" minLength:"1" maxLength:"120"`
	Name        string `json:"name" required:"true" minLength:"1" maxLength:"120" doc:"Nome do proprietário."`
	Email       string `json:"email" required:"true" minLength:"1" format:"email"`
	Password    string `json:"password" required:"true" minLength:"10" maxLength:"200"`
}

type signUpRequest struct {
	Body signUpInput `body:"true"`
}

func (h handlers) signUp(ctx context.Context, req signUpRequest) (grantResponse, error) {
	return toGrant(h.Accounts.SignUp(ctx, auth.NewCompany{
		CompanyName: req.Body.CompanyName, Name: req.Body.Name, Email: req.Body.Email, Password: req.Body.Password,
	}))
}

type signInInput struct {
	Email    string     `json:"email" required:"true" minLength:"1" maxLength:"254"`
	Password string     `json:"password" required:"true" minLength:"1" maxLength:"200"`
	TOTP     *string    `json:"totp" maxLength:"10" doc:"O código do segundo fator, se a conta tem um."`
	TenantID *uuid.UUID `json:"tenant_id" doc:"A empresa em que entrar; a primeira da pessoa, se não vier."`
}

type signInRequest struct {
	Body signInInput `body:"true"`
}

func (h handlers) signIn(ctx context.Context, req signInRequest) (grantResponse, error) {
	return toGrant(h.Accounts.SignIn(ctx, auth.Credentials{
		Email: req.Body.Email, Password: req.Body.Password, TOTP: orZero(req.Body.TOTP), TenantID: orZero(req.Body.TenantID),
	}))
}

type refreshInput struct {
	RefreshToken string `json:"refresh_token" required:"true" minLength:"1" maxLength:"2000"`
}

type refreshRequest struct {
	Body refreshInput `body:"true"`
}

func (h handlers) refresh(ctx context.Context, req refreshRequest) (grantResponse, error) {
	return toGrant(h.Accounts.Refresh(ctx, req.Body.RefreshToken))
}

type passwordResetInput struct {
	Email string `json:"email" required:"true" minLength:"1" maxLength:"254"`
}

type passwordResetRequest struct {
	Body passwordResetInput `body:"true"`
}

func (h handlers) requestReset(ctx context.Context, req passwordResetRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.Accounts.RequestReset(ctx, req.Body.Email)
}

type passwordResetConfirmInput struct {
	Token    string `json:"token" required:"true" minLength:"1" maxLength:"2000"`
	Password string `json:"password" required:"true" minLength:"10" maxLength:"200"`
}

type passwordResetConfirmRequest struct {
	Body passwordResetConfirmInput `body:"true"`
}

func (h handlers) confirmReset(ctx context.Context, req passwordResetConfirmRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.Accounts.ConfirmReset(ctx, req.Body.Token, req.Body.Password)
}

type acceptInvitationInput struct {
	Token    string  `json:"token" required:"true" minLength:"1" maxLength:"2000"`
	Name     string  `json:"name" required:"true" minLength:"1" maxLength:"120"`
	Password string  `json:"password" required:"true" minLength:"10" maxLength:"200" doc:"A nova senha, ou a da conta que a pessoa já tem."`
	TOTP     *string `json:"totp" maxLength:"10" doc:"O código do segundo fator, se a conta já existe e tem um."`
}

type acceptInvitationRequest struct {
	Body acceptInvitationInput `body:"true"`
}

func (h handlers) accept(ctx context.Context, req acceptInvitationRequest) (grantResponse, error) {
	return toGrant(h.Accounts.Accept(ctx, auth.Acceptance{
		Token: req.Body.Token, Name: req.Body.Name, Password: req.Body.Password, TOTP: orZero(req.Body.TOTP),
	}))
}

type switchInput struct {
	TenantID uuid.UUID `json:"tenant_id" required:"true"`
}

type switchRequest struct {
	Body switchInput `body:"true"`
}

func (h handlers) switchCompany(ctx context.Context, tx *db.Tx, req switchRequest) (grantResponse, error) {
	return toGrant(h.Accounts.Switch(ctx, tx, req.Body.TenantID))
}

type emptyRequest struct{}

func (h handlers) signOut(ctx context.Context, tx *db.Tx, _ emptyRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.Accounts.SignOut(ctx, tx)
}

func (h handlers) signOutAll(ctx context.Context, tx *db.Tx, _ emptyRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.Accounts.SignOutAll(ctx, tx)
}

// orZero is what an optional member that was left out stands for.
func orZero[T any](p *T) (zero T) {
	if p == nil {
		return zero
	}
	return *p
}
