package dashboard

import (
	"errors"
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
func (f formField) lasts() formField             { f.lasting = true; return f }
func (f formField) upTo(length string) formField { f.max = length; return f }

// eMail is an address that a message can be sent to.
func eMail() formField {
	return formField{input: input{name: "email", label: "E-mail", kind: "email", autocomplete: "off", max: "254"}}
}

// phoneField is a number, shown as a person of Brazil writes it.
func phoneField(name, label string) formField {
	return formField{
		input: input{name: name, label: label, kind: "tel", autocomplete: "off", hint: "Com DDD."},
		show:  func(_ *visit, o object) string { return phone(o.text(name)) },
	}
}

// answers tells a conflict of a reason beside the field, in a person's words.
func (f formField) answers(reason, text string) formField {
	f.conflict = conflict{reason, text}
	return f
}

// externalID is the record's id in another system of the company.
func externalID() formField {
	return formField{input: input{name: "external_id", label: "Id externo", max: "64", autocomplete: "off", hint: "O id deste registro em outro sistema seu."}, lasting: true}
}

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

// pick chooses a record of a source.
func pick(name, label string, s source) formField {
	return formField{input: input{name: name, label: label}, from: &s}
}

func clientField() formField { return pick("client_id", "Cliente", clientSource()) }

func leadField() formField { return pick("lead_id", "Lead", leadSource()) }

func assigneeField() formField { return pick("assignee_member_id", "Responsável", memberSource()) }

// flag is a box to tick.
func flag(name, label string) formField {
	return formField{
		input: input{name: name, label: label, kind: boxKind},
		as:    func(_ *visit, text string) (any, error) { return text == "true", nil },
	}
}

// boxKind is the kind of a field that is a box to tick; a form that has it unticked does not send it.
const boxKind = "checkbox"

func (f formField) box() bool { return f.kind == boxKind }

// now begins a field with the present, today with its day.
func (f formField) now() formField {
	f.first = func(v *visit, _ object) string { return v.d.conf.Clock.Now().In(v.zone()).Format(timeLayout) }
	return f
}

func (f formField) today() formField {
	f.first = func(v *visit, _ object) string { return v.d.conf.Clock.Now().In(v.zone()).Format(time.DateOnly) }
	return f
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
