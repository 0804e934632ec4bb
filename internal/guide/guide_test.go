package guide_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"fatureihoje/internal/guide"
	"fatureihoje/internal/problem"
)

func get(t *testing.T, path string) (status int, body string, header http.Header) {
	t.Helper()
	site, err := guide.New(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	site.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, string(text), w.Result().Header
}

func TestSite_EveryLinkOfItsOwnLeadsToAPage(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`href="(/docs/[^"#]*)"`)
	relative := regexp.MustCompile(`href="([a-z][a-z0-9-]*)"`)
	seen := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		if seen[path] {
			return
		}
		seen[path] = true
		status, body, _ := get(t, path)
		if status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
			return
		}
		for _, found := range link.FindAllStringSubmatch(body, -1) {
			visit(found[1])
		}
		for _, found := range relative.FindAllStringSubmatch(body, -1) {
			visit("/docs/" + found[1])
		}
	}

	visit("/docs/")

	if len(seen) < 10 {
		t.Errorf("only %d pages", len(seen))
	}
}

func TestSite_ExplainsEveryCode(t *testing.T) {
	t.Parallel()
	for _, d := range problem.Definitions() {
		status, body, header := get(t, "/docs/errors/"+string(d.Code))
		if status != http.StatusOK || !strings.Contains(body, d.Title.PT) {
			t.Errorf("%s: %d", d.Code, status)
		}
		if !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: no strict policy", d.Code)
		}
	}
	if status, _, _ := get(t, "/docs/errors/none_such"); status != http.StatusNotFound {
		t.Errorf("an unknown code: %d", status)
	}
}

func TestSite_LoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/docs/", "/docs/idempotency", "/docs/api", "/docs/static/guide.css"} {
		_, body, _ := get(t, path)
		if found := regexp.MustCompile(`(src|href|url\()="?https?://[^"]*`).FindString(body); strings.Contains(found, "src") {
			t.Errorf("%s loads %s", path, found)
		}
	}
	if _, body, _ := get(t, "/docs/static/redoc.standalone.js"); strings.Contains(body, "cdn.redoc") {
		t.Error("the reference loads its maker's logo")
	}
}
