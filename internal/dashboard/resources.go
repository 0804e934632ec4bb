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

// historyWord says what happened, by a noun, which fits records of either gender;
// as the API says it where no word is known.
func historyWord(h object) string {
	act := map[string]string{
		"contacted": "Contato", "qualified": "Qualificação", "lost": "Perda", "new": "Reabertura", "converted": "Conversão", "in_progress": "Começo",
		"done": "Conclusão", "cancelled": "Cancelamento", "open": "Reabertura", "confirmed": "Confirmação", "completed": "Realização", "no_show": "Não veio",
		"mark_paid": "Pagamento", "add_payment": "Pagamento registrado", "payment": "Pagamento registrado", "version": "Nova versão",
		"payment_cancelled": "Pagamento cancelado", "sale_cancelled": "Venda cancelada", "status": "Nova situação", "convert_to_sale": "Conversão em venda",
		"share": "Criação do recibo", "archive": "Arquivamento", "unarchive": "Reativação", "anonymize": "Anonimização", "create": "Criação", "approve": "Aprovação",
		"reject": "Recusa", "send": "Envio", "cancel": "Cancelamento", "convert": "Conversão", "complete": "Conclusão", "reopen": "Reabertura",
		"pause": "Pausa", "resume": "Retomada", "end": "Encerramento", "start": "Começo", "pay": "Pagamento",
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
