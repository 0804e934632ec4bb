package dashboard

import (
	"strconv"
	"strings"

	"fatureihoje/internal/problem"
)

// linesForm says how a document with lines is made and changed.
type linesForm struct {
	open     func(object) bool // the states in which it can be changed
	plan     bool              // it has a payment plan
	oneParty bool              // it is for a client or for a lead
	versions bool              // a change makes a new version, which is whole
	bare     bool              // it may have no lines
}

const (
	versionWord = "Nova versão"
	baseField   = "base_version"
)

// changeWord is the text of the button that changes a record.
func (res resource) changeWord() string {
	if res.lines != nil && res.lines.versions {
		return versionWord
	}
	return "Editar"
}

// versionReason asks why a new version is made.
func versionReason() formField { return text("reason", "Motivo da mudança") }

func (res resource) newDocumentPage(v *visit) (*reply, error) {
	if err := v.need(res.write); err != nil {
		return nil, err
	}
	return res.documentPage(v, documentForm{res: res, o: v.begun(), title: res.make, target: res.path + "/novo"})
}

func (res resource) editDocumentPage(v *visit) (*reply, error) {
	o, etag, err := res.load(v)
	if err != nil {
		return nil, err
	}
	if v.form == nil && !res.changeable(v, o) {
		return goTo(res.path + "/" + o.id())
	}
	form := documentForm{
		res: res, o: o, change: true, title: res.changeWord() + ": " + res.name(o), target: res.path + "/" + o.id() + "/editar",
		versionField: versionInput, version: etag,
	}
	if res.lines.versions {
		form.versionField, form.version = baseField, o.text("current_version")
	}
	form.version = v.typed(form.versionField, form.version) // what was typed was typed on that version
	return res.documentPage(v, form)
}

// documentForm is what the form of a document shows.
type documentForm struct {
	res                   resource
	fields                []formField
	o                     object
	change                bool
	title, target         string
	versionField, version string // what the form changes; "" for a new one
	catalogue             catalogue
}

func (res resource) documentPage(v *visit, form documentForm) (done *reply, err error) {
	if form.fields, err = res.documentFields(v, form.o, form.change); err != nil {
		return nil, err
	}
	if form.fields, err = v.ready(form.fields, form.o); err != nil {
		return nil, err
	}
	if form.catalogue, err = v.catalogue(form.o.all("items")); err != nil {
		return nil, err
	}
	return show(form.title, res.nav(), documentFormBody(v, form))
}

// documentFields are the fields of a document's form, beside its lines.
func (res resource) documentFields(v *visit, o object, change bool) ([]formField, error) {
	fields, err := res.plainFields(v, o, change)
	if change && res.lines.versions {
		fields = append(fields, versionReason())
	}
	return fields, err
}

func (res resource) createDocument(v *visit) (*reply, error) {
	if v.form.Get(moreField) != "" {
		return res.newDocumentPage(v)
	}
	body, from, err := res.documentBody(v, nil)
	if err != nil {
		return nil, err
	}
	done, err := res.made(v.submit(res.create, nil, body))
	if err != nil {
		return nil, placed(err, from)
	}
	return done, nil
}

func (res resource) updateDocument(v *visit) (*reply, error) {
	if v.form.Get(moreField) != "" {
		return res.editDocumentPage(v)
	}
	o, _, err := res.load(v)
	if err != nil {
		return nil, err
	}
	body, from, err := res.documentBody(v, o)
	if err != nil {
		return nil, err
	}
	if _, err := v.submit(res.update, []string{o.id()}, body); err != nil {
		return nil, placed(err, from)
	}
	return goTo(res.path + "/" + o.id() + "?feito=alterado")
}

// documentBody reads the form of a document; o is what it changes, nil for a
// new one. It says where in the form what it holds was read.
func (res resource) documentBody(v *visit, o object) (body M, from placing, err error) {
	if _, err := v.me(); err != nil {
		return nil, from, err
	}
	fields, err := res.documentFields(v, o, o != nil)
	if err != nil {
		return nil, from, err
	}
	var f problem.Fields
	patch := o != nil && !res.lines.versions
	if body, err = v.body(fields, patch); err != nil {
		for _, wrong := range problem.As(err).Fields {
			f.Add(wrong.Pointer, wrong.Code, wrong.Detail)
		}
	}
	body["items"], from.rows = v.lines(&f)
	v.charges(body, patch, &f)
	if res.lines.plan {
		from.parts = v.plan(body, patch, &f)
	}
	if res.lines.oneParty && patch {
		leaveOneParty(body)
	}
	if o != nil && res.lines.versions {
		keepOfVersion(v, body, o)
	}
	return body, from, f.Err()
}

// charges reads the document's discount and shipping.
func (v *visit) charges(body M, patch bool, f *problem.Fields) {
	if text := v.form.Get("discount"); strings.TrimSpace(text) != "" {
		member, value, err := parseDiscount(text)
		if err != nil {
			f.Add("/discount", "format", problem.T(err.Error(), err.Error()))
		}
		body[member] = value
	} else if patch {
		body["discount_cents"], body["discount_percent"] = nil, nil
	}
	if text := v.form.Get("shipping_cents"); strings.TrimSpace(text) != "" {
		value, err := parseReais(text)
		if err != nil {
			f.Add("/shipping_cents", "format", problem.T(err.Error(), err.Error()))
		}
		body["shipping_cents"] = value
	} else if patch {
		body["shipping_cents"] = nil
	}
}

// leaveOneParty sends only who was chosen, which takes the place of the other.
func leaveOneParty(body M) {
	for one, other := range map[string]string{"client_id": "lead_id", "lead_id": "client_id"} {
		if body[one] != nil && body[other] == nil {
			delete(body, other)
		}
	}
}

// keepOfVersion adds what a new version would lose because the form does not ask for it.
func keepOfVersion(v *visit, body M, o object) {
	body["notes"] = v.form.Get("notes") // left out, the notes would stay
	for _, member := range []string{"account_id", "category_id"} {
		if o[member] != nil && !v.form.Has(member) {
			body[member] = o[member]
		}
	}
	if base, err := strconv.Atoi(v.form.Get(baseField)); err == nil {
		body[baseField] = base
	}
}
