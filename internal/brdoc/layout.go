package brdoc

import "strings"

// alphanumerics returns the ASCII letters and digits of s, upper-cased, without
// the separators. It reports false if s has any other character. Upper-casing
// is by hand because strings.ToUpper turns look-alikes such as ſ into ASCII.
func alphanumerics(s, separators string) (string, bool) {
	var buf [32]byte
	bare := buf[:0]
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c), 'A' <= c && c <= 'Z':
			bare = append(bare, c)
		case 'a' <= c && c <= 'z':
			bare = append(bare, c-'a'+'A')
		case strings.IndexByte(separators, c) < 0:
			return "", false
		}
	}
	return string(bare), true
}

// digits is alphanumerics where letters are refused too.
func digits(s, separators string) (string, bool) {
	bare, ok := alphanumerics(s, separators)
	return bare, ok && allDigits(bare)
}

// fits says whether s, which must have as many letters and digits as layout has
// #, has its separators only where layout does. Each may be left out.
func fits(s, layout string) bool {
	at := 0
	for i := range len(layout) {
		if layout[i] == '#' {
			at++
		} else if at < len(s) && s[at] == layout[i] {
			at++
		}
	}
	return at == len(s)
}

// punctuate puts the characters of bare into the places of layout.
func punctuate(bare, layout string) string {
	out, next := []byte(layout), 0
	for i, c := range out {
		if c == '#' {
			out[i] = bare[next]
			next++
		}
	}
	return string(out)
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func allZeros(s string) bool { return strings.Trim(s, "0") == "" }
