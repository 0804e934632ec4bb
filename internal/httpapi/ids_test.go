package httpapi_test

import (
	"slices"
	"strings"
	"testing"

	"fatureihoje/internal/testkit"
)

func TestIDs_ListTheRecordsThatTheyName(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, other := srv.Tenant(t).Key(t), srv.Tenant(t).Key(t)
	made := map[string]string{}
	for _, name := range []string{"Ana", "Bruno", "Caio"} {
		made[name] = key.Post(t, "/clients", testkit.M{"name": name}).Want(t, 201).ID()
	}
	key.Post(t, "/clients/"+made["Caio"]+"/archive", nil).Want(t, 200)
	foreign := other.Post(t, "/clients", testkit.M{"name": "Dora"}).Want(t, 201).ID()

	for ids, want := range map[string]string{
		made["Bruno"]:                                       "Bruno",
		made["Ana"] + "," + made["Caio"]:                    "Caio Ana", // in the order of the list
		strings.ToUpper(made["Ana"]) + "," + made["Ana"]:    "Ana",
		made["Ana"] + "," + foreign:                         "Ana",
		foreign + "," + testkit.RandomID():                  "",
		made["Ana"] + "," + made["Caio"] + "&status=active": "Ana",
		made["Ana"] + "," + made["Bruno"] + "&q=bru":        "Bruno",
	} {
		if got := names(key.All(t, "/clients?ids="+ids)); got != want {
			t.Errorf("ids=%s: want %q, got %q", ids, want, got)
		}
	}
}

func names(records []testkit.M) string {
	var all []string
	for _, r := range records {
		all = append(all, r["name"].(string))
	}
	return strings.Join(all, " ")
}

func TestIDs_AreUUIDsAndNoMoreThanAHundred(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	hundred := make([]string, 100)
	for i := range hundred {
		hundred[i] = testkit.RandomID()
	}
	one := hundred[0]

	for _, malformed := range []string{"", ",", one + ",", "," + one, one + "," + "," + one, one + "%20", one + ";" + one[1:], "abc", "{" + one + "}", one[1:], "null", "%00"} {
		if got := key.Get(t, "/clients?ids="+strings.ReplaceAll(malformed, ";", "%3B")); !slices.Equal(got.FieldErrors(t), []string{"?ids uuid"}) {
			t.Errorf("ids=%s: %s", malformed, got)
		}
	}
	key.Get(t, "/clients?ids="+one+"&ids="+one).WantFieldErrors(t, "?ids repeated")
	key.Get(t, "/clients?limit=100&ids="+strings.Join(hundred, ",")).Want(t, 200)
	key.Get(t, "/clients?ids="+strings.Join(append(hundred, one), ",")).Want(t, 200) // one that is repeated counts once
	key.Get(t, "/clients?ids="+strings.Join(append(hundred, testkit.RandomID()), ",")).WantFieldErrors(t, "?ids too_many_items")
}

func TestIDs_ArePagedLikeAnyList(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	var ids []string
	for _, name := range []string{"Ana", "Bruno", "Caio"} {
		ids = append(ids, key.Post(t, "/clients", testkit.M{"name": name}).Want(t, 201).ID())
	}
	query := "/clients?limit=2&ids=" + strings.Join(ids, ",")

	first := key.Get(t, query).Want(t, 200)
	second := key.Get(t, query+"&cursor="+first.Text("next_cursor")).Want(t, 200)

	if a, b := names(first.Data(t)), names(second.Data(t)); a != "Caio Bruno" || b != "Ana" {
		t.Errorf("the pages are %q and %q", a, b)
	}
	key.Get(t, "/clients?ids="+ids[0]+"&cursor="+first.Text("next_cursor")).WantProblem(t, 400, "invalid_request")
}
