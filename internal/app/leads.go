package app

import (
	"context"

	"github.com/google/uuid"

	"fatureihoje/internal/crm"
	"fatureihoje/internal/db"
	"fatureihoje/internal/problem"
)

// leadClients tells quotes what has become of a lead: neither domain imports
// the other.
type leadClients struct{ crm *crm.Service }

// LeadClient is quotes.Leads.
func (l leadClients) LeadClient(ctx context.Context, r db.Reader, leadID uuid.UUID) (*uuid.UUID, bool, error) {
	lead, err := l.crm.GetLead(ctx, r, leadID)
	if problem.Is(err, problem.NotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return lead.ClientID, true, nil
}
