package dashboard

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

// resource is the pages of one kind of record: a list with search, filters and
// export, a form, and the record's own page with its history and its actions.
// Everything about them stands in one value; what it names is routes of the
// public API, whose rules they follow.
type resource struct {
	path  string // such as /clientes
	api   string // the record's name in the API's paths, such as clients
	icon  string
	title string // Clientes
	one   string // cliente
	make  string // the text of the button that makes one: Novo cliente
	lead  string // one sentence on top of the list

	emptyTitle, emptyText string

	read, write                        string // permissions
	list, get, create, update, history string // routes by their id; "" for none

	search  string   // what the search looks at, in words; "" for no search
	filters []filter // of the list
	columns []attribute
	facts   []attribute
	fields  []formField
	actions []action
	extra   func(*visit, object) templ.Component // below the facts; nil for none
	lines   *linesForm                           // its forms have lines; nil: they have fields only
}

// filter narrows a list by one parameter of its route.
type filter struct {
	name, label string
	choices     []choice
}

// attribute is one thing to show of a record.
type attribute struct {
	label  string
	value  func(*visit, object) string
	state  func(object) word // shown as a tag instead
	number bool
	mono   bool
}

// formField is one field of a form, and the member of the body that it fills.
type formField struct {
	input
	choices []choice
	options func(*visit) ([]choice, error)    // choices that are records; nil: none
	as      func(*visit, string) (any, error) // how the text becomes JSON; nil: as it is
	show    func(*visit, object) string       // how the member becomes text; nil: as it is
	first   func(*visit, object) string       // what a new record or an action begins with; nil: nothing
	fixed   bool                              // only on creation
	keep    string                            // the route that reads what is chosen; "" for a field that needs none
}

// action is a route that a person runs on one record.
type action struct {
	name   string // in the address
	route  string
	text   string
	when   func(object) bool
	ask    string      // what it does, on a page of its own; "" runs it at once
	fields []formField // asked there
	body   M           // sent as it is
	harsh  bool
	gone   bool   // the record is no more
	shows  string // the member of the answer that is shown once; "" for none

	resultTitle string // above it
	write       string // the permission, where it is not the resource's
}

// object is a record as the API shows it.
type object map[string]any

func (o object) id() string { return o.text("id") }

// text is a member as text, "" where it is absent or null. A dot leads into an object.
func (o object) text(name string) string {
	head, rest, nested := strings.Cut(name, ".")
	switch value := o[head].(type) {
	case nil:
		return ""
	case string:
		return value
	case map[string]any:
		if nested {
			return object(value).text(rest)
		}
	case []any:
		parts := make([]string, len(value))
		for i, v := range value {
			parts[i] = fmt.Sprint(v)
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(o[head])
}

// all is a member that is a list of objects.
func (o object) all(name string) []object {
	items, _ := o[name].([]any)
	var all []object
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			all = append(all, object(m))
		}
	}
	return all
}

// plain shows a member as it is.
func plain(label, name string) attribute {
	return attribute{label: label, value: func(_ *visit, o object) string { return o.text(name) }}
}

func instant(label, name string) attribute {
	return attribute{label: label, value: func(v *visit, o object) string {
		t, err := time.Parse(time.RFC3339, o.text(name))
		if err != nil {
			return ""
		}
		return v.minute(t)
	}}
}

func calendarDay(label, name string) attribute {
	return attribute{label: label, value: func(_ *visit, o object) string { return brazilianDate(o.text(name)) }}
}

func brazilianDate(text string) string {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return text
	}
	return t.Format("02/01/2006")
}

// cents shows whole cents as reais.
func cents(label, name string) attribute {
	return attribute{label: label, number: true, value: func(_ *visit, o object) string { return reais(o.text(name)) }}
}

func reais(text string) string {
	n, err := strconv.ParseInt(strings.TrimSuffix(text, ".0"), 10, 64)
	if err != nil {
		return text
	}
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%sR$ %s,%02d", sign, number(n/100), n%100)
}

// resourcesOf are those that the person may see.
func resourcesOf(v *visit) []resource {
	return slices.DeleteFunc(v.d.served(), func(res resource) bool { return !v.who.may(res.read) })
}

// served are the resources whose routes the API has.
func (d *Dashboard) served() []resource {
	return slices.DeleteFunc(resources(), func(res resource) bool {
		return !slices.ContainsFunc(d.conf.API.Routes(), func(r httpapi.Route) bool { return r.ID == res.list })
	})
}

// resource adds the pages of one.
func (d *Dashboard) resource(mux *http.ServeMux, res resource) {
	d.page(mux, "GET "+res.path, res.listPage)
	d.page(mux, "GET "+res.path+"/exportar", res.export)
	switch {
	case res.lines != nil:
		d.form(mux, res.path+"/novo", res.newDocumentPage, res.createDocument)
		d.form(mux, res.path+"/{id}/editar", res.editDocumentPage, res.updateDocument)
	case res.create != "":
		d.form(mux, res.path+"/novo", res.newPage, res.createOne)
	}
	d.page(mux, "GET "+res.path+"/{id}", res.onePage)
	if res.update != "" && res.lines == nil {
		d.form(mux, res.path+"/{id}/editar", res.editPage, res.updateOne)
	}
	if len(res.actions) > 0 {
		d.form(mux, res.path+"/{id}/acao/{acao}", res.askPage, res.act)
	}
}

// query is what the list's route is asked for.
func (res resource) query(v *visit) url.Values {
	names := []string{"cursor"}
	if res.search != "" {
		names = append(names, "q")
	}
	for _, f := range res.filters {
		names = append(names, f.name)
	}
	query := v.pick(names...)
	query.Set("limit", "25")
	return query
}

func (res resource) listPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	found, err := get[list[object]](v, res.list, nil, res.query(v))
	if problem.Is(err, problem.Forbidden) || err != nil && !v.refused(err) {
		return nil, err
	}
	return show(res.title, res.path, resourceListBody(v, res, found))
}

func (res resource) newPage(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	if !me.may(res.write) {
		return nil, &problem.Error{Code: problem.Forbidden, RequiredPermission: res.write}
	}
	fields, err := v.ready(res.fields)
	if err != nil {
		return nil, err
	}
	return show(res.make, res.path, resourceFormBody(v, res, fields, object{}, res.path+"/novo", ""))
}

// ready loads the records that fields offer.
func (v *visit) ready(fields []formField) ([]formField, error) {
	all := slices.Clone(fields)
	for i, f := range all {
		if f.options == nil {
			continue
		}
		choices, err := f.options(v)
		if err != nil {
			return nil, err
		}
		all[i].choices = choices
	}
	return all, nil
}

// body reads a form. On a creation what was left empty is left out, on a change
// it is cleared.
func (v *visit) body(fields []formField, change bool) (M, error) {
	body, f := M{}, problem.Fields{}
	for _, field := range fields {
		text := strings.TrimSpace(v.form.Get(field.name))
		switch {
		case change && field.fixed:
		case text == "" && !field.required:
			if change {
				body[field.name] = nil
			}
		case field.as == nil:
			body[field.name] = v.form.Get(field.name)
		default:
			value, err := field.as(v, text)
			if err != nil {
				f.Add(field.at(), "format", problem.T(err.Error(), err.Error()))
			}
			body[field.name] = value
		}
	}
	return body, f.Err()
}

func (res resource) createOne(v *visit) (*reply, error) {
	body, err := v.body(res.fields, false)
	if err != nil {
		return nil, err
	}
	return res.made(v.submit(res.create, nil, body))
}

// made goes to the record that a call has created.
func (res resource) made(answer httpapi.Answer, err error) (*reply, error) {
	if err != nil {
		return nil, err
	}
	var made object
	if err := json.Unmarshal(answer.Body, &made); err != nil {
		return nil, err
	}
	return goTo(res.path + "/" + made.id() + "?feito=criado")
}

func (res resource) load(v *visit) (o object, etag string, err error) {
	if _, err := v.me(); err != nil {
		return nil, "", err
	}
	answer, err := v.d.conf.API.Call(v.r, httpapi.Call{Route: res.get, Session: v.session, IDs: []string{v.r.PathValue("id")}})
	if err != nil {
		return nil, "", err
	}
	return o, answer.ETag, decodeExact(answer.Body, &o)
}

// decodeExact keeps numbers as they are written.
func decodeExact(body []byte, into any) error {
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	return decoder.Decode(into)
}

func (res resource) onePage(v *visit) (*reply, error) {
	o, _, err := res.load(v)
	if err != nil {
		return nil, err
	}
	var past list[object]
	if res.history != "" {
		if past, err = get[list[object]](v, res.history, []string{o.id()}, url.Values{"limit": {"50"}}); err != nil {
			return nil, err
		}
	}
	return show(res.name(o), res.path, resourceOneBody(v, res, o, past.Data))
}

// name is what a record is called.
func (res resource) name(o object) string {
	for _, member := range []string{"name", "title", "description"} {
		if text := o.text(member); text != "" {
			return text
		}
	}
	noun := strings.ToUpper(res.one[:1]) + res.one[1:]
	if n := o.text("number"); n != "" {
		return noun + " " + n
	}
	return noun
}

func (res resource) editPage(v *visit) (*reply, error) {
	o, etag, err := res.load(v)
	if err != nil {
		return nil, err
	}
	if v.form != nil {
		etag = v.form.Get("_versao") // what was typed was typed on that version
	}
	fields, err := v.ready(slices.DeleteFunc(slices.Clone(res.fields), func(f formField) bool { return f.fixed }))
	if err != nil {
		return nil, err
	}
	return show("Editar "+res.name(o), res.path, resourceFormBody(v, res, fields, o, res.path+"/"+o.id()+"/editar", etag))
}

func (res resource) updateOne(v *visit) (*reply, error) {
	body, err := v.body(res.fields, true)
	if err != nil {
		return nil, err
	}
	id := v.r.PathValue("id")
	if _, err := v.submit(res.update, []string{id}, body); err != nil {
		return nil, err
	}
	return goTo(res.path + "/" + id + "?feito=alterado")
}

// changeable reports that a record's state allows the form that changes it.
func (res resource) changeable(v *visit, o object) bool {
	return res.update != "" && v.who.may(res.write) && (res.lines == nil || res.lines.open(o))
}

// offered are the actions that a record's state allows: the harsh ones, that
// take a menu and a second thought, or the others.
func (res resource) offered(v *visit, o object, harsh bool) []action {
	return slices.DeleteFunc(slices.Clone(res.actions), func(a action) bool {
		return a.harsh != harsh || a.when != nil && !a.when(o) || !v.who.may(cmp.Or(a.write, res.write))
	})
}

func (res resource) action(v *visit) (action, error) {
	for _, a := range res.actions {
		if a.name == v.r.PathValue("acao") {
			return a, nil
		}
	}
	return action{}, errNoPage()
}

func (res resource) askPage(v *visit) (*reply, error) {
	a, err := res.action(v)
	if err != nil {
		return nil, err
	}
	o, _, err := res.load(v)
	if err != nil {
		return nil, err
	}
	fields, err := v.ready(a.fields)
	if err != nil {
		return nil, err
	}
	return show(a.text+": "+res.name(o), res.path, askBody(v, res, a, fields, o))
}

func (res resource) act(v *visit) (*reply, error) {
	a, err := res.action(v)
	if err != nil {
		return nil, err
	}
	id := v.r.PathValue("id")
	body, err := v.body(a.fields, false)
	if err != nil {
		return nil, err
	}
	maps.Copy(body, a.body)
	var sent any
	if len(body) > 0 {
		sent = body
	}
	answer, err := v.submit(a.route, []string{id}, sent)
	if err != nil {
		return nil, err
	}
	if a.shows != "" {
		var o object
		if err := decodeExact(answer.Body, &o); err != nil {
			return nil, err
		}
		if link := o.text(a.shows); link != "" {
			return show(a.resultTitle, res.path, resultBody(v, res, a, o, link))
		}
	}
	if a.gone {
		return goTo(res.path + "?feito=excluido")
	}
	return goTo(res.path + "/" + id + "?feito=feito")
}
