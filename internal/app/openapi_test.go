package app_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"fatureihoje/internal/app"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestDocuments_AreThePublishedOnes(t *testing.T) {
	t.Parallel()
	public, management, err := app.Documents()
	if err != nil {
		t.Fatal(err)
	}

	for name, got := range map[string][]byte{
		"openapi.json": public, "openapi-dashboard.json": management, "errors.md": []byte(app.ErrorsMarkdown()),
	} {
		path := filepath.Join("..", "..", "docs", name)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v: write it with `go test ./internal/app -run Documents -update`", err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("docs/%s is not what the routes say: write it with `go test ./internal/app -run Documents -update` and review the difference", name)
		}
	}
}

func TestDocuments_AreValidOpenAPI(t *testing.T) {
	t.Parallel()
	public, management, err := app.Documents()
	if err != nil {
		t.Fatal(err)
	}

	for name, text := range map[string][]byte{"public": public, "management": management} {
		document, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := document.Validate(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
