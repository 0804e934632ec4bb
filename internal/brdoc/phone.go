package brdoc

import "strings"

const (
	phoneSeparators = " ().-"
	brazilCode      = "55"

	// An international number, country code included: at most 15 digits (ITU-T
	// E.164); shorter than 8 is a service or a typing mistake.
	phoneMinDigits = 8
	phoneMaxDigits = 15

	areaCodeLength = 2
	mobileLength   = 9
	landlineLength = 8

	// areaCodes are the 67 in use (Anatel, Código Nacional).
	areaCodes = "11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 " +
		"41 42 43 44 45 46 47 48 49 51 53 54 55 61 62 63 64 65 66 67 68 69 " +
		"71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99"
)

// ParsePhone reads a telephone number into E.164, as +5511912345678. With a
// plus sign it is international; without one it is Brazilian, area code first
// and the trunk 0 allowed: (11) 91234-5678, 011 3333-4444. Brazilian numbers,
// +55 included, are mobiles of 9 digits that begin with 9 or landlines of 8
// that begin with 2 to 5; 0800 and the like are not.
//
// It reports ErrPhone or ErrPhoneAreaCode.
func ParsePhone(s string) (string, error) {
	s = strings.TrimSpace(s)
	number, international := strings.CutPrefix(s, "+")
	bare, ok := digits(number, phoneSeparators)
	if !ok {
		return "", ErrPhone
	}
	if international {
		return parseInternational(bare)
	}
	return parseNational(strings.TrimPrefix(bare, "0"))
}

func parseInternational(bare string) (string, error) {
	if national, ok := strings.CutPrefix(bare, brazilCode); ok {
		return parseNational(national)
	}
	if len(bare) < phoneMinDigits || len(bare) > phoneMaxDigits || bare[0] == '0' {
		return "", ErrPhone
	}
	return "+" + bare, nil
}

func parseNational(bare string) (string, error) {
	if len(bare) != areaCodeLength+mobileLength && len(bare) != areaCodeLength+landlineLength {
		return "", ErrPhone
	}
	area, subscriber := bare[:areaCodeLength], bare[areaCodeLength:]
	if !strings.Contains(areaCodes, area) {
		return "", ErrPhoneAreaCode
	}
	if !isSubscriber(subscriber) {
		return "", ErrPhone
	}
	return "+" + brazilCode + bare, nil
}

func isSubscriber(s string) bool {
	if len(s) == mobileLength {
		return s[0] == '9'
	}
	return '2' <= s[0] && s[0] <= '5'
}
