package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

func TestImports_GoDownTheLayers(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		if f.isTest || !strings.HasPrefix(f.path, "internal/") {
			continue
		}
		for _, path := range f.imports() {
			target, ours := strings.CutPrefix(path, module+"internal/")
			if !ours {
				continue
			}
			if why := refuseImport(f, target); why != "" {
				t.Errorf("%s imports %s: %s", f.path, path, why)
			}
		}
	}
}

func TestImports_KeepLibrariesInTheirPlace(t *testing.T) {
	t.Parallel()
	rules := []struct {
		library string
		allowed func(sourceFile) bool
		why     string
	}{
		{
			"gorm.io/",
			func(f sourceFile) bool { return f.in("db", "bench") || f.named("store") },
			"gorm only in internal/db and in files named store*.go",
		},
		{
			"github.com/jackc/pgx",
			func(f sourceFile) bool { return f.in("db", "testkit", "bench") },
			"pgx only in internal/db and internal/testkit",
		},
		{
			"github.com/labstack/echo",
			func(f sourceFile) bool { return f.in("httpapi", "app", "dashboard", "bench") },
			"echo only in internal/httpapi, internal/app and internal/dashboard: a route is a value",
		},
		{
			module + "internal/testkit",
			func(f sourceFile) bool { return f.isTest || f.in("testkit", "bench") },
			"testkit is for tests",
		},
	}
	for _, f := range sources(t) {
		for _, rule := range rules {
			imported := slices.ContainsFunc(f.imports(), func(path string) bool { return strings.HasPrefix(path, rule.library) })
			if imported && !rule.allowed(f) {
				t.Errorf("%s imports %s: %s", f.path, rule.library, rule.why)
			}
		}
	}
}

func TestTime_ComesFromTheClock(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		if f.isTest || f.in("clock", "bench") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if name := selected(n, "time"); slices.Contains([]string{"Now", "Since", "Until", "Sleep"}, name) {
				t.Errorf("%s: time.%s: the present comes from internal/clock, so that a test can stand at any instant", f.set.Position(n.Pos()), name)
			}
			return true
		})
	}
}

func TestTests_DoNotSleep(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		if !f.isTest && !f.in("testkit") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if selected(n, "time") == "Sleep" {
				t.Errorf("%s: time.Sleep: wait for what must happen (testkit.Eventually), or move a clock", f.set.Position(n.Pos()))
			}
			return true
		})
	}
}

// TestTests_AreNotSkipped lets a property discard an input, in a function that
// takes more than a *testing.T.
func TestTests_AreNotSkipped(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			kind, body := function(n)
			if kind == nil || len(kind.Params.List) != 1 || selected(starred(kind.Params.List[0].Type), "testing") != "T" {
				return true
			}
			ast.Inspect(body, func(inner ast.Node) bool {
				if kind, _ := function(inner); kind != nil {
					return false // it has a turn of its own
				}
				if name := selected(inner, "t"); slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, name) {
					t.Errorf("%s: t.%s: what is missing fails", f.set.Position(inner.Pos()), name)
				}
				return true
			})
			return true
		})
	}
}

func function(n ast.Node) (*ast.FuncType, *ast.BlockStmt) {
	switch fn := n.(type) {
	case *ast.FuncDecl:
		return fn.Type, fn.Body
	case *ast.FuncLit:
		return fn.Type, fn.Body
	}
	return nil, nil
}

func starred(e ast.Expr) ast.Expr {
	if star, ok := e.(*ast.StarExpr); ok {
		return star.X
	}
	return e
}

// selected returns Name for the expression pkg.Name, else "".
func selected(n ast.Node, pkg string) string {
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if x, ok := s.X.(*ast.Ident); !ok || x.Name != pkg {
		return ""
	}
	return s.Sel.Name
}

func TestPackages_HaveNoInit(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: init: what happens before main is hidden from main", f.set.Position(fn.Pos()))
			}
		}
	}
}

func TestPackages_SayWhatTheyAreFor(t *testing.T) {
	t.Parallel()
	documented, seen := map[string]bool{}, map[string]string{}
	for _, f := range sources(t) {
		if f.isTest {
			continue
		}
		seen[f.pkg] = f.path
		documented[f.pkg] = documented[f.pkg] || f.syntax.Doc != nil
	}
	for pkg, file := range seen {
		if !documented[pkg] {
			t.Errorf("package %s (%s) has no comment that says what it is for", pkg, file)
		}
	}
}

// TestRules_Bite keeps the rules themselves from being edited into nothing.
func TestRules_Bite(t *testing.T) {
	t.Parallel()
	cases := []struct {
		file, target string
		refused      bool
	}{
		{"money/cents.go", "problem", false},
		{"money/cents.go", "db", true},
		{"meta/meta.go", "opt", false},
		{"money/cents.go", "opt", true},
		{"db/pool.go", "httpapi", true},
		{"auth/caller.go", "clients", true},
		{"httpapi/route.go", "clients", true},
		{"httpapi/route.go", "idempotency", false},
		{"clients/http.go", "httpapi", false},
		{"clients/http_address.go", "httpapi", false},
		{"clients/service.go", "httpapi", true},
		{"sales/service.go", "finance", false},
		{"finance/service.go", "sales", true},
		{"clients/service.go", "sales", true},
		{"clients/service.go", "app", true},
		{"app/wire.go", "clients", false},
		{"unheardof/a.go", "db", true},
		{"clients/service.go", "unheardof", true},
	}
	for _, c := range cases {
		pkg, _, _ := strings.Cut(c.file, "/")
		if why := refuseImport(sourceFile{path: "internal/" + c.file, pkg: pkg}, c.target); (why != "") != c.refused {
			t.Errorf("%s → %s: %q", c.file, c.target, why)
		}
	}
}
