package dashboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

type apiKey struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	Prefix     string     `json:"prefix"`
	Hint       string     `json:"hint"`
	MemberID   string     `json:"member_id"`
	Scopes     []string   `json:"scopes"`
	AllowedIPs []string   `json:"allowed_ips"`
	RequireKey bool       `json:"require_idempotency_key"`
	State      string     `json:"state"`
	LineID     string     `json:"line_id"`
	Generation int        `json:"generation"`
	ExpiresAt  *time.Time `json:"expires_at"`
	EndsAt     *time.Time `json:"ends_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	LastIP     *string    `json:"last_ip"`
	CreatedAt  time.Time  `json:"created_at"`
	Version    int64      `json:"version"`
}

func (k apiKey) lives() bool { return k.State == auth.KeyActive || k.State == auth.KeyEnding }

func (k apiKey) masked() string { return k.Prefix + "…" + k.Hint }

// unfinished is what a rotation or a revocation would leave behind.
type unfinished struct {
	InFlight         int64        `json:"in_flight"`
	Undecided        int64        `json:"undecided"`
	FailedUnrepeated int64        `json:"failed_unrepeated"`
	Keys             []idempotent `json:"keys"`
}

func (u unfinished) none() bool { return u.InFlight+u.Undecided+u.FailedUnrepeated == 0 }

// issued is an API key with its secret, for the page that shows it.
type issued struct {
	Key      apiKey `json:"api_key"`
	Secret   string `json:"secret"`
	Previous apiKey `json:"previous"`
}

// curl is a line that works as it is printed. Its idempotency key stands in it,
// so that running it twice shows what a repetition is.
func (v *visit) curl(secret string, scopes []string) string {
	if !has(scopes, "clients:write") {
		return fmt.Sprintf("curl %s/public/v1/me \\\n  -H \"Authorization: Bearer %s\"", v.d.conf.BaseURL, secret)
	}
	return fmt.Sprintf("curl -i %s/public/v1/clients \\\n  -H \"Authorization: Bearer %s\" \\\n  -H \"Idempotency-Key: %s\" \\\n"+
		"  -H \"Content-Type: application/json\" \\\n  -d '{\"name\": \"Ana Souza\"}'", v.d.conf.BaseURL, secret, uuid.NewString())
}

func keysPage(v *visit) (*reply, error) {
	query := url.Values{}
	living := v.r.URL.Query().Get("mostrar") != "encerradas"
	query.Set("living", strconv.FormatBool(living))
	if cursor := v.r.URL.Query().Get("cursor"); cursor != "" {
		query.Set("cursor", cursor)
	}
	keys, err := get[list[apiKey]](v, "listApiKeys", nil, query)
	if err != nil {
		return nil, err
	}
	names, err := v.memberNames()
	if err != nil {
		return nil, err
	}
	return show("Chaves de API", "/chaves", keysBody(v, keys, names, living))
}

// memberNames are the names of the company's people, by id.
func (v *visit) memberNames() (map[string]string, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	all, err := v.members()
	names := map[string]string{}
	for _, m := range all {
		names[m.ID] = m.Name
	}
	return names, err
}

func newKeyPage(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	people := []member{me.Member}
	if me.Manages {
		if people, err = v.members(); err != nil {
			return nil, err
		}
	}
	return show("Nova chave de API", "/chaves", newKeyBody(v, people))
}

func createKey(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	body := M{
		"name": v.form.Get("name"), "scopes": list0(v.form["scopes"]), "allowed_ips": lines(v.form.Get("allowed_ips")),
		"require_idempotency_key": v.form.Get("require_idempotency_key") == "true",
	}
	if m := v.form.Get("member_id"); m != "" && m != me.Member.ID {
		body["member_id"] = m
	}
	if err := v.putDate(body, "expires_at"); err != nil {
		return nil, err
	}
	answer, err := v.submit("createApiKey", nil, body)
	return v.showSecret(answer, err, "Chave criada")
}

// putDate reads a date of a form as the last instant of that day.
func (v *visit) putDate(body M, name string) error {
	text := v.form.Get(name)
	if text == "" {
		return nil
	}
	day, err := time.ParseInLocation(time.DateOnly, text, v.zone())
	if err != nil {
		return problem.Invalid(problem.Field{Pointer: "/" + name, Code: "date", Detail: problem.T("Informe uma data.", "Give a date.")})
	}
	body[name] = day.AddDate(0, 0, 1).Add(-time.Second)
	return nil
}

// list0 is never null.
func list0(all []string) []string {
	if all == nil {
		return []string{}
	}
	return all
}

// lines splits what was typed one to a line, or with commas.
func lines(text string) []string {
	return append([]string{}, strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' || c == ',' || c == ' ' || c == ';' })...)
}

// showSecret shows the secret of a new key. A form that was sent twice made one
// key; its secret was in the first answer, which this page says.
func (v *visit) showSecret(answer httpapi.Answer, err error, title string) (*reply, error) {
	if p := problem.As(err); err != nil && p.Reason == "response_not_stored" {
		return &reply{title: title, nav: "/chaves", body: secretGoneBody(v, pageOf(p.Location)), status: http.StatusConflict}, nil
	}
	if err != nil {
		return nil, err
	}
	var made issued
	if err := json.Unmarshal(answer.Body, &made); err != nil {
		return nil, err
	}
	return show(title, "/chaves", secretBody(v, title, made))
}

// pageOf is the page of an object of the management API.
func pageOf(location string) string {
	if id, ok := strings.CutPrefix(location, httpapi.ManagementBase+"/api_keys/"); ok {
		return "/chaves/" + id
	}
	return "/chaves"
}

func (v *visit) key() (apiKey, error) {
	return get[apiKey](v, "getApiKey", []string{v.r.PathValue("id")}, nil)
}

func keyPage(v *visit) (*reply, error) {
	k, err := v.key()
	if err != nil {
		return nil, err
	}
	names, err := v.memberNames()
	if err != nil {
		return nil, err
	}
	lineage, err := get[list[apiKey]](v, "listApiKeys", nil, url.Values{"line_id": {k.LineID}})
	if err != nil {
		return nil, err
	}
	left, err := get[unfinished](v, "checkApiKeyRotation", []string{k.ID}, nil)
	if err != nil {
		return nil, err
	}
	return show(k.Name, "/chaves", keyBody(v, k, names[k.MemberID], lineage.Data, left))
}

func editKeyPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	k, err := v.key()
	if err != nil {
		return nil, err
	}
	return show("Editar "+k.Name, "/chaves", editKeyBody(v, k))
}

func editKey(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	body := M{
		"name": v.form.Get("name"), "scopes": list0(v.form["scopes"]), "allowed_ips": lines(v.form.Get("allowed_ips")),
		"require_idempotency_key": v.form.Get("require_idempotency_key") == "true", "expires_at": nil,
	}
	if err := v.putDate(body, "expires_at"); err != nil {
		return nil, err
	}
	id := v.r.PathValue("id")
	if _, err := v.submit("updateApiKey", []string{id}, body); err != nil {
		return nil, err
	}
	return goTo("/chaves/" + id + "?feito=editada")
}

// lookBefore loads a key and what its end would leave behind.
func (v *visit) lookBefore() (k apiKey, left unfinished, err error) {
	if k, err = v.key(); err != nil {
		return k, left, err
	}
	if _, err = v.me(); err != nil {
		return k, left, err
	}
	left, err = get[unfinished](v, "checkApiKeyRotation", []string{k.ID}, nil)
	return k, left, err
}

func rotatePage(v *visit) (*reply, error) {
	k, left, err := v.lookBefore()
	if err != nil {
		return nil, err
	}
	return show("Rotacionar "+k.Name, "/chaves", rotateBody(v, k, left))
}

func rotateKey(v *visit) (*reply, error) {
	grace, err := strconv.ParseInt(v.form.Get("grace_seconds"), 10, 64)
	if err != nil {
		return nil, problem.Invalid(problem.Required("/grace_seconds"))
	}
	answer, err := v.submit("rotateApiKey", []string{v.r.PathValue("id")}, M{"grace_seconds": grace})
	return v.showSecret(answer, err, "Chave rotacionada")
}

func revokePage(v *visit) (*reply, error) {
	k, left, err := v.lookBefore()
	if err != nil {
		return nil, err
	}
	return show("Revogar "+k.Name, "/chaves", revokeBody(v, k, left))
}

func revokeKey(v *visit) (*reply, error) {
	k, err := v.key()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(v.form.Get("name")) != strings.TrimSpace(k.Name) {
		return nil, problem.Invalid(problem.Field{Pointer: "/name", Code: "mismatch", Detail: problem.T(
			"O nome digitado não é o desta chave.", "This is not the key's name.")})
	}
	if _, err := v.submit("revokeApiKey", []string{k.ID}, nil); err != nil {
		return nil, err
	}
	return goTo("/chaves/" + k.ID + "?feito=revogada")
}
