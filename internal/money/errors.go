package money

// Error is a refusal. Its value is the stable code that integrators see.
type Error string

// What parsing and arithmetic report. ErrSyntax is common to all numbers.
const (
	ErrSyntax   Error = "number_syntax"
	ErrSign     Error = "money_sign"
	ErrFraction Error = "money_fraction"
	ErrRange    Error = "money_range"

	ErrQuantityPlaces Error = "quantity_places"
	ErrQuantityRange  Error = "quantity_range"

	ErrPercentPlaces Error = "percent_places"
	ErrPercentRange  Error = "percent_range"
)

// Code returns the stable code of the refusal.
func (e Error) Code() string { return string(e) }

// Error returns the reason in English, for logs and developers.
func (e Error) Error() string {
	switch e {
	case ErrSyntax:
		return "not a number as JSON writes it"
	case ErrSign:
		return "amount has a minus sign"
	case ErrFraction:
		return "amount has a fraction of a centavo"
	case ErrRange:
		return "amount is above 99999999999 centavos"
	case ErrQuantityPlaces:
		return "quantity has more than 4 decimal places"
	case ErrQuantityRange:
		return "quantity is not above 0 and up to 999999999.9999"
	case ErrPercentPlaces:
		return "percentage has more than 2 decimal places"
	case ErrPercentRange:
		return "percentage is not from 0 to 100"
	}
	return string(e)
}
