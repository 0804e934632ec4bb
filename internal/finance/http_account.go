package finance

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

func accountRoutes(h handlers) []httpapi.Route {
	one := accountsBase + "/{id}"
	return []httpapi.Route{
		httpapi.Write(creation(op("createFinancialAccount", accountsBase, accountsTag, "Cria uma conta"),
			`{"name": "Banco do Brasil", "kind": "checking", "bank_code": "001", "agency": "1234-5", "number": "12345-6", "opening_balance_cents": 150000, "opening_date": "2026-01-01"}`,
			"already_exists"), h.createAccount),
		httpapi.List(op("listFinancialAccounts", accountsBase, accountsTag, "Lista contas"), h.listAccounts),
		httpapi.Read(op("getFinancialAccount", one, accountsTag, "Consulta uma conta, com os saldos"), h.getAccount),
		httpapi.Write(change(op("updateFinancialAccount", one, accountsTag, "Altera uma conta"), `{"agency": "4321-0"}`, "already_exists"), h.updateAccount),
		httpapi.Write(removal(op("deleteFinancialAccount", one, accountsTag, "Exclui uma conta sem lançamentos"), "resource_in_use", "conflict"), h.deleteAccount),
	}
}

type financialAccountInput struct {
	Name                string      `json:"name" required:"true" minLength:"1" maxLength:"80" doc:"Único na empresa."`
	Kind                *string     `json:"kind" enum:"cash,checking,savings,credit_card,investment,payment_provider,other" doc:"other, se não vier."`
	BankCode            *string     `json:"bank_code" maxLength:"10" doc:"Código do banco (COMPE)."`
	Agency              *string     `json:"agency" maxLength:"20"`
	Number              *string     `json:"number" maxLength:"30"`
	OpeningBalanceCents int64       `json:"opening_balance_cents" minimum:"-99999999999" maximum:"99999999999" doc:"Saldo inicial em centavos; negativo para uma conta que começa devedora."`
	OpeningDate         *civil.Date `json:"opening_date" doc:"Hoje, se não vier."`
	IsDefault           bool        `json:"is_default" doc:"A conta usada onde nenhuma é informada; a anterior deixa de ser."`
	ExternalID          *string     `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata            meta.Map    `json:"metadata"`
}

func (in financialAccountInput) toAccount() Account {
	a := Account{
		Name: in.Name, Kind: "other", BankCode: in.BankCode, Agency: in.Agency, Number: in.Number,
		OpeningBalanceCents: in.OpeningBalanceCents, IsDefault: in.IsDefault, ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
	if in.Kind != nil {
		a.Kind = *in.Kind
	}
	if in.OpeningDate != nil {
		a.OpeningDate = *in.OpeningDate
	}
	return a
}

type financialAccountPatch struct {
	Name                opt.Field[string]     `json:"name" required:"true" minLength:"1" maxLength:"80"`
	Kind                opt.Field[string]     `json:"kind" enum:"cash,checking,savings,credit_card,investment,payment_provider,other"`
	BankCode            opt.Field[string]     `json:"bank_code" maxLength:"10"`
	Agency              opt.Field[string]     `json:"agency" maxLength:"20"`
	Number              opt.Field[string]     `json:"number" maxLength:"30"`
	OpeningBalanceCents opt.Field[int64]      `json:"opening_balance_cents" minimum:"-99999999999" maximum:"99999999999"`
	OpeningDate         opt.Field[civil.Date] `json:"opening_date" required:"true"`
	IsDefault           opt.Field[bool]       `json:"is_default" required:"true" doc:"Só true: a padrão deixa de ser quando outra passa a ser."`
	ExternalID          opt.Field[string]     `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata            opt.Field[meta.Patch] `json:"metadata"`
}

type financialAccountResponse struct {
	ID                    uuid.UUID  `json:"id"`
	Name                  string     `json:"name"`
	Kind                  string     `json:"kind" enum:"cash,checking,savings,credit_card,investment,payment_provider,other"`
	BankCode              *string    `json:"bank_code"`
	Agency                *string    `json:"agency"`
	Number                *string    `json:"number"`
	OpeningBalanceCents   int64      `json:"opening_balance_cents" doc:"Centavos; pode ser negativo."`
	OpeningDate           civil.Date `json:"opening_date"`
	IsDefault             bool       `json:"is_default"`
	BalanceCents          int64      `json:"balance_cents" doc:"Saldo inicial mais os lançamentos pagos; pode ser negativo."`
	ProjectedBalanceCents int64      `json:"projected_balance_cents" doc:"O saldo mais os lançamentos pendentes."`
	ExternalID            *string    `json:"external_id"`
	Metadata              meta.Map   `json:"metadata"`
	CreatedAt             time.Time  `json:"created_at"`
	UpdatedAt             time.Time  `json:"updated_at"`
	Version               int64      `json:"version" doc:"Cresce com cada alteração da conta, não com os lançamentos."`
}

// Location is the account's address.
func (r financialAccountResponse) Location() string { return accountsBase + "/" + r.ID.String() }

// ObjectVersion is the account's version.
func (r financialAccountResponse) ObjectVersion() int64 { return r.Version }

func toAccountResponse(a *Account) financialAccountResponse {
	return financialAccountResponse{
		ID: a.ID, Name: a.Name, Kind: a.Kind, BankCode: a.BankCode, Agency: a.Agency, Number: a.Number,
		OpeningBalanceCents: a.OpeningBalanceCents, OpeningDate: a.OpeningDate, IsDefault: a.IsDefault,
		BalanceCents: a.BalanceCents(), ProjectedBalanceCents: a.ProjectedCents(), ExternalID: a.ExternalID, Metadata: a.Metadata,
		CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt, Version: a.Version,
	}
}

type createAccountRequest struct {
	Body financialAccountInput `body:"true"`
}

func (h handlers) createAccount(ctx context.Context, tx *db.Tx, req createAccountRequest) (financialAccountResponse, error) {
	a, err := h.service.CreateAccount(ctx, tx, req.Body.toAccount())
	return respond(a, err, toAccountResponse)
}

type listAccountsRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at"`
	Kind               string `query:"kind" enum:"cash,checking,savings,credit_card,investment,payment_provider,other"`
}

func (h handlers) listAccounts(ctx context.Context, r db.Reader, req listAccountsRequest) (page.Result[financialAccountResponse], error) {
	result, err := h.service.ListAccounts(ctx, r, AccountFilter{ListFilter: req.Filter(), Kind: req.Kind, Page: req.Page})
	return respondPage(result, err, toAccountResponse)
}

type idRequest struct {
	ID uuid.UUID `path:"id"`
}

func (h handlers) getAccount(ctx context.Context, r db.Reader, req idRequest) (financialAccountResponse, error) {
	a, err := h.service.GetAccount(ctx, r, req.ID)
	return respond(a, err, toAccountResponse)
}

type updateAccountRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    financialAccountPatch `body:"true"`
}

func (h handlers) updateAccount(ctx context.Context, tx *db.Tx, req updateAccountRequest) (financialAccountResponse, error) {
	a, err := h.service.UpdateAccount(ctx, tx, req.ID, req.IfMatch, AccountChanges(req.Body))
	return respond(a, err, toAccountResponse)
}

type deleteRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
}

func (h handlers) deleteAccount(ctx context.Context, tx *db.Tx, req deleteRequest) (httpapi.Nothing, error) {
	return httpapi.Nothing{}, h.service.DeleteAccount(ctx, tx, req.ID, req.IfMatch)
}
