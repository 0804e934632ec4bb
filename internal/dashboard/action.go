package dashboard

import (
	"cmp"
	"maps"
	"slices"

	"fatureihoje/internal/httpapi"
)

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
