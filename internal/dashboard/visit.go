package dashboard

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

// visit is one request to a page.
type visit struct {
	d       *Dashboard
	w       http.ResponseWriter
	r       *http.Request
	session *auth.Session // nil before a sign-in

	form    url.Values     // what was submitted; nil on a GET
	problem *problem.Error // why it was refused
	who     *profile       // loaded once, by me

	names  map[string]string // of records that others refer to, by id
	record object            // that the page is of, once it was loaded
}

// reply is a page to show, or to go to.
type reply struct {
	title  string
	nav    string // which entry of the navigation is this page's
	body   templ.Component
	status int    // 200 where left out
	goTo   string // instead of a page
	bare   bool   // without navigation: a page before the session
}

func show(title, nav string, body templ.Component) (*reply, error) {
	return &reply{title: title, nav: nav, body: body}, nil
}

func goTo(path string) (*reply, error) { return &reply{goTo: path}, nil }

// profile is the signed-in person, as the API tells it.
type profile struct {
	Tenant      company   `json:"tenant"`
	Member      member    `json:"member"`
	Tenants     []company `json:"tenants"`
	Permissions []string  `json:"permissions"`
	Manages     bool      `json:"manages"`
	TOTPEnabled bool      `json:"totp_enabled"`
}

func (p *profile) may(permission string) bool {
	for _, has := range p.Permissions {
		if has == permission {
			return true
		}
	}
	return false
}

// me returns the signed-in person.
func (v *visit) me() (*profile, error) {
	if v.who != nil {
		return v.who, nil
	}
	p, err := get[profile](v, "getProfile", nil, nil)
	if err != nil {
		return nil, err
	}
	v.who = &p
	return v.who, nil
}

// need refuses a page to a person who has not a permission.
func (v *visit) need(permission string) error {
	me, err := v.me()
	if err == nil && !me.may(permission) {
		err = &problem.Error{Code: problem.Forbidden, RequiredPermission: permission}
	}
	return err
}

// zone is the company's, once me was asked.
func (v *visit) zone() *time.Location {
	if v.who == nil {
		return time.UTC
	}
	return (&auth.Caller{Tenant: auth.Tenant{TimeZone: v.who.Tenant.TimeZone}}).Location()
}

// list is a page of a list of the API.
type list[T any] struct {
	Data       []T     `json:"data"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

// get reads from a route.
func get[T any](v *visit, route string, ids []string, query url.Values) (result T, err error) {
	answer, err := v.d.conf.API.Call(v.r, httpapi.Call{Route: route, Session: v.session, IDs: ids, Query: query})
	if err != nil {
		return result, err
	}
	return result, decodeExact(answer.Body, &result)
}

// submit writes through a route, once for each rendered form.
func (v *visit) submit(route string, ids []string, body any) (httpapi.Answer, error) {
	key, _, _ := strings.Cut(v.form.Get(formKeyField), ".")
	return v.send(httpapi.Call{Route: route, IDs: ids, Key: key}, body)
}

// submitUnkeyed writes what must leave no fingerprint, such as a password, and
// is harmless twice.
func (v *visit) submitUnkeyed(route string, body any) (httpapi.Answer, error) {
	return v.send(httpapi.Call{Route: route}, body)
}

// versionInput is the hidden field with the ETag of what a form changes.
const versionInput = "_versao"

func (v *visit) send(c httpapi.Call, body any) (answer httpapi.Answer, err error) {
	if body != nil {
		if c.Body, err = json.Marshal(body); err != nil {
			return answer, err
		}
	}
	c.Session = v.session
	if version := v.form.Get(versionInput); version != "" {
		c.IfMatch = version
	}
	return v.d.conf.API.Call(v.r, c)
}

// refused keeps a problem that the form's page can show. What it cannot (the
// session has ended, the object is gone, the server failed) has its own page.
func (v *visit) refused(err error) bool {
	p := problem.As(err)
	switch {
	case p.Status() >= http.StatusInternalServerError && p.Code != problem.ServiceUnavailable,
		p.Code == problem.NotFound, p.Code == problem.Unauthorized && v.session != nil:
		return false
	}
	v.problem = p
	v.sayWhen(p)
	return true
}

// sayWhen tells a program what the page tells its reader: when to try again.
func (v *visit) sayWhen(p *problem.Error) {
	if p.RetryAfter > 0 {
		v.w.Header().Set("Retry-After", strconv.Itoa(waitSeconds(p)))
	}
}

func waitSeconds(p *problem.Error) int { return int(math.Ceil(p.RetryAfter.Seconds())) }

// answer writes the page, or the one that tells of the error.
func (v *visit) answer(done *reply, err error) {
	if errors.Is(err, errAnswered) {
		return
	}
	if err != nil {
		v.fail(problem.As(err))
		return
	}
	if done.goTo != "" {
		v.redirect(done.goTo)
		return
	}
	if done.status == 0 {
		done.status = http.StatusOK
	}
	if done.bare {
		v.render(done.status, bareLayout(v, done))
		return
	}
	if _, err := v.me(); err != nil {
		v.fail(problem.As(err))
		return
	}
	v.render(done.status, layout(v, done))
}

func (v *visit) fail(p *problem.Error) {
	if p.Code == problem.Unauthorized && v.session != nil {
		v.toSignIn()
		return
	}
	v.sayWhen(p)
	title, text := explain(p)
	v.showError(p.Status(), title, text)
}

func (v *visit) showError(status int, title, text string) {
	done := &reply{title: title, body: errorBody(v, status, text), status: status}
	if v.session != nil {
		if _, err := v.me(); err == nil {
			v.render(status, layout(v, done))
			return
		}
	}
	v.render(status, bareLayout(v, done))
}

func (v *visit) render(status int, c templ.Component) {
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	if err := c.Render(v.r.Context(), v.w); err != nil && v.r.Context().Err() == nil {
		v.d.conf.Log.WarnContext(v.r.Context(), "page not written", "path", v.r.URL.Path, "error", err)
	}
}

func (v *visit) redirect(path string) { http.Redirect(v.w, v.r, path, http.StatusSeeOther) }

// typed is what a field of the form holds: what was typed, or else its value.
func (v *visit) typed(name, value string) string {
	if v.form != nil {
		return v.form.Get(name)
	}
	return value
}

// ticked reports a checkbox's state: what was sent, or else its value.
func (v *visit) ticked(name, value string, checked bool) bool {
	if v.form == nil {
		return checked
	}
	for _, sent := range v.form[name] {
		if sent == value {
			return true
		}
	}
	return false
}

// wrong is what is wrong with a member of the body, "" for nothing.
func (v *visit) wrong(pointer string) string {
	if v.problem == nil {
		return ""
	}
	for _, f := range v.problem.Fields {
		if f.Pointer == pointer || strings.HasPrefix(f.Pointer, pointer+"/") {
			return f.Detail.PT
		}
	}
	return ""
}

// errAnswered is what a handler returns that has written its answer itself.
var errAnswered = errors.New("answered")

// errNoPage is a path that is no page.
func errNoPage() error { return problem.Missing() }

// explain puts a problem into words for a page.
func explain(p *problem.Error) (title, text string) {
	def, _ := problem.Lookup(p.Code)
	title, text = def.Title.PT, p.Detail.PT
	if text == "" {
		text = def.Advice.PT
	}
	switch p.Code {
	case problem.NotFound:
		return "Página não encontrada", "Não há nada neste endereço, ou não é desta empresa."
	case problem.Forbidden:
		title = "Sem permissão"
		if p.RequiredPermission != "" {
			text = "Falta a permissão “" + permissionLabel(p.RequiredPermission) + "”. Peça a um administrador da empresa."
		}
	case problem.RateLimited:
		return "Tentativas demais", "Nada foi gravado. Espere " + seconds(waitSeconds(p)) + " e tente de novo."
	case problem.InternalError:
		return "Algo falhou do nosso lado", "Nada ficou pela metade. Tente de novo; se continuar, informe o código abaixo ao suporte."
	case problem.IdempotencyInProgress:
		return "Já está em andamento", "Este formulário já foi enviado e ainda está sendo processado. Espere um instante e recarregue a página."
	case problem.PreconditionFailed:
		return "Alterado por outra pessoa", "Alguém alterou este registro depois que a página foi aberta. Nada foi gravado: recarregue a página e refaça a alteração."
	}
	return title, text
}

func seconds(n int) string {
	if n == 1 {
		return "1 segundo"
	}
	return strconv.Itoa(n) + " segundos"
}
