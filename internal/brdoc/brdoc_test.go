package brdoc_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/brdoc"
)

// parseCase is one input of a Parse function: the normal form, or the refusal.
type parseCase struct {
	in, want string
	err      error
}

func checkParse(t *testing.T, parse func(string) (string, error), tests []parseCase) {
	t.Helper()
	for _, tt := range tests {
		got, err := parse(tt.in)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%q: got %q, %v, want %q, %v", tt.in, got, err, tt.want, tt.err)
		}
	}
}

func TestParsePostalCode(t *testing.T) {
	checkParse(t, brdoc.ParsePostalCode, []parseCase{
		{"01310-100", "01310100", nil},
		{" 01310100 ", "01310100", nil},
		{"99999-999", "99999999", nil},
		{"", "", brdoc.ErrPostalCode},
		{"00000-000", "", brdoc.ErrPostalCode},
		{"0131-0100", "", brdoc.ErrPostalCode},
		{"1310100", "", brdoc.ErrPostalCode},
		{"013101000", "", brdoc.ErrPostalCode},
		{"0131O100", "", brdoc.ErrPostalCode},
		{"01310 100", "", brdoc.ErrPostalCode},
		{"０1310100", "", brdoc.ErrPostalCode},
	})
}

func TestParsePhone(t *testing.T) {
	checkParse(t, brdoc.ParsePhone, []parseCase{
		{"(11) 91234-5678", "+5511912345678", nil},
		{"11912345678", "+5511912345678", nil},
		{"011 91234-5678", "+5511912345678", nil},
		{"011 3333-4444", "+551133334444", nil},
		{"11 5123.4567", "+551151234567", nil},
		{"+55 (55) 99123-4567", "+5555991234567", nil},
		{"55991234567", "+5555991234567", nil},
		{"+1 (212) 555-0100", "+12125550100", nil},
		{"+35312345", "+35312345", nil},
		{"+123456789012345", "+123456789012345", nil},

		{"", "", brdoc.ErrPhone},
		{"+", "", brdoc.ErrPhone},
		{"91234-5678", "", brdoc.ErrPhone},
		{"+1234567", "", brdoc.ErrPhone},
		{"+1234567890123456", "", brdoc.ErrPhone},
		{"+0123456789", "", brdoc.ErrPhone},
		{"++5511912345678", "", brdoc.ErrPhone},
		{"+55 011 91234-5678", "", brdoc.ErrPhone},
		{"5511912345678", "", brdoc.ErrPhone},
		{"(11) 81234-5678", "", brdoc.ErrPhone},
		{"(11) 9123-4567", "", brdoc.ErrPhone},
		{"(11) 1333-4444", "", brdoc.ErrPhone},
		{"11 91234-5678 ramal 2", "", brdoc.ErrPhone},
		{"11９12345678", "", brdoc.ErrPhone},

		{"(10) 91234-5678", "", brdoc.ErrPhoneAreaCode},
		{"(20) 91234-5678", "", brdoc.ErrPhoneAreaCode},
		{"+55 23 91234-5678", "", brdoc.ErrPhoneAreaCode},
		{"(52) 3333-4444", "", brdoc.ErrPhoneAreaCode},
		{"0800 123 4567", "", brdoc.ErrPhoneAreaCode},
	})
}

func TestParsePhone_Knows67AreaCodes(t *testing.T) {
	known := 0
	for area := 10; area <= 99; area++ {
		phone := string([]byte{byte('0' + area/10), byte('0' + area%10)}) + "912345678"
		if _, err := brdoc.ParsePhone(phone); err == nil {
			known++
		}
	}
	if known != 67 {
		t.Errorf("got %d area codes, want 67", known)
	}
}

func TestParsePhone_ReadsBackItsOwnForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`\+?[0-9]{8,15}`).Draw(t, "in")
		first, err := brdoc.ParsePhone(in)
		if err != nil {
			t.Skip("refused")
		}

		again, err := brdoc.ParsePhone(first)

		if err != nil || again != first {
			t.Fatalf("%q became %q, %v", first, again, err)
		}
	})
}

func TestParseState(t *testing.T) {
	parse := func(s string) (string, error) {
		state, err := brdoc.ParseState(s)
		return string(state), err
	}
	checkParse(t, parse, []parseCase{
		{"SP", "SP", nil},
		{" df ", "DF", nil},
		{"rJ", "RJ", nil},
		{"", "", brdoc.ErrState},
		{"XX", "", brdoc.ErrState},
		{"EX", "", brdoc.ErrState},
		{"São Paulo", "", brdoc.ErrState},
		{"ſp", "", brdoc.ErrState},
	})
}

func TestParseState_Knows27StatesWithDistinctCodes(t *testing.T) {
	byCode := map[string]brdoc.State{}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if state, err := brdoc.ParseState(string(a) + string(b)); err == nil {
				byCode[state.IBGECode()] = state
			}
		}
	}
	if len(byCode) != 27 {
		t.Errorf("got %d states: %v", len(byCode), byCode)
	}
}

func TestCityCodeMatches(t *testing.T) {
	tests := []struct {
		state brdoc.State
		city  string
		want  bool
	}{
		{"SP", "3550308", true},
		{"DF", "5300108", true},
		{"RJ", "3550308", false},
		{"SP", "355030", false},
		{"SP", "35503088", false},
		{"SP", "35a0308", false},
		{"SP", "", false},
		{"", "3550308", false},
	}
	for _, tt := range tests {
		if got := brdoc.CityCodeMatches(tt.state, tt.city); got != tt.want {
			t.Errorf("CityCodeMatches(%q, %q) = %t", tt.state, tt.city, got)
		}
	}
}

func TestParseStateRegistration(t *testing.T) {
	checkParse(t, brdoc.ParseStateRegistration, []parseCase{
		{"110.042.490.114", "110042490114", nil},
		{"P-01100424.3/002", "P011004243002", nil},
		{"isento", brdoc.Exempt, nil},
		{"12345678901234", "12345678901234", nil},
		{"123456789012345", "", brdoc.ErrStateRegistration},
		{"", "", brdoc.ErrStateRegistration},
		{"-./", "", brdoc.ErrStateRegistration},
		{"não tem", "", brdoc.ErrStateRegistration},
	})
}

func TestParseGTIN(t *testing.T) {
	checkParse(t, brdoc.ParseGTIN, []parseCase{
		{"7891000315507", "7891000315507", nil},
		{"96385074", "96385074", nil},
		{"036000291452", "036000291452", nil},
		{"00036000291452", "00036000291452", nil},
		{"7891000315508", "", brdoc.ErrGTINCheckDigit},
		{"0000000000000", "", brdoc.ErrGTIN},
		{"789100031550", "", brdoc.ErrGTINCheckDigit},
		{"123456789", "", brdoc.ErrGTIN},
		{"7891000-315507", "", brdoc.ErrGTIN},
		{"SEM GTIN", "", brdoc.ErrGTIN},
		{"", "", brdoc.ErrGTIN},
	})
}

func TestParseNCM(t *testing.T) {
	checkParse(t, brdoc.ParseNCM, []parseCase{
		{"8471.30.12", "84713012", nil},
		{"84713012", "84713012", nil},
		{"8471.3012", "84713012", nil},
		{"84.71.30.12", "", brdoc.ErrNCM},
		{"8471301", "", brdoc.ErrNCM},
		{"8471301A", "", brdoc.ErrNCM},
		{"", "", brdoc.ErrNCM},
	})
}

func TestParse_NeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-+0-9A-Za-z ./()]{0,20}`)).Draw(t, "s")

		d, _ := brdoc.ParseDocument(s)
		_, _ = d.Format(), brdoc.Mask(brdoc.Document(s))
		_ = brdoc.Document(s).Format()
		_, _ = brdoc.ParsePhone(s)
		_, _ = brdoc.ParsePostalCode(s)
		_, _ = brdoc.ParseStateRegistration(s)
		_, _ = brdoc.ParseGTIN(s)
		_, _ = brdoc.ParseNCM(s)
	})
}
