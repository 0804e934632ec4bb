package dashboard

import (
	"fmt"
	"strings"
)

// transferForm moves money between two accounts.
func transferForm(v *visit) (plainForm, error) {
	fields, err := v.ready(transferFields(), v.begun())
	return plainForm{
		title: "Transferir entre contas", lead: "O dinheiro sai de uma conta e entra na outra. Não é receita nem despesa.",
		back: transactionsAt, from: "Lançamentos", target: transferAt, button: "Transferir", fields: fields,
	}, err
}

func transferFields() []formField {
	return []formField{
		pick("from_account_id", "Da conta", accountSource()).must(), pick("to_account_id", "Para a conta", accountSource()).must(),
		money("amount_cents", "Valor").must(), dateField("date", "Data").must().today(),
		text("description", "Descrição").upTo("200").hinted("Vazia: “Transferência entre contas”."),
		extraMoney("fee_cents", "Tarifa").hinted("Cobrada da conta de origem, como uma despesa à parte."),
	}
}

func transferPage(v *visit) (*reply, error) {
	if err := v.need(canWriteFinance); err != nil {
		return nil, err
	}
	form, err := transferForm(v)
	if err != nil {
		return nil, err
	}
	return show(form.title, transactionsAt, plainFormBody(v, form))
}

func transfer(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	body, err := v.body(transferFields(), false)
	if err != nil {
		return nil, err
	}
	answer, err := v.submit("createFinancialTransfer", nil, body)
	if err != nil {
		return nil, err
	}
	var made object
	if err := decodeExact(answer.Body, &made); err != nil {
		return nil, err
	}
	rows := made.all("transactions")
	if len(rows) == 0 {
		return goTo(transactionsAt)
	}
	return goTo(transactionPages().page(rows[0].id()) + "?feito=criado")
}

// The steps of a division into installments: it is seen before it is written.
const (
	stepField  = "_passo"
	stepWrite  = "lancar"
	stepChange = "mudar"
)

func intervals() []choice {
	return []choice{{"monthly", "Todo mês"}, {"biweekly", "A cada duas semanas"}, {"weekly", "Toda semana"}}
}

func installmentFields(kind string) []formField {
	return []formField{
		directionField(), text("description", "Descrição").upTo("200").must(), money("total_cents", "Valor total").must(),
		wholeNumber("count", "Número de parcelas").must().hinted("De 2 a 120."), dateField("first_due_date", "Primeiro vencimento").must().today(),
		oneOf("interval", "Vencem", intervals()...), categoryField(kind), accountField().hinted("Sem escolha, a conta padrão."), clientField(), methodField(), documentField(),
		dateField("competence_date", "Competência").hinted("De todas as parcelas. Vazio: o vencimento de cada uma."),
	}
}

func installmentsPage(v *visit) (*reply, error) {
	if err := v.need(canWriteFinance); err != nil {
		return nil, err
	}
	begun := v.begun()
	fields, err := v.ready(installmentFields(v.typed("type", begun.text("type"))), begun)
	if err != nil {
		return nil, err
	}
	form := plainForm{
		title: "Parcelar um valor", lead: "Divide uma receita ou uma despesa em parcelas que somam o total. Você vê as parcelas antes de lançar.",
		back: transactionsAt, from: "Lançamentos", target: installmentsAt, button: "Ver parcelas", fields: fields,
	}
	return show(form.title, transactionsAt, plainFormBody(v, form))
}

// divide shows the parts of an amount, and writes them when they have been seen.
func divide(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	if v.form.Get(stepField) == stepChange {
		return installmentsPage(v)
	}
	body, err := v.body(installmentFields(v.form.Get("type")), false)
	if err != nil {
		return nil, err
	}
	if v.form.Get(stepField) == stepWrite {
		return v.writeInstallments(body)
	}
	body["dry_run"] = true
	answer, err := v.submitUnkeyed("createFinancialInstallments", body)
	if err != nil {
		return nil, err
	}
	var parts object
	if err := decodeExact(answer.Body, &parts); err != nil {
		return nil, err
	}
	return show("Conferir as parcelas", transactionsAt, partsBody(v, parts))
}

func (v *visit) writeInstallments(body M) (*reply, error) {
	answer, err := v.submit("createFinancialInstallments", nil, body)
	if err != nil {
		return nil, err
	}
	var made object
	if err := decodeExact(answer.Body, &made); err != nil {
		return nil, err
	}
	return goTo(transactionsBy("installment_group_id", made.text("installment_group_id"), sortParam, dueSoonest, "feito", "criado"))
}

// typedInstallments are the fields of the form that were filled, to be sent again.
func typedInstallments(v *visit) []choice {
	var all []choice
	for _, f := range installmentFields("") {
		if text := v.form.Get(f.name); strings.TrimSpace(text) != "" {
			all = append(all, choice{f.name, text})
		}
	}
	return all
}

// partName is what a part is called among its group.
func partName(o object) string {
	return fmt.Sprintf("%s de %s", o.text("installment_number"), o.text("installment_count"))
}
