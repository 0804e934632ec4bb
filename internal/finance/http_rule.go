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
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

func ruleRoutes(h handlers) []httpapi.Route {
	one := rulesBase + "/{id}"
	end := action(op("endRecurring", one+"/end", rulesTag, "Encerra uma recorrência"), httpapi.BodyOptional, `{"cancel_future": true}`, "invalid_state")
	return []httpapi.Route{
		httpapi.Write(creation(op("createRecurring", rulesBase, rulesTag, "Cria uma recorrência e as ocorrências dos próximos 90 dias"),
			`{"type": "expense", "description": "Aluguel", "amount_cents": 250000, "frequency": "monthly", "start_date": "2026-11-30", "business_day": "next", "category_id": "{expense_category}"}`,
			"already_exists"), h.createRule),
		httpapi.List(op("listRecurring", rulesBase, rulesTag, "Lista recorrências"), h.listRules),
		httpapi.Read(op("getRecurring", one, rulesTag, "Consulta uma recorrência"), h.getRule),
		httpapi.Write(change(op("updateRecurring", one, rulesTag, "Altera as ocorrências futuras e, com apply_to, as pendentes"),
			`{"amount_cents": 260000, "apply_to": "pending"}`, "already_exists", "invalid_state"), h.updateRule),
		httpapi.List(op("listRecurringHistory", one+"/history", rulesTag, "Lista as mudanças de situação de uma recorrência"), h.ruleHistory),
		httpapi.Write(action(op("pauseRecurring", one+"/pause", rulesTag, "Pausa uma recorrência"), httpapi.BodyOptional, "", "invalid_state"), h.pause),
		httpapi.Write(action(op("resumeRecurring", one+"/resume", rulesTag, "Retoma uma recorrência a partir de hoje"), httpapi.BodyOptional, "", "invalid_state"), h.resume),
		httpapi.Write(end, h.end),
	}
}

type recurringInput struct {
	CommonInput
	AmountCents money.Cents `json:"amount_cents" required:"true" minimum:"1"`
	Frequency   string      `json:"frequency" required:"true" enum:"weekly,biweekly,monthly,bimonthly,quarterly,semiannual,yearly"`
	StartDate   civil.Date  `json:"start_date" required:"true" doc:"A primeira ocorrência, ou o dia a partir do qual due_day vale."`
	EndDate     *civil.Date `json:"end_date" doc:"Nenhuma ocorrência depois deste dia. Sem end_date e sem count, não termina."`
	Count       *int        `json:"count" minimum:"1" maximum:"600" doc:"Número de ocorrências, no lugar de end_date."`
	DueDay      *int        `json:"due_day" minimum:"1" maximum:"31" doc:"Dia do mês; o último, em um mês mais curto. Sem ele, o dia de start_date."`
	BusinessDay *string     `json:"business_day" enum:"none,next,previous" doc:"O que fazer com fins de semana e feriados bancários nacionais; none, se não vier."`
	ExternalID  *string     `json:"external_id" minLength:"1" maxLength:"64"`
}

func (in recurringInput) toNewRule() NewRule {
	r := Rule{
		Type: in.Type, AmountCents: in.AmountCents, Description: in.Description, CategoryID: in.CategoryID, ClientID: in.ClientID, Method: in.Method,
		DocumentNumber: in.DocumentNumber, Frequency: in.Frequency, StartDate: in.StartDate, EndDate: in.EndDate, Count: in.Count, DueDay: in.DueDay,
		BusinessDay: BusinessNone, ExternalID: in.ExternalID, Metadata: in.Metadata,
	}
	if in.BusinessDay != nil {
		r.BusinessDay = *in.BusinessDay
	}
	return NewRule{Rule: r, Account: in.AccountID}
}

type recurringPatch struct {
	AmountCents    opt.Field[money.Cents] `json:"amount_cents" required:"true" minimum:"1"`
	Description    opt.Field[string]      `json:"description" required:"true" minLength:"1" maxLength:"200"`
	AccountID      opt.Field[uuid.UUID]   `json:"account_id" required:"true"`
	CategoryID     opt.Field[uuid.UUID]   `json:"category_id"`
	ClientID       opt.Field[uuid.UUID]   `json:"client_id"`
	Method         opt.Field[string]      `json:"method" enum:"pix,cash,credit_card,debit_card,boleto,bank_transfer,check,other"`
	DocumentNumber opt.Field[string]      `json:"document_number" maxLength:"60"`
	EndDate        opt.Field[civil.Date]  `json:"end_date"`
	Count          opt.Field[int]         `json:"count" minimum:"1" maximum:"600"`
	DueDay         opt.Field[int]         `json:"due_day" minimum:"1" maximum:"31"`
	BusinessDay    opt.Field[string]      `json:"business_day" enum:"none,next,previous"`
	ExternalID     opt.Field[string]      `json:"external_id" minLength:"1" maxLength:"64"`
	Metadata       opt.Field[meta.Patch]  `json:"metadata"`
	ApplyTo        opt.Field[string]      `json:"apply_to" enum:"pending" doc:"Com pending, as ocorrências já criadas e não pagas acompanham; as que ficam depois do fim são canceladas."`
}

func (p recurringPatch) toChanges() RuleChanges {
	return RuleChanges{
		AmountCents: p.AmountCents, Description: p.Description, AccountID: p.AccountID, CategoryID: p.CategoryID, ClientID: p.ClientID,
		Method: p.Method, DocumentNumber: p.DocumentNumber, EndDate: p.EndDate, Count: p.Count, DueDay: p.DueDay, BusinessDay: p.BusinessDay,
		ExternalID: p.ExternalID, Metadata: p.Metadata,
	}
}

// RecurringResponse is a rule on the wire.
type RecurringResponse struct {
	ID             uuid.UUID   `json:"id"`
	Type           string      `json:"type" enum:"income,expense"`
	Status         string      `json:"status" enum:"active,paused,ended"`
	AmountCents    money.Cents `json:"amount_cents"`
	Description    string      `json:"description"`
	AccountID      uuid.UUID   `json:"account_id"`
	CategoryID     *uuid.UUID  `json:"category_id"`
	ClientID       *uuid.UUID  `json:"client_id"`
	Method         *string     `json:"method" enum:"pix,cash,credit_card,debit_card,boleto,bank_transfer,check,other"`
	DocumentNumber *string     `json:"document_number"`
	Frequency      string      `json:"frequency" enum:"weekly,biweekly,monthly,bimonthly,quarterly,semiannual,yearly"`
	StartDate      civil.Date  `json:"start_date"`
	EndDate        *civil.Date `json:"end_date"`
	Count          *int        `json:"count"`
	DueDay         *int        `json:"due_day"`
	BusinessDay    string      `json:"business_day" enum:"none,next,previous"`
	NextDate       *civil.Date `json:"next_date" doc:"A próxima ocorrência a ser criada, 90 dias antes; null depois da última."`
	ExternalID     *string     `json:"external_id"`
	Metadata       meta.Map    `json:"metadata"`
	CreatedAt      time.Time   `json:"created_at"`
	UpdatedAt      time.Time   `json:"updated_at"`
	Version        int64       `json:"version"`
}

// Location is the rule's address.
func (r RecurringResponse) Location() string { return rulesBase + "/" + r.ID.String() }

// ObjectVersion is the rule's version.
func (r RecurringResponse) ObjectVersion() int64 { return r.Version }

// createdRecurringResponse is a new rule with the occurrences made at once.
type createdRecurringResponse struct {
	RecurringResponse
	Occurrences []TransactionResponse `json:"occurrences" doc:"As ocorrências dos próximos 90 dias."`
}

func toRuleResponse(r *Rule) RecurringResponse {
	return RecurringResponse{
		ID: r.ID, Type: r.Type, Status: r.Status, AmountCents: r.AmountCents, Description: r.Description, AccountID: r.AccountID,
		CategoryID: r.CategoryID, ClientID: r.ClientID, Method: r.Method, DocumentNumber: r.DocumentNumber, Frequency: r.Frequency,
		StartDate: r.StartDate, EndDate: r.EndDate, Count: r.Count, DueDay: r.DueDay, BusinessDay: r.BusinessDay, NextDate: r.NextDate,
		ExternalID: r.ExternalID, Metadata: r.Metadata, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Version: r.Version,
	}
}

type createRuleRequest struct {
	Body recurringInput `body:"true"`
}

func (h handlers) createRule(ctx context.Context, tx *db.Tx, req createRuleRequest) (createdRecurringResponse, error) {
	r, made, err := h.service.CreateRule(ctx, tx, req.Body.toNewRule())
	return respond(r, err, func(r *Rule) createdRecurringResponse {
		return createdRecurringResponse{toRuleResponse(r), toTransactionResponses(made)}
	})
}

type listRulesRequest struct {
	httpapi.ListParams `sorts:"created_at,updated_at"`
	Status             string `query:"status" enum:"active,paused,ended"`
	Type               string `query:"type" enum:"income,expense"`
}

func (h handlers) listRules(ctx context.Context, r db.Reader, req listRulesRequest) (page.Result[RecurringResponse], error) {
	result, err := h.service.ListRules(ctx, r, RuleFilter{ListFilter: req.Filter(), Status: req.Status, Type: req.Type, Page: req.Page})
	return respondPage(result, err, toRuleResponse)
}

func (h handlers) getRule(ctx context.Context, r db.Reader, req idRequest) (RecurringResponse, error) {
	rule, err := h.service.GetRule(ctx, r, req.ID)
	return respond(rule, err, toRuleResponse)
}

type updateRuleRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    recurringPatch `body:"true"`
}

func (h handlers) updateRule(ctx context.Context, tx *db.Tx, req updateRuleRequest) (RecurringResponse, error) {
	_, applyToPending := req.Body.ApplyTo.Value()
	r, err := h.service.UpdateRule(ctx, tx, req.ID, req.IfMatch, req.Body.toChanges(), applyToPending)
	return respond(r, err, toRuleResponse)
}

func (h handlers) ruleHistory(ctx context.Context, r db.Reader, req historyRequest) (page.Result[httpapi.HistoryEntry], error) {
	return httpapi.HistoryPage(h.service.RuleHistory(ctx, r, req.ID, req.Page))
}

func (h handlers) pause(ctx context.Context, tx *db.Tx, req idRequest) (RecurringResponse, error) {
	r, err := h.service.Pause(ctx, tx, req.ID)
	return respond(r, err, toRuleResponse)
}

func (h handlers) resume(ctx context.Context, tx *db.Tx, req idRequest) (RecurringResponse, error) {
	r, err := h.service.Resume(ctx, tx, req.ID)
	return respond(r, err, toRuleResponse)
}

type endRecurringInput struct {
	CancelFuture bool `json:"cancel_future" doc:"Cancela também as ocorrências não pagas que vencem depois de hoje."`
}

type endRuleRequest struct {
	ID   uuid.UUID         `path:"id"`
	Body endRecurringInput `body:"true"`
}

func (h handlers) end(ctx context.Context, tx *db.Tx, req endRuleRequest) (RecurringResponse, error) {
	r, err := h.service.End(ctx, tx, req.ID, req.Body.CancelFuture)
	return respond(r, err, toRuleResponse)
}
