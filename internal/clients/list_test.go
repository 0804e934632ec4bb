package clients_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/testkit"
)

func TestSearch_FindsWordsByTheirBeginningsAndDigitsInAnySpelling(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	newClient(t, key, testkit.M{
		"name": "João Conceição D'Ávila", "document": "529.982.247-25", "mobile": "(11) 91234-5678", "email": "joao.c@padaria.com.br", "trade_name": "Pão & Cia",
	})
	newClient(t, key, testkit.M{"name": "Joana Prado", "document": "12.ABC.345/01DE-35", "phone": "+1 415 555 0100"})
	for q, want := range map[string]int{
		"joao": 1, "JOÃO": 1, "Joa": 2, "joa prado": 1, "prado joana": 1, "conceicao avila": 1, "joao prado": 0, "oao": 0, "pao": 1, "padaria": 1,
		"joao.c@padaria.com.br": 1, "529.982": 1, "52998224725": 1, "529 982 247 25": 1, "982247": 0, "12.abc.345": 1, "12ABC34501DE35": 1,
		"91234-5678": 1, "(11) 91234": 1, "+55 11 91234-5678": 1, "5511912345678": 1, "11912345678": 1, "415 555": 0, "1 415 555 0100": 1, "xyz": 0,
	} {
		if found := names(t, key, "?q="+url.QueryEscape(q)); len(found) != want {
			t.Errorf("%q finds %v, want %d", q, found, want)
		}
	}
}

func TestSearch_FollowsEachChange(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	path := "/clients/" + newClient(t, key, testkit.M{"name": "Antes", "tags": []string{"velho"}}).ID()

	key.Patch(t, path, testkit.M{"name": "Depois", "tags": []string{"novo"}}).Want(t, 200)

	for query, want := range map[string]int{"?q=antes": 0, "?q=depois": 1, "?tag=velho": 0, "?tag=novo": 1} {
		if found := names(t, key, query); len(found) != want {
			t.Errorf("%s finds %v", query, found)
		}
	}
}

func TestList_IsNarrowedByItsFilters(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	key := testkit.New(t, testkit.WithClock(now)).Tenant(t).Key(t)
	newClient(t, key, testkit.M{"name": "A", "document": "529.982.247-25", "tags": []string{"vip", "sul"}, "email": "A@x.com"})
	now.Advance(time.Hour)
	b := newClient(t, key, testkit.M{"name": "B", "tags": []string{"sul"}, "email": "b@x.com"})
	now.Advance(time.Hour)
	newClient(t, key, testkit.M{"name": "C"})
	key.Post(t, "/clients/"+b.ID()+"/archive", nil).Want(t, 200)
	for query, want := range map[string][]string{
		"":                                   {"C", "B", "A"},
		"?order=asc":                         {"A", "B", "C"},
		"?sort=name&order=asc":               {"A", "B", "C"},
		"?sort=name&order=desc":              {"C", "B", "A"},
		"?sort=updated_at&order=asc":         {"A", "B", "C"},
		"?status=archived":                   {"B"},
		"?status=active&tag=sul":             {"A"},
		"?tag=sul":                           {"B", "A"},
		"?tag=su":                            {},
		"?document=529.982.247-25":           {"A"},
		"?email=a@X.com":                     {"A"},
		"?email=a":                           {},
		"?created_from=2026-05-01T13:00:00Z": {"C", "B"},
		"?created_to=2026-05-01T13:00:00Z":   {"A"},
		"?created_from=2026-05-01T09:00:00-03:00&created_to=2026-05-01T11:00:00-03:00": {"B", "A"},
		"?updated_from=2026-05-01T14:00:00Z":                                           {"C", "B"},
		"?external_id=none":                                                            {},
	} {
		if got := names(t, key, query); !slices.Equal(got, want) {
			t.Errorf("%s gives %v, want %v", query, got, want)
		}
	}
	for _, query := range []string{"?status=deleted", "?document=1", "?created_from=yesterday", "?tag=", "?q=", "?sort=document", "?order=up"} {
		key.Get(t, "/clients"+query).WantProblem(t, 422, "validation_failed")
	}
}

// TestPages_NeitherRepeatNorHide: rows come and go while a caller reads.
func TestPages_NeitherRepeatNorHide(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"", "&order=asc", "&sort=name", "&sort=name&order=asc", "&sort=updated_at&order=asc"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			key := newKey(t)
			ids := map[string]bool{}
			var all []string
			for i := range 12 {
				id := newClient(t, key, testkit.M{"name": fmt.Sprintf("Cliente %02d", i/3)}).ID() // names repeat
				ids[id], all = true, append(all, id)
			}
			seen := map[string]int{}
			next := ""
			for page := 0; ; page++ {
				r := key.Get(t, "/clients?limit=3"+order+next).Want(t, 200)
				for _, c := range r.Data(t) {
					seen[c["id"].(string)]++
				}
				if r.Text("has_more") != "true" {
					break
				}
				next = "&cursor=" + r.Text("next_cursor")
				newClient(t, key, testkit.M{"name": "Novo"})
				if page == 1 {
					last := r.Data(t)[2]["id"].(string)
					key.Delete(t, "/clients/"+last).Want(t, 204) // the row that the cursor stands at
				}
			}
			for _, id := range all {
				if seen[id] != 1 {
					t.Errorf("a client was seen %d times", seen[id])
				}
			}
		})
	}
}
