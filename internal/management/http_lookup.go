package management

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

func lookupRoutes(h handlers) []httpapi.Route {
	const path = base + "/idempotency_keys"
	return []httpapi.Route{
		httpapi.List(httpapi.Op{
			ID: "listIdempotencyKeys", Path: path, Tag: tagLookup, Summary: "Lista as chaves de idempotência das últimas 24 horas",
		}, h.idempotencyKeys),
		httpapi.Read(httpapi.Op{ID: "getIdempotencyKey", Path: path + "/{id}", Tag: tagLookup, Summary: "Consulta uma chave de idempotência"}, h.idempotencyKey),
	}
}

type idempotencyKeyResponse struct {
	ID             uuid.UUID  `json:"id"`
	APIKeyID       uuid.UUID  `json:"api_key_id"`
	Key            string     `json:"key"`
	State          string     `json:"state" enum:"in_flight,undecided,done,failed"`
	ResponseStored bool       `json:"response_stored"`
	Method         string     `json:"method"`
	Path           string     `json:"path"`
	Status         *int       `json:"status"`
	Resource       *string    `json:"resource" doc:"O endereço do que a requisição criou ou alterou."`
	RequestID      string     `json:"request_id" doc:"Da última tentativa que executou."`
	FirstSeenAt    time.Time  `json:"first_seen_at"`
	ClaimedAt      time.Time  `json:"claimed_at" doc:"Quando a última tentativa começou."`
	ReservedUntil  time.Time  `json:"reserved_until" doc:"Até quando uma tentativa em andamento segura a chave."`
	CompletedAt    *time.Time `json:"completed_at"`
	ExpiresAt      time.Time  `json:"expires_at"`
	Replays        int64      `json:"replays"`
	Conflicts      int64      `json:"conflicts"`
}

func (h handlers) toIdempotencyKey(k idempotency.Record) idempotencyKeyResponse {
	return idempotencyKeyResponse{
		ID: k.ID, APIKeyID: k.SpaceID, Key: k.Key, State: k.State, ResponseStored: k.ResponseStored, Method: k.Method, Path: k.Path,
		Status: k.Status, Resource: h.resource(k.Location), RequestID: k.RequestID, FirstSeenAt: k.FirstSeenAt.UTC(),
		ClaimedAt: k.ClaimedAt.UTC(), ReservedUntil: k.ReservedUntil.UTC(), CompletedAt: k.CompletedAt, ExpiresAt: k.ExpiresAt.UTC(),
		Replays: k.Replays, Conflicts: k.Conflicts,
	}
}

func (h handlers) toIdempotencyKeys(records []idempotency.Record) []idempotencyKeyResponse {
	list := make([]idempotencyKeyResponse, len(records))
	for i, k := range records {
		list[i] = h.toIdempotencyKey(k)
	}
	return list
}

// resource is the whole address of a stored location.
func (h handlers) resource(location *string) *string {
	if location == nil || *location == "" {
		return nil
	}
	return new(h.BaseURL + *location)
}

type listIdempotencyKeysRequest struct {
	httpapi.PageParams
	APIKeyID uuid.UUID        `query:"api_key_id"`
	Key      httpapi.Verbatim `query:"key" minLength:"1" maxLength:"255" doc:"A chave exata."`
	State    string           `query:"state" enum:"in_flight,undecided,done,failed"`
}

func (h handlers) idempotencyKeys(ctx context.Context, r db.Reader, req listIdempotencyKeysRequest) (page.Result[idempotencyKeyResponse], error) {
	spaces, err := h.Keys.Spaces(ctx, r)
	if err != nil {
		return page.Result[idempotencyKeyResponse]{}, err
	}
	if req.APIKeyID != uuid.Nil {
		spaces = slices.DeleteFunc(spaces, func(space uuid.UUID) bool { return space != req.APIKeyID })
	}
	if req.Key != "" {
		if _, err := parseKey(req.Key); err != nil {
			return page.Result[idempotencyKeyResponse]{}, err
		}
	}
	result, err := idempotency.List(ctx, r, idempotency.Filter{Spaces: spaces, Key: string(req.Key), State: req.State, Page: req.Page})
	return page.Map(result, h.toIdempotencyKey), err
}

func (h handlers) idempotencyKey(ctx context.Context, r db.Reader, req idRequest) (idempotencyKeyDetailResponse, error) {
	spaces, err := h.Keys.Spaces(ctx, r)
	if err != nil {
		return idempotencyKeyDetailResponse{}, err
	}
	k, err := idempotency.Get(ctx, r, req.ID)
	if err != nil {
		return idempotencyKeyDetailResponse{}, err
	}
	if !slices.Contains(spaces, k.SpaceID) {
		return idempotencyKeyDetailResponse{}, problem.Missing()
	}
	return h.detail(ctx, r, k)
}

type lookupRequest struct {
	Key httpapi.Verbatim `query:"key" required:"true" minLength:"1" maxLength:"255" doc:"A chave exata, de 1 a 255 bytes."`
}

type idempotencyLookupResponse struct {
	State          string     `json:"state" enum:"in_flight,undecided,done,failed"`
	ResponseStored bool       `json:"response_stored" doc:"A repetição recebe a resposta guardada."`
	Method         string     `json:"method"`
	Path           string     `json:"path"`
	Status         *int       `json:"status"`
	Resource       *string    `json:"resource" doc:"O endereço do que a requisição criou ou alterou."`
	FirstSeenAt    time.Time  `json:"first_seen_at"`
	CompletedAt    *time.Time `json:"completed_at"`
	ExpiresAt      time.Time  `json:"expires_at"`
	Replays        int64      `json:"replays" doc:"Contado em lotes: certo em poucos segundos."`
}

func (h handlers) lookup(ctx context.Context, r db.Reader, req lookupRequest) (idempotencyLookupResponse, error) {
	key, err := parseKey(req.Key)
	if err != nil {
		return idempotencyLookupResponse{}, err
	}
	k, err := idempotency.Lookup(ctx, r, auth.CallerFrom(ctx).APIKey.ID, key)
	if err != nil {
		return idempotencyLookupResponse{}, err
	}
	return idempotencyLookupResponse{
		State: k.State, ResponseStored: k.ResponseStored, Method: k.Method, Path: k.Path, Status: k.Status,
		Resource: h.resource(k.Location), FirstSeenAt: k.FirstSeenAt, CompletedAt: k.CompletedAt, ExpiresAt: k.ExpiresAt, Replays: k.Replays,
	}, nil
}

// parseKey reads an idempotency key in the query as its header would be read.
func parseKey(raw httpapi.Verbatim) (string, error) {
	key, _, err := idempotency.ParseKey([]string{string(raw)})
	if err == nil {
		return key, nil
	}
	code := "invalid"
	var keyErr *idempotency.KeyError
	if errors.As(err, &keyErr) {
		code = keyErr.Reason
	}
	return "", problem.Invalid(problem.Field{Pointer: "?key", Code: code, Detail: problem.T(
		"Informe uma chave de idempotência, de 1 a 255 bytes.", "Give an idempotency key of 1 to 255 bytes.")})
}
