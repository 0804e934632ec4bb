package money

import (
	"database/sql/driver"

	"github.com/govalues/decimal"
)

const (
	percentPlaces = 2

	// hundredPercent is the whole, in hundredths of a percent.
	hundredPercent = 10_000
)

// Percent is a percentage from 0 to 100 with up to 2 decimal places, exact.
// Equal percentages are equal under ==.
type Percent struct{ hundredths int64 }

// ParsePercent reads a percentage from the literal text of a JSON number, which
// is also the form of one sent as a string. It reports ErrSyntax,
// ErrPercentPlaces or ErrPercentRange.
func ParsePercent(text string) (Percent, error) {
	n, ok := parseNumber(text)
	switch {
	case !ok:
		return Percent{}, ErrSyntax
	case n.negative:
		return Percent{}, ErrPercentRange
	case n.places() > percentPlaces:
		return Percent{}, ErrPercentPlaces
	case n.wholeDigits() > 3:
		return Percent{}, ErrPercentRange
	}
	p := Percent{hundredths: n.units(percentPlaces)}
	if p.hundredths > hundredPercent {
		return Percent{}, ErrPercentRange
	}
	return p, nil
}

// String returns the shortest form: "0", "12.5".
func (p Percent) String() string {
	return decimal.MustNew(p.hundredths, percentPlaces).Trim(0).String()
}

// MarshalText makes p a JSON string, as the API returns percentages.
func (p Percent) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Equal says whether the two are the same percentage, as == does; go-cmp needs
// it as a method.
func (p Percent) Equal(other Percent) bool { return p == other }

// Value gives p to a numeric column.
func (p Percent) Value() (driver.Value, error) { return p.String(), nil }

// Scan reads a numeric column. NULL is an error: use sql.Null or a pointer.
func (p *Percent) Scan(src any) error {
	text, err := numericText(src)
	if err != nil {
		return err
	}
	*p, err = ParsePercent(text)
	return err
}
