package httpapi

import (
	"errors"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/problem"
)

// PeriodParams are the query parameters of a report by day or month.
type PeriodParams struct {
	From  *civil.Date `query:"from" required:"true" doc:"Primeiro dia."`
	To    *civil.Date `query:"to" required:"true" doc:"Último dia (inclusive): até 366 dias, ou 36 meses com group=month."`
	Group string      `query:"group" enum:"day,month" default:"day"`
}

// Division returns the time that is asked for, or a problem that names what is
// missing or too long.
func (p PeriodParams) Division() (civil.Division, error) {
	var f problem.Fields
	for pointer, day := range map[string]*civil.Date{"?from": p.From, "?to": p.To} {
		if day == nil {
			f.Add(pointer, "required", problem.T("Informe o dia.", "Give the day."))
		}
	}
	if err := f.Err(); err != nil {
		return civil.Division{}, err
	}
	group := civil.ByDay
	if p.Group != "" {
		group = p.Group
	}
	d, err := civil.Divide(civil.Period{From: *p.From, To: *p.To}, group)
	switch {
	case errors.Is(err, civil.ErrBeforeStart):
		f.Add("?to", civil.ErrBeforeStart.Code(), problem.T("O fim é antes do início.", "The end is before the start."))
	case errors.Is(err, civil.ErrTooLong):
		f.Add("?to", civil.ErrTooLong.Code(), problem.Tf("O período vai até %d dias, ou %d meses se agrupado por mês (group=month).",
			"The time is up to %d days, or %d months with group=month.", civil.MaxDays, civil.MaxMonths))
	}
	return d, f.Err()
}
