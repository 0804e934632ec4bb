package crm

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/money"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/search"
	"fatureihoje/internal/state"
)

// Statuses of a lead.
const (
	LeadNew       = "new"
	LeadContacted = "contacted"
	LeadQualified = "qualified"
	LeadConverted = "converted"
	LeadLost      = "lost"
)

// leadResource is the word for a lead in histories, audit rows and searches.
const leadResource = "lead"

// actionConvert is the one action of a lead that is not named after its target:
// it has a route of its own, since it makes or links a client.
const actionConvert = "convert"

// leadStatuses is the life of a lead. A conversion may come at any time while
// the lead is open: a client who buys at the first call is not contacted first.
func leadStatuses() state.Machine {
	open := []string{LeadNew, LeadContacted, LeadQualified}
	return state.Machine{
		{Action: LeadContacted, From: []string{LeadNew}, To: LeadContacted},
		{Action: LeadQualified, From: []string{LeadContacted}, To: LeadQualified},
		{Action: LeadLost, From: open, To: LeadLost},
		{Action: LeadNew, From: []string{LeadLost}, To: LeadNew},
		{Action: actionConvert, From: open, To: LeadConverted},
	}
}

// Lead is somebody who may become a client. Its phone is in E.164.
type Lead struct {
	ID                  uuid.UUID
	Name                string
	Email               *string
	Phone               *string
	CompanyName         *string
	Source              *string
	Interest            *string
	EstimatedValueCents *money.Cents
	AssigneeMemberID    *uuid.UUID
	Notes               *string
	Status              string
	LostReason          *string    // while it is lost
	ClientID            *uuid.UUID // once it is converted
	ExternalID          *string
	Metadata            meta.Map
	CreatedAt           time.Time
	UpdatedAt           time.Time
	Version             int64
}

// LeadChanges are the members of a PATCH of a lead.
type LeadChanges struct {
	Name                opt.Field[string]
	Email               opt.Field[string]
	Phone               opt.Field[string]
	CompanyName         opt.Field[string]
	Source              opt.Field[string]
	Interest            opt.Field[string]
	EstimatedValueCents opt.Field[money.Cents]
	AssigneeMemberID    opt.Field[uuid.UUID]
	Notes               opt.Field[string]
	ExternalID          opt.Field[string]
	Metadata            opt.Field[meta.Patch]
}

// LeadFilter selects leads of a list; empty fields select all.
type LeadFilter struct {
	db.ListFilter
	Status           string
	AssigneeMemberID *uuid.UUID
	Query            string
	Page             page.Request
}

// final reports that the lead's story has ended, for now or for good.
func (l *Lead) final() bool { return l.Status == LeadConverted || l.Status == LeadLost }

// apply changes l. A final lead takes only what is kept beside it.
func (l *Lead) apply(ch LeadChanges) error {
	if l.final() {
		if err := leadStatuses().Frozen(l.Status, ch.ofOpenLeads()...); err != nil {
			return err
		}
	}
	opt.Assign(&l.Name, ch.Name, "")
	l.Email = ch.Email.Or(l.Email)
	l.Phone = ch.Phone.Or(l.Phone)
	l.CompanyName = ch.CompanyName.Or(l.CompanyName)
	l.Source = ch.Source.Or(l.Source)
	l.Interest = ch.Interest.Or(l.Interest)
	l.EstimatedValueCents = ch.EstimatedValueCents.Or(l.EstimatedValueCents)
	l.AssigneeMemberID = ch.AssigneeMemberID.Or(l.AssigneeMemberID)
	l.Notes = ch.Notes.Or(l.Notes)
	l.ExternalID = ch.ExternalID.Or(l.ExternalID)
	l.Metadata = l.Metadata.Change(ch.Metadata)
	return nil
}

// ofOpenLeads are the members that only an open lead lets change.
func (ch LeadChanges) ofOpenLeads() []state.Member {
	return []state.Member{
		{Pointer: "/name", Sent: ch.Name.IsSet()},
		{Pointer: "/email", Sent: ch.Email.IsSet()},
		{Pointer: "/phone", Sent: ch.Phone.IsSet()},
		{Pointer: "/company_name", Sent: ch.CompanyName.IsSet()},
		{Pointer: "/source", Sent: ch.Source.IsSet()},
		{Pointer: "/interest", Sent: ch.Interest.IsSet()},
		{Pointer: "/estimated_value_cents", Sent: ch.EstimatedValueCents.IsSet()},
		{Pointer: "/assignee_member_id", Sent: ch.AssigneeMemberID.IsSet()},
	}
}

// LeadStatusChange moves a lead: LostReason is given where, and only where, the
// lead is lost.
type LeadStatusChange struct {
	Status     string
	LostReason *string
}

func (c LeadStatusChange) validate() error {
	var f problem.Fields
	if c.Status == LeadLost && c.LostReason == nil {
		f.Add("/lost_reason", "required", problem.T("Informe por que o lead foi perdido.", "Say why the lead was lost."))
	}
	if c.Status != LeadLost && c.LostReason != nil {
		f.Add("/lost_reason", "not_applicable", problem.T("Só um lead perdido tem este campo.", "Only a lost lead has this member."))
	}
	return f.Err()
}

// tokens are the words by which the lead is found.
func (l *Lead) tokens() []string {
	tokens := search.Words(l.Name, opt.OrZero(l.CompanyName), opt.OrZero(l.Email))
	if l.Phone != nil {
		tokens = append(tokens, search.Phone(*l.Phone)...)
	}
	return tokens
}
