package dashboard

import (
	"encoding/json"
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

// served are the resources whose lists are among routes.
func served(routes []httpapi.Route) []resource {
	return slices.DeleteFunc(resources(), func(res resource) bool {
		return !slices.ContainsFunc(routes, func(r httpapi.Route) bool { return r.ID == res.list })
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

// changeable reports that a record's state allows the form that changes it.
func (res resource) changeable(v *visit, o object) bool {
	return res.update != "" && v.who.may(res.write) && (res.lines == nil || res.lines.open(o)) && (res.open == nil || res.open(o))
}

// pageSize is how many of a list's rows a page shows.
const pageSize = 25

func pageLimit() string { return strconv.Itoa(pageSize) }
