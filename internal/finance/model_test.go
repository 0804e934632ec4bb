package finance_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/testkit"
)

// modelTransaction is what the model knows of a transaction.
type modelTransaction struct {
	kind, status, account string
	amount, paid          int64
	transfer              int // which transfer it is a row of; 0: none
}

func (m modelTransaction) sign() int64 {
	if m.kind == "income" || m.kind == "transfer_in" {
		return 1
	}
	return -1
}

// book is the model: every account's balance is the opening one plus what is paid.
type book struct {
	opening      map[string]int64
	transactions map[string]*modelTransaction
	order        []string
	transfers    int
}

func (b *book) want(account string) balances {
	w := balances{b.opening[account], b.opening[account]}
	for _, t := range b.transactions {
		if t.account != account {
			continue
		}
		switch t.status {
		case "paid":
			w.Balance += t.sign() * t.paid
			w.Projected += t.sign() * t.paid
		case "pending":
			w.Projected += t.sign() * t.amount
		}
	}
	return w
}

func (b *book) add(id string, t modelTransaction) {
	b.transactions[id] = &t
	b.order = append(b.order, id)
}

func TestAccounts_BalanceIsOpeningPlusMovementsOverRandomHistories(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	rapid.Check(t, func(rt *rapid.T) {
		key := srv.Tenant(t).Key(t)
		accounts := []string{cash(t, key), account(t, key, testkit.M{"opening_balance_cents": 500}), account(t, key)}
		b := &book{opening: map[string]int64{accounts[1]: 500}, transactions: map[string]*modelTransaction{}}
		amount := rapid.OneOf(rapid.Int64Range(1, 3), rapid.Int64Range(1, 1_000_000), rapid.Just(int64(99_999_999_999)))
		someone := rapid.SampledFrom(accounts)
		for range rapid.IntRange(3, 14).Draw(rt, "steps") {
			step := rapid.SampledFrom([]string{"create", "create", "transfer", "installments", "mark_paid", "reopen", "cancel", "patch", "delete"}).Draw(rt, "step")
			m := machine{t: t, rt: rt, key: key, book: b, amount: amount, accounts: someone}
			m.do(step)
		}
		var total, opening int64
		for _, a := range accounts {
			got, want := balanceOf(t, key, a), b.want(a)
			if got != want {
				rt.Fatalf("account %s: want %+v, got %+v", a, want, got)
			}
			total += got.Balance
			opening += b.opening[a]
		}
		var own int64 // transfers cancel out
		for _, tr := range b.transactions {
			if tr.status == "paid" && (tr.kind == "income" || tr.kind == "expense") {
				own += tr.sign() * tr.paid
			}
		}
		if total != opening+own {
			rt.Fatalf("all accounts hold %d, not %d", total, opening+own)
		}
		wantSoundLedger(t, key)
	})
}

type machine struct {
	t        *testing.T
	rt       *rapid.T
	key      *testkit.Client
	book     *book
	amount   *rapid.Generator[int64]
	accounts *rapid.Generator[string]
}

func (m machine) do(step string) {
	switch step {
	case "create":
		m.create()
	case "transfer":
		m.transfer()
	case "installments":
		m.installments()
	default:
		if len(m.book.order) > 0 {
			m.act(step, rapid.SampledFrom(m.book.order).Draw(m.rt, "transaction"))
		}
	}
}

func (m machine) create() {
	tr := modelTransaction{
		kind: rapid.SampledFrom([]string{"income", "expense"}).Draw(m.rt, "type"), status: "pending",
		account: m.accounts.Draw(m.rt, "account"), amount: m.amount.Draw(m.rt, "amount"),
	}
	body := testkit.M{"type": tr.kind, "account_id": tr.account, "amount_cents": tr.amount}
	if rapid.Bool().Draw(m.rt, "paid") {
		body["paid_at"], tr.status, tr.paid = paidAt, "paid", tr.amount
	}
	m.book.add(transaction(m.t, m.key, body).Want(m.t, 201).ID(), tr)
}

func (m machine) transfer() {
	from, to, amount := m.accounts.Draw(m.rt, "from"), m.accounts.Draw(m.rt, "to"), m.amount.Draw(m.rt, "amount")
	fee := rapid.Int64Range(0, 2).Draw(m.rt, "fee")
	body := testkit.M{"from_account_id": from, "to_account_id": to, "amount_cents": amount, "date": "2026-11-30", "fee_cents": fee}
	made := m.key.Post(m.t, "/financial_transactions/transfer", body)
	if from == to {
		made.WantProblem(m.t, 422, "validation_failed")
		return
	}
	m.book.transfers++
	for _, row := range read[[]wireTransaction](m.t, made.Want(m.t, 201).JSON()["transactions"]) {
		m.book.add(*row.ID, modelTransaction{kind: row.Type, status: "paid", account: row.AccountID, amount: row.AmountCents, paid: row.AmountCents, transfer: m.book.transfers})
	}
}

func (m machine) installments() {
	count := rapid.IntRange(2, 12).Draw(m.rt, "count")
	total := max(m.amount.Draw(m.rt, "amount"), int64(count))
	acct := m.accounts.Draw(m.rt, "account")
	made := m.key.Post(m.t, "/financial_transactions/installments", installments(total, count, testkit.M{"account_id": acct})).Want(m.t, 201)
	var sum, least, most int64 = 0, total, 0
	for _, part := range read[[]wireTransaction](m.t, made.JSON()["transactions"]) {
		m.book.add(*part.ID, modelTransaction{kind: "expense", status: "pending", account: acct, amount: part.AmountCents})
		sum, least, most = sum+part.AmountCents, min(least, part.AmountCents), max(most, part.AmountCents)
	}
	if sum != total || most-least > 1 {
		m.rt.Fatalf("%d in %d: sum %d, parts from %d to %d", total, count, sum, least, most)
	}
}

// act tries an action and expects what the model says of it.
func (m machine) act(action, id string) {
	tr := m.book.transactions[id]
	path := "/financial_transactions/" + id
	switch action {
	case "mark_paid":
		account := m.accounts.Draw(m.rt, "account")
		interest, discount := rapid.Int64Range(0, 5).Draw(m.rt, "interest"), rapid.Int64Range(0, 1).Draw(m.rt, "discount")
		fee := rapid.Int64Range(0, 1).Draw(m.rt, "fee")
		paid := tr.amount + interest - discount - tr.sign()*fee
		got := m.key.Post(m.t, path+"/mark_paid", testkit.M{
			"paid_at": paidAt, "account_id": account, "interest_cents": interest, "discount_cents": discount, "fee_cents": fee,
		})
		if tr.status == "pending" && (paid < 0 || paid > 99_999_999_999) {
			got.WantProblem(m.t, 422, "validation_failed")
			return
		}
		if m.expect(got, 200, tr.status == "pending" && tr.transfer == 0) {
			tr.status, tr.account, tr.paid = "paid", account, paid
		}
	case "reopen":
		if m.expect(m.key.Post(m.t, path+"/reopen", nil), 200, tr.status == "paid" && tr.transfer == 0) {
			tr.status = "pending"
		}
	case "cancel":
		if m.expect(m.key.Post(m.t, path+"/cancel", nil), 200, tr.status == "pending" || tr.transfer > 0 && tr.status == "paid") {
			for _, other := range m.book.transactions {
				if other == tr || tr.transfer > 0 && other.transfer == tr.transfer {
					other.status = "cancelled"
				}
			}
		}
	case "patch":
		account, amount := m.accounts.Draw(m.rt, "account"), m.amount.Draw(m.rt, "amount")
		got := m.key.Patch(m.t, path, testkit.M{"account_id": account, "amount_cents": amount})
		if tr.transfer > 0 {
			got.WantProblem(m.t, 409, "conflict")
		} else if m.expect(got, 200, tr.status == "pending") {
			tr.account, tr.amount = account, amount
		}
	case "delete":
		if m.expect(m.key.Delete(m.t, path), 204, tr.status == "pending") {
			delete(m.book.transactions, id)
			m.book.order = without(m.book.order, id)
		}
	}
}

func (m machine) expect(got *testkit.Response, status int, allowed bool) bool {
	if allowed {
		got.Want(m.t, status)
	} else if got.Status != 409 || got.Code() != "invalid_state" {
		m.rt.Fatalf("want 409 invalid_state, got %s", fmt.Sprint(got))
	}
	return allowed
}

func without(list []string, id string) []string {
	var rest []string
	for _, other := range list {
		if other != id {
			rest = append(rest, other)
		}
	}
	return rest
}
