package dashboard

import "net/http"

// routes lists every page.
func (d *Dashboard) routes(mux *http.ServeMux) {
	// Before a session.
	d.open(mux, "GET /entrar", signInPage)
	d.open(mux, "POST /entrar", signIn)
	d.open(mux, "GET /cadastro", signUpPage)
	d.open(mux, "POST /cadastro", signUp)
	d.open(mux, "GET /esqueci-a-senha", forgotPage)
	d.open(mux, "POST /esqueci-a-senha", forgot)
	d.open(mux, "GET /redefinir-senha", resetPage)
	d.open(mux, "POST /redefinir-senha", reset)
	d.open(mux, "GET /convite", invitePage)
	d.open(mux, "POST /convite", acceptInvite)

	d.page(mux, "GET /{$}", home)

	// Integration.
	d.page(mux, "GET /chaves", keysPage)
	d.form(mux, "/chaves/nova", newKeyPage, createKey)
	d.page(mux, "GET /chaves/{id}", keyPage)
	d.form(mux, "/chaves/{id}/editar", editKeyPage, editKey)
	d.form(mux, "/chaves/{id}/rotacionar", rotatePage, rotateKey)
	d.form(mux, "/chaves/{id}/revogar", revokePage, revokeKey)
	d.page(mux, "GET /idempotencia", idempotencyPage)
	d.page(mux, "GET /idempotencia/{id}", idempotencyKeyPage)
	d.page(mux, "GET /requisicoes", requestsPage)
	d.page(mux, "GET /requisicoes/exportar", exportRequests)
	d.page(mux, "GET /requisicoes/{id}", requestPage)

	// The company and its people.
	d.page(mux, "GET /membros", membersPage)
	d.form(mux, "/membros/convidar", inviteMemberPage, inviteMember)
	d.action(mux, "POST /membros/convites/{id}/cancelar", membersPage, cancelInvite)
	d.form(mux, "/membros/{id}", memberPage, updateMember)
	d.action(mux, "POST /membros/{id}/desativar", memberPage, deactivateMember)
	d.action(mux, "POST /membros/{id}/reativar", memberPage, reactivateMember)
	d.form(mux, "/empresa", companyPage, updateCompany)
	d.action(mux, "POST /empresa/testes", companyPage, createSandbox)
	d.page(mux, "GET /auditoria", auditPage)
	d.page(mux, "GET /auditoria/exportar", exportAudit)

	// The person.
	d.form(mux, "/conta", accountPage, renameMe)
	d.action(mux, "POST /conta/senha", accountPage, changePassword)
	d.action(mux, "POST /conta/segundo-fator", accountPage, startTOTP)
	d.action(mux, "POST /conta/segundo-fator/confirmar", accountPage, confirmTOTP)
	d.action(mux, "POST /conta/segundo-fator/desativar", accountPage, disableTOTP)
	d.action(mux, "POST /conta/sessoes/{id}/encerrar", accountPage, endSession)
	d.action(mux, "POST /conta/sessoes/encerrar-todas", accountPage, signOutAll)
	d.action(mux, "POST /trocar-empresa", home, switchCompany)
	d.action(mux, "POST /sair", home, signOut)

	d.page(mux, "GET /procurar/{fonte}", searchPage)
	d.page(mux, "GET "+weekPath, weekPage)
	d.action(mux, "POST /tarefas/{id}/passos", taskPages().onePage, tickStep)
	d.financeRoutes(mux)
	for _, res := range resources() {
		d.resource(mux, res)
	}
	d.page(mux, "GET /vendas/{id}/versoes/{n}", saleVersionPage)
	d.page(mux, "GET /", func(v *visit) (*reply, error) { return nil, errNoPage() })
}

// part adds what a page asks for while a form is filled in: it writes nothing,
// and answers a part of the page. Without a session it leaves the page as it is.
func (d *Dashboard) part(mux *http.ServeMux, path string, h handler) {
	mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		v := &visit{d: d, w: w, r: r, form: r.PostForm}
		if v.session = d.session(w, r); v.session == nil || !v.genuine() {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		v.answer(h(v))
	})
}

// handler shows a page, or does what a form asks for.
type handler func(*visit) (*reply, error)

// open adds a page that needs no session.
func (d *Dashboard) open(mux *http.ServeMux, pattern string, h handler) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		v := &visit{d: d, w: w, r: r, form: r.PostForm}
		v.answer(h(v))
	})
}

// page adds a page that shows something to a signed-in person.
func (d *Dashboard) page(mux *http.ServeMux, pattern string, h handler) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		v := &visit{d: d, w: w, r: r}
		if v.enter() {
			v.answer(h(v))
		}
	})
}

// form adds a page with a form, and what its submission does. A refused form is
// shown again, with what was typed and what is wrong.
func (d *Dashboard) form(mux *http.ServeMux, path string, show, submit handler) {
	d.page(mux, "GET "+path, show)
	d.action(mux, "POST "+path, show, submit)
}

// action adds what a form does that is part of another page, which is shown
// again where the form is refused.
func (d *Dashboard) action(mux *http.ServeMux, pattern string, show, submit handler) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		v := &visit{d: d, w: w, r: r, form: r.PostForm}
		if !v.enter() {
			return
		}
		if !v.genuine() {
			v.showError(http.StatusForbidden, "Formulário vencido", "Este formulário não é desta sessão, e nada foi alterado. Volte, recarregue a página e envie de novo.")
			return
		}
		done, err := submit(v)
		if err != nil && v.refused(err) {
			done, err = show(v)
			if done != nil && done.status == 0 {
				done.status = v.problem.Status()
			}
		}
		v.answer(done, err)
	})
}
