package opt_test

import (
	"testing"

	"pgregory.net/rapid"

	"fatureihoje/internal/opt"
)

func TestField_TellsThreeStatesApart(t *testing.T) {
	var zero, setNull, set opt.Field[string]
	setNull.SetNull()
	set.Set("")
	tests := []struct {
		name                  string
		field                 opt.Field[string]
		isSet, isNull, hasAny bool
	}{
		{"zero value", zero, false, false, false},
		{"Absent", opt.Absent[string](), false, false, false},
		{"Null", opt.Null[string](), true, true, false},
		{"SetNull", setNull, true, true, false},
		{"Of", opt.Of(""), true, false, true},
		{"Set", set, true, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, hasValue := tt.field.Value()
			if tt.field.IsSet() != tt.isSet || tt.field.IsNull() != tt.isNull || hasValue != tt.hasAny {
				t.Errorf("IsSet %t, IsNull %t, has value %t", tt.field.IsSet(), tt.field.IsNull(), hasValue)
			}
		})
	}
}

func TestField_IsWhatItWasLastSetTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var field, want opt.Field[int]
		for range rapid.IntRange(1, 5).Draw(t, "times") {
			if rapid.Bool().Draw(t, "null") {
				field.SetNull()
				want = opt.Null[int]()
			} else {
				v := rapid.Int().Draw(t, "v")
				field.Set(v)
				want = opt.Of(v)
			}
		}
		if field != want {
			t.Fatalf("got %+v, want %+v", field, want)
		}
		if v, ok := field.Value(); !ok && v != 0 {
			t.Fatalf("null keeps the old value %d", v)
		}
	})
}

func TestOr_MergesIntoTheCurrentValue(t *testing.T) {
	current := 1

	if got := opt.Absent[int]().Or(&current); got != &current {
		t.Errorf("absent: got %v", got)
	}
	if got := opt.Absent[int]().Or(nil); got != nil {
		t.Errorf("absent over nothing: got %v", *got)
	}
	if got := opt.Null[int]().Or(&current); got != nil {
		t.Errorf("null: got %v", *got)
	}
	if got := opt.Of(2).Or(nil); got == nil || *got != 2 {
		t.Errorf("value: got %v", got)
	}
}

func TestOr_SharesNothingWithTheField(t *testing.T) {
	field := opt.Of(2)

	*field.Or(nil) = 3

	if v, _ := field.Value(); v != 2 {
		t.Errorf("got %d", v)
	}
}

func TestMap_KeepsAbsentAndNull(t *testing.T) {
	t.Parallel()
	length := func(s string) int { return len(s) }

	for name, c := range map[string]struct{ got, want opt.Field[int] }{
		"absent": {opt.Map(opt.Absent[string](), length), opt.Absent[int]()},
		"null":   {opt.Map(opt.Null[string](), length), opt.Null[int]()},
		"value":  {opt.Map(opt.Of("abc"), length), opt.Of(3)},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v", name, c.got)
		}
	}
}

func TestOrZero_ReadsThroughAPointerThatMayBeNil(t *testing.T) {
	t.Parallel()
	text := "a"
	if opt.OrZero(&text) != "a" || opt.OrZero[string](nil) != "" {
		t.Error("not the value, or not the zero value")
	}
}
