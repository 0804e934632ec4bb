// Package docs carries the guides, so that the server shows them offline.
package docs

import "embed"

// Guides holds the guides, in Markdown.
//
//go:embed *.md
var Guides embed.FS
