package dashboard_test

import (
	"testing"

	"fatureihoje/internal/testkit"
)

// documents makes a quote, an order and a sale where much has happened, and
// returns their pages.
func documents(t *testing.T, key *testkit.Client, clientID string) []pictured {
	t.Helper()
	key.Post(t, "/public/v1/clients/"+clientID+"/addresses", testkit.M{
		"label": "Galpão", "postal_code": "01310100", "street": "Avenida Paulista", "number": "1000", "complement": "Fundos, portão azul", "district": "Bela Vista", "city": "São Paulo", "state": "SP",
	}).Want(t, 201)
	address := key.Get(t, "/public/v1/clients/"+clientID+"/addresses").Want(t, 200).JSON()["data"].([]any)[0].(map[string]any)["id"]
	order := key.Post(t, "/public/v1/service_orders", testkit.M{
		"client_id": clientID, "title": "Manutenção preventiva", "address_id": address, "priority": "high", "custom_status": "Aguardando peça do fabricante",
		"equipment": testkit.M{"name": "Ar-condicionado", "brand": "Fria", "model": "12000 BTU", "serial": "SN-2026-0001"}, "items": custom("Visita", 12000),
		"scheduled_start": "2030-01-15T09:00:00-03:00", "scheduled_end": "2030-01-15T11:00:00-03:00",
	}).Want(t, 201).ID()
	quote := key.Post(t, "/public/v1/quotes", testkit.M{
		"client_id": clientID, "items": custom(long, 900000), "payment_plan": testkit.M{"count": 3, "first_due_date": "2030-01-31", "method": "pix"}, "valid_until": "2020-01-31",
	}).Want(t, 201).ID()
	key.Post(t, "/public/v1/quotes/"+quote+"/send", nil).Want(t, 200)
	sale := key.Post(t, "/public/v1/sales", testkit.M{
		"client_id": clientID, "items": append(custom("Pintura da fachada", 300000), custom("Lixa", 1500)...), "notes": "Entregar na portaria.",
		"payment_plan": testkit.M{"installments": []testkit.M{{"due_date": "2020-01-10", "amount_cents": 101500, "method": "pix"}, {"due_date": "2030-03-01", "amount_cents": 200000}}},
	}).Want(t, 201).ID()
	wrong := key.Post(t, "/public/v1/sales/"+sale+"/payments", testkit.M{"amount_cents": 50000, "method": "cash"}).Want(t, 201).ID()
	key.Post(t, "/public/v1/sales/"+sale+"/payments/"+wrong+"/cancel", testkit.M{"reason": "Lançado duas vezes pelo caixa, conferido no fechamento do dia"}).Want(t, 200)
	paid := key.Post(t, "/public/v1/sales/"+sale+"/payments", testkit.M{"amount_cents": 101500, "method": "credit_card", "fee_cents": 3045}).Want(t, 201).ID()
	key.Post(t, "/public/v1/sales/"+sale+"/versions", testkit.M{
		"client_id": clientID, "reason": "O cliente pediu uma demão a menos, e entrou a massa", "shipping_cents": 2000,
		"items":        append(custom("Massa corrida", 8000), testkit.M{"kind": "custom", "description": "Pintura da fachada", "quantity": "1", "unit_price_cents": 280000, "discount_percent": "5"}),
		"payment_plan": testkit.M{"count": 2, "first_due_date": "2030-03-01", "method": "boleto"},
	}).Want(t, 201)
	at := "/vendas/" + sale
	filled := func(b *browser) {
		b.fill("items-0-description", "Pintura da fachada")
		b.fill("items-0-price", "1.500,00")
		b.fill("plan_count", "3")
		b.do(set("plan_first_due_date", "2030-01-31"))
		b.fill("discount", "5%")
		testkit.Eventually(b.t, "the summary", func() bool { return js[bool](b, `document.querySelector("#resumo-conteudo li") !== null`) })
	}
	return []pictured{
		{"venda", at, nil},
		{"venda-versao", at + "/versoes/2", nil},
		{"venda-editar", at + "/editar", nil},
		{"venda-receber", at + "/acao/receber", nil},
		{"venda-cancelar", at + "/acao/cancelar", nil},
		{"venda-pagamento", at + "/pagamentos/" + paid, nil},
		{"venda-pagamento-cancelar", at + "/pagamentos/" + paid + "/acao/cancelar", nil},
		{"venda-nova-preenchida", "/vendas/novo", filled},
		{"orcamento-vencido", "/orcamentos/" + quote, nil},
		{"ordem", "/ordens/" + order, nil},
		{"ordem-editar", "/ordens/" + order + "/editar", nil},
		{"ordem-situacao", "/ordens/" + order + "/acao/situacao", nil},
	}
}
