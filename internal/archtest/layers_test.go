package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// layer is a group of packages with the same rights.
type layer string

const (
	values  layer = "a value package"
	storage layer = "the database"
	shared  layer = "a service that all domains share"
	adapter layer = "the HTTP layer"
	domain  layer = "a domain"
	pages   layer = "the dashboard"
	wiring  layer = "a package that wires or tests everything"
)

// layers says where each package below internal stands. A new package is added
// here.
func layers() map[layer][]string {
	return map[layer][]string{
		values: {
			"brdoc", "civil", "clock", "etag", "id", "jsonval", "meta", "money", "opt", "origin", "page", "problem", "seal", "state", "text",
		},
		storage: {"config", "db", "db/embedded"},
		shared:  {"audit", "auth", "events", "history", "idempotency", "jobs", "mail", "search"},
		adapter: {"httpapi", "requestlog"}, // the log is what the HTTP layer observes
		domain: {
			"catalog", "clients", "crm", "document", "finance", "management", "payments", "quotes", "sales", "serviceorders",
		},
		pages:  {"dashboard", "guide", "publicpages"},
		wiring: {"app", "archtest", "bench", "testkit", "testkit/postgres", "testkit/withpostgres"},
	}
}

// below lists the layers that a layer may import, beside itself.
func below() map[layer][]layer {
	return map[layer][]layer{
		values:  {},
		storage: {values},
		shared:  {storage, values},
		adapter: {shared, storage, values},
		domain:  {adapter, shared, storage, values},
		pages:   {domain, adapter, shared, storage, values},
		wiring:  {pages, domain, adapter, shared, storage, values},
	}
}

// domainEdges lists the domains that a domain may import.
func domainEdges() map[string][]string {
	return map[string][]string{
		"payments":      {"sales", "finance"},
		"document":      {"catalog"}, // lines, totals and numbers of the three that follow
		"sales":         {"document", "finance", "clients", "catalog"},
		"quotes":        {"document", "sales", "clients", "catalog"},
		"serviceorders": {"document", "sales", "quotes", "clients", "catalog"},
		"crm":           {"clients", "catalog"},
	}
}

// valueEdges lists what value packages may import: problem, and the few that
// are made of another.
func valueEdges() map[string][]string {
	return map[string][]string{"meta": {"opt"}}
}

func layerOf(pkg string) (layer, bool) {
	for l, packages := range layers() {
		if slices.Contains(packages, pkg) {
			return l, true
		}
		for _, p := range packages {
			if l == pages && strings.HasPrefix(pkg, p+"/") {
				return l, true
			}
		}
	}
	return "", false
}

// refuseImport says why a file of one package may not import another, or "".
func refuseImport(file sourceFile, target string) string {
	from, known := layerOf(file.pkg)
	if !known {
		return "the package stands in no layer: add it to layers() in internal/archtest"
	}
	to, known := layerOf(target)
	if !known {
		return fmt.Sprintf("%s stands in no layer: add it to layers() in internal/archtest", target)
	}
	if from == to {
		return refuseWithin(from, file.pkg, target)
	}
	if !slices.Contains(below()[from], to) {
		return fmt.Sprintf("%s may not import %s: imports go down, and nothing imports a domain but its consumers", from, to)
	}
	if from == domain && to == adapter && !file.named("http") {
		return "a domain imports httpapi only in files named http*.go: its rules know nothing of HTTP"
	}
	return ""
}

func refuseWithin(l layer, from, to string) string {
	switch {
	case l == values && to != "problem" && !slices.Contains(valueEdges()[from], to):
		return "a value package imports nothing of ours but problem"
	case l == domain && !slices.Contains(domainEdges()[from], to):
		return "a domain imports another only along payments → sales → finance, {quotes, serviceorders} → sales and " +
			"{crm, quotes, serviceorders, sales} → {clients, catalog}; elsewhere the consumer declares an interface"
	}
	return ""
}
