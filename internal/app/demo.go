package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/id"
	"fatureihoje/internal/problem"
)

const (
	demoEmail = "demo@fatureihoje.example"
	demoFile  = "demo.json"
)

// demo is what opens the demo company. It is made and kept before the company
// is, so that processes which start at the same moment all know it, and a start
// that was cut short goes on with it.
type demo struct {
	TenantID uuid.UUID `json:"tenant_id"`
	Email    string    `json:"email"`
	Password string    `json:"password"`
	APIKey   string    `json:"api_key"`
}

func newDemo() demo {
	tenant := id.New()
	secret := uuid.New()
	return demo{
		TenantID: tenant, Email: demoEmail, Password: "demo-" + id.EncodeBase62(secret[:]),
		APIKey: auth.NewToken(auth.LiveKey, tenant).Reveal(),
	}
}

// runDemo makes the demo company on any database, once, and prints how to use it.
func runDemo(ctx context.Context, p *Process) error {
	base, err := open(ctx, p)
	if err != nil {
		return err
	}
	defer base.close()
	a, err := New(base.deps)
	if err != nil {
		return err
	}
	d, err := a.ensureDemo(ctx)
	if err != nil {
		return err
	}
	return a.printDemo(p.Stdout, d)
}

// welcome prints where the server is and, in embedded mode, how to use the demo
// company, which it makes at the first start. On a database that somebody has
// configured nothing is made.
func welcome(ctx context.Context, p *Process, a *App, embedded bool) error {
	if !embedded {
		_, err := fmt.Fprintf(p.Stdout, "\nFaturei Hoje em %s\n\n", a.Config.BaseURL)
		return err
	}
	d, err := a.ensureDemo(ctx)
	if err != nil {
		return fmt.Errorf("make the demo company: %w", err)
	}
	return a.printDemo(p.Stdout, d)
}

// errForeignDemo is a demo company whose credentials another data folder keeps.
var errForeignDemo = errors.New(
	"a demo company exists on this database, and its credentials are in the demo.json of the data folder (FH_DATA_DIR) that made it")

// ensureDemo makes the demo company unless it is there. The e-mail's unique
// index decides which of several processes makes it.
func (a *App) ensureDemo(ctx context.Context) (demo, error) {
	d, err := loadDemo(a.Config.DataDir)
	if err != nil {
		return d, err
	}
	exists, err := a.services.members.Exists(ctx, a.Pool, d.TenantID)
	if err != nil || exists {
		return d, err
	}
	err = a.makeDemo(ctx, d)
	if !problem.Is(err, problem.AlreadyExists) {
		return d, err
	}
	exists, err = a.services.members.Exists(ctx, a.Pool, d.TenantID)
	if err == nil && !exists {
		err = errForeignDemo
	}
	return d, err
}

// loadDemo reads the data folder's demo.json, making it at the first start.
func loadDemo(dataDir string) (d demo, err error) {
	path := filepath.Join(dataDir, demoFile)
	text, err := os.ReadFile(path)
	if err == nil {
		if err := json.Unmarshal(text, &d); err != nil {
			return d, fmt.Errorf("read %s: %w", path, err)
		}
		return d, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return d, fmt.Errorf("read the demo's credentials: %w", err)
	}
	text, err = json.MarshalIndent(newDemo(), "", "  ") //nolint:gosec // the file is there to keep the password, for its owner alone
	if err != nil {
		return d, fmt.Errorf("write the demo's credentials: %w", err)
	}
	const private = 0o700
	if err := errors.Join(os.MkdirAll(dataDir, private), writeOnce(path, string(text)+"\n")); err != nil {
		return d, fmt.Errorf("keep the demo's credentials: %w", err)
	}
	return loadDemo(dataDir)
}

// makeDemo makes the company, its key and its sample data in one transaction.
func (a *App) makeDemo(ctx context.Context, d demo) error {
	token, err := auth.ParseToken(d.APIKey, auth.LiveKey)
	if err != nil {
		return fmt.Errorf("the API key in %s: %w", demoFile, err)
	}
	_, err = a.services.accounts.Found(ctx, auth.NewCompany{
		CompanyName: "Oficina Souza", Name: "Ana Souza", Email: d.Email, Password: d.Password, TenantID: d.TenantID,
		Also: func(ctx context.Context, tx *db.Tx) error {
			_, _, err := a.services.keys.Create(ctx, tx, auth.NewKey{Name: "Demonstração", Scopes: auth.Permissions(), Token: &token})
			if err != nil {
				return err
			}
			return a.fillDemo(ctx, tx)
		},
	})
	return err
}

func (a *App) printDemo(w io.Writer, d demo) error {
	_, err := fmt.Fprintf(w, `
Faturei Hoje em %[1]s

  Painel         %[1]s/
  Entrar com     %[2]s
  Senha          %[3]s
  Chave de API   %[4]s

Crie um cliente:

curl -sS -i -X POST %[1]s/public/v1/clients -H "Authorization: Bearer %[4]s" -H "Content-Type: application/json" -H "Idempotency-Key: %[5]s" -d '{"name": "Ana Souza"}'

Execute o mesmo comando duas vezes: nada é criado de novo, e a segunda resposta é igual à primeira, com Idempotent-Replayed: true.

`, a.Config.BaseURL, d.Email, d.Password, d.APIKey, uuid.NewString())
	return err
}
