package text

import (
	"strings"

	"golang.org/x/net/idna"
)

// The limits of RFC 5321, section 4.5.3.1, and RFC 1035, section 2.3.4, in
// octets. 254 is the longest address that fits a forward path with its brackets.
const (
	emailMax = 254
	localMax = 64
	labelMax = 63

	// domainMaxUnicode bounds the work on a domain that is not in its ASCII form
	// yet. A character takes at most 4 octets, and at least 1 in the ASCII form.
	domainMaxUnicode = 4 * emailMax
)

// localSymbols are the characters that a local part may have besides letters,
// digits and dots (atext, RFC 5322, section 3.2.3).
const localSymbols = "!#$%&'*+-/=?^_`{|}~"

// EmailError is a refusal. Its value is the stable code that integrators see.
type EmailError string

// What ValidEmail reports.
const (
	ErrEmailFormat EmailError = "email_format"
	ErrEmailLength EmailError = "email_length"
	ErrEmailLocal  EmailError = "email_local"
	ErrEmailDomain EmailError = "email_domain"
)

// Code returns the stable code of the refusal.
func (e EmailError) Code() string { return string(e) }

// Error returns the reason in English, for logs and developers.
func (e EmailError) Error() string {
	switch e {
	case ErrEmailFormat:
		return "e-mail is not one local part and one domain around an @"
	case ErrEmailLength:
		return "e-mail is longer than 254 octets, or its local part than 64"
	case ErrEmailLocal:
		return "e-mail local part has a character or a dot where none is meant"
	case ErrEmailDomain:
		return "e-mail domain is not an internet domain name"
	}
	return string(e)
}

// ValidEmail checks the form of a bare address, as maria@exemplo.com.br. The
// local part is ASCII without quotes, which every mail system accepts; an accent
// there is nearly always a typing mistake. The domain may be internationalised
// and has at least one dot. Display names, comments and address literals are
// refused. Whether the mailbox exists is not known here.
//
// It reports ErrEmailFormat, ErrEmailLength, ErrEmailLocal or ErrEmailDomain.
func ValidEmail(s string) error {
	_, _, err := parseEmail(s)
	return err
}

// NormalizeEmail returns the form by which two addresses are compared: without
// outer white space, lower case, the domain in its ASCII form. In theory the
// local part is the host's to tell apart by case; in practice no host does, and
// people type it either way. An invalid address is lower-cased only.
func NormalizeEmail(s string) string {
	s = strings.TrimSpace(s)
	local, domain, err := parseEmail(s)
	if err != nil {
		return strings.ToLower(s)
	}
	return strings.ToLower(local + "@" + domain)
}

// parseEmail returns the domain in its ASCII form.
func parseEmail(s string) (local, domain string, err error) {
	local, domain, found := strings.Cut(s, "@")
	if !found || local == "" || domain == "" || strings.Contains(domain, "@") {
		return "", "", ErrEmailFormat
	}
	if len(local) > localMax || len(domain) > domainMaxUnicode {
		return "", "", ErrEmailLength
	}
	if !isLocal(local) {
		return "", "", ErrEmailLocal
	}
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil || !isDomain(ascii) {
		return "", "", ErrEmailDomain
	}
	if len(local)+len("@")+len(ascii) > emailMax {
		return "", "", ErrEmailLength
	}
	return local, ascii, nil
}

// isLocal says whether s is a dot-atom: atoms joined by single dots.
func isLocal(s string) bool {
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" || strings.ContainsFunc(atom, isNotAtom) {
			return false
		}
	}
	return true
}

func isNotAtom(r rune) bool {
	return !isASCIILetter(r) && !isASCIIDigit(r) && !strings.ContainsRune(localSymbols, r)
}

// isDomain checks what idna leaves open: the lengths, a dot, and a top level
// that is a name, which tells a domain from an IPv4 address.
func isDomain(ascii string) bool {
	labels := strings.Split(ascii, ".")
	for _, label := range labels {
		if label == "" || len(label) > labelMax || strings.ContainsFunc(label, isNotLabel) ||
			label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	top := labels[len(labels)-1]
	return len(labels) > 1 && len(top) > 1 && strings.ContainsFunc(top, isASCIILetter)
}

func isNotLabel(r rune) bool {
	return !isASCIILetter(r) && !isASCIIDigit(r) && r != '-'
}

func isASCIILetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func isASCIIDigit(r rune) bool { return '0' <= r && r <= '9' }
