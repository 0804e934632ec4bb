package dashboard

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// source is a kind of record that others refer to: how it is found, named and
// shown. Forms and filters choose from it.
type source struct {
	name       string // in the address that fields search at
	list, get  string // routes by their id
	permission string // without which there is nothing to see; "" for none
	path       string // of its pages; "" for none
	offered    url.Values
	search     bool                                           // it is found by what is typed; otherwise it is short
	options    func(*visit, source, string) ([]option, error) // finds it where the list takes no q; nil: the list does
	whole      bool                                           // the list knows no ids: it is read whole
	tree       bool                                           // the records are below each other: all are offered, each with what it is below
	text       func(object) string
	hint       func(object) string // beside the text, in a list of choices; nil for none
}

func (s source) textOf(o object) string {
	if s.text != nil {
		return s.text(o)
	}
	return o.text("name")
}

func (s source) hintOf(o object) string {
	if s.hint == nil {
		return ""
	}
	return s.hint(o)
}

func activeByName() url.Values {
	return url.Values{"status": {"active"}, "sort": {"name"}, "order": {"asc"}}
}

func clientSource() source {
	return source{
		name: "clientes", list: "listClients", get: "getClient", permission: "clients:read", path: "/clientes", offered: activeByName(), search: true,
		hint: func(o object) string { return orElse(formatDocument(o.text("document")), o.text("email")) },
	}
}

func leadSource() source {
	return source{
		name: "leads", list: "listLeads", get: "getLead", permission: "leads:read", path: "/leads", search: true,
		hint: func(o object) string { return orElse(o.text("company_name"), o.text("email")) },
	}
}

func memberSource() source {
	return source{name: "membros", list: "listMembers", get: "getMember", path: "/membros", whole: true, hint: func(o object) string { return o.text("email") }}
}

func serviceSource() source {
	return source{
		name: "servicos", list: "listServices", get: "getService", permission: "services:read", path: "/servicos", offered: activeByName(), search: true,
		hint: func(o object) string { return reais(o.text("price_cents")) },
	}
}

// numbered is a source of documents that are called by their number.
func numbered(name, list, get, permission, path, noun string) source {
	return source{
		name: name, list: list, get: get, permission: permission, path: path, search: true,
		text: func(o object) string { return noun + " " + o.text("number") },
		hint: func(o object) string { return reais(o.text("total_cents")) },
	}
}

func quoteSource() source {
	return numbered("orcamentos", "listQuotes", "getQuote", "quotes:read", "/orcamentos", "Orçamento")
}

func orderSource() source {
	return numbered("ordens", "listServiceOrders", "getServiceOrder", "service_orders:read", "/ordens", "Ordem")
}

func saleSource() source {
	return numbered("vendas", "listSales", "getSale", "sales:read", "/vendas", "Venda")
}

// sources are those that a field can search in.
func sources() []source {
	return append([]source{
		clientSource(), leadSource(), memberSource(), serviceSource(), quoteSource(), orderSource(), saleSource(),
	}, financeSources()...)
}

// seen reports that the person may see its records.
func (s source) seen(v *visit) bool { return s.permission == "" || v.who.may(s.permission) }

// nameOf is the name of one record, "" where it cannot be seen.
func (v *visit) nameOf(s source, id string) string {
	if id == "" || !s.seen(v) {
		return ""
	}
	if name, known := v.names[id]; known {
		return name
	}
	name := ""
	if found, err := get[object](v, s.get, []string{id}, nil); err == nil {
		name = s.textOf(found)
	}
	v.learn(id, name)
	return name
}

func (v *visit) learn(id, name string) {
	if v.names == nil {
		v.names = map[string]string{}
	}
	v.names[id] = name
}

// learnNames reads the names of all that records refer to, a call for each kind.
func (v *visit) learnNames(attributes []attribute, records []object) error {
	for _, a := range attributes {
		if a.refers == nil || !a.refers.seen(v) {
			continue
		}
		var ids []string
		for _, o := range records {
			id := o.text(a.member)
			if _, known := v.names[id]; id != "" && !known && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if err := v.learnIDs(*a.refers, ids); err != nil {
			return err
		}
	}
	return nil
}

func (v *visit) learnIDs(s source, ids []string) error {
	if s.whole && len(ids) > 0 {
		return v.learnList(s, url.Values{"limit": {maxChoices}})
	}
	for part := range slices.Chunk(ids, 100) {
		if err := v.learnList(s, url.Values{"limit": {maxChoices}, "ids": {strings.Join(part, ",")}}); err != nil {
			return err
		}
		for _, id := range part {
			if _, found := v.names[id]; !found {
				v.learn(id, "")
			}
		}
	}
	return nil
}

func (v *visit) learnList(s source, query url.Values) error {
	found, err := get[list[object]](v, s.list, nil, query)
	if err != nil {
		return err
	}
	for _, o := range found.Data {
		v.learn(o.id(), s.textOf(o))
	}
	return nil
}

// maxChoices is how many records a select offers, and a search finds.
const maxChoices = "100"

// option is a record as a field offers it.
type option struct {
	Value string `json:"value"`
	Text  string `json:"text"`
	Hint  string `json:"hint,omitempty"`
	Fills *fills `json:"fills,omitempty"` // what it gives the other fields of a row
}

// fills is what the catalogue says of an item, as the fields of a row hold it.
type fills struct {
	Description string `json:"description"`
	Price       string `json:"price"`
}

// find lists what a source offers, or what it finds.
func (v *visit) find(s source, q string) ([]option, error) {
	if !s.seen(v) {
		return nil, nil
	}
	if s.options != nil {
		return s.options(v, s, q)
	}
	query := url.Values{"limit": {"20"}}
	for name, all := range s.offered {
		query[name] = all
	}
	if q = strings.TrimSpace(q); q != "" && s.search {
		query.Set("q", q)
	}
	if !s.search {
		query.Set("limit", maxChoices)
	}
	found, err := get[list[object]](v, s.list, nil, query)
	if err != nil {
		return nil, err
	}
	options := make([]option, len(found.Data))
	for i, o := range found.Data {
		options[i] = option{Value: o.id(), Text: s.textOf(o), Hint: s.hintOf(o)}
	}
	return options, nil
}

// chooseFrom is the choices of a select over a source: the first ones, and what
// is chosen already, which may be archived by now or far down the list.
func (v *visit) chooseFrom(s source, current string) ([]choice, error) {
	if s.tree {
		return v.chooseFromTree(s)
	}
	options, err := v.find(s, "")
	if err != nil {
		return nil, err
	}
	choices := []choice{{"", "–"}}
	for _, o := range options {
		choices = append(choices, choice{o.Value, o.Text})
	}
	if current != "" && !slices.ContainsFunc(choices, func(c choice) bool { return c.value == current }) {
		choices = append(choices, choice{current, orElse(v.nameOf(s, current), "(o atual)")})
	}
	return choices, nil
}

// searchPage answers a field that searches while a person types.
func searchPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	name, q := v.r.PathValue("fonte"), v.r.URL.Query().Get("q")
	options, err := []option(nil), errNoPage()
	if name == itemsSource {
		options, err = v.findItems(q)
	}
	for _, s := range sources() {
		if s.name == name {
			options, err = v.find(s, q)
		}
	}
	if err != nil {
		return nil, err
	}
	v.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	v.w.WriteHeader(http.StatusOK)
	_ = json.NewEncoder(v.w).Encode(map[string]any{"data": append([]option{}, options...)}) // a browser that has gone asks again
	return nil, errAnswered
}
