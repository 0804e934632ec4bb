package dashboard

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/clock"
	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

// grant is what opens a session: the answer of a sign-in and of a refresh.
type grant struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
}

// cookieName has the prefix that makes a browser insist on Secure and Path=/,
// where the cookie is Secure.
func (d *Dashboard) cookieName() string {
	if d.secure {
		return "__Host-fh_session"
	}
	return "fh_session"
}

// The cookie carries both tokens, so that they are never apart.
const tokenSeparator = ":"

func (d *Dashboard) setCookie(w http.ResponseWriter, g grant) {
	d.writeCookie(w, g.Access+tokenSeparator+g.Refresh, int(auth.SessionLife/time.Second))
}

func (d *Dashboard) clearCookie(w http.ResponseWriter) { d.writeCookie(w, "", -1) }

func (d *Dashboard) writeCookie(w http.ResponseWriter, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure except on localhost
		Name: d.cookieName(), Value: value, Path: "/", MaxAge: maxAge, Secure: d.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// session returns the session of a request's cookie, renewed where its access
// token has run out; nil where there is none. Whether it still lives is for the
// call that uses it to find out.
func (d *Dashboard) session(w http.ResponseWriter, r *http.Request) *auth.Session {
	cookie, err := r.Cookie(d.cookieName())
	if err != nil {
		return nil
	}
	access, refresh, _ := strings.Cut(cookie.Value, tokenSeparator)
	if s, err := d.conf.Tokens.Parse(access); err == nil {
		return s
	}
	if refresh == "" {
		return nil
	}
	g, err := d.renewals.once(refresh, func() (grant, error) { return d.renew(r, refresh) })
	if err != nil {
		return nil
	}
	d.setCookie(w, g)
	s, err := d.conf.Tokens.Parse(g.Access)
	if err != nil {
		return nil
	}
	return s
}

// renew outlives its request: a renewal that was done, but whose tokens nobody
// took, would end the session at the next.
func (d *Dashboard) renew(r *http.Request, refresh string) (g grant, err error) {
	body, err := json.Marshal(map[string]string{"refresh_token": refresh})
	if err != nil {
		return g, err
	}
	answer, err := d.conf.API.Call(r.WithContext(context.WithoutCancel(r.Context())), httpapi.Call{Route: "refreshSession", Body: body})
	if err != nil {
		return g, err
	}
	return g, json.Unmarshal(answer.Body, &g)
}

// renewals makes the requests that a browser sends at once, all with the same
// used-up refresh token, renew the session once in this process; what reaches
// another process meanwhile is let in by auth.RefreshLeeway. It also mends a
// renewal whose answer got lost, for as long as renewalKept.
type renewals struct {
	clock clock.Clock
	mu    sync.Mutex
	all   map[[sha256.Size]byte]*renewal
}

type renewal struct {
	at    time.Time
	done  chan struct{}
	grant grant
	err   error
}

const renewalKept = 30 * time.Second

func newRenewals(c clock.Clock) *renewals {
	return &renewals{clock: c, all: map[[sha256.Size]byte]*renewal{}}
}

func (n *renewals) once(token string, renew func() (grant, error)) (grant, error) {
	key := sha256.Sum256([]byte(token))
	now := n.clock.Now()
	n.mu.Lock()
	for other, r := range n.all {
		if now.Sub(r.at) > renewalKept {
			delete(n.all, other)
		}
	}
	r, running := n.all[key]
	if !running {
		r = &renewal{at: now, done: make(chan struct{})}
		n.all[key] = r
	}
	n.mu.Unlock()
	if !running {
		r.grant, r.err = renew()
		close(r.done)
	}
	<-r.done
	return r.grant, r.err
}

// newFormKey makes the hidden key of a form: an idempotency key, and the proof
// that it was made for this session.
func (v *visit) newFormKey() string {
	key := uuid.NewString()
	return key + "." + v.sign(key)
}

func (v *visit) sign(key string) string {
	mac := hmac.New(sha256.New, v.d.conf.Secret)
	mac.Write([]byte(v.session.RateKey()))
	mac.Write([]byte(key))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// formKeyField is the hidden field's name.
const formKeyField = "_chave"

// genuine reports that the form was rendered for this session.
func (v *visit) genuine() bool {
	key, mac, _ := strings.Cut(v.form.Get(formKeyField), ".")
	return hmac.Equal([]byte(mac), []byte(v.sign(key)))
}

// enter finds the session of a page, or sends the person to sign in.
func (v *visit) enter() bool {
	v.session = v.d.session(v.w, v.r)
	if v.session == nil {
		v.toSignIn()
		return false
	}
	return true
}

// toSignIn sends a person to sign in, and back here after that.
func (v *visit) toSignIn() {
	v.d.clearCookie(v.w)
	target := "/entrar"
	if v.r.Method == http.MethodGet && v.r.URL.Path != "/" {
		target += "?" + url.Values{"voltar": {v.r.URL.RequestURI()}}.Encode()
	}
	v.redirect(target)
}

// backTo returns a page of our own that a sign-in was asked for, else Início.
func backTo(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(target, "/") ||
		strings.HasPrefix(target, "//") || strings.ContainsAny(target, "\\\r\n\t") {
		return "/"
	}
	return target
}

// secondStepLife is how long a person has to type the code of the second factor.
const secondStepLife = 5 * time.Minute

// secondStep is what the form of the second factor carries, sealed.
type secondStep struct {
	Email    string
	Password string
	Until    time.Time
}

func (d *Dashboard) sealStep(s secondStep) (string, error) {
	s.Until = d.conf.Clock.Now().Add(secondStepLife)
	plain, err := json.Marshal(s) //nolint:gosec // it is sealed before it leaves
	return hex.EncodeToString(d.sealer.Seal(plain, []byte("second step"))), err
}

// openStep returns a not-signed-in problem for a step that is damaged or late.
func (d *Dashboard) openStep(text string) (s secondStep, err error) {
	late := &problem.Error{Code: problem.Unauthorized, Detail: problem.T("O tempo para o código acabou. Entre de novo.", "The time for the code is over. Sign in again.")}
	sealed, err := hex.DecodeString(text)
	if err != nil {
		return s, late
	}
	plain, err := d.sealer.Open(sealed, []byte("second step"))
	if err != nil {
		return s, late
	}
	if err := json.Unmarshal(plain, &s); err != nil || d.conf.Clock.Now().After(s.Until) {
		return s, late
	}
	return s, nil
}
