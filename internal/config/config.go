// Package config reads the server's configuration from the environment into
// one typed value, checks all of it, and describes it.
package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// Config is the whole configuration. Each field's tags are what `api help`
// prints of it.
type Config struct {
	DatabaseURL        string        `env:"DATABASE_URL" secret:"true" doc:"PostgreSQL 15 ou mais novo; sem ele, um PostgreSQL próprio em FH_DATA_DIR"`
	MigrateDatabaseURL string        `env:"FH_MIGRATE_DATABASE_URL" secret:"true" doc:"conexão direta do dono do esquema, para as migrações; por padrão, DATABASE_URL"`
	DataDir            string        `env:"FH_DATA_DIR" envDefault:"var" doc:"dados do PostgreSQL próprio e segredos gerados"`
	Listen             string        `env:"FH_LISTEN" envDefault:"127.0.0.1:8080" doc:"API pública, painel e documentação"`
	AdminListen        string        `env:"FH_ADMIN_LISTEN" envDefault:"127.0.0.1:9090" doc:"/healthz, /readyz e /metrics"`
	SecretKey          string        `env:"FH_SECRET_KEY" secret:"true" doc:"32 bytes em base64: assina sessões e cursores; gerado em FH_DATA_DIR com o PostgreSQL próprio, obrigatório com DATABASE_URL"`
	BaseURL            string        `env:"FH_BASE_URL" doc:"início dos links em respostas e mensagens; por padrão, o endereço de FH_LISTEN"`
	RequestTimeout     time.Duration `env:"FH_REQUEST_TIMEOUT" envDefault:"60s" doc:"prazo de uma requisição"`
	Reservation        time.Duration `env:"FH_IDEMPOTENCY_RESERVATION" envDefault:"3m" doc:"reserva de uma chave de idempotência; maior que FH_REQUEST_TIMEOUT"`
	Retention          time.Duration `env:"FH_IDEMPOTENCY_RETENTION" envDefault:"24h" doc:"por quanto tempo uma resposta fica guardada"`
	RateLimit          int           `env:"FH_RATE_LIMIT" envDefault:"120" doc:"requisições por segundo e chave de API, com rajada do dobro; 0 desliga"`
	DBPool             int           `env:"FH_DB_POOL" envDefault:"16" doc:"conexões com o banco"`
	ProviderTimeout    time.Duration `env:"FH_PROVIDER_TIMEOUT" envDefault:"30s" doc:"prazo de uma chamada a um provedor de pagamentos; menor que FH_REQUEST_TIMEOUT"`
	Signup             string        `env:"FH_SIGNUP" envDefault:"open" doc:"open, ou closed: empresas só por api demo e por convite"`
	LoginRateLimit     int           `env:"FH_LOGIN_RATE_LIMIT" envDefault:"10" doc:"entradas, cadastros e redefinições por minuto, por conta e por endereço; 0 desliga"`
	TrustedProxies     []string      `env:"FH_TRUSTED_PROXIES" envSeparator:"," doc:"redes (CIDR) cujo X-Forwarded-For vale"`
	SMTPURL            string        `env:"FH_SMTP_URL" secret:"true" doc:"smtp://usuario:senha@servidor:porta?from=remetente (STARTTLS) ou smtps://; sem ele, convites são mostrados a quem convida e links de redefinição de senha vão para o log"`
	LogLevel           string        `env:"FH_LOG_LEVEL" envDefault:"info" doc:"debug, info, warn ou error"`
	LogFormat          string        `env:"FH_LOG_FORMAT" doc:"text ou json; por padrão, text num terminal"`
	OTLPEndpoint       string        `env:"OTEL_EXPORTER_OTLP_ENDPOINT" doc:"destino dos traces OpenTelemetry; sem ele, nenhum"`

	// Parsed from the fields above.
	Secret        []byte         `env:"-"`
	ProxyPrefixes []netip.Prefix `env:"-"`
	migrateURLSet bool
}

// FromEnv reads and checks the environment. Every invalid variable is named,
// with what is wrong with it.
func FromEnv(environ []string) (Config, error) {
	var c Config
	if err := env.ParseWithOptions(&c, env.Options{Environment: env.ToMap(environ)}); err != nil {
		return c, plain(err)
	}
	c.migrateURLSet = c.MigrateDatabaseURL != ""
	if !c.migrateURLSet {
		c.MigrateDatabaseURL = c.DatabaseURL
	}
	if c.BaseURL == "" {
		c.BaseURL = "http://" + c.Listen
	}
	return c, c.check()
}

// plain rewrites the library's errors so that they name variables, not fields.
func plain(err error) error {
	var parse env.ParseError
	var all env.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	var list []error
	for _, e := range all.Errors {
		if errors.As(e, &parse) {
			list = append(list, fmt.Errorf("%s: %w", variableOf(parse.Name), parse.Err))
			continue
		}
		list = append(list, e)
	}
	return errors.Join(list...)
}

// Embedded reports that the server keeps a PostgreSQL of its own.
func (c Config) Embedded() bool { return c.DatabaseURL == "" }

// UseEmbedded points the configuration at the server's own PostgreSQL.
func (c *Config) UseEmbedded(url string) {
	c.DatabaseURL = url
	if !c.migrateURLSet {
		c.MigrateDatabaseURL = url
	}
}

func (c *Config) check() error {
	problems := []error{
		c.checkSecret(),
		positive("FH_REQUEST_TIMEOUT", c.RequestTimeout),
		positive("FH_IDEMPOTENCY_RETENTION", c.Retention),
		positive("FH_PROVIDER_TIMEOUT", c.ProviderTimeout),
		longer("FH_IDEMPOTENCY_RESERVATION", c.Reservation, "FH_REQUEST_TIMEOUT", c.RequestTimeout),
		longer("FH_REQUEST_TIMEOUT", c.RequestTimeout, "FH_PROVIDER_TIMEOUT", c.ProviderTimeout),
		longer("FH_IDEMPOTENCY_RETENTION", c.Retention, "FH_IDEMPOTENCY_RESERVATION", c.Reservation),
		atLeast("FH_DB_POOL", c.DBPool, 2),
		atLeast("FH_RATE_LIMIT", c.RateLimit, 0),
		atLeast("FH_LOGIN_RATE_LIMIT", c.LoginRateLimit, 0),
		oneOf("FH_SIGNUP", c.Signup, "open", "closed"),
		oneOf("FH_LOG_LEVEL", c.LogLevel, "debug", "info", "warn", "error"),
		oneOf("FH_LOG_FORMAT", c.LogFormat, "", "text", "json"),
		address("FH_LISTEN", c.Listen),
		address("FH_ADMIN_LISTEN", c.AdminListen),
		webURL("FH_BASE_URL", c.BaseURL),
		c.parseProxies(),
	}
	return errors.Join(problems...)
}

const secretBytes = 32

func (c *Config) checkSecret() error {
	if c.SecretKey == "" {
		if c.Embedded() {
			return nil // the start makes one in the data folder
		}
		return errors.New("FH_SECRET_KEY: required with DATABASE_URL; make one with `openssl rand -base64 32`")
	}
	return c.SetSecret(c.SecretKey)
}

// SetSecret reads the secret from its base64.
func (c *Config) SetSecret(text string) error {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(raw) != secretBytes {
		return fmt.Errorf("FH_SECRET_KEY: want %d bytes in base64; make it with `openssl rand -base64 32`", secretBytes)
	}
	c.Secret = raw
	return nil
}

func (c *Config) parseProxies() error {
	var list []error
	for _, text := range c.TrustedProxies {
		prefix, err := netip.ParsePrefix(strings.TrimSpace(text))
		if err != nil {
			list = append(list, fmt.Errorf("FH_TRUSTED_PROXIES: %q is not a network such as 10.0.0.0/8", text))
			continue
		}
		c.ProxyPrefixes = append(c.ProxyPrefixes, prefix)
	}
	return errors.Join(list...)
}

func positive(name string, d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%s: must be above zero, is %s", name, d)
	}
	return nil
}

func longer(name string, d time.Duration, than string, other time.Duration) error {
	if d <= other {
		return fmt.Errorf("%s: must be longer than %s (%s), is %s", name, than, other, d)
	}
	return nil
}

func atLeast(name string, n, least int) error {
	if n < least {
		return fmt.Errorf("%s: must be at least %d, is %d", name, least, n)
	}
	return nil
}

func oneOf(name, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return fmt.Errorf("%s: %q is not one of %q", name, value, allowed)
}

func address(name, value string) error {
	_, port, err := net.SplitHostPort(value)
	if err != nil {
		return fmt.Errorf("%s: %q is not host:port", name, value)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%s: %q has no valid port", name, value)
	}
	return nil
}

func webURL(name, value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%s: %q is not an http(s) URL", name, value)
	}
	return nil
}
