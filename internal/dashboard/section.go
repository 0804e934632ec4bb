package dashboard

import (
	"net/url"
	"slices"

	"github.com/a-h/templ"
)

// section is a part of a record's page, below its facts. It returns nil where
// there is nothing that the person may see.
type section func(*visit, resource, object) (templ.Component, error)

// plainSection shows what the record itself holds.
func plainSection(show func(*visit, object) templ.Component) section {
	return func(v *visit, _ resource, o object) (templ.Component, error) { return show(v, o), nil }
}

// maxRelated is how many of the records that belong to another its page shows.
const maxRelated = "5"

// related shows the newest records of other kinds that refer to this one by a
// member, which is also the filter of their lists and begins their forms. Kinds
// of which there is none yet share one line of buttons.
func related(member string, others ...func() resource) section {
	return func(v *visit, _ resource, o object) (templ.Component, error) {
		var some, none []relation
		for _, other := range others {
			r, err := v.relation(other(), member, o)
			switch {
			case err != nil:
				return nil, err
			case len(r.found.Data) > 0:
				some = append(some, r)
			case r.startable:
				none = append(none, r)
			}
		}
		return relatedBody(v, some, none), nil
	}
}

// relation is the newest records of a resource that refer to the one of a page.
type relation struct {
	res        resource
	member, of string // by which they refer to it, and its id
	found      list[object]
	startable  bool // another may be made from here: its form asks for the member
}

// query is the filter of their list, and what begins their form.
func (r relation) query() string { return url.Values{r.member: {r.of}}.Encode() }

func (v *visit) relation(res resource, member string, o object) (relation, error) {
	r := relation{res: res, member: member, of: o.id()}
	if !v.who.may(res.read) {
		return r, nil
	}
	fields, err := res.plainFields(v, object{}, false)
	if err != nil {
		return r, err
	}
	r.startable = res.create != "" && v.who.may(res.write) && o.text("status") != "archived" &&
		slices.ContainsFunc(fields, func(f formField) bool { return f.name == member })
	r.res.columns = slices.DeleteFunc(res.columns, func(a attribute) bool { return a.wide || a.refers != nil && a.member == member })
	if r.found, err = get[list[object]](v, res.list, nil, url.Values{member: {r.of}, "limit": {maxRelated}}); err != nil {
		return r, err
	}
	return r, v.learnNames(r.res.columns, r.found.Data)
}

// children shows all records that belong to this one, with what can be done to each.
func children(other func() resource) section {
	return func(v *visit, _ resource, o object) (templ.Component, error) {
		res := other().of(o.id())
		if !v.who.may(res.read) {
			return nil, nil //nolint:nilnil // nothing to see
		}
		found, err := get[list[object]](v, res.list, res.ids(), url.Values{"limit": {maxChoices}, "sort": {"created_at"}, "order": {"asc"}})
		if err != nil {
			return nil, err
		}
		if err := v.learnNames(res.columns, found.Data); err != nil {
			return nil, err
		}
		return childrenBody(v, res, found.Data), nil
	}
}
