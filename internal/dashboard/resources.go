package dashboard

import "strings"

// resources lists the records that have pages, in the order of the navigation.
func resources() []resource {
	return []resource{
		clientPages(), addressPages(), leadPages(), taskPages(), appointmentPages(),
		productPages(), variationPages(), servicePages(), productCategoryPages(), serviceCategoryPages(),
		quotePages(), orderPages(), salePages(), paymentPages(),
		transactionPages(), accountPages(), financialCategoryPages(), recurringPages(),
	}
}

func activeState(o object) word {
	if o.text("status") == "archived" {
		return word{"Arquivado", "quiet"}
	}
	return word{"Ativo", "good"}
}

// phone writes a Brazilian number as a person does.
func phone(text string) string {
	national, ok := strings.CutPrefix(text, "+55")
	if !ok || len(national) < 10 {
		return text
	}
	split := len(national) - 4
	return "(" + national[:2] + ") " + national[2:split] + "-" + national[split:]
}

func commaList(text string) []string {
	all := []string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

func joined(separator string, parts ...string) string {
	var all []string
	for _, p := range parts {
		if p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, separator)
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// with is the field as a form shows it for a record.
func (f formField) with(v *visit, o object) input {
	i := f.input
	switch {
	case f.first != nil && o[f.name] == nil:
		i.value = f.first(v, o)
	case f.show != nil:
		i.value = f.show(v, o)
	default:
		i.value = o.text(f.name)
	}
	return i
}

// historyWord says what happened, in words where they are known.
func historyWord(h object) string {
	act := map[string]string{
		"contacted": "Contatado", "qualified": "Qualificado", "lost": "Perdido", "new": "Reaberto", "converted": "Convertido", "in_progress": "Começado",
		"done": "Concluído", "cancelled": "Cancelado", "open": "Reaberto", "confirmed": "Confirmado", "completed": "Realizado", "no_show": "Não veio",
		"mark_paid": "Pago", "add_payment": "Pagamento registrado", "payment": "Pagamento registrado", "version": "Nova versão", "payment_cancelled": "Pagamento cancelado", "sale_cancelled": "Venda cancelada", "status": "Situação alterada", "convert_to_sale": "Convertido em venda", "share": "Recibo criado",
		"archive": "Arquivado", "unarchive": "Reativado", "anonymize": "Anonimizado", "create": "Criado", "approve": "Aprovado", "reject": "Recusado",
		"send": "Enviado", "cancel": "Cancelado", "convert": "Convertido", "complete": "Concluído", "reopen": "Reaberto", "pause": "Pausada", "resume": "Retomada", "end": "Encerrada", "start": "Começado", "pay": "Pago",
	}[h.text("action")]
	if act == "" {
		return h.text("action")
	}
	return act
}

func tellsCreation(past []object) bool {
	for _, h := range past {
		if h["from"] == nil {
			return true
		}
	}
	return false
}
