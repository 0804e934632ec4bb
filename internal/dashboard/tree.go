package dashboard

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// branch is a record of a tree, with what is right below it.
type branch struct {
	record object
	path   string // its name after those above it: Vestuário › Camisetas
	below  []*branch
}

// pathSeparator stands between the names of a path in a tree.
const pathSeparator = " › "

// treeOf arranges records by their parents; those of one parent by position,
// then by name.
func treeOf(records []object) (roots []*branch) {
	all := map[string]*branch{}
	for _, o := range records {
		all[o.id()] = &branch{record: o}
	}
	for _, o := range records {
		if parent := all[o.text("parent_id")]; parent != nil {
			parent.below = append(parent.below, all[o.id()])
		} else {
			roots = append(roots, all[o.id()])
		}
	}
	arrange(roots, "")
	return roots
}

func arrange(branches []*branch, above string) {
	slices.SortStableFunc(branches, func(a, b *branch) int {
		return cmp.Or(cmp.Compare(a.position(), b.position()), strings.Compare(strings.ToLower(a.name()), strings.ToLower(b.name())))
	})
	for _, b := range branches {
		b.path = joined(pathSeparator, above, b.name())
		arrange(b.below, b.path)
	}
}

func (b *branch) name() string { return b.record.text("name") }

func (b *branch) position() int {
	n, _ := strconv.Atoi(b.record.text("position"))
	return n
}

// tree reads all of a list as a tree.
func (v *visit) tree(route string) ([]*branch, error) {
	records, err := readAll(v, route, url.Values{})
	return treeOf(records), err
}

// find is the branch of a record, nil where the tree has none.
func find(branches []*branch, id string) *branch {
	for _, b := range branches {
		if b.record.id() == id {
			return b
		}
		if below := find(b.below, id); below != nil {
			return below
		}
	}
	return nil
}

// newBelow is the form of a record right below another, and of its kind.
func newBelow(res resource, o object) string {
	begun := url.Values{"parent_id": {o.id()}}
	if kind := o.text("kind"); kind != "" {
		begun.Set("kind", kind)
	}
	return res.path + "/novo?" + begun.Encode()
}

// chooseFromTree offers all records of a source that is a tree.
func (v *visit) chooseFromTree(s source) ([]choice, error) {
	roots, err := v.tree(s.list)
	return treeChoices([]choice{{"", "–"}}, roots, ""), err
}

// treeChoices adds the paths of a tree to choices, but nothing from one record down.
func treeChoices(choices []choice, branches []*branch, without string) []choice {
	for _, b := range branches {
		if b.record.id() != without {
			choices = treeChoices(append(choices, choice{b.record.id(), b.path}), b.below, without)
		}
	}
	return choices
}

// parentField chooses what a record of a tree is below: not itself, nor what is
// below it.
func parentField(v *visit, res resource, o object) (formField, error) {
	roots, err := v.tree(res.list)
	if err != nil {
		return formField{}, err
	}
	choices := treeChoices([]choice{{"", "Nenhuma: no primeiro nível"}}, roots, o.id())
	if typed := v.typed("parent_id", ""); !offers(choices, typed) { // what was refused stays chosen
		choices = append(choices, choice{typed, chosen(treeChoices(nil, roots, ""), typed)})
	}
	return oneOf("parent_id", "Dentro de", choices...), nil
}

func offers(choices []choice, value string) bool {
	return slices.ContainsFunc(choices, func(c choice) bool { return c.value == value })
}

// treePage shows all records of a tree, each below its parent.
func (res resource) treePage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	roots, err := v.tree(res.list)
	if err != nil {
		return nil, err
	}
	return show(res.title, res.nav(), treeBody(v, res, roots))
}

// maxRead bounds what a page reads whole.
const maxRead = 20_000

// readAll reads a list, page by page.
func readAll(v *visit, route string, query url.Values) (all []object, err error) {
	query.Set("limit", maxChoices)
	for {
		found, err := get[list[object]](v, route, nil, query)
		if err != nil {
			return nil, err
		}
		all = append(all, found.Data...)
		if found.NextCursor == nil || len(all) >= maxRead {
			return all, nil
		}
		query.Set("cursor", *found.NextCursor)
	}
}
