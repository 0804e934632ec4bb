package dashboard

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The kinds of field that a resource's form is made of.

func text(name, label string) formField { return formField{input: input{name: name, label: label}} }

func area(name, label string) formField {
	return formField{input: input{name: name, label: label, area: true}}
}

func (f formField) must() formField              { f.required = true; return f }
func (f formField) hinted(hint string) formField { f.hint = hint; return f }
func (f formField) once() formField              { f.fixed = true; return f }

// money is an amount in reais, whole cents in the API.
func money(name, label string) formField {
	return formField{
		input: input{name: name, label: label, mode: "decimal", placeholder: "0,00", autocomplete: "off"},
		as:    func(_ *visit, text string) (any, error) { return parseReais(text) },
		show:  func(_ *visit, o object) string { return reaisOnly(o.text(name)) },
	}
}

var errMoney = errors.New("Informe um valor em reais, como 1.234,56.") //nolint:revive,staticcheck // a person reads it

// parseReais reads 1.234,56 as a person of Brazil writes it, and 1234.56.
func parseReais(text string) (int64, error) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "R$"))
	whole, fraction, err := plainNumber(text)
	if err != nil || len(whole) > 13 {
		return 0, errMoney
	}
	if fraction == "" {
		fraction = "00"
	}
	if len(fraction) != 2 {
		return 0, errMoney
	}
	n, err := strconv.ParseUint(whole+fraction, 10, 63)
	if err != nil {
		return 0, errMoney
	}
	return int64(n), nil
}

// wholeNumber is a number without a fraction.
func wholeNumber(name, label string) formField {
	return formField{
		input: input{name: name, label: label, mode: "numeric", autocomplete: "off"},
		as: func(_ *visit, text string) (any, error) {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return nil, errors.New("Informe um número inteiro.") //nolint:revive,staticcheck // a person reads it
			}
			return n, nil
		},
	}
}

func dateField(name, label string) formField {
	return formField{input: input{name: name, label: label, kind: "date"}}
}

// timeLayout is how a browser writes a datetime-local.
const timeLayout = "2006-01-02T15:04"

// momentField is an instant, typed and shown in the company's time zone.
func momentField(name, label string) formField {
	return formField{
		input: input{name: name, label: label, kind: "datetime-local"},
		as: func(v *visit, text string) (any, error) {
			t, err := time.ParseInLocation(timeLayout, text, v.zone())
			if err != nil {
				return nil, errors.New("Informe data e hora.") //nolint:revive,staticcheck // a person reads it
			}
			return t, nil
		},
		show: func(v *visit, o object) string {
			t, err := time.Parse(time.RFC3339, o.text(name))
			if err != nil {
				return ""
			}
			return t.In(v.zone()).Format(timeLayout)
		},
	}
}

func oneOf(name, label string, choices ...choice) formField {
	return formField{input: input{name: name, label: label}, choices: choices}
}

// refer offers the records of another list, the first hundred by name.
func refer(name, label, route, order, permission string, query url.Values) formField {
	return formField{input: input{name: name, label: label}, options: func(v *visit) ([]choice, error) {
		choices := []choice{{"", "–"}}
		if !v.who.may(permission) && permission != "" {
			return choices, nil
		}
		asked := url.Values{"limit": {"100"}}
		if order != "" {
			asked.Set("sort", order)
			asked.Set("order", "asc")
		}
		for k, all := range query {
			asked[k] = all
		}
		found, err := get[list[object]](v, route, nil, asked)
		if err != nil {
			return nil, err
		}
		for _, o := range found.Data {
			choices = append(choices, choice{o.id(), o.text("name")})
		}
		return choices, nil
	}}
}

func clientField() formField {
	return refer("client_id", "Cliente", "listClients", "name", "clients:read", url.Values{"status": {"active"}})
}

func leadField() formField {
	return refer("lead_id", "Lead", "listLeads", "", "leads:read", nil)
}

func assigneeField() formField {
	return refer("assignee_member_id", "Responsável", "listMembers", "", "", nil)
}

// kept offers the record that is chosen already too, where the list does not
// hold it: it is archived by now, or beyond the first hundred.
func (f formField) kept(route string) formField {
	f.keep = route
	return f
}

// keep adds to the choices of fields what a record, or the person, has chosen.
func (v *visit) keep(fields []formField, o object) {
	for i, f := range fields {
		id := v.typed(f.name, o.text(f.name))
		if f.keep == "" || id == "" || slices.ContainsFunc(f.choices, func(c choice) bool { return c.value == id }) {
			continue
		}
		name := "(o atual)"
		if found, err := get[object](v, f.keep, []string{id}, nil); err == nil {
			name = found.text("name")
		}
		fields[i].choices = append(slices.Clone(f.choices), choice{id, name})
	}
}

// now begins a field with the present, today with its day.
func (f formField) now() formField {
	f.first = func(v *visit, _ object) string { return v.d.conf.Clock.Now().In(v.zone()).Format(timeLayout) }
	return f
}

func (f formField) today() formField {
	f.first = func(v *visit, _ object) string { return v.d.conf.Clock.Now().In(v.zone()).Format(time.DateOnly) }
	return f
}

// decimal writes a number of the API with a comma.
func decimal(text string) string { return strings.Replace(text, ".", ",", 1) }

// named shows the name of the record that a member refers to, as far as the
// person may see it. One that is gone shows nothing.
func named(label, member, route, permission string) attribute {
	return attribute{label: label, value: func(v *visit, o object) string {
		id := o.text(member)
		if id == "" || permission != "" && !v.who.may(permission) {
			return ""
		}
		if v.names == nil {
			v.names = map[string]string{}
		}
		if name, known := v.names[id]; known {
			return name
		}
		found, err := get[object](v, route, []string{id}, nil)
		if err == nil {
			v.names[id] = found.text("name")
		}
		return v.names[id]
	}}
}

func clientName() attribute   { return named("Cliente", "client_id", "getClient", "clients:read") }
func assigneeName() attribute { return named("Responsável", "assignee_member_id", "getMember", "") }

// statusOf shows a status by its word and tone.
func statusOf(words map[string]word) attribute {
	return attribute{label: "Situação", state: func(o object) word {
		if w, ok := words[o.text("status")]; ok {
			return w
		}
		return word{o.text("status"), "quiet"}
	}}
}

func is(statuses ...string) func(object) bool {
	return func(o object) bool { return has(statuses, o.text("status")) }
}

// start begins a field of a new record with a value.
func (f formField) start(value string) formField {
	f.first = func(_ *visit, o object) string {
		if o.id() != "" {
			return ""
		}
		return value
	}
	return f
}

// reaisOnly is an amount without its currency, as a field holds it.
func reaisOnly(text string) string { return strings.TrimPrefix(reais(text), "R$ ") }
