package catalog

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/id"
	"fatureihoje/internal/meta"
	"fatureihoje/internal/state"
)

// The words for what the catalogue holds, in histories, audit rows and searches.
const (
	ProductResource   = "product"
	VariationResource = "product_variation"
	ServiceResource   = "service"
)

// Statuses of a product, a variation and a service.
const (
	StatusActive   = "active"
	StatusArchived = "archived"
)

// statuses is the life of a product, a variation and a service.
func statuses() state.Machine {
	return state.Machine{
		{Action: "archive", From: []string{StatusActive}, To: StatusArchived},
		{Action: "unarchive", From: []string{StatusArchived}, To: StatusActive},
	}
}

// Record is what everything in the catalogue has.
type Record struct {
	ID         uuid.UUID
	ExternalID *string
	Metadata   meta.Map
	CreatedAt  time.Time
	UpdatedAt  time.Time
	Version    int64
}

// begin makes r the first version of a new record.
func (r *Record) begin(now time.Time) {
	r.ID, r.Version = id.New(), 1
	r.CreatedAt, r.UpdatedAt = now, now
}

// advance makes r its next version.
func (r *Record) advance(now time.Time) {
	r.Version++
	r.UpdatedAt = now
}
