package dashboard

import (
	"net/url"
	"time"
)

type request struct {
	RequestID string    `json:"request_id"`
	At        time.Time `json:"at"`
	APIKey    struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"api_key"`
	Method         string  `json:"method"`
	Route          *string `json:"route"`
	Path           string  `json:"path"`
	Query          string  `json:"query"`
	Status         int     `json:"status"`
	Code           *string `json:"code"`
	DurationMS     int     `json:"duration_ms"`
	IdempotencyKey *string `json:"idempotency_key"`
	Replayed       bool    `json:"replayed"`
	IP             string  `json:"ip"`
	UserAgent      string  `json:"user_agent"`
}

func requestsPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	_, choices, err := v.keyChoices()
	if err != nil {
		return nil, err
	}
	found, err := get[list[request]](v, "listRequests", nil, v.requestQuery())
	if err != nil && !v.refused(err) {
		return nil, err
	}
	return show("Requisições", "/requisicoes", requestsBody(v, found, choices))
}

func (v *visit) requestQuery() url.Values {
	query := v.pick("api_key_id", "method", "status", "path", "idempotency_key", "request_id", "replayed", "cursor")
	v.putRange(query)
	return query
}

func exportRequests(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	return v.export(sheet{name: "requisicoes", route: "listRequests", query: v.requestQuery(), attributes: []attribute{
		instant("Quando", "at"), plain("Id", "request_id"), plain("Chave de API", "api_key.name"), plain("Método", "method"), plain("Caminho", "path"),
		plain("Parâmetros", "query"), plain("Rota", "route"), numeric("Status", "status"), plain("Código", "code"), numeric("Duração (ms)", "duration_ms"),
		plain("Chave de idempotência", "idempotency_key"), yesNo("Resposta repetida", "replayed"), plain("Origem", "ip"), plain("Programa", "user_agent"),
	}})
}

// putRange turns the days of the page's filter into instants.
func (v *visit) putRange(query url.Values) {
	given := v.r.URL.Query()
	if day, err := time.ParseInLocation(time.DateOnly, given.Get("de"), v.zone()); err == nil {
		query.Set("from", day.Format(time.RFC3339))
	}
	if day, err := time.ParseInLocation(time.DateOnly, given.Get("ate"), v.zone()); err == nil {
		query.Set("to", day.AddDate(0, 0, 1).Format(time.RFC3339))
	}
}

// requestPage finds a request by the id that its client saw, whatever its form.
func requestPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	found, err := get[list[request]](v, "listRequests", nil, url.Values{"request_id": {v.r.PathValue("id")}})
	if err != nil {
		return nil, err
	}
	if len(found.Data) == 0 {
		return nil, errNoPage()
	}
	return show("Requisição", "/requisicoes", requestBody(v, found.Data))
}

// requestPath is the page of a request; a client may give it an id of any form.
func requestPath(id string) string { return "/requisicoes/" + url.PathEscape(id) }
