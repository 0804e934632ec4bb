package dashboard

import (
	"net/url"

	"github.com/a-h/templ"
)

func frequencies() []choice {
	return []choice{
		{"monthly", "Mensal"},
		{"weekly", "Semanal"},
		{"biweekly", "Quinzenal"},
		{"bimonthly", "Bimestral"},
		{"quarterly", "Trimestral"},
		{"semiannual", "Semestral"},
		{"yearly", "Anual"},
	}
}

func businessDays() []choice {
	return []choice{{"none", "Fica no dia"}, {"next", "Passa para o próximo dia útil"}, {"previous", "Volta para o dia útil anterior"}}
}

func recurringPages() resource {
	words := map[string]word{"active": {"Ativa", "good"}, "paused": {"Pausada", "warn"}, "ended": {"Encerrada", "quiet"}}
	return resource{
		path: recurringAt, api: "recurring", area: financeArea, icon: "wallet", title: "Recorrências", one: "recorrência", make: "Nova recorrência",
		lead:       "O que se repete, como o aluguel e as mensalidades. Os lançamentos são criados sozinhos, 90 dias antes.",
		emptyTitle: "Nenhuma recorrência", emptyText: "Cadastre o que se repete uma vez só: os lançamentos de cada mês aparecem sozinhos.",
		read: canReadFinance, write: canWriteFinance,
		list: "listRecurring", get: "getRecurring", create: "createRecurring", update: "updateRecurring", history: "listRecurringHistory",
		upFront: 2,
		filters: []filter{
			states(choice{"active", "Ativas"}, choice{"paused", "Pausadas"}, choice{"ended", "Encerradas"}),
			{name: "type", label: "Tipo", choices: append([]choice{{"", "Todos"}}, directions()...)},
		},
		columns: []attribute{
			plain("Descrição", "description"), oneWord("Tipo", "type", directions()), oneWord("Repete", "frequency", frequencies()),
			calendarDay("Próxima a criar", "next_date"), cents("Valor", "amount_cents"), statusOf(words),
		},
		facts: []attribute{
			calendarDay("Começa em", "start_date"), calendarDay("Termina em", "end_date"), numeric("Número de vezes", "count"), numeric("Dia do vencimento", "due_day"),
			oneWord("Em fim de semana ou feriado", "business_day", businessDays()), named("Conta", "account_id", accountSource()),
			named("Categoria", "category_id", financialCategorySource("")), clientName(), oneWord("Forma de pagamento", "method", paymentMethods()),
			plain("Documento", "document_number"), plain("Id externo", "external_id"), instant("Criada em", "created_at"),
		},
		grow: func(v *visit, _ resource, o object) ([]formField, error) {
			return recurringFields(v.typed("type", o.text("type"))), nil
		},
		actions: []action{
			{name: "pausar", route: "pauseRecurring", text: "Pausar", when: is("active"), ask: "Nenhum lançamento novo é criado até você retomar. Os que já foram criados ficam."},
			{name: "retomar", route: "resumeRecurring", text: "Retomar", when: is("paused"), next: true, ask: "A recorrência continua a partir de hoje. O que caiu na pausa não é criado."},
			{
				name: "encerrar", route: "endRecurring", text: "Encerrar", harsh: true, when: is("active", "paused"), ask: "A recorrência acaba de vez, e não pode ser retomada.",
				fields: []formField{flag("cancel_future", "Cancelar também os lançamentos não pagos que vencem depois de hoje")},
			},
		},
		note:     recurringNote,
		open:     is("active", "paused"),
		sections: []section{occurrences},
	}
}

// recurringFields are those of the form of a rule, whose type may not be known yet.
func recurringFields(kind string) []formField {
	return []formField{
		directionField(), text("description", "Descrição").upTo("200").must(), money("amount_cents", "Valor de cada vez").must(),
		oneOf("frequency", "Repete", frequencies()...).once(), dateField("start_date", "Começa em").must().today().once(),
		dateField("end_date", "Termina em").hinted("Vazio, e sem número de vezes: não termina."),
		wholeNumber("count", "Número de vezes").hinted("No lugar da data em que termina; até 600."),
		wholeNumber("due_day", "Dia do vencimento").hinted("De 1 a 31; em um mês mais curto, o último. Vazio: o dia em que começa. Não vale para semanas."),
		oneOf("business_day", "Em fim de semana ou feriado", businessDays()...),
		categoryField(kind), accountField().hinted("Sem escolha, a conta padrão."), clientField(), methodField(), documentField(), externalID(),
		followField(),
	}
}

// followField asks whether what was made already follows a change of its rule.
func followField() formField {
	f := flag("apply_to", "Mudar também os lançamentos já criados e não pagos").hinted("Sem marcar, só os próximos mudam. Os que ficam depois do fim são cancelados.")
	f.added = true
	f.as = func(_ *visit, text string) (any, error) {
		if text != "true" {
			return nil, nil //nolint:nilnil // they stay as they are
		}
		return "pending", nil
	}
	return f
}

func recurringNote(_ *visit, _ resource, o object) (templ.Component, error) {
	if o.text("status") != "ended" {
		return nil, nil //nolint:nilnil // nothing to say
	}
	return sentenceBody(sentence{before: "Esta recorrência foi encerrada e não muda mais."}), nil
}

// occurrences shows the transactions of a rule that are due last.
func occurrences(v *visit, _ resource, o object) (templ.Component, error) {
	res := transactionPages()
	res.columns = without(res.columns, "Tipo", "Conta")
	found, err := get[list[object]](v, res.list, nil, url.Values{"recurring_id": {o.id()}, "sort": {"due_date"}, "order": {"desc"}, "limit": {"10"}})
	if err != nil {
		return nil, err
	}
	if err := v.learnNames(res.columns, found.Data); err != nil {
		return nil, err
	}
	return tableSection(v, tableOf{
		title: "Lançamentos", res: res, records: found.Data, all: transactionsBy("recurring_id", o.id()),
		empty: "Nenhum ainda: cada um é criado 90 dias antes do vencimento.",
	}), nil
}
