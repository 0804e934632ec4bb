package testkit

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"fatureihoje/internal/clock"
)

// Forged returns access tokens that no server may take, by what is wrong with
// them, each made from a real one. foreign is the real token of another company.
// control is made in the same way with nothing wrong: it is to be taken, and so
// shows that the others are refused for what their names say.
func Forged(t testing.TB, access, foreign string) (control string, forged map[string]string) {
	t.Helper()
	f := forger{t, access}
	key, none := SessionKey(t), jwt.UnsafeAllowNoneSignatureType
	hs := jwt.SigningMethodHS256
	future := clock.System{}.Now().Add(time.Hour).Unix()
	last := strings.LastIndexByte
	return f.sign(hs, key, nil, nil), map[string]string{
		"alg none":        f.sign(jwt.SigningMethodNone, none, nil, nil),
		"alg None":        f.sign(jwt.SigningMethodNone, none, M{"alg": "None"}, nil),
		"alg NONE":        f.sign(jwt.SigningMethodNone, none, M{"alg": "NONE"}, nil),
		"alg nOnE":        f.sign(jwt.SigningMethodNone, none, M{"alg": "nOnE"}, nil),
		"alg empty":       f.sign(jwt.SigningMethodNone, none, M{"alg": ""}, nil),
		"alg missing":     f.sign(jwt.SigningMethodNone, none, M{"alg": nil}, nil),
		"alg none signed": f.sign(hs, key, M{"alg": "none"}, nil),
		"empty key":       f.sign(hs, []byte{}, nil, nil),
		"public key":      f.sign(hs, []byte("fatureihoje"), nil, nil),
		"issuer as key":   f.sign(hs, []byte("faturei-hoje"), nil, nil),
		"secret itself":   f.sign(hs, []byte(Secret), nil, nil), // only keys derived from it sign
		"alg RS256":       f.sign(hs, key, M{"alg": "RS256"}, nil),
		"alg ES256":       f.sign(hs, key, M{"alg": "ES256"}, nil),
		"HS384":           f.sign(jwt.SigningMethodHS384, key, nil, nil),
		"HS512":           f.sign(jwt.SigningMethodHS512, key, nil, nil),
		"kid is a path":   f.sign(hs, []byte{}, M{"kid": "../../../../dev/null"}, nil),
		"kid is SQL":      f.sign(hs, []byte("x"), M{"kid": "x' UNION SELECT 'x"}, nil),
		"jku and jwk":     f.sign(hs, []byte("x"), M{"jku": "http://127.0.0.1/x", "jwk": M{"kty": "oct", "k": "eA"}}, nil),
		"no exp":          f.sign(hs, key, nil, M{"exp": nil}),
		"exp text":        f.sign(hs, key, nil, M{"exp": strconv.FormatInt(future, 10)}),
		"exp past":        f.sign(hs, key, nil, M{"exp": 1}),
		"nbf future":      f.sign(hs, key, nil, M{"nbf": future}),
		"nbf far":         f.sign(hs, key, nil, M{"nbf": int64(1) << 60}),
		"nbf text":        f.sign(hs, key, nil, M{"nbf": "0"}),
		"iat future":      f.sign(hs, key, nil, M{"iat": future}),
		"no aud":          f.sign(hs, key, nil, M{"aud": nil}),
		"empty aud":       f.sign(hs, key, nil, M{"aud": []string{}}),
		"other aud":       f.sign(hs, key, nil, M{"aud": "public"}),
		"other auds":      f.sign(hs, key, nil, M{"aud": []string{"x", "y"}}),
		"aud among":       f.sign(hs, key, nil, M{"aud": []string{"dashboard", "x"}}),
		"no iss":          f.sign(hs, key, nil, M{"iss": nil}),
		"other iss":       f.sign(hs, key, nil, M{"iss": "x"}),
		"no use":          f.sign(hs, key, nil, M{"use": nil}),
		"other use":       f.sign(hs, key, nil, M{"use": "reset"}),
		"no sub":          f.sign(hs, key, nil, M{"sub": nil}),
		"sub unknown":     f.sign(hs, key, nil, M{"sub": RandomID()}),
		"foreign tenant":  f.sign(hs, key, nil, M{"tenant": forger{t, foreign}.claims()["tenant"]}),
		"no signature":    access[:last(access, '.')+1],
		"other signature": foreign[:last(foreign, '.')] + access[last(access, '.'):],
	}
}

type forger struct {
	t      testing.TB
	access string
}

func (f forger) claims() jwt.MapClaims {
	f.t.Helper()
	claims := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(f.access, claims); err != nil {
		f.t.Fatalf("testkit: %v", err)
	}
	return claims
}

// sign signs the real token's claims anew, with a header and claims changed; nil
// takes a member away.
func (f forger) sign(method jwt.SigningMethod, key any, header, claims M) string {
	f.t.Helper()
	token := jwt.NewWithClaims(method, f.claims())
	change(token.Header, header)
	if c, ok := token.Claims.(jwt.MapClaims); ok {
		change(c, claims)
	}
	text, err := token.SignedString(key)
	if err != nil {
		f.t.Fatalf("testkit: %v", err)
	}
	return text
}

func change(all, changes M) {
	for name, value := range changes {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
}
