package dashboard

import (
	"strings"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/brdoc"
)

func formatDocument(text string) string {
	d, err := brdoc.ParseDocument(text)
	if err != nil {
		return text
	}
	return d.Format()
}

func roleChoices(me *profile, now string) []choice {
	all := []choice{{auth.RoleMember, "Membro: só o que for marcado"}, {auth.RoleAdmin, "Administrador: tudo, menos alterar proprietários"}}
	if me.Member.Role == auth.RoleOwner || now == auth.RoleOwner {
		all = append(all, choice{auth.RoleOwner, "Proprietário: tudo"})
	}
	return all
}

func zoneChoices(now string) []choice {
	all := []choice{
		{"America/Sao_Paulo", "Brasília, São Paulo, Sul, Sudeste e Nordeste"},
		{"America/Manaus", "Amazonas, Roraima e Rondônia (Manaus)"},
		{"America/Cuiaba", "Mato Grosso (Cuiabá)"},
		{"America/Campo_Grande", "Mato Grosso do Sul (Campo Grande)"},
		{"America/Rio_Branco", "Acre (Rio Branco)"},
		{"America/Noronha", "Fernando de Noronha"},
	}
	for _, c := range all {
		if c.value == now {
			return all
		}
	}
	return append(all, choice{now, now})
}

func actorChoices(people []member) []choice {
	all := []choice{{"", "Todos"}}
	for _, m := range people {
		all = append(all, choice{m.ID, m.Name})
	}
	return all
}

func resourceChoices() []choice {
	return []choice{
		{"", "Tudo"},
		{"api_key", "Chaves de API"},
		{"member", "Membros"},
		{"invitation", "Convites"},
		{"session", "Sessões"},
		{"company", "Empresa"},
		{"client", "Clientes"},
		{"quote", "Orçamentos"},
		{"sale", "Vendas"},
		{"financial_transaction", "Lançamentos"},
	}
}

func actorName(e auditEvent) string {
	if e.Actor.Name != "" {
		return e.Actor.Name
	}
	if e.Actor.Type == "job" {
		return "Sistema"
	}
	return "–"
}

// actionWord puts an action into words; one that it does not know stays as it is.
func actionWord(action string) string {
	resource, verb, _ := strings.Cut(action, ".")
	noun := map[string]string{
		"api_key": "chave de API", "member": "membro", "invitation": "convite", "session": "sessão", "company": "empresa", "client": "cliente",
		"client_address": "endereço", "sandbox": "ambiente de testes", "password": "senha", "totp": "segundo fator", "lead": "lead", "task": "tarefa",
		"appointment": "compromisso", "quote": "orçamento", "sale": "venda", "product": "produto", "service": "serviço",
		"service_order": "ordem de serviço", "financial_transaction": "lançamento", "financial_account": "conta", "financial_category": "categoria financeira",
	}[resource]
	act := map[string]string{
		"created": "Criou", "updated": "Alterou", "deleted": "Excluiu", "archived": "Arquivou", "unarchived": "Reativou", "revoked": "Revogou",
		"rotated": "Rotacionou", "opened": "Abriu", "ended": "Encerrou", "all_ended": "Encerrou todas:", "deactivated": "Desativou",
		"reactivated": "Reativou", "renamed": "Renomeou", "accepted": "Aceitou", "changed": "Trocou", "reset": "Redefiniu", "started": "Começou",
		"enabled": "Ativou", "disabled": "Desativou", "refresh_reused": "Tentou reusar", "approved": "Aprovou", "rejected": "Recusou",
		"sent": "Enviou", "paid": "Pagou", "cancelled": "Cancelou", "converted": "Converteu", "anonymized": "Anonimizou",
	}[verb]
	if noun == "" || act == "" {
		return action
	}
	return act + " " + noun
}
