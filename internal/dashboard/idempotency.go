package dashboard

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

type idempotent struct {
	ID             string     `json:"id"`
	APIKeyID       string     `json:"api_key_id"`
	Key            string     `json:"key"`
	State          string     `json:"state"`
	ResponseStored bool       `json:"response_stored"`
	Method         string     `json:"method"`
	Path           string     `json:"path"`
	Status         *int       `json:"status"`
	Resource       *string    `json:"resource"`
	RequestID      string     `json:"request_id"`
	FirstSeenAt    time.Time  `json:"first_seen_at"`
	ClaimedAt      time.Time  `json:"claimed_at"`
	ReservedUntil  time.Time  `json:"reserved_until"`
	CompletedAt    *time.Time `json:"completed_at"`
	ExpiresAt      time.Time  `json:"expires_at"`
	Replays        int64      `json:"replays"`
	Conflicts      int64      `json:"conflicts"`

	// Of one key alone.
	Requests []request `json:"requests"`
	Stored   *struct {
		ContentType string  `json:"content_type"`
		Body        *string `json:"body"`
		Hidden      bool    `json:"hidden"`
	} `json:"stored_response"`
}

// lapsed reports that a running attempt has lost its hold: a repetition runs.
func (i idempotent) lapsed(now time.Time) bool {
	return i.State == "in_flight" && now.After(i.ReservedUntil)
}

func (v *visit) keyChoices() (map[string]string, []choice, error) {
	keys, err := get[list[apiKey]](v, "listApiKeys", nil, url.Values{"limit": {"100"}})
	if err != nil {
		return nil, nil, err
	}
	names, choices := map[string]string{}, []choice{{"", "Todas"}}
	for _, k := range keys.Data {
		names[k.ID] = k.Name
		choices = append(choices, choice{k.ID, k.Name + " (" + k.masked() + ")"})
	}
	return names, choices, nil
}

// pick copies those parameters of the page's address that a route knows.
func (v *visit) pick(names ...string) url.Values {
	given, query := v.r.URL.Query(), url.Values{}
	for _, name := range names {
		if value := strings.TrimSpace(given.Get(name)); value != "" {
			query.Set(name, value)
		}
	}
	return query
}

func idempotencyPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	names, choices, err := v.keyChoices()
	if err != nil {
		return nil, err
	}
	found, err := get[list[idempotent]](v, "listIdempotencyKeys", nil, v.pick("key", "state", "api_key_id", "cursor"))
	if err != nil {
		if !v.refused(err) {
			return nil, err
		}
	}
	return show("Idempotência", "/idempotencia", idempotencyBody(v, found, names, choices))
}

func idempotencyKeyPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	found, err := get[idempotent](v, "getIdempotencyKey", []string{v.r.PathValue("id")}, nil)
	if err != nil {
		return nil, err
	}
	names, _, err := v.keyChoices()
	if err != nil {
		return nil, err
	}
	return show("Chave de idempotência", "/idempotencia", idempotencyKeyBody(v, found, names[found.APIKeyID]))
}

// happening is one point of a key's life.
type happening struct {
	at        time.Time
	tone      string
	what      string
	detail    string
	requestID string
}

// life tells a key's life from its row and the requests behind it, oldest first.
func (v *visit) life(i idempotent) []happening {
	var all []happening
	ran := false
	for _, r := range i.Requests {
		h := happening{at: r.At, requestID: r.RequestID, detail: fmt.Sprintf("%s %s → %d, em %s", r.Method, r.Path, r.Status, milliseconds(r.DurationMS))}
		h.tone, h.what = meaning(r)
		ran = ran || r.RequestID == i.RequestID && r.Status < 300 && !r.Replayed
		all = append(all, h)
	}
	if !ran {
		// The attempt that holds or has done it is not in the log (yet).
		all = append(all, happening{at: i.ClaimedAt, tone: "info", what: "Reservou a chave e começou a executar", detail: i.Method + " " + i.Path, requestID: i.RequestID})
		if i.CompletedAt != nil {
			w := idempotencyWord(i.State)
			all = append(all, happening{at: *i.CompletedAt, tone: w.tone, what: w.text})
		}
	}
	slices.SortStableFunc(all, func(a, b happening) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
	return all
}

// meaning says what an answer to a request with a key tells about the key.
func meaning(r request) (tone, what string) {
	code := or(r.Code, "")
	switch {
	case r.Replayed:
		return "good", "Repetição: recebeu a resposta guardada, nada foi executado de novo"
	case r.Status < 300:
		return "good", "Reservou a chave, executou e guardou a resposta"
	case code == "idempotency_in_progress":
		return "warn", "Repetição enquanto a primeira ainda rodava: esperou, nada foi executado"
	case code == "idempotency_key_reused":
		return "bad", "Outro pedido com a mesma chave: recusado"
	case code == "conflict":
		return "warn", "Repetição: já tinha executado, mas a resposta não pôde ser mostrada"
	case r.Status >= http.StatusInternalServerError:
		return "bad", "Falhou e foi desfeito; a chave pode ser repetida"
	}
	return "warn", "Recusado antes de executar; a chave ficou livre"
}

// advice is what to do now, in one sentence or two.
func (v *visit) advice(i idempotent) string {
	switch i.State {
	case "in_flight":
		if i.lapsed(v.d.conf.Clock.Now()) {
			return "A tentativa parou sem terminar e perdeu a reserva. Repita o mesmo pedido com a mesma chave: ele será executado uma vez."
		}
		return "Espere alguns segundos e repita o mesmo pedido com a mesma chave. Não use uma chave nova: ela executaria outra vez."
	case "undecided":
		return "O pedido foi enviado a um serviço externo e ainda não sabemos o resultado. Repita com a mesma chave daqui a pouco; nunca com uma nova."
	case "failed":
		return "Nada foi gravado. Repita o mesmo pedido com a mesma chave, e ele será executado de novo. Para enviar um pedido diferente, use outra chave."
	}
	if !i.ResponseStored {
		return "O pedido já foi executado, mas a resposta não ficou guardada. Não repita: consulte o registro que ele criou."
	}
	return "Nada. O pedido foi executado uma vez e a resposta está guardada: repetir com a mesma chave devolve essa resposta, sem executar de novo."
}

// pretty indents JSON; another text comes back as it is.
func pretty(text string) string {
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return text
	}
	indented, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return text
	}
	return string(indented)
}

// pagePath is the dashboard's page of an object of the API, "" where it has none.
func pagePath(resource *string) string {
	_, path, ok := strings.Cut(or(resource, ""), "/public/v1/")
	if !ok {
		return ""
	}
	kind, id, _ := strings.Cut(path, "/")
	if _, err := uuid.Parse(id); err != nil {
		return ""
	}
	for _, res := range resources() {
		if res.api == kind {
			return res.path + "/" + id
		}
	}
	return ""
}
