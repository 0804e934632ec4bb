package dashboard

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

// resource is the pages of one kind of record: a list with search, filters and
// export, a form, and the record's own page with its history and its actions.
// Everything about them stands in one value; what it names is routes of the
// public API, whose rules they follow.
type resource struct {
	path   string // such as /clientes; of records that belong to another, /clientes/{de}/enderecos
	api    string // the record's name in the API's paths, such as clients
	owner  string // what that other is called: Cliente
	area   string // the entry of the navigation that it is a tab of; "" for one of its own
	icon   string
	title  string              // Clientes
	tab    string              // the text of its tab, where it is not the title
	views  []tab               // other looks at its records: tabs before its own
	one    string              // cliente
	called func(object) string // what a record is called; nil: its name, its title or its number
	make   string              // the text of the button that makes one: Novo cliente
	lead   string              // one sentence on top of the list

	emptyTitle, emptyText string

	read, write                        string                                 // permissions
	list, get, create, update, history string                                 // routes by their id; "" for none
	parentID                           string                                 // of the record that it belongs to, once a request named it
	inline                             bool                                   // has no page of its own: the parent's shows it
	tree                               func(resource, *visit) (*reply, error) // the page that shows all records as a tree; nil: they are a list
	final                              func(object) bool                      // the state lets only the lasting fields change; nil: never

	search   string // what the search looks at, in words; "" for no search
	filters  []filter
	upFront  int      // how many filters stand beside the search; one where left out
	order    string   // of the list, such as "due_date asc"; the newest first where left out
	orders   []choice // that the list offers, beside those that every list has
	buttons  []button // beside the one that makes a new record
	columns  []attribute
	facts    []attribute
	fields   []formField
	grow     func(*visit, resource, object) ([]formField, error) // adds fields that depend on other records; nil for none
	actions  []action
	sections []section         // of the record's page
	note     section           // above the record's facts, such as why it does not change; nil for none
	open     func(object) bool // the states in which the form changes it; nil: all
	lines    *linesForm        // its forms have lines; nil: they have fields only
}

// button leads from a list to another form.
type button struct{ path, text, write string }

// parentPart is the part of a path that the parent's id takes the place of.
const parentPart = "{de}"

// formField is one field of a form, and the member of the body that it fills: a
// dot in its name leads into an object.
type formField struct {
	input
	choices []choice
	from    *source                           // the record is chosen from; nil: none
	as      func(*visit, string) (any, error) // how the text becomes JSON; nil: as it is
	show    func(*visit, object) string       // how the member becomes text; nil: as it is
	first   func(*visit, object) string       // what a new record or an action begins with; nil: nothing
	fixed   bool                              // only on creation
	added   bool                              // only on a change

	when     func(object) bool                      // the records that an action asks it of; nil: all
	offers   func(*visit, object) ([]choice, error) // its choices, which depend on the record; none: it is left out
	follows  string                                 // the field whose choice its choices depend on
	conflict conflict                               // that it answers
	lasting  bool                                   // changes in a final state too
	into     []string                               // the member that it fills, where the name cannot say
}

// conflict is one that a field answers, by its reason; text is told beside it.
type conflict struct{ reason, text string }

// action is a route that a person runs on one record.
type action struct {
	name   string // in the address
	route  string
	text   string
	when   func(object) bool
	next   bool        // what usually comes next: its button stands out
	ask    string      // what it does, on a page of its own; "" runs it at once
	fields []formField // asked there
	body   M           // sent as it is
	harsh  bool
	gone   bool   // the record is no more
	up     bool   // what is shown next is the page of the record that it belongs to
	shows  string // the member of the answer that is shown once; "" for none
	leads  string // the path of the record that it makes, which is shown next; "" for none
	made   string // the member of the answer with that record's id; "id" where left out

	resultTitle string // above what it shows
	write       string // the permission, where it is not the resource's
	also        string // a second permission that it takes
	self        string // the member of the body that names the record; "": the path does
	edits       bool   // its form holds what the record does: what is empty is cleared
}

// served are the resources whose routes the API has.
func (d *Dashboard) served() []resource {
	return slices.DeleteFunc(resources(), func(res resource) bool {
		return !slices.ContainsFunc(d.conf.API.Routes(), func(r httpapi.Route) bool { return r.ID == res.list })
	})
}

// resource adds the pages of one.
func (d *Dashboard) resource(mux *http.ServeMux, res resource) {
	on := func(h func(resource, *visit) (*reply, error)) handler {
		return func(v *visit) (*reply, error) { return h(res.of(v.r.PathValue("de")), v) }
	}
	if res.nested() {
		d.page(mux, "GET "+res.path, on(resource.parentPage))
	} else {
		all := resource.listPage
		if res.tree != nil {
			all = res.tree
		}
		d.page(mux, "GET "+res.path, on(all))
		d.page(mux, "GET "+res.path+"/exportar", on(resource.export))
	}
	one := res.path + "/{id}"
	switch {
	case res.lines != nil:
		d.form(mux, res.path+"/novo", on(resource.newDocumentPage), on(resource.createDocument))
		d.form(mux, one+"/editar", on(resource.editDocumentPage), on(resource.updateDocument))
		d.part(mux, res.path+"/novo/resumo", on(resource.newSummary))
		d.part(mux, one+"/editar/resumo", on(resource.editSummary))
	case res.create != "":
		d.form(mux, res.path+"/novo", on(resource.newPage), on(resource.createOne))
	}
	d.page(mux, "GET "+one, on(resource.onePage))
	if res.update != "" && res.lines == nil {
		d.form(mux, one+"/editar", on(resource.editPage), on(resource.updateOne))
	}
	if len(res.actions) > 0 {
		d.form(mux, one+"/acao/{acao}", on(resource.askPage), on(resource.act))
	}
}

// of is the resource of one parent, whose id takes its place in the paths.
func (res resource) of(parent string) resource {
	if res.nested() {
		res.path, res.parentID = strings.Replace(res.path, parentPart, url.PathEscape(parent), 1), parent
	}
	return res
}

// ids are those of a route's path: the parent's, then the record's.
func (res resource) ids(id ...string) []string {
	if res.parentID != "" {
		return append([]string{res.parentID}, id...)
	}
	return id
}

// top is the page above a record: the list, or the parent's page.
func (res resource) top() (address, text string) {
	if res.parentID != "" {
		return path.Dir(res.path), res.owner
	}
	return res.path, res.title
}

// page is where a record is shown.
func (res resource) page(id string) string {
	if res.inline {
		return path.Dir(res.path)
	}
	return res.path + "/" + url.PathEscape(id)
}

// nav is the entry of the navigation that its pages belong to.
func (res resource) nav() string {
	if res.parentID != "" {
		return path.Dir(path.Dir(res.path))
	}
	return res.path
}

func (res resource) parentPage(*visit) (*reply, error) { return goTo(path.Dir(res.path)) }

func (res resource) listPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	found, err := get[list[object]](v, res.list, nil, res.query(v))
	if problem.Is(err, problem.Forbidden) || err != nil && !v.refused(err) {
		return nil, err
	}
	if err := v.learnNames(res.columns, found.Data); err != nil {
		return nil, err
	}
	shown := listed{res: res, found: found}
	if shown.first, err = v.readyFilters(res.firstFilters()); err != nil {
		return nil, err
	}
	if shown.rest, err = v.readyFilters(res.restFilters()); err != nil {
		return nil, err
	}
	return show(res.title, res.nav(), resourceListBody(v, shown))
}

// listed is what a list's page shows.
type listed struct {
	res         resource
	found       list[object]
	first, rest []filter
}

func (res resource) newPage(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	if !me.may(res.write) {
		return nil, &problem.Error{Code: problem.Forbidden, RequiredPermission: res.write}
	}
	o := v.begun()
	fields, err := res.formFields(v, o, false)
	if err != nil {
		return nil, err
	}
	return show(res.make, res.nav(), resourceFormBody(v, res, fields, o, res.path+"/novo", ""))
}

// begun is what the address says of a new record, such as whom it is for.
func (v *visit) begun() object {
	o := object{}
	for name, all := range v.r.URL.Query() {
		o[name] = all[0]
	}
	delete(o, "id")
	return o
}

// formFields are the fields of the form for a record, with the records that they offer.
func (res resource) formFields(v *visit, o object, change bool) ([]formField, error) {
	fields, err := res.plainFields(v, o, change)
	if err != nil {
		return nil, err
	}
	return v.ready(fields, o)
}

// plainFields are the fields of the form for a record.
func (res resource) plainFields(v *visit, o object, change bool) ([]formField, error) {
	fields := slices.Clone(res.fields)
	if res.grow != nil {
		more, err := res.grow(v, res, o)
		if err != nil {
			return nil, err
		}
		fields = append(fields, more...)
	}
	final := change && res.final != nil && res.final(o)
	return slices.DeleteFunc(fields, func(f formField) bool {
		return f.fixed && change || f.added && !change || final && !f.lasting
	}), nil
}

// ready loads the records that fields offer; those that the person may not see
// are left out.
func (v *visit) ready(fields []formField, o object) ([]formField, error) {
	var all []formField
	for _, f := range fields {
		shown, err := v.offer(&f, o)
		if err != nil {
			return nil, err
		}
		if shown {
			all = append(all, f)
		}
	}
	return all, nil
}

// offer loads the choices of a field, and reports that it is shown.
func (v *visit) offer(f *formField, o object) (shown bool, err error) {
	switch {
	case f.from != nil && !f.from.seen(v):
		return false, nil
	case f.from != nil:
		f.choices, err = v.chooseFrom(*f.from, v.typed(f.name, f.with(v, o).value))
	case f.offers != nil:
		f.choices, err = f.offers(v, o)
		return len(f.choices) > 0, err
	}
	return true, err
}

// body reads a form. On a creation what was left empty is left out, on a change
// it is cleared. A field that the form did not have says nothing.
func (v *visit) body(fields []formField, change bool) (M, error) {
	body, f := M{}, problem.Fields{}
	for _, field := range fields {
		if !v.form.Has(field.name) && !field.box() || change && field.fixed {
			continue
		}
		value, err := field.read(v)
		if err != nil {
			f.Add(field.at(), "format", problem.T(err.Error(), err.Error()))
		}
		if value != nil || change {
			put(body, field.member(), value)
		}
	}
	return body, f.Err()
}

// read is what a field says, nil for nothing.
func (f formField) read(v *visit) (any, error) {
	text := v.form.Get(f.name)
	switch {
	case strings.TrimSpace(text) == "" && !f.required && !f.box():
		return nil, nil //nolint:nilnil // nothing was typed
	case f.as == nil:
		return text, nil
	}
	return f.as(v, strings.TrimSpace(text))
}

// member is the path of the member that a field fills.
func (f formField) member() []string {
	if f.into != nil {
		return f.into
	}
	return strings.Split(f.name, ".")
}

// told puts a conflict beside the field that answers it.
func told(fields []formField, err error) error {
	p := problem.As(err)
	for _, f := range fields {
		if f.conflict.reason != "" && f.conflict.reason == p.Reason {
			beside := *p
			beside.Fields = []problem.Field{{Pointer: f.at(), Code: p.Reason, Detail: problem.T(f.conflict.text, f.conflict.text)}}
			return &beside
		}
	}
	return err
}

// put sets a member, inside objects where its path is long. An object of
// nothing but nulls is null.
func put(m M, path []string, value any) {
	head, rest := path[0], path[1:]
	if len(rest) == 0 {
		m[head] = value
		return
	}
	inner, ok := m[head].(M)
	if !ok {
		if _, there := m[head]; value == nil {
			if !there {
				m[head] = nil
			}
			return
		}
		inner = M{}
		m[head] = inner
	}
	if value != nil {
		put(inner, rest, value)
	}
}

func (res resource) createOne(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	fields, err := res.plainFields(v, object{}, false)
	if err != nil {
		return nil, err
	}
	body, err := v.body(fields, false)
	if err != nil {
		return nil, err
	}
	done, err := res.made(v.submit(res.create, res.ids(), body))
	return done, told(fields, err)
}

// made goes to the record that a call has created.
func (res resource) made(answer httpapi.Answer, err error) (*reply, error) {
	if err != nil {
		return nil, err
	}
	var made object
	if err := decodeExact(answer.Body, &made); err != nil {
		return nil, err
	}
	return goTo(res.page(made.id()) + "?feito=criado")
}

func (res resource) load(v *visit) (o object, etag string, err error) {
	if _, err := v.me(); err != nil {
		return nil, "", err
	}
	answer, err := v.d.conf.API.Call(v.r, httpapi.Call{Route: res.get, Session: v.session, IDs: res.ids(v.r.PathValue("id"))})
	if err != nil {
		return nil, "", err
	}
	err = decodeExact(answer.Body, &o)
	v.record = o
	return o, answer.ETag, err
}

// decodeExact keeps numbers as they are written.
func decodeExact(body []byte, into any) error {
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	return decoder.Decode(into)
}

func (res resource) onePage(v *visit) (*reply, error) {
	if res.inline {
		return res.parentPage(v)
	}
	o, _, err := res.load(v)
	if err != nil {
		return nil, err
	}
	var past list[object]
	if res.history != "" {
		if past, err = get[list[object]](v, res.history, res.ids(o.id()), url.Values{"limit": {"50"}}); err != nil {
			return nil, err
		}
	}
	sections, err := v.open(res.sections, res, o)
	if err != nil {
		return nil, err
	}
	var notes []templ.Component
	if res.note != nil {
		if notes, err = v.open([]section{res.note}, res, o); err != nil {
			return nil, err
		}
	}
	return show(res.name(o)+" · "+res.title, res.nav(), resourceOneBody(v, res, o, oneParts{past.Data, notes, sections}))
}

// oneParts are what a record's page shows beside its facts.
type oneParts struct {
	past            []object
	notes, sections []templ.Component
}

// open loads sections of a record's page.
func (v *visit) open(sections []section, res resource, o object) ([]templ.Component, error) {
	var all []templ.Component
	for _, s := range sections {
		c, err := s(v, res, o)
		if err != nil {
			return nil, err
		}
		if c != nil {
			all = append(all, c)
		}
	}
	return all, nil
}

// name is what a record is called.
func (res resource) name(o object) string {
	if res.called != nil {
		return res.called(o)
	}
	for _, member := range []string{"name", "title", "description", "label"} {
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
	if v.form == nil && !res.changeable(v, o) {
		return goTo(res.page(o.id()))
	}
	if v.form != nil {
		etag = v.form.Get(versionInput) // what was typed was typed on that version
	}
	fields, err := res.formFields(v, o, true)
	if err != nil {
		return nil, err
	}
	return show("Editar "+res.name(o), res.nav(), resourceFormBody(v, res, fields, o, res.path+"/"+o.id()+"/editar", etag))
}

func (res resource) updateOne(v *visit) (*reply, error) {
	o, _, err := res.load(v)
	if err != nil {
		return nil, err
	}
	fields, err := res.plainFields(v, o, true)
	if err != nil {
		return nil, err
	}
	body, err := v.body(fields, true)
	if err != nil {
		return nil, err
	}
	if _, err := v.submit(res.update, res.ids(o.id()), body); err != nil {
		return nil, told(fields, err)
	}
	return goTo(res.page(o.id()) + "?feito=alterado")
}

// changeable reports that a record's state allows the form that changes it.
func (res resource) changeable(v *visit, o object) bool {
	return res.update != "" && v.who.may(res.write) && (res.lines == nil || res.lines.open(o)) && (res.open == nil || res.open(o))
}

// offered are the actions that a record's state allows: the harsh ones, that
// take a menu and a second thought, or the others.
func (res resource) offered(v *visit, o object, harsh bool) []action {
	return slices.DeleteFunc(slices.Clone(res.actions), func(a action) bool {
		return a.harsh != harsh || a.when != nil && !a.when(o) || !v.who.may(cmp.Or(a.write, res.write)) || a.also != "" && !v.who.may(a.also)
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
	o, etag, err := res.load(v)
	if err != nil {
		return nil, err
	}
	fields, err := v.ready(a.asks(o), o)
	if err != nil {
		return nil, err
	}
	if !a.edits {
		etag = ""
	}
	return show(a.text+": "+res.name(o), res.nav(), askBody(v, asked{res, a, fields, o, v.typed(versionInput, etag)}))
}

// asks are the fields that the action has for a record.
func (a action) asks(o object) []formField {
	return slices.DeleteFunc(slices.Clone(a.fields), func(f formField) bool { return f.when != nil && !f.when(o) })
}

// asked is what the page of an action shows.
type asked struct {
	res    resource
	action action
	fields []formField
	o      object
	etag   string // of what the action edits; "" for nothing
}

func (res resource) act(v *visit) (*reply, error) {
	a, err := res.action(v)
	if err != nil {
		return nil, err
	}
	if _, err := v.me(); err != nil {
		return nil, err
	}
	body, err := v.body(a.fields, a.edits)
	if err != nil {
		return nil, err
	}
	maps.Copy(body, a.body)
	id := v.r.PathValue("id")
	if a.self != "" {
		body[a.self] = id
	}
	var sent any
	if len(body) > 0 {
		sent = body
	}
	answer, err := v.submit(a.route, res.ids(id), sent)
	if err != nil {
		return nil, told(a.fields, err)
	}
	return res.acted(v, a, id, answer)
}

// acted is what a person sees after an action.
func (res resource) acted(v *visit, a action, id string, answer httpapi.Answer) (*reply, error) {
	var o object
	if len(answer.Body) > 0 {
		if err := decodeExact(answer.Body, &o); err != nil {
			return nil, err
		}
	}
	switch {
	case a.shows != "" && o.text(a.shows) != "":
		return show(a.resultTitle, res.nav(), resultBody(v, res, a, o, o.text(a.shows)))
	case a.leads != "" && v.sees(a.leads):
		return goTo(a.leads + "/" + o.text(cmp.Or(a.made, "id")) + "?feito=criado")
	case a.gone:
		above, _ := res.top()
		return goTo(above + "?feito=excluido")
	case a.up:
		above, _ := res.top()
		return goTo(above + "?feito=feito")
	}
	return goTo(res.page(id) + "?feito=feito")
}

// pageSize is how many of a list's rows a page shows.
const pageSize = 25

func pageLimit() string { return strconv.Itoa(pageSize) }
