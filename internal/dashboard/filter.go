package dashboard

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// filter narrows a list by one parameter of its route.
type filter struct {
	name, label string
	choices     []choice // a select of these
	from        *source  // or of the records of a source
	all         string   // what stands for all of them; "Todos" where left out
	kind        filterKind
	given       string // what a link has narrowed the list to, of filterGiven
}

type filterKind int

const (
	filterText  filterKind = iota
	filterDay              // a date of the API
	filterSince            // an instant: the beginning of the day that is chosen
	filterUntil            // an instant: the end of that day
	filterGiven            // what only a link gives: a box that takes it away
)

// created are the filters that every list has.
func created() []filter { return moments("created", "Criado") }

// states narrows a list to one state.
func states(choices ...choice) filter {
	return filter{name: "status", label: "Situação", choices: append([]choice{{"", "Todas"}}, choices...)}
}

func ofSource(name, label string, s source) filter { return filter{name: name, label: label, from: &s} }

// days is a filter of dates, from one day to another.
func days(name, label string) []filter {
	return []filter{{name: name + "_from", label: label + " de", kind: filterDay}, {name: name + "_to", label: label + " até", kind: filterDay}}
}

// moments is a filter of instants, by whole days of the company's time zone.
func moments(name, label string) []filter {
	return []filter{{name: name + "_from", label: label + " de", kind: filterSince}, {name: name + "_to", label: label + " até", kind: filterUntil}}
}

// value is the parameter of the route for what the page was given; what is no
// date goes as it is, and the route says so.
func (f filter) value(v *visit, given string) string {
	if f.kind != filterSince && f.kind != filterUntil {
		return given
	}
	day, err := time.ParseInLocation(time.DateOnly, given, v.zone())
	if err != nil {
		return given
	}
	if f.kind == filterUntil {
		day = day.AddDate(0, 0, 1)
	}
	return day.Format(time.RFC3339)
}

func (f filter) day() bool {
	return f.kind == filterDay || f.kind == filterSince || f.kind == filterUntil
}

// first and rest are the filters beside the search, and those behind a button.
func (res resource) firstFilters() []filter { return res.filters[:res.first()] }

func (res resource) first() int { return min(len(res.filters), max(res.upFront, 1)) }

func (res resource) restFilters() []filter {
	return slices.Concat(res.filters[res.first():], created())
}

// query is what the list's route is asked for.
func (res resource) query(v *visit) url.Values {
	given, query := v.r.URL.Query(), v.pick("cursor", "external_id")
	if res.search != "" {
		query = v.pick("cursor", "external_id", "q")
	}
	for _, f := range slices.Concat(res.firstFilters(), res.restFilters()) {
		if text := strings.TrimSpace(given.Get(f.name)); text != "" {
			query.Set(f.name, f.value(v, text))
		}
	}
	if sort, order, ok := strings.Cut(orElse(given.Get(sortParam), res.order), " "); ok {
		query.Set("sort", sort)
		query.Set("order", order)
	}
	query.Set("limit", pageLimit())
	return query
}

// sortParam is the page's parameter for the order: a field, a space, a direction.
const sortParam = "ordem"

func (res resource) sorts() []choice {
	return append(slices.Clone(res.orders), choice{"created_at desc", "Criação, mais novos antes"}, choice{"created_at asc", "Criação, mais antigos antes"}, choice{"updated_at desc", "Alteração recente"})
}

// narrowed reports that the filters behind the button are in use.
func (res resource) narrowed(query url.Values) bool {
	return slices.ContainsFunc(res.restFilters(), func(f filter) bool { return query.Get(f.name) != "" }) || query.Get(sortParam) != ""
}

// readyFilters loads the records that filters offer.
func (v *visit) readyFilters(filters []filter) ([]filter, error) {
	all := slices.Clone(filters)
	for i, f := range all {
		if f.from == nil {
			continue
		}
		choices, err := v.chooseFrom(*f.from, v.r.URL.Query().Get(f.name))
		if err != nil {
			return nil, err
		}
		choices[0].text = orElse(f.all, "Todos")
		all[i].choices = choices
	}
	return slices.DeleteFunc(all, func(f filter) bool { return f.from != nil && !f.from.seen(v) }), nil
}
