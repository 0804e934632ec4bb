package clients

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/brdoc"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/search"
	"fatureihoje/internal/state"
)

// Kinds of client.
const (
	KindPerson  = "person"
	KindCompany = "company"
)

// Statuses of a client.
const (
	StatusActive   = "active"
	StatusArchived = "archived"
)

// Resource is the word for a client in histories, audit rows and searches.
const Resource = "client"

// statuses is the life of a client.
func statuses() state.Machine {
	return state.Machine{
		{Action: "archive", From: []string{StatusActive}, To: StatusArchived},
		{Action: "unarchive", From: []string{StatusArchived}, To: StatusActive},
	}
}

// Client is a person or a company. Texts are in NFC, documents without
// punctuation, phones in E.164.
type Client struct {
	ID                    uuid.UUID
	Kind                  string
	Name                  string
	Document              *string
	TradeName             *string
	StateRegistration     *string
	MunicipalRegistration *string
	Email                 *string
	Phone                 *string
	Mobile                *string
	BirthDate             *civil.Date
	Tags                  db.Texts
	Notes                 *string
	Status                string
	ExternalID            *string
	Metadata              meta.Map
	CreatedAt             time.Time
	UpdatedAt             time.Time
	Version               int64

	Addresses []Address `gorm:"-"`
}

// Changes are the members of a PATCH.
type Changes struct {
	Name                  opt.Field[string]
	Kind                  opt.Field[string]
	Document              opt.Field[string]
	TradeName             opt.Field[string]
	StateRegistration     opt.Field[string]
	MunicipalRegistration opt.Field[string]
	Email                 opt.Field[string]
	Phone                 opt.Field[string]
	Mobile                opt.Field[string]
	BirthDate             opt.Field[civil.Date]
	Tags                  opt.Field[[]string]
	Notes                 opt.Field[string]
	ExternalID            opt.Field[string]
	Metadata              opt.Field[meta.Patch]
}

// Filter selects clients of a list; empty fields select all.
type Filter struct {
	db.ListFilter
	Status   string
	Document string
	Email    string
	Tag      string
	Query    string
	Page     page.Request
}

// apply changes c, and takes its kind from a new document unless one is given.
func (c *Client) apply(ch Changes) {
	opt.Assign(&c.Name, ch.Name, "")
	c.Document = ch.Document.Or(c.Document)
	c.TradeName = ch.TradeName.Or(c.TradeName)
	c.StateRegistration = ch.StateRegistration.Or(c.StateRegistration)
	c.MunicipalRegistration = ch.MunicipalRegistration.Or(c.MunicipalRegistration)
	c.Email = ch.Email.Or(c.Email)
	c.Phone = ch.Phone.Or(c.Phone)
	c.Mobile = ch.Mobile.Or(c.Mobile)
	c.BirthDate = ch.BirthDate.Or(c.BirthDate)
	c.Notes = ch.Notes.Or(c.Notes)
	c.ExternalID = ch.ExternalID.Or(c.ExternalID)
	if ch.Tags.IsSet() {
		tags, _ := ch.Tags.Value()
		c.Tags = tags
	}
	c.Metadata = c.Metadata.Change(ch.Metadata)
	if kind, ok := ch.Kind.Value(); ok {
		c.Kind = kind
	} else if ch.Kind.IsNull() || ch.Document.IsSet() {
		c.Kind = ""
	}
	c.settle()
}

// settle derives the kind of a client that names none: from its document, else a person.
func (c *Client) settle() {
	if c.Kind != "" {
		return
	}
	c.Kind = KindPerson
	if c.Document != nil {
		c.Kind = kindOf(*c.Document)
	}
}

func kindOf(document string) string {
	if brdoc.Document(document).Kind() == brdoc.CNPJ {
		return KindCompany
	}
	return KindPerson
}

// validate checks what spans several members, and what only the day can tell.
func (c *Client) validate(today func() civil.Date) error {
	var f problem.Fields
	if c.Document != nil && c.Kind != kindOf(*c.Document) {
		f.Add("/kind", "document_mismatch", problem.T(
			"Uma pessoa tem CPF; uma empresa tem CNPJ.", "A person has a CPF; a company has a CNPJ."))
	}
	if c.BirthDate != nil && c.BirthDate.After(today()) {
		f.Add("/birth_date", "future", problem.T("A data não pode estar no futuro.", "The date cannot be in the future."))
	}
	c.Metadata.Validate("/metadata", &f)
	return f.Err()
}

// tokens are the words and tags by which the client is found.
func (c *Client) tokens() []string {
	tokens := search.Words(c.Name, opt.OrZero(c.TradeName), opt.OrZero(c.Document), opt.OrZero(c.Email))
	for _, phone := range []*string{c.Phone, c.Mobile} {
		if phone != nil {
			tokens = append(tokens, search.Phone(*phone)...)
		}
	}
	for _, tag := range c.Tags {
		tokens = append(tokens, search.Tag(tag))
	}
	return tokens
}
