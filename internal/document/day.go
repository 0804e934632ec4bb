package document

import (
	"context"
	"time"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/civil"
)

// Day is the date of an instant in the zone of the caller's company.
func Day(ctx context.Context, at time.Time) civil.Date {
	return civil.DateOf(at, auth.CallerFrom(ctx).Location())
}
