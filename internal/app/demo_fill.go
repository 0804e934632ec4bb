package app

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/catalog"
	"fatureihoje/internal/civil"
	"fatureihoje/internal/crm"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/finance"
	"fatureihoje/internal/opt"
	"fatureihoje/internal/page"
	"fatureihoje/internal/sales"
)

// sample makes the records of the demo company in the transaction that founds
// it: a start that is cut short has made none of them, and the next makes all.
type sample struct {
	services
	tx    *db.Tx
	today civil.Date
	zone  *time.Location
	owner uuid.UUID
	ids   map[string]uuid.UUID // of what was made, by its name
}

func (a *App) fillDemo(ctx context.Context, tx *db.Tx) error {
	caller := auth.CallerFrom(ctx)
	s := &sample{
		services: a.services, tx: tx, today: civil.DateOf(tx.Now(), caller.Location()), zone: caller.Location(),
		owner: caller.Member.ID, ids: map[string]uuid.UUID{},
	}
	for _, fill := range []func(context.Context) error{
		s.makeClients, s.makeProducts, s.makeServiceItems, s.makeLeads, s.findCategories, s.makeAccounts, s.makeEntries, s.makeSeries,
		s.makeQuotes, s.makeOrders, s.makeSales, s.makeTasks, s.makeAppointments,
	} {
		if err := fill(ctx); err != nil {
			return fmt.Errorf("make the sample data of the demo: %w", err)
		}
	}
	return nil
}

// ref is the id of what has this name. A name that nothing has is the zero id,
// which every service refuses.
func (s *sample) ref(name string) *uuid.UUID { return new(s.ids[name]) }

// day is the day that is n days from today.
func (s *sample) day(n int) civil.Date { return s.today.AddDays(n) }

// at is an hour of the day that is n days from today.
func (s *sample) at(n, hour int) time.Time {
	return s.noon(s.day(n)).Add(time.Duration(hour-12) * time.Hour)
}

func (s *sample) noon(d civil.Date) time.Time {
	const half = 12 * time.Hour
	return d.In(s.zone).Add(half).UTC()
}

func (s *sample) makeClients(ctx context.Context) error {
	for _, c := range s.clientTable() {
		made, err := s.clients.Create(ctx, s.tx, c)
		if err != nil {
			return fmt.Errorf("client: %w", err)
		}
		s.ids[c.Name] = made.ID
	}
	return nil
}

func (s *sample) makeProducts(ctx context.Context) error {
	if err := makeCategories[catalog.ProductTree](ctx, s, productCategoryTable()); err != nil {
		return err
	}
	for _, p := range s.productTable() {
		made, err := s.catalog.CreateProduct(ctx, s.tx, p)
		if err != nil {
			return fmt.Errorf("product: %w", err)
		}
		s.ids[p.Name] = made.ID
	}
	for _, v := range variationTable() {
		made, err := s.catalog.CreateVariation(ctx, s.tx, *s.ref("Pneu aro 15"), v)
		if err != nil {
			return fmt.Errorf("variation: %w", err)
		}
		s.ids[*v.SKU] = made.ID
	}
	return nil
}

func makeCategories[T catalog.Tree](ctx context.Context, s *sample, names []string) error {
	for i, name := range names {
		made, err := catalog.Categories[T]{}.Create(ctx, s.tx, catalog.Category{Name: name, Position: i + 1})
		if err != nil {
			return fmt.Errorf("category: %w", err)
		}
		s.ids[name] = made.ID
	}
	return nil
}

func (s *sample) makeServiceItems(ctx context.Context) error {
	if err := makeCategories[catalog.ServiceTree](ctx, s, serviceCategoryTable()); err != nil {
		return err
	}
	for _, i := range s.serviceTable() {
		made, err := s.catalog.CreateService(ctx, s.tx, i)
		if err != nil {
			return fmt.Errorf("service: %w", err)
		}
		s.ids[i.Name] = made.ID
	}
	return nil
}

func (s *sample) makeLeads(ctx context.Context) error {
	for _, l := range s.leadTable() {
		made, err := s.crm.CreateLead(ctx, s.tx, l.Lead)
		if err != nil {
			return fmt.Errorf("lead: %w", err)
		}
		s.ids[l.Name] = made.ID
		for _, move := range l.moves {
			if _, err := s.crm.ChangeLeadStatus(ctx, s.tx, made.ID, move); err != nil {
				return fmt.Errorf("lead, %s: %w", move.Status, err)
			}
		}
		if l.convertedTo == "" {
			continue
		}
		if _, err := s.crm.ConvertLead(ctx, s.tx, made.ID, s.ref(l.convertedTo)); err != nil {
			return fmt.Errorf("convert a lead: %w", err)
		}
	}
	return nil
}

// findCategories learns the ids of the categories that every company starts with.
func (s *sample) findCategories(ctx context.Context) error {
	found, err := s.finance.ListCategories(ctx, s.tx, finance.CategoryFilter{Page: wholeList()})
	if err != nil {
		return fmt.Errorf("financial categories: %w", err)
	}
	for _, c := range found.Items {
		s.ids[c.Name] = c.ID
	}
	return nil
}

func wholeList() page.Request { return page.Request{Limit: page.MaxLimit, Sort: "created_at"} }

// makeAccounts dates the company's cash back to before its first entry, and adds
// a bank account and a transfer into the cash.
func (s *sample) makeAccounts(ctx context.Context) error {
	start := s.today.AddMonths(-4)
	found, err := s.finance.ListAccounts(ctx, s.tx, finance.AccountFilter{Page: wholeList()})
	if err != nil {
		return fmt.Errorf("financial accounts: %w", err)
	}
	for _, a := range found.Items {
		s.ids[a.Name] = a.ID
	}
	if _, err := s.finance.UpdateAccount(ctx, s.tx, *s.ref("Caixa"), etag.Match{}, finance.AccountChanges{
		OpeningDate: opt.Of(start), OpeningBalanceCents: opt.Of[int64](80_000),
	}); err != nil {
		return fmt.Errorf("cash account: %w", err)
	}
	bank, err := s.finance.CreateAccount(ctx, s.tx, finance.Account{
		Name: "Banco Exemplo", Kind: "checking", Agency: new("0001"), Number: new("12345-6"), OpeningBalanceCents: 3_200_000, OpeningDate: start,
	})
	if err != nil {
		return fmt.Errorf("bank account: %w", err)
	}
	s.ids[bank.Name] = bank.ID
	_, err = s.finance.CreateTransfer(ctx, s.tx, finance.NewTransfer{
		From: bank.ID, To: *s.ref("Caixa"), Amount: 50_000, Date: s.day(-45), Description: "Reforço do caixa",
	})
	return err
}

func (s *sample) makeEntries(ctx context.Context) error {
	for _, e := range entryTable() {
		t := finance.Transaction{
			Type: e.kind, AmountCents: e.amount, Description: e.description, DueDate: s.day(e.dueDay),
			CategoryID: s.ref(e.category), Method: &e.method,
		}
		if e.client != "" {
			t.ClientID = s.ref(e.client)
		}
		if e.paidDay != 0 {
			t.PaidAt = new(s.at(e.paidDay, 12))
		}
		if _, err := s.finance.CreateTransaction(ctx, s.tx, finance.NewTransaction{Transaction: t, Account: s.ref("Banco Exemplo")}); err != nil {
			return fmt.Errorf("entry: %w", err)
		}
	}
	return nil
}

// makeSeries makes the rent and the instalments, and pays what of them is past.
func (s *sample) makeSeries(ctx context.Context) error {
	_, rent, err := s.finance.CreateRule(ctx, s.tx, s.rent())
	if err != nil {
		return fmt.Errorf("recurring rule: %w", err)
	}
	lift, err := s.finance.CreateInstallments(ctx, s.tx, s.liftInstallments())
	if err != nil {
		return fmt.Errorf("installments: %w", err)
	}
	for _, t := range append(rent, lift.Parts...) {
		if !t.DueDate.Before(s.today) {
			continue
		}
		if _, err := s.finance.MarkPaid(ctx, s.tx, t.ID, finance.Settling{PaidAt: s.noon(t.DueDate)}); err != nil {
			return fmt.Errorf("pay a part: %w", err)
		}
	}
	return nil
}

func (s *sample) makeQuotes(ctx context.Context) error {
	for _, q := range s.quoteTable() {
		made, err := s.quotes.Create(ctx, s.tx, q.draft)
		if err != nil {
			return fmt.Errorf("quote: %w", err)
		}
		s.ids[q.name] = made.ID
		if q.sent {
			if _, _, err := s.quotes.Send(ctx, s.tx, made.ID); err != nil {
				return fmt.Errorf("send a quote: %w", err)
			}
		}
		if q.approved {
			if _, err := s.quotes.Approve(ctx, s.tx, made.ID); err != nil {
				return fmt.Errorf("approve a quote: %w", err)
			}
		}
	}
	return nil
}

// makeOrders makes an order in progress from the approved quote, and one that is
// completed.
func (s *sample) makeOrders(ctx context.Context) error {
	fromQuote, err := s.orders.CreateFromQuote(ctx, s.tx, *s.ref("Revisão da Carla"))
	if err != nil {
		return fmt.Errorf("service order from a quote: %w", err)
	}
	s.ids["Revisão do Argo"] = fromQuote.ID
	order, draft := s.brakeOrder()
	brakes, err := s.orders.Create(ctx, s.tx, order, draft)
	if err != nil {
		return fmt.Errorf("service order: %w", err)
	}
	s.ids[brakes.Title] = brakes.ID
	for _, started := range []uuid.UUID{fromQuote.ID, brakes.ID} {
		if _, err := s.orders.Start(ctx, s.tx, started); err != nil {
			return fmt.Errorf("start a service order: %w", err)
		}
	}
	_, err = s.orders.Complete(ctx, s.tx, brakes.ID, new("Pastilhas e fluido trocados; testado na rua."))
	return err
}

func (s *sample) makeSales(ctx context.Context) error {
	for _, sale := range s.saleTable() {
		if err := s.makeSale(ctx, sale); err != nil {
			return fmt.Errorf("sale: %w", err)
		}
	}
	_, err := s.orders.Convert(ctx, s.tx, *s.ref("Freios do furgão"))
	return err
}

func (s *sample) makeSale(ctx context.Context, sale demoSale) error {
	made, err := s.sales.Create(ctx, s.tx, sale.draft)
	if err != nil {
		return err
	}
	if sale.paid > 0 {
		payment := sales.NewPayment{AmountCents: sale.paid, Method: sale.method, PaidAt: sale.draft.SoldAt}
		if _, _, err := s.sales.Pay(ctx, s.tx, made.ID, payment); err != nil {
			return err
		}
	}
	if sale.cancelled != "" {
		_, err = s.sales.Cancel(ctx, s.tx, made.ID, sales.Cancellation{Reason: &sale.cancelled})
	}
	return err
}

func (s *sample) makeTasks(ctx context.Context) error {
	for _, t := range s.taskTable() {
		made, err := s.crm.CreateTask(ctx, s.tx, t.Task)
		if err != nil {
			return fmt.Errorf("task: %w", err)
		}
		for _, status := range t.moves {
			if _, err := s.crm.ChangeTaskStatus(ctx, s.tx, made.ID, status); err != nil {
				return fmt.Errorf("task, %s: %w", status, err)
			}
		}
	}
	return nil
}

func (s *sample) makeAppointments(ctx context.Context) error {
	for _, a := range s.appointmentTable() {
		made, err := s.crm.CreateAppointment(ctx, s.tx, a.Appointment)
		if err != nil {
			return fmt.Errorf("appointment: %w", err)
		}
		for _, status := range a.moves {
			if _, err := s.crm.ChangeAppointmentStatus(ctx, s.tx, made.ID, crm.AppointmentStatusChange{Status: status}); err != nil {
				return fmt.Errorf("appointment, %s: %w", status, err)
			}
		}
	}
	return nil
}
