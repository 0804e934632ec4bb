package auth

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/id"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/origin"
	"fatureihoje/internal/problem"
)

// CompanyChanges are the members of a PATCH of a company.
type CompanyChanges struct {
	Name     opt.Field[string]
	Document opt.Field[string]
	TimeZone opt.Field[string]
}

// Company returns the caller's company.
func (m *Members) Company(ctx context.Context, r db.Reader) (*Company, error) {
	return getCompany(ctx, r)
}

// UpdateCompany changes the caller's company, if its version satisfies match.
func (m *Members) UpdateCompany(ctx context.Context, tx *db.Tx, match etag.Match, ch CompanyChanges) (*Company, error) {
	c, err := getCompanyForUpdate(ctx, tx)
	if err != nil {
		return nil, err
	}
	if err := match.Check(c.Version); err != nil {
		return nil, err
	}
	if name, ok := ch.Name.Value(); ok {
		c.Name = name
	}
	c.Document = ch.Document.Or(c.Document)
	if zone, ok := ch.TimeZone.Value(); ok {
		if !knownZone(zone) {
			return nil, problem.Invalid(problem.Field{Pointer: "/time_zone", Code: "time_zone", Detail: problem.T(
				"Informe um fuso horário IANA, como America/Sao_Paulo.", "Give an IANA time zone, such as America/Sao_Paulo.")})
		}
		c.TimeZone = zone
	}
	c.UpdatedAt, c.Version = tx.Now(), c.Version+1
	if err := updateCompany(ctx, tx, c); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "company.updated", Resource: "company", ResourceID: c.ID})
	return c, nil
}

// knownZone refuses also the names that depend on the machine.
func knownZone(name string) bool {
	if name == "" || name == "Local" {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// CreateSandbox makes the company's sandbox, with the same members: they are
// kept the same from then on.
func (m *Members) CreateSandbox(ctx context.Context, tx *db.Tx) (*Company, error) {
	if err := refuseInSandbox(ctx); err != nil {
		return nil, err
	}
	company, err := getCompanyForUpdate(ctx, tx)
	if err != nil {
		return nil, err
	}
	sandbox := Company{
		ID: id.New(), Name: company.Name + " (testes)", TimeZone: company.TimeZone, Mode: ModeTest, Status: "active",
		SandboxOf: &company.ID, CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Version: 1,
	}
	if err := insertCompany(ctx, tx, &sandbox); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "sandbox.created", Resource: "company", ResourceID: sandbox.ID})
	all, err := allMembers(ctx, tx)
	if err != nil {
		return nil, err
	}
	err = tx.Visit(ctx, sandbox.ID, func(ctx context.Context, tx *db.Tx) error { return foundAll(ctx, tx, m.onNewTenant) })
	if err != nil {
		return nil, err
	}
	return &sandbox, mirrorInto(ctx, tx, sandbox.ID, all)
}

// refuseInSandbox refuses what a sandbox takes from its company.
func refuseInSandbox(ctx context.Context) error {
	if CallerFrom(ctx).Tenant.Mode != ModeTest {
		return nil
	}
	return problem.Conflicting("sandbox_follows_company", problem.T(
		"O ambiente de testes tem os membros da empresa. Altere-os na empresa.",
		"The sandbox has the members of its company. Change them there."))
}

// mirror brings a changed member to the company's sandbox, if it has one.
func mirror(ctx context.Context, tx *db.Tx, c Colleague) error {
	sandbox, err := sandboxOf(ctx, tx)
	if err != nil || sandbox == uuid.Nil {
		return err
	}
	return mirrorInto(ctx, tx, sandbox, []Colleague{c})
}

func mirrorInto(ctx context.Context, tx *db.Tx, sandbox uuid.UUID, members []Colleague) error {
	return tx.Visit(ctx, sandbox, func(ctx context.Context, tx *db.Tx) error {
		for _, c := range members {
			tx.Later(mirrorMember, sandbox, c.ID, c.LoginID, c.Name, c.Email, c.Role, append([]string{}, c.Permissions...), c.Active, c.CreatedAt, tx.Now())
			if err := followActivity(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// followActivity lets an active member enter the transaction's company, and
// keeps an inactive one out.
func followActivity(ctx context.Context, tx *db.Tx, c Colleague) error {
	if c.Active {
		return admit(ctx, tx, c.LoginID, c.ID)
	}
	if err := shutOut(ctx, tx, c.LoginID); err != nil {
		return err
	}
	return endSessionsOf(ctx, tx, c.ID, uuid.Nil, endedDeactivation)
}

// tellCompanies notes in each company of a person that a password reset was used.
func tellCompanies(ctx context.Context, tx *db.Tx, loginID uuid.UUID) error {
	all, err := memberships(ctx, tx, loginID)
	if err != nil {
		return err
	}
	for _, m := range all {
		err := tx.Visit(ctx, m.TenantID, func(ctx context.Context, tx *db.Tx) error {
			c, err := getMember(ctx, tx, m.MemberID)
			if err != nil {
				return err
			}
			o := origin.From(ctx)
			o.ID, o.Name = c.ID, c.Name
			audit.Record(origin.With(ctx, o), tx, audit.Event{Action: "password.reset", Resource: "member", ResourceID: c.ID})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Exists reports whether a company is there, for the program's own start.
func (m *Members) Exists(ctx context.Context, pool *db.Pool, tenantID uuid.UUID) (exists bool, err error) {
	err = pool.Read(ctx, tenantID, func(ctx context.Context, r db.Reader) error {
		_, err := getCompany(ctx, r)
		if problem.Is(err, problem.NotFound) {
			return nil
		}
		exists = err == nil
		return err
	})
	return exists, err
}
