package auth_test

import (
	"fmt"
	"strings"
	"testing"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/id"
)

func kinds() []auth.Kind {
	return []auth.Kind{auth.LiveKey, auth.TestKey, auth.Refresh, auth.Invitation, auth.Reset, auth.PublicLink}
}

func newToken(kind auth.Kind) auth.Token {
	if kind == auth.Refresh {
		return auth.NewRefreshToken(id.New(), id.New())
	}
	return auth.NewToken(kind, id.New())
}

func TestParseToken_ReadsBackWhatWasMade(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds() {
		made := newToken(kind)

		read, err := auth.ParseToken(made.Reveal(), kinds()...)

		if err != nil || read != made {
			t.Errorf("%s: %v", kind, err)
		}
		if fmt.Sprintf("%v %s", made, made) != fmt.Sprintf("%[1]s… %[1]s…", kind) {
			t.Errorf("%s prints as %v", kind, made)
		}
	}
}

func TestParseToken_RefusesEveryTypo(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds() {
		text := newToken(kind).Reveal()
		for i := range text {
			changed := text[:i] + map[bool]string{true: "a", false: "b"}[text[i] == 'b'] + text[i+1:]
			if _, err := auth.ParseToken(changed, kinds()...); err == nil {
				t.Errorf("%s: a change at %d was not noticed", kind, i)
			}
			if _, err := auth.ParseToken(text[:i], kinds()...); err == nil {
				t.Errorf("%s: its first %d characters were taken", kind, i)
			}
		}
		if _, err := auth.ParseToken(text+"0", kinds()...); err == nil {
			t.Errorf("%s: a character more was taken", kind)
		}
	}
}

func TestParseToken_NeverTakesOneKindForAnother(t *testing.T) {
	t.Parallel()
	for _, made := range kinds() {
		text := newToken(made).Reveal()
		for _, wanted := range kinds() {
			if made == wanted {
				continue
			}
			if _, err := auth.ParseToken(text, wanted); err == nil {
				t.Errorf("a %s was taken for a %s", made, wanted)
			}
			if _, err := auth.ParseToken(strings.Replace(text, string(made), string(wanted), 1), wanted); err == nil {
				t.Errorf("a %s with another prefix was taken for a %s", made, wanted)
			}
		}
	}
}
