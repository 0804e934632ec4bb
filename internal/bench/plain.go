package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"fatureihoje/internal/db"
)

// plainClient is a client as the plain handler writes it: the same rows, without
// tenants' fences, an API key, permissions, or an idempotency key.
type plainClient struct {
	TenantID  uuid.UUID      `json:"-"`
	ID        uuid.UUID      `json:"id"`
	Kind      string         `json:"kind"`
	Name      string         `json:"name"`
	NameSort  string         `json:"-"`
	Email     string         `json:"email"`
	Mobile    string         `json:"mobile"`
	Tags      db.Texts       `json:"tags"`
	Notes     string         `json:"notes"`
	Status    string         `json:"status"`
	Metadata  map[string]any `json:"metadata" gorm:"serializer:json"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
	Version   int            `json:"version"`
}

// TableName names the table.
func (plainClient) TableName() string { return "clients" }

type plainToken struct {
	TenantID uuid.UUID
	Resource string
	Token    string
	ID       uuid.UUID
}

// TableName names the table.
func (plainToken) TableName() string { return "search_tokens" }

type plainAudit struct {
	TenantID   uuid.UUID
	ID         uuid.UUID
	At         time.Time
	ActorType  string
	Action     string
	Resource   string
	ResourceID uuid.UUID
}

// TableName names the table.
func (plainAudit) TableName() string { return "audit_log" }

// create writes the rows that the API writes for a client, in one transaction.
func (c *plainClient) create(tx *gorm.DB) error {
	tokens := make([]plainToken, 0, 8)
	for _, t := range []string{"ana", "souza", "example", "com", "5511912345678", "11912345678", "912345678", "#vip"} {
		tokens = append(tokens, plainToken{c.TenantID, "client", t, c.ID})
	}
	event := plainAudit{c.TenantID, uuid.Must(uuid.NewV7()), time.Now(), "api_key", "client.created", "client", c.ID}
	if err := tx.Create(c).Error; err != nil {
		return err
	}
	if err := tx.Create(&tokens).Error; err != nil {
		return err
	}
	return tx.Create(&event).Error
}

// servePlain serves what one would write without idempotency: bind, create, answer.
func servePlain(ctx context.Context, url string) error {
	database, err := gorm.Open(postgres.Open(url), &gorm.Config{Logger: logger.Discard, SkipDefaultTransaction: true})
	if err != nil {
		return err
	}
	pool, err := database.DB()
	if err != nil {
		return err
	}
	pool.SetMaxOpenConns(16)
	pool.SetMaxIdleConns(16)
	var tenantID string
	if err := database.Raw("SELECT id::text FROM tenants LIMIT 1").Scan(&tenantID).Error; err != nil {
		return err
	}
	tenant, err := uuid.Parse(tenantID)
	if err != nil {
		return err
	}
	e := echo.New()
	e.POST("/public/v1/clients", func(c echo.Context) error {
		var client plainClient
		if err := json.NewDecoder(c.Request().Body).Decode(&client); err != nil {
			return err
		}
		client.TenantID, client.ID = tenant, uuid.Must(uuid.NewV7())
		client.Kind, client.NameSort, client.Status, client.Version = "person", client.Name, "active", 1
		client.Metadata = map[string]any{}
		if err := database.WithContext(c.Request().Context()).Transaction(client.create); err != nil {
			return err
		}
		return c.JSON(http.StatusCreated, client)
	})
	server := &http.Server{Addr: os.Getenv("FH_LISTEN"), Handler: e, ReadHeaderTimeout: time.Minute}
	go func() { <-ctx.Done(); _ = server.Close() }()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
