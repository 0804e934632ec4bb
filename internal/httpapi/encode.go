package httpapi

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"

	"fatureihoje/internal/etag"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/problem"
)

// located is a response whose object has an address, answered as Location on a creation.
type located interface{ Location() string }

// versioned is a response with an ETag.
type versioned interface{ ObjectVersion() int64 }

// statusCoded is a response that decides its status itself.
type statusCoded interface{ StatusCode() int }

const jsonType = "application/json"

// encode turns a handler's response into what is stored, then sent.
func (x *exchange) encode(response any) (idempotency.Outcome, error) {
	o := idempotency.Outcome{Status: x.route.Status, Secret: x.route.Secret}
	if x.route.response == nil {
		return o, nil
	}
	body, err := json.Marshal(response, json.Deterministic(true))
	if err != nil {
		return o, fmt.Errorf("encode the response of %s: %w", x.route.ID, err)
	}
	o.Body, o.ContentType = body, jsonType
	if s, ok := response.(statusCoded); ok {
		o.Status = s.StatusCode()
	}
	if l, ok := response.(located); ok && x.route.Method == http.MethodPost {
		o.Location = l.Location()
	}
	if v, ok := response.(versioned); ok {
		o.ETag = etag.Of(v.ObjectVersion(), body)
	}
	if x.caller != nil {
		o.ShapedBy = x.caller.ShapedBy()
	}
	return o, nil
}

func (x *exchange) writeOutcome(o idempotency.Outcome, replayed bool) {
	h := x.w.Header()
	x.replayed = replayed
	if replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	// An action's Location serves only its repetition, should the body not be stored.
	if o.Location != "" && (o.Status == http.StatusCreated || x.route.answersLocation()) {
		h.Set("Location", o.Location)
	}
	if o.ETag != "" {
		h.Set("ETag", o.ETag)
	}
	if x.route.Method == http.MethodGet && o.ETag != "" && etag.NoneMatch(x.r.Header.Values("If-None-Match"), o.ETag) {
		x.write(http.StatusNotModified, "", nil)
		return
	}
	x.write(o.Status, o.ContentType, o.Body)
}

func (x *exchange) write(status int, contentType string, body []byte) {
	h := x.w.Header()
	secure(h)
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	if status != http.StatusNoContent && status != http.StatusNotModified {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	x.status = status
	x.w.WriteHeader(status)
	_, _ = x.w.Write(body) // a client that has gone finds the answer by repeating
	x.observe(status)
}

func secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
}

// problemBody is the wire form of a problem (RFC 9457).
type problemBody struct {
	Type               string      `json:"type" doc:"Página da documentação deste código."`
	Title              string      `json:"title"`
	Status             int         `json:"status"`
	Detail             string      `json:"detail"`
	Code               string      `json:"code" doc:"O código, que não muda."`
	RequestID          string      `json:"request_id"`
	Reason             string      `json:"reason,omitempty" doc:"Um motivo mais fino, que não muda."`
	Errors             []fieldBody `json:"errors,omitempty"`
	RequiredPermission string      `json:"required_permission,omitempty"`
	LackedBy           string      `json:"lacked_by,omitempty" enum:"api_key,member"`
	Differs            []string    `json:"differs,omitempty" doc:"Onde as duas requisições diferem."`
	Current            string      `json:"current,omitempty" doc:"A situação atual."`
	Allowed            []string    `json:"allowed,omitzero" doc:"As ações que ela permite."`
	UsedBy             string      `json:"used_by,omitempty" doc:"O que se refere a este recurso."`
}

type fieldBody struct {
	Pointer string `json:"pointer" doc:"JSON pointer do campo, ou ? e o nome do parâmetro."`
	Code    string `json:"code"`
	Detail  string `json:"detail"`
}

// fail answers err as a problem. What is not one is a 500, whose cause stays in the log.
func (x *exchange) fail(err error) { x.writeProblem(x.logged(err)) }

func (x *exchange) operation() string {
	if x.route == nil {
		return ""
	}
	return x.route.ID
}

func (x *exchange) writeProblem(p *problem.Error) {
	h := x.w.Header()
	x.code = string(p.Code)
	if p.Status() == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
	}
	if p.Location != "" {
		h.Set("Location", p.Location)
	}
	if p.Allow != "" {
		h.Set("Allow", p.Allow)
	}
	body, err := json.Marshal(x.problemBody(p), jsontext.EscapeForHTML(true))
	if err != nil {
		body = []byte(`{"code":"internal_error"}`)
	}
	x.write(p.Status(), "application/problem+json", body)
}

func (x *exchange) problemBody(p *problem.Error) problemBody {
	def, _ := problem.Lookup(p.Code)
	detail := p.Detail
	if detail == (problem.Text{}) {
		detail = def.Advice
	}
	body := problemBody{
		Type: x.api.conf.BaseURL + "/docs/errors/" + string(p.Code), Title: def.Title.In(x.english), Status: p.Status(),
		Detail: detail.In(x.english), Code: string(p.Code), RequestID: x.requestID, Reason: p.Reason,
		RequiredPermission: p.RequiredPermission, LackedBy: p.LackedBy, Differs: p.Differs,
		Current: p.Current, Allowed: p.Allowed, UsedBy: p.UsedBy,
	}
	for _, f := range p.Fields {
		body.Errors = append(body.Errors, fieldBody{f.Pointer, f.Code, f.Detail.In(x.english)})
	}
	return body
}

// routingError answers what the router refuses: an unknown path, a wrong method.
func (a *API) routingError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	x := a.exchange(c, nil)
	if strings.HasPrefix(x.r.URL.Path, PublicBase) {
		x.credential, _ = x.parseCredential() // for the request log: who asks for paths that do not exist
	}
	switch {
	case errors.Is(err, echo.ErrMethodNotAllowed):
		x.fail(&problem.Error{Code: problem.MethodNotAllowed, Allow: strings.TrimPrefix(c.Response().Header().Get("Allow"), "OPTIONS, ")})
	case errors.Is(err, echo.ErrNotFound):
		x.fail(problem.Missing())
	default:
		x.fail(err)
	}
}

func stack() string { return string(debug.Stack()) }
