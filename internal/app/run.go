package app

import (
	"context"
	"fmt"
	"io"
	"sync"

	"fatureihoje/internal/config"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
)

// Version is the version of the API and of the binary.
const Version = "0.1.0"

// Process is what the program gets from its environment.
type Process struct {
	Args    []string
	Environ []string
	Stdout  io.Writer
	Stderr  io.Writer
}

// Run runs the subcommand that the arguments name; serve without one.
func Run(ctx context.Context, p Process) error {
	command := "serve"
	if len(p.Args) > 0 {
		command = p.Args[0]
	}
	switch command {
	case "serve":
		return serve(ctx, &p)
	case "migrate":
		return runMigrate(ctx, &p)
	case "demo":
		return runDemo(ctx, &p)
	case "verify-ledger":
		return runVerifyLedger(ctx, &p)
	case "openapi":
		return runOpenAPI(&p)
	case "errors":
		_, err := io.WriteString(p.Stdout, ErrorsMarkdown())
		return err
	case "version":
		_, err := fmt.Fprintln(p.Stdout, Version)
		return err
	case "help", "-h", "--help":
		return help(p.Stdout)
	}
	_ = help(p.Stderr)
	return fmt.Errorf("unknown command %q", command)
}

func help(w io.Writer) error {
	text := `Faturei Hoje: API para pequenas empresas brasileiras.

  api serve             serve a API, o painel e a documentação (padrão)
  api migrate up        aplica as migrações
  api migrate status    lista as migrações
  api demo              cria (uma vez) a empresa de demonstração
  api verify-ledger     confere os saldos das contas com a soma dos lançamentos
  api openapi [painel]  escreve o documento OpenAPI da API pública, ou da API do painel
  api errors            escreve o catálogo de erros, em Markdown
  api version           escreve a versão

Variáveis de ambiente:
`
	for _, v := range config.Variables() {
		text += fmt.Sprintf("\n  %s", v.Name)
		if v.Default != "" {
			text += fmt.Sprintf(" (%s)", v.Default)
		}
		text += "\n      " + v.Doc + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

func runMigrate(ctx context.Context, p *Process) error {
	what := "up"
	if len(p.Args) > 1 {
		what = p.Args[1]
	}
	c, err := config.FromEnv(p.Environ)
	if err != nil {
		return fmt.Errorf("configuration:\n%w", err)
	}
	b := &base{deps: Deps{Config: c, Log: newLogger(p.Stderr, c)}}
	defer b.close()
	if c.Embedded() {
		if err := b.startEmbedded(ctx); err != nil {
			return err
		}
	}
	m, err := db.NewMigrator(b.Config.MigrateDatabaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }()
	switch what {
	case "up":
		applied, err := m.Up(ctx)
		for _, name := range applied {
			_, _ = fmt.Fprintln(p.Stdout, name)
		}
		return err
	case "status":
		return printStatus(ctx, p.Stdout, m)
	}
	return fmt.Errorf("unknown migration command %q: use up or status", what)
}

func printStatus(ctx context.Context, w io.Writer, m *db.Migrator) error {
	all, err := m.Status(ctx)
	for _, s := range all {
		word := "pending"
		if s.Applied {
			word = "applied"
		}
		_, _ = fmt.Fprintf(w, "%s  %s\n", word, s.Name)
	}
	return err
}

// Documents returns the OpenAPI documents of the public and of the management API.
func Documents() (public, management []byte, err error) {
	d, err := documents()
	return d.public, d.management, err
}

type openAPI struct{ public, management []byte }

// documents depends on the route table alone. Writing it takes a while, and
// every App of a process serves it.
var documents = sync.OnceValues(func() (d openAPI, err error) { //nolint:gochecknoglobals // computed once, then only read
	all := routes(services{})
	d.public, err = httpapi.Document(httpapi.DocumentInfo{
		Title: "Faturei Hoje", Version: Version,
		Description: "API para pequenas empresas brasileiras. Todo POST aceita Idempotency-Key: repita sem medo.",
	}, httpapi.PublicBase, all)
	if err != nil {
		return d, err
	}
	d.management, err = httpapi.Document(httpapi.DocumentInfo{
		Title: "Faturei Hoje: painel", Version: Version,
		Description: "A API com que o painel administra a empresa: membros, chaves de API, chaves de idempotência, auditoria.",
	}, httpapi.ManagementBase, all)
	return d, err
})

func runOpenAPI(p *Process) error {
	public, management, err := Documents()
	if err != nil {
		return err
	}
	if len(p.Args) > 1 && p.Args[1] == "painel" {
		public = management
	}
	_, err = p.Stdout.Write(public)
	return err
}
