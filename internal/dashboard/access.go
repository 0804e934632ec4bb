package dashboard

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

// M is the body of a call.
type M = map[string]any

// bare shows a page without navigation.
func bare(title string, body templ.Component, v *visit) (*reply, error) {
	done := &reply{title: title, body: body, bare: true}
	if v.problem != nil {
		done.status = v.problem.Status()
	}
	return done, nil
}

// openCall calls a route that needs no session.
func (v *visit) openCall(route string, body M) (answer httpapi.Answer, err error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return answer, err
	}
	return v.d.conf.API.Call(v.r, httpapi.Call{Route: route, Body: encoded})
}

// signInWith takes the session that a call has opened, in a new cookie.
func (v *visit) signInWith(answer httpapi.Answer, target string) (*reply, error) {
	var g grant
	if err := json.Unmarshal(answer.Body, &g); err != nil {
		return nil, err
	}
	v.d.setCookie(v.w, g)
	return goTo(backTo(target))
}

// showAgain shows a form with what is wrong with it, unless it has no fault.
func (v *visit) showAgain(err error, page handler) (*reply, error) {
	if !v.refused(err) {
		return nil, err
	}
	return page(v)
}

func signInPage(v *visit) (*reply, error) {
	if v.form == nil && v.d.session(v.w, v.r) != nil {
		if _, err := (&visit{d: v.d, w: v.w, r: v.r, session: v.d.session(v.w, v.r)}).me(); err == nil {
			return goTo(backTo(v.r.URL.Query().Get("voltar")))
		}
	}
	return bare("Entrar", signInBody(v), v)
}

func signIn(v *visit) (*reply, error) {
	if v.form.Get("etapa") != "" {
		return secondFactor(v)
	}
	email, password := v.form.Get("email"), v.form.Get("password")
	answer, err := v.openCall("signIn", M{"email": email, "password": password})
	if p := problem.As(err); err != nil && p.Reason == "totp_required" {
		return askForCode(v, email, password)
	}
	if err != nil {
		return v.showAgain(err, signInPage)
	}
	return v.signInWith(answer, v.form.Get("voltar"))
}

func askForCode(v *visit, email, password string) (*reply, error) {
	step, err := v.d.sealStep(secondStep{Email: email, Password: password})
	if err != nil {
		return nil, err
	}
	return bare("Código de verificação", secondFactorBody(v, step), v)
}

func secondFactor(v *visit) (*reply, error) {
	s, err := v.d.openStep(v.form.Get("etapa"))
	if err != nil {
		return v.showAgain(err, signInPage)
	}
	code := strings.ReplaceAll(v.form.Get("totp"), " ", "")
	if code == "" {
		code = "-"
	}
	answer, err := v.openCall("signIn", M{"email": s.Email, "password": s.Password, "totp": code})
	if err != nil {
		v.form.Set("totp", "")
		return v.showAgain(err, func(v *visit) (*reply, error) { return askForCode(v, s.Email, s.Password) })
	}
	return v.signInWith(answer, v.form.Get("voltar"))
}

func signUpPage(v *visit) (*reply, error) {
	if !v.d.conf.SignupOpen {
		return bare("Cadastro fechado", signUpClosedBody(), v)
	}
	return bare("Criar conta", signUpBody(v), v)
}

func signUp(v *visit) (*reply, error) {
	email, password := v.form.Get("email"), v.form.Get("password")
	answer, err := v.openCall("signUp", M{
		"company_name": v.form.Get("company_name"), "name": v.form.Get("name"), "email": email, "password": password,
	})
	if problem.Is(err, problem.AlreadyExists) {
		// The same form sent twice: the account is this person's, who has just proven it.
		if again, signInErr := v.openCall("signIn", M{"email": email, "password": password}); signInErr == nil {
			return v.signInWith(again, "/")
		}
	}
	if err != nil {
		return v.showAgain(err, signUpPage)
	}
	return v.signInWith(answer, "/")
}

func forgotPage(v *visit) (*reply, error) { return bare("Esqueci a senha", forgotBody(v), v) }

func forgot(v *visit) (*reply, error) {
	if _, err := v.openCall("requestPasswordReset", M{"email": v.form.Get("email")}); err != nil {
		return v.showAgain(err, forgotPage)
	}
	return bare("Link enviado", forgotSentBody(v), v)
}

// token is the link's, from its address or from the form that it opened.
func (v *visit) token() string {
	if v.form != nil {
		return v.form.Get("token")
	}
	return v.r.URL.Query().Get("token")
}

func resetPage(v *visit) (*reply, error) { return bare("Nova senha", resetBody(v), v) }

func reset(v *visit) (*reply, error) {
	if _, err := v.openCall("confirmPasswordReset", M{"token": v.token(), "password": v.form.Get("password")}); err != nil {
		return v.showAgain(err, resetPage)
	}
	v.d.clearCookie(v.w)
	return goTo("/entrar?" + url.Values{"feito": {"senha"}}.Encode())
}

func invitePage(v *visit) (*reply, error) { return bare("Aceitar convite", inviteBody(v), v) }

func acceptInvite(v *visit) (*reply, error) {
	body := M{"token": v.token(), "name": v.form.Get("name"), "password": v.form.Get("password")}
	if code := strings.ReplaceAll(v.form.Get("totp"), " ", ""); code != "" {
		body["totp"] = code
	}
	answer, err := v.openCall("acceptInvitation", body)
	if err != nil {
		return v.showAgain(err, invitePage)
	}
	return v.signInWith(answer, "/")
}
