package dashboard

import (
	"net/url"

	"github.com/a-h/templ"

	"fatureihoje/internal/problem"
)

func priorities() []choice { return []choice{{"normal", "Normal"}, {"high", "Alta"}, {"low", "Baixa"}} }

// addressField chooses one of the addresses of the client that the form has.
func addressField() formField {
	f := text("address_id", "Endereço do serviço")
	f.follows = "client_id"
	f.offers = func(v *visit, o object) ([]choice, error) {
		if !v.who.may("clients:read") {
			return nil, nil
		}
		client := v.typed("client_id", o.text("client_id"))
		if client == "" {
			return []choice{{"", "Escolha o cliente antes"}}, nil
		}
		return v.addressChoices(client)
	}
	return f
}

func (v *visit) addressChoices(client string) ([]choice, error) {
	found, err := get[list[object]](v, "listClientAddresses", []string{client}, url.Values{"limit": {maxChoices}, "sort": {"created_at"}, "order": {"asc"}})
	if err != nil && !problem.Is(err, problem.NotFound) {
		return nil, err
	}
	if len(found.Data) == 0 {
		return []choice{{"", "Este cliente não tem endereço cadastrado"}}, nil
	}
	choices := []choice{{"", "Nenhum"}}
	for _, a := range found.Data {
		choices = append(choices, choice{a.id(), joined(": ", a.text("label"), addressText(a))})
	}
	return choices, nil
}

// addressText is an address on one line.
func addressText(a object) string {
	return joined(", ", a.text("street"), a.text("number"), a.text("complement"), a.text("district"), joined("/", a.text("city"), a.text("state")))
}

// addressSection shows where the service of an order is done.
func addressSection(v *visit, _ resource, o object) (templ.Component, error) {
	if o.text("address_id") == "" || !v.who.may("clients:read") {
		return nil, nil //nolint:nilnil // nothing to see
	}
	address, err := get[object](v, "getClientAddress", []string{o.text("client_id"), o.text("address_id")}, nil)
	if problem.Is(err, problem.NotFound) {
		return nil, nil //nolint:nilnil // it is gone
	}
	if err != nil {
		return nil, err
	}
	return orderAddressBody(address), nil
}

func equipmentText(_ *visit, o object) string {
	serial := o.text("equipment.serial")
	if serial != "" {
		serial = "nº de série " + serial
	}
	return joined(" · ", o.text("equipment.name"), o.text("equipment.brand"), o.text("equipment.model"), serial)
}

// ownStatus is the company's own label of an order.
func ownStatus() attribute {
	return attribute{label: "Situação própria", state: func(o object) word { return word{o.text("custom_status"), "quiet"} }}
}

// postalCode writes a CEP as a person does.
func postalCode(text string) string {
	if len(text) != 8 {
		return text
	}
	return text[:5] + "-" + text[5:]
}
