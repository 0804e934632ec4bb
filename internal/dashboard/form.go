package dashboard

import (
	"slices"
	"strings"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

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

func (res resource) newPage(v *visit) (*reply, error) {
	if err := v.need(res.write); err != nil {
		return nil, err
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

// manyFields is how many fields a form shows in one column at the most.
const manyFields = 6

// wide reports that a field takes a whole line among others in two columns.
func (f formField) wide() bool { return f.area || f.box() }
