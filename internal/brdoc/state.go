package brdoc

import "strings"

// State is one of the 27 federative units by its two upper-case letters.
type State string

// cityCodeLength is the length of an IBGE municipality code, whose first two
// digits are the state's own code.
const cityCodeLength = 7

// ParseState reads a state's abbreviation in any case. It reports ErrState.
func ParseState(s string) (State, error) {
	s = strings.TrimSpace(s)
	if len(s) != 2 {
		return "", ErrState
	}
	state := State(strings.ToUpper(s))
	if state.IBGECode() == "" {
		return "", ErrState
	}
	return state, nil
}

// CityCodeMatches says whether cityCode has the form of an IBGE municipality
// code of the state. It does not know which municipalities exist.
func CityCodeMatches(state State, cityCode string) bool {
	code := state.IBGECode()
	return code != "" && len(cityCode) == cityCodeLength && allDigits(cityCode) &&
		strings.HasPrefix(cityCode, code)
}

// IBGECode returns the state's two-digit code (IBGE, Divisão Territorial
// Brasileira), or "" if there is no such state.
func (s State) IBGECode() string {
	switch s {
	case "RO":
		return "11"
	case "AC":
		return "12"
	case "AM":
		return "13"
	case "RR":
		return "14"
	case "PA":
		return "15"
	case "AP":
		return "16"
	case "TO":
		return "17"
	case "MA":
		return "21"
	case "PI":
		return "22"
	case "CE":
		return "23"
	case "RN":
		return "24"
	case "PB":
		return "25"
	case "PE":
		return "26"
	case "AL":
		return "27"
	case "SE":
		return "28"
	case "BA":
		return "29"
	case "MG":
		return "31"
	case "ES":
		return "32"
	case "RJ":
		return "33"
	case "SP":
		return "35"
	case "PR":
		return "41"
	case "SC":
		return "42"
	case "RS":
		return "43"
	case "MS":
		return "50"
	case "MT":
		return "51"
	case "GO":
		return "52"
	case "DF":
		return "53"
	}
	return ""
}
