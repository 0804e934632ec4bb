package money

import (
	"database/sql/driver"

	"github.com/govalues/decimal"
)

// The limits of a Quantity: 0.0001 to 999,999,999.9999.
const (
	quantityPlaces      = 4
	quantityWholeDigits = 9

	// quantityHalf is a half, in units of the last place.
	quantityHalf = 5_000
)

// Quantity is how much of something a line has: above 0, with up to 4 decimal
// places, exact. Equal quantities are equal under ==. The zero value is no
// quantity; it only stands for one that is not known yet.
type Quantity struct{ value decimal.Decimal }

// ParseQuantity reads a quantity from the literal text of a JSON number, which
// is also the form of a quantity sent as a string. It reports ErrSyntax,
// ErrQuantityPlaces or ErrQuantityRange.
func ParseQuantity(text string) (Quantity, error) {
	n, ok := parseNumber(text)
	switch {
	case !ok:
		return Quantity{}, ErrSyntax
	case n.negative || n.digits == "":
		return Quantity{}, ErrQuantityRange
	case n.places() > quantityPlaces:
		return Quantity{}, ErrQuantityPlaces
	case n.wholeDigits() > quantityWholeDigits:
		return Quantity{}, ErrQuantityRange
	}
	value, err := decimal.New(n.units(quantityPlaces), quantityPlaces)
	if err != nil {
		return Quantity{}, err
	}
	return Quantity{value: value.Trim(0)}, nil
}

// String returns the shortest form: "1", "2.5".
func (q Quantity) String() string { return q.value.String() }

// MarshalText makes q a JSON string, as the API returns quantities.
func (q Quantity) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// Equal says whether the two are the same quantity, as == does; go-cmp needs
// it as a method.
func (q Quantity) Equal(other Quantity) bool { return q == other }

// Value gives q to a numeric column.
func (q Quantity) Value() (driver.Value, error) { return q.String(), nil }

// Scan reads a numeric column. NULL is an error: use sql.Null or a pointer.
func (q *Quantity) Scan(src any) error {
	text, err := numericText(src)
	if err != nil {
		return err
	}
	*q, err = ParseQuantity(text)
	return err
}
