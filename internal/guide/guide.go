// Package guide serves the documentation at /docs/, offline: the guides of the
// folder docs, a page for each error code, the reference of both APIs, and a
// generator of idempotency keys.
package guide

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"fatureihoje/docs"
	"fatureihoje/internal/problem"
)

// Path is where the documentation begins.
const Path = "/docs/"

//go:embed static
var static embed.FS

//go:embed page.html
var pageHTML string

// guide is one Markdown file of the folder docs, rendered.
type guide struct {
	Name  string
	Title string
	Body  template.HTML
}

// names are the guides, in the order of the contents.
func names() []string {
	return []string{"idempotency", "authentication", "conventions", "errors", "documents", "finance", "database", "performance"}
}

// Site is the rendered documentation.
type Site struct {
	guides []guide
	page   *template.Template
	log    *slog.Logger
}

// New renders the guides. A guide that is missing stops the start.
func New(log *slog.Logger) (*Site, error) {
	s := &Site{log: log}
	page, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return nil, fmt.Errorf("parse the documentation's page: %w", err)
	}
	s.page = page
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	for _, name := range names() {
		g, err := render(markdown, name)
		if err != nil {
			return nil, err
		}
		s.guides = append(s.guides, g)
	}
	return s, nil
}

func render(markdown goldmark.Markdown, name string) (guide, error) {
	source, err := docs.Guides.ReadFile(name + ".md")
	if err != nil {
		return guide{}, fmt.Errorf("read the guide %s: %w", name, err)
	}
	heading, _, _ := strings.Cut(string(source), "\n")
	var body bytes.Buffer
	if err := markdown.Convert(source, &body); err != nil {
		return guide{}, fmt.Errorf("render the guide %s: %w", name, err)
	}
	// Guides link to each other's files; here they are pages.
	html := strings.ReplaceAll(body.String(), `.md"`, `"`)
	//nolint:gosec // our own guides; goldmark passes no raw HTML on
	return guide{Name: name, Title: strings.TrimPrefix(heading, "# "), Body: template.HTML(html)}, nil
}

// Handler serves the pages.
func (s *Site) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /docs/{$}", s.index)
	mux.HandleFunc("GET /docs/{guide}", s.guide)
	mux.HandleFunc("GET /docs/errors/{code}", s.errorPage)
	mux.HandleFunc("GET /docs/api", func(w http.ResponseWriter, _ *http.Request) { s.reference(w, "/public/v1/openapi.json") })
	mux.HandleFunc("GET /docs/api-painel", func(w http.ResponseWriter, _ *http.Request) { s.reference(w, "/dashboard/v1/openapi.json") })
	mux.Handle("GET /docs/static/", http.StripPrefix(Path, http.FileServerFS(static)))
	return secured(mux)
}

// policy lets pages load only what this server holds. The reference's own
// library writes styles into the page, so its pages alone may.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(w, r)
	})
}

// view is what the page shows; one of its parts is set.
type view struct {
	Title  string
	Here   string
	Guides []guide
	Body   template.HTML
	Index  bool
	Code   *problem.Definition
	Spec   string // the OpenAPI document of a reference
}

func (s *Site) index(w http.ResponseWriter, _ *http.Request) {
	s.write(w, view{Title: "Documentação", Index: true})
}

func (s *Site) guide(w http.ResponseWriter, r *http.Request) {
	for _, g := range s.guides {
		if g.Name == r.PathValue("guide") {
			s.write(w, view{Title: g.Title, Here: g.Name, Body: g.Body})
			return
		}
	}
	http.NotFound(w, r)
}

// errorPage explains one code: every problem's type links here.
func (s *Site) errorPage(w http.ResponseWriter, r *http.Request) {
	def, ok := problem.Lookup(problem.Code(r.PathValue("code")))
	if !ok {
		http.NotFound(w, r)
		return
	}
	s.write(w, view{Title: def.Title.PT, Here: "errors", Code: &def})
}

func (s *Site) reference(w http.ResponseWriter, spec string) {
	w.Header().Set("Content-Security-Policy", strings.Replace(policy, "style-src 'self'", "style-src 'self' 'unsafe-inline'; worker-src blob:", 1))
	s.write(w, view{Title: "Referência da API", Spec: spec})
}

func (s *Site) write(w http.ResponseWriter, v view) {
	v.Guides = s.guides
	var page bytes.Buffer
	if err := s.page.Execute(&page, v); err != nil {
		s.log.Error("documentation page not written", "error", err)
		http.Error(w, "erro interno", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = page.WriteTo(w) // a reader that has gone asks again
}
