package sales

import (
	"context"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/money"
)

func reportRoutes(h handlers) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Read(httpapi.Op{
			ID: "reportSales", Path: httpapi.PublicBase + "/reports/sales", Tag: "Relatórios", Summary: "Vendas por dia ou mês",
			Scopes: []string{canRead}, Example: httpapi.Example{Query: "from=2026-11-01&to=2026-11-30"},
		}, h.report),
	}
}

type salesReportRequest struct{ httpapi.PeriodParams }

type salesReportResponse struct {
	From         civil.Date            `json:"from"`
	To           civil.Date            `json:"to"`
	Group        string                `json:"group" enum:"day,month"`
	Count        int64                 `json:"count" doc:"Vendas do período, sem as canceladas."`
	TotalCents   int64                 `json:"total_cents"`
	PaidCents    int64                 `json:"paid_cents" doc:"O que já foi pago dessas vendas, em qualquer dia."`
	BalanceCents int64                 `json:"balance_cents" doc:"O que falta pagar delas."`
	AverageCents money.Cents           `json:"average_cents" doc:"O total dividido pelo número de vendas, arredondado (meio centavo para cima); 0 sem vendas."`
	Periods      []salesPeriodResponse `json:"periods" doc:"Todos os dias ou meses, também os sem vendas."`
}

type salesPeriodResponse struct {
	From       civil.Date `json:"from"`
	To         civil.Date `json:"to"`
	Count      int64      `json:"count"`
	TotalCents int64      `json:"total_cents"`
}

func (h handlers) report(ctx context.Context, r db.Reader, req salesReportRequest) (salesReportResponse, error) {
	division, err := req.Division()
	if err != nil {
		return salesReportResponse{}, err
	}
	report, err := h.service.Report(ctx, r, division)
	if err != nil {
		return salesReportResponse{}, err
	}
	return toReportResponse(report), nil
}

func toReportResponse(report *Report) salesReportResponse {
	response := salesReportResponse{
		From: report.From, To: report.To, Group: report.Group, Count: report.Total.Count, TotalCents: int64(report.Total.Total),
		PaidCents: int64(report.Total.Paid), BalanceCents: int64(report.Total.Balance()), AverageCents: report.Total.Average(),
	}
	for _, p := range report.Periods {
		response.Periods = append(response.Periods, salesPeriodResponse{p.From, p.To, p.Count, int64(p.Total)})
	}
	return response
}
