package dashboard

import (
	"strconv"
	"strings"
	"time"

	"fatureihoje/internal/auth"
)

// moment is an instant as a person of the company reads it.
func (v *visit) moment(t time.Time) string { return t.In(v.zone()).Format("02/01/2006 15:04:05") }

// minute is moment without the seconds.
func (v *visit) minute(t time.Time) string { return t.In(v.zone()).Format("02/01/2006 15:04") }

func (v *visit) minuteOr(t *time.Time, otherwise string) string {
	if t == nil {
		return otherwise
	}
	return v.minute(*t)
}

// machine is an instant for the datetime attribute.
func machine(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// left is how long it is until t, in words.
func (v *visit) left(t time.Time) string { return span(t.Sub(v.d.conf.Clock.Now())) }

// ago is how long t is past, in words.
func (v *visit) ago(t time.Time) string { return "há " + span(v.d.conf.Clock.Now().Sub(t)) }

func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "menos de um minuto"
	case d < time.Hour:
		return count(int64(d/time.Minute), "minuto", "minutos")
	case d < 48*time.Hour:
		return count(int64(d/time.Hour), "hora", "horas")
	}
	return count(int64(d/(24*time.Hour)), "dia", "dias")
}

// count writes a number with its noun.
func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// number writes a whole number with dots between its thousands.
func number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "." + digits[i:]
	}
	return sign + digits
}

func or(s *string, otherwise string) string {
	if s == nil || *s == "" {
		return otherwise
	}
	return *s
}

// resourceWord names what a permission is of.
func resourceWord(resource string) string {
	switch resource {
	case "clients":
		return "Clientes"
	case "leads":
		return "Leads"
	case "tasks":
		return "Tarefas"
	case "appointments":
		return "Agenda"
	case "service_orders":
		return "Ordens de serviço"
	case "quotes":
		return "Orçamentos"
	case "products":
		return "Produtos"
	case "services":
		return "Serviços"
	case "sales":
		return "Vendas"
	case "finance":
		return "Financeiro"
	}
	return resource
}

func permissionLabel(p string) string {
	if p == auth.Manage {
		return "Administrar a empresa"
	}
	resource, what, _ := strings.Cut(p, ":")
	if what == "write" {
		return resourceWord(resource) + ": alterar"
	}
	return resourceWord(resource) + ": ver"
}

// permissionResources lists what permissions are of, in their order.
func permissionResources() []string {
	var all []string
	for _, p := range auth.Permissions() {
		if resource, ok := strings.CutSuffix(p, ":read"); ok {
			all = append(all, resource)
		}
	}
	return all
}

func roleWord(role string) string {
	switch role {
	case auth.RoleOwner:
		return "Proprietário"
	case auth.RoleAdmin:
		return "Administrador"
	}
	return "Membro"
}

// word is a state in words, and the tone of its tag.
type word struct{ text, tone string }

func keyStateWord(state string) word {
	switch state {
	case auth.KeyActive:
		return word{"Ativa", "good"}
	case auth.KeyEnding:
		return word{"Em carência", "warn"}
	case auth.KeyExpired:
		return word{"Vencida", "quiet"}
	case auth.KeyRevoked:
		return word{"Revogada", "bad"}
	case auth.KeyRotated:
		return word{"Substituída", "quiet"}
	}
	return word{state, "quiet"}
}

func idempotencyWord(state string) word {
	switch state {
	case "in_flight":
		return word{"Em andamento", "info"}
	case "undecided":
		return word{"Sem resultado ainda", "warn"}
	case "done":
		return word{"Concluída", "good"}
	case "failed":
		return word{"Falhou", "bad"}
	}
	return word{state, "quiet"}
}

func statusTone(status int) string {
	switch {
	case status >= 500:
		return "bad"
	case status >= 400:
		return "warn"
	}
	return "good"
}

func statusText(status int) string { return strconv.Itoa(status) }

func milliseconds(ms int) string { return number(int64(ms)) + "\u00a0ms" }

// notice is what ?feito= says above a page, after an action.
func notice(code string) string {
	return map[string]string{
		"editada": "Chave alterada.", "revogada": "Chave revogada. Ela já não abre a API.",
		"membro": "Acesso alterado.", "desativado": "Membro desativado. Sessões e chaves de API dele já pararam.",
		"reativado": "Membro reativado.", "convite-cancelado": "Convite cancelado. O link já não vale.",
		"empresa": "Dados da empresa gravados.", "testes": "Ambiente de testes criado. Entre nele pelo seletor de empresas.",
		"nome": "Nome alterado.", "senha": "Senha trocada. As outras sessões foram encerradas.",
		"segundo-fator": "Segundo fator ativado. A próxima entrada vai pedir o código.", "segundo-fator-desativado": "Segundo fator desativado.",
		"sessao": "Sessão encerrada.", "criado": "Registro criado.", "alterado": "Alterações gravadas.", "feito": "Feito.", "excluido": "Registro excluído.",
	}[code]
}

// entryNotice is the same for the pages before a session.
func entryNotice(code string) string {
	return map[string]string{
		"senha": "Senha redefinida. Entre com a nova senha.", "saiu": "Você saiu.", "saiu-de-todas": "Todas as sessões foram encerradas.",
	}[code]
}

func plural(n int, one, many string) string { return count(int64(n), one, many) }

// device guesses from a User-Agent what a person would call the browser.
func device(userAgent string) string {
	browser := "Navegador"
	for _, known := range []struct{ mark, name string }{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	} {
		if strings.Contains(userAgent, known.mark) {
			browser = known.name
			break
		}
	}
	for _, known := range []struct{ mark, name string }{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS", "Mac"}, {"Linux", "Linux"},
	} {
		if strings.Contains(userAgent, known.mark) {
			return browser + " no " + known.name
		}
	}
	return browser
}
