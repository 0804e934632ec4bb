package management

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
)

func keyRoutes(h handlers) []httpapi.Route {
	const path = base + "/api_keys"
	return []httpapi.Route{
		httpapi.Write(httpapi.Op{
			ID: "createApiKey", Method: http.MethodPost, Path: path, Tag: tagKeys, Summary: "Cria uma chave de API; o segredo é mostrado só nesta resposta",
			Status: http.StatusCreated, Body: httpapi.BodyRequired, Secret: true,
			Example: httpapi.Example{Body: `{"name": "Loja virtual", "scopes": ["clients:write", "sales:write"], "allowed_ips": ["203.0.113.0/24"]}`},
		}, h.createKey),
		httpapi.List(httpapi.Op{ID: "listApiKeys", Path: path, Tag: tagKeys, Summary: "Lista chaves de API"}, h.keys),
		httpapi.Read(httpapi.Op{ID: "getApiKey", Path: path + "/{id}", Tag: tagKeys, Summary: "Consulta uma chave de API"}, h.key),
		httpapi.Write(httpapi.Op{
			ID: "updateApiKey", Method: http.MethodPatch, Path: path + "/{id}", Tag: tagKeys, Summary: "Altera uma chave de API",
			Body: httpapi.BodyRequired, Errors: []string{"invalid_state"}, Example: httpapi.Example{Body: `{"require_idempotency_key": true}`},
		}, h.updateKey),
		httpapi.Read(httpapi.Op{
			ID: "checkApiKeyRotation", Path: path + "/{id}/rotation_check", Tag: tagKeys,
			Summary: "Mostra o que uma rotação ou revogação deixaria sem resposta",
		}, h.rotationCheck),
		httpapi.Write(httpapi.Op{
			ID: "rotateApiKey", Method: http.MethodPost, Path: path + "/{id}/rotate", Tag: tagKeys,
			Summary: "Troca o segredo de uma chave de API; o antigo termina agora ou depois da carência",
			Status:  http.StatusCreated, Body: httpapi.BodyOptional, Secret: true, Errors: []string{"invalid_state"},
			Example: httpapi.Example{Body: `{"grace_seconds": 3600}`},
		}, h.rotateKey),
		httpapi.Write(httpapi.Op{
			ID: "revokeApiKey", Method: http.MethodPost, Path: path + "/{id}/revoke", Tag: tagKeys, Summary: "Revoga uma chave de API, na hora",
			Errors: []string{"invalid_state"},
		}, h.revokeKey),
	}
}

type apiKeyResponse struct {
	ID                    uuid.UUID  `json:"id"`
	Name                  string     `json:"name"`
	Prefix                string     `json:"prefix" enum:"fh_live_,fh_test_" doc:"O começo do segredo."`
	Hint                  string     `json:"hint" doc:"O fim do segredo, para distinguir chaves."`
	MemberID              uuid.UUID  `json:"member_id" doc:"O membro que a chave representa; ela pode o que os dois podem."`
	Scopes                []string   `json:"scopes"`
	AllowedIPs            []string   `json:"allowed_ips" doc:"Redes de onde a chave pode ser usada; vazio: de qualquer lugar."`
	RequireIdempotencyKey bool       `json:"require_idempotency_key"`
	State                 string     `json:"state" enum:"active,ending,expired,revoked,rotated" doc:"ending: rotacionada, no prazo de carência."`
	LineID                uuid.UUID  `json:"line_id" doc:"O mesmo em todas as rotações."`
	Generation            int        `json:"generation"`
	ExpiresAt             *time.Time `json:"expires_at"`
	EndsAt                *time.Time `json:"ends_at" doc:"Quando termina, ou terminou, por rotação ou revogação."`
	LastUsedAt            *time.Time `json:"last_used_at" doc:"Com até um minuto de atraso."`
	LastIP                *string    `json:"last_ip"`
	CreatedBy             uuid.UUID  `json:"created_by"`
	CreatedAt             time.Time  `json:"created_at"`
	UpdatedAt             time.Time  `json:"updated_at"`
	Version               int64      `json:"version"`
}

// ObjectVersion is the key's version.
func (r apiKeyResponse) ObjectVersion() int64 { return r.Version }

// Location is the key's address.
func (r apiKeyResponse) Location() string { return base + "/api_keys/" + r.ID.String() }

// toKey converts a key of the caller's company.
func toKey(ctx context.Context, k *auth.IssuedKey) apiKeyResponse {
	prefix := auth.LiveKey
	if auth.CallerFrom(ctx).Tenant.Mode == auth.ModeTest {
		prefix = auth.TestKey
	}
	return apiKeyResponse{
		ID: k.ID, Name: k.Name, Prefix: string(prefix), Hint: k.Hint, MemberID: k.MemberID, Scopes: k.Scopes, AllowedIPs: k.AllowedIPs,
		RequireIdempotencyKey: k.RequireIdempotencyKey, State: k.State(), LineID: k.LineID, Generation: k.Generation,
		ExpiresAt: k.ExpiresAt, EndsAt: k.EndsAt, LastUsedAt: k.LastUsedAt, LastIP: k.LastIP, CreatedBy: k.CreatedBy,
		CreatedAt: k.CreatedAt, UpdatedAt: k.UpdatedAt, Version: k.Version,
	}
}

func respondKey(ctx context.Context, k *auth.IssuedKey, err error) (apiKeyResponse, error) {
	if err != nil {
		return apiKeyResponse{}, err
	}
	return toKey(ctx, k), nil
}

type apiKeyInput struct {
	Name                  string     `json:"name" required:"true" minLength:"1" maxLength:"80"`
	Scopes                []string   `json:"scopes" required:"true" minItems:"1" maxItems:"50" minLength:"1" maxLength:"40" unique:"true"`
	MemberID              *uuid.UUID `json:"member_id" doc:"O membro que a chave representa; quem a cria, se não vier."`
	ExpiresAt             *time.Time `json:"expires_at" doc:"No futuro."`
	AllowedIPs            []string   `json:"allowed_ips" maxItems:"50" minLength:"1" maxLength:"50" doc:"Endereços ou redes (CIDR)."`
	RequireIdempotencyKey *bool      `json:"require_idempotency_key" doc:"Recusa todo POST sem Idempotency-Key."`
}

type createKeyRequest struct {
	Body apiKeyInput `body:"true"`
}

type newApiKeyResponse struct { //nolint:staticcheck // its name is the component's, beside ApiKey
	APIKey apiKeyResponse `json:"api_key"`
	Secret string         `json:"secret" doc:"É mostrado só agora."`
}

// Location is the key's address.
func (r newApiKeyResponse) Location() string { return r.APIKey.Location() }

func (h handlers) createKey(ctx context.Context, tx *db.Tx, req createKeyRequest) (newApiKeyResponse, error) {
	k, token, err := h.Keys.Create(ctx, tx, auth.NewKey{
		Name: req.Body.Name, Scopes: req.Body.Scopes, MemberID: req.Body.MemberID, ExpiresAt: req.Body.ExpiresAt,
		AllowedIPs: req.Body.AllowedIPs, RequireIdempotencyKey: orZero(req.Body.RequireIdempotencyKey),
	})
	if err != nil {
		return newApiKeyResponse{}, err
	}
	return newApiKeyResponse{APIKey: toKey(ctx, k), Secret: token.Reveal()}, nil
}

type listKeysRequest struct {
	httpapi.PageParams
	MemberID uuid.UUID `query:"member_id"`
	LineID   uuid.UUID `query:"line_id"`
	Living   *bool     `query:"living" doc:"true: as que abrem a API agora; false: as que terminaram."`
}

func (h handlers) keys(ctx context.Context, r db.Reader, req listKeysRequest) (page.Result[apiKeyResponse], error) {
	result, err := h.Keys.List(ctx, r, auth.KeyFilter{MemberID: req.MemberID, LineID: req.LineID, Living: req.Living, Page: req.Page})
	return page.Map(result, func(k auth.IssuedKey) apiKeyResponse { return toKey(ctx, &k) }), err
}

func (h handlers) key(ctx context.Context, r db.Reader, req idRequest) (apiKeyResponse, error) {
	k, err := h.Keys.Get(ctx, r, req.ID)
	return respondKey(ctx, k, err)
}

type apiKeyPatch struct {
	Name                  opt.Field[string]    `json:"name" required:"true" minLength:"1" maxLength:"80"`
	Scopes                opt.Field[[]string]  `json:"scopes" required:"true" minItems:"1" maxItems:"50" minLength:"1" maxLength:"40" unique:"true"`
	ExpiresAt             opt.Field[time.Time] `json:"expires_at"`
	AllowedIPs            opt.Field[[]string]  `json:"allowed_ips" maxItems:"50" minLength:"1" maxLength:"50"`
	RequireIdempotencyKey opt.Field[bool]      `json:"require_idempotency_key" required:"true"`
}

type updateKeyRequest struct {
	ID      uuid.UUID `path:"id"`
	IfMatch etag.Match
	Body    apiKeyPatch `body:"true"`
}

func (h handlers) updateKey(ctx context.Context, tx *db.Tx, req updateKeyRequest) (apiKeyResponse, error) {
	k, err := h.Keys.Update(ctx, tx, req.ID, req.IfMatch, auth.KeyChanges(req.Body))
	return respondKey(ctx, k, err)
}

type rotationInput struct {
	GraceSeconds int64 `json:"grace_seconds" minimum:"0" maximum:"604800" default:"0" doc:"Por quantos segundos a chave antiga ainda vale; até 7 dias."`
}

type rotateKeyRequest struct {
	ID   uuid.UUID     `path:"id"`
	Body rotationInput `body:"true"`
}

type rotationResponse struct {
	APIKey   apiKeyResponse `json:"api_key"`
	Secret   string         `json:"secret" doc:"É mostrado só agora."`
	Previous apiKeyResponse `json:"previous"`
}

// Location is the new key's address.
func (r rotationResponse) Location() string { return r.APIKey.Location() }

func (h handlers) rotateKey(ctx context.Context, tx *db.Tx, req rotateKeyRequest) (rotationResponse, error) {
	r, err := h.Keys.Rotate(ctx, tx, req.ID, time.Duration(req.Body.GraceSeconds)*time.Second)
	if err != nil {
		return rotationResponse{}, err
	}
	return rotationResponse{APIKey: toKey(ctx, r.Key), Secret: r.Token.Reveal(), Previous: toKey(ctx, r.Previous)}, nil
}

func (h handlers) revokeKey(ctx context.Context, tx *db.Tx, req idRequest) (apiKeyResponse, error) {
	k, err := h.Keys.Revoke(ctx, tx, req.ID)
	return respondKey(ctx, k, err)
}

type rotationCheckResponse struct {
	InFlight         int64                    `json:"in_flight" doc:"Em andamento."`
	Undecided        int64                    `json:"undecided" doc:"Com resultado externo ainda desconhecido."`
	FailedUnrepeated int64                    `json:"failed_unrepeated" doc:"Que falharam e não foram repetidas."`
	Keys             []idempotencyKeyResponse `json:"keys" doc:"As 20 mais antigas."`
}

// maxUnfinished is how many unfinished keys a rotation check lists.
const maxUnfinished = 20

func (h handlers) rotationCheck(ctx context.Context, r db.Reader, req idRequest) (rotationCheckResponse, error) {
	k, err := h.Keys.Get(ctx, r, req.ID)
	if err != nil {
		return rotationCheckResponse{}, err
	}
	n, err := idempotency.CountUnfinished(ctx, r, k.ID)
	if err != nil {
		return rotationCheckResponse{}, err
	}
	records, err := idempotency.ListUnfinished(ctx, r, k.ID, maxUnfinished)
	return rotationCheckResponse{
		InFlight: n.InFlight, Undecided: n.Undecided, FailedUnrepeated: n.Failed, Keys: h.toIdempotencyKeys(records),
	}, err
}
