package dashboard

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

type session struct {
	ID          string    `json:"id"`
	Current     bool      `json:"current"`
	UserAgent   string    `json:"user_agent"`
	IP          string    `json:"ip"`
	CreatedAt   time.Time `json:"created_at"`
	RefreshedAt time.Time `json:"refreshed_at"`
}

func accountPage(v *visit) (*reply, error) {
	me, err := v.me()
	if err != nil {
		return nil, err
	}
	open, err := get[list[session]](v, "listSessions", nil, url.Values{"limit": {"100"}})
	if err != nil {
		return nil, err
	}
	return show("Minha conta", "/conta", accountBody(v, me, open.Data))
}

func renameMe(v *visit) (*reply, error) {
	if _, err := v.submit("updateProfile", nil, M{"name": v.form.Get("name")}); err != nil {
		return nil, err
	}
	return goTo("/conta?feito=nome")
}

func changePassword(v *visit) (*reply, error) {
	body := M{"current_password": v.form.Get("current_password"), "password": v.form.Get("password")}
	if _, err := v.submitUnkeyed("changePassword", body); err != nil {
		return nil, err
	}
	return goTo("/conta?feito=senha")
}

func startTOTP(v *visit) (*reply, error) {
	answer, err := v.submitUnkeyed("startTotp", nil)
	if err != nil {
		return nil, err
	}
	var made struct{ Secret, URL string }
	if err := json.Unmarshal(answer.Body, &made); err != nil {
		return nil, err
	}
	return v.showTOTP(made.Secret, made.URL)
}

func (v *visit) showTOTP(secret, address string) (*reply, error) {
	code, err := qrCode(address)
	if err != nil {
		return nil, err
	}
	return show("Ativar segundo fator", "/conta", totpBody(v, secret, address, code))
}

// qrCode draws an otpauth address as an image that the page can hold.
func qrCode(address string) (string, error) {
	key, err := otp.NewKeyFromURL(address)
	if err != nil {
		return "", err
	}
	const side = 240
	image, err := key.Image(side, side)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, image); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

func confirmTOTP(v *visit) (*reply, error) {
	code := strings.ReplaceAll(v.form.Get("code"), " ", "")
	_, err := v.submitUnkeyed("confirmTotp", M{"code": code})
	if err != nil && problem.Is(err, problem.ValidationFailed) && v.refused(err) {
		v.form.Set("code", "")
		done, err := v.showTOTP(v.form.Get("secret"), v.form.Get("url"))
		if err == nil {
			done.status = http.StatusUnprocessableEntity
		}
		return done, err
	}
	if err != nil {
		return nil, err
	}
	return goTo("/conta?feito=segundo-fator")
}

func disableTOTP(v *visit) (*reply, error) {
	if _, err := v.submit("disableTotp", nil, nil); err != nil {
		return nil, err
	}
	return goTo("/conta?feito=segundo-fator-desativado")
}

func endSession(v *visit) (*reply, error) {
	if _, err := v.submit("endSession", []string{v.r.PathValue("id")}, nil); err != nil && !problem.Is(err, problem.NotFound) {
		return nil, err
	}
	return goTo("/conta?feito=sessao")
}

func signOut(v *visit) (*reply, error) { return v.leave("signOut", "saiu") }

func signOutAll(v *visit) (*reply, error) { return v.leave("signOutAll", "saiu-de-todas") }

// leave ends the session. One that has ended already is left all the same.
func (v *visit) leave(route, done string) (*reply, error) {
	_, err := v.submitUnkeyed(route, nil)
	if err != nil && !problem.Is(err, problem.Unauthorized) && !problem.Is(err, problem.NotFound) {
		return nil, err
	}
	v.d.clearCookie(v.w)
	return goTo("/entrar?" + url.Values{"feito": {done}}.Encode())
}

// switchCompany opens a session in another company, and ends this one: the
// browser holds one.
func switchCompany(v *visit) (*reply, error) {
	answer, err := v.send(httpapi.Call{Route: "switchCompany"}, M{"tenant_id": v.form.Get("empresa")})
	if err != nil {
		return nil, err
	}
	if _, err := v.submitUnkeyed("signOut", nil); err != nil {
		return nil, err
	}
	return v.signInWith(answer, "/")
}
