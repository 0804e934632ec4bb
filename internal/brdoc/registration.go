package brdoc

import "strings"

// Exempt is what stands for a state registration that is not required.
const Exempt = "ISENTO"

// stateRegistrationMax is the longest registration of any state, and the size
// of the field IE in the NF-e.
const stateRegistrationMax = 14

// ParseStateRegistration reads an inscrição estadual, or ISENTO in any case,
// into upper-case letters and digits. Check digits are not verified: each state
// has its own rule, and São Paulo's rural producers begin with a letter. It
// reports ErrStateRegistration.
func ParseStateRegistration(s string) (string, error) {
	bare, ok := alphanumerics(strings.TrimSpace(s), "./- ")
	if !ok || bare == "" || len(bare) > stateRegistrationMax {
		return "", ErrStateRegistration
	}
	return bare, nil
}
