package requestlog

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/civil"
	"fatureihoje/internal/db"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

const (
	base = httpapi.ManagementBase
	tag  = "Requisições"
)

// Routes returns the routes of the request log.
func Routes(s *Service) []httpapi.Route {
	h := handlers{s}
	return []httpapi.Route{
		httpapi.List(httpapi.Op{ID: "listRequests", Path: base + "/requests", Tag: tag, Summary: "Lista as requisições à API pública"}, h.list),
		httpapi.Read(httpapi.Op{ID: "getRequest", Path: base + "/requests/{request_id}", Tag: tag, Summary: "Consulta uma requisição"}, h.get),
		httpapi.Read(httpapi.Op{ID: "getUsage", Path: base + "/usage", Tag: tag, Summary: "Resume o uso da API pública"}, h.usage),
	}
}

type handlers struct{ service *Service }

type listRequest struct {
	httpapi.PageParams
	APIKeyID       uuid.UUID        `query:"api_key_id" doc:"Só as desta chave de API."`
	Method         string           `query:"method" enum:"GET,POST,PATCH,DELETE" doc:"Só as deste método."`
	Status         string           `query:"status" maxLength:"3" doc:"Um status, como 201, ou uma classe: 2xx, 4xx, 5xx."`
	Path           string           `query:"path" maxLength:"500" doc:"O começo do caminho, como /public/v1/clients."`
	IdempotencyKey httpapi.Verbatim `query:"idempotency_key" minLength:"1" maxLength:"255" doc:"Só as que vieram com esta chave de idempotência."`
	RequestID      string           `query:"request_id" maxLength:"128" doc:"Só as deste X-Request-Id; um cliente pode repeti-lo."`
	Replayed       *bool            `query:"replayed" doc:"Só as respondidas de novo com a resposta guardada, ou só as outras."`
	From           *time.Time       `query:"from" doc:"A partir deste instante (inclusive)."`
	To             *time.Time       `query:"to" doc:"Antes deste instante (exclusive)."`
}

// requestResponse is an entry as the API shows it.
type requestResponse struct {
	RequestID      string    `json:"request_id" doc:"O X-Request-Id da resposta."`
	At             time.Time `json:"at" doc:"Quando a requisição chegou."`
	APIKey         keyRef    `json:"api_key"`
	Method         string    `json:"method"`
	Route          *string   `json:"route" doc:"O caminho da rota na documentação; null se nenhuma rota tem o caminho."`
	Path           string    `json:"path"`
	Query          string    `json:"query" doc:"Valores que identificam pessoas aparecem como ***."`
	Status         int       `json:"status"`
	Code           *string   `json:"code" doc:"O código do problema; null sem problema."`
	DurationMS     int       `json:"duration_ms"`
	IdempotencyKey *string   `json:"idempotency_key"`
	Replayed       bool      `json:"replayed" doc:"A resposta guardada foi enviada de novo; nada foi executado."`
	IP             string    `json:"ip"`
	UserAgent      string    `json:"user_agent"`
}

type keyRef struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name" doc:"O nome naquele momento."`
}

// Embedded is an entry inside the response of another resource.
type Embedded = requestResponse

// Embed converts an entry, to a caller who may see it.
func Embed(e Entry) requestResponse {
	return requestResponse{
		RequestID: e.RequestID, At: e.At, APIKey: keyRef{e.APIKeyID, e.APIKeyName}, Method: e.Method, Route: optional(e.Route),
		Path: e.Path, Query: e.Query, Status: e.Status, Code: optional(e.Code), DurationMS: e.DurationMS,
		IdempotencyKey: optional(e.IdempotencyKey), Replayed: e.Replayed, IP: e.IP, UserAgent: e.UserAgent,
	}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (h handlers) list(ctx context.Context, r db.Reader, req listRequest) (page.Result[requestResponse], error) {
	if _, _, ok := statusRange(req.Status); req.Status != "" && !ok {
		return page.Result[requestResponse]{}, problem.Invalid(problem.Field{Pointer: "?status", Code: "status", Detail: problem.T(
			"Informe um status, como 201, ou uma classe, como 4xx.", "Give a status, such as 201, or a class, such as 4xx.")})
	}
	found, err := h.service.List(ctx, r, Filter{
		APIKeyID: req.APIKeyID, Method: req.Method, Status: req.Status, PathPrefix: req.Path, IdempotencyKey: string(req.IdempotencyKey),
		RequestID: req.RequestID, Replayed: req.Replayed, From: req.From, To: req.To, Page: req.Page,
	})
	return page.Map(found, Embed), err
}

type getRequest struct {
	RequestID uuid.UUID `path:"request_id" doc:"O X-Request-Id da resposta, se for um UUID; outros se procuram na lista, por request_id."`
}

func (h handlers) get(ctx context.Context, r db.Reader, req getRequest) (requestResponse, error) {
	e, err := h.service.Get(ctx, r, req.RequestID.String())
	if err != nil {
		return requestResponse{}, err
	}
	return Embed(*e), nil
}

type usageResponse struct {
	Last24Hours countsResponse `json:"last_24_hours"`
	Last30Days  countsResponse `json:"last_30_days"`
	Days        []dayResponse  `json:"days" doc:"Os 30 dias no fuso da empresa, do mais antigo ao de hoje."`
}

type countsResponse struct {
	Calls             int64 `json:"calls"`
	Errors            int64 `json:"errors" doc:"Respostas 4xx e 5xx, sem os conflitos."`
	Replays           int64 `json:"replays" doc:"Repetições respondidas com a resposta guardada."`
	Conflicts         int64 `json:"conflicts" doc:"Repetições recusadas porque a primeira ainda rodava."`
	DuplicatesAvoided int64 `json:"duplicates_avoided" doc:"Repetições que não executaram nada: replays mais conflicts."`
}

type dayResponse struct {
	Date civil.Date `json:"date"`
	countsResponse
}

func toCounts(c Counts) countsResponse {
	return countsResponse{c.Calls, c.Errors, c.Replays, c.Conflicts, c.DuplicatesAvoided()}
}

func (h handlers) usage(ctx context.Context, r db.Reader, _ struct{}) (usageResponse, error) {
	u, err := h.service.Usage(ctx, r)
	if err != nil {
		return usageResponse{}, err
	}
	answer := usageResponse{Last24Hours: toCounts(u.LastDay), Last30Days: toCounts(u.LastMonth), Days: make([]dayResponse, len(u.Days))}
	for i, d := range u.Days {
		answer.Days[i] = dayResponse{d.Date, toCounts(d.Counts)}
	}
	return answer, nil
}
