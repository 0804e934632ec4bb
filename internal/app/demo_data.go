package app

import (
	"strconv"

	"fatureihoje/internal/catalog"
	"fatureihoje/internal/clients"
	"fatureihoje/internal/crm"
	"fatureihoje/internal/db"
	"fatureihoje/internal/document"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/money"
	"fatureihoje/internal/quotes"
	"fatureihoje/internal/sales"
	"fatureihoje/internal/serviceorders"
)

// What the demo company has, as tables: an auto repair shop in Campinas. Records
// refer to each other by their names (sample.ref). Days are counted from today.

func (s *sample) clientTable() []clients.Client {
	return []clients.Client{
		{
			Name: "Bruno Lima", Document: new("52998224725"), Email: new("bruno.lima@example.com"), Mobile: new("+5519991234501"),
			Tags: db.Texts{"mensalista"}, Notes: new("Honda Civic 2019. Prefere contato por WhatsApp."),
			Addresses: address("13015100", "Rua Barão de Jaguara", "1081", "Centro"),
		},
		{
			Name: "Carla Dias", Document: new("11144477735"), Mobile: new("+5519991234502"), Notes: new("Fiat Argo 2021."),
			Addresses: address("13025080", "Rua Coronel Quirino", "720", "Cambuí"),
		},
		{
			Name: "Transportes Aurora Ltda.", TradeName: new("Aurora"), Document: new("12ABC34501DE35"), Phone: new("+551932345601"),
			Email: new("frota@aurora.example.com"), Tags: db.Texts{"frota"},
			Addresses: address("13050000", "Avenida das Amoreiras", "3900", "Jardim do Trevo"),
		},
		{
			Name: "Padaria Pão da Vila Ltda.", TradeName: new("Pão da Vila"), Document: new("28451937000100"), Phone: new("+551932345602"),
			Tags: db.Texts{"frota"}, Addresses: address("13073000", "Avenida Brasil", "455", "Vila Itapura"),
		},
		{
			Name: "Diego Martins", Document: new("39053344705"), Email: new("diego.martins@example.com"), Mobile: new("+5519991234503"),
			Addresses: address("13083000", "Avenida Albino José Barbosa de Oliveira", "1500", "Barão Geraldo"),
		},
		{
			Name: "Helena Prado", Document: new("31827465964"), Mobile: new("+5519991234504"), Tags: db.Texts{"mensalista"},
			Addresses: address("13092000", "Rua Jorge de Figueiredo Corrêa", "210", "Parque Taquaral"),
		},
	}
}

// address is one place in Campinas.
func address(postalCode, street, number, district string) []clients.Address {
	return []clients.Address{{
		Kind: "billing", IsDefault: true, PostalCode: postalCode, Street: street, Number: &number, District: &district,
		City: "Campinas", State: "SP", CityCode: new("3509502"), Country: "BR",
	}}
}

func productCategoryTable() []string {
	return []string{"Óleos e fluidos", "Filtros", "Freios", "Pneus"}
}

func (s *sample) productTable() []catalog.Product {
	cents := func(n money.Cents) *money.Cents { return &n }
	return []catalog.Product{
		{Name: "Óleo 5W30 sintético", SKU: new("OLE-5W30"), CategoryID: s.ref("Óleos e fluidos"), Unit: "L", PriceCents: 5_490, CostCents: cents(3_200)},
		{Name: "Fluido de freio DOT 4", SKU: new("FLU-DOT4"), CategoryID: s.ref("Óleos e fluidos"), PriceCents: 3_990, CostCents: cents(2_150)},
		{Name: "Filtro de óleo", SKU: new("FIL-OLE"), CategoryID: s.ref("Filtros"), PriceCents: 3_900, CostCents: cents(1_850)},
		{Name: "Filtro de ar", SKU: new("FIL-AR"), CategoryID: s.ref("Filtros"), PriceCents: 5_900, CostCents: cents(2_900)},
		{Name: "Pastilha de freio dianteira", SKU: new("FRE-PAS"), CategoryID: s.ref("Freios"), Unit: "JG", PriceCents: 18_900, CostCents: cents(11_200)},
		{
			Name: "Pneu aro 15", CategoryID: s.ref("Pneus"), PriceCents: 42_900, CostCents: cents(31_000),
			Attributes: []catalog.Attribute{{Name: "Medida", Values: []string{"185/60 R15", "195/55 R15"}}},
		},
	}
}

// variationTable has the variations of the tyre.
func variationTable() []catalog.Variation {
	dear := money.Cents(46_900)
	return []catalog.Variation{
		{Options: catalog.Options{"Medida": "185/60 R15"}, SKU: new("PNE-185-60")},
		{Options: catalog.Options{"Medida": "195/55 R15"}, SKU: new("PNE-195-55"), PriceCents: &dear},
	}
}

func serviceCategoryTable() []string { return []string{"Manutenção preventiva", "Reparos"} }

func (s *sample) serviceTable() []catalog.ServiceItem {
	preventive, repairs := s.ref("Manutenção preventiva"), s.ref("Reparos")
	return []catalog.ServiceItem{
		{Name: "Troca de óleo", CategoryID: preventive, PriceCents: 8_000, DurationMinutes: new(40), ServiceCode: new("14.01")},
		{Name: "Revisão completa", CategoryID: preventive, PriceCents: 45_000, DurationMinutes: new(240), ServiceCode: new("14.01")},
		{Name: "Alinhamento e balanceamento", CategoryID: preventive, PriceCents: 15_000, DurationMinutes: new(60), ServiceCode: new("14.01")},
		{Name: "Troca de pastilhas de freio", CategoryID: repairs, PriceCents: 12_000, DurationMinutes: new(90), ServiceCode: new("14.01")},
	}
}

// demoLead is a lead, and the changes of status that it went through.
type demoLead struct {
	crm.Lead
	moves       []crm.LeadStatusChange
	convertedTo string
}

func (s *sample) leadTable() []demoLead {
	worth := func(n money.Cents) *money.Cents { return &n }
	contacted, qualified := crm.LeadStatusChange{Status: crm.LeadContacted}, crm.LeadStatusChange{Status: crm.LeadQualified}
	return []demoLead{
		{Lead: crm.Lead{
			Name: "Rafael Nunes", Phone: new("+5519991234511"), Source: new("Instagram"), Interest: new("Revisão antes de viagem"),
			EstimatedValueCents: worth(60_000),
		}},
		{Lead: crm.Lead{
			Name: "Patrícia Gomes", CompanyName: new("Flores do Campo"), Phone: new("+5519991234512"), Source: new("Indicação"),
			Interest: new("Manutenção de dois furgões"), EstimatedValueCents: worth(240_000), AssigneeMemberID: &s.owner,
		}, moves: []crm.LeadStatusChange{contacted, qualified}},
		{Lead: crm.Lead{
			Name: "Sérgio Tavares", Email: new("sergio.tavares@example.com"), Source: new("Site"), Interest: new("Pneus novos"),
		}, moves: []crm.LeadStatusChange{contacted, {Status: crm.LeadLost, LostReason: new("Comprou em outra loja.")}}},
		{Lead: crm.Lead{
			Name: "Helena P.", Phone: new("+5519991234504"), Source: new("Google"), Interest: new("Plano mensal de revisão"),
		}, moves: []crm.LeadStatusChange{contacted}, convertedTo: "Helena Prado"},
	}
}

// demoTask is a task, and the statuses that it went through.
type demoTask struct {
	crm.Task
	moves []string
}

func (s *sample) taskTable() []demoTask {
	started := []string{crm.TaskInProgress}
	return []demoTask{
		{Task: crm.Task{
			Title: "Cobrar a mensalidade atrasada", DueAt: new(s.at(-3, 18)), Priority: crm.PriorityHigh, ClientID: s.ref("Bruno Lima"), AssigneeMemberID: &s.owner,
		}},
		{Task: crm.Task{
			Title: "Encomendar pneus 195/55 R15", DueAt: new(s.at(-5, 12)), Priority: crm.PriorityNormal, AssigneeMemberID: &s.owner,
		}, moves: []string{crm.TaskInProgress, crm.TaskDone}},
		{Task: crm.Task{
			Title: "Separar as peças da revisão", DueAt: new(s.at(1, 9)), Priority: crm.PriorityNormal, ServiceOrderID: s.ref("Revisão do Argo"),
			Checklist: crm.Checklist{{Title: "Óleo 5W30", Done: true}, {Title: "Filtro de óleo", Done: true}, {Title: "Filtro de ar"}},
		}, moves: started},
		{Task: crm.Task{
			Title: "Ligar sobre o orçamento enviado", DueAt: new(s.at(2, 10)), Priority: crm.PriorityHigh, LeadID: s.ref("Patrícia Gomes"), AssigneeMemberID: &s.owner,
		}},
		{Task: crm.Task{Title: "Calibrar o elevador automotivo", DueAt: new(s.at(15, 17)), Priority: crm.PriorityLow}},
	}
}

// demoAppointment is an appointment, and the statuses that it went through.
type demoAppointment struct {
	crm.Appointment
	moves []string
}

func (s *sample) appointmentTable() []demoAppointment {
	slot := func(title, client, service string, day, hour int) crm.Appointment {
		return crm.Appointment{
			Title: title, ClientID: s.ref(client), ServiceID: s.ref(service), AssigneeMemberID: &s.owner,
			StartsAt: s.at(day, hour), EndsAt: s.at(day, hour+1), Location: new("Box 1"),
		}
	}
	return []demoAppointment{
		{slot("Troca de óleo do Civic", "Bruno Lima", "Troca de óleo", -1, 9), []string{crm.AppointmentConfirmed, crm.AppointmentCompleted}},
		{slot("Alinhamento do furgão", "Padaria Pão da Vila Ltda.", "Alinhamento e balanceamento", 0, 10), []string{crm.AppointmentConfirmed}},
		{slot("Avaliação dos freios", "Diego Martins", "Troca de pastilhas de freio", 0, 15), nil},
		{slot("Revisão do HB20", "Helena Prado", "Revisão completa", 1, 8), nil},
	}
}

// demoEntry is income or an expense: due some days from today, and paid at noon
// of paidDay, or not yet if it is 0.
type demoEntry struct {
	kind, description, category, client, method string
	amount                                      money.Cents
	dueDay, paidDay                             int
}

func entryTable() []demoEntry {
	return []demoEntry{
		{finance.Income, "Contrato de frota", "Prestação de serviços", "Transportes Aurora Ltda.", "boleto", 380_000, -85, -85},
		{finance.Income, "Contrato de frota", "Prestação de serviços", "Transportes Aurora Ltda.", "boleto", 380_000, -55, -54},
		{finance.Income, "Contrato de frota", "Prestação de serviços", "Transportes Aurora Ltda.", "boleto", 380_000, -25, -25},
		{finance.Income, "Contrato de frota", "Prestação de serviços", "Transportes Aurora Ltda.", "boleto", 380_000, 5, 0},
		{finance.Income, "Mensalidade de revisão", "Prestação de serviços", "Bruno Lima", "pix", 18_000, -40, -40},
		{finance.Income, "Mensalidade de revisão", "Prestação de serviços", "Bruno Lima", "pix", 18_000, -10, 0}, // overdue
		{finance.Expense, "Compra de óleos e filtros", "Mercadorias", "", "boleto", 126_500, -78, -78},
		{finance.Expense, "Compra de pneus", "Mercadorias", "", "boleto", 248_000, -33, -33},
		{finance.Expense, "Salário do mecânico", "Salários", "", "bank_transfer", 260_000, -60, -60},
		{finance.Expense, "Salário do mecânico", "Salários", "", "bank_transfer", 260_000, -30, -30},
		{finance.Expense, "Conta de luz", "Água, luz e gás", "", "pix", 48_730, -18, -18},
		{finance.Expense, "Internet e telefone", "Telefone e internet", "", "boleto", 19_990, 8, 0},
		{finance.Expense, "Simples Nacional", "Simples Nacional", "", "pix", 71_240, 12, 0},
	}
}

// rent began two months ago; liftInstallments are those of the shop's lift.
func (s *sample) rent() finance.NewRule {
	return finance.NewRule{Account: s.ref("Banco Exemplo"), Rule: finance.Rule{
		Type: finance.Expense, AmountCents: 280_000, Description: "Aluguel do galpão", CategoryID: s.ref("Aluguel"), Method: new("boleto"),
		Frequency: finance.Monthly, StartDate: s.today.AddMonths(-2), BusinessDay: finance.BusinessNext,
	}}
}

func (s *sample) liftInstallments() finance.NewInstallments {
	return finance.NewInstallments{
		NewTransaction: finance.NewTransaction{Account: s.ref("Banco Exemplo"), Transaction: finance.Transaction{
			Type: finance.Expense, Description: "Elevador automotivo", CategoryID: s.ref("Investimentos"), Method: new("boleto"),
		}},
		Total: 900_000, Count: 6, FirstDueDate: s.today.AddMonths(-1), Interval: finance.Monthly,
	}
}

// demoQuote is a quote under a name, and what became of it.
type demoQuote struct {
	name           string
	draft          quotes.Draft
	sent, approved bool
}

// quoteTable sends quotes only to who has no e-mail address: a start writes to nobody.
func (s *sample) quoteTable() []demoQuote {
	valid := s.today.AddDays(15)
	return []demoQuote{
		{name: "Pneus do Diego", draft: quotes.Draft{
			ClientID: s.ref("Diego Martins"), ValidUntil: &valid, Notes: new("Confirmar a medida na oficina."),
			Content: document.Draft{Lines: []document.LineDraft{s.variation("PNE-195-55", 4), s.service("Alinhamento e balanceamento", 1)}},
		}},
		{name: "Furgões da Patrícia", sent: true, draft: quotes.Draft{
			LeadID: s.ref("Patrícia Gomes"), ValidUntil: &valid, Terms: new("Garantia de 90 dias."),
			Content: document.Draft{Lines: []document.LineDraft{s.service("Revisão completa", 2), s.product("Óleo 5W30 sintético", 10)}},
		}},
		{name: "Revisão da Carla", sent: true, approved: true, draft: quotes.Draft{
			ClientID: s.ref("Carla Dias"), ValidUntil: &valid, Terms: new("Garantia de 90 dias."),
			Content: document.Draft{Lines: []document.LineDraft{
				s.service("Revisão completa", 1), s.product("Óleo 5W30 sintético", 4), s.product("Filtro de óleo", 1), s.product("Filtro de ar", 1),
			}},
		}},
	}
}

// brakeOrder is the order that is done and billed; the other one comes from a quote.
func (s *sample) brakeOrder() (serviceorders.Order, document.Draft) {
	order := serviceorders.Order{
		ClientID: *s.ref("Padaria Pão da Vila Ltda."), Title: "Freios do furgão", Description: new("Ruído ao frear."), Priority: crm.PriorityHigh,
		Equipment:        &serviceorders.Equipment{Name: new("Furgão"), Brand: new("Fiat"), Model: new("Fiorino 2020"), Serial: new("ABC1D23")},
		AssigneeMemberID: &s.owner, ScheduledStart: new(s.at(-1, 13)), ScheduledEnd: new(s.at(-1, 16)),
	}
	return order, document.Draft{Lines: []document.LineDraft{
		s.service("Troca de pastilhas de freio", 1), s.product("Pastilha de freio dianteira", 1), s.product("Fluido de freio DOT 4", 1),
	}}
}

// demoSale is a sale, what was paid of it at once, and why it was cancelled, if
// it was.
type demoSale struct {
	draft     sales.Draft
	paid      money.Cents
	method    string
	cancelled string
}

// saleTable has three sales; the fourth, which is open, bills brakeOrder.
func (s *sample) saleTable() []demoSale {
	first := s.today.AddDays(-20)
	return []demoSale{
		{paid: 33_860, method: "pix", draft: sales.Draft{
			ClientID: s.ref("Bruno Lima"), SoldAt: new(s.at(-32, 11)), CategoryID: s.ref("Prestação de serviços"),
			Content: document.Draft{Lines: []document.LineDraft{
				s.service("Troca de óleo", 1), s.product("Óleo 5W30 sintético", 4), s.product("Filtro de óleo", 1),
			}},
		}},
		{paid: 62_200, method: "credit_card", draft: sales.Draft{
			ClientID: s.ref("Helena Prado"), SoldAt: new(s.at(-20, 16)), CategoryID: s.ref("Venda de produtos"),
			PaymentPlan: &document.Plan{Count: 3, FirstDueDate: &first, Method: new("credit_card")},
			Content: document.Draft{Lines: []document.LineDraft{
				s.variation("PNE-185-60", 4), s.service("Alinhamento e balanceamento", 1),
			}},
		}},
		{cancelled: "O cliente desistiu.", draft: sales.Draft{
			ClientID: s.ref("Diego Martins"), SoldAt: new(s.at(-6, 10)), CategoryID: s.ref("Venda de produtos"),
			Content: document.Draft{Lines: []document.LineDraft{s.product("Filtro de ar", 1), s.product("Fluido de freio DOT 4", 2)}},
		}},
	}
}

func (s *sample) product(name string, n int) document.LineDraft {
	return document.LineDraft{Kind: document.KindProduct, ProductID: s.ref(name), Quantity: quantity(n)}
}

func (s *sample) variation(sku string, n int) document.LineDraft {
	return document.LineDraft{Kind: document.KindProduct, ProductID: s.ref("Pneu aro 15"), VariationID: s.ref(sku), Quantity: quantity(n)}
}

func (s *sample) service(name string, n int) document.LineDraft {
	return document.LineDraft{Kind: document.KindService, ServiceID: s.ref(name), Quantity: quantity(n)}
}

func quantity(n int) money.Quantity {
	q, _ := money.ParseQuantity(strconv.Itoa(n)) // of a whole number above zero
	return q
}
