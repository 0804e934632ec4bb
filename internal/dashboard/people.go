package dashboard

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/problem"
)

type member struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Email       string    `json:"email"`
	Role        string    `json:"role"`
	Permissions []string  `json:"permissions"`
	Active      bool      `json:"active"`
	CreatedAt   time.Time `json:"created_at"`
}

type invitation struct {
	ID        string    `json:"id"`
	Email     string    `json:"email"`
	Role      string    `json:"role"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
}

// members returns the company's people; there are never many.
func (v *visit) members() ([]member, error) {
	var all []member
	query := url.Values{"limit": {"100"}}
	for {
		found, err := get[list[member]](v, "listMembers", nil, query)
		if err != nil {
			return nil, err
		}
		all = append(all, found.Data...)
		if found.NextCursor == nil {
			return all, nil
		}
		query.Set("cursor", *found.NextCursor)
	}
}

func membersPage(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	all, err := v.members()
	if err != nil {
		return nil, err
	}
	var pending list[invitation]
	if me.Manages {
		if pending, err = get[list[invitation]](v, "listInvitations", nil, nil); err != nil {
			return nil, err
		}
	}
	return show("Membros", "/membros", membersBody(v, me, all, pending.Data))
}

func inviteMemberPage(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	if !me.Manages {
		return nil, &problem.Error{Code: problem.Forbidden, RequiredPermission: auth.Manage}
	}
	return show("Convidar pessoa", "/membros", inviteMemberBody(v, me))
}

// access reads the role and permissions of a form. Permissions that were ticked
// before another role was chosen are left out.
func (v *visit) access() M {
	body := M{"role": v.form.Get("role")}
	if v.form.Get("role") == auth.RoleMember {
		body["permissions"] = list0(v.form["permissions"])
	}
	return body
}

func inviteMember(v *visit) (*reply, error) {
	body := v.access()
	body["email"] = v.form.Get("email")
	answer, err := v.submit("createInvitation", nil, body)
	if p := problem.As(err); err != nil && p.Reason == "response_not_stored" {
		return &reply{title: "Convite", nav: "/membros", body: inviteGoneBody(), status: http.StatusConflict}, nil
	}
	if err != nil {
		return nil, err
	}
	var made struct {
		Invitation invitation `json:"invitation"`
		AcceptURL  string     `json:"accept_url"`
	}
	if err := json.Unmarshal(answer.Body, &made); err != nil {
		return nil, err
	}
	return show("Convite criado", "/membros", invitedBody(v, made.Invitation, made.AcceptURL))
}

func cancelInvite(v *visit) (*reply, error) {
	if _, err := v.submit("deleteInvitation", []string{v.r.PathValue("id")}, nil); err != nil {
		return nil, err
	}
	return goTo("/membros?feito=convite-cancelado")
}

func memberPage(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	m, err := get[member](v, "getMember", []string{v.r.PathValue("id")}, nil)
	if err != nil {
		return nil, err
	}
	return show(m.Name, "/membros", memberBody(v, me, m))
}

func updateMember(v *visit) (*reply, error) {
	id := v.r.PathValue("id")
	if _, err := v.submit("updateMember", []string{id}, v.access()); err != nil {
		return nil, err
	}
	return goTo("/membros/" + id + "?feito=membro")
}

func deactivateMember(v *visit) (*reply, error) { return v.act("deactivateMember", "desativado") }
func reactivateMember(v *visit) (*reply, error) { return v.act("reactivateMember", "reativado") }

func (v *visit) act(route, done string) (*reply, error) {
	id := v.r.PathValue("id")
	if _, err := v.submit(route, []string{id}, nil); err != nil {
		return nil, err
	}
	return goTo("/membros/" + id + "?feito=" + done)
}

type company struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Document  *string   `json:"document"`
	TimeZone  string    `json:"time_zone"`
	Mode      string    `json:"mode"`
	SandboxOf *string   `json:"sandbox_of"`
	CreatedAt time.Time `json:"created_at"`
}

func companyPage(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	return show("Dados da empresa", "/empresa", companyBody(v, me, hasSandbox(me)))
}

// hasSandbox reports that the person's companies hold a sandbox of this one's name.
func hasSandbox(me *profile) bool {
	for _, t := range me.Tenants {
		if t.Mode == auth.ModeTest && t.Name == me.Tenant.Name+" (testes)" {
			return true
		}
	}
	return false
}

func updateCompany(v *visit) (*reply, error) {
	body := M{"name": v.form.Get("name"), "time_zone": v.form.Get("time_zone"), "document": nil}
	if document := v.form.Get("document"); document != "" {
		body["document"] = document
	}
	if _, err := v.submit("updateTenant", nil, body); err != nil {
		return nil, err
	}
	return goTo("/empresa?feito=empresa")
}

func createSandbox(v *visit) (*reply, error) {
	if _, err := v.submit("createSandbox", nil, nil); err != nil {
		return nil, err
	}
	return goTo("/empresa?feito=testes")
}

type auditEvent struct {
	ID    string    `json:"id"`
	At    time.Time `json:"at"`
	Actor struct {
		Type string  `json:"type"`
		ID   *string `json:"id"`
		Name string  `json:"name"`
	} `json:"actor"`
	Action     string         `json:"action"`
	Resource   string         `json:"resource"`
	ResourceID *string        `json:"resource_id"`
	Details    map[string]any `json:"details"`
	RequestID  string         `json:"request_id"`
	IP         string         `json:"ip"`
}

func auditPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	people, err := v.members()
	if err != nil {
		return nil, err
	}
	found, err := get[list[auditEvent]](v, "listAuditEvents", nil, v.auditQuery())
	if err != nil && !v.refused(err) {
		return nil, err
	}
	if problem.Is(err, problem.Forbidden) {
		return nil, err
	}
	return show("Auditoria", "/auditoria", auditBody(v, found, people))
}

func (v *visit) auditQuery() url.Values {
	query := v.pick("resource", "actor_id", "resource_id", "cursor")
	v.putRange(query)
	return query
}

func exportAudit(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	return v.export(sheet{name: "auditoria", route: "listAuditEvents", query: v.auditQuery(), attributes: []attribute{
		instant("Quando", "at"), plain("Quem", "actor.name"), plain("Tipo", "actor.type"),
		{label: "O que fez", value: func(_ *visit, o object) string { return actionWord(o.text("action")) }},
		plain("Registro", "resource"), plain("Id do registro", "resource_id"),
		{label: "Detalhes", value: func(_ *visit, o object) string { return details(o.inner("details")) }},
		plain("De onde", "ip"), plain("Requisição", "request_id"),
	}})
}
