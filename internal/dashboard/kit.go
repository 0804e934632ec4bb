package dashboard

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"fatureihoje/internal/problem"
)

func has(all []string, one string) bool { return slices.Contains(all, one) }

func orText(kind string) string {
	if kind == "" {
		return "text"
	}
	return kind
}

// shown is a field's value; a password's is never sent back.
func (i input) shown(v *visit) string {
	if i.kind == "password" {
		return ""
	}
	return v.typed(i.name, i.value)
}

// describe joins a field to its hint and its error, for those who hear the page.
func describe(i input, wrong string) templ.Attributes {
	a := templ.Attributes{}
	var by []string
	if wrong != "" {
		a["aria-invalid"] = "true"
		by = append(by, "e-"+i.name)
	}
	if i.hint != "" {
		by = append(by, "h-"+i.name)
	}
	if len(by) > 0 {
		a["aria-describedby"] = strings.Join(by, " ")
	}
	for name, value := range map[string]string{
		"autocomplete": i.autocomplete, "placeholder": i.placeholder, "inputmode": i.mode, "maxlength": i.max,
	} {
		if value != "" {
			a[name] = value
		}
	}
	if i.required {
		a["required"] = true
	}
	return a
}

// marksFields reports that a problem is told beside the fields of its form.
func marksFields(p *problem.Error) bool {
	return len(p.Fields) > 0 && (p.Code == problem.ValidationFailed || p.Code == problem.Conflict)
}

// strayField is an error that no field of a form is marked with: of the link
// that brought the person here.
func strayField(p *problem.Error) string {
	for _, f := range p.Fields {
		if f.Pointer == "/token" || f.Pointer == "" {
			return f.Detail.PT
		}
	}
	return ""
}
