package app

import (
	"fmt"
	"strings"

	"fatureihoje/internal/problem"
)

// ErrorsMarkdown is the catalogue of codes, written from the registry.
func ErrorsMarkdown() string {
	var out strings.Builder
	out.WriteString(`# Erros

Todo erro vem como ` + "`application/problem+json`" + ` (RFC 9457): ` + "`type`, `title`, `status`, `detail`" + `, mais
` + "`code`, `request_id`" + ` e, onde ajudam, ` + "`errors`, `reason`, `required_permission`" + `. Os códigos não
mudam; os textos podem mudar, e vêm em inglês com ` + "`Accept-Language: en`" + `.

<!-- Escrito por api errors; não edite. -->

| status | código | o que é | o que fazer |
|---|---|---|---|
`)
	for _, d := range problem.Definitions() {
		_, _ = fmt.Fprintf(&out, "| %d | `%s` | %s | %s |\n", d.Status, d.Code, d.Title.PT, d.Advice.PT)
	}
	return out.String()
}
