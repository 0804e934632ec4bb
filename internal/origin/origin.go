// Package origin says who makes a change, and from where. The HTTP layer puts
// it into the context; the audit log and the histories of records read it.
package origin

import (
	"context"

	"github.com/google/uuid"
)

// The types of actor.
const (
	APIKey     = "api_key"
	Member     = "member"
	PublicLink = "public_link"
	Job        = "job"
)

// Origin is the source of a request or of a job's run.
type Origin struct {
	Type      string    // one of the types of actor
	ID        uuid.UUID // the API key's or the member's; zero for a job or a public link
	Name      string    // as it was at that moment
	RequestID string
	IP        string
	UserAgent string
}

type key struct{}

// With returns a context that carries o.
func With(ctx context.Context, o Origin) context.Context { return context.WithValue(ctx, key{}, o) }

// From returns the context's origin; without one it is an unnamed job.
func From(ctx context.Context) Origin {
	o, ok := ctx.Value(key{}).(Origin)
	if !ok {
		return Origin{Type: Job}
	}
	return o
}
