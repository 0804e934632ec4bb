package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "fatureihoje/"

// sourceFile is one Go file of the project.
type sourceFile struct {
	path   string // from the project's root
	pkg    string // its folder below internal, or the whole path elsewhere
	isTest bool
	syntax *ast.File
	set    *token.FileSet
}

func (f sourceFile) named(prefix string) bool {
	return strings.HasPrefix(filepath.Base(f.path), prefix)
}

func (f sourceFile) in(packages ...string) bool {
	for _, p := range packages {
		if f.pkg == p || strings.HasPrefix(f.pkg, p+"/") {
			return true
		}
	}
	return false
}

func (f sourceFile) imports() []string {
	var paths []string
	for _, spec := range f.syntax.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

// sources parses the project's Go files, but not its tools and SDKs, which are
// modules of their own.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	root := os.DirFS(filepath.Join("..", ".."))
	set := token.NewFileSet()
	var files []sourceFile
	for _, top := range []string{"cmd", "internal", "migrations"} {
		err := fs.WalkDir(root, top, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := fs.ReadFile(root, path)
			if err != nil {
				return err
			}
			syntax, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files = append(files, sourceFile{
				path: path, pkg: strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "internal/"),
				isTest: strings.HasSuffix(path, "_test.go"), syntax: syntax, set: set,
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}
