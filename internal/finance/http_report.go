package finance

import (
	"context"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
)

func reportRoutes(h handlers) []httpapi.Route {
	flow := op("reportCashFlow", reportsBase+"/cash_flow", reportsTag, "Fluxo de caixa, realizado e previsto, por dia ou mês")
	flow.Example.Query = "from=2026-11-01&to=2026-11-30"
	return []httpapi.Route{
		httpapi.Read(flow, h.cashFlow),
		httpapi.Read(op("reportReceivables", reportsBase+"/receivables", reportsTag, "Contas a receber, vencidas por faixa de atraso e a vencer"), h.receivables),
	}
}

type cashFlowRequest struct{ httpapi.PeriodParams }

// FlowBody are the sums of a time, in centavos.
type FlowBody struct {
	OpeningCents          int64 `json:"opening_cents" doc:"Saldo de todas as contas no início; pode ser negativo."`
	InCents               int64 `json:"in_cents" doc:"Receitas pagas no período. Transferências não contam."`
	OutCents              int64 `json:"out_cents" doc:"Despesas pagas no período."`
	ClosingCents          int64 `json:"closing_cents"`
	ProjectedOpeningCents int64 `json:"projected_opening_cents" doc:"O saldo mais tudo o que vence antes e está pendente."`
	ProjectedInCents      int64 `json:"projected_in_cents" doc:"Receitas pendentes que vencem no período."`
	ProjectedOutCents     int64 `json:"projected_out_cents" doc:"Despesas pendentes que vencem no período."`
	ProjectedClosingCents int64 `json:"projected_closing_cents"`
}

type cashFlowPeriodResponse struct {
	From civil.Date `json:"from"`
	To   civil.Date `json:"to"`
	FlowBody
}

type cashFlowResponse struct {
	From  civil.Date `json:"from"`
	To    civil.Date `json:"to"`
	Group string     `json:"group" enum:"day,month"`
	FlowBody
	Periods []cashFlowPeriodResponse `json:"periods"`
}

func toFlow(p Period) FlowBody {
	return FlowBody{
		OpeningCents: p.Opening, InCents: p.In, OutCents: p.Out, ClosingCents: p.Closing, ProjectedOpeningCents: p.ProjectedOpening,
		ProjectedInCents: p.ProjectedIn, ProjectedOutCents: p.ProjectedOut, ProjectedClosingCents: p.ProjectedClosing,
	}
}

func (h handlers) cashFlow(ctx context.Context, r db.Reader, req cashFlowRequest) (cashFlowResponse, error) {
	division, err := req.Division()
	if err != nil {
		return cashFlowResponse{}, err
	}
	flow, err := h.service.CashFlow(ctx, r, division)
	return respond(flow, err, toCashFlowResponse)
}

func toCashFlowResponse(flow *CashFlow) cashFlowResponse {
	response := cashFlowResponse{From: flow.From, To: flow.To, Group: flow.Group, FlowBody: toFlow(flow.Total)}
	for _, p := range flow.Periods {
		response.Periods = append(response.Periods, cashFlowPeriodResponse{p.From, p.To, toFlow(p)})
	}
	return response
}

type receivablesRequest struct{}

type sumResponse struct {
	Count      int64 `json:"count"`
	TotalCents int64 `json:"total_cents"`
}

type overdueBandResponse struct {
	FromDays   int   `json:"from_days" doc:"Dias de atraso, a partir de."`
	ToDays     *int  `json:"to_days" doc:"Até; null na última faixa."`
	Count      int64 `json:"count"`
	TotalCents int64 `json:"total_cents"`
}

type receivablesResponse struct {
	AsOf     civil.Date            `json:"as_of" doc:"O dia de hoje da empresa."`
	Overdue  sumResponse           `json:"overdue"`
	Bands    []overdueBandResponse `json:"bands" doc:"As vencidas por dias de atraso."`
	Upcoming sumResponse           `json:"upcoming" doc:"As que vencem hoje ou depois."`
}

func (h handlers) receivables(ctx context.Context, r db.Reader, _ receivablesRequest) (receivablesResponse, error) {
	report, err := h.service.Receivables(ctx, r)
	return respond(report, err, toReceivablesResponse)
}

func toReceivablesResponse(report *Receivables) receivablesResponse {
	response := receivablesResponse{
		AsOf: report.AsOf, Overdue: sumResponse{report.Overdue.Count, report.Overdue.Cents},
		Upcoming: sumResponse{report.Upcoming.Count, report.Upcoming.Cents},
	}
	for _, b := range report.Bands {
		response.Bands = append(response.Bands, overdueBandResponse{b.FromDays, b.ToDays, b.Count, b.Cents})
	}
	return response
}
