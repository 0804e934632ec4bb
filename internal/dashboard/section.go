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

// related shows the newest records of another kind that refer to this one by a
// member, which is also the filter of their list and begins their form.
func related(other func() resource, member string) section {
	return func(v *visit, _ resource, o object) (templ.Component, error) {
		res := other()
		if !v.who.may(res.read) {
			return nil, nil //nolint:nilnil // nothing to see
		}
		res.columns = slices.DeleteFunc(res.columns, func(a attribute) bool { return a.refers != nil && a.member == member })
		found, err := get[list[object]](v, res.list, nil, url.Values{member: {o.id()}, "limit": {maxRelated}})
		if err != nil {
			return nil, err
		}
		if err := v.learnNames(res.columns, found.Data); err != nil {
			return nil, err
		}
		startable := res.create != "" && v.who.may(res.write) && (o.text("status") == "" || o.text("status") != "archived")
		return relatedBody(v, res, found, url.Values{member: {o.id()}}.Encode(), startable), nil
	}
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
