package management

import (
	"context"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/problem"
	"fatureihoje/internal/requestlog"
)

// idempotencyKeyDetailResponse is a key with what is behind it.
type idempotencyKeyDetailResponse struct {
	idempotencyKeyResponse
	Requests []requestlog.Embedded   `json:"requests" doc:"As requisições que vieram com a chave, da mais antiga à mais nova; até 100."`
	Stored   *storedResponseResponse `json:"stored_response" doc:"O que uma repetição recebe; null se nada ficou guardado."`
}

type storedResponseResponse struct {
	ContentType string  `json:"content_type"`
	Body        *string `json:"body" doc:"null se quem consulta não pode ver o que ela mostra."`
	Hidden      bool    `json:"hidden" doc:"O corpo existe, mas quem consulta não pode vê-lo."`
}

// detail adds to a key's record the requests behind it, and the stored response
// as far as the caller may see what it shows.
func (h handlers) detail(ctx context.Context, r db.Reader, k *idempotency.Record) (idempotencyKeyDetailResponse, error) {
	d := idempotencyKeyDetailResponse{idempotencyKeyResponse: h.toIdempotencyKey(*k), Requests: []requestlog.Embedded{}}
	entries, err := h.Requests.OfKey(ctx, r, k.SpaceID, k.Key, k.FirstSeenAt)
	if err != nil {
		return d, err
	}
	for _, e := range entries {
		d.Requests = append(d.Requests, requestlog.Embed(e))
	}
	stored, err := idempotency.StoredResponse(ctx, r, k.ID)
	if problem.Is(err, problem.NotFound) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	d.Stored = &storedResponseResponse{ContentType: stored.ContentType, Hidden: h.hides(ctx, k, stored.ShapedBy)}
	if !d.Stored.Hidden {
		d.Stored.Body = new(string(stored.Body))
	}
	return d, nil
}

// hides reports that the caller lacks what the request needed, or what shaped
// its answer.
func (h handlers) hides(ctx context.Context, k *idempotency.Record, shapedBy []string) bool {
	scopes, known := h.Scopes(k.Method, k.Path)
	_, lacks := auth.CallerFrom(ctx).Lacks(append(scopes, shapedBy...))
	return lacks || !known
}
