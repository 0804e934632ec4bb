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
)

func companyRoutes(h handlers) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Read(httpapi.Op{ID: "getTenant", Path: base + "/tenant", Tag: tagCompany, Summary: "Consulta a empresa"}, h.company),
		httpapi.Write(httpapi.Op{
			ID: "updateTenant", Method: http.MethodPatch, Path: base + "/tenant", Tag: tagCompany, Summary: "Altera a empresa",
			Scopes: managers(), Body: httpapi.BodyRequired, Example: httpapi.Example{Body: `{"time_zone": "America/Manaus"}`},
		}, h.updateCompany),
		httpapi.Write(httpapi.Op{
			ID: "createSandbox", Method: http.MethodPost, Path: base + "/sandbox", Tag: tagCompany,
			Summary: "Cria o ambiente de testes da empresa, com os mesmos membros e chaves fh_test_",
			Scopes:  managers(), Status: http.StatusCreated, Errors: []string{"already_exists"},
		}, h.createSandbox),
	}
}

type tenantResponse struct {
	ID        uuid.UUID  `json:"id"`
	Name      string     `json:"name"`
	Document  *string    `json:"document" doc:"CPF ou CNPJ, sem pontuação."`
	TimeZone  string     `json:"time_zone" doc:"Fuso horário IANA, pelo qual as datas são lidas."`
	Mode      string     `json:"mode" enum:"live,test"`
	Status    string     `json:"status" enum:"active,suspended"`
	SandboxOf *uuid.UUID `json:"sandbox_of" doc:"A empresa de que este é o ambiente de testes."`
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt time.Time  `json:"updated_at"`
	Version   int64      `json:"version"`
}

// ObjectVersion is the company's version.
func (r tenantResponse) ObjectVersion() int64 { return r.Version }

func toTenant(c auth.Company) tenantResponse {
	return tenantResponse{
		ID: c.ID, Name: c.Name, Document: c.Document, TimeZone: c.TimeZone, Mode: c.Mode, Status: c.Status, SandboxOf: c.SandboxOf,
		CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, Version: c.Version,
	}
}

func respondCompany(c *auth.Company, err error) (tenantResponse, error) {
	if err != nil {
		return tenantResponse{}, err
	}
	return toTenant(*c), nil
}

func (h handlers) company(ctx context.Context, r db.Reader, _ emptyRequest) (tenantResponse, error) {
	return respondCompany(h.Members.Company(ctx, r))
}

type tenantPatch struct {
	Name     opt.Field[string] `json:"name" required:"true" minLength:"1" maxLength:"120"`
	Document opt.Field[string] `json:"document" format:"cpf-cnpj"`
	TimeZone opt.Field[string] `json:"time_zone" required:"true" minLength:"1" maxLength:"64"`
}

type updateCompanyRequest struct {
	IfMatch etag.Match
	Body    tenantPatch `body:"true"`
}

func (h handlers) updateCompany(ctx context.Context, tx *db.Tx, req updateCompanyRequest) (tenantResponse, error) {
	return respondCompany(h.Members.UpdateCompany(ctx, tx, req.IfMatch, auth.CompanyChanges(req.Body)))
}

func (h handlers) createSandbox(ctx context.Context, tx *db.Tx, _ emptyRequest) (tenantResponse, error) {
	return respondCompany(h.Members.CreateSandbox(ctx, tx))
}
