package dashboard

import (
	"fmt"
	"strings"
)

// object is a record as the API shows it.
type object map[string]any

func (o object) id() string { return o.text("id") }

// text is a member as text, "" where it is absent or null. A dot leads into an object.
func (o object) text(name string) string {
	head, rest, nested := strings.Cut(name, ".")
	switch value := o[head].(type) {
	case nil:
		return ""
	case string:
		return value
	case map[string]any:
		if nested {
			return object(value).text(rest)
		}
	case []any:
		parts := make([]string, len(value))
		for i, v := range value {
			parts[i] = fmt.Sprint(v)
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(o[head])
}

// inner is a member that is an object, with its keys as they are.
func (o object) inner(name string) map[string]any {
	m, _ := o[name].(map[string]any)
	return m
}

// all is a member that is a list of objects.
func (o object) all(name string) []object {
	items, _ := o[name].([]any)
	var all []object
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			all = append(all, object(m))
		}
	}
	return all
}
