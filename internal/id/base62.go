package id

import "strings"

// alphabet is in ASCII order, so that texts sort as their bytes do.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const base = len(alphabet)

// stackBytes is the largest value that is worked on without allocating
// more than the result: the secret of an API key.
const stackBytes = 32

// EncodeBase62 writes b as a number in base 62, padded with zeros to a length
// that depends on that of b alone: 22 characters for 16 bytes, 43 for 32. It
// takes time quadratic in the length and is meant for keys, not for files.
func EncodeBase62(b []byte) string {
	var numberBuf [stackBytes]byte
	var outBuf [2 * stackBytes]byte
	number := append(numberBuf[:0], b...)
	out := append(outBuf[:0], make([]byte, encodedLength(len(b)))...)
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = alphabet[divide(number)]
	}
	return string(out)
}

// DecodeBase62 reads what EncodeBase62 wrote of size bytes. It reports
// ErrBase62Length, ErrBase62Alphabet, or ErrBase62Overflow for a text of the
// right length whose number needs more bytes; so every value has one text.
func DecodeBase62(s string, size int) ([]byte, error) {
	if size < 0 || len(s) != encodedLength(size) {
		return nil, ErrBase62Length
	}
	number := make([]byte, size)
	for i := range len(s) {
		digit := strings.IndexByte(alphabet, s[i])
		if digit < 0 {
			return nil, ErrBase62Alphabet
		}
		if carry := multiplyAdd(number, digit); carry != 0 {
			return nil, ErrBase62Overflow
		}
	}
	return number, nil
}

// encodedLength is how many base 62 digits hold size bytes: size × 8 / log2(62),
// the factor 1.34359… rounded up to 1.3436.
func encodedLength(size int) int { return (size*13436 + 9999) / 10000 }

// divide divides the big-endian number by 62 in place and returns the rest.
func divide(number []byte) int {
	rest := 0
	for i, digit := range number {
		rest = rest<<8 | int(digit)
		number[i] = byte(rest / base) //nolint:gosec // rest is below base × 256
		rest %= base
	}
	return rest
}

// multiplyAdd makes the big-endian number × 62 + digit, in place, and returns
// what did not fit.
func multiplyAdd(number []byte, digit int) int {
	carry := digit
	for i := len(number) - 1; i >= 0; i-- {
		carry += int(number[i]) * base
		number[i] = byte(carry) //nolint:gosec // the low byte; the rest is carried on
		carry >>= 8
	}
	return carry
}
