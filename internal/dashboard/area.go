package dashboard

import (
	"slices"
	"strings"
)

// entry is one entry of the navigation: pages that belong together, with a tab each.
type entry struct {
	icon, title string
	tabs        []tab
}

type tab struct{ path, title, read string }

// areas are those of the business that the person may see.
func areas(v *visit) []entry {
	var all []entry
	for _, res := range v.d.served {
		if res.nested() || !v.who.may(res.read) {
			continue
		}
		title := orElse(res.area, res.title)
		at := slices.IndexFunc(all, func(a entry) bool { return a.title == title })
		if at < 0 {
			all = append(all, entry{icon: res.icon, title: title})
			at = len(all) - 1
		}
		all[at].tabs = append(append(all[at].tabs, res.views...), tab{res.path, orElse(res.tab, res.title), res.read})
	}
	for i := range all {
		for _, t := range reports() {
			if t.area == all[i].title && v.who.may(t.read) {
				all[i].tabs = append(all[i].tabs, t.tab)
			}
		}
	}
	return all
}

// sees reports that the person may see the records whose pages are at a path.
func (v *visit) sees(path string) bool {
	return slices.ContainsFunc(v.d.served, func(res resource) bool { return res.path == path && v.who.may(res.read) })
}

// tabsAt are the tabs of the area that a page is one of, where there are several.
func tabsAt(v *visit, path string) []tab {
	for _, a := range areas(v) {
		if len(a.tabs) > 1 && slices.ContainsFunc(a.tabs, func(t tab) bool { return t.path == path }) {
			return a.tabs
		}
	}
	return nil
}

// holds reports that a page's entry is one of the area's.
func (a entry) holds(path string) bool {
	return slices.ContainsFunc(a.tabs, func(t tab) bool { return t.path == path })
}

func (res resource) nested() bool { return strings.Contains(res.path, parentPart) }
