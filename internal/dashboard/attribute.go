package dashboard

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// attribute is one thing to show of a record.
type attribute struct {
	label  string
	value  func(*visit, object) string
	state  func(object) word // shown as a tag instead
	member string            // that it shows as it is, for files that keep numbers and dates; "" for a text
	kind   kind              // of that member
	mono   bool
	refers *source // what the member is the id of; its name is shown, and leads to it
}

// kind is what a member of a record holds, beyond text.
type kind int

const (
	kindText kind = iota
	kindCents
	kindNumber
	kindDay
	kindInstant
)

// number reports that it is set to the right.
func (a attribute) number() bool { return a.kind == kindCents || a.kind == kindNumber }

// dated reports that it is a date, which is not broken but between day and hour.
func (a attribute) dated() bool { return a.kind == kindDay || a.kind == kindInstant }

// cell is what it shows of a record, as text.
func (a attribute) cell(v *visit, o object) string {
	if a.state != nil {
		return a.state(o).text
	}
	return a.value(v, o)
}

// plain shows a member as it is.
func plain(label, name string) attribute {
	return attribute{label: label, value: func(_ *visit, o object) string { return o.text(name) }}
}

func numeric(label, name string) attribute {
	return attribute{label: label, member: name, kind: kindNumber, value: func(_ *visit, o object) string { return decimal(o.text(name)) }}
}

func instant(label, name string) attribute {
	return attribute{label: label, member: name, kind: kindInstant, value: func(v *visit, o object) string {
		t, err := time.Parse(time.RFC3339, o.text(name))
		if err != nil {
			return ""
		}
		return v.minute(t)
	}}
}

func calendarDay(label, name string) attribute {
	return attribute{label: label, member: name, kind: kindDay, value: func(_ *visit, o object) string { return brazilianDate(o.text(name)) }}
}

func brazilianDate(text string) string {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return text
	}
	return t.Format("02/01/2006")
}

// cents shows whole cents as reais.
func cents(label, name string) attribute {
	return attribute{label: label, member: name, kind: kindCents, value: func(_ *visit, o object) string { return reais(o.text(name)) }}
}

func reais(text string) string {
	n, err := strconv.ParseInt(strings.TrimSuffix(text, ".0"), 10, 64)
	if err != nil {
		return text
	}
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%sR$ %s,%02d", sign, number(n/100), n%100)
}

// reaisOnly is an amount without its currency, as a field holds it.
func reaisOnly(text string) string { return strings.Replace(reais(text), "R$ ", "", 1) }

// decimal writes a number of the API with a comma.
func decimal(text string) string { return strings.Replace(text, ".", ",", 1) }

// statusOf shows a status by its word and tone.
func statusOf(words map[string]word) attribute {
	return attribute{label: "Situação", state: func(o object) word {
		if w, ok := words[o.text("status")]; ok {
			return w
		}
		return word{o.text("status"), "quiet"}
	}}
}

// oneWord shows a member by the text of its choice.
func oneWord(label, name string, choices []choice) attribute {
	return attribute{label: label, value: func(_ *visit, o object) string { return chosen(choices, o.text(name)) }}
}

// chosen is the text of a choice, or its value where it has none.
func chosen(choices []choice, value string) string {
	for _, c := range choices {
		if c.value == value {
			return c.text
		}
	}
	return value
}

// named shows the name of the record that a member refers to, as far as the
// person may see it. One that is gone shows nothing.
func named(label, member string, s source) attribute {
	return attribute{label: label, refers: &s, member: member, value: func(v *visit, o object) string { return v.nameOf(s, o.text(member)) }}
}

func clientName() attribute   { return named("Cliente", "client_id", clientSource()) }
func assigneeName() attribute { return named("Responsável", "assignee_member_id", memberSource()) }

// link is the page that what is shown leads to, "" for none.
func (a attribute) link(v *visit, o object) string {
	if a.refers == nil || a.refers.path == "" || a.cell(v, o) == "" {
		return ""
	}
	return a.refers.path + "/" + o.text(a.member)
}
